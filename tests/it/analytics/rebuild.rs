//! Rollups that are missing or broken are derived anew from the journal, while the server runs.

use chrono::{DateTime, TimeDelta, Utc};
use countersign::{
    config::Settings,
    domain::{
        agent::Kind,
        analytics::Slot,
        execution::CompletionReason,
        id::{AgentId, WorkflowId},
        role::Role,
    },
    store::{Store, rollups::Outcome},
};
use futures_util::future::join_all;
use rstest::rstest;
use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, PaginatorTrait, QueryFilter};
use serde_json::{Value, json};

use super::{analytics, life::Life, range};
use crate::support::{Database, Process, TestApp, TestClock, at};

/// A server on whose database a few things have happened and nothing is on its way, and when they were over. What
/// happens from now on is in a later quarter.
async fn after_some_life(database: Database) -> (TestApp, DateTime<Utc>) {
    let mut app = TestApp::start(database).await;
    let mut life = Life::begin(&app, 7).await;
    for _ in 0..3 {
        life.go_on(40).await;
        app.clock.advance(TimeDelta::days(15));
    }
    life.go_on(20).await;
    app.wait_until_added_up().await;
    app.stop().await;
    let end = app.engine.clock().now();
    app.clock.advance(TimeDelta::minutes(15));
    (app, end)
}

async fn figures(app: &TestApp, end: DateTime<Utc>) -> Value {
    let token = app.token(Role::Approver).await;
    analytics(app, &token, range(end - TimeDelta::days(60), end)).await
}

#[rstest]
#[case("UPDATE rollup SET count = count + 1 WHERE resolution = 'DAY' AND word = 'ASKED'", "of CHECKPOINT ASKED")]
#[case("UPDATE rollup SET tokens = 0 WHERE word = 'COMPLETED'", "has other amounts than the journal gives")]
#[case("DELETE FROM rollup WHERE resolution = 'QUARTER_TOTAL'", "(QUARTER_TOTAL) has a count of 0, the journal gives")]
#[case("UPDATE rollup SET slot = slot + 96000", "has a count of")]
#[case("UPDATE rollup SET count = 0 WHERE resolution = 'FORTNIGHT'", "(FORTNIGHT) has a count of 0, the journal gives")]
#[case(
    "DELETE FROM rollup WHERE resolution = 'FORTNIGHT_TOTAL'",
    "(FORTNIGHT_TOTAL) has a count of 0, the journal gives"
)]
#[case(
    "DELETE FROM rollup WHERE resolution = 'FORTNIGHT_TOTAL' AND workflow_id IN (SELECT workflow_id FROM rollup WHERE resolution = 'DAY')",
    "(FORTNIGHT_TOTAL) has a count of 0, the journal gives"
)]
#[case(
    "UPDATE rollup SET durations = '' WHERE resolution = 'FORTNIGHT_TOTAL' AND measure = 'AGENT_EXECUTION'",
    "(FORTNIGHT_TOTAL) has other amounts than the journal gives"
)]
#[case("DELETE FROM rollup WHERE measure = 'ADDED_UP'", "the journal gives 0")]
#[case("UPDATE rollup SET durations = ''", "has other amounts than the journal gives")]
#[tokio::test]
async fn broken_rollups_are_named_and_mended(
    #[case] breaking: &'static str,
    #[case] named: &str,
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let (app, _) = after_some_life(database).await;
    let doctor = app.another_process().await;
    let added_up = app.count_rollups("ADDED_UP").await;
    assert!(added_up >= 2, "life was too short");
    let sound = doctor.examine(false).await.expect("an examination");
    assert_eq!((sound.problems, sound.recounted), (Vec::new(), false));
    app.database.execute(breaking).await;
    let found = doctor.examine(false).await.expect("an examination");
    assert!(found.problems.iter().any(|problem| problem.contains(named)), "{:?}", found.problems);
    assert!(!found.recounted, "only looked at");
    let mended = doctor.examine(true).await.expect("a repair");
    assert_eq!((mended.problems, mended.repaired, mended.recounted), (found.problems, 0, true));
    let sound = doctor.examine(true).await.expect("an examination");
    assert_eq!((sound.problems, sound.recounted), (Vec::new(), false));
    assert_eq!(app.count_rollups("ADDED_UP").await, added_up);
}

/// A workflow of one step, and its agent.
async fn nothing_to_do(app: &TestApp) -> (AgentId, WorkflowId) {
    let agent = app.agent("Nothing", Kind::Transform, json!({"output": {}})).await;
    (agent, app.workflow(json!({"name": "W", "steps": [{"key": "a", "agent": "Nothing"}]})).await)
}

async fn run(app: &TestApp, workflow: WorkflowId) {
    let id = app.start_execution(workflow, json!({})).await;
    app.ends(id, CompletionReason::Success).await;
}

/// What comes when a fortnight is over and added up is counted in it as well.
#[rstest]
#[tokio::test]
async fn what_comes_late_is_counted_in_its_fortnight(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let app = TestApp::start(database).await;
    let (agent, workflow) = nothing_to_do(&app).await;
    let run = || run(&app, workflow);
    run().await;
    app.clock.advance(TimeDelta::days(20));
    app.wait_until_added_up().await;
    app.clock.advance(TimeDelta::days(-20));
    run().await;
    run().await;
    app.clock.advance(TimeDelta::days(20));
    assert_ended(&app, workflow, agent, 3).await;
    app.assert_sound().await;
}

/// What comes between reading a fortnight and writing what it comes to is counted in it.
#[rstest]
#[tokio::test]
async fn what_comes_while_a_fortnight_is_added_up_is_counted_in_it(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let app = TestApp::start(database).await;
    let (agent, workflow) = nothing_to_do(&app).await;
    let run = || run(&app, workflow);
    // The server itself does so when the fortnight is over.
    let store = app.engine.store();
    let fortnight = (app.scope().workspace().0, Slot::of(app.engine.clock().now()).fortnight());
    run().await;
    let too_early = store.sums_of_fortnight(fortnight).await.expect("sums");
    run().await;
    assert_eq!(store.keep_sums(too_early).await.expect("an answer"), Outcome::OutOfDate);
    assert_eq!(app.count_rollups("ADDED_UP").await, 0, "nothing is written");
    let [sums, of_another] = [store.sums_of_fortnight(fortnight).await, store.sums_of_fortnight(fortnight).await];
    assert_eq!(store.keep_sums(sums.expect("sums")).await.expect("an answer"), Outcome::Kept);
    run().await;
    assert_eq!(store.keep_sums(of_another.expect("sums")).await.expect("an answer"), Outcome::KeptByAnother);
    app.clock.advance(TimeDelta::days(20));
    app.wait_until_added_up().await;
    assert_ended(&app, workflow, agent, 3).await;
    app.assert_sound().await;
}

/// So many executions of a workflow have ended in the last 40 days, whatever one asks by.
async fn assert_ended(app: &TestApp, workflow: WorkflowId, agent: AgentId, expected: u64) {
    let now = app.engine.clock().now();
    let token = app.token(Role::Approver).await;
    let (workflow, agent) = (workflow.to_string(), agent.to_string());
    for filter in [
        json!({}),
        json!({"workflowId": workflow}),
        json!({"agentId": agent}),
        json!({"workflowId": workflow, "agentId": agent}),
    ] {
        let mut variables = range(now - TimeDelta::days(40), now);
        variables["filter"] = filter.clone();
        let found = analytics(app, &token, variables).await;
        assert_eq!(at(&found, "/executions/ended"), &json!(expected), "{filter}");
        assert_eq!(at(&found, "/agents/0/completed"), &json!(expected), "{filter}");
        let series = at(&found, "/executions/series").as_array().expect("a series");
        assert_eq!(series.iter().filter_map(|bucket| bucket["ended"].as_u64()).sum::<u64>(), expected, "{filter}");
    }
}

/// What an upgrade does: fortnights are added up, but not by workflow and agent.
#[rstest]
#[tokio::test]
async fn fortnights_that_an_earlier_version_added_up_are_added_up_anew(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let (app, end) = after_some_life(database).await;
    let (fresh, clock) = (app.database.clone(), app.clock.clone());
    let mut app = TestApp::start_on(fresh.clone(), clock.clone(), |_| {}).await;
    let token = app.token(Role::Approver).await;
    let found = figures(&app, end).await;
    let (workflow, agent) = (&found["usage"]["byWorkflow"][0]["workflow"]["id"], &found["agents"][0]["agent"]["id"]);
    let filters = [json!({}), json!({ "workflowId": workflow }), json!({ "agentId": agent })];
    let ask = async |app: &TestApp| {
        let mut answers = Vec::new();
        for filter in &filters {
            let mut variables = range(end - TimeDelta::days(60), end);
            (variables["filter"], variables["zone"]) = (filter.clone(), json!("Asia/Kathmandu"));
            answers.push(analytics(app, &token, variables).await);
        }
        answers
    };
    let expected = ask(&app).await;
    assert!(expected.iter().all(|found| at(found, "/executions/ended") != &json!(0)), "life was too short");
    let added_up = app.count_rollups("ADDED_UP").await;
    let over = Slot::of(app.engine.clock().now());
    app.stop().await;

    for statement in [
        "DELETE FROM rollup WHERE resolution = 'FORTNIGHT_TOTAL' AND workflow_id IN (SELECT workflow_id FROM rollup WHERE resolution = 'DAY')",
        "DELETE FROM seaql_migrations WHERE version = 'm0016_fortnights_of_one_workflow'",
    ] {
        fresh.execute(statement).await;
    }
    let settings = Settings { database_url: Some(fresh.url.clone()), ..Settings::default() };
    let store = Store::open(&settings).await.expect("the database opens");
    let waiting = store.fortnights_to_add_up(over).await.expect("a lookup").len();
    assert_eq!(u64::try_from(waiting).expect("small"), added_up, "all of them");
    store.close().await;
    let app = TestApp::start_on(fresh, clock, |_| {}).await;
    assert_eq!(ask(&app).await, expected, "whether they are added up already or not");
    app.wait_until_added_up().await;
    assert_eq!(ask(&app).await, expected);
    assert_eq!(app.count_rollups("ADDED_UP").await, added_up);
    app.assert_sound().await;
}

/// What an upgrade does: there are days and quarters, and no fortnights yet.
#[rstest]
#[tokio::test]
async fn fortnights_of_before_there_were_any_are_added_up_after_the_start(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let (app, end) = after_some_life(database).await;
    let (fresh, clock) = (app.database.clone(), app.clock.clone());
    let mut app = TestApp::start_on(fresh.clone(), clock.clone(), |_| {}).await;
    let expected = figures(&app, end).await;
    assert_ne!(at(&expected, "/checkpoints/totals/outcomes/asked"), &json!(0));
    let added_up = app.count_rollups("ADDED_UP").await;
    app.stop().await;

    let connection = fresh.connect().await;
    let mut earlier = vec![
        "DELETE FROM rollup WHERE resolution IN ('FORTNIGHT', 'FORTNIGHT_TOTAL')",
        "DELETE FROM seaql_migrations WHERE version = 'm0014_rollup_of_fortnights'",
    ];
    if database == Database::Postgres {
        earlier.push("ALTER TABLE rollup DROP CONSTRAINT rollup_resolution_check");
        earlier.push(
            "ALTER TABLE rollup ADD CONSTRAINT rollup_resolution_check CHECK (resolution IN ('QUARTER', 'QUARTER_TOTAL', 'DAY'))",
        );
    }
    for statement in earlier {
        connection.execute_unprepared(statement).await.expect("the earlier shape");
    }
    connection.close().await.expect("closed");

    let settings = Settings { database_url: Some(fresh.url.clone()), ..Settings::default() };
    let store = Store::open(&settings).await.expect("the database opens");
    assert!(store.is_rolled_up().await.expect("a lookup"), "nothing has to be counted");
    store.close().await;
    let app = TestApp::start_on(fresh, clock, |_| {}).await;
    assert_eq!(figures(&app, end).await, expected, "whether they are added up already or not");
    app.wait_until_added_up().await;
    assert_eq!(figures(&app, end).await, expected);
    assert_eq!(app.count_rollups("ADDED_UP").await, added_up);
    app.assert_sound().await;
}

#[tokio::test]
async fn broken_durations_keep_nobody_from_working() {
    let app = TestApp::start(Database::Sqlite).await;
    app.agent("Nothing", Kind::Transform, json!({"output": {}})).await;
    let workflow = app.workflow(json!({"name": "W", "steps": [{"key": "a", "agent": "Nothing"}]})).await;
    let id = app.start_execution(workflow, json!({})).await;
    app.ends(id, CompletionReason::Success).await;
    app.database.execute("UPDATE rollup SET durations = x'ff', count = -5").await;
    let id = app.start_execution(workflow, json!({})).await;
    app.ends(id, CompletionReason::Success).await;
    app.engine.examine(true).await.expect("a repair");
    app.assert_sound().await;
}

/// What an upgrade does: the tables are new, and nothing is counted yet.
#[rstest]
#[tokio::test]
async fn what_happened_before_there_were_rollups_is_counted_after_the_start(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let (app, end) = after_some_life(database).await;
    let (fresh, clock) = (app.database.clone(), app.clock.clone());
    let mut app = TestApp::start_on(fresh.clone(), clock.clone(), |_| {}).await;
    let expected = figures(&app, end).await;
    assert_eq!(expected["complete"], true);
    assert_ne!(at(&expected, "/checkpoints/totals/outcomes/asked"), &json!(0));
    app.stop().await;

    let connection = fresh.connect().await;
    connection.execute_unprepared("DROP TABLE rollup").await.expect("the earlier shape");
    connection.execute_unprepared("DROP TABLE rollup_backlog").await.expect("the earlier shape");
    connection
        .execute_unprepared(
            "DELETE FROM seaql_migrations WHERE version IN ('m0010_rollup', 'm0014_rollup_of_fortnights')",
        )
        .await
        .expect("the earlier shape");
    connection.close().await.expect("closed");

    let settings = Settings { database_url: Some(fresh.url.clone()), ..Settings::default() };
    let store = Store::open(&settings).await.expect("the database opens");
    assert!(!store.is_rolled_up().await.expect("a lookup"), "nothing is counted yet, and answers say so");
    store.close().await;
    let app = TestApp::start_on(fresh, clock, |_| {}).await;
    app.wait_until_rolled_up().await;
    assert_eq!(figures(&app, end).await, expected);
    app.assert_sound().await;
}

#[tokio::test]
async fn what_goes_on_during_a_recount_is_counted_once() {
    let app = TestApp::start(Database::Postgres).await;
    app.agent("Nothing", Kind::Transform, json!({"output": {}})).await;
    let workflow = app.workflow(json!({"name": "W", "steps": [{"key": "a", "agent": "Nothing"}]})).await;
    let run = async || {
        let id = app.start_execution(workflow, json!({})).await;
        app.ends(id, CompletionReason::Success).await;
    };
    join_all((0..150).map(|_| run())).await;
    app.database.execute("UPDATE rollup SET count = count + 1").await;
    let doctor = app.another_process().await;
    let repair = async { doctor.examine(true).await.expect("a repair").recounted };
    let (recounted, _) = futures_util::future::join(repair, join_all((0..50).map(|_| run()))).await;
    assert!(recounted);
    let token = app.token(Role::Viewer).await;
    let answer = app.graphql(&token, "{ analytics { complete executions { ended } } }", json!({})).await;
    assert_eq!(at(&answer, "/data/analytics"), &json!({"complete": true, "executions": {"ended": 200}}));
    app.assert_sound().await;
}

#[tokio::test]
async fn two_servers_count_together() {
    let (fresh, clock) = (Database::Postgres.fresh().await, TestClock::default());
    let one = Process::start(fresh.clone(), clock.clone(), |_| {}).await;
    let other = Process::start(fresh, clock, |_| {}).await;
    one.agent("Nothing", Kind::Transform, json!({"output": {}})).await;
    let workflow = one.workflow(json!({"name": "W", "steps": [{"key": "a", "agent": "Nothing"}]})).await;
    let run = async |server: &TestApp| {
        let id = server.start_execution(workflow, json!({})).await;
        server.ends(id, CompletionReason::Success).await;
    };
    join_all((0..100).map(|number| run(if number % 2 == 0 { &one } else { &other }))).await;
    let token = one.token(Role::Viewer).await;
    let query = "{ analytics { executions { ended } agents { completed } } }";
    let answer = other.graphql(&token, query, json!({})).await;
    assert_eq!(at(&answer, "/data/analytics"), &json!({"executions": {"ended": 100}, "agents": [{"completed": 100}]}));
    other.assert_sound().await;
    one.stop().await;
    other.stop().await;
}

impl TestApp {
    /// How many rows there are of a measure.
    pub(super) async fn count_rollups(&self, measure: &str) -> u64 {
        use entity::rollup::{Column, Entity};
        let connection = self.database.connect().await;
        let count = Entity::find().filter(Column::Measure.eq(measure)).count(&connection).await.expect("a count");
        connection.close().await.expect("closed");
        count
    }

    /// Waits until the server has added up all fortnights that are over and in which something has happened.
    pub(super) async fn wait_until_added_up(&self) {
        let over = Slot::of(self.engine.clock().now() - TimeDelta::hours(1));
        let wait = async {
            while !self.engine.store().fortnights_to_add_up(over).await.expect("a lookup").is_empty() {
                tokio::task::yield_now().await;
            }
        };
        tokio::time::timeout(crate::support::PATIENCE, wait).await.expect("added up in time");
    }

    /// Waits until all of the journal is in the rollups.
    async fn wait_until_rolled_up(&self) {
        let wait = async {
            while !self.engine.store().is_rolled_up().await.expect("a lookup") {
                tokio::task::yield_now().await;
            }
        };
        tokio::time::timeout(crate::support::PATIENCE, wait).await.expect("counted in time");
    }
}
