//! When an execution must be looked at again, without anybody holding a timer for it.

use chrono::{DateTime, TimeDelta, Utc};

use super::{
    event::Work,
    state::{State, StepState},
    status::{Status, StepStatus},
};
use crate::domain::workflow::{Definition, Step};

/// When the execution has run for as long as it may; nothing while its time stands still.
pub fn execution_deadline(state: &State, definition: &Definition) -> Option<DateTime<Utc>> {
    let limit = TimeDelta::from_std(definition.limits.timeout).ok()?;
    state.running_since?.checked_add_signed(limit - state.ran_for)
}

/// When a step that is being worked on has taken as long as it may.
pub fn step_deadline(step: &StepState, definition: &Step) -> Option<DateTime<Utc>> {
    let limit = TimeDelta::from_std(definition.timeout).ok()?;
    step.started_at.filter(|_| step.status == StepStatus::Running)?.checked_add_signed(limit)
}

/// When something falls due that nobody else watches. A server watches the work that it does itself.
pub fn wake_at(state: &State, definition: &Definition) -> Option<DateTime<Utc>> {
    if state.status != Status::Running {
        return None;
    }
    let mut unwatched = false;
    let mut earliest: Option<DateTime<Utc>> = None;
    for (step, definition) in state.steps.iter().zip(&definition.steps) {
        let due = match (step.status, &step.work) {
            (StepStatus::Retrying, _) => step.retry_at,
            (StepStatus::Running, Some(Work::Worker { .. })) => step_deadline(step, definition),
            (StepStatus::Scheduled, _) => None,
            _ => continue,
        };
        unwatched = true;
        earliest = [earliest, due].into_iter().flatten().min();
    }
    // A server knows the end of the time as it was when the step began: a pause moves it.
    let moved = state.ran_for > TimeDelta::zero();
    let whole = execution_deadline(state, definition).filter(|_| unwatched || moved);
    [earliest, whole].into_iter().flatten().min()
}
