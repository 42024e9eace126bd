//! Changing the rules, and stopping them.

use async_graphql::{Context, InputObject, Object, SimpleObject};

use super::{Policy, PolicyProblem};
use crate::{
    domain::{access::Scope, document::Problem, refusal::Refusal, role::Role},
    engine::{
        self,
        commands::{SavePolicy, SavedPolicy},
    },
    graphql::{
        caller::ContextExt,
        checkpoint::Checkpoint,
        error::{Result, UserError, outcome},
    },
};

/// A policy to be put in force.
#[derive(InputObject)]
pub struct SavePolicyInput {
    /// The document, in YAML or JSON: at most 1 MiB.
    document: String,
    /// The version that the change was made from; absent if it was the policy that is built in.
    base_version: Option<i32>,
}

/// Which earlier version to put in force again.
#[derive(InputObject)]
pub struct RestorePolicyVersionInput {
    /// The version's number.
    version: i32,
    /// The version that is in force; absent if it is the policy that is built in.
    base_version: Option<i32>,
}

/// Whether rules may approve.
#[derive(InputObject)]
pub struct SetEmergencyStopInput {
    /// True: from the next proposal on, nothing is approved without people. False: rules may approve again.
    stopped: bool,
    /// Why, for whoever looks at it later: at most 1,000 characters.
    reason: Option<String>,
}

/// The policy that is in force, or what was wrong.
#[derive(Default, SimpleObject)]
pub struct SavePolicyPayload {
    /// What is in force after the change.
    policy: Option<Policy>,
    /// The checkpoint at which somebody else must approve the change first, where the server's setting `review-changes`
    /// is on; null if it was made.
    review: Option<Checkpoint>,
    /// Everything that is wrong with the document: nothing was saved.
    problems: Vec<PolicyProblem>,
    /// What is probably a mistake. The policy was saved all the same.
    warnings: Vec<PolicyProblem>,
    /// What the caller can fix. If the document was not saved, each of its problems is here, too.
    user_errors: Vec<UserError>,
}

/// The policy that is in force, or what was wrong.
#[derive(Default, SimpleObject)]
pub struct SetEmergencyStopPayload {
    /// What is in force after the change.
    policy: Option<Policy>,
    /// What the caller can fix.
    user_errors: Vec<UserError>,
}

/// `field` is where the document came from.
async fn saved(
    ctx: &Context<'_>,
    scope: Scope,
    field: &'static str,
    saved: engine::Result<SavedPolicy>,
) -> Result<SavePolicyPayload> {
    Ok(match outcome(saved)? {
        Ok(SavedPolicy::Saved { warnings, .. }) => SavePolicyPayload {
            policy: Some(Policy::find(ctx, scope).await?),
            warnings: warnings.into_iter().map(PolicyProblem::from).collect(),
            ..Default::default()
        },
        Ok(SavedPolicy::InReview(row)) => {
            SavePolicyPayload { review: Some(Checkpoint::from(*row)), ..Default::default() }
        }
        Ok(SavedPolicy::Invalid(problems)) => SavePolicyPayload {
            user_errors: problems.iter().map(|problem| refuse(field, problem).into()).collect(),
            problems: problems.into_iter().map(PolicyProblem::from).collect(),
            ..Default::default()
        },
        Err(user_errors) => SavePolicyPayload { user_errors, ..Default::default() },
    })
}

/// A problem of the document, with its line: the input is a text.
fn refuse(field: &'static str, problem: &Problem) -> Refusal {
    Refusal::invalid(field, problem.told())
}

#[derive(Default)]
pub struct PolicyMutation;

#[Object]
impl PolicyMutation {
    /// Saves a policy as the next version and puts it in force. Needs the role ADMIN.
    async fn save_policy(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The arguments.")] input: SavePolicyInput,
    ) -> Result<SavePolicyPayload> {
        let scope = ctx.require(Role::Admin)?;
        let command = SavePolicy { document: input.document, base_version: input.base_version };
        saved(ctx, scope, "document", ctx.engine().save_policy(scope, command, &ctx.caller().origin).await).await
    }

    /// Puts an earlier version of the policy in force again, as the next version. Needs the role ADMIN.
    async fn restore_policy_version(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The arguments.")] input: RestorePolicyVersionInput,
    ) -> Result<SavePolicyPayload> {
        let scope = ctx.require(Role::Admin)?;
        let origin = &ctx.caller().origin;
        let restored = ctx.engine().restore_policy_version(scope, input.version, input.base_version, origin).await;
        saved(ctx, scope, "version", restored).await
    }

    /// Stops all approvals without people from the next proposal on, or lets rules approve again. Needs the role APPROVER.
    /// An API token with the right EMERGENCY_STOP can stop them too, but not lift the stop.
    async fn set_emergency_stop(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The arguments.")] input: SetEmergencyStopInput,
    ) -> Result<SetEmergencyStopPayload> {
        let scope = ctx.viewer()?.require_emergency_stop(input.stopped)?;
        let origin = &ctx.caller().origin;
        let set = ctx.engine().set_emergency_stop(scope, input.stopped, input.reason.as_deref(), origin).await;
        Ok(match outcome(set)? {
            Ok(_) => SetEmergencyStopPayload { policy: Some(Policy::find(ctx, scope).await?), user_errors: Vec::new() },
            Err(user_errors) => SetEmergencyStopPayload { user_errors, ..Default::default() },
        })
    }
}
