//! Cases to learn from as lines of a file, for fine-tuning and evaluation.

use std::collections::HashMap;

use futures_util::{Stream, stream};
use serde_json::{Value, json};
use uuid::Uuid;

use super::past::value;
use crate::{
    domain::{
        access::Scope,
        checkpoint::{self, Contents, Proposal},
        execution::Event,
        id::{AgentId, ExecutionId, WorkflowId},
    },
    engine::{Engine, Error, Result},
    store::{
        learning_cases::{Filter, LearningCase},
        page::{Cursor, Page},
    },
};

/// How many cases are read at once.
const BATCH: u64 = 200;
const KINDS: &[&str] = &["checkpoint.requested", "checkpoint.auto_approved", "checkpoint.revised"];

impl Engine {
    /// The cases that fit a filter, oldest first, each as an object. Who decided is not in it.
    pub fn learning_lines(&self, scope: Scope, filter: Filter) -> impl Stream<Item = Result<Vec<Value>>> + use<> {
        let begin = (self.clone(), filter, Some(None));
        stream::try_unfold(begin, move |(engine, filter, after)| async move {
            let Some(after) = after else { return Ok(None) };
            let page = Page { size: BATCH, from_end: false, after, before: None };
            let found = engine.store().learning_cases(scope, &filter, false, &page).await?;
            let next: Option<Cursor> = found.rows.last().map(|(cursor, _)| cursor.clone());
            let cases: Vec<LearningCase> = found.rows.into_iter().map(|(_, case)| case).collect();
            let lines = engine.lines_of(scope, &cases).await?;
            Ok(next.map(|next| (lines, (engine, filter, Some(Some(next))))))
        })
    }

    async fn lines_of(&self, scope: Scope, cases: &[LearningCase]) -> Result<Vec<Value>> {
        let mut executions: Vec<ExecutionId> = cases.iter().map(|case| case.execution).collect();
        executions.sort_unstable();
        executions.dedup();
        let mut proposals: HashMap<(Uuid, u32), Proposal> = HashMap::new();
        for entry in self.store().events_of(scope, &executions, KINDS).await?.into_values().flatten() {
            let Ok(Event::Checkpoint(event)) = entry.event else { continue };
            match event {
                checkpoint::Event::Requested(requested) => {
                    proposals.insert((requested.checkpoint, 1), requested.proposal);
                }
                checkpoint::Event::AutoApproved(approved) => {
                    proposals.insert((approved.checkpoint, 1), approved.proposal);
                }
                checkpoint::Event::Revised(revised) => {
                    proposals.insert((revised.checkpoint, revised.number), revised.proposal);
                }
                _ => {}
            }
        }
        let values = self.stored_values(scope, proposals.values(), std::iter::empty(), true).await?;
        let workflows: Vec<WorkflowId> = cases.iter().map(|case| case.workflow).collect();
        let workflows = self.store().workflows_by_id(scope, &workflows).await?;
        let agents: Vec<AgentId> = cases.iter().filter_map(|case| case.agent).collect();
        let agents = self.store().agents_by_id(scope, &agents).await?;
        let shown = |case: &LearningCase, revision: u32| -> Result<Value> {
            let gone = || Error::Internal(format!("the journal has no revision {revision} of {}", case.checkpoint()));
            let proposal = proposals.get(&(case.id.0, revision)).ok_or_else(gone)?;
            let kept = |data: &Option<_>| data.as_ref().map(|data| value(&values, data)).transpose();
            let contents = Contents {
                parameters: value(&values, &proposal.parameters)?,
                supporting_data: kept(&proposal.supporting_data)?,
                items: kept(&proposal.items)?,
            };
            Ok(proposal.shown(&contents))
        };
        let line = |case: &LearningCase| -> Result<Value> {
            let workflow = workflows.get(&case.workflow).filter(|workflow| !workflow.hidden);
            let agent = case.agent.and_then(|agent| agents.get(&agent));
            Ok(json!({
                "id": case.id.to_string(),
                "kind": case.kind.as_str(),
                "at": case.at.to_rfc3339_opts(chrono::SecondsFormat::Micros, true),
                "operationType": case.operation_type,
                "riskLevel": case.risk_level.as_str(),
                "workflow": workflow.map(|workflow| &workflow.name),
                "agent": agent.map(|agent| &agent.name),
                "proposed": shown(case, case.proposed)?,
                "decided": shown(case, case.decided)?,
                "changes": case.changes,
                "reason": case.reason,
            }))
        };
        let lines: Result<Vec<Value>> = cases.iter().map(line).collect();
        lines
    }
}
