//! Those who react to what somebody does while looking around: the agent that answers questions about its proposal,
//! and the colleague who fills the second seat.

use std::time::Duration;

use chrono::TimeDelta;
use serde_json::json;

use super::{cast::Cast, colleagues, hands, work::Wish, worker::pause};
use crate::{
    domain::{
        access::{Actor, Scope},
        checkpoint::{Checkpoint, Kind, Status, Verdict},
        execution::Event,
        id::CheckpointId,
    },
    engine::{Engine, Error, Origin, Result, commands::Asking},
    store::{Range, checkpoints::CheckpointRow, journal::JournalFilter},
};

const ASKED: &str = "checkpoint.asked";
const DECIDED: &str = "checkpoint.decided";
/// How many lines are looked at together.
const BATCH: u64 = 100;
const TRY_AGAIN: Duration = Duration::from_secs(1);
const THINKING: TimeDelta = TimeDelta::seconds(4);
const NOTICING: TimeDelta = TimeDelta::seconds(8);

pub async fn run(engine: Engine, cast: Cast) {
    let mut head = engine.store().journal_head();
    // From the beginning: somebody may have asked just before a restart.
    let mut seen = 0;
    loop {
        head.borrow_and_update();
        match react(&engine, &cast, seen).await {
            Ok(Some(position)) => {
                seen = position;
                continue;
            }
            Ok(None) => {}
            Err(error) => {
                tracing::warn!(error = error.explain(), "the demo cannot react; trying again");
                tokio::time::sleep(TRY_AGAIN).await;
                continue;
            }
        }
        if head.changed().await.is_err() {
            return;
        }
    }
}

/// Reacts to the next lines of the journal and tells how far it has come; nothing if there is no more.
async fn react(engine: &Engine, cast: &Cast, seen: i64) -> Result<Option<i64>> {
    let filter = JournalFilter { kinds: vec![ASKED, DECIDED], ..JournalFilter::default() };
    let range = Range { above: Some(seen), below: None, newest_first: false, limit: BATCH };
    let lines = engine.store().journal(cast.worker, &filter, range).await?;
    let last = lines.last().map(|line| line.position);
    for line in lines {
        let Ok(Event::Checkpoint(event)) = &line.event else { continue };
        let id = CheckpointId(event.checkpoint());
        let row = engine.store().checkpoint(cast.worker, id).await?;
        let Some(row) = row.filter(|row| row.status == Status::Pending) else { continue };
        let reacted = match line.kind() {
            ASKED => answer(engine, cast, &row).await,
            _ => second(engine, cast, &row).await,
        };
        match reacted {
            // Somebody was faster.
            Ok(()) | Err(Error::Refused(_)) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(last)
}

/// The agent answers what it was asked, and proposes something more careful where it can.
async fn answer(engine: &Engine, cast: &Cast, row: &CheckpointRow) -> Result<()> {
    let Some(checkpoint) = checkpoint(engine, cast.worker, row).await? else { return Ok(()) };
    let open = checkpoint.questions.iter().filter(|asked| asked.answer.is_none());
    let open: Vec<uuid::Uuid> = open.map(|asked| asked.question.id).collect();
    if open.is_empty() {
        return Ok(());
    }
    pause(engine, THINKING).await;
    let origin = Origin::default();
    // Questions about a step are put to those who wrote its agent.
    let answering = if checkpoint.kind == Kind::Step { cast.priya } else { cast.worker };
    for question in open {
        let text = "I looked again. The figures are those of this morning, and the two systems that I compared agree. \
                    If you want to be on the safe side, the alternatives below cost a day and nothing else.";
        engine.answer_about_checkpoint(answering, row.id, question, text, &origin).await?;
    }
    if checkpoint.kind == Kind::External {
        revise(engine, cast.worker, row, &checkpoint).await?;
    }
    Ok(())
}

async fn revise(engine: &Engine, worker: Scope, row: &CheckpointRow, checkpoint: &Checkpoint) -> Result<()> {
    let Some(proposal) = checkpoint.proposal() else { return Ok(()) };
    let contents = engine.contents_of(worker.workspace(), proposal).await?;
    let mut parameters = contents.parameters.to_value();
    if let Some(fields) = parameters.as_object_mut() {
        fields.insert("tellFirst".to_owned(), json!("those who are on call, an hour before"));
    }
    let wish = Wish {
        operation_type: "",
        description: proposal.description.clone(),
        parameters,
        risk_level: proposal.risk_level,
        reasoning: format!(
            "{} After your question: those who are on call are told an hour before.",
            proposal.reasoning.as_deref().unwrap_or_default()
        ),
        confidence: proposal.confidence.unwrap_or(0.8).max(0.9),
        cost_micros: proposal.estimated_cost,
        supporting_data: contents.supporting_data.map_or_else(|| json!({}), |data| data.to_value()),
        alternatives: proposal.alternatives.clone(),
    };
    let mut command = hands::request(&wish, Asking::default())?;
    command.operation_type.clone_from(&proposal.operation_type);
    engine.revise_proposal(worker, row.id, command, &Origin::default()).await?;
    Ok(())
}

/// Where several people must approve, a colleague follows the first.
async fn second(engine: &Engine, cast: &Cast, row: &CheckpointRow) -> Result<()> {
    if row.approvals == 0 || row.approvals >= row.approvals_needed {
        return Ok(());
    }
    let Some(checkpoint) = checkpoint(engine, cast.worker, row).await? else { return Ok(()) };
    let is_mina = |by: Actor| by == cast.mina.actor();
    if checkpoint.decisions.iter().any(|decision| !decision.lapsed && is_mina(decision.made.by)) {
        return Ok(());
    }
    pause(engine, NOTICING).await;
    // It may have been revised meanwhile: what she sees is what she approves.
    let Some(row) = engine.store().checkpoint(cast.mina, row.id).await? else { return Ok(()) };
    colleagues::decide(engine, cast.mina, &row, Verdict::Approve, "I have seen the photos, too.").await
}

async fn checkpoint(engine: &Engine, scope: Scope, row: &CheckpointRow) -> Result<Option<Checkpoint>> {
    let inspected = engine.inspect_executions(scope, &[row.execution]).await?;
    Ok(inspected.get(&row.execution).and_then(|inspected| inspected.state.checkpoint(row.id.0)).cloned())
}
