//! The one way to change an execution.

use std::{collections::HashMap, sync::Arc};

use chrono::{DateTime, Utc};
use uuid::Uuid;

use super::{
    Driving,
    load::Loaded,
    places::Place,
    values::{Packed, SLOW},
    world::World,
};
use crate::{
    domain::{
        access::Actor,
        analytics::facts,
        audit::{self, Caused},
        checkpoint,
        execution::{Command, Event, StepStatus, Work, advance, decide, wake_at},
        id::{ExecutionId, TaskId},
        policy::OnTimeout,
        refusal::{Code, Refusal},
    },
    engine::{Engine, Error, Origin, Result, compute::beside, deliverables::Kept, runners},
    store::{
        journal::{Append, Appended, project},
        payloads::Payload,
    },
};

/// Deciding again because somebody else was faster has an end.
const MOST_TRIES: usize = 100;

/// A command, and what goes along with it.
pub struct Change {
    pub actor: Actor,
    /// From where the actor called.
    pub origin: Origin,
    pub command: Command,
    /// The output that a completing command refers to.
    pub output: Option<(usize, Packed)>,
    /// Until when a worker holds what it takes.
    pub lease_until: Option<DateTime<Utc>>,
    /// The place for a step that this server takes.
    pub place: Option<Place>,
    /// The lease that must have run out.
    pub lapsed: Option<(TaskId, Uuid)>,
    /// Values that the command refers to.
    pub payloads: Vec<Payload>,
    /// The epoch of the policy by which the command says that a rule approved something.
    pub epoch: Option<i64>,
    /// What is kept of the output.
    pub kept: Kept,
}

impl Change {
    pub fn by(actor: Actor, command: Command) -> Self {
        Self {
            actor,
            origin: Origin::default(),
            command,
            output: None,
            lease_until: None,
            place: None,
            lapsed: None,
            payloads: Vec::new(),
            epoch: None,
            kept: Kept::default(),
        }
    }

    /// What the server does by itself.
    pub fn by_server(command: Command) -> Self {
        Self::by(Actor::System, command)
    }
}

/// Whether something was approved because nobody decided.
fn by_silence(events: &[Event]) -> bool {
    let consent = |event: &Event| {
        matches!(event, Event::Checkpoint(checkpoint::Event::TimedOut { action: OnTimeout::Approve, .. }))
    };
    events.iter().any(consent)
}

/// Whether a step that was started has yet to be done.
fn is_running(loaded: &Loaded, step: usize) -> bool {
    loaded.state.steps.get(step).is_some_and(|step| step.status == StepStatus::Running)
}

/// A rule of a policy that is no longer in force has approved something.
pub(crate) fn policy_changed() -> Error {
    Refusal::new(Code::Conflict, "the policy has changed since a rule approved this: ask again").into()
}

/// There is no such execution.
pub(crate) fn unknown(id: ExecutionId) -> Error {
    let message = format!("there is no execution `{id}` in this workspace");
    Refusal::at("executionId", Code::NotFound, message).into()
}

/// Whether steps begin. The policy let them through, which may be another one by now.
pub(super) fn begins_steps(events: &[Event]) -> bool {
    events.iter().any(|event| matches!(event, Event::StepStarted { .. } | Event::StepScheduled { .. }))
}

impl Engine {
    /// Carries a command out: decides, appends, and does what the events mean. Gives the execution afterwards.
    pub(crate) async fn change(&self, id: ExecutionId, change: Change) -> Result<Arc<Loaded>> {
        let executions = self.executions();
        let mut change = change;
        let mut cached = executions.loaded.get(id);
        for _ in 0..MOST_TRIES {
            let from_memory = cached.is_some();
            let before = match cached.take() {
                Some(loaded) => loaded,
                None => self.load_execution(id).await?.ok_or_else(|| unknown(id))?,
            };
            if let Some(judged) = change.epoch
                && judged != self.in_force(before.scope()).await?.epoch
            {
                return Err(policy_changed());
            }
            match self.change_once(&before, &mut change).await {
                // There seems to be nothing to do, but what is in memory may be old.
                Ok(Some(after)) if from_memory && after.state.seq == before.state.seq => executions.loaded.forget(id),
                Ok(Some(after)) => return Ok(after),
                Ok(None) => executions.loaded.forget(id),
                // What is in memory may be old: only the journal can refuse.
                Err(Error::Refused(_)) if from_memory => executions.loaded.forget(id),
                Err(error) => return Err(error),
            }
        }
        Err(Error::Internal(format!("{id} changed {MOST_TRIES} times while one change was being decided")))
    }

    /// Carries a command out on this very state; nothing if somebody else was faster, or the policy has changed.
    pub(crate) async fn change_once(&self, before: &Arc<Loaded>, change: &mut Change) -> Result<Option<Arc<Loaded>>> {
        let plan = &before.plan;
        let definition = plan.definition();
        let names = definition.steps.iter().map(|step| step.agent.as_str());
        let agents = self.newest_agents(before.scope(), names).await?;
        let policy = self.in_force(before.scope()).await?;
        let epoch = policy.epoch;
        if change.epoch.is_some_and(|judged| judged != epoch) {
            return Ok(None);
        }
        let now = self.clock().now();
        let command = match change.command.clone() {
            Command::Wake { .. } => Command::Wake { consent: self.consent(before, &policy).await? },
            other => other,
        };
        let mut events = decide(&before.state, definition, command, now)?;
        let mut after = Loaded::clone(before);
        for event in &events {
            after.state.apply(event, now);
        }
        let mut payloads: Vec<Payload> = Vec::new();
        if let Some((step, packed)) = &change.output {
            if let Some(output) = after.values.outputs.get_mut(*step) {
                *output = Some(packed.json.clone());
            }
            payloads.extend(packed.payload.clone());
            events.extend(packed.warning(Some(*step)));
        }
        events.extend(change.kept.comments.iter().cloned());
        for event in &events {
            // It runs again: what it gave is not there any more.
            if let Event::StepReopened { step, .. } = event
                && let Some(output) = after.values.outputs.get_mut(*step)
            {
                *output = None;
            }
        }
        let approved = self.approved_agents(before.scope(), &after.state).await?;
        let requester = self.requester(before.scope(), before.owner.actor, &policy.policy).await?;
        let mut world = World::new(self, agents, approved, policy, requester, now);
        let large = after.values.size() > SLOW;
        let mut next = || advance(&mut after.state, plan, &after.values, &mut world, now);
        events.extend(if large { beside(next) } else { next() });
        self.compute_at_once(&mut after, &mut world, &mut events, now).await?;
        payloads.append(&mut world.payloads);
        payloads.append(&mut change.payloads.clone());
        let wake = wake_at(&after.state, definition);
        let mut projection = project(before.owner, Some(&before.state), &after.state, wake);
        if let Some(until) = change.lease_until {
            projection = projection.lease_until(until);
        }
        let caused = Caused {
            workspace: before.owner.workspace,
            execution: before.owner.execution,
            actor: change.actor,
            origin: change.origin.to_audit(),
            at: now,
        };
        let append = Append {
            workspace: before.owner.workspace,
            execution: before.owner.execution,
            actor: change.actor,
            at: now,
            expected: Some(before.state.seq),
            facts: facts(Some(&before.state), events.iter().map(|event| (now, event))),
            events: events.clone(),
            by_server_from: None,
            audit: audit::of_events(Some(&before.state), &events, &caused),
            projection: Some(Box::new(projection)),
            payloads,
            lease: None,
            held: None,
            lapsed: change.lapsed,
            epoch: (begins_steps(&events) || world.approved_by_rule || change.epoch.is_some() || by_silence(&events))
                .then_some(epoch),
            creation: None,
            kept: change.kept.puts.clone(),
        };
        if events.is_empty() {
            return Ok(Some(Arc::clone(before)));
        }
        let mut places = std::mem::take(&mut world.places);
        let taken = change.place.take();
        let (engine, lease_until) = (self.clone(), change.lease_until);
        let written = move |appended| match appended {
            Appended::Done => {
                let after = Arc::new(after);
                engine.executions().loaded.put(Arc::clone(&after));
                engine.act(&after, &events, &mut places, taken);
                for due in [wake, lease_until].into_iter().flatten() {
                    engine.executions().timer.expect(due);
                }
                Ok(Ok(after))
            }
            Appended::Alive => {
                let message = "the worker sent a heartbeat: it keeps the step";
                Err(Error::from(Refusal::new(Code::Conflict, message)))
            }
            Appended::Conflict | Appended::Made(_) | Appended::KeyReused => {
                // The rules may have changed.
                engine.forget_policy(after.owner.workspace);
                Ok(Err(taken))
            }
        };
        match self.executions().writer.append_then(append, written).await?? {
            Ok(after) => Ok(Some(after)),
            Err(untaken) => {
                change.place = untaken;
                Ok(None)
            }
        }
    }

    /// Does what events mean, after they were committed. Nothing here waits, so that no one can stop it half-way.
    pub(crate) fn act(
        &self,
        after: &Arc<Loaded>,
        events: &[Event],
        places: &mut HashMap<usize, Place>,
        mut taken: Option<Place>,
    ) {
        let executions = self.executions();
        let Some(driving) = executions.driving() else { return };
        stop_unwanted(driving, after);
        for event in events {
            match event {
                Event::StepStarted { step, work: Work::Server(server), .. }
                    if *server == driving.server.id && is_running(after, *step) =>
                {
                    if let Some(place) = places.remove(step).or_else(|| taken.take()) {
                        runners::spawn(self, driving, Arc::clone(after), *step, place);
                    }
                }
                Event::StepScheduled { queue: None, agent, .. } => {
                    // A place may have become free while this was being written.
                    executions.places.note_backlog(*agent);
                    executions.places.freed.notify_one();
                }
                Event::StepReleased { queue: None, step, .. } => {
                    if let Some((agent, _)) = after.state.steps.get(*step).and_then(|step| step.agent) {
                        executions.places.note_backlog(agent);
                        executions.places.freed.notify_one();
                    }
                }
                Event::Resumed {} => {
                    // What was held back may be taken again.
                    let waiting = after.state.steps.iter().filter(|step| matches!(step.task, Some((_, None))));
                    for (agent, _) in waiting.filter_map(|step| step.agent) {
                        executions.places.note_backlog(agent);
                    }
                }
                _ => {}
            }
        }
    }
}

/// Stops work of this server whose result is not wanted any more. An older state must not stop what a newer one has begun.
fn stop_unwanted(driving: &Driving, after: &Loaded) {
    let own = Some(Work::Server(driving.server.id));
    for (number, step) in after.state.steps.iter().enumerate() {
        if step.status != StepStatus::Running || step.work != own {
            driving.running.stop_begun_by(after.state.seq, after.owner.execution, number);
        }
    }
}
