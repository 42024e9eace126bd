//! Creations that can be sent twice and happen once.

use crate::{
    domain::{
        access::Scope,
        refusal::{Code, Refusal},
    },
    engine::{Error, Result},
    store::{
        Tx,
        idempotency::{Known, Request},
    },
};

const LONGEST_KEY: usize = 200;

/// A creation's key, if the caller gave one.
pub struct Creation(Option<Request>);

impl Creation {
    /// `content` is everything that makes two requests the same request.
    pub fn new(scope: Scope, mutation: &'static str, key: Option<&str>, content: String) -> Result<Self> {
        let Some(key) = key else {
            return Ok(Self(None));
        };
        let length = key.chars().count();
        if length == 0 || length > LONGEST_KEY || key.chars().any(char::is_control) {
            let message = format!(
                "`idempotencyKey` must be 1 to {LONGEST_KEY} characters without control characters, not {length}"
            );
            return Err(Refusal::invalid("idempotencyKey", message).into());
        }
        Ok(Self(Some(Request { scope, mutation, key: key.to_owned(), content })))
    }

    /// Takes the key for what is about to be made, or gives what an earlier try made. Before anything else is
    /// written: a twin that comes at the same moment waits here, and not at a name or an address that it would
    /// find taken.
    pub async fn claim(&self, tx: &Tx, subject: impl ToString) -> Result<Option<String>> {
        let Some(request) = &self.0 else {
            return Ok(None);
        };
        match tx.recall(request).await? {
            Known::New => {
                tx.remember(request, subject.to_string()).await?;
                Ok(None)
            }
            Known::Made(subject) => Ok(Some(subject)),
            Known::Mismatch => Err(key_reused(&request.key).into()),
        }
    }

    pub fn request(&self) -> Option<&Request> {
        self.0.as_ref()
    }

    /// The request itself, for a creation that is written elsewhere.
    pub fn into_request(self) -> Option<Request> {
        self.0
    }
}

/// The same key came with something else.
pub fn key_reused(key: &str) -> Refusal {
    let message = format!("the idempotency key `{key}` was used for a different request: use a new one");
    Refusal::at("idempotencyKey", Code::IdempotencyKeyReused, message)
}

/// Whether a creation lost against its own twin, which came at the same moment: trying again finds what that made.
pub fn lost_to_twin<T>(result: &Result<T>) -> bool {
    matches!(result, Err(Error::Store(error)) if error.is_duplicate_of("idempotency_key"))
}
