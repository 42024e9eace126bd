//! Refresh tokens: each is replaced when it is used.

use jsonwebtoken::{Algorithm, EncodingKey};
use secrecy::{ExposeSecret, SecretString};

use crate::{
    domain::id::SessionId,
    engine::{Error, Result},
    store::secret,
};

/// What makes refresh tokens out of those before them.
pub struct RefreshTokens(EncodingKey);

impl RefreshTokens {
    pub fn new(key: &[u8]) -> Self {
        Self(EncodingKey::from_secret(key))
    }

    /// The token that replaces another. It is always the same one, so that an answer which was lost can be given again,
    /// and only who has the key can know it: nothing but hashes is stored.
    pub fn after(&self, session: SessionId, token: &SecretString) -> Result<SecretString> {
        let message = format!("{session} {}", token.expose_secret());
        // An HMAC with SHA-256, as base64.
        let mac = jsonwebtoken::crypto::sign(message.as_bytes(), &self.0, Algorithm::HS256);
        let mac = mac.map_err(|error| Error::Internal(format!("cannot make a refresh token: {error}")))?;
        Ok(format!("{}{mac}", secret::Kind::Refresh.prefix()).into())
    }
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;

    use super::*;

    #[test]
    fn a_token_follows_from_the_key_the_session_and_the_token_before_it() {
        let now = DateTime::from_timestamp(1_800_000_000, 0).expect("a time");
        let (session, other) = (SessionId::new(now), SessionId::new(now));
        let [first, second] = [(); 2].map(|()| secret::generate(secret::Kind::Refresh));
        let after = |key: u8, session, token| {
            let made = RefreshTokens::new(&[key; 32]).after(session, token).expect("a token");
            made.expose_secret().to_owned()
        };
        let token = after(1, session, &first);
        assert_eq!(token, after(1, session, &first));
        assert_eq!(token.len(), first.expose_secret().len(), "256 bits, as at the start");
        for another in [after(2, session, &first), after(1, other, &first), after(1, session, &second)] {
            assert_ne!(token, another);
        }
    }
}
