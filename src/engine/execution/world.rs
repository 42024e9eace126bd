//! What the domain may ask while it works out which steps come next.

use std::{collections::HashMap, sync::Arc};

use uuid::Uuid;

use super::places::Place;
use crate::{
    domain::{
        agent::Config,
        execution::{Agents, Available, Data},
        id::TaskId,
        json::Json,
    },
    engine::Engine,
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
    now: chrono::DateTime<chrono::Utc>,
    pub places: HashMap<usize, Place>,
    pub payloads: Vec<Payload>,
}

impl<'a> World<'a> {
    pub fn new(
        engine: &'a Engine,
        agents: HashMap<String, Arc<AgentRecord>>,
        now: chrono::DateTime<chrono::Utc>,
    ) -> Self {
        Self { engine, agents, now, places: HashMap::new(), payloads: Vec::new() }
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
        Some(Available { agent: found.id.0, version: found.version, kind: found.spec.kind(), queue })
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
        TaskId::new(self.now).0
    }

    fn keep(&mut self, value: Json) -> Data {
        let (data, payload) = payloads::pack(value);
        self.payloads.extend(payload);
        data
    }
}
