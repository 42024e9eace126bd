//! Finding policies, and checking them.

use async_graphql::{Context, Object, SimpleObject};

use super::{Policy, PolicyProblem, PolicyVersion, PolicyVersionConnection};
use crate::{
    domain::role::Role,
    graphql::{
        caller::ContextExt,
        connection::{PageArgs, Total, page_cost},
        error::{Fault, Result, outcome},
    },
    store::policies::BY_NUMBER,
};

/// What reading a document costs, compared to reading a field.
const VALIDATION_COST: usize = 50;

/// Whether a policy could be saved.
#[derive(SimpleObject)]
pub struct PolicyValidation {
    /// Whether nothing is wrong with it.
    valid: bool,
    /// Everything that is wrong, in the order of the document. Also what no one in this workspace could ever approve.
    problems: Vec<PolicyProblem>,
    /// What is probably a mistake, such as a group that does not exist beside others. It can be saved all the same.
    warnings: Vec<PolicyProblem>,
}

#[derive(Default)]
pub struct PolicyQuery;

#[Object]
impl PolicyQuery {
    /// The rules that are in force in the workspace.
    async fn policy(&self, ctx: &Context<'_>) -> Result<Policy> {
        let scope = ctx.require(Role::Viewer)?;
        Policy::find(ctx, scope).await
    }

    /// One version of the workspace's policy; null if there is none with this number.
    async fn policy_version(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The version's number.")] number: i32,
    ) -> Result<Option<PolicyVersion>> {
        let scope = ctx.require(Role::Viewer)?;
        Ok(ctx.engine().store().policy_version(scope, number).await?.map(PolicyVersion))
    }

    /// All versions of the workspace's policy, the newest first.
    #[graphql(complexity = "page_cost(first, last, child_complexity)")]
    async fn policy_versions(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "How many from the start: 1 to 100, 50 when absent.")] first: Option<i32>,
        #[graphql(desc = "Only what comes after this cursor.")] after: Option<String>,
        #[graphql(desc = "How many from the end, instead of `first`.")] last: Option<i32>,
        #[graphql(desc = "Only what comes before this cursor.")] before: Option<String>,
    ) -> Result<PolicyVersionConnection> {
        let scope = ctx.require(Role::Viewer)?;
        let page = PageArgs { first, after, last, before }.page(BY_NUMBER)?;
        let slice = ctx.engine().store().policy_versions(scope, true, &page).await?;
        let total = Total::new(ctx, scope, |store, scope| async move { store.count_policy_versions(scope).await });
        Ok(PolicyVersionConnection::new(slice.map(PolicyVersion), total))
    }

    /// Checks a policy without saving it.
    #[graphql(complexity = "child_complexity.saturating_add(VALIDATION_COST)")]
    async fn validate_policy(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The document, in YAML or JSON.")] document: String,
    ) -> Result<PolicyValidation> {
        let scope = ctx.require(Role::Viewer)?;
        let checked = outcome(ctx.engine().check_policy(scope, &document).await)?;
        let found = checked.map_err(|_| Fault::Internal)?;
        Ok(PolicyValidation {
            valid: found.errors.is_empty(),
            problems: found.errors.into_iter().map(PolicyProblem::from).collect(),
            warnings: found.warnings.into_iter().map(PolicyProblem::from).collect(),
        })
    }
}
