//! Commands that come at the same moment.

use countersign::{
    domain::{
        agent::Kind,
        execution::{CompletionReason, Status},
        refusal::Code,
    },
    engine::Error,
};
use rstest::rstest;
use serde_json::json;

use crate::support::{Database, Service, TestApp, flows::allow_loopback};

#[rstest]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_a_cancellation_and_a_result_exactly_one_wins(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let app = TestApp::start(database).await;
    app.agent("Worker", Kind::Worker, json!({"queue": "q"})).await;
    let workflow = app.workflow(json!({"name": "Work", "steps": [{"key": "work", "agent": "Worker"}]})).await;
    let mut wins = [0, 0];
    for round in 0..50 {
        let id = app.start_execution(workflow, json!({})).await;
        let task = app.claim_next("q").await;
        let (cancelled, completed) = if round % 2 == 0 {
            tokio::join!(app.engine.cancel_execution(app.scope(), id, None), app.complete(&task, "{}"))
        } else {
            let (completed, cancelled) =
                tokio::join!(app.complete(&task, "{}"), app.engine.cancel_execution(app.scope(), id, None));
            (cancelled, completed)
        };
        let execution = app.wait_for_end(id).await;
        let (lost, status, last) = match (cancelled, completed) {
            (Ok(_), Err(lost)) => (lost, Status::Cancelled, "execution.cancelled"),
            (Err(lost), Ok(_)) => (lost, Status::Completed, "execution.completed"),
            other => panic!("exactly one wins, not {other:?}"),
        };
        wins[usize::from(status == Status::Completed)] += 1;
        assert_eq!(execution.status, status);
        assert_eq!(app.kinds(id).await.last().map(String::as_str), Some(last));
        let Error::Refused(refusals) = lost else { panic!("a refusal, not {lost:?}") };
        assert!(matches!(refusals[0].code, Code::Conflict | Code::Expired), "{refusals:?}");
        assert!(refusals[0].message.contains(status.as_str()), "{refusals:?}");
    }
    assert_eq!(wins[0] + wins[1], 50);
    app.assert_sound().await;
}

#[rstest]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_results_of_parallel_steps_all_count(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let app = TestApp::start(database).await;
    app.agent("Worker", Kind::Worker, json!({"queue": "q"})).await;
    let mut steps: Vec<_> =
        (0..20).map(|number| json!({"key": format!("s{number}"), "agent": "Worker", "needs": []})).collect();
    let needs: Vec<String> = (0..20).map(|number| format!("s{number}")).collect();
    steps.push(json!({"key": "last", "agent": "Worker", "needs": needs}));
    let workflow = app.workflow(json!({"name": "Wide", "steps": steps})).await;
    let id = app.start_execution(workflow, json!({})).await;
    let tasks = app.claim_times("q", 20).await;
    let results = tasks.iter().map(|task| async {
        let output = format!(r#"{{"o{}":1.0}}"#, task.lease.step);
        app.complete(task, &output).await.expect("completed")
    });
    futures_util::future::join_all(results).await;
    let last = app.claim_next("q").await;
    let expected: Vec<String> = (0..20).map(|number| format!(r#""o{number}":1.0"#)).collect();
    assert_eq!(last.input.text(), format!("{{{}}}", expected.join(",")));
    app.complete(&last, "{}").await.expect("completed");
    app.ends(id, CompletionReason::Success).await;
    app.assert_sound().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn chains_of_steps_beside_each_other_all_come_to_their_end() {
    let app = TestApp::start_with(Database::Sqlite, allow_loopback).await;
    let service = Service::start(|_, _| (200, "{}".to_owned())).await;
    app.agent("Caller", Kind::Http, service.config()).await;
    let steps: Vec<_> = (0..20)
        .flat_map(|chain| {
            (0..5).map(move |link| {
                let needs = if link == 0 { vec![] } else { vec![format!("s{chain}_{}", link - 1)] };
                json!({"key": format!("s{chain}_{link}"), "agent": "Caller", "needs": needs})
            })
        })
        .collect();
    let workflow = app.workflow(json!({"name": "Chains", "steps": steps})).await;
    for _ in 0..3 {
        let id = app.start_execution(workflow, json!({})).await;
        app.ends(id, CompletionReason::Success).await;
    }
    assert_eq!(service.calls().len(), 300);
    app.assert_sound().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_two_pauses_exactly_one_wins() {
    let app = TestApp::start(Database::Sqlite).await;
    app.agent("Worker", Kind::Worker, json!({"queue": "q"})).await;
    let workflow = app.workflow(json!({"name": "Work", "steps": [{"key": "work", "agent": "Worker"}]})).await;
    let id = app.start_execution(workflow, json!({})).await;
    app.wait_for(id, Status::Running).await;
    for _ in 0..20 {
        let pause = || app.engine.pause_execution(app.scope(), id);
        let (one, other) = tokio::join!(pause(), pause());
        assert!(one.is_ok() != other.is_ok(), "{one:?} {other:?}");
        let resume = || app.engine.resume_execution(app.scope(), id);
        let (one, other) = tokio::join!(resume(), resume());
        assert!(one.is_ok() != other.is_ok(), "{one:?} {other:?}");
    }
    app.assert_sound().await;
}
