//! What would change with other parameters.

use async_graphql::{Context, ID, Object, SimpleObject};

use super::revision::FieldChange;
use crate::{
    domain::{id::CheckpointId, json, role::Role},
    graphql::{
        caller::ContextExt,
        error::{Fault, Result, UserError, argument_id, outcome},
        json::Json,
    },
};

/// What checking parameters costs, compared to reading a field.
const PREVIEW_COST: usize = 100;

/// What would change if the checkpoint was approved with other parameters.
#[derive(SimpleObject)]
pub struct ParameterPreview {
    /// What differs from the current parameters, at most 1,000 fields. Pointers begin within the parameters, as in
    /// `/amount`.
    changes: Vec<FieldChange>,
    /// Whether they could be approved: they fit what the agent takes.
    valid: bool,
    /// Everything that is wrong with them.
    errors: Vec<UserError>,
}

#[derive(Default)]
pub struct ParameterPreviewQuery;

#[Object]
impl ParameterPreviewQuery {
    /// What would change if a checkpoint was approved with other parameters, without deciding; null if there is no such
    /// checkpoint.
    #[graphql(complexity = "child_complexity.saturating_add(PREVIEW_COST)")]
    async fn preview_parameter_changes(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The checkpoint.")] checkpoint_id: ID,
        #[graphql(desc = "The parameters with which it would be approved.")] parameters: Json,
    ) -> Result<Option<ParameterPreview>> {
        let scope = ctx.require(Role::Viewer)?;
        let id = argument_id::<CheckpointId>("checkpointId", &checkpoint_id)?;
        let unfit = |error| Fault::BadInput(format!("`parameters` cannot be kept: {error}"));
        let parameters = json::Json::from_value(&parameters.0).map_err(unfit)?;
        let preview = outcome(ctx.engine().preview_parameters(scope, id, &parameters).await)?;
        let Some(preview) = preview.map_err(|_| Fault::Internal)? else { return Ok(None) };
        let at_argument = |refusal| UserError { path: vec!["parameters".to_owned()], ..UserError::from(refusal) };
        let errors: Vec<UserError> = preview.problems.into_iter().map(at_argument).collect();
        let changes = preview.changes.into_iter().map(FieldChange::from).collect();
        Ok(Some(ParameterPreview { changes, valid: errors.is_empty(), errors }))
    }
}
