//! Refresh tokens: each is replaced when it is used, and says of itself which one of its session it is.

use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD};
use jsonwebtoken::{Algorithm, EncodingKey};
use secrecy::{ExposeSecret, SecretString};
use uuid::Uuid;

use crate::{
    domain::id::SessionId,
    engine::{Error, Result},
    store::secret,
};

/// 256 bits as base64.
const SECRET: usize = 43;
/// 128 bits as base64.
const SESSION: usize = 22;

/// What makes refresh tokens out of those before them.
pub struct RefreshTokens(EncodingKey);

impl RefreshTokens {
    pub fn new(key: &[u8]) -> Self {
        Self(EncodingKey::from_secret(key))
    }

    /// A session's first token.
    pub fn first(&self, session: SessionId) -> Result<SecretString> {
        let random = secret::generate(secret::Kind::Refresh);
        self.complete(random.expose_secret().trim_start_matches(secret::Kind::Refresh.prefix()), session, 0)
    }

    /// The token of a generation, which replaces the one before it. It is always the same one, so that an answer which
    /// was lost can be given again, and only who has the key can know it: nothing but hashes is stored.
    pub fn after(&self, session: SessionId, token: &SecretString, generation: i32) -> Result<SecretString> {
        let secret = self.mac(&format!("{session} {}", token.expose_secret()))?;
        self.complete(&secret, session, generation)
    }

    /// Which token of which session this is, if this server has made it. So each is known again, however long ago it was
    /// replaced, and none of them need be stored.
    pub fn recognise(&self, token: &SecretString) -> Option<(SessionId, i32)> {
        let text = token.expose_secret().strip_prefix(secret::Kind::Refresh.prefix())?;
        let (secret, rest) = text.split_at_checked(SECRET)?;
        let (session, _) = rest.split_at_checked(SESSION)?;
        let generation = rest.get(SESSION + SECRET..)?.parse().ok()?;
        let session: [u8; 16] = BASE64_URL_SAFE_NO_PAD.decode(session).ok()?.try_into().ok()?;
        let session = SessionId(Uuid::from_bytes(session));
        let genuine = self.complete(secret, session, generation).ok()?;
        // Hashes are compared, so that the time it takes says nothing of the right one.
        (secret::hash(&genuine) == secret::hash(token)).then_some((session, generation))
    }

    /// A token of a secret, which session and generation it is for, and what proves that these belong together.
    fn complete(&self, secret: &str, session: SessionId, generation: i32) -> Result<SecretString> {
        let proof = self.mac(&format!("generation {generation} of {session} {secret}"))?;
        let of = BASE64_URL_SAFE_NO_PAD.encode(session.0);
        Ok(format!("{}{secret}{of}{proof}{generation}", secret::Kind::Refresh.prefix()).into())
    }

    /// An HMAC with SHA-256, as base64.
    fn mac(&self, message: &str) -> Result<String> {
        let mac = jsonwebtoken::crypto::sign(message.as_bytes(), &self.0, Algorithm::HS256);
        mac.map_err(|error| Error::Internal(format!("cannot make a refresh token: {error}")))
    }
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;

    use super::*;

    fn session() -> SessionId {
        SessionId::new(DateTime::from_timestamp(1_800_000_000, 0).expect("a time"))
    }

    #[test]
    fn a_token_follows_from_the_key_the_session_and_the_token_before_it() {
        let (session, other) = (session(), session());
        let [first, second] = [(); 2].map(|()| RefreshTokens::new(&[1; 32]).first(session).expect("a token"));
        let after = |key: u8, session, token, generation| {
            let made = RefreshTokens::new(&[key; 32]).after(session, token, generation).expect("a token");
            made.expose_secret().to_owned()
        };
        let token = after(1, session, &first, 1);
        assert_eq!(token, after(1, session, &first, 1));
        assert_eq!(token.len(), first.expose_secret().len(), "256 bits, as at the start");
        for another in [after(2, session, &first, 1), after(1, other, &first, 1), after(1, session, &second, 1)] {
            assert_ne!(token[..SECRET + 4], another[..SECRET + 4]);
        }
    }

    #[test]
    fn a_token_is_known_again_and_cannot_be_forged() {
        let tokens = RefreshTokens::new(&[1; 32]);
        let session = session();
        let mut token = tokens.first(session).expect("a token");
        for generation in 0..12 {
            assert_eq!(tokens.recognise(&token), Some((session, generation)));
            token = tokens.after(session, &token, generation + 1).expect("a token");
        }
        assert_eq!(RefreshTokens::new(&[2; 32]).recognise(&token), None, "of another server");
        let text = token.expose_secret();
        for forged in [format!("{text}0"), text.replace("csr_", "csl_"), text[..text.len() - 2].to_owned() + "11"] {
            assert_eq!(tokens.recognise(&forged.into()), None);
        }
        for other in ["", "csr_", "csr_short", &"é".repeat(90)] {
            assert_eq!(tokens.recognise(&other.to_owned().into()), None);
        }
    }
}
