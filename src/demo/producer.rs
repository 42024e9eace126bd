//! Keeps starting executions at a gentle pace, so that things move while somebody looks.

use std::collections::HashMap;

use chrono::{Datelike, TimeDelta};
use rand::RngExt;
use serde_json::{Value, json};

use super::{
    cast::Cast,
    colleagues,
    hands::{self, json_of},
    library::{CLEAN_UP, PRICES, REFUNDS, REPORT, TICKETS},
    requests, samples,
    worker::pause,
};
use crate::{
    domain::{
        checkpoint,
        execution::{Mode, Status},
        id::ExecutionId,
    },
    engine::{Engine, Error, Result, commands::StartExecution},
    store::{checkpoints, executions},
};

/// Who comes back after an hour finds an inbox, not a flood: colleagues decide about what is more than that.
const MOST_WAITING: u64 = 30;
const MOST_RUNNING: u64 = 5;
const FASTEST_SECONDS: i64 = 20;
const SLOWEST_SECONDS: i64 = 40;

/// More than the numbers that the script of the past has left out.
const PAST: usize = 20;

/// What is started, one after the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Start {
    Ticket,
    Refund,
    CleanUp,
    Prices,
    Report,
    Approval,
    Questions,
}

use Start::{Approval, CleanUp, Prices, Questions, Refund, Report, Ticket};

const ROUND: [Start; 14] = [
    Refund, Ticket, Prices, Report, Refund, Ticket, Approval, Refund, CleanUp, Ticket, Prices, Questions, Refund,
    Ticket,
];
/// How many of a round begin at once when the demo is new.
const OPENING: usize = 4;

pub async fn run(engine: Engine, cast: Cast, is_new: bool) {
    let mut counts = HashMap::new();
    let mut opening = if is_new { OPENING } else { 0 };
    for start in ROUND.into_iter().cycle() {
        if opening > 0 {
            opening -= 1;
        } else {
            let seconds = rand::rng().random_range(FASTEST_SECONDS..=SLOWEST_SECONDS);
            pause(&engine, TimeDelta::seconds(seconds)).await;
        }
        let started = async {
            wait_for_room(&engine, &cast).await?;
            let number = number(&engine, &cast, &mut counts, start).await?;
            begin(&engine, &cast, start, number, None).await
        };
        if let Err(error) = started.await {
            // Somebody may have archived the workflow, which is theirs to do.
            tracing::debug!(?start, error = error.explain(), "the demo did not start anything");
        }
    }
}

async fn wait_for_room(engine: &Engine, cast: &Cast) -> Result<()> {
    let mut head = engine.store().journal_head();
    let waiting = checkpoints::Filter { statuses: vec![checkpoint::Status::Pending], ..Default::default() };
    let running =
        executions::Filter { statuses: vec![Status::Queued, Status::Running], ..executions::Filter::default() };
    loop {
        head.borrow_and_update();
        let flooded = engine.store().count_checkpoints(cast.desk, &waiting).await? >= MOST_WAITING;
        if flooded && colleagues::decide_oldest(engine, cast).await? {
            continue;
        }
        let full = flooded || engine.store().count_executions(cast.desk, &running).await? >= MOST_RUNNING;
        if !full || head.changed().await.is_err() {
            return Ok(());
        }
    }
}

/// The next number of a kind, so that a restart goes on and does not repeat.
async fn number(engine: &Engine, cast: &Cast, counts: &mut HashMap<Start, usize>, start: Start) -> Result<usize> {
    let count = match counts.get(&start) {
        Some(count) => *count,
        None => {
            let workflow = match start.workflow() {
                Some(name) => engine.store().workflow_by_name(cast.desk, name).await?.map(|workflow| workflow.id),
                None => None,
            };
            let filter = executions::Filter { workflow, ..executions::Filter::default() };
            let count = engine.store().count_executions(cast.desk, &filter).await?;
            PAST + usize::try_from(count).unwrap_or(0)
        }
    };
    counts.insert(start, count + 1);
    Ok(count)
}

impl Start {
    pub const ALL: [Start; 7] = [Ticket, Refund, CleanUp, Prices, Report, Approval, Questions];

    /// Where the agents of its workflow wait for their work.
    pub fn queue(self) -> Option<&'static str> {
        match self {
            Ticket => Some("it-desk"),
            Refund => Some("customer-care"),
            CleanUp => Some("directory"),
            Prices => Some("prices"),
            Report => Some("reports"),
            Approval | Questions => None,
        }
    }

    pub fn workflow(self) -> Option<&'static str> {
        match self {
            Ticket => Some(TICKETS),
            Refund => Some(REFUNDS),
            CleanUp => Some(CLEAN_UP),
            Prices => Some(PRICES),
            Report => Some(REPORT),
            Approval | Questions => None,
        }
    }

    fn input(self, engine: &Engine, number: usize) -> Value {
        match self {
            Ticket => samples::ticket(number),
            Refund => samples::refund(number),
            CleanUp => samples::clean_up(number),
            Prices => samples::prices(number),
            Report | Approval | Questions => {
                let today = engine.clock().now().date_naive();
                let last_month = today.with_day(1).and_then(|first| first.pred_opt()).unwrap_or(today);
                json!({"month": last_month.format("%Y-%m").to_string()})
            }
        }
    }

    /// What it belongs to: the ticket, the order, or the kind and its number.
    fn correlation(self, input: &Value, number: usize) -> String {
        let named = ["ticket", "order"].iter().find_map(|field| input.get(field)?.as_str());
        named.map_or_else(|| format!("{self:?} {number}"), str::to_owned)
    }
}

/// Starts an execution, or asks for something without one.
pub async fn begin(
    engine: &Engine,
    cast: &Cast,
    start: Start,
    number: usize,
    correlation: Option<&str>,
) -> Result<ExecutionId> {
    let input = start.input(engine, number);
    let correlation = correlation.map_or_else(|| start.correlation(&input, number), str::to_owned);
    let Some(name) = start.workflow() else {
        let asks = if start == Approval { requests::approval(number) } else { requests::questions(number) };
        return Ok(hands::ask_alone(engine, cast.worker, &correlation, &asks).await?.execution);
    };
    let workflow = engine.store().workflow_by_name(cast.desk, name).await?;
    let workflow = workflow.ok_or_else(|| Error::Internal(format!("the demo has no workflow `{name}`")))?;
    let command = StartExecution {
        workflow: workflow.id,
        version: None,
        input: json_of(&input)?,
        mode: Mode::Live,
        correlation_id: Some(correlation),
        idempotency_key: None,
    };
    Ok(engine.start_execution(cast.desk, command).await?.id)
}
