//! A new execution goes as far as it can before it is first written: its start and its first steps are one commit.

use std::collections::HashMap;

use chrono::{DateTime, Utc};

use super::{agents::Approved, change::begins_steps, load::Loaded, places::Place, world::World};
use crate::{
    domain::execution::{Command, Event, advance, decide},
    engine::{Engine, Result},
    store::payloads::Payload,
};

/// An execution that has begun but is not written yet.
pub struct Begun {
    pub loaded: Loaded,
    /// What comes after its being queued.
    pub events: Vec<Event>,
    pub payloads: Vec<Payload>,
    /// The policy by which a rule has approved something, or a step was let through.
    pub epoch: Option<i64>,
    /// The places of the steps that have begun.
    pub places: HashMap<usize, Place>,
}

impl Engine {
    /// Begins an execution that has just been queued; nothing if others wait for their turn, or if no place is free.
    pub(crate) async fn begin_at_once(&self, queued: &Loaded, now: DateTime<Utc>) -> Result<Option<Begun>> {
        let executions = self.executions();
        let drives = executions.driving().is_some_and(|driving| driving.begins);
        if !drives || executions.places.free() == 0 || executions.queue.may_hold_any() {
            return Ok(None);
        }
        let definition = queued.plan.definition();
        let names = definition.steps.iter().map(|step| step.agent.as_str());
        let agents = self.newest_agents(queued.scope(), names).await?;
        let policy = self.in_force(queued.scope()).await?;
        let epoch = policy.epoch;
        let Ok(mut events) = decide(&queued.state, definition, Command::Start, now) else { return Ok(None) };
        let mut loaded = queued.clone();
        for event in &events {
            loaded.state.apply(event, now);
        }
        let requester = self.requester(queued.scope(), loaded.owner.actor, &policy.policy).await?;
        let mut world = World::new(self, agents, Approved::new(), policy, requester, now);
        events.extend(advance(&mut loaded.state, &queued.plan, &loaded.values, &mut world, now));
        self.compute_at_once(&mut loaded, &mut world, &mut events, now).await?;
        let payloads = std::mem::take(&mut world.payloads);
        let epoch = (begins_steps(&events) || world.approved_by_rule).then_some(epoch);
        let places = std::mem::take(&mut world.places);
        Ok(Some(Begun { loaded, events, payloads, epoch, places }))
    }
}
