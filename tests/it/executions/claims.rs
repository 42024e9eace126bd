//! Workers take tasks.

use std::collections::HashSet;

use countersign::{
    domain::{access::Scope, agent::Kind, execution::CompletionReason, id::ExecutionId, refusal::Code},
    engine::{
        Error,
        commands::{AgentFields, ClaimTasks},
    },
};
use futures_util::future::join_all;
use rstest::rstest;
use serde_json::json;

use crate::support::{
    Database, TestApp,
    flows::{refusal, start},
    worker::claiming,
};

#[tokio::test]
async fn the_oldest_task_is_claimed_first() {
    let app = TestApp::start(Database::Sqlite).await;
    app.agent("Worker", Kind::Worker, json!({"queue": "q"})).await;
    app.agent("Other", Kind::Worker, json!({"queue": "other"})).await;
    let workflow = app.workflow(json!({"name": "Work", "steps": [{"key": "work", "agent": "Worker"}]})).await;
    let other = app.workflow(json!({"name": "Other", "steps": [{"key": "work", "agent": "Other"}]})).await;
    let mut started = Vec::new();
    for number in 0..5 {
        let id = app.start_execution(workflow, json!({"n": number})).await;
        app.wait_for_event(id, "step.scheduled 0", 1).await;
        started.push(id);
    }
    let beside = app.start_execution(other, json!({})).await;
    app.wait_for_event(beside, "step.scheduled 0", 1).await;
    let ids = |tasks: &[countersign::engine::commands::ClaimedTask]| -> Vec<ExecutionId> {
        tasks.iter().map(|task| task.lease.execution).collect()
    };
    let first = app.claim("q", 2).await;
    assert_eq!(ids(&first), started[..2]);
    assert_eq!(first[1].input.text(), r#"{"n":1}"#);
    assert_eq!(first[1].idempotency_key, format!("{}:work:1", started[1]));
    assert_eq!(ids(&app.claim("q", 100).await), started[2..]);
    assert!(app.claim("q", 1).await.is_empty());
    assert!(app.claim("nobody", 1).await.is_empty());
    assert_eq!(ids(&app.claim("other", 10).await), [beside]);
    app.assert_sound().await;
}

#[rstest]
#[tokio::test]
async fn everybody_gets_a_task_as_long_as_there_are_some(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let app = TestApp::start(database).await;
    app.agent("Worker", Kind::Worker, json!({"queue": "q"})).await;
    let workflow = app.workflow(json!({"name": "Work", "steps": [{"key": "work", "agent": "Worker"}]})).await;
    for _ in 0..40 {
        let id = app.start_execution(workflow, json!({})).await;
        app.wait_for_event(id, "step.scheduled 0", 1).await;
    }
    // Those who come later ask while the first ones' tasks are being written.
    let claimed = join_all((0..40).map(|_| app.claim("q", 1))).await;
    let different: HashSet<ExecutionId> = claimed.iter().flatten().map(|task| task.lease.execution).collect();
    assert_eq!((different.len(), claimed.iter().filter(|tasks| tasks.len() == 1).count()), (40, 40));
    app.assert_sound().await;
}

#[tokio::test]
async fn workspaces_do_not_see_each_others_tasks() {
    let app = TestApp::start(Database::Sqlite).await;
    let other = Scope::system(app.create_workspace("other").await.id);
    let worker = || AgentFields { config: Some(json!({"queue": "q"})), ..AgentFields::default() };
    let work = json!({"name": "Work", "steps": [{"key": "work", "agent": "Worker"}]});
    app.agent_with("Worker", Kind::Worker, worker()).await;
    app.agent_in(other, "Worker", Kind::Worker, worker()).await;
    let (ours, theirs) = (app.workflow(work.clone()).await, app.workflow_in(other, work).await);
    let id = app.start_execution(ours, json!({})).await;
    app.wait_for_event(id, "step.scheduled 0", 1).await;
    assert!(app.claim_in(other, "q", 10).await.is_empty());
    let refused = refusal(app.engine.start_execution(other, crate::support::flows::starting(ours, "{}")).await);
    assert_eq!(refused.code, Code::NotFound);
    let theirs = start(&app.engine, other, theirs, json!({})).await;
    app.wait_for_event(theirs, "step.scheduled 0", 1).await;
    let claimed = app.claim_in(other, "q", 10).await;
    assert_eq!(claimed.len(), 1);
    assert_eq!(claimed[0].lease.execution, theirs);
    let refused = refusal(app.complete(&claimed[0], "{}").await);
    assert_eq!((refused.code, refused.message.as_ref()), (Code::NotFound, "there is no such task in this workspace"));
    assert_eq!(refusal(app.fail(&claimed[0], false).await).code, Code::NotFound);
    assert_eq!(refusal(app.heartbeat(&claimed[0]).await).code, Code::NotFound);
    app.assert_sound().await;
}

#[tokio::test]
async fn no_more_of_an_agent_is_given_out_than_it_allows() {
    let app = TestApp::start(Database::Sqlite).await;
    app.agent("Narrow", Kind::Worker, json!({"queue": "q", "maxConcurrency": 2})).await;
    app.agent("Wide", Kind::Worker, json!({"queue": "q"})).await;
    let narrow = app.workflow(json!({"name": "Narrow", "steps": [{"key": "work", "agent": "Narrow"}]})).await;
    let wide = app.workflow(json!({"name": "Wide", "steps": [{"key": "work", "agent": "Wide"}]})).await;
    let mut ids = Vec::new();
    for workflow in [narrow, narrow, narrow, narrow, narrow, wide] {
        let id = app.start_execution(workflow, json!({})).await;
        app.wait_for_event(id, "step.scheduled 0", 1).await;
        ids.push(id);
    }
    let taken = app.claim("q", 3).await;
    let claimed: Vec<ExecutionId> = taken.iter().map(|task| task.lease.execution).collect();
    assert_eq!(claimed, [ids[0], ids[1], ids[5]], "the narrow ones do not keep the others waiting");
    assert!(app.claim("q", 10).await.is_empty());
    app.complete(&taken[0], "{}").await.expect("completed");
    let next = app.claim("q", 10).await;
    assert_eq!(next.len(), 1);
    assert_eq!(next[0].lease.execution, ids[2]);
    app.assert_sound().await;
}

#[rstest]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn fifty_workers_claim_each_of_two_hundred_tasks_exactly_once(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let app = TestApp::start(database).await;
    app.agent("Worker", Kind::Worker, json!({"queue": "q"})).await;
    let workflow = app.workflow(json!({"name": "Work", "steps": [{"key": "work", "agent": "Worker"}]})).await;
    let ids = join_all((0..200).map(|_| app.start_execution(workflow, json!({})))).await;
    for id in &ids {
        app.wait_for_event(*id, "step.scheduled 0", 1).await;
    }
    let worker = async |number: i32| {
        let mut taken = Vec::new();
        loop {
            let command = ClaimTasks { worker_id: format!("w{number}"), ..claiming("q", 1 + number % 4) };
            let claimed = app.engine.claim_tasks(app.scope(), command).await.expect("a claim");
            if claimed.is_empty() {
                return taken;
            }
            for task in &claimed {
                app.complete(task, "{}").await.expect("its own task");
            }
            taken.extend(claimed.into_iter().map(|task| task.lease.execution));
        }
    };
    let taken: Vec<ExecutionId> = join_all((0..50).map(worker)).await.into_iter().flatten().collect();
    assert_eq!(taken.len(), 200);
    assert_eq!(taken.into_iter().collect::<HashSet<_>>(), ids.iter().copied().collect());
    for id in ids {
        app.ends(id, CompletionReason::Success).await;
    }
    app.assert_sound().await;
}

#[tokio::test]
async fn claims_that_make_no_sense_are_refused() {
    let app = TestApp::start(Database::Sqlite).await;
    let bad = [
        (ClaimTasks { max: 0, ..claiming("q", 1) }, "`max` is 0: give 1 to 100"),
        (ClaimTasks { max: 101, ..claiming("q", 1) }, "`max` is 101: give 1 to 100"),
        (ClaimTasks { lease_seconds: 0, ..claiming("q", 1) }, "`leaseSeconds` is 0: give 1 to 3600"),
        (ClaimTasks { lease_seconds: i32::MAX, ..claiming("q", 1) }, "`leaseSeconds` is 2147483647: give 1 to 3600"),
        (ClaimTasks { worker_id: String::new(), ..claiming("q", 1) }, "`workerId` is empty: give 1 to 200 characters"),
        (claiming("", 1), "`queue` is empty: give 1 to 100 characters"),
        (claiming("a\0", 1), "`queue` has the control character U+0000, which is not allowed"),
    ];
    for (command, message) in bad {
        match app.engine.claim_tasks(app.scope(), command).await {
            Err(Error::Refused(refusals)) => assert_eq!(refusals[0].message, message),
            other => panic!("refused, not {:?}", other.map(|tasks| tasks.len())),
        }
    }
}
