//! Lists of agents, workflows and versions: pages, orders, filters, searches.

use countersign::domain::role::Role;
use rstest::rstest;
use serde_json::{Value, json};

use super::{change, document, done, make_agent, make_workflow};
use crate::support::{Database, TestApp, at, text};

const NAMES: [&str; 7] = ["Bravo", "alpha", "Ärger 100%", "snake_case", "back\\slash", "100 percent", "snakeXcase"];

/// The names in a list, with arguments as they stand in a document.
async fn names(app: &TestApp, token: &str, list: &str, arguments: &str) -> Vec<String> {
    let query = format!("{{ {list}({arguments}) {{ totalCount nodes {{ name }} }} }}");
    let answer = app.graphql(token, &query, json!({})).await;
    let nodes = at(&answer, &format!("/data/{list}/nodes")).as_array().expect("a list");
    assert_eq!(at(&answer, &format!("/data/{list}/totalCount")), &json!(nodes.len()));
    nodes.iter().map(|node| text(node, "/name").to_owned()).collect()
}

async fn sorted(app: &TestApp, token: &str, list: &str, arguments: &str) -> Vec<String> {
    let mut names = names(app, token, list, arguments).await;
    names.sort();
    names
}

async fn populate(app: &TestApp, token: &str) -> Vec<(String, String)> {
    let mut ids = Vec::new();
    make_agent(app, token, "Worker").await;
    for name in NAMES {
        app.clock.advance(chrono::Duration::seconds(1));
        ids.push((make_agent(app, token, name).await, make_workflow(app, token, name).await));
    }
    ids
}

#[rstest]
#[tokio::test]
async fn searches_are_literal_and_in_any_case(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let app = TestApp::start(database).await;
    let token = app.token(Role::Author).await;
    populate(&app, &token).await;
    for list in ["agents", "workflows"] {
        for (search, expected) in [
            ("BRAVO", vec!["Bravo"]),
            ("ALPHA", vec!["alpha"]),
            ("ärger", vec!["Ärger 100%"]),
            ("ÄRGER", vec!["Ärger 100%"]),
            ("100%", vec!["Ärger 100%"]),
            ("%", vec!["Ärger 100%"]),
            ("_", vec!["snake_case"]),
            ("E_C", vec!["snake_case"]),
            ("\\\\", vec!["back\\slash"]),
            ("100", vec!["100 percent", "Ärger 100%"]),
            ("nothing", vec![]),
        ] {
            let arguments = format!("filter: {{search: \"{search}\"}}");
            assert_eq!(sorted(&app, &token, list, &arguments).await, expected, "{list} {search}");
        }
        let all = names(&app, &token, list, "filter: {search: \"\"}").await;
        assert_eq!(all.len(), NAMES.len() + usize::from(list == "agents"));
        for search in ["a\\u0000b".to_owned(), "x".repeat(301)] {
            let query = format!("{{ {list}(filter: {{search: \"{search}\"}}) {{ totalCount }} }}");
            let answer = app.graphql(&token, &query, json!({})).await;
            assert_eq!(text(&answer, "/errors/0/extensions/code"), "BAD_USER_INPUT");
        }
    }
}

#[rstest]
#[tokio::test]
async fn filters_narrow_the_lists(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let app = TestApp::start(database).await;
    let token = app.token(Role::Author).await;
    let ids = populate(&app, &token).await;
    let (agent, workflow) = &ids[0];
    change(&app, &token, "archiveAgent", json!({"agentId": agent})).await;
    change(&app, &token, "archiveWorkflow", json!({"workflowId": workflow})).await;
    let input = json!({"name": "T", "kind": "TRANSFORM", "config": {"output": 1}});
    done(&change(&app, &token, "createAgent", input).await, "createAgent");
    let input = json!({"definition": {"name": "D"}, "draft": true});
    done(&change(&app, &token, "createWorkflow", input).await, "createWorkflow");

    for list in ["agents", "workflows"] {
        assert_eq!(names(&app, &token, list, "filter: {archived: true}").await, ["Bravo"]);
        assert!(!names(&app, &token, list, "filter: {archived: false}").await.contains(&"Bravo".to_owned()));
        assert_eq!(names(&app, &token, list, "filter: {archived: true, search: \"alpha\"}").await, [""; 0]);
    }
    assert_eq!(names(&app, &token, "agents", "filter: {kind: TRANSFORM}").await, ["T"]);
    assert_eq!(names(&app, &token, "agents", "filter: {kind: HTTP}").await, [""; 0]);
    assert_eq!(names(&app, &token, "workflows", "filter: {hasDraft: true}").await, ["D"]);
    assert_eq!(names(&app, &token, "workflows", "filter: {hasDraft: false}").await.len(), NAMES.len());
}

#[rstest]
#[tokio::test]
async fn pages_follow_every_order(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let app = TestApp::start(database).await;
    let token = app.token(Role::Author).await;
    let ids = populate(&app, &token).await;
    app.clock.advance(chrono::Duration::seconds(1));
    let (agent, workflow) = &ids[2];
    let input = json!({"agentId": agent, "baseVersion": 1, "description": "changed"});
    done(&change(&app, &token, "updateAgent", input).await, "updateAgent");
    let input = json!({"workflowId": workflow, "baseVersion": 1, "definition": document(NAMES[2], "y")});
    done(&change(&app, &token, "updateWorkflow", input).await, "updateWorkflow");

    for list in ["agents", "workflows"] {
        for field in ["NAME", "CREATED_AT", "UPDATED_AT"] {
            let order = |direction: &str| format!("orderBy: {{field: {field}, direction: {direction}}}");
            let all = names(&app, &token, list, &order("ASC")).await;
            let mut reversed = names(&app, &token, list, &order("DESC")).await;
            reversed.reverse();
            assert_eq!(all, reversed, "{list} {field}");
            assert_eq!(walk(&app, &token, list, &order("ASC"), "first", "after").await, all, "{list} {field}");
            let mut backwards = walk(&app, &token, list, &order("ASC"), "last", "before").await;
            backwards.sort();
            let mut expected = all.clone();
            expected.sort();
            assert_eq!(backwards, expected, "{list} {field}");
            match field {
                "CREATED_AT" => assert_eq!(all[all.len() - 7..], NAMES),
                "UPDATED_AT" => assert_eq!(all.last().map(String::as_str), Some(NAMES[2])),
                _ => {}
            }
        }
    }
}

/// Goes through a list in pages of three.
async fn walk(app: &TestApp, token: &str, list: &str, order: &str, size: &str, from: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut cursor = Value::Null;
    loop {
        let query = format!(
            "query($cursor: String) {{ {list}({size}: 3, {from}: $cursor, {order}) {{ nodes {{ name }}
                pageInfo {{ hasNextPage hasPreviousPage startCursor endCursor }} }} }}"
        );
        let answer = app.graphql(token, &query, json!({ "cursor": cursor })).await;
        let page = at(&answer, &format!("/data/{list}"));
        found.extend(at(page, "/nodes").as_array().expect("a list").iter().map(|node| text(node, "/name").to_owned()));
        let (more, end) =
            if size == "first" { ("hasNextPage", "endCursor") } else { ("hasPreviousPage", "startCursor") };
        if page["pageInfo"][more] == json!(false) {
            return found;
        }
        cursor = page["pageInfo"][end].clone();
    }
}

#[rstest]
#[tokio::test]
async fn versions_come_newest_first(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let app = TestApp::start(database).await;
    let token = app.token(Role::Author).await;
    make_agent(&app, &token, "Worker").await;
    let id = make_workflow(&app, &token, "Triage").await;
    make_workflow(&app, &token, "Other").await;
    for base in 1..8 {
        let definition = document("Triage", &format!("s{base}"));
        let input = json!({"workflowId": id, "baseVersion": base, "definition": definition});
        done(&change(&app, &token, "updateWorkflow", input).await, "updateWorkflow");
    }
    let ask = |arguments: String| {
        let (app, token, id) = (&app, &token, &id);
        async move {
            let query = format!(
                "query($id: ID!) {{ node(id: $id) {{ ... on Workflow {{ versions({arguments}) {{ totalCount
                    nodes {{ number workflow {{ id }} }} pageInfo {{ hasNextPage hasPreviousPage startCursor endCursor }} }} }} }} }}"
            );
            let answer = app.graphql(token, &query, json!({ "id": id })).await;
            let page = at(&answer, "/data/node/versions").clone();
            let nodes = at(&page, "/nodes").as_array().expect("a list");
            assert!(nodes.iter().all(|node| text(node, "/workflow/id") == id));
            assert_eq!(at(&page, "/totalCount"), 8);
            let numbers: Vec<i64> = nodes.iter().filter_map(|node| node["number"].as_i64()).collect();
            (numbers, page["pageInfo"].clone())
        }
    };
    let (first, info) = ask("first: 3".to_owned()).await;
    assert_eq!((first, &info["hasNextPage"]), (vec![8, 7, 6], &json!(true)));
    let (second, info) = ask(format!("first: 3, after: {}", info["endCursor"])).await;
    assert_eq!((second, &info["hasPreviousPage"]), (vec![5, 4, 3], &json!(true)));
    let (rest, info) = ask(format!("after: {}", info["endCursor"])).await;
    assert_eq!((rest, &info["hasNextPage"]), (vec![2, 1], &json!(false)));
    let (before, _) = ask(format!("last: 2, before: {}", info["startCursor"])).await;
    assert_eq!(before, [4, 3]);
    let (last, info) = ask("last: 2".to_owned()).await;
    assert_eq!((last, &info["hasPreviousPage"]), (vec![2, 1], &json!(true)));
    let (all, info) = ask("first: 8".to_owned()).await;
    assert_eq!((all.len(), &info["hasNextPage"]), (8, &json!(false)));
}
