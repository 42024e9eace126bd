//! Creations that are sent twice and happen once.

use countersign::domain::{access::Scope, role::Role};
use futures_util::future::join_all;
use rstest::rstest;
use serde_json::{Value, json};

use super::refusals;
use crate::support::{Database, TestApp, at, text};

/// A mutation that makes something: where its answer has the object, and the secret that is shown once.
struct Creation {
    mutation: &'static str,
    object: &'static str,
    secret: Option<&'static str>,
}

const INVITE_USER: Creation = Creation { mutation: "inviteUser", object: "user", secret: Some("signInLink") };
const CREATE_GROUP: Creation = Creation { mutation: "createGroup", object: "group", secret: None };
const CREATE_API_TOKEN: Creation = Creation { mutation: "createApiToken", object: "apiToken", secret: Some("secret") };

impl Creation {
    /// What is asked for; a different `name` is a different request.
    fn input(&self, name: &str, key: Option<&str>) -> Value {
        match self.mutation {
            "inviteUser" => {
                json!({"email": format!("{name}@example.com"), "roles": ["VIEWER"], "idempotencyKey": key})
            }
            "createGroup" => json!({"name": name, "idempotencyKey": key}),
            _ => json!({"name": name, "roles": ["VIEWER"], "idempotencyKey": key}),
        }
    }

    async fn send(&self, app: &TestApp, token: &str, name: &str, key: Option<&str>) -> Value {
        let Self { mutation, object, secret } = self;
        let kind = format!("{}{}Input", mutation[..1].to_uppercase(), &mutation[1..]);
        let secret = secret.unwrap_or_default();
        let query = format!(
            "mutation($input: {kind}!) {{ {mutation}(input: $input) {{
                {object} {{ id }} {secret} userErrors {{ code path }} }} }}"
        );
        app.graphql(token, &query, json!({"input": self.input(name, key)})).await
    }

    #[track_caller]
    fn id<'a>(&self, answer: &'a Value) -> &'a str {
        text(answer, &format!("/data/{}/{}/id", self.mutation, self.object))
    }

    /// Whether an answer shows the secret, for what has one.
    fn shows_secret(&self, answer: &Value) -> Option<bool> {
        self.secret.map(|secret| at(answer, &format!("/data/{}/{secret}", self.mutation)).is_string())
    }

    #[track_caller]
    fn refused<'a>(&self, answer: &'a Value) -> Vec<&'a str> {
        refusals(answer, self.mutation)
    }
}

#[rstest]
#[tokio::test]
async fn a_retry_finds_what_the_first_try_made(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
    #[values(INVITE_USER, CREATE_GROUP, CREATE_API_TOKEN)] creation: Creation,
) {
    let app = TestApp::start(database).await;
    let token = app.person("root@example.com", &[Role::Admin]).await.access_token;
    let first = creation.send(&app, &token, "one", Some("key")).await;
    assert_ne!(creation.shows_secret(&first), Some(false));
    let retry = creation.send(&app, &token, "one", Some("key")).await;
    assert_eq!(creation.refused(&retry), [""; 0]);
    assert_eq!(creation.id(&retry), creation.id(&first));
    assert_ne!(creation.shows_secret(&retry), Some(true), "it was shown once");

    let other = creation.send(&app, &token, "two", Some("key")).await;
    assert_eq!(creation.refused(&other), ["IDEMPOTENCY_KEY_REUSED"]);
    let path = format!("/data/{}/userErrors/0/path", creation.mutation);
    assert_eq!(at(&other, &path), &json!(["input", "idempotencyKey"]));
    assert_eq!(at(&other, &format!("/data/{}/{}", creation.mutation, creation.object)), &Value::Null);

    let next = creation.send(&app, &token, "two", Some("another key")).await;
    assert_ne!(creation.id(&next), creation.id(&first));
}

#[rstest]
#[tokio::test]
async fn twenty_at_the_same_moment_make_one(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
    #[values(INVITE_USER, CREATE_GROUP, CREATE_API_TOKEN)] creation: Creation,
) {
    let app = TestApp::start(database).await;
    let token = app.person("root@example.com", &[Role::Admin]).await.access_token;
    for round in ["one", "two", "three"] {
        let answers = join_all((0..20).map(|_| creation.send(&app, &token, round, Some(round)))).await;
        for answer in &answers {
            assert_eq!(creation.refused(answer), [""; 0]);
            assert_eq!(creation.id(answer), creation.id(&answers[0]));
        }
        let shown = answers.iter().filter(|answer| creation.shows_secret(answer) == Some(true)).count();
        assert_eq!(shown, usize::from(creation.secret.is_some()), "the secret is shown once");
    }
}

#[rstest]
#[tokio::test]
async fn keys_belong_to_their_caller(#[values(INVITE_USER, CREATE_GROUP, CREATE_API_TOKEN)] creation: Creation) {
    let app = TestApp::start(Database::Sqlite).await;
    let other = app.create_workspace("other").await;
    let callers = [
        app.token(Role::Admin).await,
        app.token(Role::Admin).await,
        app.person("ada@example.com", &[Role::Admin]).await.access_token,
        app.token_in(Scope::system(other.id), Role::Admin).await,
    ];
    let mut ids = Vec::new();
    for (number, caller) in callers.iter().enumerate() {
        // A name for each, because within a workspace names and addresses are unique.
        let answer = creation.send(&app, caller, &format!("name{number}"), Some("key")).await;
        assert_eq!(creation.refused(&answer), [""; 0], "caller {number}");
        ids.push(creation.id(&answer).to_owned());
    }
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), callers.len());
}

#[tokio::test]
async fn keys_belong_to_their_mutation() {
    let app = TestApp::start(Database::Sqlite).await;
    let token = app.token(Role::Admin).await;
    for creation in [INVITE_USER, CREATE_GROUP, CREATE_API_TOKEN] {
        let answer = creation.send(&app, &token, "one", Some("key")).await;
        assert_eq!(creation.refused(&answer), [""; 0], "{}", creation.mutation);
    }
}

#[rstest]
#[tokio::test]
async fn a_key_is_not_used_up_by_a_failure(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let app = TestApp::start(database).await;
    let token = app.token(Role::Admin).await;
    let taken = CREATE_GROUP.send(&app, &token, "Finance", None).await;
    let refused = CREATE_GROUP.send(&app, &token, "Finance", Some("key")).await;
    assert_eq!(CREATE_GROUP.refused(&refused), ["ALREADY_EXISTS"]);
    let delete = "mutation($id: ID!) { deleteGroup(input: {groupId: $id}) { userErrors { code } } }";
    app.graphql(&token, delete, json!({"id": CREATE_GROUP.id(&taken)})).await;
    let made = CREATE_GROUP.send(&app, &token, "Finance", Some("key")).await;
    assert_eq!(CREATE_GROUP.refused(&made), [""; 0]);
    app.graphql(&token, delete, json!({"id": CREATE_GROUP.id(&made)})).await;
    let retry = CREATE_GROUP.send(&app, &token, "Finance", Some("key")).await;
    assert_eq!(CREATE_GROUP.refused(&retry), ["NOT_FOUND"], "what it made is gone, and is not made twice");
}

#[tokio::test]
async fn without_a_key_each_request_is_its_own() {
    let app = TestApp::start(Database::Sqlite).await;
    let token = app.token(Role::Admin).await;
    let first = CREATE_API_TOKEN.send(&app, &token, "one", None).await;
    let second = CREATE_API_TOKEN.send(&app, &token, "one", None).await;
    assert_ne!(CREATE_API_TOKEN.id(&first), CREATE_API_TOKEN.id(&second));
}

#[rstest]
#[tokio::test]
async fn a_key_is_a_short_text(#[values(INVITE_USER, CREATE_GROUP, CREATE_API_TOKEN)] creation: Creation) {
    let app = TestApp::start(Database::Sqlite).await;
    let token = app.token(Role::Admin).await;
    for key in ["", "a\u{0}b", "a\nb", &"x".repeat(201)] {
        let answer = creation.send(&app, &token, "one", Some(key)).await;
        assert_eq!(creation.refused(&answer), ["INVALID"], "{key:?}");
    }
    let answer = creation.send(&app, &token, "one", Some(&"é".repeat(200))).await;
    assert_eq!(creation.refused(&answer), [""; 0]);
}
