//! How often one address and one account may try.

use countersign::{config::List, domain::role::Role};
use serde_json::{Value, json};

use super::{SIGN_IN, error_code, refusals, sign_in};
use crate::support::{Database, PASSWORD, TestApp, at, text};

/// Three attempts a minute, behind a proxy that tells where callers are.
async fn start() -> TestApp {
    start_with(3).await
}

/// Guesses a password from one address after the other until the account rests; gives how often that worked.
async fn guess_from_everywhere(app: &TestApp, email: &str) -> usize {
    for number in 0..1_000 {
        let address = format!("203.0.{}.{}", number / 250, number % 250);
        let answer = sign_in_from(app, &address, email, "guess").await;
        if answer.pointer("/errors").is_some() {
            assert_eq!(error_code(&answer), "RATE_LIMITED");
            return number;
        }
        assert_eq!(refusals(&answer, "signIn"), ["INVALID_CREDENTIALS"]);
    }
    panic!("no attempt was stopped");
}

async fn start_with(attempts: u32) -> TestApp {
    TestApp::start_with(Database::Sqlite, |settings| {
        settings.sign_in_attempts = attempts;
        settings.trusted_proxies = List(vec!["127.0.0.1/32".parse().expect("a network")]);
    })
    .await
}

async fn sign_in_from(app: &TestApp, address: &str, email: &str, password: &str) -> Value {
    let request = app.request(SIGN_IN, json!({"email": email, "password": password}));
    let response = request.header("x-forwarded-for", address).send().await.expect("an answer");
    response.json().await.expect("JSON")
}

#[track_caller]
fn assert_limited(answer: &Value) {
    assert_eq!(error_code(answer), "RATE_LIMITED");
    assert_eq!(at(answer, "/data"), &Value::Null);
    let seconds = at(answer, "/errors/0/extensions/retryAfterSeconds").as_u64().expect("a number");
    // One of three attempts a minute comes back after 20 s.
    assert!((1..=21).contains(&seconds), "{seconds}");
    assert!(text(answer, "/errors/0/message").contains(&format!("try again in {seconds} s")));
}

#[tokio::test]
async fn an_address_that_tries_too_often_waits() {
    let app = start().await;
    app.person("ada@example.com", &[Role::Viewer]).await;
    for number in 0..3 {
        let answer = sign_in_from(&app, "203.0.113.1", &format!("nobody{number}@example.com"), "guess").await;
        assert_eq!(refusals(&answer, "signIn"), ["INVALID_CREDENTIALS"]);
    }
    assert_limited(&sign_in_from(&app, "203.0.113.1", "ada@example.com", PASSWORD).await);
    let answer = sign_in_from(&app, "203.0.113.2", "ada@example.com", PASSWORD).await;
    assert_eq!(refusals(&answer, "signIn"), [""; 0]);
}

#[tokio::test]
async fn an_account_that_is_tried_from_everywhere_rests_but_not_for_its_owner() {
    let app = start_with(2).await;
    app.person("ada@example.com", &[Role::Viewer]).await;
    app.person("bob@example.com", &[Role::Viewer]).await;
    let answer = sign_in_from(&app, "198.51.100.1", "ada@example.com", PASSWORD).await;
    assert_eq!(refusals(&answer, "signIn"), [""; 0]);
    // The account is the same however the address is written.
    let guesses = guess_from_everywhere(&app, "Ada@Example.com").await;
    assert!(1 + guesses >= 40, "twenty times what one address may, her own attempt included");
    assert_eq!(error_code(&sign_in_from(&app, "203.0.113.99", "ada@example.com", PASSWORD).await), "RATE_LIMITED");
    let answer = sign_in_from(&app, "203.0.113.99", "bob@example.com", PASSWORD).await;
    assert_eq!(refusals(&answer, "signIn"), [""; 0]);
    let answer = sign_in_from(&app, "198.51.100.1", "ada@example.com", PASSWORD).await;
    assert_eq!(refusals(&answer, "signIn"), [""; 0], "where she has signed in before");
}

#[tokio::test]
async fn an_account_that_does_not_exist_is_limited_alike() {
    let app = start_with(2).await;
    assert!(guess_from_everywhere(&app, "nobody@example.com").await >= 40);
}

#[tokio::test]
async fn guessing_links_and_current_passwords_counts_too() {
    let app = start().await;
    let ada = app.person("ada@example.com", &[Role::Viewer]).await;
    let redeem = "mutation { redeemSignInLink(input: {token: \"csl_guess\"}) { userErrors { code } } }";
    let change = "mutation { changePassword(input: {currentPassword: \"guess\", newPassword: \"long enough now\"}) {
        userErrors { code } } }";
    let from = |request: reqwest::RequestBuilder, address: &'static str| async move {
        let response = request.header("x-forwarded-for", address).send().await.expect("an answer");
        response.json::<Value>().await.expect("JSON")
    };
    for _ in 0..3 {
        let answer = from(app.request(redeem, json!({})), "203.0.113.1").await;
        assert_eq!(refusals(&answer, "redeemSignInLink"), ["EXPIRED"]);
        let answer = from(app.request(change, json!({})).bearer_auth(&ada.access_token), "203.0.113.2").await;
        assert_eq!(refusals(&answer, "changePassword"), ["INVALID_CREDENTIALS"]);
    }
    assert_limited(&from(app.request(redeem, json!({})), "203.0.113.1").await);
    assert_limited(&from(app.request(change, json!({})).bearer_auth(&ada.access_token), "203.0.113.2").await);
}

#[tokio::test]
async fn a_stranger_cannot_pretend_to_be_many() {
    let app = TestApp::start_with(Database::Sqlite, |settings| settings.sign_in_attempts = 3).await;
    for number in 1..=3 {
        sign_in_from(&app, &format!("203.0.113.{number}"), &format!("nobody{number}@example.com"), "guess").await;
    }
    assert_limited(&sign_in_from(&app, "203.0.113.4", "ada@example.com", PASSWORD).await);
    assert_limited(&sign_in(&app, "ada@example.com", PASSWORD).await);
}

#[tokio::test]
async fn attempts_from_elsewhere_do_not_keep_the_owner_out() {
    let app = start().await;
    app.person("ada@example.com", &[Role::Viewer]).await;
    for number in 1..=20 {
        let answer = sign_in_from(&app, &format!("203.0.113.{number}"), "ada@example.com", "guess").await;
        assert_eq!(refusals(&answer, "signIn"), ["INVALID_CREDENTIALS"]);
    }
    let answer = sign_in_from(&app, "198.51.100.1", "ada@example.com", PASSWORD).await;
    assert_eq!(refusals(&answer, "signIn"), [""; 0]);
}
