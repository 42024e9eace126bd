//! Personal data goes, the proof stays.

use countersign::{
    config::DatabaseUrl,
    domain::{
        audit::{Fault, Trust},
        role::Role,
    },
};
use rstest::rstest;
use sea_orm::ConnectionTrait;
use serde_json::json;

use super::{broken, lines, sound};
use crate::{
    identity::{refusals, sign_in},
    support::{Database, PASSWORD, TestApp, at, command, text},
};

const ERASE: &str = "mutation($id: ID!) { erasePersonalData(input: {userId: $id}) {
    user { id displayName email status groups { name } } erasedValues userErrors { code message path } } }";

const EMAIL: &str = "zebulon@example.com";
const NAME: &str = "Zebulon Quirk";

#[rstest]
#[tokio::test]
async fn nothing_of_somebody_is_left_but_the_chain_holds(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let app = TestApp::start(database).await;
    let ada = app.person("ada@example.com", &[Role::Admin]).await;
    let zeb = app.person(EMAIL, &[Role::Admin]).await;
    let rename = "mutation($name: String!) { updateProfile(input: {displayName: $name}) { userErrors { code } } }";
    let rename = app.request(rename, json!({"name": NAME})).bearer_auth(&zeb.access_token);
    rename.header("user-agent", "Zebra/9").send().await.expect("an answer");
    let stop =
        "mutation { setEmergencyStop(input: {stopped: true, reason: \"Zebulon says so\"}) { userErrors { code } } }";
    app.graphql(&zeb.access_token, stop, json!({})).await;
    let lift = "mutation { setEmergencyStop(input: {stopped: false}) { userErrors { code } } }";
    app.graphql(&ada.access_token, lift, json!({})).await;
    assert!(app.database.holds(EMAIL).await && app.database.holds(NAME).await && app.database.holds("Zebra/9").await);
    app.engine.sign_audit_log(1).await.expect("signed");
    let before = sound(&lines(&app).await);

    let answer = app.graphql(&ada.access_token, ERASE, json!({"id": zeb.id})).await;
    let user = at(&answer, "/data/erasePersonalData/user");
    assert_eq!((text(user, "/displayName"), text(user, "/status")), ("Erased", "DISABLED"), "{answer}");
    let values = at(&answer, "/data/erasePersonalData/erasedValues").as_u64().expect("a number");
    for trace in [EMAIL, NAME, "Zebra/9", "Zebulon says so"] {
        assert!(!app.database.holds(trace).await, "{trace} is still there");
    }
    assert!(app.database.holds("ada@example.com").await, "others stay");
    let after = sound(&lines(&app).await);
    assert_eq!((after.erased, after.signatures), (values, before.signatures));
    assert!(values > 5 && after.last > before.last, "{after:?}");
    // The person is locked out, and stays so; the entries are there, without a name.
    let refused = sign_in(&app, EMAIL, PASSWORD).await;
    assert_eq!(refusals(&refused, "signIn"), ["INVALID_CREDENTIALS"]);
    assert_eq!(app.post(Some(&zeb.access_token), "{ viewer { displayName } }", json!({})).await.status(), 401);
    let enable = "mutation($id: ID!) { enableUser(input: {userId: $id}) { userErrors { code } } }";
    let answer = app.graphql(&ada.access_token, enable, json!({"id": zeb.id})).await;
    assert_eq!(refusals(&answer, "enableUser"), ["CONFLICT"]);
    let query = "query($id: ID!) { auditEntries(filter: {actorId: $id, actions: [USER_UPDATED]}) {
        nodes { actorName address before after erased person { id } } } }";
    let answer = app.graphql(&ada.access_token, query, json!({"id": zeb.id})).await;
    let expected = json!({"actorName": null, "address": null, "before": null, "after": null,
        "erased": ["actor", "after", "before", "origin", "subject"], "person": {"id": zeb.id}});
    assert_eq!(at(&answer, "/data/auditEntries/nodes/0"), &expected);
    // Twice is once.
    let answer = app.graphql(&ada.access_token, ERASE, json!({"id": zeb.id})).await;
    assert_eq!(at(&answer, "/data/erasePersonalData/erasedValues"), 0);
}

#[tokio::test]
async fn who_deletes_values_without_erasing_is_found_out() {
    let app = TestApp::start(Database::Sqlite).await;
    app.person(EMAIL, &[Role::Admin]).await;
    let first = app.person("first@example.com", &[Role::Viewer]).await;
    let admin = app.token(Role::Admin).await;
    app.graphql(&admin, ERASE, json!({"id": first.id})).await;
    sound(&lines(&app).await);
    // Somebody hides their traces, and another one was erased before: that explains nothing.
    let statement = "DELETE FROM audit_value WHERE part = 'origin' AND value LIKE '%127.0.0.1%'";
    app.database.connect().await.execute_unprepared(statement).await.expect("deleted");
    let (fault, _) = broken(&lines(&app).await, Trust::default());
    assert_eq!(fault, Fault::Removed);
}

#[tokio::test]
async fn nobody_erases_themselves_or_the_last_admin() {
    let app = TestApp::start(Database::Sqlite).await;
    let ada = app.person("ada@example.com", &[Role::Admin]).await;
    let answer = app.graphql(&ada.access_token, ERASE, json!({"id": ada.id})).await;
    assert_eq!(refusals(&answer, "erasePersonalData"), ["CONFLICT"]);
    let admin = app.token(Role::Admin).await;
    let answer = app.graphql(&admin, ERASE, json!({"id": ada.id})).await;
    assert!(text(&answer, "/data/erasePersonalData/userErrors/0/message").contains("last admin"), "{answer}");
    assert!(app.database.holds("ada@example.com").await);
}

#[rstest]
#[tokio::test]
async fn the_operator_erases_at_the_command_line(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let app = TestApp::start(database).await;
    app.person(EMAIL, &[Role::Viewer]).await;
    let url = match &app.database.url {
        DatabaseUrl::Sqlite(path) => format!("sqlite://{path}"),
        DatabaseUrl::Postgres(url) => url.clone(),
    };
    let folder = tempfile::tempdir().expect("a folder");
    let arguments = ["user", "erase", "--email", EMAIL];
    let mut erase = command(folder.path());
    let output = erase.env("COUNTERSIGN_DATABASE_URL", &url).args(arguments).output().await.expect("it runs");
    assert!(String::from_utf8_lossy(&output.stdout).starts_with("erased user_"), "{output:?}");
    assert!(!app.database.holds(EMAIL).await);
    sound(&lines(&app).await);
    let again = ["user", "erase", "--email", EMAIL, "--database-url", &url];
    let output = command(folder.path()).args(again).output().await.expect("it runs");
    assert_eq!(output.status.code(), Some(1), "there is nobody of that name any more");
}
