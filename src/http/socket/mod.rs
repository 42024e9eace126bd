//! GraphQL over WebSocket: graphql-transport-ws, to the letter of its protocol.

mod connection;
mod message;

use axum::{extract::WebSocketUpgrade, response::Response};

use super::Server;
use crate::{domain::access::Viewer, graphql::Caller};
use connection::Connection;

const SUBPROTOCOL: &str = "graphql-transport-ws";
/// The library zero-fills this much for every read; messages are small.
const BUFFER: usize = 512;

pub fn upgrade(server: Server, upgrade: WebSocketUpgrade, caller: Caller) -> Response {
    let caller = caller.without_cookie();
    let largest = server.settings().max_body_bytes;
    let tasks = server.0.tasks.clone();
    upgrade
        .protocols([SUBPROTOCOL])
        .read_buffer_size(BUFFER)
        .write_buffer_size(BUFFER)
        .max_message_size(largest)
        .max_frame_size(largest)
        .on_upgrade(move |socket| async move {
            // Tracked, because the HTTP server no longer knows of it.
            tasks.spawn(Connection::new(server, socket, caller).run());
        })
}

impl Server {
    /// Waits until the caller's credential stops working by itself.
    pub(super) async fn expiry(&self, viewer: Option<&Viewer>) {
        let Some(at) = viewer.and_then(|viewer| viewer.expires_at) else {
            return std::future::pending().await;
        };
        loop {
            let left = at - self.0.engine.clock().now();
            match left.to_std() {
                // In steps, because a laptop's clock jumps when it wakes up.
                Ok(left) if !left.is_zero() => tokio::time::sleep(left.min(std::time::Duration::from_secs(30))).await,
                _ => return,
            }
        }
    }
}
