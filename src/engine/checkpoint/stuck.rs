//! Checkpoints that no one can approve any more.

use crate::{
    domain::{
        access::{Actor, Scope},
        checkpoint::Checkpoint,
        id::ExecutionId,
        policy::unfillable,
    },
    engine::{Engine, Result},
    store::checkpoints::Alike,
};

impl Engine {
    /// The checkpoints that wait for people of whom there are not enough: those that are asked alike are looked at once.
    pub async fn stuck_checkpoints(&self, scope: Scope) -> Result<Vec<Alike>> {
        let alike = self.store().pending_alike(scope).await?;
        let executions: Vec<ExecutionId> = alike.iter().map(|(_, row)| row.execution).collect();
        let starters = self.store().executions_by_id(scope, &executions).await?;
        let journals = self.inspect_executions(scope, &executions).await?;
        let mut stuck = Vec::new();
        for (alike, row) in alike {
            let journal = journals.get(&row.execution).and_then(|journal| journal.state.checkpoint(row.id.0));
            if let Some((checkpoint, starter)) = journal.zip(starters.get(&row.execution))
                && self.is_stuck(scope, starter.actor, checkpoint).await?
            {
                stuck.push(alike);
            }
        }
        Ok(stuck)
    }

    /// Whether a checkpoint waits for people of whom there are not enough.
    pub(crate) async fn is_stuck(&self, scope: Scope, starter: Actor, checkpoint: &Checkpoint) -> Result<bool> {
        let Some(requirement) = checkpoint.requirement.as_ref().filter(|_| checkpoint.is_pending()) else {
            return Ok(false);
        };
        let people = self.everybody(scope).await?;
        let kept_out = self.kept_out(scope, starter, checkpoint).await?;
        let able = people.iter().filter(|person| !kept_out.contains(&person.id)).map(|person| &person.approver);
        Ok(!unfillable(requirement, able).is_empty())
    }
}
