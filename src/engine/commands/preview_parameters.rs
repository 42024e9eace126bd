//! What would change if somebody approved with other parameters.

use super::decide_checkpoint::unknown_checkpoint;
use crate::{
    domain::{
        access::Scope,
        checkpoint::{Change, differences},
        id::CheckpointId,
        json::Json,
        refusal::Refusal,
    },
    engine::{Engine, Error, Result},
};

/// What differs from the current parameters, and what keeps the new ones from being approved.
#[derive(Debug)]
pub struct ParameterPreview {
    pub changes: Vec<Change>,
    pub problems: Vec<Refusal>,
}

impl Engine {
    /// Compares parameters with the current ones and checks them, without deciding.
    pub async fn preview_parameters(
        &self,
        scope: Scope,
        id: CheckpointId,
        parameters: &Json,
    ) -> Result<Option<ParameterPreview>> {
        let Some(row) = self.store().checkpoint(scope, id).await? else { return Ok(None) };
        let mut journals = self.inspect_executions(scope, &[row.execution]).await?;
        let journal = journals.remove(&row.execution).ok_or_else(|| unknown_checkpoint(id))?;
        let checkpoint = journal.state.checkpoint(id.0).ok_or_else(|| unknown_checkpoint(id))?;
        let problems = match self.check_parameters(scope, checkpoint, parameters).await {
            Ok(()) => Vec::new(),
            Err(Error::Refused(refusals)) => refusals,
            Err(error) => return Err(error),
        };
        let current = match checkpoint.proposal() {
            Some(proposal) => self.value(scope.workspace(), &proposal.parameters).await?,
            None => Json::object([]),
        };
        Ok(Some(ParameterPreview { changes: differences(&current.to_value(), &parameters.to_value()), problems }))
    }
}
