//! One socket: its handshake, its operations and its end.

use std::{collections::HashMap, pin::Pin, sync::Arc, time::Duration};

use axum::extract::ws::{Message, WebSocket};
use futures_util::{SinkExt, StreamExt, stream::BoxStream};
use serde_json::{Map, Value};
use tokio::{
    sync::mpsc,
    task::{AbortHandle, JoinSet},
    time::{Instant, Interval, MissedTickBehavior},
};

use super::message::{Close, FromClient, FromServer};
use crate::{
    graphql::{Answer, Caller, Code, Kind, request_error, unavailable_error},
    http::{
        Server,
        auth::{Refused, bearer},
        graphql::{limited, read_fields},
    },
    realtime::Seat,
};

/// Answers on their way out. Small: a slow reader holds up its own operations, not memory.
const QUEUE: usize = 16;

/// What an operation tells its socket.
enum Report {
    Send {
        id: String,
        generation: u64,
        message: String,
    },
    /// Nothing more comes; the message, if any, is the last.
    Ended {
        id: String,
        generation: u64,
        message: Option<String>,
    },
}

/// An operation that runs. The generation tells it from an earlier one with the same id.
struct Operation {
    generation: u64,
    abort: AbortHandle,
    /// Kept here and not by the task: it is free as soon as the client knows of the operation's end.
    _seat: Option<Seat>,
}

/// What is known after `connection_init`.
struct Session {
    caller: Caller,
    expiry: Pin<Box<dyn Future<Output = ()> + Send>>,
    _seat: Seat,
}

pub struct Connection {
    server: Server,
    socket: WebSocket,
    /// Who it will be once it has shown a token.
    stranger: Caller,
    session: Option<Session>,
    operations: HashMap<String, Operation>,
    running: JoinSet<()>,
    generation: u64,
    /// In boxes, because the channel has room for many from the start.
    reports: (mpsc::Sender<Box<Report>>, mpsc::Receiver<Box<Report>>),
    /// Whether the client answered since the last ping.
    alive: bool,
}

impl Connection {
    pub fn new(server: Server, socket: WebSocket, caller: Caller) -> Self {
        Self {
            server,
            socket,
            stranger: caller,
            session: None,
            operations: HashMap::new(),
            running: JoinSet::new(),
            generation: 0,
            reports: mpsc::channel(QUEUE),
            alive: true,
        }
    }

    /// Runs until either side closes. Dropping the connection stops its operations.
    pub async fn run(mut self) {
        let close = if self.socket.protocol().is_none() {
            Some(Close::SubprotocolNotAcceptable)
        } else {
            self.serve().await.err()
        };
        // A socket that never showed a good token counts as a request that did not.
        let refused = match self.session {
            Some(_) => None,
            None => self.server.count_stranger(&self.stranger.origin).err(),
        };
        let close = refused.map(Close::from).or(close);
        // Before the client can know that it is out: its seats are free when it comes back.
        self.running.abort_all();
        self.session = None;
        let ids = self.operations.drain().map(|(id, _)| id).collect();
        Box::pin(self.say_goodbye(close, ids)).await;
    }

    /// Ends with `Ok` when the client has closed, or has gone.
    async fn serve(&mut self) -> Result<(), Close> {
        let stopping = self.server.0.tasks.stopping();
        let init_deadline = Instant::now() + self.server.settings().socket_init_timeout.0;
        let mut keep_alive = interval(self.server.settings().keep_alive.0);
        loop {
            while self.running.try_join_next().is_some() {}
            let initialised = self.session.is_some();
            tokio::select! {
                () = stopping.cancelled() => return Err(Close::GoingAway),
                () = tokio::time::sleep_until(init_deadline), if !initialised => return Err(Close::InitialisationTimeout),
                reason = over(&mut self.session) => return Err(Close::Forbidden(reason)),
                _ = keep_alive.tick() => {
                    if !std::mem::take(&mut self.alive) {
                        return Ok(());
                    }
                    if self.send(Message::Ping(Default::default())).await.is_err() {
                        return Ok(());
                    }
                }
                Some(report) = self.reports.1.recv() => {
                    let patience = self.patience();
                    if !matches!(tokio::time::timeout(patience, self.deliver(report)).await, Ok(Ok(()))) {
                        return Ok(());
                    }
                }
                received = self.socket.recv() => match received {
                    Some(Ok(message)) => {
                        self.alive = true;
                        // Boxed, because it is large and seldom runs: a socket that only listens stays small.
                        if Box::pin(self.receive(message)).await?.is_break() {
                            return Ok(());
                        }
                    }
                    Some(Err(error)) => return self.broken(error),
                    None => return Ok(()),
                },
            }
        }
    }

    async fn receive(&mut self, message: Message) -> Result<std::ops::ControlFlow<()>, Close> {
        let on = std::ops::ControlFlow::Continue(());
        let text = match message {
            Message::Text(text) => text,
            Message::Binary(_) => return Err(Close::BadRequest("Invalid message: binary".to_owned())),
            Message::Ping(_) | Message::Pong(_) => return Ok(on),
            Message::Close(_) => return Ok(std::ops::ControlFlow::Break(())),
        };
        match FromClient::parse(&text).map_err(Close::BadRequest)? {
            FromClient::ConnectionInit(payload) => self.initialise(payload).await?,
            FromClient::Ping(payload) => self.say(&FromServer::Pong { payload }).await,
            FromClient::Pong => {}
            FromClient::Subscribe { id, payload } => self.subscribe(id, payload).await?,
            FromClient::Complete { id } => {
                if let Some(operation) = self.operations.remove(&id) {
                    operation.abort.abort();
                }
            }
        }
        Ok(on)
    }

    async fn initialise(&mut self, payload: Option<Map<String, Value>>) -> Result<(), Close> {
        if self.session.is_some() {
            return Err(Close::TooManyInitialisationRequests);
        }
        let value = payload
            .and_then(|mut payload| ["Authorization", "authorization"].iter().find_map(|name| payload.remove(*name)));
        let token = value.as_ref().and_then(Value::as_str).and_then(bearer);
        let token = token.ok_or(Close::Forbidden("give `Authorization: Bearer …` in connection_init"))?;
        let viewer = self.server.authenticate(&token).await?;
        let seat = self.server.0.sockets.take(viewer.actor).map_err(|full| Close::TooManySockets(full.limit))?;
        let caller = Caller { viewer: Some(Arc::new(viewer)), token: Some(token), ..self.stranger.clone() };
        let caller = self.server.watch(caller).await?;
        self.begin_session(caller, seat);
        self.say(&FromServer::ConnectionAck).await;
        Ok(())
    }

    fn begin_session(&mut self, caller: Caller, seat: Seat) {
        let (server, viewer) = (self.server.clone(), caller.viewer.clone());
        let expiry = Box::pin(async move { server.expiry(viewer.as_deref()).await });
        self.session = Some(Session { caller, expiry, _seat: seat });
    }

    async fn subscribe(&mut self, id: String, payload: Map<String, Value>) -> Result<(), Close> {
        let caller = self.session.as_ref().ok_or(Close::Unauthorized)?.caller.clone();
        if self.operations.contains_key(&id) {
            return Err(Close::SubscriberAlreadyExists(id));
        }
        let request = read_fields(payload)
            .map_err(|malformed| Close::BadRequest(format!("Invalid message: {}", malformed.into_message())))?;
        let api = &self.server.0.api;
        let prepared = match api.prepare(request).await {
            Ok(prepared) => prepared,
            Err(error) => {
                self.say(&FromServer::Error { id: &id, payload: &[error] }).await;
                return Ok(());
            }
        };
        let caller = match self.server.look_again(&caller).await {
            Ok(caller) => caller,
            Err(refused @ (Refused::Internal | Refused::Unavailable)) => {
                let error = match refused {
                    Refused::Unavailable => unavailable_error(),
                    _ => request_error(Code::Internal, "internal error"),
                };
                self.say(&FromServer::Error { id: &id, payload: &[error] }).await;
                return Ok(());
            }
            Err(refused) => return Err(refused.into()),
        };
        if let Err(Refused::TooMany(wait)) = self.server.count(&caller) {
            self.say(&FromServer::Error { id: &id, payload: &[limited(wait)] }).await;
            return Ok(());
        }
        let mut seat = None;
        if let (Kind::Subscription, Some(viewer)) = (prepared.kind, &caller.viewer) {
            seat = match self.server.0.subscriptions.take(viewer.actor) {
                Ok(seat) => Some(seat),
                Err(full) => {
                    let message = format!("you have {} subscriptions open: close some first", full.limit);
                    let error = request_error(Code::TooManySubscriptions, message);
                    self.say(&FromServer::Error { id: &id, payload: &[error] }).await;
                    return Ok(());
                }
            };
        }
        self.generation += 1;
        let generation = self.generation;
        let answers = api.stream(prepared, caller);
        let operation = operate(id.clone(), generation, answers, self.reports.0.clone());
        let abort = self.running.spawn(operation);
        self.operations.insert(id, Operation { generation, abort, _seat: seat });
        Ok(())
    }

    /// What was wrong with what came, if there is still somebody to tell.
    fn broken(&self, error: axum::Error) -> Result<(), Close> {
        use tungstenite::error::{Error, ProtocolError};
        tracing::debug!(%error, "a socket broke");
        match error.into_inner().downcast_ref::<Error>() {
            Some(Error::Capacity(_)) => Err(Close::MessageTooLarge(self.server.settings().max_body_bytes)),
            Some(Error::Utf8(_)) => Err(Close::NotUtf8),
            Some(Error::Protocol(ProtocolError::ResetWithoutClosingHandshake)) => Ok(()),
            Some(Error::Protocol(_)) => Err(Close::NotWebSocket),
            _ => Ok(()),
        }
    }

    /// Passes on what operations report, and with it what others have reported meanwhile: what is ready goes out in
    /// one write.
    async fn deliver(&mut self, first: Box<Report>) -> Result<(), axum::Error> {
        let mut reports = vec![first];
        reports.extend(std::iter::from_fn(|| self.reports.1.try_recv().ok()).take(QUEUE));
        for report in reports {
            if let Some(message) = self.settle(*report) {
                self.socket.feed(Message::Text(message.into())).await?;
            }
        }
        self.socket.flush().await
    }

    /// What a report sends, unless the client has completed the operation meanwhile.
    fn settle(&mut self, report: Report) -> Option<String> {
        let (id, generation) = match &report {
            Report::Send { id, generation, .. } | Report::Ended { id, generation, .. } => (id, *generation),
        };
        if self.operations.get(id).is_none_or(|operation| operation.generation != generation) {
            return None;
        }
        match report {
            Report::Send { message, .. } => Some(message),
            Report::Ended { id, message, .. } => {
                self.operations.remove(&id);
                message
            }
        }
    }

    /// A failure to send shows at the next receive.
    async fn say(&mut self, message: &FromServer<'_>) {
        if let Some(text) = write(message) {
            self.send(Message::Text(text.into())).await.ok();
        }
    }

    /// Sends, but does not wait for ever for somebody who does not read.
    async fn send(&mut self, message: Message) -> Result<(), axum::Error> {
        match tokio::time::timeout(self.patience(), self.socket.send(message)).await {
            Ok(sent) => sent,
            Err(elapsed) => Err(axum::Error::new(elapsed)),
        }
    }

    /// How long somebody may take to read.
    fn patience(&self) -> Duration {
        self.server.settings().keep_alive.0.saturating_mul(2)
    }

    /// Closes so that both ends know, unless the client has gone.
    async fn say_goodbye(mut self, close: Option<Close>, ids: Vec<String>) {
        const PATIENCE: Duration = Duration::from_secs(1);
        if close == Some(Close::GoingAway) {
            for id in ids {
                self.say(&FromServer::Complete { id: &id }).await;
            }
        }
        if let Some(close) = &close
            && self.send(Message::Close(Some(close.frame()))).await.is_err()
        {
            return;
        }
        if let Some(Close::MessageTooLarge(_)) = close {
            // Hanging up on a message that is still coming would reset the connection before the client has read why.
            return tokio::time::sleep(PATIENCE).await;
        }
        // Also sends the answer to a close frame of the client's.
        let last = async { while let Some(Ok(_)) = self.socket.recv().await {} };
        tokio::time::timeout(PATIENCE, last).await.ok();
    }
}

fn interval(period: Duration) -> Interval {
    let mut interval = tokio::time::interval_at(Instant::now() + period, period);
    interval.set_missed_tick_behavior(MissedTickBehavior::Delay);
    interval
}

/// Waits until the caller's right to this socket is over.
async fn over(session: &mut Option<Session>) -> &'static str {
    match session {
        None => std::future::pending().await,
        Some(Session { caller, expiry, .. }) => {
            let changed = async {
                match &mut caller.access {
                    Some(access) => access.changed().await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                () = expiry => "the access token has expired",
                () = changed => "your access has changed",
            }
        }
    }
}

fn write(message: &FromServer<'_>) -> Option<String> {
    serde_json::to_string(message).map_err(|error| tracing::error!(%error, "cannot write a message")).ok()
}

/// Runs one operation in a task of its own, so that none can starve another.
async fn operate(
    id: String,
    generation: u64,
    mut answers: BoxStream<'static, Answer>,
    reports: mpsc::Sender<Box<Report>>,
) {
    while let Some(answer) = answers.next().await {
        if answer.data.is_none() {
            let message = write(&FromServer::Error { id: &id, payload: &answer.errors });
            reports.send(Box::new(Report::Ended { id, generation, message })).await.ok();
            return;
        }
        let Some(message) = write(&FromServer::Next { id: &id, payload: &answer }) else { break };
        if reports.send(Box::new(Report::Send { id: id.clone(), generation, message })).await.is_err() {
            return;
        }
    }
    let message = write(&FromServer::Complete { id: &id });
    reports.send(Box::new(Report::Ended { id, generation, message })).await.ok();
}
