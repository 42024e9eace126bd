//! The outside identity provider's keys: fetched when needed, and not more often.

use chrono::{Duration, Utc};
use futures_util::future::join_all;
use jsonwebtoken::{Algorithm, Header};
use serde_json::{Value, json};

use super::sessions::works;
use crate::support::{
    Database, TestApp,
    provider::{Key, Mood, Provider, claims, with},
};

/// A token that outlasts all tests.
fn token(key: &Key) -> String {
    key.sign(&lasting())
}

fn lasting() -> Value {
    with(claims("ada@example.com", json!(["viewer"])), json!({"exp": Utc::now().timestamp() + 1_000_000}))
}

async fn start(keys: &[&Key]) -> (TestApp, Provider) {
    let provider = Provider::start(keys).await;
    (TestApp::start_with(Database::Sqlite, |settings| provider.configure(settings)).await, provider)
}

#[tokio::test]
async fn keys_are_fetched_once_for_many_requests() {
    let key = Key::new("key", Algorithm::EdDSA);
    let (app, provider) = start(&[&key]).await;
    assert_eq!(provider.fetches(), 0, "not before they are needed");
    let token = token(&key);
    let came_in = join_all((0..10).map(|_| works(&app, &token))).await;
    assert_eq!(came_in, [true; 10]);
    assert_eq!(provider.fetches(), 1);
}

#[tokio::test]
async fn a_new_key_is_found() {
    let (old, new) = (Key::new("old", Algorithm::ES256), Key::new("new", Algorithm::EdDSA));
    let (app, provider) = start(&[&old]).await;
    assert!(works(&app, &token(&old)).await);
    provider.publish(vec![old.public(), new.public()]);
    app.clock.advance(Duration::seconds(10));
    assert!(works(&app, &token(&new)).await);
    assert!(works(&app, &token(&old)).await);
    assert_eq!(provider.fetches(), 2);
}

#[tokio::test]
async fn unknown_keys_do_not_make_us_ask_too_often() {
    let key = Key::new("key", Algorithm::EdDSA);
    let (app, provider) = start(&[&key]).await;
    assert!(works(&app, &token(&key)).await);
    for _ in 0..3 {
        app.clock.advance(Duration::seconds(10));
        let before = provider.fetches();
        // Anybody can make up a key id.
        for number in 0..10 {
            assert!(!works(&app, &token(&Key::new(&format!("unknown {number}"), Algorithm::EdDSA))).await);
        }
        assert_eq!(provider.fetches(), before + 1);
        assert!(works(&app, &token(&key)).await);
    }
}

#[tokio::test]
async fn a_withdrawn_key_stops_working() {
    let (old, new) = (Key::new("old", Algorithm::EdDSA), Key::new("new", Algorithm::EdDSA));
    let (app, provider) = start(&[&old]).await;
    assert!(works(&app, &token(&old)).await);
    provider.publish(vec![new.public()]);
    app.clock.advance(Duration::minutes(59));
    assert!(works(&app, &token(&old)).await);
    assert_eq!(provider.fetches(), 1);
    app.clock.advance(Duration::minutes(1));
    assert!(!works(&app, &token(&old)).await);
}

#[tokio::test]
async fn known_keys_outlive_the_provider() {
    let key = Key::new("key", Algorithm::EdDSA);
    let (app, provider) = start(&[&key]).await;
    assert!(works(&app, &token(&key)).await);
    provider.turn(Mood::Broken);
    app.clock.advance(Duration::hours(2));
    for _ in 0..5 {
        assert!(works(&app, &token(&key)).await);
        assert!(!works(&app, &token(&Key::new("unknown", Algorithm::EdDSA))).await);
    }
    assert_eq!(provider.fetches(), 2, "a provider in trouble is left in peace");
    app.clock.advance(Duration::seconds(10));
    assert!(works(&app, &token(&key)).await);
    assert_eq!(provider.fetches(), 3);

    provider.turn(Mood::Well);
    provider.publish(Vec::new());
    app.clock.advance(Duration::seconds(10));
    assert!(!works(&app, &token(&key)).await, "what it says counts again");
}

#[tokio::test]
async fn nobody_with_a_known_key_waits_for_a_provider_that_is_stuck() {
    let key = Key::new("key", Algorithm::EdDSA);
    let (app, provider) = start(&[&key]).await;
    let token = token(&key);
    assert!(works(&app, &token).await);
    provider.turn(Mood::Stuck);
    app.clock.advance(Duration::hours(2));
    let asks = works(&app, &token);
    let others = async {
        provider.fetched(2).await;
        join_all((0..5).map(|_| works(&app, &token))).await
    };
    tokio::select! {
        biased;
        _ = asks => panic!("the others had to wait"),
        came_in = others => assert_eq!(came_in, [true; 5]),
    }
}

#[tokio::test]
async fn a_provider_that_comes_late_is_found() {
    let key = Key::new("key", Algorithm::EdDSA);
    let (app, provider) = start(&[&key]).await;
    provider.turn(Mood::Broken);
    for _ in 0..5 {
        assert!(!works(&app, &token(&key)).await);
    }
    assert_eq!(provider.fetches(), 1);
    provider.turn(Mood::Well);
    app.clock.advance(Duration::seconds(10));
    assert!(works(&app, &token(&key)).await);
}

#[tokio::test]
async fn a_key_that_we_cannot_read_does_not_spoil_the_others() {
    let key = Key::new("key", Algorithm::EdDSA);
    let (app, provider) = start(&[]).await;
    provider.publish(vec![
        json!({"kty": "AKP", "alg": "ML-DSA-65", "kid": "post-quantum", "pub": "AAAA"}),
        json!({"kty": "EC", "crv": "secp256k1", "kid": "bitcoin", "x": "AAAA", "y": "AAAA"}),
        json!({"kty": "RSA", "kid": "broken"}),
        key.public(),
    ]);
    assert!(works(&app, &token(&key)).await);
}

#[tokio::test]
async fn a_token_without_a_key_id_fits_the_only_key() {
    let (one, two) = (Key::new("one", Algorithm::EdDSA), Key::new("two", Algorithm::EdDSA));
    let (app, provider) = start(&[&one]).await;
    let nameless = one.sign_with(&Header::new(Algorithm::EdDSA), &lasting());
    assert!(works(&app, &nameless).await);
    provider.publish(vec![one.public(), two.public()]);
    app.clock.advance(Duration::hours(1));
    assert!(!works(&app, &nameless).await, "there is no telling which");
    assert!(works(&app, &token(&one)).await);
}
