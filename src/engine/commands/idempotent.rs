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
pub struct Creation<'a>(Option<Request<'a>>);

impl<'a> Creation<'a> {
    /// `content` is everything that makes two requests the same request.
    pub fn new(scope: Scope, mutation: &'static str, key: Option<&'a str>, content: String) -> Result<Self> {
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
        Ok(Self(Some(Request { scope, mutation, key, content })))
    }

    /// What an earlier try of this creation made.
    pub async fn made(&self, tx: &Tx) -> Result<Option<String>> {
        let Some(request) = &self.0 else {
            return Ok(None);
        };
        match tx.recall(request).await? {
            Known::New => Ok(None),
            Known::Made(subject) => Ok(Some(subject)),
            Known::Mismatch => Err(Refusal::at(
                "idempotencyKey",
                Code::IdempotencyKeyReused,
                format!("the idempotency key `{}` was used for a different request: use a new one", request.key),
            )
            .into()),
        }
    }

    pub async fn remember(&self, tx: &Tx, subject: String) -> Result<()> {
        match &self.0 {
            Some(request) => Ok(tx.remember(request, subject).await?),
            None => Ok(()),
        }
    }
}

/// Whether a creation lost against its own twin, which came at the same moment: trying again finds what that made.
pub fn lost_to_twin<T>(result: &Result<T>) -> bool {
    matches!(result, Err(Error::Store(error)) if error.is_duplicate_of("idempotency_key"))
}
