//! People say that a rule was wrong.

use async_graphql::{Context, ID, InputObject, Object};

use super::payload::{checkpoint_payload, of_command, parse_checkpoint};
use crate::{
    domain::role::Role,
    graphql::{caller::ContextExt, error::Result},
};

/// Somebody would not have approved what a rule did.
#[derive(InputObject)]
pub struct OverrideAutoApprovalInput {
    /// The checkpoint, which a rule has approved.
    checkpoint_id: ID,
    /// Why not: 1 to 10,000 characters, for whoever wrote the rule.
    reason: String,
}

checkpoint_payload! {
    /// The checkpoint with somebody's word against the rule's, or what was wrong.
    OverrideAutoApprovalPayload
}

#[derive(Default)]
pub struct OverrideMutation;

#[Object]
impl OverrideMutation {
    /// Says that what a rule approved should not have been. What was done is done: cancel the execution if it still
    /// runs. The rule loses standing, and with `demote_below` the right to approve. Needs the role APPROVER.
    async fn override_auto_approval(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The arguments.")] input: OverrideAutoApprovalInput,
    ) -> Result<OverrideAutoApprovalPayload> {
        let scope = ctx.require(Role::Approver)?;
        Ok(match parse_checkpoint(&input.checkpoint_id) {
            Ok(id) => {
                let origin = &ctx.caller().origin;
                of_command(ctx.engine().override_auto_approval(scope, id, &input.reason, origin).await)?.into()
            }
            Err(errors) => Err(errors).into(),
        })
    }
}
