//! An identity provider: a real HTTP server that publishes keys, and tokens signed with them.

use std::sync::{Arc, Mutex};

use axum::{Json, Router, extract::State, http::StatusCode, routing::get};
use chrono::Utc;
use countersign::config::Settings;
use jsonwebtoken::{Algorithm, EncodingKey, Header, jwk::Jwk};
use rand::Rng;
use rsa::pkcs1::EncodeRsaPrivateKey;
use serde_json::{Value, json};
use tokio::{net::TcpListener, sync::watch};

pub const ISSUER: &str = "https://id.example.com";
pub const AUDIENCE: &str = "countersign";

/// What PKCS #8 puts in front of the 32 bytes of a private key.
const ED25519_DER: &[u8] = b"\x30\x2e\x02\x01\x00\x30\x05\x06\x03\x2b\x65\x70\x04\x22\x04\x20";
const P256_DER: &[u8] = b"\x30\x41\x02\x01\x00\x30\x13\x06\x07\x2a\x86\x48\xce\x3d\x02\x01\x06\x08\x2a\x86\x48\xce\
    \x3d\x03\x01\x07\x04\x27\x30\x25\x02\x01\x01\x04\x20";

/// A key pair of the provider's.
pub struct Key {
    pub kid: String,
    algorithm: Algorithm,
    private: EncodingKey,
}

impl Key {
    pub fn new(kid: &str, algorithm: Algorithm) -> Self {
        let mut bytes = [0_u8; 32];
        rand::rng().fill_bytes(&mut bytes);
        let private = match algorithm {
            Algorithm::ES256 => EncodingKey::from_ec_der(&[P256_DER, &bytes].concat()),
            Algorithm::EdDSA => EncodingKey::from_ed_der(&[ED25519_DER, &bytes].concat()),
            Algorithm::RS256 => {
                let key = rsa::RsaPrivateKey::new(&mut rsa::rand_core::OsRng, 2048).expect("an RSA key");
                EncodingKey::from_rsa_der(key.to_pkcs1_der().expect("DER").as_bytes())
            }
            other => panic!("no key for {other:?}"),
        };
        Self { kid: kid.to_owned(), algorithm, private }
    }

    /// The public half, as it is published.
    pub fn public(&self) -> Value {
        let mut jwk = Jwk::from_encoding_key(&self.private, self.algorithm).expect("a public key");
        jwk.common.key_id = Some(self.kid.clone());
        serde_json::to_value(jwk).expect("JSON")
    }

    pub fn sign(&self, claims: &Value) -> String {
        let header = Header { kid: Some(self.kid.clone()), ..Header::new(self.algorithm) };
        self.sign_with(&header, claims)
    }

    pub fn sign_with(&self, header: &Header, claims: &Value) -> String {
        jsonwebtoken::encode(header, claims, &self.private).expect("a token")
    }
}

/// What a token for the server says about somebody.
pub fn claims(email: &str, roles: Value) -> Value {
    let now = Utc::now().timestamp();
    json!({
        "iss": ISSUER, "aud": AUDIENCE, "sub": format!("subject of {email}"), "iat": now, "exp": now + 300,
        "email": email, "email_verified": true, "name": "Ada Lovelace", "roles": roles,
    })
}

/// The same claims with some of them changed; null takes one away.
pub fn with(mut claims: Value, changes: Value) -> Value {
    for (name, value) in changes.as_object().expect("an object") {
        match value {
            Value::Null => claims.as_object_mut().expect("an object").remove(name),
            value => claims.as_object_mut().expect("an object").insert(name.clone(), value.clone()),
        };
    }
    claims
}

/// How a provider answers.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub enum Mood {
    #[default]
    Well,
    /// With errors.
    Broken,
    /// Not at all.
    Stuck,
}

#[derive(Default)]
struct Published {
    keys: Mutex<Vec<Value>>,
    mood: Mutex<Mood>,
    fetches: watch::Sender<usize>,
}

pub struct Provider {
    url: String,
    published: Arc<Published>,
}

impl Provider {
    /// Starts a provider that publishes some keys.
    pub async fn start(keys: &[&Key]) -> Self {
        let published = Arc::new(Published::default());
        let router = Router::new().route("/keys", get(serve_keys)).with_state(Arc::clone(&published));
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let url = format!("http://{}/keys", listener.local_addr().expect("an address"));
        // Goes away with the test's runtime.
        tokio::spawn(async move { axum::serve(listener, router).await.expect("the provider serves") });
        let provider = Self { url, published };
        provider.publish(keys.iter().map(|key| key.public()).collect());
        provider
    }

    /// Makes a server trust this provider.
    pub fn configure(&self, settings: &mut Settings) {
        settings.oidc_issuer = Some(ISSUER.to_owned());
        settings.oidc_audience = Some(AUDIENCE.to_owned());
        settings.oidc_jwks_url = Some(self.url.parse().expect("a URL"));
    }

    pub fn publish(&self, keys: Vec<Value>) {
        *self.published.keys.lock().expect("no panic") = keys;
    }

    pub fn turn(&self, mood: Mood) {
        *self.published.mood.lock().expect("no panic") = mood;
    }

    /// How often its keys were asked for.
    pub fn fetches(&self) -> usize {
        *self.published.fetches.borrow()
    }

    /// Waits until its keys have been asked for so often.
    pub async fn fetched(&self, times: usize) {
        let mut fetches = self.published.fetches.subscribe();
        fetches.wait_for(|fetches| *fetches >= times).await.expect("the provider is there");
    }
}

async fn serve_keys(State(published): State<Arc<Published>>) -> Result<Json<Value>, StatusCode> {
    published.fetches.send_modify(|fetches| *fetches += 1);
    let mood = *published.mood.lock().expect("no panic");
    match mood {
        Mood::Well => Ok(Json(json!({"keys": *published.keys.lock().expect("no panic")}))),
        Mood::Broken => Err(StatusCode::BAD_GATEWAY),
        Mood::Stuck => std::future::pending().await,
    }
}
