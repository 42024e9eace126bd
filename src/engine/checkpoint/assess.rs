//! What people are asked for now, by the policy that is in force.

use crate::{
    domain::{
        access::{Actor, Scope},
        checkpoint::{self, Assessed, Checkpoint, Contents, Kind, Proposal, Reassess, Reassessment},
        execution::Judged,
        json::Json,
        policy::{Asker, OnTimeout, Outcome},
        workflow::Gate,
    },
    engine::{
        Engine, Result,
        commands::gate_of,
        execution::{Loaded, judge},
        policy::InForce,
    },
};

impl Engine {
    /// What the policy in force asks for about a proposal of a checkpoint: never less than was asked before.
    pub(crate) async fn assess(
        &self,
        loaded: &Loaded,
        checkpoint: &Checkpoint,
        (proposal, contents): (&Proposal, &Contents),
        in_force: &InForce,
    ) -> Result<Assessed> {
        let before = checkpoint.requirement.clone().unwrap_or_default();
        let described = checkpoint.step.and_then(|step| loaded.plan.definition().steps.get(step));
        let (gate, judges) = match checkpoint.kind {
            Kind::Step => (described.map_or(Gate::Policy, |step| step.gate), true),
            Kind::External => (gate_of(proposal), true),
            Kind::Clarification => (Gate::Policy, false),
        };
        let context = match checkpoint.step {
            Some(step) => loaded.plan.context_of(step, &loaded.values),
            None => Json::object([]),
        };
        let (asked_by, asker) = match checkpoint.kind {
            Kind::Step => (Asker::Step, loaded.owner.actor),
            Kind::External | Kind::Clarification => (Asker::Caller, checkpoint.by),
        };
        let judged = Judged { gate, asked_by, proposal, contents, input: &loaded.values.input, context: &context };
        let requester = self.requester(loaded.scope(), asker, &in_force.policy).await?;
        let outcome = if judges { judge(in_force, &judged, &requester, self.clock().now()) } else { Outcome::Proceed };
        let requirement = match outcome {
            Outcome::Ask(now) => before.and(&now),
            // What would be let through now was stopped all the same: people decide about it.
            Outcome::Proceed | Outcome::AutoApproved(_) => before,
        };
        Ok(Assessed { requirement: requirement.behind(gate), policy: in_force.version })
    }

    /// How what is asked of people has changed since they were asked, and which decisions count no longer; nothing if
    /// all is as it was.
    pub(crate) async fn reassessment(
        &self,
        scope: Scope,
        loaded: &Loaded,
        checkpoint: &Checkpoint,
        in_force: &InForce,
    ) -> Result<Option<checkpoint::Command>> {
        let Some(current) = checkpoint.current() else { return Ok(None) };
        let contents = self.contents_of(scope.workspace(), &current.proposal).await?;
        let assessed = self.assess(loaded, checkpoint, (&current.proposal, &contents), in_force).await?;
        let same = checkpoint.requirement.as_ref().is_some_and(|before| before.asks_the_same(&assessed.requirement));
        let why = if same { Reassessment::PeopleChanged } else { Reassessment::PolicyChanged };
        let asked = Checkpoint { requirement: Some(assessed.requirement.clone()), ..checkpoint.clone() };
        let (seated, lapsed) = self.standing_decisions(scope, loaded.owner.actor, &asked).await?;
        let reassess = Reassess { why, by: Actor::System, assessed, seated, lapsed };
        let command = checkpoint::Command::Reassess(Box::new(reassess));
        let changes = checkpoint::decide(checkpoint, command.clone()).is_ok_and(|events| !events.is_empty());
        Ok(changes.then_some(command))
    }

    /// The checkpoints that silence may approve, because the policy in force still takes it for consent.
    pub(crate) async fn consent(&self, loaded: &Loaded, in_force: &InForce) -> Result<Vec<uuid::Uuid>> {
        let mut consent = Vec::new();
        let approves = |checkpoint: &&Checkpoint| {
            let timeout = checkpoint.requirement.as_ref().and_then(|requirement| requirement.timeout);
            timeout.is_some_and(|timeout| timeout.then == OnTimeout::Approve)
        };
        for checkpoint in loaded.state.pending().filter(approves).filter(|_| !in_force.emergency_stop) {
            let Some(current) = checkpoint.current() else { continue };
            let contents = self.contents_of(loaded.owner.workspace, &current.proposal).await?;
            let assessed = self.assess(loaded, checkpoint, (&current.proposal, &contents), in_force).await?;
            if checkpoint.requirement.as_ref().is_some_and(|before| before.asks_the_same(&assessed.requirement)) {
                consent.push(checkpoint.id);
            }
        }
        Ok(consent)
    }
}
