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
    stream::{self, BoxStream},
};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::{
    caller::Caller,
    documents::Documents,
    error::{Code, request_error, set_code},
    hooks::Started,
    limits::Limits,
    page_sizes,
    response::Answer,
    roots,
    schema::{self, Schema},
};
use crate::{
    config::Settings,
    engine::Engine,
    realtime::{AccessWatch, Hub},
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
    /// Held while a long document is worked on.
    turn: Option<OwnedSemaphorePermit>,
}

#[derive(Clone)]
pub struct Api {
    schema: Arc<Schema>,
    limits: Limits,
    documents: Arc<Documents>,
    timeout: std::time::Duration,
    /// One long document at a time: parsing and validating takes a core, and the others are for everybody else.
    long_documents: Arc<Semaphore>,
}

impl Api {
    pub fn new(settings: &Settings, engine: Engine, access_watch: AccessWatch, hub: Hub) -> Self {
        Self {
            schema: Arc::new(schema::build(settings, engine, access_watch, hub)),
            limits: Limits::new(settings),
            documents: Arc::new(Documents::new()),
            timeout: settings.request_timeout.0,
            long_documents: Arc::new(Semaphore::new(1)),
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
        let (kind, request) = self.check(request)?;
        Ok(Prepared { kind, request, turn })
    }

    fn check(&self, mut request: Request) -> Result<(Kind, Request), ServerError> {
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
        request.set_parsed_query(document);
        Ok((kind, request))
    }

    /// Reads a document, unless it would cost too much.
    fn parse(&self, text: &str) -> Result<ExecutableDocument, ServerError> {
        self.limits.check_text(text)?;
        let mut document = parse_query(text).map_err(syntax_error)?;
        self.limits.check_document(&document)?;
        roots::settle(&mut document)?;
        Ok(document)
    }

    /// Executes a query or mutation within the time limit.
    pub async fn execute(&self, prepared: Prepared, caller: Caller) -> Answer {
        let began = Instant::now();
        let started = Started::default();
        let _turn = prepared.turn;
        let caller = caller.fresh();
        let lookups = caller.lookups.clone();
        let request = prepared.request.data(caller).data(started.clone());
        let run = AssertUnwindSafe(lookups.with(self.schema.execute(request))).catch_unwind();
        let answer = match tokio::time::timeout(self.timeout, run).await {
            Ok(Ok(response)) => Answer::new(response, started.0.load(Ordering::Relaxed)),
            // The panic hook has logged it.
            Ok(Err(_panic)) => Answer::refused(vec![request_error(Code::Internal, "internal error")]),
            Err(_elapsed) => {
                let message = format!("the request took longer than {} s", self.timeout.as_secs());
                Answer::refused(vec![request_error(Code::Timeout, message)])
            }
        };
        count(prepared.kind, answer.outcome());
        ::metrics::histogram!(metrics::GRAPHQL_SECONDS).record(began.elapsed().as_secs_f64());
        answer
    }

    /// Executes anything as a stream. A query or mutation gives one answer; a subscription one for each event.
    pub fn stream(&self, prepared: Prepared, caller: Caller) -> BoxStream<'static, Answer> {
        match prepared.kind {
            Kind::Query | Kind::Mutation => {
                let api = self.clone();
                stream::once(async move { api.execute(prepared, caller).await }).boxed()
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
