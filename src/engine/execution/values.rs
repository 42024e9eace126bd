//! Values from outside: bounded, checked, and packed for the journal.

use crate::{
    domain::{
        execution::{Data, Event, Failure, FailureCode},
        json::Json,
        schema::{Schema, Violation},
    },
    store::payloads::{self, Payload},
};

/// From here on somebody is told that a value is large.
const LARGE: u64 = 5 * 1024 * 1024;
/// Above this, work on a value gets a thread of its own.
pub const SLOW: usize = 64 * 1024;

/// A value as events carry it.
#[derive(Debug, Clone)]
pub struct Packed {
    pub json: Json,
    pub data: Data,
    pub payload: Option<Payload>,
}

impl Packed {
    pub async fn new(json: Json) -> Self {
        let packed = json.clone();
        let (data, payload) = if json.size() > SLOW {
            offload(move || payloads::pack(packed)).await.unwrap_or((Data::Inline(json.clone()), None))
        } else {
            payloads::pack(packed)
        };
        Self { json, data, payload }
    }

    /// The warning that goes along with a large value.
    pub fn warning(&self, step: Option<usize>) -> Option<Event> {
        let bytes = self.data.bytes();
        (bytes >= LARGE).then_some(Event::PayloadLarge { step, bytes })
    }
}

/// Runs something that may take a while beside everything else. Nothing if it panicked.
pub async fn offload<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
    tokio::task::spawn_blocking(work).await.ok()
}

/// Checks a value against a schema, beside everything else if it is large.
pub async fn check(schema: &Schema, json: &Json) -> Result<(), Vec<Violation>> {
    if json.size() <= SLOW {
        return schema.validate(&json.to_value());
    }
    let (schema, json) = (schema.clone(), json.clone());
    offload(move || schema.validate(&json.to_value())).await.unwrap_or(Ok(()))
}

/// What was expected, what came, and where.
pub fn explain(violation: &Violation) -> String {
    format!("{violation}, but this came: {}", violation.found)
}

/// The failure of a step whose value breaks its schema.
pub fn mismatch(code: FailureCode, what: &str, violations: &[Violation]) -> Failure {
    let first = violations.first().map(explain).unwrap_or_default();
    let more = violations.len().saturating_sub(1);
    let more = if more > 0 { format!(" (and {more} more)") } else { String::new() };
    let all: Vec<String> = violations.iter().map(explain).collect();
    Failure::fatal(code, format!("the {what} does not fit its schema: {first}{more}")).with_details(all.join("\n"))
}

/// The failure of a step whose value is too large.
pub fn too_large(what: &str, bytes: usize, most: usize) -> Failure {
    Failure::fatal(FailureCode::TooLarge, format!("the {what} has {bytes} bytes: at most {most} are allowed"))
}
