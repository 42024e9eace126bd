//! Workspaces take turns.

use std::collections::HashMap;

use countersign::{
    domain::{access::Scope, agent::Kind, execution::CompletionReason},
    engine::commands::AgentFields,
};
use rstest::rstest;
use serde_json::json;

use crate::support::{
    Database, Service, TestApp,
    flows::{start, with_places},
};

#[rstest]
#[tokio::test]
async fn a_busy_workspace_does_not_keep_another_one_waiting(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let app = TestApp::start_with(database, with_places(1)).await;
    let (service, gate) = Service::gated().await;
    let calling = || AgentFields { config: Some(service.config()), ..AgentFields::default() };
    let once = json!({"name": "Once", "steps": [{"key": "call", "agent": "Caller"}]});
    app.agent_with("Caller", Kind::Http, calling()).await;
    let workflow = app.workflow(once.clone()).await;
    let first = app.start_execution(workflow, json!({})).await;
    service.wait_for_calls(1).await;
    let mut workspace_of: HashMap<String, usize> = HashMap::new();
    for (number, slug) in ["one", "other"].into_iter().enumerate() {
        let scope = Scope::system(app.create_workspace(slug).await.id);
        app.agent_in(scope, "Caller", Kind::Http, calling()).await;
        let workflow = app.workflow_in(scope, once.clone()).await;
        for _ in 0..50 {
            let id = start(&app.engine, scope, workflow, json!({})).await;
            workspace_of.insert(id.to_string(), number);
        }
    }
    gate.add_permits(1_000);
    app.ends(first, CompletionReason::Success).await;
    let calls = service.wait_for_calls(101).await;
    let turns: Vec<usize> = calls[1..].iter().map(|call| workspace_of[&call.execution]).collect();
    let repeated = turns.windows(2).filter(|pair| pair[0] == pair[1]).count();
    assert_eq!(repeated, 0, "{turns:?}");
}
