//! What one event tells, given the state before it.

use std::collections::BTreeSet;

use chrono::{DateTime, TimeDelta, Utc};
use uuid::Uuid;

use super::{
    facts::Fact,
    words::{Attempted, Measure, Outcome},
};
use crate::domain::{
    checkpoint::{self, Cause, Checkpoint, Decided, Kind, Verdict, changed_by_people},
    execution::{CompletionReason, Event, Failure, State, StepState, StepStatus, Usage},
    policy::OnTimeout,
};

/// The state before an event that tells something.
pub(super) struct Telling<'a> {
    pub state: &'a State,
    pub at: DateTime<Utc>,
    pub found: &'a mut Vec<Fact>,
}

impl Telling<'_> {
    pub fn event(&mut self, event: &Event) {
        match event {
            Event::StepCompleted { step, usage, .. } => self.attempt(*step, Attempted::Completed, None, *usage),
            Event::StepRetried { step, failure, usage, .. } => {
                self.attempt(*step, Attempted::Retried, Some(failure), *usage);
            }
            Event::StepFailed { step, failure, usage, .. } => {
                self.attempt(*step, Attempted::Failed, Some(failure), *usage);
            }
            Event::Completed { reason } | Event::Failed { reason, .. } => self.end(*reason),
            Event::Cancelled { completion, .. } => self.end(completion.unwrap_or(CompletionReason::Cancelled)),
            Event::Checkpoint(event) => self.checkpoint(event),
            // `tells` has them all.
            _ => {}
        }
    }

    fn fact(&self, measure: Measure, word: &'static str) -> Fact {
        Fact {
            at: self.at,
            measure,
            word,
            workflow: self.state.workflow,
            agent: None,
            person: None,
            rule: None,
            micros: None,
            usage: Usage::default(),
        }
    }

    fn attempt(&mut self, step: usize, how: Attempted, failure: Option<&Failure>, usage: Usage) {
        let Some(step) = self.state.steps.get(step) else { return };
        let agent = step.agent.map(|(agent, _)| agent);
        let micros = self.worked_for(step);
        self.found.push(Fact { agent, micros, usage, ..self.fact(Measure::Attempt, how.as_str()) });
        if let Some(failure) = failure {
            self.found.push(Fact { agent, ..self.fact(Measure::Error, failure.code.as_str()) });
        }
    }

    /// How long somebody has worked on a step, by the clock that its time limit has: it stands still while people are
    /// asked, and while the execution is paused.
    fn worked_for(&self, step: &StepState) -> Option<u64> {
        let started = step.started_at.filter(|_| step.status == StepStatus::Running)?;
        let stands_still =
            step.asking_since.or(self.state.paused_since).map_or(TimeDelta::zero(), |since| self.at - since);
        Some(micros(self.at - started - step.paused_for - stands_still))
    }

    fn end(&mut self, reason: CompletionReason) {
        let running = self.state.steps.iter().filter(|step| step.status == StepStatus::Running);
        for agent in running.map(|step| step.agent.map(|(agent, _)| agent)) {
            self.found.push(Fact { agent, ..self.fact(Measure::Attempt, Attempted::Cancelled.as_str()) });
        }
        // A request that stands alone is a checkpoint, and nothing was executed.
        if self.state.steps.is_empty() {
            return;
        }
        let micros = Some(micros(self.at - self.state.created_at));
        self.found.push(Fact { micros, ..self.fact(Measure::Execution, reason.as_str()) });
        let agents: BTreeSet<Uuid> = self.state.steps.iter().filter_map(|step| Some(step.agent?.0)).collect();
        for agent in agents.into_iter().map(Some) {
            self.found.push(Fact { agent, micros, ..self.fact(Measure::AgentExecution, reason.as_str()) });
        }
    }

    fn checkpoint(&mut self, event: &checkpoint::Event) {
        match event {
            checkpoint::Event::Requested(requested) => {
                let rule = requested.requirement.rule.clone();
                let fact = self.fact(Measure::Checkpoint, Outcome::Asked.as_str());
                self.found.push(Fact { agent: requested.agent, rule, ..fact });
            }
            checkpoint::Event::AutoApproved(approved) => {
                let rule = Some(approved.rule.clone());
                let fact = self.fact(Measure::Checkpoint, Outcome::AutoApproved.as_str());
                self.found.push(Fact { agent: approved.agent, rule, ..fact });
            }
            checkpoint::Event::Decided(made) => self.decision(made),
            checkpoint::Event::Approved { checkpoint } => {
                let Some(found) = self.pending(*checkpoint) else { return };
                let outcome = match found.kind {
                    Kind::Clarification => Outcome::Answered,
                    Kind::Step | Kind::External if changed_by_people(found) => Outcome::Modified,
                    Kind::Step | Kind::External => Outcome::Approved,
                };
                self.resolved(found, outcome);
            }
            checkpoint::Event::Rejected { checkpoint, .. } => {
                if let Some(found) = self.pending(*checkpoint) {
                    self.resolved(found, Outcome::Rejected);
                }
            }
            checkpoint::Event::TimedOut { checkpoint, action } => {
                // Who escalates goes on waiting.
                let found = self.pending(*checkpoint).filter(|_| *action != OnTimeout::Escalate);
                if let Some(found) = found {
                    self.ended(found, Outcome::TimedOut);
                }
            }
            checkpoint::Event::Cancelled { checkpoint, .. } => {
                if let Some(found) = self.pending(*checkpoint) {
                    self.ended(found, Outcome::Cancelled);
                }
            }
            checkpoint::Event::Overridden { checkpoint, .. } => {
                let Some(found) = self.state.checkpoint(*checkpoint) else { return };
                let rule = found.rule().map(ToOwned::to_owned);
                let fact = self.fact(Measure::Checkpoint, Outcome::Overridden.as_str());
                self.found.push(Fact { agent: found.agent, rule, ..fact });
            }
            _ => {}
        }
    }
}

impl<'a> Telling<'a> {
    fn pending(&self, id: Uuid) -> Option<&'a Checkpoint> {
        self.state.checkpoint(id).filter(|found| found.is_pending())
    }

    /// What somebody approves instead is a revision that begins with the decision: what was decided is the one before.
    fn decision(&mut self, made: &Decided) {
        let Some(found) = self.pending(made.checkpoint) else { return };
        let decided = found.revisions.iter().rposition(|revision| revision.number == made.revision);
        let Some(decided) = decided else { return };
        let own = found
            .revisions
            .get(decided)
            .is_some_and(|revision| changes(revision.cause) && revision.by == made.by && revision.at == self.at);
        let Some(seen) = found.revisions.get(if own { decided.saturating_sub(1) } else { decided }) else { return };
        let outcome = match made.verdict {
            Verdict::Approve if own => Outcome::Modified,
            Verdict::Approve => Outcome::Approved,
            Verdict::Reject => Outcome::Rejected,
            Verdict::Answer => Outcome::Answered,
        };
        let (agent, micros) = (found.agent, Some(micros(self.at - seen.at)));
        let rule = found.rule().map(ToOwned::to_owned);
        self.found.push(Fact { agent, rule, micros, ..self.fact(Measure::Decision, outcome.as_str()) });
        let person = Some(made.person);
        self.found.push(Fact { agent, person, micros, ..self.fact(Measure::PersonDecision, outcome.as_str()) });
    }

    fn ended(&mut self, found: &Checkpoint, outcome: Outcome) {
        let micros = Some(micros(self.at - found.requested_at));
        let rule = found.rule().map(ToOwned::to_owned);
        let fact = self.fact(Measure::Checkpoint, outcome.as_str());
        self.found.push(Fact { agent: found.agent, rule, micros, ..fact });
    }

    /// Ended by people.
    fn resolved(&mut self, found: &Checkpoint, outcome: Outcome) {
        self.ended(found, outcome);
        let micros = Some(micros(self.at - found.requested_at));
        let people: BTreeSet<Uuid> = found.live_decisions().map(|decision| decision.made.person).collect();
        for person in people.into_iter().map(Some) {
            let fact = self.fact(Measure::PersonCheckpoint, outcome.as_str());
            self.found.push(Fact { agent: found.agent, person, micros, ..fact });
        }
    }
}

fn changes(cause: Option<Cause>) -> bool {
    matches!(cause, Some(Cause::Modified | Cause::Selected))
}

/// Clocks may go back; time does not.
fn micros(took: TimeDelta) -> u64 {
    took.num_microseconds().map_or(i64::MAX.unsigned_abs(), |micros| micros.max(0).unsigned_abs())
}
