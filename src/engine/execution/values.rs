//! Values from outside: bounded, checked, and packed for the journal.

use crate::{
    domain::{
        execution::{Data, Event, Failure, FailureCode},
        json::Json,
        schema::{Schema, Violation},
    },
    engine::{
        self,
        compute::{MOST_WORK, compute, compute_for_step},
    },
    store::payloads::{self, Payload},
};

/// From here on somebody is told that a value is large.
const LARGE: u64 = 5 * 1024 * 1024;
/// Above this, work on a value gets a thread of its own.
pub const SLOW: usize = 64 * 1024;
/// How much a check may do on the threads that serve everybody: about a millisecond.
const QUICK: u64 = 20_000;

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

/// Checks a value against a schema, beside everything else unless that is quick. What cannot be checked is not taken
/// for right.
pub async fn check(schema: &Schema, json: &Json) -> engine::Result<Result<(), Vec<Violation>>> {
    if let Some(checked) = check_quickly(schema, json) {
        return Ok(checked);
    }
    let (schema, json) = (schema.clone(), json.clone());
    compute(MOST_WORK, move || schema.validate(&json.to_value())).await
}

/// The same for what a step is given or gives, however long it has to wait.
pub async fn check_of_step(schema: &Schema, json: &Json) -> engine::Result<Result<(), Vec<Violation>>> {
    if let Some(checked) = check_quickly(schema, json) {
        return Ok(checked);
    }
    let (schema, json) = (schema.clone(), json.clone());
    compute_for_step(move || schema.validate(&json.to_value())).await
}

/// The result, if it takes no time.
fn check_quickly(schema: &Schema, json: &Json) -> Option<Result<(), Vec<Violation>>> {
    if json.size() > SLOW {
        return None;
    }
    schema.validate_within(QUICK, &json.to_value()).ok()
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
