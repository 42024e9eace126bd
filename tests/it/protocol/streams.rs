//! Streams that never skip: whatever is cut and whoever writes, a reader with a cursor sees the log as it is.

use countersign::{
    config::Settings,
    domain::role::Role,
    engine::{Engine, Origin, commands::CreateGroup},
    store::Store,
};
use futures_util::future::{join, join_all};
use rand::{RngExt, SeedableRng, rngs::StdRng};
use rstest::rstest;
use sea_orm::sqlx::{Executor, PgConnection};
use serde_json::{Value, json};
use tokio::time::timeout;

use crate::support::{Database, EventStream, PATIENCE, Socket, TestApp, at, text, write_audit_entries};

const WATCH: &str =
    "subscription($after: String!) { auditEvents(after: $after) { cursor entry { id action subjectId } } }";
const WRITERS: usize = 4;
const WRITES: usize = 25;

/// What a reader keeps of an event: its cursor and its entry.
type Seen = Vec<(Value, Value)>;

fn keep(event: &Value, seen: &mut Seen) {
    let event = at(event, "/data/auditEvents");
    seen.push((at(event, "/cursor").clone(), at(event, "/entry").clone()));
}

/// Reads so many events over sockets that are cut after a random number of them.
async fn read_by_socket(app: &TestApp, token: &str, start: &str, seed: u64, count: usize) -> Seen {
    let mut random = StdRng::seed_from_u64(seed);
    let mut seen = Seen::new();
    while seen.len() < count {
        let mut socket = Socket::open(app, token).await;
        let after = seen.last().map_or(json!(start), |(cursor, _)| cursor.clone());
        socket.subscribe("1", WATCH, json!({ "after": after })).await;
        for _ in 0..random.random_range(1..20).min(count - seen.len()) {
            keep(at(&socket.next().await, "/payload"), &mut seen);
        }
        // Dropped without a close frame, as by a network that has gone away.
    }
    seen
}

async fn read_by_event_stream(app: &TestApp, token: &str, start: &str, seed: u64, count: usize) -> Seen {
    let mut random = StdRng::seed_from_u64(seed);
    let mut seen = Seen::new();
    while seen.len() < count {
        let after = seen.last().map_or(json!(start), |(cursor, _)| cursor.clone());
        let mut stream = EventStream::open(app, token, WATCH, json!({ "after": after })).await;
        for _ in 0..random.random_range(1..20).min(count - seen.len()) {
            keep(&stream.next().await, &mut seen);
        }
    }
    seen
}

/// The log itself, read page by page.
async fn audit_log(app: &TestApp, token: &str, start: &str) -> Seen {
    let query = "query($after: String!) { auditEntries(first: 100, after: $after, orderBy: {direction: ASC}) {
        edges { cursor node { id action subjectId } } pageInfo { hasNextPage endCursor } } }";
    let mut log = Seen::new();
    let mut after = json!(start);
    loop {
        let answer = app.graphql(token, query, json!({ "after": after })).await;
        let page = at(&answer, "/data/auditEntries");
        let edges = at(page, "/edges").as_array().expect("a list");
        log.extend(edges.iter().map(|edge| (at(edge, "/cursor").clone(), at(edge, "/node").clone())));
        if at(page, "/pageInfo/hasNextPage") == false {
            return log;
        }
        after = at(page, "/pageInfo/endCursor").clone();
    }
}

/// As another process on the same database.
async fn another_engine(app: &TestApp) -> Engine {
    let settings = Settings { database_url: Some(app.database.url.clone()), ..Settings::default() };
    let store = Store::open(&settings).await.expect("a second store");
    Engine::new(store, app.clock.clock(), settings).await.expect("a second engine")
}

async fn write(engine: &Engine, app: &TestApp, writer: usize) {
    for number in 0..WRITES {
        let name = format!("{writer}.{number}");
        let command = CreateGroup { name, description: String::new(), members: Vec::new(), idempotency_key: None };
        engine.create_group(app.scope(), command, &Origin::default()).await.expect("a group");
    }
}

#[rstest]
#[tokio::test]
async fn readers_that_are_cut_see_the_whole_log_once_and_in_order(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let app = TestApp::start(database).await;
    let token = app.token(Role::Admin).await;
    let start = app.latest_cursor(&token).await;
    let other = another_engine(&app).await;
    let count = WRITERS * WRITES;

    let engines = [&app.engine, &other];
    let writers = join_all((0..WRITERS).map(|writer| write(engines[writer % 2], &app, writer)));
    let sockets = join_all((0..3).map(|seed| read_by_socket(&app, &token, &start, seed, count)));
    let streams = join_all((3..5).map(|seed| read_by_event_stream(&app, &token, &start, seed, count)));
    let (_, (sockets, streams)) = join(writers, join(sockets, streams)).await;

    let log = audit_log(&app, &token, &start).await;
    assert_eq!(log.len(), count);
    assert!(log.iter().all(|(_, entry)| text(entry, "/action") == "GROUP_CREATED"));
    for (seed, seen) in sockets.iter().chain(&streams).enumerate() {
        assert_eq!(seen, &log, "the reader with seed {seed}");
    }
    other.store().close().await;
}

#[rstest]
#[tokio::test]
async fn a_reader_that_falls_behind_misses_nothing(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    const COUNT: usize = 5_000;
    let app = TestApp::start(database).await;
    let token = app.token(Role::Admin).await;
    let before = app.latest_cursor(&token).await;
    let mut socket = Socket::open(&app, &token).await;
    let query = "subscription($after: String!) { auditEvents(after: $after) { entry { details } } }";
    socket.subscribe("1", query, json!({ "after": before })).await;
    // Nothing is read while thousands of events come, one part at a time.
    for part in 0..5 {
        app.write_audit_entries(part * COUNT / 5..(part + 1) * COUNT / 5).await;
    }
    for number in 0..COUNT {
        assert_eq!(at(&socket.next().await, "/payload/data/auditEvents/entry/details/number"), number);
    }
}

#[rstest]
#[tokio::test]
async fn a_filter_lets_the_cursor_move_on(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let app = TestApp::start(database).await;
    let token = app.token(Role::Admin).await;
    let before = app.latest_cursor(&token).await;
    let query = "subscription($after: String!) {
        auditEvents(after: $after, filter: {actions: [WORKSPACE_UPDATED]}) { cursor entry { details } } }";
    let mut socket = Socket::open(&app, &token).await;
    socket.subscribe("1", query, json!({ "after": before })).await;
    // More than the reader takes at a time, none of which it is to see.
    app.write_audit_entries(0..500).await;
    let rename = "mutation { updateWorkspace(input: {name: \"New\"}) { userErrors { message } } }";
    app.graphql(&token, rename, json!({})).await;
    let event = socket.next().await;
    assert_eq!(text(&event, "/payload/data/auditEvents/entry/details/name"), "New", "{event}");
    assert_eq!(text(&event, "/payload/data/auditEvents/cursor"), app.latest_cursor(&token).await);
}

/// An entry that was numbered first and committed last would be missed by whoever reads up to the newest.
#[tokio::test]
async fn entries_become_visible_in_the_order_of_their_positions() {
    let app = TestApp::start(Database::Postgres).await;
    let token = app.token(Role::Admin).await;
    let before = app.latest_cursor(&token).await;
    let mut socket = Socket::open(&app, &token).await;
    let query = "subscription($after: String!) { auditEvents(after: $after) { entry { details } } }";
    socket.subscribe("1", query, json!({ "after": before })).await;
    // The entry with the number 0 waits between its number and its commit, until we let it go.
    app.database.execute("CREATE FUNCTION hold() RETURNS trigger AS $$ BEGIN PERFORM pg_advisory_xact_lock(42); RETURN NEW; END $$ LANGUAGE plpgsql").await;
    app.database.execute("CREATE TRIGGER hold AFTER INSERT ON audit_entry FOR EACH ROW WHEN ((NEW.details->>'number') = '0') EXECUTE FUNCTION hold()").await;
    let mut observer = app.database.connect_postgres().await;
    observer.execute("SELECT pg_advisory_lock(42)").await.expect("the lock");
    let waiting = async |observer: &mut PgConnection, count: i64, done: &dyn Fn() -> bool| {
        let query = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())";
        loop {
            let (found,): (i64,) = sea_orm::sqlx::query_as(query).fetch_one(&mut *observer).await.expect("the locks");
            if found == count || done() {
                return;
            }
        }
    };
    let (store, workspace) = (app.engine.store().clone(), app.workspace.id);
    let write = |number: usize| {
        let store = store.clone();
        tokio::spawn(async move { write_audit_entries(&store, workspace, number..number + 1).await })
    };
    let first = write(0);
    timeout(PATIENCE, waiting(&mut observer, 1, &|| false)).await.expect("the first holds its number");
    let second = write(1);
    timeout(PATIENCE, waiting(&mut observer, 2, &|| second.is_finished()))
        .await
        .expect("the second waits for the first");

    assert!(!second.is_finished(), "the second is committed, and the first is not");
    observer.execute("SELECT pg_advisory_unlock(42)").await.expect("the lock");
    for number in 0..2 {
        assert_eq!(at(&socket.next().await, "/payload/data/auditEvents/entry/details/number"), number);
    }
    first.await.expect("written");
    second.await.expect("written");
}
