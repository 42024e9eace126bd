//! The outside identity provider: its tokens, checked with its published keys.

use std::{str::FromStr, sync::RwLock};

use chrono::{DateTime, Duration, Utc};
use jsonwebtoken::{
    Algorithm, DecodingKey, Validation,
    jwk::{Jwk, JwkSet, KeyOperations, PublicKeyUse},
};
use serde_json::Value;

use crate::{
    config::Settings,
    domain::role::{Role, Roles},
    engine::{Error, Result},
    store::outside_identities::OutsideIdentity,
};

/// Keys are fetched anew after this time, so that a withdrawn key stops working.
const KEYS_LAST: Duration = Duration::hours(1);
/// An unknown key id makes us look again, but not more often than this: anybody can send unknown key ids, and a
/// provider in trouble has enough to do.
const LOOK_AGAIN: Duration = Duration::seconds(10);
const FETCH_TIMEOUT: std::time::Duration = std::time::Duration::from_secs(5);
/// Clocks of different machines differ.
const LEEWAY_SECONDS: i64 = 60;

/// What a valid token says about its bearer.
#[derive(Debug, Clone, PartialEq)]
pub struct Bearer {
    /// The provider's lasting name for the person, by which accounts are found.
    pub identity: OutsideIdentity,
    pub email: Option<String>,
    /// What the provider says about the address; some say nothing.
    pub email_verified: Option<bool>,
    pub name: Option<String>,
    pub roles: Roles,
    pub workspace_slug: String,
    /// What an older token says about roles is out of date.
    pub issued_at: Option<DateTime<Utc>>,
    pub expires_at: DateTime<Utc>,
}

pub struct Provider {
    issuer: String,
    audience: String,
    jwks_url: url::Url,
    algorithms: Vec<Algorithm>,
    roles_claim: String,
    workspace_claim: Option<String>,
    workspace: String,
    client: reqwest::Client,
    keys: RwLock<Keys>,
    fetching: tokio::sync::Mutex<()>,
}

/// What is known of the provider's keys.
#[derive(Clone)]
struct Keys {
    set: JwkSet,
    /// When the provider last told.
    fetched: Option<DateTime<Utc>>,
    /// When it was last asked, whether it answered or not.
    asked: Option<DateTime<Utc>>,
}

impl Provider {
    /// The provider that the settings describe, if they do.
    pub fn from_settings(settings: &Settings) -> Result<Option<Self>> {
        let (Some(issuer), Some(audience), Some(jwks_url)) =
            (&settings.oidc_issuer, &settings.oidc_audience, &settings.oidc_jwks_url)
        else {
            return Ok(None);
        };
        let algorithms = settings.oidc_algorithms.0.iter().map(|name| parse_algorithm(name)).collect::<Result<_>>()?;
        let client = reqwest::Client::builder()
            .timeout(FETCH_TIMEOUT)
            .redirect(reqwest::redirect::Policy::none())
            .build()
            .map_err(|error| Error::Internal(format!("cannot make an HTTP client: {error}")))?;
        Ok(Some(Self {
            issuer: issuer.clone(),
            audience: audience.clone(),
            jwks_url: jwks_url.clone(),
            algorithms,
            roles_claim: settings.oidc_roles_claim.clone(),
            workspace_claim: settings.oidc_workspace_claim.clone(),
            workspace: settings.oidc_workspace.clone(),
            client,
            keys: RwLock::new(Keys { set: JwkSet { keys: Vec::new() }, fetched: None, asked: None }),
            fetching: tokio::sync::Mutex::new(()),
        }))
    }

    /// The issuer whose tokens are accepted.
    pub fn issuer(&self) -> &str {
        &self.issuer
    }

    /// Whether a token claims to be from this provider. Says nothing about whether it is.
    pub fn claims(&self, token: &str) -> bool {
        let claims = jsonwebtoken::dangerous::insecure_decode::<Value>(token);
        claims.is_ok_and(|data| data.claims.get("iss").and_then(Value::as_str) == Some(&self.issuer))
    }

    /// Who a token is about, or nothing if it is not valid at `now`.
    pub async fn identify(&self, token: &str, now: DateTime<Utc>) -> Option<Bearer> {
        let header = jsonwebtoken::decode_header(token).ok()?;
        if !self.algorithms.contains(&header.alg) {
            return None;
        }
        let jwk = self.key(header.kid.as_deref(), now).await?;
        if !is_for(&jwk, header.alg) {
            return None;
        }
        let mut validation = Validation::new(header.alg);
        validation.set_issuer(&[&self.issuer]);
        validation.set_audience(&[&self.audience]);
        validation.set_required_spec_claims(&["exp", "iss", "aud", "sub"]);
        // Times are checked below against our own clock.
        validation.validate_exp = false;
        validation.validate_nbf = false;
        let key = DecodingKey::from_jwk(&jwk).ok()?;
        let claims = jsonwebtoken::decode::<Value>(token, &key, &validation).ok()?.claims;
        self.read_claims(&claims, now)
    }

    fn read_claims(&self, claims: &Value, now: DateTime<Utc>) -> Option<Bearer> {
        let seconds = |name: &str| claims.get(name).and_then(Value::as_f64).map(|seconds| seconds as i64);
        let expires_at = DateTime::from_timestamp(seconds("exp")?.checked_add(LEEWAY_SECONDS)?, 0)?;
        let started = seconds("nbf").is_none_or(|from| from <= now.timestamp() + LEEWAY_SECONDS);
        if expires_at <= now || !started {
            return None;
        }
        let text = |name: &str| claims.get(name).and_then(Value::as_str).map(str::to_owned);
        let workspace = self.workspace_claim.as_deref().and_then(|claim| find(claims, claim)?.as_str());
        Some(Bearer {
            identity: OutsideIdentity { issuer: self.issuer.clone(), subject: text("sub")? },
            email: text("email"),
            email_verified: match claims.get("email_verified") {
                Some(Value::Bool(verified)) => Some(*verified),
                // Some providers write it as a text.
                Some(Value::String(text)) => text.parse().ok(),
                _ => None,
            },
            name: text("name").or_else(|| text("preferred_username")),
            roles: find(claims, &self.roles_claim).map(read_roles).unwrap_or_default(),
            workspace_slug: workspace.unwrap_or(&self.workspace).to_owned(),
            issued_at: seconds("iat").and_then(|seconds| DateTime::from_timestamp(seconds, 0)).map(|at| at.min(now)),
            expires_at,
        })
    }

    /// The key with this id, fetched if it is new. Without an id, the only key.
    async fn key(&self, kid: Option<&str>, now: DateTime<Utc>) -> Option<Jwk> {
        // Either way, because requests overtake each other.
        let within = |at: Option<DateTime<Utc>>, time: Duration| at.is_some_and(|at| (now - at).abs() < time);
        let known = self.known();
        let jwk = pick(&known.set, kid);
        if jwk.is_some() && within(known.fetched, KEYS_LAST) {
            return jwk;
        }
        let _one_at_a_time = match (self.fetching.try_lock(), jwk) {
            (Ok(lock), _) => lock,
            // Somebody is asking already: whoever has a key need not wait for a provider that may be down.
            (Err(_), Some(jwk)) => return Some(jwk),
            (Err(_), None) => self.fetching.lock().await,
        };
        let mut known = self.known();
        if !within(known.asked, LOOK_AGAIN) {
            known.asked = Some(now);
            match self.fetch().await {
                Ok(set) => (known.set, known.fetched) = (set, Some(now)),
                Err(error) => {
                    tracing::warn!(%error, "cannot fetch the identity provider's keys; going on with those known");
                }
            }
            *self.keys.write().unwrap_or_else(|poisoned| poisoned.into_inner()) = known.clone();
        }
        pick(&known.set, kid)
    }

    fn known(&self) -> Keys {
        self.keys.read().unwrap_or_else(|poisoned| poisoned.into_inner()).clone()
    }

    async fn fetch(&self) -> std::result::Result<JwkSet, reqwest::Error> {
        self.client.get(self.jwks_url.clone()).send().await?.error_for_status()?.json().await
    }
}

fn parse_algorithm(name: &str) -> Result<Algorithm> {
    match Algorithm::from_str(name) {
        // A shared secret has no place in a published key set.
        Ok(algorithm) if !matches!(algorithm, Algorithm::HS256 | Algorithm::HS384 | Algorithm::HS512) => Ok(algorithm),
        _ => Err(Error::Internal(format!(
            "setting `oidc-algorithms` has the value `{name}`: expected RS256, RS384, RS512, PS256, PS384, PS512, ES256, ES384 or EdDSA"
        ))),
    }
}

fn pick(set: &JwkSet, kid: Option<&str>) -> Option<Jwk> {
    match (kid, set.keys.as_slice()) {
        (Some(kid), _) => set.find(kid).cloned(),
        (None, [only]) => Some(only.clone()),
        (None, _) => None,
    }
}

/// Whether a key may be used for this algorithm. One that says what it is for is used for nothing else.
fn is_for(jwk: &Jwk, algorithm: Algorithm) -> bool {
    let declared = jwk.common.key_algorithm.map(|declared| declared.to_string());
    let operations = jwk.common.key_operations.as_ref();
    declared.is_none_or(|name| Algorithm::from_str(&name).is_ok_and(|declared| declared == algorithm))
        && jwk.common.public_key_use.as_ref().is_none_or(|purpose| *purpose == PublicKeyUse::Signature)
        && operations.is_none_or(|operations| operations.contains(&KeyOperations::Verify))
}

/// A claim by name; a dot goes into an object. A name that itself has dots, such as a URL, is tried whole first.
fn find<'a>(claims: &'a Value, path: &str) -> Option<&'a Value> {
    claims.get(path).or_else(|| path.split('.').try_fold(claims, |value, part| value.get(part)))
}

fn read_roles(value: &Value) -> Roles {
    let parse = |text: &str| text.parse::<Role>().ok();
    match value {
        Value::Array(items) => items.iter().filter_map(Value::as_str).filter_map(parse).collect(),
        Value::String(text) => text.split([' ', ',']).filter_map(parse).collect(),
        _ => Roles::default(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn roles_come_as_lists_or_texts_at_any_depth() {
        let claims =
            json!({"roles": ["admin", "unknown"], "realm": {"roles": "viewer approver"}, "https://x.y/r": "author"});
        let roles = |path: &str| find(&claims, path).map(read_roles).unwrap_or_default();
        assert_eq!(roles("roles"), Roles::from(Role::Admin));
        assert_eq!(roles("realm.roles"), [Role::Viewer, Role::Approver].into_iter().collect());
        assert_eq!(roles("https://x.y/r"), Roles::from(Role::Author));
        assert_eq!(roles("absent"), Roles::default());
    }

    #[test]
    fn shared_secret_algorithms_are_refused() {
        assert!(parse_algorithm("ES256").is_ok());
        for name in ["HS256", "none", ""] {
            assert!(parse_algorithm(name).is_err(), "{name}");
        }
    }
}
