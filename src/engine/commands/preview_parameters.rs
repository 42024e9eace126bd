//! What would change if somebody approved with other parameters.

use super::{change_checkpoint::Moment, decide_checkpoint::DecideCheckpoint};
use crate::{
    domain::{
        access::Scope,
        checkpoint::{Change, Checkpoint, Verdict, differences},
        id::CheckpointId,
        json::Json,
        policy::Requirement,
        refusal::Refusal,
    },
    engine::{Engine, Error, Result},
};

/// What differs from the current parameters, what keeps the new ones from being approved, and by whom they must be.
#[derive(Debug)]
pub struct ParameterPreview {
    pub changes: Vec<Change>,
    pub problems: Vec<Refusal>,
    /// What the policy in force asks for about them; nothing if they cannot be approved.
    pub requirement: Option<Requirement>,
    /// Whether the change would count as an approval by the caller.
    pub counts: bool,
}

impl Engine {
    /// Compares parameters with the current ones and checks them, without deciding.
    pub async fn preview_parameters(
        &self,
        scope: Scope,
        id: CheckpointId,
        parameters: &Json,
    ) -> Result<Option<ParameterPreview>> {
        if self.store().checkpoint(scope, id).await?.is_none() {
            return Ok(None);
        }
        let loaded = self.execution_of_checkpoint(scope, id).await?;
        let Some(checkpoint) = loaded.state.checkpoint(id.0) else { return Ok(None) };
        let Some(current) = checkpoint.current() else { return Ok(None) };
        let before = self.value(scope.workspace(), &current.proposal.parameters).await?;
        let changes = differences(&before.to_value(), &parameters.to_value());
        let in_force = self.in_force(scope).await?;
        let moment = Moment { scope, loaded: &loaded, checkpoint, in_force: &in_force };
        let command = DecideCheckpoint {
            checkpoint: id,
            digest: current.digest.clone(),
            verdict: Verdict::Approve,
            comment: None,
            modified_parameters: Some(parameters.clone()),
            items: None,
            answers: None,
        };
        let requirement = match self.instead_of(&moment, &current.proposal, &command).await {
            Ok(instead) => instead.map(|(instead, _)| instead.assessed.requirement),
            Err(Error::Refused(problems)) => {
                return Ok(Some(ParameterPreview { changes, problems, requirement: None, counts: false }));
            }
            Err(error) => return Err(error),
        };
        let revised = Checkpoint { requirement: requirement.clone(), ..checkpoint.clone() };
        let person = self.caller(scope).await?;
        let right = self.right_to_decide(scope, &loaded, &revised, &person).await?;
        let counts = right.is_ok() && person.may_approve() && checkpoint.is_pending();
        Ok(Some(ParameterPreview { changes, problems: Vec::new(), requirement, counts }))
    }
}
