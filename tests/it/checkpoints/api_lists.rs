//! Lists of checkpoints.

use countersign::domain::role::Role;
use rstest::rstest;
use serde_json::{Value, json};

use super::{
    api::{approve, mutate},
    api_people::group,
};
use crate::support::{Database, Person, TestApp, at, text};

const POLICY: &str = "
version: '1.0'
checkpoints:
  - { name: Finance, trigger: { operation_type: refund }, action: { approvers: { groups: [finance] }, timeout_seconds: 7200, on_timeout: cancel } }
  - { name: Ada, trigger: { operation_type: mail }, action: { approvers: { users: [ada@example.com] }, timeout_seconds: 3600, on_timeout: cancel } }
";

async fn ask(app: &TestApp, token: &str, operation: &str, risk: &str) -> Value {
    let input = json!({"operationType": operation, "description": format!("{operation} {risk}"), "riskLevel": risk,
        "parameters": {}});
    let payload = mutate(app, token, "requestApproval", input, "checkpoint { id digest } userErrors { message }").await;
    at(&payload, "/checkpoint").clone()
}

async fn found(app: &TestApp, token: &str, arguments: &str) -> Vec<String> {
    let query = format!("{{ checkpoints({arguments}) {{ totalCount nodes {{ description }} }} }}");
    let answer = app.graphql(token, &query, json!({})).await;
    let nodes = at(&answer, "/data/checkpoints/nodes").as_array().unwrap_or_else(|| panic!("{answer}"));
    nodes.iter().map(|node| text(node, "/description").to_owned()).collect()
}

#[rstest]
#[tokio::test]
async fn checkpoints_are_found_by_what_is_known_of_them(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let app = TestApp::start(database).await;
    app.policy(POLICY).await;
    let operator = app.token(Role::Operator).await;
    let ada = app.person("ada@example.com", &[Role::Approver]).await;
    let bob = app.person("bob@example.com", &[Role::Approver]).await;
    let eve = app.person("eve@example.com", &[Role::Viewer]).await;
    group(&app, "finance", &[&bob, &eve]).await;
    let mut made = Vec::new();
    for (operation, risk) in
        [("refund", "LOW"), ("mail", "CRITICAL"), ("other", "HIGH"), ("refund", "HIGH"), ("other", "LOW")]
    {
        made.push(ask(&app, &operator, operation, risk).await);
    }
    let payload = approve(&app, &bob.access_token, &made[4]).await;
    assert_eq!(at(&payload, "/checkpoint/status"), "APPROVED", "{payload}");
    let input = json!({"checkpointId": made[1]["id"]});
    mutate(&app, &ada.access_token, "claimCheckpoint", input, "userErrors { message }").await;

    let all = ["refund LOW", "mail CRITICAL", "other HIGH", "refund HIGH", "other LOW"];
    let assignee = format!("filter: {{assigneeId: \"{}\"}}", ada.id);
    let pending = "filter: {status: [PENDING]}";
    for (arguments, expected) in [
        ("first: 100", vec![0, 1, 2, 3, 4]),
        ("orderBy: {field: AGE, direction: DESC}", vec![4, 3, 2, 1, 0]),
        (pending, vec![0, 1, 2, 3]),
        ("filter: {status: [APPROVED, REJECTED, APPROVED]}", vec![4]),
        ("filter: {kind: [STEP]}", vec![]),
        ("filter: {kind: [STEP, EXTERNAL], operationType: \"refund\"}", vec![0, 3]),
        ("filter: {riskLevel: [HIGH, CRITICAL]}", vec![1, 2, 3]),
        (&assignee, vec![1]),
        ("filter: {dueBefore: \"2020-01-01T00:00:00Z\"}", vec![]),
        ("filter: {dueBefore: \"2999-01-01T00:00:00Z\"}", vec![0, 1, 3]),
        ("filter: {status: [PENDING]}, orderBy: {field: RISK, direction: DESC}", vec![1, 2, 3, 0]),
        ("filter: {status: [PENDING]}, orderBy: {field: DEADLINE, direction: ASC}", vec![1, 0, 3, 2]),
    ] {
        let expected: Vec<&str> = expected.into_iter().map(|index: usize| all[index]).collect();
        assert_eq!(found(&app, &operator, arguments).await, expected, "{arguments}");
    }
    for (token, expected) in [
        // Of the role APPROVER, which is asked where no rule says otherwise.
        (&ada.access_token, vec![1, 2]),
        (&bob.access_token, vec![0, 2, 3]),
        (&eve.access_token, vec![0, 3]),
        (&operator, vec![]),
    ] {
        let names: Vec<&str> = expected.iter().map(|index: &usize| all[*index]).collect();
        assert_eq!(found(&app, token, "filter: {mine: true}").await, names);
        let query = "{ checkpointCounts { pending mine byRisk { riskLevel count } }
            refunds: checkpointCounts(filter: {operationType: \"refund\", mine: true}) { pending mine } }";
        let answer = app.graphql(token, query, json!({})).await;
        assert_eq!(at(&answer, "/data/checkpointCounts/mine"), &json!(expected.len()), "{answer}");
        let refunds = expected.iter().filter(|index| [0, 3].contains(*index)).count();
        assert_eq!(at(&answer, "/data/refunds"), &json!({"pending": refunds, "mine": refunds}));
        assert_eq!(at(&answer, "/data/checkpointCounts/pending"), &json!(4));
        let risks: Vec<(&str, i64)> = at(&answer, "/data/checkpointCounts/byRisk")
            .as_array()
            .expect("a list")
            .iter()
            .map(|one| (text(one, "/riskLevel"), one["count"].as_i64().expect("a count")))
            .collect();
        assert_eq!(risks, [("CRITICAL", 1), ("HIGH", 2), ("MEDIUM", 0), ("LOW", 1)]);
    }
    assert_eq!(found(&app, &bob.access_token, "filter: {mine: true, status: [APPROVED]}").await, ["other LOW"]);
}

/// Everything that a list has, page by page, from its beginning or, with `last`, from its end.
async fn walk(app: &TestApp, who: &Person, variables: Value) -> Vec<Value> {
    let query = "query($field: CheckpointOrderField!, $direction: OrderDirection!, $filter: CheckpointFilter,
        $first: Int, $after: String, $last: Int, $before: String) {
        checkpoints(first: $first, after: $after, last: $last, before: $before, filter: $filter,
            orderBy: {field: $field, direction: $direction}) {
            pageInfo { hasNextPage hasPreviousPage startCursor endCursor } nodes { id } } }";
    let from_end = !variables["last"].is_null();
    let mut variables = variables;
    let mut seen: Vec<Value> = Vec::new();
    loop {
        let answer = app.graphql(&who.access_token, query, variables.clone()).await;
        assert_eq!(answer["errors"], Value::Null, "{variables}: {answer}");
        let page = at(&answer, "/data/checkpoints");
        let nodes = page["nodes"].as_array().expect("a list").clone();
        let (place, more) = if from_end { (0, "hasPreviousPage") } else { (seen.len(), "hasNextPage") };
        seen.splice(place..place, nodes);
        if page["pageInfo"][more] == json!(false) {
            return seen;
        }
        if from_end {
            variables["before"] = at(page, "/pageInfo/startCursor").clone();
        } else {
            variables["after"] = at(page, "/pageInfo/endCursor").clone();
        }
    }
}

#[rstest]
#[tokio::test]
async fn pages_go_on_in_every_order(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let app = TestApp::start(database).await;
    app.policy(POLICY).await;
    let operator = app.token(Role::Operator).await;
    // Asked by her role, her group and her address.
    let ada = app.person("ada@example.com", &[Role::Approver]).await;
    group(&app, "finance", &[&ada]).await;
    for (operation, risk) in
        [("refund", "LOW"), ("mail", "HIGH"), ("other", "HIGH"), ("refund", "CRITICAL"), ("mail", "LOW")]
    {
        ask(&app, &operator, operation, risk).await;
    }
    let orders = ["AGE", "RISK", "DEADLINE"].into_iter().flat_map(|field| ["ASC", "DESC"].map(|way| (field, way)));
    for (field, direction) in orders {
        let all = walk(&app, &ada, json!({"field": field, "direction": direction, "first": 100})).await;
        assert_eq!(all.len(), 5);
        for filter in [json!({}), json!({"mine": true})] {
            let mut variables = json!({"field": field, "direction": direction, "filter": filter, "first": 2});
            assert_eq!(walk(&app, &ada, variables.clone()).await, all, "{variables}");
            variables["first"] = Value::Null;
            variables["last"] = json!(2);
            assert_eq!(walk(&app, &ada, variables.clone()).await, all, "{variables}");
        }
    }
    for (arguments, message) in [
        ("filter: {workflowId: \"x\"}", "`filter.workflowId`: `x` is not an id"),
        ("filter: {assigneeId: \"wf_01h455vb4pex5vsknk084sn02q\"}", "it must start with `user_`"),
        ("after: \"x\"", "`after` is not a cursor"),
    ] {
        let answer =
            app.graphql(&operator, &format!("{{ checkpoints({arguments}) {{ totalCount }} }}"), json!({})).await;
        assert!(text(&answer, "/errors/0/message").contains(message), "{answer}");
    }
}
