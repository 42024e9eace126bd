//! Proposals of the past, with what was around them.

use std::collections::HashMap;

use chrono::TimeDelta;
use uuid::Uuid;

use crate::{
    domain::{
        access::{Actor, Scope},
        agent,
        checkpoint::{self, Contents, Proposal, Status},
        execution::{Data, Event, PayloadHash, Queued},
        id::{AgentId, CheckpointId, ExecutionId, WorkflowId},
        json::Json,
        policy::Asker,
        workflow::Gate,
    },
    engine::{Engine, Error, Result},
    store::{
        agents::Agent,
        checkpoints::{CheckpointRow, Past},
    },
};

const KINDS: &[&str] = &["execution.queued", "checkpoint.requested", "checkpoint.auto_approved"];

/// What really became of a proposal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Actual {
    /// People approved it as it was.
    Approved,
    /// People approved something else.
    Modified,
    /// People rejected it.
    Rejected,
    /// Nobody decided in time.
    TimedOut,
    /// A rule approved it.
    AutoApproved,
    /// A rule approved it, and somebody would not have.
    Overridden,
    /// Nobody needed the decision any more.
    Cancelled,
    /// It still waits.
    Pending,
}

impl Actual {
    pub fn of(row: &CheckpointRow) -> Self {
        match row.status {
            Status::Approved if row.modified => Actual::Modified,
            // Silence that counted as consent was nobody's decision.
            Status::Approved if row.approvals == 0 => Actual::TimedOut,
            Status::Approved => Actual::Approved,
            Status::Rejected => Actual::Rejected,
            Status::TimedOut => Actual::TimedOut,
            Status::AutoApproved if row.overridden_at.is_some() => Actual::Overridden,
            Status::AutoApproved => Actual::AutoApproved,
            Status::Cancelled => Actual::Cancelled,
            Status::Pending => Actual::Pending,
        }
    }

    /// Whether people wanted exactly what was proposed; nothing if none of them said so.
    pub fn approves(self) -> Option<bool> {
        match self {
            Actual::Approved => Some(true),
            Actual::Modified | Actual::Rejected | Actual::Overridden => Some(false),
            Actual::TimedOut | Actual::AutoApproved | Actual::Cancelled | Actual::Pending => None,
        }
    }
}

/// A proposal as rules saw it.
pub struct PastProposal {
    pub row: CheckpointRow,
    pub proposal: Proposal,
    pub contents: Contents,
    pub input: Json,
    pub context: Json,
    pub gate: Gate,
    pub asked_by: Asker,
    /// Who asked, or who started the execution.
    pub requester: Actor,
}

impl PastProposal {
    /// How long it waited until something became of it.
    pub fn waited(&self) -> Option<TimeDelta> {
        self.row.resolved_at.map(|resolved| resolved - self.row.requested_at)
    }
}

impl Engine {
    /// The next proposals of a time, oldest first. What is around them costs more, and is left out unless asked for.
    pub(super) async fn past_proposals(
        &self,
        scope: Scope,
        past: &Past,
        above: Option<CheckpointId>,
        limit: u64,
        around: bool,
    ) -> Result<Vec<PastProposal>> {
        let rows = self.store().past_checkpoints(scope, past, above, limit).await?;
        let mut executions: Vec<ExecutionId> = rows.iter().map(|row| row.execution).collect();
        executions.sort_unstable();
        executions.dedup();
        let mut begun: HashMap<ExecutionId, Box<Queued>> = HashMap::new();
        let mut proposals: HashMap<Uuid, (Actor, Proposal)> = HashMap::new();
        for (execution, entries) in self.store().events_of(scope, &executions, KINDS).await? {
            for entry in entries {
                match entry.event {
                    Ok(Event::Queued(queued)) => _ = begun.insert(execution, queued),
                    Ok(Event::Checkpoint(checkpoint::Event::Requested(requested))) => {
                        proposals.insert(requested.checkpoint, (requested.by, requested.proposal));
                    }
                    Ok(Event::Checkpoint(checkpoint::Event::AutoApproved(approved))) => {
                        proposals.insert(approved.checkpoint, (approved.by, approved.proposal));
                    }
                    _ => {}
                }
            }
        }
        let proposed = proposals.values().map(|(_, proposal)| proposal);
        let values = self.stored_values(scope, proposed, begun.values().map(Box::as_ref), around).await?;
        let plans = self.plans(scope, &versions(begun.values().map(Box::as_ref))).await?;
        let contexts = if around { self.contexts(scope, &executions).await? } else { HashMap::new() };
        let starters = self.store().executions_by_id(scope, &executions).await?;
        let mut agents: Vec<AgentId> = rows.iter().filter_map(|row| row.agent).collect();
        agents.sort_unstable();
        agents.dedup();
        let agents = self.store().agents_by_id(scope, &agents).await?;
        let mut found = Vec::with_capacity(rows.len());
        for row in rows {
            let (Some((asker, proposal)), Some(queued)) = (proposals.remove(&row.id.0), begun.get(&row.execution))
            else {
                return Err(Error::Internal(format!("the journal has no proposal of {}", row.id)));
            };
            let value = |data: &Data| value(&values, data);
            let kept = |data: &Option<Data>| data.as_ref().filter(|_| around).map(&value).transpose();
            let contents = Contents {
                parameters: value(&proposal.parameters)?,
                supporting_data: kept(&proposal.supporting_data)?,
                items: kept(&proposal.items)?,
            };
            let input = if around { value(&queued.input)? } else { Json::object([]) };
            let plan = plans.get(&(WorkflowId(queued.workflow), queued.version));
            let own_gate = row.kind == checkpoint::Kind::Step;
            let step = row.step.filter(|_| own_gate).and_then(|step| plan?.steps().get(step).map(|step| step.gate));
            let context = row.step.and_then(|step| contexts.get(&row.execution)?.get(step).cloned());
            found.push(PastProposal {
                proposal,
                contents,
                input,
                context: context.unwrap_or_else(|| Json::object([])),
                gate: step.unwrap_or(Gate::Policy),
                asked_by: match row.kind {
                    checkpoint::Kind::External | checkpoint::Kind::Clarification => Asker::Caller,
                    checkpoint::Kind::Step if row.agent.is_some_and(|agent| computes(&agents, agent)) => {
                        Asker::Computation
                    }
                    checkpoint::Kind::Step => Asker::Step,
                },
                requester: match row.kind {
                    checkpoint::Kind::Step => {
                        starters.get(&row.execution).map_or(Actor::System, |execution| execution.actor)
                    }
                    checkpoint::Kind::External | checkpoint::Kind::Clarification => asker,
                },
                row,
            });
        }
        Ok(found)
    }

    /// The values behind references that will be looked at.
    pub(super) async fn stored_values<'a>(
        &self,
        scope: Scope,
        proposals: impl Iterator<Item = &'a Proposal>,
        begun: impl Iterator<Item = &'a Queued>,
        around: bool,
    ) -> Result<HashMap<PayloadHash, Json>> {
        let mut hashes = Vec::new();
        let mut note = |data: &Data| {
            if let Data::Stored { hash, .. } = data {
                hashes.push(*hash);
            }
        };
        for proposal in proposals {
            note(&proposal.parameters);
            proposal.supporting_data.iter().chain(&proposal.items).filter(|_| around).for_each(&mut note);
        }
        begun.filter(|_| around).for_each(|queued| note(&queued.input));
        Ok(self.store().payloads(scope, &hashes).await?)
    }

    /// What each step of executions could see.
    async fn contexts(&self, scope: Scope, executions: &[ExecutionId]) -> Result<HashMap<ExecutionId, Vec<Json>>> {
        let mut contexts = HashMap::new();
        for (id, inspected) in self.inspect_executions(scope, executions).await? {
            let values = self.values_of(scope.workspace(), &inspected.state).await?;
            let steps = 0..inspected.plan.steps().len();
            contexts.insert(id, steps.map(|step| inspected.plan.context_of(step, &values)).collect());
        }
        Ok(contexts)
    }
}

/// Whether an agent only computes. One that is gone may have done anything.
fn computes(agents: &HashMap<AgentId, Agent>, agent: AgentId) -> bool {
    agents.get(&agent).is_some_and(|agent| agent.kind == agent::Kind::Transform)
}

fn versions<'a>(begun: impl Iterator<Item = &'a Queued>) -> Vec<(WorkflowId, i32)> {
    let mut versions: Vec<(WorkflowId, i32)> =
        begun.map(|queued| (WorkflowId(queued.workflow), queued.version)).collect();
    versions.sort_unstable();
    versions.dedup();
    versions
}

pub(super) fn value(values: &HashMap<PayloadHash, Json>, data: &Data) -> Result<Json> {
    match data {
        Data::Inline(json) => Ok(json.clone()),
        Data::Stored { hash, .. } => {
            let gone = || Error::Internal(format!("the stored value {hash} is gone"));
            values.get(hash).cloned().ok_or_else(gone)
        }
    }
}
