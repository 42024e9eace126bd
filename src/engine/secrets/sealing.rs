//! Seals values, so that a copy of the database alone does not tell them when the key is kept elsewhere.

use chacha20poly1305::{
    KeyInit, XChaCha20Poly1305, XNonce,
    aead::{Aead, Payload},
};
use rand::Rng;
use secrecy::{ExposeSecret, SecretString};

use crate::{
    clock::Clock,
    config::Settings,
    domain::id::WorkspaceId,
    engine::{Error, Result},
    store::Store,
};

/// The first byte of what is sealed this way, should there ever be another.
const VERSION: u8 = 1;
const NONCE_LENGTH: usize = 24;

/// Seals and opens with the server's key.
pub struct Sealer(XChaCha20Poly1305);

impl Sealer {
    /// With the key of the settings, or else with one that the server made and keeps in its database.
    pub async fn open(store: &Store, clock: &Clock, settings: &Settings) -> Result<Self> {
        match &settings.secret_key {
            Some(key) => Self::new(key.bytes()),
            None => Self::new(&store.server_key("secrets", clock.now()).await?),
        }
    }

    fn new(key: &[u8]) -> Result<Self> {
        let cipher = XChaCha20Poly1305::new_from_slice(key);
        cipher.map(Self).map_err(|_| Error::Internal(format!("a key has {} bytes instead of 32", key.len())))
    }

    /// Seals a value for one name in one workspace: it cannot be opened under another.
    pub fn seal(&self, workspace: WorkspaceId, name: &str, value: &SecretString) -> Result<Vec<u8>> {
        let mut nonce = [0_u8; NONCE_LENGTH];
        rand::rng().fill_bytes(&mut nonce);
        let payload = Payload { msg: value.expose_secret().as_bytes(), aad: &bound_to(workspace, name) };
        let sealed = self.0.encrypt(&XNonce::from(nonce), payload);
        let sealed = sealed.map_err(|_| Error::Internal("a secret cannot be sealed".to_owned()))?;
        Ok([&[VERSION], nonce.as_slice(), &sealed].concat())
    }

    /// The value, unless it was sealed with another key, under another name, or has been changed since.
    pub fn open_value(&self, workspace: WorkspaceId, name: &str, sealed: &[u8]) -> Option<SecretString> {
        let (nonce, sealed) = sealed.strip_prefix(&[VERSION])?.split_first_chunk::<NONCE_LENGTH>()?;
        let payload = Payload { msg: sealed, aad: &bound_to(workspace, name) };
        let value = self.0.decrypt(&XNonce::from(*nonce), payload).ok()?;
        String::from_utf8(value).ok().map(SecretString::from)
    }
}

/// The workspace's id has a fixed length, so no two pairs look the same.
fn bound_to(workspace: WorkspaceId, name: &str) -> Vec<u8> {
    [workspace.0.as_bytes().as_slice(), name.as_bytes()].concat()
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    const HERE: WorkspaceId = WorkspaceId(Uuid::nil());

    fn sealer(key: u8) -> Sealer {
        Sealer::new(&[key; 32]).unwrap_or_else(|error| panic!("{}", error.explain()))
    }

    fn sealed(value: &str) -> Vec<u8> {
        sealer(1).seal(HERE, "KEY", &value.into()).expect("sealed")
    }

    #[test]
    fn a_value_comes_back_as_it_was() {
        for value in ["x", "pässword \0\n", &"a".repeat(65_536)] {
            let opened = sealer(1).open_value(HERE, "KEY", &sealed(value)).expect("opened");
            assert_eq!(opened.expose_secret(), value);
        }
        assert_ne!(sealed("x"), sealed("x"), "no two look the same");
    }

    #[test]
    fn only_its_own_name_and_key_open_it() {
        let mut changed = sealed("hunter2");
        assert!(sealer(2).open_value(HERE, "KEY", &changed).is_none());
        assert!(sealer(1).open_value(HERE, "KEZ", &changed).is_none());
        assert!(sealer(1).open_value(WorkspaceId(Uuid::max()), "KEY", &changed).is_none());
        if let Some(last) = changed.last_mut() {
            *last ^= 1;
        }
        assert!(sealer(1).open_value(HERE, "KEY", &changed).is_none());
        for broken in [&[][..], &[VERSION], &[VERSION; 24], &[2; 60]] {
            assert!(sealer(1).open_value(HERE, "KEY", broken).is_none());
        }
        assert!(Sealer::new(&[1; 31]).is_err());
    }
}
