//! What the domain may ask while it works out which steps come next.

use std::{collections::HashMap, sync::Arc};

use uuid::Uuid;

use super::{agents::Approved, places::Place, values::SLOW};
use crate::{
    domain::{
        agent::{Config, RiskLevel, Spec},
        checkpoint::{Proposal, Runs},
        execution::{Agents, Available, Data, Judged},
        id::{CheckpointId, TaskId},
        json::Json,
        policy::{Facts, Outcome, Requester},
        workflow::Gate,
    },
    engine::{Engine, compute::beside, policy::InForce},
    store::{
        agents::AgentRecord,
        payloads::{self, Payload},
    },
};

/// The library and this server's free places, at one moment. Places that were taken are free again when this is
/// dropped, unless somebody takes them out to use them.
pub struct World<'a> {
    engine: &'a Engine,
    agents: HashMap<String, Arc<AgentRecord>>,
    approved: Approved,
    policy: Arc<InForce>,
    /// Who started the execution.
    requester: Requester,
    now: chrono::DateTime<chrono::Utc>,
    pub places: HashMap<usize, Place>,
    pub payloads: Vec<Payload>,
    /// Whether a rule has approved something.
    pub approved_by_rule: bool,
    /// The latest id that was given: what begins in one commit keeps its order.
    latest: Uuid,
}

impl<'a> World<'a> {
    pub fn new(
        engine: &'a Engine,
        agents: HashMap<String, Arc<AgentRecord>>,
        approved: Approved,
        policy: Arc<InForce>,
        requester: Requester,
        now: chrono::DateTime<chrono::Utc>,
    ) -> Self {
        let (places, payloads) = (HashMap::new(), Vec::new());
        Self {
            engine,
            agents,
            approved,
            policy,
            requester,
            now,
            places,
            payloads,
            approved_by_rule: false,
            latest: Uuid::nil(),
        }
    }
}

/// How many steps of an agent may run at once.
pub fn most_at_once(config: &Config) -> Option<u32> {
    match config {
        Config::Http(http) => http.max_concurrency,
        Config::Worker(worker) => worker.max_concurrency,
        Config::Transform(_) => None,
    }
}

fn available((agent, version): (Uuid, i32), spec: &Spec, digest: &str) -> Available {
    let queue = match &spec.config {
        Config::Worker(worker) => Some(worker.queue.clone()),
        Config::Http(_) | Config::Transform(_) => None,
    };
    let kind = spec.kind();
    let operation_type = spec.operation_type();
    let (risk, specification) = (spec.risk_level, digest.to_owned());
    Available { agent, version, kind, queue, operation_type, risk, specification }
}

impl Agents for World<'_> {
    fn find(&self, name: &str) -> Option<Available> {
        let found = self.agents.get(name)?;
        Some(available((found.id.0, found.version), &found.spec, &found.digest))
    }

    fn find_approved(&self, runs: &Runs) -> Option<Available> {
        // What was approved in this very commit is the newest version.
        let newest =
            self.agents.get(&runs.name).filter(|found| (found.id.0, found.version) == (runs.agent, runs.version));
        if let Some(found) = newest {
            return Some(available((runs.agent, runs.version), &found.spec, &found.digest));
        }
        let found = self.approved.get(&(runs.agent, runs.version))?;
        Some(available((runs.agent, runs.version), &found.spec, &found.digest))
    }

    fn take_place(&mut self, step: usize, agent: &Available) -> Option<Uuid> {
        let executions = self.engine.executions();
        let server = executions.driving()?.server.id;
        let record = self.agents.values().find(|record| record.id.0 == agent.agent)?;
        let place = executions.places.take(agent.agent, most_at_once(&record.spec.config))?;
        self.places.insert(step, place);
        Some(server)
    }

    fn new_task(&mut self) -> Uuid {
        self.in_order(TaskId::new(self.now).0)
    }

    fn keep(&mut self, value: Json) -> Data {
        let (data, payload) = payloads::pack(value);
        self.payloads.extend(payload);
        data
    }

    fn concerns(&self, gate: Gate, operation_type: &str, risk: RiskLevel) -> bool {
        gate == Gate::Always || self.policy.policy.may_concern(operation_type, risk)
    }

    fn risk_of(&self, operation_type: &str, said: RiskLevel) -> RiskLevel {
        self.policy.policy.risk_of(operation_type, said)
    }

    fn judge(&mut self, judged: &Judged<'_>) -> Outcome {
        let outcome = judge(&self.policy, judged, &self.requester, self.now);
        self.approved_by_rule |= matches!(outcome, Outcome::AutoApproved(_));
        outcome
    }

    fn policy_version(&self) -> Option<i32> {
        self.policy.version
    }

    fn new_checkpoint(&mut self) -> Uuid {
        self.in_order(CheckpointId::new(self.now).0)
    }
}

impl World<'_> {
    /// An id that comes after all that were given before, also within the same millisecond.
    fn in_order(&mut self, id: Uuid) -> Uuid {
        self.latest = id.max(Uuid::from_u128(self.latest.as_u128().saturating_add(1)));
        self.latest
    }
}

/// What the rules say about a proposal. A step that calls its agent's action by another name is judged by both names.
pub fn judge(
    in_force: &InForce,
    judged: &Judged<'_>,
    requester: &Requester,
    now: chrono::DateTime<chrono::Utc>,
) -> Outcome {
    let outcome = judge_named(in_force, judged, requester, now);
    match judged.proposal.runs.as_ref().and_then(|runs| runs.operation_type.clone()) {
        None => outcome,
        Some(operation_type) => {
            let proposal = Proposal { operation_type, ..judged.proposal.clone() };
            let own = Judged { proposal: &proposal, ..*judged };
            outcome.and(judge_named(in_force, &own, requester, now))
        }
    }
}

fn judge_named(
    in_force: &InForce,
    judged: &Judged<'_>,
    requester: &Requester,
    now: chrono::DateTime<chrono::Utc>,
) -> Outcome {
    // The catalogue may have been written after the proposal.
    let risk = in_force.policy.risk_of(&judged.proposal.operation_type, judged.proposal.risk_level);
    let raised = (risk != judged.proposal.risk_level).then(|| Proposal { risk_level: risk, ..judged.proposal.clone() });
    let proposal = raised.as_ref().unwrap_or(judged.proposal);
    let shown = Json::from_value(&proposal.shown(judged.contents)).unwrap_or_else(|_| Json::object([]));
    let facts = Facts {
        operation_type: &proposal.operation_type,
        risk,
        confidence: proposal.confidence,
        params: &judged.contents.parameters,
        proposal: &shown,
        input: judged.input,
        context: judged.context,
        items: judged.contents.items.as_ref(),
        asked_by: judged.asked_by,
        requester,
        gate: judged.gate,
        now,
        emergency_stop: in_force.emergency_stop,
    };
    let large = shown.size() + judged.input.size() + judged.context.size() > SLOW;
    let evaluate = || in_force.policy.evaluate(&facts).outcome;
    if large { beside(evaluate) } else { evaluate() }
}
