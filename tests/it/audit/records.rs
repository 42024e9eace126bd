//! What entries say: who, for whom, from where, before and after.

use countersign::{
    domain::{access::Scope, role::Role},
    engine::{Origin, commands::InviteUser},
};
use rstest::rstest;
use serde_json::{Value, json};

use super::{lines, sound};
use crate::support::{Database, TestApp, at, text};

const ENTRY: &str = "sequence hash previousHash action actor { kind } actorName actorEmail person { email } \
    onBehalfOf { email } subjectId digest address userAgent details before after erased";

async fn entries(app: &TestApp, token: &str, filter: Value) -> Vec<Value> {
    let query = format!(
        "query($filter: AuditFilter) {{ auditEntries(first: 100, filter: $filter) {{ nodes {{ {ENTRY} }} }} }}"
    );
    let answer = app.graphql(token, &query, json!({ "filter": filter })).await;
    at(&answer, "/data/auditEntries/nodes").as_array().unwrap_or_else(|| panic!("{answer}")).clone()
}

#[rstest]
#[tokio::test]
async fn an_entry_says_who_did_it_from_where_and_what_changed(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let app = TestApp::start(database).await;
    let ada = app.person("ada@example.com", &[Role::Admin]).await;
    let rename =
        app.request("mutation { updateProfile(input: {displayName: \"Ada L.\"}) { userErrors { code } } }", json!({}));
    let rename = rename.bearer_auth(&ada.access_token).header("user-agent", "Sextant/1.0");
    rename.send().await.expect("an answer");
    let found = entries(&app, &ada.access_token, json!({"actions": ["USER_UPDATED"]})).await;
    let entry = &found[0];
    assert_eq!((text(entry, "/address"), text(entry, "/userAgent")), ("127.0.0.1", "Sextant/1.0"));
    // The name is the one after the change, because that is how people find the entry.
    assert_eq!((text(entry, "/actorName"), text(entry, "/actorEmail")), ("Ada L.", "ada@example.com"));
    assert_eq!(at(entry, "/before"), &json!({"displayName": "ada"}));
    assert_eq!(at(entry, "/after"), &json!({"displayName": "Ada L."}));
    assert_eq!(text(entry, "/person/email"), "ada@example.com");
    assert_eq!(at(entry, "/erased"), &json!([]));
    // What a token does is the doing of whoever made it.
    let make = "mutation { createApiToken(input: {name: \"robot\", roles: [ADMIN]}) { secret } }";
    let answer = app.graphql(&ada.access_token, make, json!({})).await;
    let robot = text(&answer, "/data/createApiToken/secret").to_owned();
    app.graphql(&robot, "mutation { updateWorkspace(input: {name: \"W\"}) { userErrors { code } } }", json!({})).await;
    let found = entries(&app, &robot, json!({"actions": ["WORKSPACE_UPDATED"]})).await;
    assert_eq!((text(&found[0], "/actor/kind"), text(&found[0], "/actorName")), ("API_TOKEN", "robot"));
    assert_eq!(text(&found[0], "/person/email"), "ada@example.com");
    assert_eq!(
        (at(&found[0], "/before"), at(&found[0], "/after")),
        (&json!({"name": "default"}), &json!({"name": "W"}))
    );
    sound(&lines(&app).await);
}

#[rstest]
#[tokio::test]
async fn the_chain_can_be_followed_by_hand(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let app = TestApp::start(database).await;
    let admin = app.token(Role::Admin).await;
    app.write_audit_entries(0..3).await;
    let mut found = entries(&app, &admin, json!({})).await;
    found.reverse();
    for (number, entry) in found.iter().enumerate() {
        assert_eq!(at(entry, "/sequence"), number + 1);
        let before = number.checked_sub(1).map_or("0".repeat(64), |before| text(&found[before], "/hash").to_owned());
        assert_eq!(text(entry, "/previousHash"), before);
    }
    let chain = "{ auditChain { sequence hash publicKey signature { sequence hash publicKey } } }";
    let answer = app.graphql(&admin, chain, json!({})).await;
    let last = found.last().expect("an entry");
    assert_eq!(at(&answer, "/data/auditChain/sequence"), at(last, "/sequence"));
    assert_eq!(at(&answer, "/data/auditChain/hash"), at(last, "/hash"));
    assert_eq!(at(&answer, "/data/auditChain/signature"), &Value::Null);
    app.engine.sign_audit_log(1).await.expect("signed");
    let answer = app.graphql(&admin, chain, json!({})).await;
    let key = app.engine.audit_key().to_string();
    assert_eq!(text(&answer, "/data/auditChain/publicKey"), key);
    let signature = json!({"sequence": found.len(), "hash": at(last, "/hash"), "publicKey": key});
    assert_eq!(at(&answer, "/data/auditChain/signature"), &signature);
}

#[rstest]
#[tokio::test]
async fn each_workspace_has_a_chain_of_its_own(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let app = TestApp::start(database).await;
    let other = app.create_workspace("other").await;
    app.write_audit_entries(0..2).await;
    // One commit for both.
    let mut tx = app.engine.store().begin(app.clock.clock().now()).await.expect("a transaction");
    for id in [other.id, app.workspace.id, other.id] {
        tx.audit(Scope::system(id), countersign::domain::audit::Action::GroupCreated, None, json!({}));
    }
    tx.commit().await.expect("a commit");
    assert_eq!(sound(&lines(&app).await).last, 4);
    assert_eq!(sound(&super::lines_of(app.engine.store(), &other).await).last, 3);
}

#[rstest]
#[tokio::test]
async fn entries_are_found_by_actor_subject_and_time(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let app = TestApp::start(database).await;
    let ada = app.person("ada@example.com", &[Role::Admin]).await;
    let command = InviteUser {
        email: "bob@example.com".to_owned(),
        display_name: None,
        roles: Role::Viewer.into(),
        idempotency_key: None,
    };
    let bob =
        app.engine.invite_user(app.scope(), command, &Origin::default()).await.expect("invited").user.id.to_string();
    let disable = "mutation($id: ID!) { disableUser(input: {userId: $id}) { userErrors { code } } }";
    app.graphql(&ada.access_token, disable, json!({"id": bob})).await;
    let actions = |found: &[Value]| found.iter().map(|entry| text(entry, "/action").to_owned()).collect::<Vec<_>>();
    let of_ada = entries(&app, &ada.access_token, json!({"actorId": ada.id})).await;
    assert_eq!(actions(&of_ada), ["USER_DISABLED", "USER_PASSWORD_CHANGED", "SIGNED_IN"]);
    let to_bob = entries(&app, &ada.access_token, json!({"subjectId": bob})).await;
    assert_eq!(actions(&to_bob), ["USER_DISABLED", "USER_INVITED", "SIGN_IN_LINK_CREATED"]);
    let both = entries(&app, &ada.access_token, json!({"subjectId": bob, "actorId": ada.id})).await;
    assert_eq!(actions(&both), ["USER_DISABLED"]);
    let none = entries(&app, &ada.access_token, json!({"until": "2020-01-01T00:00:00Z"})).await;
    assert_eq!(actions(&none), [""; 0]);
    for filter in [json!({"actorId": app.workspace.id.to_string()}), json!({"checkpointId": bob})] {
        let query = "query($filter: AuditFilter) { auditEntries(filter: $filter) { totalCount } }";
        let answer = app.graphql(&ada.access_token, query, json!({ "filter": filter })).await;
        assert_eq!(text(&answer, "/errors/0/extensions/code"), "BAD_USER_INPUT", "{answer}");
    }
}
