//! What events tell about an execution, in facts that can be counted.
//!
//! A fact is told by exactly one event and the state before it. So what a commit adds to the rollups is what its events
//! tell, and the rollups are what the whole journal tells. Executions that are only a test tell nothing.

use std::borrow::Cow;

use chrono::{DateTime, Utc};
use uuid::Uuid;

use super::{telling::Telling, words::Measure};
use crate::domain::{
    checkpoint,
    execution::{Event, Mode, State, Usage},
};

/// One thing that can be counted.
#[derive(Debug, Clone, PartialEq)]
pub struct Fact {
    pub at: DateTime<Utc>,
    pub measure: Measure,
    pub word: &'static str,
    pub workflow: Uuid,
    pub agent: Option<Uuid>,
    pub person: Option<Uuid>,
    /// The rule of the policy that asked, or that approved.
    pub rule: Option<String>,
    /// How long it took, if it took time.
    pub micros: Option<u64>,
    pub usage: Usage,
}

/// What events tell, given the state before them; nothing is before the first event of an execution.
pub fn facts<'a>(before: Option<&State>, events: impl IntoIterator<Item = (DateTime<Utc>, &'a Event)>) -> Vec<Fact> {
    let mut events: Vec<_> = events.into_iter().collect();
    // What comes after the last event that tells something need not be followed, and most often nothing must be: the
    // state is only copied where it is.
    events.truncate(events.iter().rposition(|(_, event)| tells(event)).map_or(0, |last| last + 1));
    let mut state = before.map(Cow::Borrowed);
    let mut found = Vec::new();
    let last = events.len().saturating_sub(1);
    for (number, (at, event)) in events.into_iter().enumerate() {
        match (&mut state, event) {
            (Some(state), _) if state.mode == Mode::Test => return Vec::new(),
            (Some(state), event) => {
                Telling { state, at, found: &mut found }.event(event);
                if number < last {
                    state.to_mut().apply(event, at);
                }
            }
            (None, Event::Queued(queued)) => state = Some(Cow::Owned(State::begin(queued, at))),
            (None, _) => return found,
        }
    }
    found
}

/// Whether an event can tell something.
fn tells(event: &Event) -> bool {
    match event {
        Event::StepCompleted { .. }
        | Event::StepRetried { .. }
        | Event::StepFailed { .. }
        | Event::Cancelled { .. }
        | Event::Completed { .. }
        | Event::Failed { .. } => true,
        Event::Checkpoint(event) => match event {
            checkpoint::Event::Requested(_)
            | checkpoint::Event::AutoApproved(_)
            | checkpoint::Event::Decided(_)
            | checkpoint::Event::Approved { .. }
            | checkpoint::Event::Rejected { .. }
            | checkpoint::Event::TimedOut { .. }
            | checkpoint::Event::Cancelled { .. }
            | checkpoint::Event::Overridden { .. } => true,
            checkpoint::Event::Revised(_)
            | checkpoint::Event::Lapsed { .. }
            | checkpoint::Event::Reassessed(_)
            | checkpoint::Event::Escalated { .. }
            | checkpoint::Event::Reminded { .. }
            | checkpoint::Event::Assigned { .. }
            | checkpoint::Event::Delegated { .. }
            | checkpoint::Event::Commented { .. }
            | checkpoint::Event::Asked { .. }
            | checkpoint::Event::Answered { .. } => false,
        },
        Event::Queued(_)
        | Event::Started {}
        | Event::StepScheduled { .. }
        | Event::StepStarted { .. }
        | Event::StepReleased { .. }
        | Event::StepProgressed { .. }
        | Event::StepLogged { .. }
        | Event::StepSkipped { .. }
        | Event::StepReopened { .. }
        | Event::PayloadLarge { .. }
        | Event::Deliverable(_)
        | Event::Paused {}
        | Event::Resumed {} => false,
    }
}
