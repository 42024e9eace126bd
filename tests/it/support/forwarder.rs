//! A way to PostgreSQL that a test can cut.

use std::net::SocketAddr;

use countersign::config::DatabaseUrl;
use tokio::{
    net::{TcpListener, TcpStream},
    sync::watch,
};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Open,
    /// Connections stay, and nothing comes through: as when a cable is pulled.
    Stalled,
    /// Connections end, and new ones are refused: as when the database has ended.
    Cut,
}

/// Passes everything on to a PostgreSQL.
pub struct Forwarder {
    pub url: DatabaseUrl,
    state: watch::Sender<State>,
}

impl Forwarder {
    pub async fn start(database: &DatabaseUrl) -> Self {
        Self::start_on(0, database).await
    }

    /// The same on a port that the test has named before.
    pub async fn start_on(port: u16, database: &DatabaseUrl) -> Self {
        let DatabaseUrl::Postgres(url) = database else { panic!("not a PostgreSQL") };
        let mut url = url::Url::parse(url).expect("a URL");
        let target = format!("{}:{}", url.host_str().expect("a host"), url.port().expect("a port"));
        let listener = TcpListener::bind(SocketAddr::from(([127, 0, 0, 1], port))).await.expect("a port");
        url.set_port(Some(listener.local_addr().expect("an address").port())).expect("a port");
        let state = watch::Sender::new(State::Open);
        tokio::spawn(accept(listener, target, state.subscribe()));
        Self { url: DatabaseUrl::Postgres(url.into()), state }
    }

    pub fn stall(&self) {
        self.state.send_replace(State::Stalled);
    }

    pub fn cut(&self) {
        self.state.send_replace(State::Cut);
    }
}

async fn accept(listener: TcpListener, target: String, state: watch::Receiver<State>) {
    let mut cut = state.clone();
    loop {
        tokio::select! {
            _ = cut.wait_for(|state| *state == State::Cut) => return,
            accepted = listener.accept() => {
                let (client, _) = accepted.expect("a connection");
                tokio::spawn(pass_on(client, target.clone(), state.clone()));
            }
        }
    }
}

async fn pass_on(mut client: TcpStream, target: String, mut state: watch::Receiver<State>) {
    let mut server = TcpStream::connect(target).await.expect("the test PostgreSQL answers");
    tokio::select! {
        _ = state.wait_for(|state| *state != State::Open) => {}
        _ = tokio::io::copy_bidirectional(&mut client, &mut server) => return,
    }
    let _ = state.wait_for(|state| *state == State::Cut).await;
}

/// A port at which nothing listens.
pub async fn unused_port() -> u16 {
    let listener = TcpListener::bind(SocketAddr::from(([127, 0, 0, 1], 0))).await.expect("a port");
    listener.local_addr().expect("an address").port()
}
