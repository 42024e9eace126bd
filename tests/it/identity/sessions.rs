//! Access tokens that expire, and refresh tokens that rotate.

use std::collections::BTreeSet;

use chrono::Duration;
use countersign::{config, domain::role::Role, engine::Origin};
use futures_util::{SinkExt, StreamExt, future::join_all};
use rstest::rstest;
use secrecy::ExposeSecret;
use serde_json::{Value, json};
use tokio_tungstenite::{
    connect_async,
    tungstenite::{Message, client::IntoClientRequest},
};

use super::{audited, error_code, refusals};
use crate::support::{Database, EventStream, TestApp, at, cookie_of, text};

pub const REFRESH: &str =
    "mutation { refreshSession { session { accessToken expiresAt } userErrors { code message } } }";
const VIEWER: &str = "{ viewer { user { email } } }";

/// Goes on with a session: the answer, and the whole `Set-Cookie` header.
pub async fn refresh(app: &TestApp, cookie: &str) -> (Value, Option<String>) {
    let response = app.request(REFRESH, json!({})).header("cookie", cookie).send().await.expect("an answer");
    let header = response.headers().get("set-cookie").map(|value| value.to_str().expect("text").to_owned());
    (response.json().await.expect("JSON"), header)
}

/// The cookie of a `Set-Cookie` header, as `name=value`.
#[track_caller]
fn cookie(header: Option<String>) -> String {
    header.expect("a cookie").split(';').next().expect("a pair").to_owned()
}

#[track_caller]
fn assert_ended((answer, header): (Value, Option<String>)) {
    assert_eq!(refusals(&answer, "refreshSession"), ["UNAUTHENTICATED"]);
    assert_eq!(at(&answer, "/data/refreshSession/session"), &Value::Null);
    let header = header.expect("the cookie is taken back");
    assert!(header.starts_with("countersign_refresh=; ") && header.contains("; Max-Age=0"), "{header}");
}

pub async fn works(app: &TestApp, token: &str) -> bool {
    app.post(Some(token), VIEWER, json!({})).await.status() == 200
}

#[rstest]
#[case::json("application/json")]
#[case::graphql("application/graphql-response+json")]
#[tokio::test]
async fn an_access_token_expires(#[case] accept: &str) {
    let app = TestApp::start(Database::Sqlite).await;
    let ada = app.person("ada@example.com", &[Role::Viewer]).await;
    app.clock.advance(Duration::minutes(9));
    assert!(works(&app, &ada.access_token).await);
    app.clock.advance(Duration::minutes(1));
    let request = app.request(VIEWER, json!({})).bearer_auth(&ada.access_token).header("accept", accept);
    let response = request.send().await.expect("an answer");
    assert_eq!(response.status(), 401);
    assert_eq!(response.headers()["www-authenticate"], "Bearer");
    let answer: Value = response.json().await.expect("JSON");
    assert_eq!(error_code(&answer), "UNAUTHENTICATED");
    assert_eq!(answer.get("data"), None, "nothing was executed");
}

#[rstest]
#[tokio::test]
async fn refreshing_gives_a_new_access_token_and_a_new_cookie(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let app = TestApp::start(database).await;
    let ada = app.person("ada@example.com", &[Role::Viewer]).await;
    app.clock.advance(Duration::minutes(10));
    let (answer, header) = refresh(&app, &ada.cookie).await;
    let header = header.expect("a cookie");
    let (attributes, seconds) = header.rsplit_once("; Max-Age=").expect("it lasts as long as the session");
    assert_eq!(attributes.split_once("; ").expect("attributes").1, "Path=/graphql; HttpOnly; SameSite=Strict");
    let fortnight = 14 * 24 * 60 * 60;
    assert!((fortnight - 60..=fortnight).contains(&seconds.parse().expect("a number")), "{seconds}");
    let renewed = cookie(Some(header));
    assert_ne!(renewed, ada.cookie);
    assert!(renewed.starts_with("countersign_refresh=csr_"), "a leak scanner knows it");
    let secret = renewed.split_once('=').expect("a pair").1;
    assert!(!app.database.holds(secret).await, "only its hash is kept");

    let token = text(&answer, "/data/refreshSession/session/accessToken");
    let viewer = app.graphql(token, "{ viewer { expiresAt sessions { current } } }", json!({})).await;
    assert_eq!(at(&viewer, "/data/viewer/sessions"), &json!([{"current": true}]), "it is the same session");
    assert_eq!(at(&viewer, "/data/viewer/expiresAt"), at(&answer, "/data/refreshSession/session/expiresAt"));
    assert_eq!(refusals(&refresh(&app, &renewed).await.0, "refreshSession"), [""; 0]);
}

#[rstest]
#[case::plain(None, "", None, false)]
#[case::public_https(Some("https://countersign.example.com"), "", None, true)]
#[case::public_http(Some("http://countersign.example.com"), "", None, false)]
#[case::trusted_proxy(None, "127.0.0.0/8", Some("https"), true)]
#[case::trusted_proxy_in_plain(None, "127.0.0.0/8", Some("http"), false)]
#[case::stranger(None, "10.0.0.0/8", Some("https"), false)]
#[tokio::test]
async fn the_cookie_is_for_https_only_where_there_is_https(
    #[case] public_url: Option<&str>,
    #[case] proxies: &str,
    #[case] forwarded: Option<&str>,
    #[case] secure: bool,
) {
    let app = TestApp::start_with(Database::Sqlite, |settings| {
        settings.public_url = public_url.map(|url| url.parse().expect("a URL"));
        settings.trusted_proxies = proxies.parse().expect("networks");
    })
    .await;
    let ada = app.person("ada@example.com", &[Role::Viewer]).await;
    let mut request = app.request(REFRESH, json!({})).header("cookie", &ada.cookie);
    if let Some(scheme) = forwarded {
        request = request.header("x-forwarded-proto", scheme);
    }
    let response = request.send().await.expect("an answer");
    let header = response.headers()["set-cookie"].to_str().expect("text");
    assert_eq!(header.ends_with("; Secure"), secure, "{header}");
}

#[rstest]
#[tokio::test]
async fn an_old_refresh_token_is_forgiven_for_a_moment(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let app = TestApp::start(database).await;
    let ada = app.person("ada@example.com", &[Role::Viewer]).await;
    let renewed = cookie(refresh(&app, &ada.cookie).await.1);
    app.clock.advance(Duration::seconds(20));
    let (answer, header) = refresh(&app, &ada.cookie).await;
    assert!(works(&app, text(&answer, "/data/refreshSession/session/accessToken")).await);
    assert_eq!(cookie(header), renewed, "two tabs, one cookie");
    assert_eq!(refusals(&refresh(&app, &renewed).await.0, "refreshSession"), [""; 0]);
}

#[rstest]
#[tokio::test]
async fn an_old_refresh_token_that_comes_back_ends_the_session(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let app = TestApp::start(database).await;
    let admin = app.token(Role::Admin).await;
    let ada = app.person("ada@example.com", &[Role::Viewer]).await;
    let (answer, header) = refresh(&app, &ada.cookie).await;
    let token = text(&answer, "/data/refreshSession/session/accessToken");
    app.clock.advance(Duration::seconds(30));
    assert!(works(&app, token).await);
    assert_ended(refresh(&app, &ada.cookie).await);
    assert!(!works(&app, token).await, "the thief's and the owner's access end alike");
    assert_ended(refresh(&app, &cookie(header)).await);
    let entries = audited(&app, &admin, &["REFRESH_TOKEN_REUSED"]).await;
    assert_eq!(entries.len(), 1);
    assert!(text(&entries[0], "/subjectId").starts_with("session_"));
}

#[rstest]
#[case::at_once(Duration::zero())]
#[case::ten_minutes_later(Duration::minutes(10))]
#[case::a_week_later(Duration::days(7))]
#[tokio::test]
async fn who_never_got_the_answer_asks_again(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
    #[case] pause: Duration,
) {
    let app = TestApp::start(database).await;
    let admin = app.token(Role::Admin).await;
    let ada = app.person("ada@example.com", &[Role::Viewer]).await;
    let lost = cookie(refresh(&app, &ada.cookie).await.1);
    // What the browser still holds is from before the answer that it never got, so using it says nothing.
    assert!(works(&app, &ada.access_token).await);
    app.clock.advance(pause);
    // Two tabs ask, and the first goes on at once.
    let (answer, header) = refresh(&app, &ada.cookie).await;
    assert_eq!(cookie(header), lost, "the same answer again");
    assert!(works(&app, text(&answer, "/data/refreshSession/session/accessToken")).await);
    let (answer, header) = refresh(&app, &ada.cookie).await;
    let token = text(&answer, "/data/refreshSession/session/accessToken");
    let held = cookie(header);
    assert_eq!(held, lost);

    app.clock.advance(Duration::minutes(9));
    assert!(works(&app, token).await);
    let (answer, header) = refresh(&app, &held).await;
    assert!(works(&app, text(&answer, "/data/refreshSession/session/accessToken")).await);
    assert_ne!(cookie(header), held);
    assert_eq!(audited(&app, &admin, &["REFRESH_TOKEN_REUSED"]).await.len(), 0);
}

#[rstest]
#[tokio::test]
async fn a_copied_token_is_noticed_whoever_of_the_two_is_first(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
    #[values(true, false)] thief_is_first: bool,
) {
    let app = TestApp::start(database).await;
    let admin = app.token(Role::Admin).await;
    let ada = app.person("ada@example.com", &[Role::Viewer]).await;
    let copied = ada.cookie.clone();
    let (first, second) = if thief_is_first { (&copied, &ada.cookie) } else { (&ada.cookie, &copied) };
    let (answer, header) = refresh(&app, first).await;
    let token = text(&answer, "/data/refreshSession/session/accessToken").to_owned();
    assert!(works(&app, &token).await);
    app.clock.advance(Duration::minutes(9));
    assert_ended(refresh(&app, second).await);
    assert!(!works(&app, &token).await, "the thief's and the owner's access end alike");
    assert_ended(refresh(&app, &cookie(header)).await);
    assert_eq!(audited(&app, &admin, &["REFRESH_TOKEN_REUSED"]).await.len(), 1);
}

#[tokio::test]
async fn an_answer_that_nobody_got_is_given_again_by_another_process() {
    let app = TestApp::start(Database::Postgres).await;
    let ada = app.person("ada@example.com", &[Role::Viewer]).await;
    let lost = cookie(refresh(&app, &ada.cookie).await.1);
    let secret = ada.cookie.split_once('=').expect("a pair").1;
    let other = app.another_process().await;
    let again = other.refresh_session(Some(secret.to_owned().into()), &Origin::default()).await.expect("a session");
    let again = again.refresh_token.expect("a token");
    assert_eq!(format!("countersign_refresh={}", again.expose_secret()), lost);
}

#[rstest]
#[tokio::test]
async fn tabs_that_refresh_together_all_go_on(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let app = TestApp::start(database).await;
    let mut ada = app.person("ada@example.com", &[Role::Viewer]).await;
    for _ in 0..5 {
        let answers = join_all((0..10).map(|_| refresh(&app, &ada.cookie))).await;
        for (answer, _) in &answers {
            assert_eq!(refusals(answer, "refreshSession"), [""; 0]);
            assert!(works(&app, text(answer, "/data/refreshSession/session/accessToken")).await);
        }
        // One cookie for all tabs, so that whichever answer the browser reads last leaves it with the good one.
        let cookies: BTreeSet<String> = answers.into_iter().map(|(_, header)| cookie(header)).collect();
        assert_eq!(cookies.len(), 1, "{cookies:?}");
        ada.cookie = cookies.into_iter().next().expect("a cookie");
    }
}

#[rstest]
#[tokio::test]
async fn a_session_ends_when_it_is_not_used(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let app = TestApp::start(database).await;
    let ada = app.person("ada@example.com", &[Role::Viewer]).await;
    app.clock.advance(Duration::days(13));
    let renewed = cookie(refresh(&app, &ada.cookie).await.1);
    app.clock.advance(Duration::days(13));
    let renewed = cookie(refresh(&app, &renewed).await.1);
    app.clock.advance(Duration::days(14));
    assert_ended(refresh(&app, &renewed).await);
}

#[tokio::test]
async fn an_access_token_does_not_outlive_its_session() {
    let app = TestApp::start_with(Database::Sqlite, |settings| {
        settings.access_token_ttl = "2h".parse::<config::Duration>().expect("a duration");
        settings.session_ttl = "1h".parse::<config::Duration>().expect("a duration");
    })
    .await;
    let ada = app.person("ada@example.com", &[Role::Viewer]).await;
    app.clock.advance(Duration::minutes(59));
    assert!(works(&app, &ada.access_token).await);
    app.clock.advance(Duration::minutes(1));
    assert!(!works(&app, &ada.access_token).await);
}

#[tokio::test]
async fn without_a_session_there_is_nothing_to_go_on_with() {
    let app = TestApp::start(Database::Sqlite).await;
    let response = app.post(None, REFRESH, json!({})).await;
    assert_eq!(cookie_of(&response), None);
    let answer: Value = response.json().await.expect("JSON");
    assert_eq!(refusals(&answer, "refreshSession"), ["UNAUTHENTICATED"]);
    assert_ended(refresh(&app, "countersign_refresh=csr_never_made").await);

    let ada = app.person("ada@example.com", &[Role::Viewer]).await;
    app.engine.disable_user(app.scope(), ada.id.parse().expect("an id"), &Origin::default()).await.expect("disabled");
    assert_ended(refresh(&app, &ada.cookie).await);
}

#[tokio::test]
async fn a_stream_cannot_lose_the_new_refresh_token() {
    // Neither a socket nor an event stream can set a cookie: rotating there would sign the browser out.
    let app = TestApp::start(Database::Sqlite).await;
    let ada = app.person("ada@example.com", &[Role::Viewer]).await;
    let mut upgrade = format!("ws://{}/graphql", app.address).into_client_request().expect("a request");
    upgrade.headers_mut().insert("sec-websocket-protocol", "graphql-transport-ws".parse().expect("a header"));
    upgrade.headers_mut().insert("cookie", ada.cookie.parse().expect("a header"));
    let (mut socket, _) = connect_async(upgrade).await.expect("a socket");
    let authorization = format!("Bearer {}", ada.access_token);
    for message in [
        json!({"type": "connection_init", "payload": {"Authorization": authorization}}),
        json!({"type": "subscribe", "id": "1", "payload": {"query": REFRESH}}),
    ] {
        socket.send(Message::text(message.to_string())).await.expect("sent");
    }
    socket.next().await.expect("an acknowledgement").expect("a frame");
    let answer = socket.next().await.expect("an answer").expect("a frame").into_text().expect("text");
    let answer: Value = serde_json::from_str(&answer).expect("JSON");
    assert_eq!(refusals(at(&answer, "/payload"), "refreshSession"), ["UNAUTHENTICATED"]);

    let request = app.request(REFRESH, json!({})).header("cookie", &ada.cookie).header("accept", "text/event-stream");
    let mut events = EventStream::read(request.send().await.expect("an answer"));
    assert_eq!(refusals(&events.next().await, "refreshSession"), ["UNAUTHENTICATED"]);

    app.clock.advance(Duration::minutes(1));
    assert_eq!(refusals(&refresh(&app, &ada.cookie).await.0, "refreshSession"), [""; 0]);
}

#[rstest]
#[tokio::test]
async fn a_token_that_was_replaced_long_ago_ends_the_session(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
    #[values(2, 3, 40)] rotations: usize,
) {
    let app = TestApp::start(database).await;
    let admin = app.token(Role::Admin).await;
    let ada = app.person("ada@example.com", &[Role::Viewer]).await;
    // A thief who has copied the token goes on with it, again and again, before its owner comes back.
    let (mut held, mut token) = (ada.cookie.clone(), String::new());
    for _ in 0..rotations {
        let (answer, header) = refresh(&app, &held).await;
        token = text(&answer, "/data/refreshSession/session/accessToken").to_owned();
        assert!(works(&app, &token).await);
        held = cookie(header);
    }
    assert_ended(refresh(&app, &ada.cookie).await);
    assert!(!works(&app, &token).await, "the thief's access ends with it");
    assert_ended(refresh(&app, &held).await);
    assert_eq!(audited(&app, &admin, &["REFRESH_TOKEN_REUSED"]).await.len(), 1);
}
