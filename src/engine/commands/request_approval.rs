//! Agents ask people: for an approval, or for answers.

use std::sync::Arc;

use serde_json::json;
use uuid::Uuid;

use super::{
    decide_checkpoint::LONGEST_REMARK,
    hidden_workflow::REQUESTS,
    idempotent::{Creation, key_reused},
    lease::Lease,
};
use crate::{
    domain::{
        access::Scope,
        agent::RiskLevel,
        checkpoint::{self, AutoApproved, Checkpoint, Contents, Kind, Proposal, Question, Requested, items},
        execution::{Command, CompletionReason, Event, Judged, Mode, Queued},
        id::{CheckpointId, ExecutionId},
        json::Json,
        name,
        policy::{Aspect, Outcome, Reason, Requirement},
        refusal::{Code, Refusal},
        schema,
        workflow::{Gate, Plan, Values},
    },
    engine::{
        Engine, Error, Result,
        error::Problems,
        execution::{Change, Loaded, Packed, judge},
        policy::InForce,
    },
    store::{
        checkpoints::CheckpointRow,
        journal::{Append, Appended, Owner, project},
        payloads::Payload,
    },
};

const LONGEST_WORD: usize = 100;
const LONGEST_TEXT: usize = 100_000;
const MOST_ALTERNATIVES: usize = 20;
const MOST_QUESTIONS: usize = 50;
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

/// What somebody wants to do.
#[derive(Debug, Clone)]
pub struct RequestApproval {
    pub asking: Asking,
    pub operation_type: String,
    pub description: String,
    pub parameters: Json,
    pub risk_level: RiskLevel,
    pub reasoning: Option<String>,
    pub confidence: Option<f64>,
    pub estimated_cost: Option<u64>,
    pub supporting_data: Option<Json>,
    pub alternatives: Vec<String>,
    /// A list of objects.
    pub items: Option<Json>,
}

/// What somebody wants to know.
#[derive(Debug, Clone)]
pub struct RequestClarification {
    pub asking: Asking,
    pub description: Option<String>,
    /// Each with an id of its own or none, its text and what its answer must look like.
    pub questions: Vec<(Option<String>, String, Option<Json>)>,
    pub supporting_data: Option<Json>,
}

/// A proposal with its values, and who has to answer it.
struct Asked {
    kind: Kind,
    proposal: Proposal,
    contents: Contents,
    payloads: Vec<Payload>,
}

impl Engine {
    pub async fn request_approval(&self, scope: Scope, command: RequestApproval) -> Result<CheckpointRow> {
        let (proposal, contents) = self.check_proposal(&command)?;
        self.ask(scope, command.asking, Kind::External, proposal, contents).await
    }

    pub async fn request_clarification(&self, scope: Scope, command: RequestClarification) -> Result<CheckpointRow> {
        let questions = check_questions(command.questions)?;
        let description =
            command.description.as_deref().map(|text| name::check_text("description", text, LONGEST_REMARK));
        let description = description.transpose()?.filter(|text| !text.trim().is_empty());
        let first = questions.first().map(|question| question.text.clone()).unwrap_or_default();
        let contents = Contents { parameters: Json::object([]), supporting_data: command.supporting_data, items: None };
        let proposal = Proposal {
            operation_type: "clarification".to_owned(),
            description: description.unwrap_or(first),
            parameters: crate::domain::execution::Data::Inline(Json::object([])),
            risk_level: RiskLevel::Low,
            reasoning: None,
            confidence: None,
            estimated_cost: None,
            supporting_data: None,
            alternatives: Vec::new(),
            items: None,
            item_count: None,
            questions,
            answered: Vec::new(),
        };
        self.ask(scope, command.asking, Kind::Clarification, proposal, contents).await
    }

    /// Checks what somebody wants to do, all of it at once.
    pub(super) fn check_proposal(&self, command: &RequestApproval) -> Result<(Proposal, Contents)> {
        let mut problems = Problems::default();
        let operation_type = problems.take(name::check("operationType", &command.operation_type, LONGEST_WORD));
        let description = problems.take(name::check_text("description", &command.description, LONGEST_REMARK));
        if command.description.trim().is_empty() {
            problems.note(Refusal::invalid("description", "`description` is empty: say what is to be done"));
        }
        let reasoning = command.reasoning.as_deref().map(|text| name::check_text("reasoning", text, LONGEST_TEXT));
        let reasoning = reasoning.and_then(|checked| problems.take(checked));
        if let Some(confidence) = command.confidence.filter(|confidence| !(0.0..=1.0).contains(confidence)) {
            problems.note(Refusal::invalid("confidence", format!("`confidence` is {confidence}: give 0 to 1")));
        }
        if command.alternatives.len() > MOST_ALTERNATIVES {
            let message =
                format!("`alternatives` has {} entries: at most {MOST_ALTERNATIVES}", command.alternatives.len());
            problems.note(Refusal::invalid("alternatives", message));
        }
        let alternatives =
            command.alternatives.iter().map(|text| name::check_text("alternatives", text, LONGEST_REMARK));
        let alternatives: Vec<String> = alternatives.filter_map(|checked| problems.take(checked)).collect();
        let most = self.settings().max_value_bytes;
        for (field, value) in [
            ("parameters", Some(&command.parameters)),
            ("supportingData", command.supporting_data.as_ref()),
            ("items", command.items.as_ref()),
        ] {
            if let Some(value) = value.filter(|value| value.size() > most) {
                let message = format!("`{field}` has {} bytes: at most {most} are allowed", value.size());
                problems.note(Refusal::invalid(field, message));
            }
        }
        if !command.parameters.is_object() {
            let shown: String = command.parameters.text().chars().take(64).collect();
            problems.note(Refusal::invalid("parameters", format!("`parameters` must be an object, not `{shown}`")));
        }
        let list =
            command.items.as_ref().map(|list| items::read(list).map_err(|error| Refusal::invalid("items", error)));
        let list = list.and_then(|read| problems.take(read)).filter(|list| !list.is_empty());
        problems.check()?;
        let contents = Contents {
            parameters: command.parameters.clone(),
            supporting_data: command.supporting_data.clone(),
            items: list.as_deref().map(items::to_json),
        };
        let proposal = Proposal {
            operation_type: operation_type.unwrap_or_default(),
            description: description.unwrap_or_default(),
            parameters: crate::domain::execution::Data::Inline(Json::object([])),
            risk_level: command.risk_level,
            reasoning,
            confidence: command.confidence,
            estimated_cost: command.estimated_cost,
            supporting_data: None,
            alternatives,
            items: None,
            item_count: list.map(|list| u32::try_from(list.len()).unwrap_or(u32::MAX)),
            questions: Vec::new(),
            answered: Vec::new(),
        };
        Ok((proposal, contents))
    }

    async fn ask(
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
        let wake = crate::domain::execution::wake_at(&loaded.state, loaded.plan.definition());
        let key = creation.request().map(|request| request.key.clone());
        let append = Append {
            workspace: owner.workspace,
            execution: id,
            actor: owner.actor,
            at: now,
            expected: Some(0),
            events,
            projection: Some(Box::new(project(owner, None, &loaded.state, wake))),
            payloads: asked.payloads.clone(),
            lease: None,
            held: None,
            lapsed: None,
            epoch,
            creation: creation.into_request(),
            kept: Vec::new(),
        };
        let made = match self.executions().writer.append(append).await? {
            Appended::Done => {
                self.executions().loaded.put(Arc::new(loaded));
                wake.into_iter().for_each(|due| self.executions().timer.expect(due));
                return self.changed_checkpoint(scope, checkpoint).await;
            }
            Appended::Made(subject) => subject,
            Appended::KeyReused => return Err(key_reused(&key.unwrap_or_default()).into()),
            Appended::Conflict | Appended::Alive => {
                return Err(Error::Internal(format!("{id} could not be written: the policy changed meanwhile")));
            }
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

fn check_questions(given: Vec<(Option<String>, String, Option<Json>)>) -> Result<Vec<Question>> {
    let mut problems = Problems::default();
    if given.is_empty() || given.len() > MOST_QUESTIONS {
        let message = format!("`questions` has {} entries: give 1 to {MOST_QUESTIONS}", given.len());
        problems.note(Refusal::invalid("questions", message));
    }
    let mut questions: Vec<Question> = Vec::new();
    for (number, (id, text, schema)) in given.into_iter().enumerate().take(MOST_QUESTIONS) {
        let id = id.unwrap_or_else(|| format!("q{}", number + 1));
        let id = problems.take(name::check("questions", &id, LONGEST_WORD)).unwrap_or_default();
        let text = problems.take(name::check_text("questions", &text, LONGEST_REMARK)).unwrap_or_default();
        if text.trim().is_empty() {
            problems.note(Refusal::invalid("questions", format!("question {} has no text", number + 1)));
        }
        if let Some(Err(error)) = schema.as_ref().map(|schema| schema::check(&schema.to_value())) {
            problems.note(Refusal::invalid("questions", format!("question {}: {error}", number + 1)));
        }
        if questions.iter().any(|other| other.id == id) {
            problems.note(Refusal::invalid("questions", format!("two questions have the id `{id}`")));
        }
        questions.push(Question { id, text, schema });
    }
    problems.check()?;
    Ok(questions)
}
