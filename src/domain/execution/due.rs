//! When an execution must be looked at again, without anybody holding a timer for it.

use chrono::{DateTime, TimeDelta, Utc};

use super::{
    event::Work,
    state::{State, StepState},
    status::{Status, StepStatus},
};
use crate::domain::{
    checkpoint::Checkpoint,
    workflow::{Definition, Step},
};

/// When the execution has run for as long as it may; nothing while its time stands still.
pub fn execution_deadline(state: &State, definition: &Definition) -> Option<DateTime<Utc>> {
    let limit = TimeDelta::from_std(definition.limits.timeout).ok()?;
    state.running_since?.checked_add_signed(limit - state.ran_for)
}

/// When a step that is being worked on has taken as long as it may. The time in which the execution was paused does
/// not count.
pub fn step_deadline(step: &StepState, definition: &Step) -> Option<DateTime<Utc>> {
    let limit = TimeDelta::from_std(definition.timeout).ok()?;
    // While it asks people, its time stands still.
    let works = step.status == StepStatus::Running && step.asking_since.is_none();
    let started = step.started_at.filter(|_| works)?;
    started.checked_add_signed(limit + step.paused_for)
}

/// How much time a step that is being worked on still has, and whether it is the execution's time that ends first.
/// While the execution is paused, it does not get less.
pub fn time_left(state: &State, definition: &Definition, step: usize, now: DateTime<Utc>) -> Option<(TimeDelta, bool)> {
    let counted = state.paused_since.unwrap_or(now);
    let own = state.steps.get(step).zip(definition.steps.get(step));
    let own = own.and_then(|(step, definition)| step_deadline(step, definition)).map(|deadline| deadline - counted);
    let ran = state.ran_for + state.running_since.map_or(TimeDelta::zero(), |since| now - since);
    let whole = TimeDelta::from_std(definition.limits.timeout).ok().map(|limit| limit - ran);
    match (own, whole) {
        (Some(own), Some(whole)) => Some((own.min(whole), whole <= own)),
        (Some(own), None) => Some((own, false)),
        (None, whole) => whole.map(|whole| (whole, true)),
    }
}

/// When something falls due that nobody else watches. A server watches the work that it does itself.
pub fn wake_at(state: &State, definition: &Definition) -> Option<DateTime<Utc>> {
    // People's time goes on while an execution is paused.
    let people = || state.pending().filter_map(Checkpoint::due).min();
    match state.status {
        Status::Running | Status::AwaitingApproval => {}
        Status::Paused => return people(),
        _ => return None,
    }
    let mut unwatched = false;
    let mut earliest = people();
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
    let whole = execution_deadline(state, definition).filter(|_| unwatched);
    [earliest, whole].into_iter().flatten().min()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::domain::{
        document::Problems,
        execution::{Data, Event, Mode, Queued},
        json::Json,
        workflow::read,
    };

    #[test]
    fn the_time_in_which_an_execution_is_paused_does_not_count() {
        let document = json!({"name": "T", "limits": {"timeoutSeconds": 100},
            "steps": [{"key": "a", "agent": "X", "timeoutSeconds": 30}]});
        let definition = read(&document, &mut Problems::default()).expect("a definition");
        let at = |seconds: i64| DateTime::from_timestamp(seconds, 0).expect("a time");
        let queued = Event::Queued(Box::new(Queued {
            workflow: uuid::Uuid::nil(),
            version: 1,
            steps: 1,
            mode: Mode::Live,
            input: Data::Inline(Json::null()),
            correlation_id: None,
            origin: None,
            root: None,
            kept: Vec::new(),
        }));
        let work = Work::Worker { id: "w".to_owned(), lease: uuid::Uuid::nil() };
        let agent = uuid::Uuid::nil();
        let started = Event::StepStarted { step: 0, attempt: 1, agent, agent_version: 1, computed: None, work };
        let mut state =
            State::fold([(at(0), &queued), (at(0), &Event::Started {}), (at(10), &started)]).expect("a beginning");
        assert_eq!(wake_at(&state, &definition), Some(at(40)));
        assert_eq!(time_left(&state, &definition, 0, at(15)), Some((TimeDelta::seconds(25), false)));
        state.apply(&Event::Paused {}, at(20));
        assert_eq!(wake_at(&state, &definition), None);
        assert_eq!(time_left(&state, &definition, 0, at(1_000)), Some((TimeDelta::seconds(20), false)));
        state.apply(&Event::Resumed {}, at(1_000));
        assert_eq!(wake_at(&state, &definition), Some(at(1_020)));
        assert_eq!(execution_deadline(&state, &definition), Some(at(1_080)));
    }
}
