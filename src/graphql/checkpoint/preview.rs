//! What would change with other parameters.

use async_graphql::{Context, ID, Object, SimpleObject};

use super::{requirement::ApprovalRequirement, revision::FieldChange};
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
    /// Who must approve them by the policy in force, which may be more or others than for what is proposed; null if they
    /// could not be approved.
    requirement: Option<ApprovalRequirement>,
    /// Whether approving with them would count as the caller's approval. If not, it only proposes them to others.
    viewer_can_approve: bool,
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
        let (requirement, viewer_can_approve) = (preview.requirement.map(ApprovalRequirement), preview.counts);
        Ok(Some(ParameterPreview { changes, valid: errors.is_empty(), errors, requirement, viewer_can_approve }))
    }
}
