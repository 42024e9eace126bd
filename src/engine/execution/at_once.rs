//! Steps that only compute are done before the commit that starts them: a chain of them costs one commit, and nobody
//! waits for a disk between them. Whatever is not small and quick takes the usual way.

use std::sync::Arc;

use chrono::{DateTime, Utc};

use super::{
    load::Loaded,
    values::{Packed, SLOW},
    world::World,
};
use crate::{
    domain::{
        agent::Config,
        execution::{Command, Data, Event, StepState, Usage, Work, advance, decide},
        id::AgentId,
        json::Json,
    },
    engine::{Engine, Result},
};

/// How many steps one commit may do: others wait for it.
const MOST: usize = 64;
/// How much one computation may do, a small part of what it may do otherwise: about a millisecond.
const WORK: u64 = 20_000;

impl Engine {
    /// Does what has just been started and can be done at once, and what then comes next.
    pub(super) async fn compute_at_once(
        &self,
        after: &mut Loaded,
        world: &mut World<'_>,
        events: &mut Vec<Event>,
        now: DateTime<Utc>,
    ) -> Result<()> {
        let Some(driving) = self.executions().driving() else { return Ok(()) };
        let own = Work::Server(driving.server.id);
        let (mut looked_at, mut done) = (0, 0);
        while let Some(event) = events.get(looked_at).filter(|_| done < MOST) {
            looked_at += 1;
            let Event::StepStarted { step, work, .. } = event else { continue };
            let step = *step;
            if *work != own {
                continue;
            }
            let Some(output) = self.computed_at_once(after, step).await? else { continue };
            let Packed { json, data, .. } = Packed::new(output).await;
            let command = Command::CompleteStep {
                step,
                work: own.clone(),
                output: data,
                usage: Usage::default(),
                confidence: None,
                reasoning: None,
            };
            let plan = Arc::clone(&after.plan);
            let Ok(completed) = decide(&after.state, plan.definition(), command, now) else { continue };
            for event in &completed {
                after.state.apply(event, now);
            }
            if let Some(place) = after.values.outputs.get_mut(step) {
                *place = Some(json);
            }
            events.extend(completed);
            // What comes next may use the place.
            world.places.remove(&step);
            events.extend(advance(&mut after.state, &plan, &after.values, world, now));
            done += 1;
        }
        Ok(())
    }

    /// The output of a step that only computes; nothing if it is something else, takes long, or goes wrong.
    async fn computed_at_once(&self, loaded: &Loaded, step: usize) -> Result<Option<Json>> {
        let Some(state) = loaded.state.steps.get(step) else { return Ok(None) };
        if !is_at_hand(state) || !loaded.plan.kept(step).is_empty() {
            return Ok(None);
        }
        let (agent, version) = state.agent.unwrap_or_default();
        let Some(agent) = self.prepared_agent(loaded.scope(), AgentId(agent), version).await? else { return Ok(None) };
        let (Config::Transform(_), Some(transform)) = (&agent.spec.config, &agent.transform) else { return Ok(None) };
        let Ok(input) = self.step_input(loaded, step, &agent).await? else { return Ok(None) };
        if input.size() > SLOW {
            return Ok(None);
        }
        let Ok(output) = transform.run_within(&input, WORK) else { return Ok(None) };
        let small = output.size() <= SLOW;
        Ok(if small && self.check_output(loaded, step, &agent, &output).await?.is_none() { Some(output) } else { None })
    }
}

/// Whether a step's input is in memory. What was packed a moment ago is not in the database yet.
fn is_at_hand(state: &StepState) -> bool {
    let inline = |data: &Data| matches!(data, Data::Inline(_));
    state.wish.is_none()
        && state.computed.as_ref().is_none_or(inline)
        && state.approved.as_ref().is_none_or(|approved| inline(&approved.input))
}
