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
/// Shorter words of an address or a name are found in many others.
const SHORTEST_WORD: usize = 4;
const OUR_NAME: &str = "countersign";
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
    /// Checks that a new password has the right length and is hard to guess, also for somebody who knows its owner.
    pub async fn check(&self, field: &'static str, password: SecretString, owner: Words) -> Result<()> {
        let length = password.expose_secret().chars().count();
        if !(SHORTEST..=LONGEST).contains(&length) {
            let message = format!("`{field}` has {length} characters: use {SHORTEST} to {LONGEST}");
            return Err(Refusal::invalid(field, message).into());
        }
        let weakness = self.blocking(move || weakness(password.expose_secret(), &owner)).await?;
        match weakness {
            Some(why) => Err(Refusal::invalid(field, format!("`{field}` {why}")).into()),
            None => Ok(()),
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

/// What is known about the owner of a password, which must not be found in it.
#[derive(Debug, Clone)]
pub struct Words {
    pub email: String,
    pub display_name: String,
}

impl Words {
    /// Each with what it is.
    fn all(&self) -> impl Iterator<Item = (&str, &'static str)> {
        let local = self.email.split('@').next().unwrap_or_default();
        let of_address = [self.email.as_str(), local].into_iter().chain(local.split(['.', '-', '_', '+']));
        let of_name = [self.display_name.as_str()].into_iter().chain(self.display_name.split_whitespace());
        of_address.map(|word| (word, "e-mail address")).chain(of_name.map(|word| (word, "name")))
    }
}

/// Why a password is easy to guess, if it is.
fn weakness(password: &str, owner: &Words) -> Option<String> {
    let folded = password.to_lowercase();
    let told = |word: &str| word.chars().count() >= SHORTEST_WORD && folded.contains(&word.to_lowercase());
    if let Some((_, what)) = owner.all().find(|(word, _)| told(word)) {
        return Some(format!("contains your {what}: use words that have nothing to do with you"));
    }
    let domain = owner.email.split('@').nth(1).unwrap_or_default().split('.');
    let known: Vec<&str> = owner.all().map(|(word, _)| word).chain(domain).chain([OUR_NAME]).collect();
    let strength = zxcvbn::zxcvbn(password, &known);
    if strength.score() >= zxcvbn::Score::Three {
        return None;
    }
    let feedback = strength.feedback();
    let warning = feedback.and_then(|feedback| feedback.warning()).map(|warning| format!(": {warning}"));
    let warning = warning.unwrap_or_default().trim_end_matches('.').to_owned();
    Some(format!("is easy to guess{warning}. Use a few words that do not belong together, or a password manager"))
}

/// A hash that no password fits, to spend the same time on accounts that do not exist.
static DUMMY: LazyLock<String> = LazyLock::new(|| {
    let hash = Argon2::default().hash_password(uuid::Uuid::new_v4().as_bytes());
    hash.map(|hash| hash.to_string()).unwrap_or_default()
});

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::common("password123", "is easy to guess: ")]
    #[case::common_and_long("passwordpassword", "is easy to guess: ")]
    #[case::keyboard("qwertyuiop", "is easy to guess: ")]
    #[case::repeated("aaaaaaaaaaaaaaaa", "is easy to guess: ")]
    #[case::sequence("1234567890", "is easy to guess: ")]
    #[case::substitutions("P@ssw0rd123", "is easy to guess: ")]
    #[case::ours("Countersign1", "is easy to guess")]
    #[case::address("x9!Ada.Lovelace@Example.com!q7", "contains your e-mail address")]
    #[case::local_part("kV7-ada.lovelace-Zq3!", "contains your e-mail address")]
    #[case::name("tangerine-LOVELACE-42-quartz", "contains your e-mail address")]
    #[case::other_name("tangerine-byron-42-quartz", "contains your name")]
    fn what_is_easy_to_guess_is_refused(#[case] password: &str, #[case] why: &str) {
        let found = weakness(password, &ada()).expect(password);
        assert!(found.starts_with(why), "{password}: {found}");
        assert!(!found.contains(password) && !found.contains(".."), "{found}");
    }

    #[rstest]
    #[case("correct horse battery")]
    #[case("k7#Qm!x2Lp")]
    #[case("an adamant tangerine sings")]
    #[case("Nebel über dem Wattenmeer")]
    fn what_is_hard_to_guess_is_taken(#[case] password: &str) {
        assert_eq!(weakness(password, &ada()), None, "{password}");
    }

    fn ada() -> Words {
        Words { email: "ada.lovelace@example.com".to_owned(), display_name: "Ada Byron".to_owned() }
    }
}
