//! The way in for every transport.

use std::{panic::AssertUnwindSafe, sync::Arc, sync::atomic::Ordering, time::Instant};

use async_graphql::{
    Request, ServerError,
    parser::{
        self, parse_query,
        types::{ExecutableDocument, OperationType},
    },
};
use futures_util::{
    FutureExt, Stream, StreamExt,
    future::BoxFuture,
    stream::{self, BoxStream},
};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::{
    caller::Caller,
    documents::Documents,
    error::{Code, request_error, set_code},
    hooks::Started,
    introspection,
    limits::Limits,
    page_sizes,
    response::Answer,
    room::Room,
    roots,
    schema::{self, Schema},
};
use crate::{
    config::Settings,
    engine::Engine,
    realtime::{AccessWatch, Hub},
    tasks,
    telemetry::metrics,
};

/// Documents longer than this, in bytes, take turns. What people and programs write is shorter.
const LONG_DOCUMENT: usize = 8 * 1024;

/// What an operation is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Query,
    Mutation,
    Subscription,
}

impl Kind {
    fn as_str(self) -> &'static str {
        match self {
            Kind::Query => "query",
            Kind::Mutation => "mutation",
            Kind::Subscription => "subscription",
        }
    }
}

/// A request that is within the limits and parses.
pub struct Prepared {
    pub kind: Kind,
    request: Request,
    asks_about_the_schema: bool,
    /// Held while a long document is worked on.
    turn: Option<OwnedSemaphorePermit>,
}

#[derive(Clone)]
pub struct Api {
    schema: Arc<Schema>,
    limits: Limits,
    documents: Arc<Documents>,
    timeout: std::time::Duration,
    max_answer_bytes: usize,
    /// One long document at a time: parsing and validating takes a core, and the others are for everybody else.
    long_documents: Arc<Semaphore>,
    /// The same for answers about the schema, which are long and made without waiting for anything.
    introspections: Arc<Semaphore>,
}

impl Api {
    pub fn new(settings: &Settings, engine: Engine, access_watch: AccessWatch, hub: Hub) -> Self {
        Self {
            schema: Arc::new(schema::build(settings, engine, access_watch, hub)),
            limits: Limits::new(settings),
            documents: Arc::new(Documents::new()),
            timeout: settings.request_timeout.0,
            max_answer_bytes: settings.max_answer_bytes,
            long_documents: Arc::new(Semaphore::new(1)),
            introspections: Arc::new(Semaphore::new(1)),
        }
    }

    /// Checks a request's cost and form, and finds out what it is.
    pub async fn prepare(&self, request: Request) -> Result<Prepared, ServerError> {
        let turn = if request.query.len() > LONG_DOCUMENT {
            // An error says that the semaphore is closed, which it never is.
            Arc::clone(&self.long_documents).acquire_owned().await.ok()
        } else {
            None
        };
        let (kind, asks_about_the_schema, request) = self.check(request)?;
        Ok(Prepared { kind, request, asks_about_the_schema, turn })
    }

    fn check(&self, mut request: Request) -> Result<(Kind, bool, Request), ServerError> {
        let document = self.documents.get(&request.query, |text| self.parse(text))?;
        let named = request.operation_name.as_deref().filter(|name| !name.is_empty());
        let mut operations = document.operations.iter();
        let operation = match named {
            Some(wanted) => {
                operations.find(|(name, _)| name.is_some_and(|name| name == wanted)).map(|(_, found)| found)
            }
            None => {
                let first = operations.next().map(|(_, found)| found);
                if operations.next().is_some() { None } else { first }
            }
        };
        let Some(operation) = operation else {
            let message = match named {
                Some(name) => format!("the document has no operation named `{name}`"),
                None => "the document has several operations: give `operationName`".to_owned(),
            };
            return Err(request_error(Code::BadRequest, message));
        };
        let kind = match operation.node.ty {
            OperationType::Query => Kind::Query,
            OperationType::Mutation => Kind::Mutation,
            OperationType::Subscription => Kind::Subscription,
        };
        page_sizes::settle(&mut request.variables, &document, &operation.node);
        if named.is_none() {
            request.operation_name = None;
        }
        let asks_about_the_schema = introspection::is_asked(&document);
        request.set_parsed_query(document);
        Ok((kind, asks_about_the_schema, request))
    }

    /// Reads a document, unless it would cost too much.
    fn parse(&self, text: &str) -> Result<ExecutableDocument, ServerError> {
        self.limits.check_text(text)?;
        let mut document = parse_query(text).map_err(syntax_error)?;
        self.limits.check_document(&document)?;
        roots::settle(&mut document)?;
        Ok(document)
    }

    /// Room for one answer, or for those of a batch.
    pub fn room(&self) -> Room {
        Room::new(self.max_answer_bytes)
    }

    /// Executes a query or mutation within the time limit. A mutation that has begun goes on to its end, also if its
    /// caller goes away or its time is up: what it has committed must have its consequences.
    pub async fn execute(&self, prepared: Prepared, caller: Caller, room: Room) -> Answer {
        let began = Instant::now();
        let kind = prepared.kind;
        let run = self.clone().run(prepared, caller, room);
        let run: BoxFuture<'_, Option<Answer>> = match kind {
            Kind::Mutation => Box::pin(tasks::to_the_end(run)),
            Kind::Query | Kind::Subscription => Box::pin(run.map(Some)),
        };
        let answer = match tokio::time::timeout(self.timeout, run).await {
            Ok(Some(answer)) => answer,
            // The runtime is being shut down.
            Ok(None) => Answer::refused(vec![request_error(Code::Internal, "internal error")]),
            Err(_elapsed) => {
                let seconds = self.timeout.as_secs();
                let message = match kind {
                    Kind::Mutation => format!(
                        "the request took longer than {seconds} s and may still be carried out: \
                         look, or send it again with the same `idempotencyKey`"
                    ),
                    Kind::Query | Kind::Subscription => format!("the request took longer than {seconds} s"),
                };
                Answer::refused(vec![request_error(Code::Timeout, message)])
            }
        };
        count(kind, answer.outcome());
        ::metrics::histogram!(metrics::GRAPHQL_SECONDS).record(began.elapsed().as_secs_f64());
        answer
    }

    async fn run(self, prepared: Prepared, caller: Caller, room: Room) -> Answer {
        let started = Started::default();
        let _turn = prepared.turn;
        let _alone = match prepared.asks_about_the_schema {
            // An error says that the semaphore is closed, which it never is.
            true => self.introspections.acquire().await.ok(),
            false => None,
        };
        let caller = caller.fresh();
        let lookups = caller.lookups.clone();
        let request = prepared.request.data(caller).data(started.clone()).data(room);
        match AssertUnwindSafe(lookups.with(self.schema.execute(request))).catch_unwind().await {
            Ok(response) => Answer::new(response, started.0.load(Ordering::Relaxed)),
            // The panic hook has logged it.
            Err(_panic) => Answer::refused(vec![request_error(Code::Internal, "internal error")]),
        }
    }

    /// Executes anything as a stream. A query or mutation gives one answer; a subscription one for each event.
    pub fn stream(&self, prepared: Prepared, caller: Caller) -> BoxStream<'static, Answer> {
        match prepared.kind {
            Kind::Query | Kind::Mutation => {
                let api = self.clone();
                stream::once(async move { api.execute(prepared, caller, api.room()).await }).boxed()
            }
            Kind::Subscription => self.subscribe(prepared, caller).boxed(),
        }
    }

    fn subscribe(&self, prepared: Prepared, caller: Caller) -> impl Stream<Item = Answer> + Send + use<> {
        count(prepared.kind, "streamed");
        let caller = caller.fresh();
        let lookups = caller.lookups.clone();
        let events = lookups.with(self.schema.execute_stream(prepared.request.data(caller)));
        AssertUnwindSafe(events).catch_unwind().map(|event| match event {
            Ok(response) => {
                // A subscription that fails as a whole has errors and no data: it was never an event.
                let executed = response.data != async_graphql::Value::Null || response.errors.is_empty();
                Answer::new(response, executed)
            }
            Err(_panic) => Answer::refused(vec![request_error(Code::Internal, "internal error")]),
        })
    }
}

fn count(kind: Kind, outcome: &'static str) {
    ::metrics::counter!(metrics::GRAPHQL_OPERATIONS, "type" => kind.as_str(), "outcome" => outcome).increment(1);
}

/// Says what was expected, without the parser's picture of the line, which may be as long as the document.
fn syntax_error(error: parser::Error) -> ServerError {
    let mut error = ServerError::from(error);
    if let Some(expected) = error.message.lines().last().and_then(|line| line.trim_start().strip_prefix("= ")) {
        error.message = format!("syntax error: {expected}");
    }
    set_code(&mut error, Code::ParseFailed);
    error
}
