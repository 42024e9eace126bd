//! Looking into executions without changing them.

use std::{collections::HashMap, sync::Arc};

use chrono::{DateTime, Utc};

use crate::{
    domain::{
        access::Scope,
        execution::{Event, State},
        id::{ExecutionId, WorkflowId},
        json::Json,
        workflow::{Computed, Plan, Values},
    },
    engine::{Engine, Error, Result},
    store::journal::Entry,
};

/// An execution as its journal has it, with what people want to know beyond what decisions need.
pub struct Inspected {
    pub state: State,
    pub plan: Arc<Plan>,
    /// By the steps' positions.
    pub details: Vec<StepDetails>,
}

/// What no decision depends on.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StepDetails {
    /// When the latest failure was.
    pub failed_at: Option<DateTime<Utc>>,
    /// Why its output is what it is, as whoever made it says.
    pub reasoning: Option<String>,
}

impl Inspected {
    /// A step's input as it was given, from what was computed for it and the values before it.
    pub fn step_input(&self, step: usize, computed: &Json, values: &Values) -> Option<Json> {
        self.plan.input(step, &Computed::from_json(computed), values).ok()
    }

    /// What a step could have been made from.
    pub fn context_before(&self, step: usize, values: &Values) -> Json {
        self.plan.context_of(step, values)
    }

    /// The outputs of these steps by their keys. What gave none is left out.
    pub fn outputs_by_key(&self, steps: impl IntoIterator<Item = usize>, values: &Values) -> Json {
        let named = steps.into_iter().filter_map(|step| {
            let key = &self.plan.steps().get(step)?.key;
            Some((key.as_str(), values.output(step)?.raw()))
        });
        Json::object(named)
    }

    /// The output of the one step that nothing needs, or those of all of them by their keys.
    pub fn output(&self, values: &Values) -> Json {
        match self.last_steps().as_slice() {
            [only] => values.output(*only).cloned().unwrap_or_else(Json::null),
            several => self.outputs_by_key(several.iter().copied(), values),
        }
    }

    /// The steps that nothing needs.
    pub fn last_steps(&self) -> Vec<usize> {
        let graph = self.plan.graph();
        (0..self.plan.steps().len()).filter(|step| graph.needed_by(*step).is_empty()).collect()
    }
}

impl Engine {
    /// Executions of a workspace as their journals have them now. What is not there is left out.
    pub async fn inspect_executions(
        &self,
        scope: Scope,
        ids: &[ExecutionId],
    ) -> Result<HashMap<ExecutionId, Arc<Inspected>>> {
        let histories = self.store().histories(scope, ids).await?;
        let mut folded = Vec::with_capacity(histories.len());
        for (id, history) in histories {
            folded.push((id, fold(id, &history)?));
        }
        let version_of = |state: &State| (WorkflowId(state.workflow), state.version);
        let versions: Vec<(WorkflowId, i32)> = folded.iter().map(|(_, (state, _))| version_of(state)).collect();
        let plans = self.plans(scope, &versions).await?;
        let inspected = folded.into_iter().map(|(id, (state, details))| {
            let plan = plans.get(&version_of(&state)).cloned();
            let plan = plan.ok_or_else(|| Error::Internal(format!("the workflow version of {id} is gone")))?;
            Ok((id, Arc::new(Inspected { state, plan, details })))
        });
        inspected.collect()
    }

    /// The plan of an execution that is being worked on, if this process has it at hand.
    pub fn plan_at_hand(&self, scope: Scope, id: ExecutionId) -> Option<Arc<Plan>> {
        let loaded = self.executions().loaded.get(id)?;
        (loaded.owner.workspace == scope.workspace()).then(|| Arc::clone(&loaded.plan))
    }
}

fn fold(id: ExecutionId, history: &[Entry]) -> Result<(State, Vec<StepDetails>)> {
    let mut events = Vec::with_capacity(history.len());
    for entry in history {
        match &entry.event {
            Ok(event) => events.push((entry.at, event)),
            Err(unknown) => return Err(Error::Internal(format!("{id}: {}", unknown.error))),
        }
    }
    let state = State::fold(events.iter().copied());
    let state = state.ok_or_else(|| Error::Internal(format!("{id} has no beginning")))?;
    let mut details = vec![StepDetails::default(); state.steps.len()];
    for (at, event) in events {
        let Some(step) = event.step().and_then(|step| details.get_mut(step)) else { continue };
        match event {
            Event::StepRetried { .. } | Event::StepFailed { .. } => step.failed_at = Some(at),
            Event::StepCompleted { reasoning, .. } => step.reasoning.clone_from(reasoning),
            _ => {}
        }
    }
    Ok((state, details))
}
