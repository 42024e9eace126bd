//! Which tokens of the outside identity provider are good.

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use chrono::{Duration, Utc};
use countersign::{config::List, domain::role::Role};
use jsonwebtoken::{Algorithm, EncodingKey, Header};
use rstest::rstest;
use serde_json::{Value, json};

use super::{error_code, sessions::works};
use crate::support::{
    Database, TestApp,
    provider::{AUDIENCE, Key, Provider, claims, with},
};

async fn start(keys: &[&Key]) -> TestApp {
    let provider = Provider::start(keys).await;
    TestApp::start_with(Database::Sqlite, |settings| provider.configure(settings)).await
}

fn ada() -> Value {
    claims("ada@example.com", json!(["admin"]))
}

/// A token of these parts, with whatever signature.
fn assemble(header: &Value, claims: &Value, signature: &str) -> String {
    let part = |value: &Value| BASE64_URL_SAFE_NO_PAD.encode(value.to_string());
    format!("{}.{}.{signature}", part(header), part(claims))
}

#[rstest]
#[tokio::test]
async fn every_algorithm_is_understood(
    #[values(Algorithm::RS256, Algorithm::ES256, Algorithm::EdDSA)] algorithm: Algorithm,
) {
    let key = Key::new("key", algorithm);
    let app = start(&[&key]).await;
    assert!(works(&app, &key.sign(&ada())).await);
    let audiences = with(ada(), json!({"aud": ["somebody-else", AUDIENCE]}));
    assert!(works(&app, &key.sign(&audiences)).await);
}

#[rstest]
#[case::issuer(json!({"iss": "https://evil.example.com"}))]
#[case::no_issuer(json!({"iss": null}))]
#[case::audience(json!({"aud": "somebody-else"}))]
#[case::no_audience(json!({"aud": null}))]
#[case::no_subject(json!({"sub": null}))]
#[case::no_expiry(json!({"exp": null}))]
#[case::expiry_of_another_kind(json!({"exp": "tomorrow"}))]
#[case::expired(json!({"exp": Utc::now().timestamp() - 61}))]
#[case::not_yet(json!({"nbf": Utc::now().timestamp() + 120}))]
#[case::no_address(json!({"email": null}))]
#[case::not_an_address(json!({"email": "ada"}))]
#[tokio::test]
async fn claims_that_are_wrong_are_refused(#[case] changes: Value) {
    let key = Key::new("key", Algorithm::ES256);
    let app = start(&[&key]).await;
    let response = app.post(Some(&key.sign(&with(ada(), changes))), "{ viewer { roles } }", json!({})).await;
    assert_eq!(response.status(), 401);
    let answer: Value = response.json().await.expect("JSON");
    assert_eq!(error_code(&answer), "UNAUTHENTICATED");
    assert!(works(&app, &key.sign(&ada())).await, "the right ones are accepted");
}

#[tokio::test]
async fn clocks_may_differ_by_a_minute() {
    let key = Key::new("key", Algorithm::ES256);
    let app = start(&[&key]).await;
    let now = Utc::now().timestamp();
    assert!(works(&app, &key.sign(&with(ada(), json!({"exp": now - 30})))).await);
    assert!(works(&app, &key.sign(&with(ada(), json!({"nbf": now + 30})))).await);
    let token = key.sign(&with(ada(), json!({"exp": now + 600, "nbf": now + 300})));
    assert!(!works(&app, &token).await);
    app.clock.advance(Duration::minutes(5));
    assert!(works(&app, &token).await);
    app.clock.advance(Duration::minutes(6));
    assert!(!works(&app, &token).await);
}

#[tokio::test]
async fn forged_signatures_are_refused() {
    let key = Key::new("key", Algorithm::ES256);
    let app = start(&[&key]).await;
    let good = key.sign(&ada());
    assert!(works(&app, &good).await);

    let signature = good.rsplit('.').next().expect("a signature");
    let promoted = with(ada(), json!({"email": "root@example.com"}));
    let header = json!({"alg": "ES256", "typ": "JWT", "kid": "key"});
    let public = key.public();
    let shared = |secret: &[u8]| {
        let header = Header { kid: Some("key".to_owned()), ..Header::new(Algorithm::HS256) };
        jsonwebtoken::encode(&header, &ada(), &EncodingKey::from_secret(secret)).expect("a token")
    };
    let coordinate = |name: &str| BASE64_URL_SAFE_NO_PAD.decode(public[name].as_str().expect("text")).expect("base64");
    let point = [vec![4], coordinate("x"), coordinate("y")].concat();
    for (name, token) in [
        ("another key with the same id", Key::new("key", Algorithm::ES256).sign(&ada())),
        ("another algorithm with the same id", Key::new("key", Algorithm::EdDSA).sign(&ada())),
        ("an id that is not published", Key::new("unknown", Algorithm::ES256).sign(&ada())),
        ("somebody else's claims", assemble(&header, &promoted, signature)),
        ("no signature", assemble(&header, &ada(), "")),
        ("no algorithm", assemble(&json!({"alg": "none", "typ": "JWT", "kid": "key"}), &ada(), "")),
        ("no algorithm, old signature", assemble(&json!({"alg": "none", "kid": "key"}), &ada(), signature)),
        ("the public key as a shared secret", shared(public.to_string().as_bytes())),
        ("the public point as a shared secret", shared(&point)),
        ("the issuer as ours", assemble(&header, &with(ada(), json!({"iss": "countersign"})), signature)),
    ] {
        assert!(!works(&app, &token).await, "{name}");
    }
    let answer = app.graphql(&good, "{ users { totalCount } }", json!({})).await;
    assert_eq!(answer["data"]["users"]["totalCount"], 1, "nobody else got an account");
}

#[tokio::test]
async fn an_algorithm_that_is_not_accepted_is_refused() {
    let (curve, edwards) = (Key::new("curve", Algorithm::ES256), Key::new("edwards", Algorithm::EdDSA));
    let provider = Provider::start(&[&curve, &edwards]).await;
    let app = TestApp::start_with(Database::Sqlite, |settings| {
        provider.configure(settings);
        settings.oidc_algorithms = List(vec!["ES256".to_owned()]);
    })
    .await;
    assert!(works(&app, &curve.sign(&ada())).await);
    assert!(!works(&app, &edwards.sign(&ada())).await);
}

#[rstest]
#[case::another_algorithm(json!({"alg": "RS512"}))]
#[case::encryption(json!({"alg": null, "use": "enc"}))]
#[case::other_operations(json!({"alg": null, "key_ops": ["encrypt"]}))]
#[tokio::test]
async fn a_key_is_used_for_what_it_is_published_for(#[case] changes: Value) {
    let key = Key::new("key", Algorithm::RS256);
    let provider = Provider::start(&[]).await;
    let app = TestApp::start_with(Database::Sqlite, |settings| provider.configure(settings)).await;
    provider.publish(vec![with(key.public(), changes)]);
    assert!(!works(&app, &key.sign(&ada())).await);
    provider.publish(vec![with(key.public(), json!({"use": "sig", "key_ops": ["verify"]}))]);
    // Known by its id already: what has changed about it is seen when the keys are fetched anew.
    app.clock.advance(Duration::hours(1));
    assert!(works(&app, &key.sign(&with(ada(), json!({"exp": Utc::now().timestamp() + 7200})))).await);
}

#[tokio::test]
async fn without_a_provider_no_outside_token_is_good() {
    let app = TestApp::start(Database::Sqlite).await;
    assert!(!works(&app, &Key::new("key", Algorithm::EdDSA).sign(&ada())).await);
}

#[tokio::test]
async fn our_own_tokens_go_on_working() {
    let key = Key::new("key", Algorithm::EdDSA);
    let app = start(&[&key]).await;
    let ada = app.person("ada@example.com", &[Role::Viewer]).await;
    assert!(works(&app, &ada.access_token).await);
    assert!(works(&app, &app.token(Role::Viewer).await).await);
}
