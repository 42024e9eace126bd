//! The content of deliverables, in and out.

mod archive;
mod content;
mod headers;
mod range;
mod upload;

use std::{collections::HashMap, net::SocketAddr};

use axum::{
    Router,
    body::Body,
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::Response,
    routing::get,
};
use futures_util::TryStreamExt;

use super::{
    Server,
    auth::Refused,
    graphql::{Media, refuse, refuse_caller, refuse_for_now},
};
use crate::{
    domain::{access::Scope, id::WorkspaceId, role::Role},
    engine::{
        Error,
        deliverables::{Chunks, Link},
        identity::Rejected,
    },
    graphql::Code,
};

pub fn routes() -> Router<Server> {
    Router::new()
        .route("/deliverables/{id}/content", get(content::read).put(upload::take))
        .route("/executions/{id}/deliverables.zip", get(archive::read))
}

/// What follows the question mark.
type Parameters = HashMap<String, String>;

/// Why there is nothing to give, in the form in which all of the API's errors come.
fn error(status: StatusCode, code: Code, message: impl Into<String>) -> Response {
    refuse(Media::Json, status, code, message)
}

fn not_found() -> Response {
    error(StatusCode::NOT_FOUND, Code::NotFound, "there is nothing here that you may see")
}

/// Our own fault: the log says more.
fn internal(error_: &Error) -> Response {
    tracing::error!(error = error_.explain(), "cannot serve a deliverable");
    if error_.is_unavailable() {
        return refuse_for_now(Media::Json);
    }
    error(StatusCode::INTERNAL_SERVER_ERROR, Code::Internal, "internal error")
}

/// Content on its way out. If it breaks off, so does the connection: nobody takes a part for the whole.
fn body_of(chunks: Chunks) -> Body {
    Body::from_stream(chunks.map_err(|error| {
        tracing::error!(error = error.explain(), "content broke off while it was sent");
        std::io::Error::other("the content broke off")
    }))
}

impl Server {
    /// The workspace that a request may read: that of its link, or of its caller.
    async fn reader(
        &self,
        peer: SocketAddr,
        headers: &HeaderMap,
        parameters: &Parameters,
        allows: impl FnOnce(Link) -> Option<WorkspaceId>,
    ) -> Result<Scope, Response> {
        if let Some(token) = parameters.get("token") {
            let link = self.0.engine.links().read(token, self.0.engine.clock().now());
            let message = "the link has expired, or is for something else: ask for a new one";
            let origin = self.anonymous(peer, headers).origin;
            let too_many = |refused: Refused| refuse_caller(&refused, Media::Json);
            let Some(workspace) = link.and_then(allows) else {
                self.count_stranger(&origin).map_err(too_many)?;
                return Err(error(StatusCode::UNAUTHORIZED, Code::Unauthenticated, message));
            };
            self.count_holder(&origin).map_err(too_many)?;
            return Ok(Scope::system(workspace));
        }
        let caller = self.caller(peer, headers).await;
        let caller = caller.map_err(|refused| refuse_caller(&refused, Media::Json))?;
        let Some(viewer) = caller.viewer else {
            let mut response = error(StatusCode::UNAUTHORIZED, Code::Unauthenticated, "sign in to use this");
            response.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
            return Err(response);
        };
        let message = "this needs the role VIEWER";
        viewer.require(Role::Viewer).map_err(|_| error(StatusCode::FORBIDDEN, Code::Forbidden, message))
    }
}

/// A request that cannot say who sends it.
fn refuse_link() -> Response {
    refuse_caller(&Refused::Credentials(Rejected::Token), Media::Json)
}
