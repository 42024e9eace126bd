//! Groups of approvers.

use countersign::domain::{access::Scope, role::Role};
use rstest::rstest;
use serde_json::{Value, json};

use super::{audited, refusals};
use crate::support::{Database, TestApp, at, text};

const GROUP: &str = "{ id name description memberCount members { nodes { email } } }";

/// Runs a group mutation and gives its answer.
async fn change(app: &TestApp, token: &str, mutation: &str, input: Value) -> Value {
    let mut kind = mutation.to_owned();
    kind[..1].make_ascii_uppercase();
    let query = format!(
        "mutation($input: {kind}Input!) {{ {mutation}(input: $input) {{ group {GROUP} userErrors {{ code message path }} }} }}"
    );
    app.graphql(token, &query, json!({"input": input})).await
}

async fn delete(app: &TestApp, token: &str, id: &str) -> Value {
    let query = "mutation($id: ID!) { deleteGroup(input: {groupId: $id}) { deletedGroupId userErrors { code path } } }";
    app.graphql(token, query, json!({"id": id})).await
}

#[rstest]
#[tokio::test]
async fn a_group_is_made_changed_and_deleted(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let app = TestApp::start(database).await;
    let admin = app.token(Role::Admin).await;
    let ada = app.person("ada@example.com", &[Role::Approver]).await;
    let bob = app.person("bob@example.com", &[Role::Approver]).await;

    let input = json!({"name": " Finance ", "description": "Money", "memberIds": [ada.id, ada.id]});
    let answer = change(&app, &admin, "createGroup", input).await;
    let id = text(&answer, "/data/createGroup/group/id").to_owned();
    let expected = |name: &str, description: &str, emails: &[&str]| {
        let nodes: Vec<Value> = emails.iter().map(|email| json!({"email": email})).collect();
        json!({"id": id, "name": name, "description": description, "memberCount": emails.len(), "members": {"nodes": nodes}})
    };
    assert_eq!(at(&answer, "/data/createGroup/group"), &expected("Finance", "Money", &["ada@example.com"]));

    let both = ["ada@example.com", "bob@example.com"];
    let users = json!({"groupId": id, "userIds": [ada.id, bob.id]});
    let answer = change(&app, &admin, "addGroupMembers", users).await;
    assert_eq!(at(&answer, "/data/addGroupMembers/group"), &expected("Finance", "Money", &both));
    let answer = change(&app, &admin, "updateGroup", json!({"groupId": id, "name": "Treasury"})).await;
    assert_eq!(at(&answer, "/data/updateGroup/group"), &expected("Treasury", "Money", &both), "what is absent stays");
    let answer = change(&app, &admin, "updateGroup", json!({"groupId": id, "description": ""})).await;
    assert_eq!(at(&answer, "/data/updateGroup/group"), &expected("Treasury", "", &both));
    let answer = change(&app, &admin, "removeGroupMembers", json!({"groupId": id, "userIds": [ada.id]})).await;
    assert_eq!(at(&answer, "/data/removeGroupMembers/group"), &expected("Treasury", "", &["bob@example.com"]));

    let viewer = app.graphql(&bob.access_token, "{ viewer { user { groups { name } } } }", json!({})).await;
    assert_eq!(at(&viewer, "/data/viewer/user/groups"), &json!([{"name": "Treasury"}]));
    let answer = delete(&app, &admin, &id).await;
    assert_eq!(text(&answer, "/data/deleteGroup/deletedGroupId"), id);
    let viewer = app.graphql(&bob.access_token, "{ viewer { user { groups { name } } } }", json!({})).await;
    assert_eq!(at(&viewer, "/data/viewer/user/groups"), &json!([]), "its people stay");

    let entries = audited(&app, &admin, &["GROUP_CREATED", "GROUP_UPDATED", "GROUP_DELETED"]).await;
    assert_eq!(entries.len(), 4);
    assert!(entries.iter().all(|entry| text(entry, "/subjectId") == id));
    let entries = audited(&app, &admin, &["GROUP_MEMBERS_REMOVED"]).await;
    assert_eq!(at(&entries[0], "/details"), &json!({"users": [ada.id]}));
}

#[rstest]
#[tokio::test]
async fn a_name_is_taken_once_in_a_workspace(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let app = TestApp::start(database).await;
    let admin = app.token(Role::Admin).await;
    let other = app.create_workspace("other").await;
    let stranger = app.token_in(Scope::system(other.id), Role::Admin).await;
    change(&app, &admin, "createGroup", json!({"name": "Finance"})).await;
    let legal = change(&app, &admin, "createGroup", json!({"name": "Legal"})).await;
    let legal = text(&legal, "/data/createGroup/group/id");

    let twice = change(&app, &admin, "createGroup", json!({"name": "Finance "})).await;
    assert_eq!(refusals(&twice, "createGroup"), ["ALREADY_EXISTS"]);
    let clash = change(&app, &admin, "updateGroup", json!({"groupId": legal, "name": "Finance"})).await;
    assert_eq!(refusals(&clash, "updateGroup"), ["ALREADY_EXISTS"]);
    assert_eq!(at(&clash, "/data/updateGroup/userErrors/0/path"), &json!(["input", "name"]));
    let same = change(&app, &admin, "updateGroup", json!({"groupId": legal, "name": "Legal"})).await;
    assert_eq!(refusals(&same, "updateGroup"), [""; 0], "a group does not clash with itself");
    let there = change(&app, &stranger, "createGroup", json!({"name": "Finance"})).await;
    assert_eq!(refusals(&there, "createGroup"), [""; 0], "another workspace has names of its own");
}

#[rstest]
#[tokio::test]
async fn groups_are_found_by_part_of_their_name(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let app = TestApp::start(database).await;
    let admin = app.token(Role::Admin).await;
    let other = app.create_workspace("other").await;
    let stranger = app.token_in(Scope::system(other.id), Role::Admin).await;
    change(&app, &stranger, "createGroup", json!({"name": "Finance elsewhere"})).await;
    for name in ["Finance", "Finance (Wien)", "Ökonomie", "100 % sure"] {
        change(&app, &admin, "createGroup", json!({"name": name})).await;
    }
    let found = async |part: &str| {
        let query = "query($text: String) { groups(filter: {text: $text}) { totalCount nodes { name } } }";
        let answer = app.graphql(&admin, query, json!({"text": part})).await;
        let nodes = at(&answer, "/data/groups/nodes").as_array().expect("a list");
        assert_eq!(at(&answer, "/data/groups/totalCount"), &json!(nodes.len()), "{answer}");
        nodes.iter().map(|node| text(node, "/name").to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(found("FINANCE").await, ["Finance", "Finance (Wien)"]);
    assert_eq!(found("(w").await, ["Finance (Wien)"]);
    assert_eq!(found("öko").await, ["Ökonomie"]);
    assert_eq!(found("0 %").await, ["100 % sure"], "each character is meant literally");
    assert_eq!(found("%").await, ["100 % sure"]);
    assert_eq!(found("nobody").await, [""; 0]);
    assert_eq!(found("").await.len(), 4, "no text asks for all");

    let page = "{ groups(first: 1, filter: {text: \"finance\"}) { pageInfo { hasNextPage endCursor } } }";
    let answer = app.graphql(&admin, page, json!({})).await;
    assert_eq!(at(&answer, "/data/groups/pageInfo/hasNextPage"), &json!(true));
    let next = "query($after: String) { groups(after: $after, filter: {text: \"finance\"}) { nodes { id name } } }";
    let answer = app.graphql(&admin, next, json!({"after": at(&answer, "/data/groups/pageInfo/endCursor")})).await;
    let [wien] = at(&answer, "/data/groups/nodes").as_array().expect("a list").as_slice() else { panic!("{answer}") };
    assert_eq!(text(wien, "/name"), "Finance (Wien)");

    change(&app, &admin, "updateGroup", json!({"groupId": text(wien, "/id"), "name": "Treasury"})).await;
    assert_eq!(found("finance").await, ["Finance"]);
    assert_eq!(found("treas").await, ["Treasury"]);
    let answer = app
        .graphql(
            &admin,
            "query($text: String) { groups(filter: {text: $text}) { totalCount } }",
            json!({"text": "x".repeat(500)}),
        )
        .await;
    assert!(text(&answer, "/errors/0/message").contains("filter.text"), "{answer}");
}

#[rstest]
#[tokio::test]
async fn unknown_and_foreign_people_are_named(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let app = TestApp::start(database).await;
    let admin = app.token(Role::Admin).await;
    let other = app.create_workspace("other").await;
    let ada = app.person("ada@example.com", &[Role::Viewer]).await;
    let stranger = app.person_in(Scope::system(other.id), "eve@example.com", &[Role::Viewer]).await;
    let unknown = "user_00000000000000000000000000".to_owned();
    let group = change(&app, &admin, "createGroup", json!({"name": "Finance"})).await;
    let group = text(&group, "/data/createGroup/group/id");

    let ids = json!([ada.id, stranger.id, unknown]);
    for (mutation, field, input) in [
        ("createGroup", "memberIds", json!({"name": "Legal", "memberIds": ids})),
        ("addGroupMembers", "userIds", json!({"groupId": group, "userIds": ids})),
        ("removeGroupMembers", "userIds", json!({"groupId": group, "userIds": ids})),
    ] {
        let answer = change(&app, &admin, mutation, input).await;
        assert_eq!(refusals(&answer, mutation), ["NOT_FOUND", "NOT_FOUND"], "{mutation}");
        for (at_index, id) in [&stranger.id, &unknown].into_iter().enumerate() {
            let error = at(&answer, &format!("/data/{mutation}/userErrors/{at_index}"));
            assert!(text(error, "/message").contains(id), "{error}");
            assert_eq!(at(error, "/path"), &json!(["input", field]));
        }
    }
    let answer = change(&app, &admin, "addGroupMembers", json!({"groupId": group, "userIds": [group]})).await;
    assert_eq!(refusals(&answer, "addGroupMembers"), ["INVALID"], "a group is not a user");
    let answer = app.graphql(&admin, "{ groups { nodes { name memberCount } } }", json!({})).await;
    assert_eq!(at(&answer, "/data/groups/nodes"), &json!([{"name": "Finance", "memberCount": 0}]), "nothing in part");
}

#[tokio::test]
async fn a_group_of_another_workspace_does_not_exist() {
    let app = TestApp::start(Database::Sqlite).await;
    let admin = app.token(Role::Admin).await;
    let other = app.create_workspace("other").await;
    let stranger = app.token_in(Scope::system(other.id), Role::Admin).await;
    let group = change(&app, &admin, "createGroup", json!({"name": "Finance"})).await;
    let group = text(&group, "/data/createGroup/group/id");
    for mutation in ["updateGroup", "addGroupMembers", "removeGroupMembers"] {
        let mut input = json!({"groupId": group});
        if mutation != "updateGroup" {
            input["userIds"] = json!([]);
        }
        let answer = change(&app, &stranger, mutation, input).await;
        assert_eq!(refusals(&answer, mutation), ["NOT_FOUND"], "{mutation}");
    }
    assert_eq!(refusals(&delete(&app, &stranger, group).await, "deleteGroup"), ["NOT_FOUND"]);
    assert_eq!(refusals(&delete(&app, &admin, group).await, "deleteGroup"), [""; 0]);
    assert_eq!(refusals(&delete(&app, &admin, group).await, "deleteGroup"), ["NOT_FOUND"]);
}

#[rstest]
#[tokio::test]
async fn a_group_that_is_deleted_meanwhile_is_not_found(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let app = TestApp::start(database).await;
    let admin = app.token(Role::Admin).await;
    let ada = app.person("ada@example.com", &[Role::Viewer]).await;
    for _ in 0..10 {
        let group = change(&app, &admin, "createGroup", json!({"name": "Finance"})).await;
        let id = text(&group, "/data/createGroup/group/id");
        let members = json!({"groupId": id, "userIds": [ada.id]});
        let (renamed, added, removed, one, other) = tokio::join!(
            change(&app, &admin, "updateGroup", json!({"groupId": id, "description": "Money"})),
            change(&app, &admin, "addGroupMembers", members.clone()),
            change(&app, &admin, "removeGroupMembers", members),
            delete(&app, &admin, id),
            delete(&app, &admin, id),
        );
        for (answer, mutation) in
            [(renamed, "updateGroup"), (added, "addGroupMembers"), (removed, "removeGroupMembers")]
        {
            let refused = refusals(&answer, mutation);
            assert!(refused.is_empty() || refused == ["NOT_FOUND"], "{answer}");
        }
        let refused = [refusals(&one, "deleteGroup"), refusals(&other, "deleteGroup")].concat();
        assert_eq!(refused, ["NOT_FOUND"], "one of them deletes it");
    }
    assert_eq!(audited(&app, &admin, &["GROUP_DELETED"]).await.len(), 10);
}
