//! Access tokens: short-lived JWTs that name a session. What they allow is looked up, not read from them,
//! so that ending a session or changing a role works at once.

use chrono::{DateTime, Duration, Utc};
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation};
use secrecy::SecretString;
use serde::{Deserialize, Serialize};

use crate::{
    domain::id::SessionId,
    engine::{Error, Result},
};

pub const ISSUER: &str = "countersign";

#[derive(Serialize, Deserialize)]
struct Claims {
    iss: String,
    /// The session.
    sub: String,
    /// With which of the session's refreshes it came; the tokens of earlier versions of the server say nothing.
    #[serde(default, rename = "gen")]
    generation: i32,
    iat: i64,
    exp: i64,
}

/// What a token of ours says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AccessToken {
    pub session: SessionId,
    pub generation: i32,
    pub expires_at: DateTime<Utc>,
}

pub struct AccessTokens {
    encoding: EncodingKey,
    decoding: DecodingKey,
    ttl: Duration,
}

impl AccessTokens {
    pub fn new(key: &[u8], ttl: Duration) -> Self {
        Self { encoding: EncodingKey::from_secret(key), decoding: DecodingKey::from_secret(key), ttl }
    }

    pub fn issue(
        &self,
        session: SessionId,
        generation: i32,
        now: DateTime<Utc>,
    ) -> Result<(SecretString, DateTime<Utc>)> {
        let expires_at = DateTime::from_timestamp((now + self.ttl).timestamp(), 0).unwrap_or(now);
        let claims = Claims {
            iss: ISSUER.to_owned(),
            sub: session.to_string(),
            generation,
            iat: now.timestamp(),
            exp: expires_at.timestamp(),
        };
        let token = jsonwebtoken::encode(&Header::new(Algorithm::HS256), &claims, &self.encoding);
        let token = token.map_err(|error| Error::Internal(format!("cannot sign an access token: {error}")))?;
        Ok((token.into(), expires_at))
    }

    /// What a token says that is ours and has not expired.
    pub fn read(&self, token: &str, now: DateTime<Utc>) -> Option<AccessToken> {
        let mut validation = Validation::new(Algorithm::HS256);
        validation.set_issuer(&[ISSUER]);
        // Checked below against our own clock.
        validation.validate_exp = false;
        let claims = jsonwebtoken::decode::<Claims>(token, &self.decoding, &validation).ok()?.claims;
        let expires_at = DateTime::from_timestamp(claims.exp, 0)?;
        let session = claims.sub.parse().ok()?;
        (expires_at > now).then_some(AccessToken { session, generation: claims.generation, expires_at })
    }
}

#[cfg(test)]
mod tests {
    use secrecy::ExposeSecret;

    use super::*;

    #[test]
    fn a_token_is_good_until_it_expires_and_only_with_its_key() {
        let tokens = AccessTokens::new(&[1; 32], Duration::minutes(10));
        let now = DateTime::from_timestamp(1_800_000_000, 0).expect("a time");
        let session = SessionId::new(now);
        let (token, expires_at) = tokens.issue(session, 3, now).expect("a token");
        let token = token.expose_secret();
        assert_eq!(tokens.read(token, now), Some(AccessToken { session, generation: 3, expires_at }));
        assert_eq!(tokens.read(token, now + Duration::minutes(10)), None);
        assert_eq!(AccessTokens::new(&[2; 32], Duration::minutes(10)).read(token, now), None);
    }

    #[test]
    fn another_algorithm_is_refused() {
        let tokens = AccessTokens::new(&[1; 32], Duration::minutes(10));
        let now = DateTime::from_timestamp(1_800_000_000, 0).expect("a time");
        let claims = Claims {
            iss: ISSUER.to_owned(),
            sub: SessionId::new(now).to_string(),
            generation: 0,
            iat: 0,
            exp: i64::MAX,
        };
        let key = EncodingKey::from_secret(&[1; 32]);
        let token = jsonwebtoken::encode(&Header::new(Algorithm::HS512), &claims, &key).expect("a token");
        assert_eq!(tokens.read(&token, now), None);
        // "alg": "none" with an empty signature.
        let payload = token.split('.').nth(1).expect("claims");
        assert_eq!(tokens.read(&format!("eyJ0eXAiOiJKV1QiLCJhbGciOiJub25lIn0.{payload}."), now), None);
    }
}
