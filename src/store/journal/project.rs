//! From an execution's state to the rows that queries read.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::{
    domain::{
        access::Actor,
        agent::RiskLevel,
        checkpoint::{Audience, Checkpoint, Decision, Evidence, Lesson, Verdict, is_modified},
        execution::{Mode, State, Status, StepState, StepStatus, Work},
        id::{ExecutionId, WorkspaceId},
        policy::Requirement,
    },
    store::{actor, executions::Execution, micros},
};

/// The rows of an execution that a decision changed.
#[derive(Debug, Clone, PartialEq)]
pub struct Projection {
    pub(in crate::store) execution: entity::execution::Model,
    pub(in crate::store) steps: Vec<entity::step_run::Model>,
    pub(in crate::store) tasks: Vec<entity::task::Model>,
    pub(in crate::store) gone_tasks: Vec<Uuid>,
    pub(in crate::store) checkpoints: Vec<entity::checkpoint::Model>,
    pub(in crate::store) audiences: Vec<entity::audience::Model>,
    pub(in crate::store) cases: Vec<entity::learning_case::Model>,
    pub(in crate::store) evidence: Vec<entity::rule_evidence::Model>,
}

impl Projection {
    /// The execution as queries will find it.
    pub fn execution(&self) -> Execution {
        self.execution.clone().into()
    }

    /// Until when a worker holds what it took. The journal does not keep it: it is prolonged again and again.
    pub fn lease_until(mut self, at: DateTime<Utc>) -> Self {
        for task in self.tasks.iter_mut().filter(|task| task.lease_id.is_some()) {
            task.lease_until = Some(micros::from_time(at));
        }
        self
    }
}

/// Whose execution it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Owner {
    pub execution: ExecutionId,
    pub workspace: WorkspaceId,
    pub actor: Actor,
}

/// An execution as queries find it in this state.
pub fn found(owner: Owner, state: &State) -> Execution {
    execution_row(owner, state, None).into()
}

/// The rows that differ between two states; all of them without an earlier one. `wake_at` is when the execution must
/// be looked at again.
pub fn project(owner: Owner, before: Option<&State>, after: &State, wake_at: Option<DateTime<Utc>>) -> Projection {
    let mut projection = Projection {
        execution: execution_row(owner, after, wake_at),
        steps: Vec::new(),
        tasks: Vec::new(),
        gone_tasks: Vec::new(),
        checkpoints: Vec::new(),
        audiences: Vec::new(),
        cases: Vec::new(),
        evidence: Vec::new(),
    };
    let paused = |state: &State| state.status == Status::Paused;
    for (number, step) in after.steps.iter().enumerate() {
        let earlier = before.and_then(|before| before.steps.get(number));
        // A step has a row as soon as something has happened to it.
        if earlier != Some(step) && !step.is_untouched() {
            projection.steps.push(step_row(owner, number, step));
        }
        let new_task = task_row(owner, number, step, paused(after));
        let old_task = before.zip(earlier).and_then(|(before, step)| task_row(owner, number, step, paused(before)));
        if new_task != old_task {
            let kept = new_task.as_ref().map(|task| task.id);
            projection.gone_tasks.extend(old_task.map(|task| task.id).filter(|id| Some(*id) != kept));
            projection.tasks.extend(new_task);
        }
    }
    for (number, checkpoint) in after.checkpoints.iter().enumerate() {
        if before.and_then(|before| before.checkpoints.get(number)) != Some(checkpoint) {
            let audience = Audience::of(checkpoint, owner.actor);
            projection.checkpoints.push(checkpoint_row(owner, after, checkpoint, audience.as_ref()));
            projection.audiences.extend(audience.map(|audience| audience_row(owner, &audience)));
            let lesson = Lesson::of(checkpoint);
            projection.cases.extend(lesson.map(|lesson| case_row(owner, after, checkpoint, &lesson)));
            let evidence = Evidence::of(checkpoint).into_iter();
            projection.evidence.extend(evidence.map(|evidence| evidence_row(owner, checkpoint, evidence)));
        }
    }
    projection
}

fn execution_row(owner: Owner, state: &State, wake_at: Option<DateTime<Utc>>) -> entity::execution::Model {
    let (actor_kind, actor_id) = actor::columns(owner.actor);
    let finish = state.finish.as_ref();
    entity::execution::Model {
        id: owner.execution.0,
        workspace_id: owner.workspace.0,
        workflow_id: state.workflow,
        workflow_version: state.version,
        mode: state.mode.as_str().to_owned(),
        status: state.status.as_str().to_owned(),
        completion_reason: finish.map(|finish| finish.reason.as_str().to_owned()),
        seq: big(state.seq),
        steps_total: i32::try_from(state.steps.len()).unwrap_or(i32::MAX),
        steps_done: i32::try_from(state.steps_done()).unwrap_or(i32::MAX),
        correlation_id: state.correlation_id.clone(),
        origin_id: state.origin.as_ref().map(|origin| origin.execution),
        origin_kind: state.origin.as_ref().map(|origin| origin.kind.as_str().to_owned()),
        origin_step: state.origin.as_ref().and_then(|origin| origin.from_step.clone()),
        actor_kind,
        actor_id,
        created_at: micros::from_time(state.created_at),
        started_at: state.started_at.map(micros::from_time),
        finished_at: finish.map(|finish| micros::from_time(finish.at)),
        ran_for: state.ran_for.num_microseconds().unwrap_or(i64::MAX),
        running_since: state.running_since.map(micros::from_time),
        wake_at: wake_at.map(micros::from_time),
        llm_calls: big(state.usage.llm_calls),
        tokens: big(state.usage.tokens),
        cost_micros: big(state.usage.cost_micros),
    }
}

fn step_row(owner: Owner, number: usize, step: &StepState) -> entity::step_run::Model {
    let (agent, agent_version) = step.agent.unzip();
    entity::step_run::Model {
        execution_id: owner.execution.0,
        step: i32::try_from(number).unwrap_or(i32::MAX),
        status: step.status.as_str().to_owned(),
        attempt: signed(step.attempt),
        agent_id: agent,
        agent_version: agent_version.unwrap_or(0),
        server_id: match (&step.work, step.status) {
            (Some(Work::Server(server)), StepStatus::Running) => Some(*server),
            _ => None,
        },
        started_at: step.started_at.map(micros::from_time),
        finished_at: step.finished_at.map(micros::from_time),
        retry_at: step.retry_at.map(micros::from_time),
        finished_seq: step.finished_seq.map(big),
        llm_calls: big(step.usage.llm_calls),
        tokens: big(step.usage.tokens),
        cost_micros: big(step.usage.cost_micros),
    }
}

/// The task of a step that waits for somebody or is in a worker's hands.
fn task_row(owner: Owner, number: usize, step: &StepState, paused: bool) -> Option<entity::task::Model> {
    let (id, queue) = step.task.clone()?;
    let (state, lease, worker) = match (step.status, &step.work) {
        (StepStatus::Scheduled, _) if paused => ("HELD", None, None),
        (StepStatus::Scheduled, _) => ("AVAILABLE", None, None),
        (StepStatus::Running, Some(Work::Worker { id, lease })) => ("CLAIMED", Some(*lease), Some(id.clone())),
        _ => return None,
    };
    Some(entity::task::Model {
        id,
        workspace_id: owner.workspace.0,
        execution_id: owner.execution.0,
        step: i32::try_from(number).unwrap_or(i32::MAX),
        attempt: signed(step.attempt),
        agent_id: step.agent.unwrap_or_default().0,
        queue,
        state: state.to_owned(),
        available_at: step.scheduled_at.map(micros::from_time).unwrap_or_default(),
        lease_id: lease,
        lease_until: None,
        worker_id: worker,
        progress: None,
    })
}

fn checkpoint_row(
    owner: Owner,
    state: &State,
    checkpoint: &Checkpoint,
    audience: Option<&Audience>,
) -> entity::checkpoint::Model {
    let current = checkpoint.current();
    let proposal = current.map(|revision| &revision.proposal);
    let risk = proposal.map_or(RiskLevel::Low, |proposal| proposal.risk_level);
    let approves = |decision: &&Decision| decision.made.verdict == Verdict::Approve;
    let deadline = checkpoint.deadline.map(micros::from_time);
    entity::checkpoint::Model {
        id: checkpoint.id,
        workspace_id: owner.workspace.0,
        execution_id: owner.execution.0,
        workflow_id: state.workflow,
        step: checkpoint.step.map(|step| i32::try_from(step).unwrap_or(i32::MAX)),
        agent_id: checkpoint.agent,
        kind: checkpoint.kind.as_str().to_owned(),
        status: checkpoint.status.as_str().to_owned(),
        test: state.mode == Mode::Test,
        operation_type: proposal.map(|proposal| proposal.operation_type.clone()).unwrap_or_default(),
        description: proposal.map(|proposal| proposal.description.clone()).unwrap_or_default(),
        risk_level: risk.as_str().to_owned(),
        risk_order: RiskLevel::Critical as i32 - risk as i32,
        confidence: proposal.and_then(|proposal| proposal.confidence),
        estimated_cost: proposal.and_then(|proposal| proposal.estimated_cost).map(big),
        items: proposal.and_then(|proposal| proposal.item_count).map(signed),
        rule: checkpoint.rule().map(ToOwned::to_owned),
        policy: checkpoint.policy,
        audience: audience.map(|audience| audience.name.clone()),
        approvals: i32::try_from(checkpoint.live_decisions().filter(approves).count()).unwrap_or(i32::MAX),
        approvals_needed: signed(checkpoint.requirement.as_ref().map_or(0, Requirement::approvals)),
        assignee_id: checkpoint.assignee,
        revision: signed(current.map_or(1, |revision| revision.number)),
        digest: current.map(|revision| revision.digest.clone()).unwrap_or_default(),
        requested_at: micros::from_time(checkpoint.requested_at),
        deadline,
        deadline_order: deadline.unwrap_or(i64::MAX),
        escalated_at: checkpoint.escalated_at.map(micros::from_time),
        reminders: signed(checkpoint.reminders),
        resolved_at: checkpoint.resolved_at.map(micros::from_time),
        modified: is_modified(checkpoint),
        overridden_at: checkpoint.overridden.as_ref().map(|overridden| micros::from_time(overridden.at)),
    }
}

fn case_row(owner: Owner, state: &State, checkpoint: &Checkpoint, lesson: &Lesson) -> entity::learning_case::Model {
    let proposal = checkpoint.proposal();
    entity::learning_case::Model {
        id: checkpoint.id,
        workspace_id: owner.workspace.0,
        execution_id: owner.execution.0,
        workflow_id: state.workflow,
        agent_id: checkpoint.agent,
        kind: lesson.kind.as_str().to_owned(),
        test: state.mode == Mode::Test,
        operation_type: proposal.map(|proposal| proposal.operation_type.clone()).unwrap_or_default(),
        risk_level: proposal.map_or(RiskLevel::Low, |proposal| proposal.risk_level).as_str().to_owned(),
        person_id: lesson.person,
        reason: lesson.reason.clone(),
        changes: serde_json::to_string(&lesson.changes).unwrap_or_default(),
        proposed_revision: signed(lesson.proposed),
        decided_revision: signed(lesson.decided),
        at: micros::from_time(lesson.at),
    }
}

fn evidence_row(owner: Owner, checkpoint: &Checkpoint, evidence: Evidence) -> entity::rule_evidence::Model {
    entity::rule_evidence::Model {
        checkpoint_id: checkpoint.id,
        rule: evidence.rule,
        workspace_id: owner.workspace.0,
        execution_id: owner.execution.0,
        fingerprint: evidence.fingerprint,
        agreed: evidence.agreed,
        at: micros::from_time(evidence.at),
    }
}

fn audience_row(owner: Owner, audience: &Audience) -> entity::audience::Model {
    entity::audience::Model {
        workspace_id: owner.workspace.0,
        name: audience.name.clone(),
        members: serde_json::to_string(&audience.members).unwrap_or_default(),
        barred: serde_json::to_string(&audience.barred).unwrap_or_default(),
    }
}

fn signed(number: u32) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}

fn big(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
