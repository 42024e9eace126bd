//! What a workflow's document says, once it is read.

use std::time::Duration;

use serde_json::{Map, Value};

use super::{keep::KeepTemplate, proposal::ProposalTemplate};

pub const DEFAULT_STEP_TIMEOUT: Duration = Duration::from_secs(300);
pub const DEFAULT_EXECUTION_TIMEOUT: Duration = Duration::from_secs(900);

/// A workflow's document.
#[derive(Debug, Clone, PartialEq)]
pub struct Definition {
    pub name: String,
    pub description: String,
    /// What an execution's input must look like.
    pub input_schema: Option<Value>,
    /// Fields of the input that a caller need not give.
    pub defaults: Map<String, Value>,
    pub limits: Limits,
    pub on_error: OnError,
    pub steps: Vec<Step>,
}

/// What a workflow is called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heading {
    pub name: String,
    pub description: String,
}

/// Bounds of a whole execution.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Time of running; waiting for people does not count.
    pub timeout: Duration,
}

/// What happens after an error that retries could not heal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnError {
    Stop,
    Continue,
}

/// One node of the graph.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    pub key: String,
    /// The agent's name in the library.
    pub agent: String,
    /// Keys of the steps that must be done before.
    pub needs: Vec<String>,
    /// A CEL expression: the step is skipped when it is false.
    pub when: Option<String>,
    /// How the step's input is put together; without it, the step gets the merged context.
    pub input: Option<Vec<(String, Source)>>,
    /// Replaces the agent's own schema of its output.
    pub output_schema: Option<Value>,
    pub timeout: Duration,
    pub retry: Retry,
    pub gate: Gate,
    /// What happens when people reject it.
    pub on_reject: OnReject,
    /// What they are shown.
    pub proposal: ProposalTemplate,
    /// What is kept of its output.
    pub deliverables: Vec<KeepTemplate>,
    /// Where the canvas draws it.
    pub position: Option<Position>,
}

/// Where the value of an input field comes from.
#[derive(Debug, Clone, PartialEq)]
pub enum Source {
    /// A JSON pointer into `input`, `context` and `steps`, such as `/steps/fetch/id`: copied exactly.
    Path(String),
    /// A CEL expression.
    Expression(String),
    /// Anything that is not a text: taken as it is.
    Constant(Value),
}

impl Source {
    /// What a value in a document stands for.
    pub fn read(value: &Value) -> Self {
        match value {
            Value::String(text) if text.starts_with('/') => Source::Path(text.clone()),
            Value::String(text) => Source::Expression(text.clone()),
            constant => Source::Constant(constant.clone()),
        }
    }

    /// As it stands in a document.
    pub fn to_value(&self) -> Value {
        match self {
            Source::Path(text) | Source::Expression(text) => Value::String(text.clone()),
            Source::Constant(value) => value.clone(),
        }
    }
}

/// When a step that failed is tried again.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Retry {
    /// How often it is tried in all.
    pub attempts: u32,
    pub initial_delay: Duration,
    /// By what the delay grows each time.
    pub factor: f64,
    pub max_delay: Duration,
    /// Up to what part of the delay is taken off by chance, from 0 to 1.
    pub jitter: f64,
}

impl Default for Retry {
    fn default() -> Self {
        Self {
            attempts: 3,
            initial_delay: Duration::from_secs(1),
            factor: 2.0,
            max_delay: Duration::from_secs(60),
            jitter: 0.2,
        }
    }
}

impl Retry {
    /// How long to wait after the attempt with this number failed. `chance` is from 0 to 1.
    pub fn delay_after(&self, attempt: u32, chance: f64) -> Duration {
        let exponent = i32::try_from(attempt.saturating_sub(1)).unwrap_or(i32::MAX);
        let grown = self.initial_delay.as_secs_f64() * self.factor.powi(exponent);
        let bounded = grown.min(self.max_delay.as_secs_f64());
        Duration::try_from_secs_f64(bounded * (1.0 - self.jitter * chance)).unwrap_or(self.max_delay)
    }
}

/// Whether a step waits for people before it runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gate {
    /// The policy decides.
    Policy,
    Always,
    Never,
}

/// What happens to a step that people rejected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnReject {
    /// The execution ends.
    Cancel,
    /// The step is skipped.
    Skip,
    /// The step before it runs again and learns why.
    Revise,
}

/// A place on the canvas.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Position {
    pub x: f64,
    pub y: f64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delays_grow_up_to_their_bound() {
        let retry = Retry { jitter: 0.5, max_delay: Duration::from_secs(5), ..Retry::default() };
        let seconds = |attempt, chance| retry.delay_after(attempt, chance).as_secs_f64();
        assert_eq!([seconds(1, 0.0), seconds(2, 0.0), seconds(3, 0.0), seconds(4, 0.0)], [1.0, 2.0, 4.0, 5.0]);
        assert_eq!(seconds(2, 1.0), 1.0);
        assert_eq!(seconds(u32::MAX, 0.0), 5.0);
    }
}
