//! Passwords: argon2id, off the async threads, and as slow for an unknown account as for a known one.

use std::sync::{Arc, LazyLock};

use argon2::{
    Argon2,
    password_hash::{PasswordHasher, PasswordVerifier, phc::PasswordHash},
};
use secrecy::{ExposeSecret, SecretString};
use tokio::sync::Semaphore;

use crate::{
    domain::refusal::Refusal,
    engine::{Error, Result},
};

const SHORTEST: usize = 10;
/// Longer ones only cost time.
const LONGEST: usize = 512;
/// Each hash takes 19 MiB and a core: more at once would starve everything else.
const AT_ONCE: usize = 2;

pub struct Passwords {
    permits: Arc<Semaphore>,
}

impl Default for Passwords {
    fn default() -> Self {
        Self { permits: Arc::new(Semaphore::new(AT_ONCE)) }
    }
}

impl Passwords {
    /// Checks a new password's form.
    pub fn check(field: &'static str, password: &SecretString) -> std::result::Result<(), Refusal> {
        let length = password.expose_secret().chars().count();
        if (SHORTEST..=LONGEST).contains(&length) {
            Ok(())
        } else {
            Err(Refusal::invalid(field, format!("`{field}` has {length} characters: use {SHORTEST} to {LONGEST}")))
        }
    }

    pub async fn hash(&self, password: SecretString) -> Result<String> {
        self.blocking(move || {
            let hash = Argon2::default().hash_password(password.expose_secret().as_bytes());
            hash.map(|hash| hash.to_string()).map_err(|error| Error::Internal(format!("cannot hash: {error}")))
        })
        .await?
    }

    /// Whether the password fits the hash. Without a hash it takes as long and does not.
    pub async fn verify(&self, password: SecretString, hash: Option<String>) -> Result<bool> {
        self.blocking(move || {
            let known = hash.is_some();
            let hash = hash.as_deref().unwrap_or(&DUMMY);
            let Ok(hash) = PasswordHash::new(hash) else {
                return false;
            };
            let password = password.expose_secret();
            let fits =
                password.len() <= LONGEST * 4 && Argon2::default().verify_password(password.as_bytes(), &hash).is_ok();
            fits && known
        })
        .await
    }

    async fn blocking<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T> {
        let internal = |error: String| Error::Internal(error);
        let permit = Arc::clone(&self.permits).acquire_owned().await.map_err(|error| internal(error.to_string()))?;
        let done = tokio::task::spawn_blocking(move || {
            let _permit = permit;
            work()
        });
        done.await.map_err(|error| internal(format!("password hashing stopped: {error}")))
    }
}

/// A hash that no password fits, to spend the same time on accounts that do not exist.
static DUMMY: LazyLock<String> = LazyLock::new(|| {
    let hash = Argon2::default().hash_password(uuid::Uuid::new_v4().as_bytes());
    hash.map(|hash| hash.to_string()).unwrap_or_default()
});
