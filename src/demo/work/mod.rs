//! What the demo's agents do: what they say, how long it takes, and what comes of it. Nothing here touches anything.

mod directory;
mod prices;
mod refunds;
mod reports;
mod tickets;

use serde_json::Value;

use crate::{
    domain::{agent::RiskLevel, deliverable::Type, execution::Usage},
    engine::commands::ClaimedTask,
};

/// A task as an agent sees it.
pub struct Task<'a> {
    pub agent: &'a str,
    pub input: Value,
    /// 1 for the first.
    pub attempt: u32,
    /// Whether its execution continues another one that a person took care of.
    pub again: bool,
    /// The same for all tasks of an execution, another one for another.
    pub chance: usize,
}

/// What is done with a task.
pub struct Job {
    /// How long it takes.
    pub seconds: u32,
    /// What it says meanwhile.
    pub lines: Vec<String>,
    pub files: Vec<File>,
    /// What it asks people before it ends.
    pub asks: Option<Asks>,
    pub end: End,
}

pub enum Asks {
    /// Whether it may.
    Approval(Box<Wish>),
    /// Each question with its id and the schema of its answer.
    Questions { description: String, questions: Vec<(&'static str, String, Value)>, supporting_data: Value },
}

/// What an agent wants to do.
#[derive(Debug, Clone)]
pub struct Wish {
    pub operation_type: &'static str,
    pub description: String,
    pub parameters: Value,
    pub risk_level: RiskLevel,
    pub reasoning: String,
    pub confidence: f64,
    pub cost_micros: Option<u64>,
    pub supporting_data: Value,
    pub alternatives: Vec<String>,
}

/// Something that is handed in.
pub struct File {
    pub name: &'static str,
    pub description: &'static str,
    /// As its content suggests when absent.
    pub r#type: Option<Type>,
    pub mime_type: Option<&'static str>,
    /// One for each version.
    pub versions: Vec<Content>,
    pub is_final: bool,
}

pub enum Content {
    Bytes(Vec<u8>),
    Link { url: String, metadata: Value },
}

pub enum End {
    Done { output: Value, confidence: Option<f64>, reasoning: Option<String>, usage: Usage },
    Failed { message: String, details: Option<String>, retryable: bool },
}

/// What an agent makes of a task.
pub fn job(task: &Task<'_>) -> Job {
    match task.agent {
        "Ticket classifier" => tickets::classify(task),
        "IT lookup" => tickets::look_up(task),
        "Ticket writer" => tickets::answer(task),
        "IT operator" => tickets::act(task),
        "Order lookup" => refunds::look_up(task),
        "Refund writer" => refunds::draft(task),
        "Refund sender" => refunds::send(task),
        "Directory reader" => directory::find(task),
        "Directory editor" => directory::remove(task),
        "Supplier feed" => prices::fetch(task),
        "Stock lookup" => prices::count(task),
        "Shop editor" => prices::write(task),
        "Figures collector" => reports::collect(task),
        "Report writer" => reports::write(task),
        other => {
            let message = format!("the demo's worker does not know what `{other}` should do");
            Job::failed(1, Vec::new(), &message, None, false)
        }
    }
}

impl<'a> Task<'a> {
    pub fn of(claimed: &'a ClaimedTask) -> Self {
        let (loaded, step) = (&claimed.loaded, claimed.lease.step);
        let agent = loaded.plan.definition().steps.get(step).map_or("", |step| step.agent.as_str());
        Self {
            agent,
            input: claimed.input.to_value(),
            attempt: loaded.state.steps.get(step).map_or(1, |step| step.attempt),
            again: loaded.state.origin.is_some(),
            // The last bytes are chance, the first are the time.
            chance: loaded.owner.execution.0.as_bytes()[12..].iter().map(|byte| usize::from(*byte)).sum(),
        }
    }

    pub fn text(&self, field: &str) -> &str {
        self.input.get(field).and_then(Value::as_str).unwrap_or_default()
    }

    pub fn number(&self, field: &str) -> f64 {
        self.input.get(field).and_then(Value::as_f64).unwrap_or_default()
    }

    pub fn list(&self, field: &str) -> &[Value] {
        self.input.get(field).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default()
    }
}

impl Job {
    /// Work that is done without a model.
    fn plain(seconds: u32, lines: &[&str], output: Value) -> Self {
        let end = End::Done { output, confidence: None, reasoning: None, usage: Usage::default() };
        Self { seconds, lines: own(lines), files: Vec::new(), asks: None, end }
    }

    /// Work of a language model, with what it cost.
    fn thought(seconds: u32, lines: &[&str], output: Value, confidence: f64, reasoning: &str, tokens: u64) -> Self {
        let usage = Usage { llm_calls: 1 + tokens / 2_000, tokens, cost_micros: tokens * 6 };
        let (confidence, reasoning) = (Some(confidence), Some(reasoning.to_owned()));
        let end = End::Done { output, confidence, reasoning, usage };
        Self { seconds, lines: own(lines), files: Vec::new(), asks: None, end }
    }

    fn failed(seconds: u32, lines: Vec<String>, message: &str, details: Option<&str>, retryable: bool) -> Self {
        let end = End::Failed { message: message.to_owned(), details: details.map(str::to_owned), retryable };
        Self { seconds, lines, files: Vec::new(), asks: None, end }
    }
}

fn own(lines: &[&str]) -> Vec<String> {
    lines.iter().map(|line| (*line).to_owned()).collect()
}
