//! Where what agents ask goes: a checkpoint in the middle of their task, or one with an execution of its own.

use std::sync::Arc;

use serde_json::json;
use uuid::Uuid;

use super::{
    first_events::{FirstEvents, Written},
    hidden_workflow::{REQUESTS, REVIEWS},
    idempotent::Creation,
    lease::Lease,
};
use crate::{
    domain::{
        access::Scope,
        agent::RiskLevel,
        checkpoint::{self, AutoApproved, Checkpoint, Contents, Kind, Proposal, Requested, Revision},
        execution::{Command, CompletionReason, Event, Judged, Mode, Queued},
        id::{AgentId, CheckpointId, ExecutionId},
        json::Json,
        name,
        policy::{Asker, Aspect, Outcome, Reason, Requester, Requirement},
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
#[derive(Clone)]
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
        if let Some(known) = known(&loaded, lease.step, key.as_deref()) {
            if known.revisions.iter().any(|revision| asked.is(revision)) {
                return self.changed_checkpoint(scope, CheckpointId(known.id)).await;
            }
            let message = "the key was used in this step for something else: use a new one, or reviseProposal";
            return Err(Refusal::at("key", Code::IdempotencyKeyReused, message).into());
        }
        let agent = loaded.state.steps.get(lease.step).and_then(|step| step.agent);
        let asked = &asked.raised(in_force, self.risk_of_agent(scope, agent).await?);
        let digest = asked.proposal.digest(&asked.contents);
        let agent = agent.map(|(agent, _)| agent);
        let context = loaded.plan.context_of(lease.step, &loaded.values);
        let input = loaded.values.input.clone();
        let opening = Opening { step: Some(lease.step), key, agent, input: &input, context: &context };
        let opened = self.open(scope, opening, asked, digest, in_force).await?;
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
        self.permit_outside_of_workflows(scope, "a request that stands alone is in none of them").await?;
        let correlation_id =
            asking.correlation_id.as_deref().map(|text| name::check("correlationId", text, 200)).transpose()?;
        // A key stands for what the caller said, whatever the rules make of it.
        let content = json!([asked.proposal.digest(&asked.contents), correlation_id, asking.test]).to_string();
        let mutation = if asked.kind == Kind::Clarification { "requestClarification" } else { "requestApproval" };
        let creation = Creation::new(scope, mutation, asking.idempotency_key.as_deref(), content)?;
        let asked = &asked.raised(in_force, None);
        let digest = asked.proposal.digest(&asked.contents);
        let heading = if asked.proposal.changes.is_some() { REVIEWS } else { REQUESTS };
        let workflow = self.hidden_workflow(scope, heading).await?;
        let now = self.clock().now();
        let id = ExecutionId::new(now);
        let owner = Owner { execution: id, workspace: scope.workspace(), actor: scope.actor() };
        let empty = Json::object([]);
        let opening = Opening { step: None, key: None, agent: None, input: &empty, context: &empty };
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
        let opened = self.open(scope, opening, asked, digest, in_force).await?;
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
        let made = match self.write_first_events(first, now, |_, _| ()).await? {
            Written::Now(..) => return self.changed_checkpoint(scope, checkpoint).await,
            Written::Before(made) => made,
            Written::PolicyChanged => return Err(policy_changed()),
        };
        let made: ExecutionId = made.parse().map_err(|error| Error::Internal(format!("{error}")))?;
        let rows = self.store().checkpoints_of(scope, &[made]).await?.remove(&made).unwrap_or_default();
        rows.into_iter().next().ok_or_else(|| Error::Internal(format!("{made} has no checkpoint")))
    }

    /// Whoever asks wants an answer: where no rule has anything to say, people are asked.
    async fn open(
        &self,
        scope: Scope,
        opening: Opening<'_>,
        asked: &Asked,
        digest: String,
        in_force: &InForce,
    ) -> Result<checkpoint::Event> {
        let now = self.clock().now();
        let judged = Judged {
            gate: gate_of(&asked.proposal),
            asked_by: Asker::Caller,
            proposal: &asked.proposal,
            contents: &asked.contents,
            input: opening.input,
            context: opening.context,
        };
        let outcome = match asked.kind {
            Kind::Clarification => Outcome::Proceed,
            Kind::Step | Kind::External => {
                let requester = self.may_request(scope, &asked.proposal, in_force).await?;
                judge(in_force, &judged, &requester, now)
            }
        };
        let (checkpoint, by) = (CheckpointId::new(now).0, scope.actor());
        let (kind, proposal, policy) = (asked.kind, asked.proposal.clone(), in_force.version);
        let Opening { step, key, agent, .. } = opening;
        let asks = |requirement: Requirement| {
            // Who wants to change the rules does not approve that.
            let requirement = match proposal.changes {
                Some(_) => requirement.and(&Requirement { separation_of_duties: true, ..Requirement::default() }),
                None => requirement,
            };
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
        Ok(match outcome {
            Outcome::Proceed if kind == Kind::Clarification => {
                let reasons = vec![Reason::new(None, Aspect::Gate, "an agent asks for answers")];
                asks(Requirement { reasons, ..Requirement::default() })
            }
            Outcome::Proceed => asks(Requirement::of_request()),
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
        })
    }

    /// Who asks, unless the policy does not let them ask for such an action.
    pub(super) async fn may_request(&self, scope: Scope, proposal: &Proposal, in_force: &InForce) -> Result<Requester> {
        let requester = self.requester(scope, scope.actor(), &in_force.policy).await?;
        // What the server asks about itself is no caller's word.
        match in_force.policy.refusal(&proposal.operation_type, &requester).filter(|_| proposal.changes.is_none()) {
            Some(why) => Err(Refusal::at("operationType", Code::NotAllowed, why).into()),
            None => Ok(requester),
        }
    }

    /// How risky the agent is in the middle of whose work something is asked.
    pub(super) async fn risk_of_agent(&self, scope: Scope, agent: Option<(Uuid, i32)>) -> Result<Option<RiskLevel>> {
        let Some((agent, version)) = agent else { return Ok(None) };
        let prepared = self.prepared_agent(scope, AgentId(agent), version).await?;
        Ok(prepared.map(|prepared| prepared.spec.risk_level))
    }
}

impl Asked {
    /// The same, at least as risky as the catalogue and the agent say.
    fn raised(&self, in_force: &InForce, agent: Option<RiskLevel>) -> Self {
        let mut raised = self.clone();
        // Answers to questions are no action.
        if self.kind != Kind::Clarification {
            raised.proposal.risk_level = least_risk(&self.proposal, in_force, agent);
        }
        raised
    }

    /// Whether it is what an earlier request asked for, however risky that counted then.
    fn is(&self, revision: &Revision) -> bool {
        let risk_level = revision.proposal.risk_level.max(self.proposal.risk_level);
        let same = Proposal { risk_level, ..self.proposal.clone() };
        revision.digest == same.digest(&self.contents)
    }
}

/// How risky a proposal of a caller counts: callers can only raise it.
pub(super) fn least_risk(proposal: &Proposal, in_force: &InForce, agent: Option<RiskLevel>) -> RiskLevel {
    let said = agent.map_or(proposal.risk_level, |agent| agent.max(proposal.risk_level));
    in_force.policy.risk_of(&proposal.operation_type, said)
}

/// Only people approve what changes the rules.
pub(in crate::engine) fn gate_of(proposal: &Proposal) -> Gate {
    if proposal.changes.is_some() { Gate::Always } else { Gate::Policy }
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
