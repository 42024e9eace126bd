//! What the domain may ask while it works out which steps come next.

use std::{collections::HashMap, sync::Arc};

use uuid::Uuid;

use super::places::Place;
use crate::{
    domain::{
        agent::{Config, RiskLevel},
        execution::{Agents, Available, Data, Judged},
        id::{CheckpointId, TaskId},
        json::Json,
        policy::{Facts, Outcome},
        workflow::Gate,
    },
    engine::{Engine, policy::InForce},
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
    policy: Arc<InForce>,
    /// What gradual rollouts are drawn by.
    rollout_key: Uuid,
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
        policy: Arc<InForce>,
        rollout_key: Uuid,
        now: chrono::DateTime<chrono::Utc>,
    ) -> Self {
        let (places, payloads) = (HashMap::new(), Vec::new());
        Self {
            engine,
            agents,
            policy,
            rollout_key,
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

impl Agents for World<'_> {
    fn find(&self, name: &str) -> Option<Available> {
        let found = self.agents.get(name)?;
        let queue = match &found.spec.config {
            Config::Worker(worker) => Some(worker.queue.clone()),
            Config::Http(_) | Config::Transform(_) => None,
        };
        let kind = found.spec.kind();
        let operation_type = found.spec.operation_type.clone().unwrap_or_else(|| kind.default_operation().to_owned());
        let (agent, version, risk) = (found.id.0, found.version, found.spec.risk_level);
        Some(Available { agent, version, kind, queue, operation_type, risk })
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

    fn judge(&mut self, judged: &Judged<'_>) -> Outcome {
        let outcome = judge(&self.policy, judged, self.rollout_key, self.now);
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

/// What the rules say about a proposal.
pub fn judge(
    in_force: &InForce,
    judged: &Judged<'_>,
    rollout_key: Uuid,
    now: chrono::DateTime<chrono::Utc>,
) -> Outcome {
    let proposal = judged.proposal;
    let shown = Json::from_value(&proposal.shown(judged.contents)).unwrap_or_else(|_| Json::object([]));
    let facts = Facts {
        operation_type: &proposal.operation_type,
        risk: proposal.risk_level,
        confidence: proposal.confidence,
        params: &judged.contents.parameters,
        proposal: &shown,
        input: judged.input,
        context: judged.context,
        rollout_key,
        gate: judged.gate,
        now,
        emergency_stop: in_force.emergency_stop,
    };
    in_force.policy.evaluate(&facts).outcome
}
