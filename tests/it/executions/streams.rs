//! Streams that never skip: whatever is cut, a reader with a cursor sees the journal as it is.

use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD};
use countersign::{
    domain::{
        access::{Actor, Credential, Viewer},
        agent::Kind,
        execution::Status,
        id::WorkflowId,
        role::Role,
    },
    engine::Origin,
    realtime::{AccessWatch, Hub, journal_stream, task_stream},
    store::{Range, journal::JournalFilter},
};
use futures_util::{
    FutureExt, StreamExt,
    future::{join, join_all},
};
use rand::{RngExt, SeedableRng, rngs::StdRng};
use rstest::rstest;
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Message;

use crate::support::{Database, EventStream, PATIENCE, Socket, TestApp, at, flows, text};

const WATCH: &str = "subscription($after: String) {
    workspaceEvents(after: $after) { __typename cursor execution { id } } }";

/// The place in the journal that a cursor stands for.
fn position(cursor: &Value) -> i64 {
    let bytes = BASE64_URL_SAFE_NO_PAD.decode(cursor.as_str().expect("a cursor")).expect("base64");
    let text = String::from_utf8(bytes).expect("text");
    text.rsplit(' ').next().expect("a number").parse().expect("a number")
}

/// Three steps, two of them in parallel.
async fn workflow(app: &TestApp) -> WorkflowId {
    app.agent("Echo", Kind::Transform, json!({"output": "/input"})).await;
    app.workflow(json!({"name": "Busy", "steps": [
        {"key": "a", "agent": "Echo"},
        {"key": "b", "agent": "Echo", "needs": ["a"]},
        {"key": "c", "agent": "Echo", "needs": ["a"]},
    ]}))
    .await
}

/// What the journal holds after a position.
async fn journal(app: &TestApp, after: i64) -> Vec<i64> {
    let range = Range { above: Some(after), below: None, newest_first: false, limit: 100_000 };
    let entries = app.engine.store().journal(app.scope(), &JournalFilter::default(), range).await.expect("a journal");
    entries.iter().map(|entry| entry.position).collect()
}

/// Events seen so far, and how many executions ended in them.
#[derive(Default)]
struct Seen {
    cursors: Vec<Value>,
    ended: usize,
}

impl Seen {
    fn keep(&mut self, payload: &Value) {
        let event = at(payload, "/data/workspaceEvents");
        self.cursors.push(at(event, "/cursor").clone());
        self.ended += usize::from(text(event, "/__typename") == "ExecutionCompleted");
    }

    fn after(&self, start: &Value) -> Value {
        json!({"after": self.cursors.last().unwrap_or(start)})
    }
}

async fn read_by_socket(app: &TestApp, token: &str, start: &Value, seed: u64, executions: usize) -> Vec<i64> {
    let mut random = StdRng::seed_from_u64(seed);
    let mut seen = Seen::default();
    while seen.ended < executions {
        let mut socket = Socket::open(app, token).await;
        socket.subscribe("1", WATCH, seen.after(start)).await;
        let mut left = random.random_range(1..60);
        while left > 0 && seen.ended < executions {
            seen.keep(at(&socket.next().await, "/payload"));
            left -= 1;
        }
        // Dropped without a close frame, as by a network that has gone away.
    }
    seen.cursors.iter().map(position).collect()
}

async fn read_by_event_stream(app: &TestApp, token: &str, start: &Value, seed: u64, executions: usize) -> Vec<i64> {
    let mut random = StdRng::seed_from_u64(seed);
    let mut seen = Seen::default();
    while seen.ended < executions {
        let mut stream = EventStream::open(app, token, WATCH, seen.after(start)).await;
        let mut left = random.random_range(1..60);
        while left > 0 && seen.ended < executions {
            seen.keep(&stream.next().await);
            left -= 1;
        }
    }
    seen.cursors.iter().map(position).collect()
}

/// A first execution that has ended, and the cursor of its last event.
async fn start_cursor(app: &TestApp, token: &str, workflow: WorkflowId) -> Value {
    let id = app.start_execution(workflow, json!({})).await;
    app.wait_for(id, Status::Completed).await;
    let query = "query($id: ID!) { execution(id: $id) { events(last: 1) { nodes { __typename cursor } } } }";
    let answer = app.graphql(token, query, json!({"id": id.to_string()})).await;
    assert_eq!(text(&answer, "/data/execution/events/nodes/0/__typename"), "ExecutionCompleted");
    at(&answer, "/data/execution/events/nodes/0/cursor").clone()
}

#[rstest]
#[tokio::test]
async fn readers_that_are_cut_during_a_busy_run_see_the_journal_once_and_in_order(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    const EXECUTIONS: usize = 40;
    let app = TestApp::start(database).await;
    let token = app.token(Role::Operator).await;
    let workflow = workflow(&app).await;
    let start = start_cursor(&app, &token, workflow).await;
    // Half of them are started by another process on the same database.
    let other = app.another_process().await;
    let run = join_all((0..EXECUTIONS).map(|number| {
        let engine = if number % 2 == 0 { &app.engine } else { &other };
        flows::start(engine, app.scope(), workflow, json!({"number": number}))
    }));
    let sockets = join_all((0..3).map(|seed| read_by_socket(&app, &token, &start, seed, EXECUTIONS)));
    let streams = join_all((3..5).map(|seed| read_by_event_stream(&app, &token, &start, seed, EXECUTIONS)));
    let (_, (sockets, streams)) = join(run, join(sockets, streams)).await;

    let journal = journal(&app, position(&start)).await;
    assert!(journal.len() >= EXECUTIONS * 9, "{} events", journal.len());
    assert!(journal.windows(2).all(|pair| pair[1] == pair[0] + 1), "the journal has a gap");
    for (seed, seen) in sockets.iter().chain(&streams).enumerate() {
        assert_eq!(seen, &journal, "the reader with seed {seed}");
    }
}

#[rstest]
#[tokio::test]
async fn a_reader_that_falls_behind_misses_nothing(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    const EXECUTIONS: usize = 100;
    let app = TestApp::start(database).await;
    let token = app.token(Role::Operator).await;
    let workflow = workflow(&app).await;
    let start = start_cursor(&app, &token, workflow).await;
    let mut socket = Socket::open(&app, &token).await;
    socket.subscribe("1", WATCH, json!({ "after": start })).await;
    // Nothing is read while hundreds of events come.
    let ids = join_all((0..EXECUTIONS).map(|_| app.start_execution(workflow, json!({})))).await;
    for id in ids {
        app.wait_for(id, Status::Completed).await;
    }
    for expected in journal(&app, position(&start)).await {
        let event = socket.next().await;
        assert_eq!(position(at(&event, "/payload/data/workspaceEvents/cursor")), expected);
    }
}

/// A hub of the test's own. Nobody is told of changes of access until its watch runs.
fn hub(app: &TestApp) -> (Hub, AccessWatch) {
    let store = app.engine.store();
    let watch = AccessWatch::new(store.clone());
    let hub = Hub::new(store.clone(), watch.clone());
    tokio::spawn(hub.clone().run());
    (hub, watch)
}

fn viewer(app: &TestApp, actor: Actor) -> Viewer {
    Viewer {
        workspace: app.workspace.id,
        actor,
        credential: Credential::Outside,
        roles: Role::Viewer.into(),
        display_name: String::new(),
        expires_at: None,
        held: false,
        token: None,
    }
}

#[rstest]
#[tokio::test]
async fn what_comes_between_watching_and_reading_is_seen_once(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let app = TestApp::start(database).await;
    let workflow = workflow(&app).await;
    let store = app.engine.store();
    let (hub, watch) = hub(&app);
    let access = watch.of(&viewer(&app, Actor::System));
    tokio::spawn(watch.run());
    let mut stream = Box::pin(journal_stream(&hub, access, app.scope(), JournalFilter::default(), Some(0)));
    // It watches already, and has not begun to read.
    let id = app.start_execution(workflow, json!({})).await;
    app.wait_for(id, Status::Completed).await;
    while hub.published() < *store.journal_head().borrow() {
        tokio::task::yield_now().await;
    }
    let before = journal(&app, 0).await;
    for expected in before {
        assert_eq!(stream.next().await.expect("an entry").expect("it can be read").position, expected);
    }
    let last = *store.journal_head().borrow();
    let id = app.start_execution(workflow, json!({})).await;
    app.wait_for(id, Status::Completed).await;
    for expected in journal(&app, last).await {
        assert_eq!(stream.next().await.expect("an entry").expect("it can be read").position, expected);
    }
}

#[tokio::test]
async fn idle_workers_are_told_when_an_execution_is_resumed() {
    let app = TestApp::start(Database::Sqlite).await;
    app.agent("Worker", Kind::Worker, json!({"queue": "mail"})).await;
    let workflow = app.workflow(json!({"name": "W", "steps": [{"key": "a", "agent": "Worker"}]})).await;
    let id = app.start_execution(workflow, json!({})).await;
    app.wait_for_event(id, "step.scheduled 0", 1).await;
    app.engine.pause_execution(app.scope(), id).await.expect("paused");
    let store = app.engine.store();
    let (hub, watch) = hub(&app);
    let access = watch.of(&viewer(&app, Actor::System));
    tokio::spawn(watch.run());
    let before = store.statements();
    let mut stream = Box::pin(task_stream(&hub, access, app.scope(), "mail".to_owned(), None));
    // The first look finds nothing, because what waits is held back.
    while store.statements() == before {
        assert!(stream.next().now_or_never().is_none());
        tokio::task::yield_now().await;
    }
    app.engine.resume_execution(app.scope(), id).await.expect("resumed");
    let told = tokio::time::timeout(PATIENCE, stream.next()).await.expect("told in time");
    assert_eq!(told.expect("it goes on").expect("it can be read"), 1);
}

#[rstest]
#[tokio::test]
async fn a_filter_and_one_execution_alone(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let app = TestApp::start(database).await;
    let token = app.token(Role::Viewer).await;
    let busy = workflow(&app).await;
    let other = app.workflow(json!({"name": "Other", "steps": [{"key": "a", "agent": "Echo"}]})).await;
    let start = start_cursor(&app, &token, busy).await;
    let filter = "subscription($after: String, $workflow: ID!) { workspaceEvents(after: $after, filter:
        {types: [EXECUTION_STARTED, EXECUTION_COMPLETED], workflowId: $workflow}) { __typename execution { id } } }";
    let mut socket = Socket::open(&app, &token).await;
    socket.subscribe("1", filter, json!({"after": start, "workflow": other.to_string()})).await;
    app.start_execution(busy, json!({})).await;
    let id = app.start_execution(other, json!({})).await;
    for expected in ["ExecutionStarted", "ExecutionCompleted"] {
        let event = socket.next().await;
        let event = at(&event, "/payload/data/workspaceEvents");
        assert_eq!((text(event, "/__typename"), text(event, "/execution/id")), (expected, id.to_string().as_str()));
    }
    let alone = "subscription($id: ID!, $after: String) { executionEvents(executionId: $id, after: $after) {
        __typename ... on StepCompleted { output } } }";
    socket.subscribe("2", alone, json!({"id": id.to_string(), "after": start})).await;
    for expected in ["ExecutionQueued", "ExecutionStarted", "StepStarted", "StepCompleted", "ExecutionCompleted"] {
        let event = socket.next().await;
        assert_eq!(text(&event, "/payload/data/executionEvents/__typename"), expected, "{event}");
    }
}

#[rstest]
#[tokio::test]
async fn whoever_is_revoked_sees_nothing_that_happens_afterwards(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
    #[values(false, true)] elsewhere: bool,
) {
    let app = TestApp::start(database).await;
    let revoking = if elsewhere { app.another_process().await } else { app.engine.clone() };
    let token = app.token(Role::Viewer).await;
    let workflow = workflow(&app).await;
    let start = start_cursor(&app, &token, workflow).await;
    let mut socket = Socket::open(&app, &token).await;
    socket.subscribe("1", WATCH, json!({ "after": start })).await;
    let seen = app.start_execution(workflow, json!({})).await;
    let first = socket.next().await;
    assert_eq!(text(&first, "/payload/data/workspaceEvents/execution/id"), seen.to_string());
    app.wait_for(seen, Status::Completed).await;
    let id = app.token_id(&token).await.parse().expect("an id");
    revoking.revoke_api_token(app.scope(), id, &Origin::default()).await.expect("revoked");
    let unseen = app.start_execution(workflow, json!({})).await.to_string();
    loop {
        match socket.receive().await {
            Message::Text(text) => assert!(!text.contains(&unseen), "{text}"),
            Message::Close(_) => break,
            other => panic!("{other:?}"),
        }
    }
}

#[tokio::test]
async fn nothing_is_handed_out_before_those_concerned_know_of_a_revocation() {
    let app = TestApp::start(Database::Sqlite).await;
    let token = app.token(Role::Viewer).await;
    let id = app.token_id(&token).await.parse().expect("an id");
    let workflow = workflow(&app).await;
    let (hub, watch) = hub(&app);
    let access = watch.of(&viewer(&app, Actor::ApiToken(id)));
    let mut stream = Box::pin(journal_stream(&hub, access, app.scope(), JournalFilter::default(), None));
    app.engine.revoke_api_token(app.scope(), id, &Origin::default()).await.expect("revoked");
    let unseen = app.start_execution(workflow, json!({})).await;
    app.wait_for(unseen, Status::Completed).await;
    tokio::spawn(watch.run());
    assert!(stream.next().await.is_none(), "it ends before what came after the revocation");
}

#[rstest]
#[tokio::test]
async fn idle_workers_are_told_that_there_is_work(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let app = TestApp::start(database).await;
    let token = app.token(Role::Operator).await;
    app.agent("Worker", Kind::Worker, json!({"queue": "mail"})).await;
    let workflow = app.workflow(json!({"name": "W", "steps": [{"key": "a", "agent": "Worker"}]})).await;
    let query = "subscription($queue: String!) { taskAvailable(queue: $queue) { queue waiting } }";
    let claim = "mutation { claimTasks(input: {queue: \"mail\", workerId: \"w\", max: 10}) {
        tasks { stepKey attempt input } userErrors { message } } }";
    let mut early = Socket::open(&app, &token).await;
    early.subscribe("1", query, json!({"queue": "mail"})).await;
    let mut elsewhere = Socket::open(&app, &token).await;
    elsewhere.subscribe("1", query, json!({"queue": "sms"})).await;
    app.start_execution(workflow, json!({"n": 1})).await;
    let told = early.next().await;
    assert_eq!(at(&told, "/payload/data/taskAvailable"), &json!({"queue": "mail", "waiting": 1}));
    // Whoever comes later is told at once.
    let mut late = Socket::open(&app, &token).await;
    late.subscribe("1", query, json!({"queue": "mail"})).await;
    assert_eq!(at(&late.next().await, "/payload/data/taskAvailable/waiting"), 1);
    let answer = app.graphql(&token, claim, json!({})).await;
    assert_eq!(at(&answer, "/data/claimTasks/tasks"), &json!([{"stepKey": "a", "attempt": 1, "input": {"n": 1}}]));
    app.start_execution(workflow, json!({"n": 2})).await;
    for socket in [&mut early, &mut late] {
        assert_eq!(at(&socket.next().await, "/payload/data/taskAvailable/waiting"), 1);
    }
}

#[tokio::test]
async fn idle_workers_are_told_when_a_full_agent_has_room_again() {
    let app = TestApp::start(Database::Sqlite).await;
    let token = app.token(Role::Operator).await;
    app.agent("Worker", Kind::Worker, json!({"queue": "mail", "maxConcurrency": 1})).await;
    let workflow = app.workflow(json!({"name": "W", "steps": [{"key": "a", "agent": "Worker"}]})).await;
    for _ in 0..2 {
        app.start_execution(workflow, json!({})).await;
    }
    let leaving = app.claim_next("mail").await;
    let mut idle = Socket::open(&app, &token).await;
    idle.subscribe("1", "subscription { taskAvailable(queue: \"mail\") { waiting } }", json!({})).await;
    assert_eq!(at(&idle.next().await, "/payload/data/taskAvailable/waiting"), 1);
    assert!(app.claim("mail", 1).await.is_empty(), "the agent has enough");
    app.complete(&leaving, "{}").await.expect("completed");
    assert_eq!(at(&idle.next().await, "/payload/data/taskAvailable/waiting"), 1);
    assert_eq!(app.claim("mail", 1).await.len(), 1);
}
