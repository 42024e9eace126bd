//! Where what agents ask goes: a checkpoint in the middle of their task, or one with an execution of its own.

use std::sync::Arc;

use serde_json::json;
use uuid::Uuid;

use super::{
    first_events::{FirstEvents, Written},
    hidden_workflow::REQUESTS,
    idempotent::Creation,
    lease::Lease,
};
use crate::{
    domain::{
        access::Scope,
        checkpoint::{self, AutoApproved, Checkpoint, Contents, Kind, Proposal, Requested},
        execution::{Command, CompletionReason, Event, Judged, Mode, Queued},
        id::{CheckpointId, ExecutionId},
        json::Json,
        name,
        policy::{Aspect, Outcome, Reason, Requirement},
        refusal::{Code, Refusal},
        workflow::{Gate, Plan, Values},
    },
    engine::{
        Engine, Error, Result,
        execution::{Change, Loaded, Packed, judge, policy_changed},
        policy::InForce,
    },
    store::{checkpoints::CheckpointRow, journal::Owner, payloads::Payload},
};

/// Asking the rules again because they have changed meanwhile has an end.
const MOST_TRIES: usize = 20;

/// Who asks, and how the asker finds it again.
#[derive(Debug, Clone, Default)]
pub struct Asking {
    /// The task in the middle of which it is asked; nothing for a request that stands alone.
    pub lease: Option<Lease>,
    /// The same key in the same task gives the same checkpoint.
    pub key: Option<String>,
    /// The same for a request that stands alone.
    pub idempotency_key: Option<String>,
    pub correlation_id: Option<String>,
    pub test: bool,
}

/// A proposal with its values, and who has to answer it.
struct Asked {
    kind: Kind,
    proposal: Proposal,
    contents: Contents,
    payloads: Vec<Payload>,
}

impl Engine {
    pub(super) async fn ask(
        &self,
        scope: Scope,
        asking: Asking,
        kind: Kind,
        mut proposal: Proposal,
        contents: Contents,
    ) -> Result<CheckpointRow> {
        let payloads = self.pack_proposal(&mut proposal, &contents).await;
        let asked = Asked { kind, proposal, contents, payloads };
        for _ in 0..MOST_TRIES {
            let in_force = self.in_force(scope).await?;
            let result = match &asking.lease {
                Some(lease) => self.ask_in_task(scope, lease, asking.key.as_deref(), &asked, &in_force).await,
                None => self.ask_alone(scope, &asking, &asked, &in_force).await,
            };
            if result.is_ok() {
                return result;
            }
            // What a rule approves is not written once the rules are others: they are asked again.
            self.forget_policy(scope.workspace());
            if self.in_force(scope).await?.epoch == in_force.epoch {
                return result;
            }
        }
        Err(Error::Internal(format!("the policy changed {MOST_TRIES} times while it was asked")))
    }

    /// A worker asks in the middle of its task.
    async fn ask_in_task(
        &self,
        scope: Scope,
        lease: &Lease,
        key: Option<&str>,
        asked: &Asked,
        in_force: &InForce,
    ) -> Result<CheckpointRow> {
        let key = key.map(|key| name::check("key", key, 200)).transpose()?;
        let loaded = self.leased(scope, lease).await?;
        if loaded.state.status.is_terminal() {
            let message = format!("the execution is {}: nobody needs the answer", loaded.state.status);
            return Err(Refusal::at("leaseToken", Code::Expired, message).into());
        }
        super::finish_task::check_holder(&loaded, lease)?;
        let digest = asked.proposal.digest(&asked.contents);
        if let Some(known) = known(&loaded, lease.step, key.as_deref()) {
            if known.revisions.iter().any(|revision| revision.digest == digest) {
                return self.changed_checkpoint(scope, CheckpointId(known.id)).await;
            }
            let message = "the key was used in this step for something else: use a new one, or reviseProposal";
            return Err(Refusal::at("key", Code::IdempotencyKeyReused, message).into());
        }
        let agent = loaded.state.steps.get(lease.step).and_then(|step| step.agent).map(|(agent, _)| agent);
        let context = loaded.plan.context_of(lease.step, &loaded.values);
        let input = loaded.values.input.clone();
        let root = loaded.state.root.unwrap_or(loaded.owner.execution.0);
        let opening = Opening { step: Some(lease.step), key, agent, input: &input, context: &context, root };
        let opened = self.open(scope, opening, asked, digest, in_force);
        let id = CheckpointId(opened.checkpoint());
        let epoch = by_rule(&opened).then_some(in_force.epoch);
        let command = Command::Ask { held: Some((lease.step, lease.work())), opened: Box::new(opened) };
        let change = Change { payloads: asked.payloads.clone(), epoch, ..Change::by(scope.actor(), command) };
        self.change(lease.execution, change).await?;
        self.changed_checkpoint(scope, id).await
    }

    /// A request that stands alone has an execution of its own, without steps.
    async fn ask_alone(
        &self,
        scope: Scope,
        asking: &Asking,
        asked: &Asked,
        in_force: &InForce,
    ) -> Result<CheckpointRow> {
        if asking.key.is_some() {
            let message = "`key` is for requests within a task: use `idempotencyKey` for one that stands alone";
            return Err(Refusal::invalid("key", message).into());
        }
        let correlation_id =
            asking.correlation_id.as_deref().map(|text| name::check("correlationId", text, 200)).transpose()?;
        let digest = asked.proposal.digest(&asked.contents);
        let content = json!([digest, correlation_id, asking.test]).to_string();
        let mutation = if asked.kind == Kind::Clarification { "requestClarification" } else { "requestApproval" };
        let creation = Creation::new(scope, mutation, asking.idempotency_key.as_deref(), content)?;
        let workflow = self.hidden_workflow(scope, REQUESTS).await?;
        let now = self.clock().now();
        let id = ExecutionId::new(now);
        let owner = Owner { execution: id, workspace: scope.workspace(), actor: scope.actor() };
        let empty = Json::object([]);
        let opening = Opening { step: None, key: None, agent: None, input: &empty, context: &empty, root: id.0 };
        let packed = Packed::new(empty.clone()).await;
        let queued = Event::Queued(Box::new(Queued {
            workflow: workflow.0,
            version: 0,
            steps: 0,
            mode: if asking.test { Mode::Test } else { Mode::Live },
            input: packed.data,
            correlation_id,
            origin: None,
            root: None,
            kept: Vec::new(),
        }));
        let opened = self.open(scope, opening, asked, digest, in_force);
        let checkpoint = CheckpointId(opened.checkpoint());
        let epoch = by_rule(&opened).then_some(in_force.epoch);
        let plan = Arc::new(Plan::empty());
        let values = Values { input: packed.json, outputs: Vec::new() };
        let mut loaded = Loaded::begin(owner, &queued, plan, values, now)
            .ok_or_else(|| Error::Internal("an execution that does not begin".to_owned()))?;
        let mut events = vec![queued];
        for event in [Event::Started {}, Event::Checkpoint(opened)] {
            loaded.state.apply(&event, now);
            events.push(event);
        }
        if loaded.state.pending().next().is_none() {
            let end = Event::Completed { reason: CompletionReason::Success };
            loaded.state.apply(&end, now);
            events.push(end);
        }
        let payloads = asked.payloads.clone();
        let first =
            FirstEvents { loaded, events, by_server_from: None, payloads, epoch, creation: creation.into_request() };
        let made = match self.write_first_events(first, now).await? {
            Written::Now(..) => return self.changed_checkpoint(scope, checkpoint).await,
            Written::Before(made) => made,
            Written::PolicyChanged => return Err(policy_changed()),
        };
        let made: ExecutionId = made.parse().map_err(|error| Error::Internal(format!("{error}")))?;
        let rows = self.store().checkpoints_of(scope, &[made]).await?.remove(&made).unwrap_or_default();
        rows.into_iter().next().ok_or_else(|| Error::Internal(format!("{made} has no checkpoint")))
    }

    /// Whoever asks wants an answer: where no rule has anything to say, people are asked.
    fn open(
        &self,
        scope: Scope,
        opening: Opening<'_>,
        asked: &Asked,
        digest: String,
        in_force: &InForce,
    ) -> checkpoint::Event {
        let now = self.clock().now();
        let judged = Judged {
            gate: Gate::Policy,
            proposal: &asked.proposal,
            contents: &asked.contents,
            input: opening.input,
            context: opening.context,
        };
        let outcome = match asked.kind {
            Kind::Clarification => Outcome::Proceed,
            Kind::Step | Kind::External => judge(in_force, &judged, opening.root, now),
        };
        let (checkpoint, by) = (CheckpointId::new(now).0, scope.actor());
        let (kind, proposal, policy) = (asked.kind, asked.proposal.clone(), in_force.version);
        let Opening { step, key, agent, .. } = opening;
        let asks = |requirement: Requirement| {
            let requested = Requested {
                checkpoint,
                kind,
                step,
                key: key.clone(),
                by,
                agent,
                proposal: proposal.clone(),
                digest: digest.clone(),
                items_path: None,
                requirement,
                policy,
            };
            checkpoint::Event::Requested(Box::new(requested))
        };
        match outcome {
            Outcome::Proceed => {
                let message = match kind {
                    Kind::Clarification => "an agent asks for answers",
                    Kind::Step | Kind::External => "an agent asks for approval",
                };
                let reasons = vec![Reason::new(None, Aspect::Gate, message)];
                asks(Requirement { reasons, ..Requirement::default() })
            }
            Outcome::Ask(requirement) => asks(*requirement),
            Outcome::AutoApproved(approval) => {
                let approved = AutoApproved {
                    checkpoint,
                    kind,
                    step,
                    key: key.clone(),
                    by,
                    agent,
                    proposal: proposal.clone(),
                    digest: digest.clone(),
                    rule: approval.rule,
                    reasons: approval.reasons,
                    instead_of: approval.instead_of,
                    notice: Some(approval.notice),
                    fingerprint: approval.fingerprint,
                    policy,
                };
                checkpoint::Event::AutoApproved(Box::new(approved))
            }
        }
    }
}

/// Whether a rule has approved what was asked.
fn by_rule(opened: &checkpoint::Event) -> bool {
    matches!(opened, checkpoint::Event::AutoApproved(_))
}

/// Where something is asked.
struct Opening<'a> {
    step: Option<usize>,
    key: Option<String>,
    agent: Option<Uuid>,
    input: &'a Json,
    context: &'a Json,
    root: Uuid,
}

/// What was asked in a step under a key before. A later attempt asks anew.
fn known<'a>(loaded: &'a Loaded, step: usize, key: Option<&str>) -> Option<&'a Checkpoint> {
    let key = key?;
    let begun = loaded.state.steps.get(step).and_then(|step| step.started_at);
    let of_step = loaded.state.checkpoints.iter().filter(|found| found.step == Some(step));
    let mut same = of_step.filter(|found| found.key.as_deref() == Some(key));
    same.find(|found| {
        found.status != checkpoint::Status::Cancelled || begun.is_none_or(|begun| found.requested_at >= begun)
    })
}
