//! Names that look like others: invisible characters, and those that turn the direction of the text.

use countersign::domain::role::Role;
use rstest::rstest;
use serde_json::{Value, json};

use crate::support::{Database, TestApp, at};

#[rstest]
#[case::override_("Ad\u{202e}a")]
#[case::isolate("Ada\u{2066}")]
#[case::zero_width("A\u{200b}da")]
#[case::mark("Ada\u{200f}")]
#[case::tag("Ada\u{e0041}")]
#[case::line("Ada\u{2028}Bob")]
#[case::filler("\u{3164}")]
#[tokio::test]
async fn no_name_has_an_invisible_character(#[case] name: &str) {
    let app = TestApp::start(Database::Sqlite).await;
    let admin = app.person("admin@example.com", &[Role::Admin]).await;
    let definition = json!({"name": name, "steps": [{"key": "a", "agent": "Real"}]});
    let mutation = "mutation($name: String!, $definition: JSON!) {
        createAgent(input: {name: $name, kind: WORKER}) { userErrors { code message } }
        createWorkflow(input: {definition: $definition}) { userErrors { code message } }
        createGroup(input: {name: $name}) { userErrors { code message } }
        createServiceAccount(input: {name: $name}) { userErrors { code message } }
        createApiToken(input: {name: $name, roles: [VIEWER]}) { userErrors { code message } }
        inviteUser(input: {email: \"x@example.com\", displayName: $name, roles: [VIEWER]}) { userErrors { code message } }
        updateProfile(input: {displayName: $name}) { userErrors { code message } }
        updateWorkspace(input: {name: $name}) { userErrors { code message } }
    }";
    app.graphql(
        &admin.access_token,
        "mutation { createAgent(input: {name: \"Real\", kind: WORKER}) { agent { id } } }",
        json!({}),
    )
    .await;
    let answer = app.graphql(&admin.access_token, mutation, json!({"name": name, "definition": definition})).await;
    for (field, payload) in at(&answer, "/data").as_object().expect("payloads") {
        let errors: &Vec<Value> = payload["userErrors"].as_array().expect("a list");
        let said = errors.iter().any(|error| error["message"].as_str().is_some_and(|text| text.contains("U+")));
        assert!(said, "{field}: {payload}");
    }
}
