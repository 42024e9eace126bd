//! Policies: the rules that say when people are asked.

mod evaluate;
mod mutations;
mod queries;
mod subscription;

use async_graphql::{Context, Enum, Object, SimpleObject};
use chrono::{DateTime, Utc};

use super::{
    audit::Actor,
    caller::ContextExt,
    connection::connection,
    error::{Fault, Result, outcome},
    memory::AutoApprovalRule,
};
use crate::{
    domain::{access::Scope, document::Problem, policy, role::Role},
    store::policies::{self, InForce, PolicySource},
};

pub use evaluate::EvaluationQuery;
pub use mutations::PolicyMutation;
pub use queries::PolicyQuery;
pub use subscription::PolicySubscription;

/// Where a policy comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
pub enum PolicyOrigin {
    /// Nobody has written one: high and critical risk needs one approval.
    BuiltIn,
    /// Somebody saved it through the API.
    Api,
    /// The operator mounted it as a file.
    File,
}

impl From<PolicySource> for PolicyOrigin {
    fn from(source: PolicySource) -> Self {
        match source {
            PolicySource::Api => Self::Api,
            PolicySource::File => Self::File,
        }
    }
}

/// One version of the workspace's policy. It never changes.
#[derive(Clone)]
pub struct PolicyVersion(pub policies::PolicyVersion);

/// One version of the workspace's policy. It never changes.
#[Object]
impl PolicyVersion {
    /// Its number, counted from 1.
    async fn number(&self) -> i32 {
        self.0.number
    }

    /// The document, as it was written.
    async fn document(&self) -> &str {
        &self.0.document
    }

    /// Where it comes from.
    async fn origin(&self) -> PolicyOrigin {
        self.0.source.into()
    }

    /// When it was saved.
    async fn created_at(&self) -> DateTime<Utc> {
        self.0.created_at
    }

    /// Who saved it.
    async fn created_by(&self) -> Actor {
        Actor(self.0.actor)
    }
}

connection! {
    /// A page of versions of the policy.
    PolicyVersionConnection,
    /// A version and where it stands in its list.
    PolicyVersionEdge, PolicyVersion
}

/// The rules that are in force in the workspace.
pub struct Policy {
    in_force: InForce,
    version: Option<policies::PolicyVersion>,
}

impl Policy {
    /// What is in force now.
    pub async fn find(ctx: &Context<'_>, scope: Scope) -> Result<Self> {
        let store = ctx.engine().store();
        let in_force = store.policy_in_force(scope).await?;
        let version = match in_force.version {
            Some(number) => store.policy_version(scope, number).await?,
            None => None,
        };
        Ok(Self { in_force, version })
    }
}

/// The rules that are in force in the workspace.
#[Object]
impl Policy {
    /// The version's number; null for the policy that is built in. Give it as `baseVersion` to change the policy.
    async fn version(&self) -> Option<i32> {
        self.in_force.version
    }

    /// The document, in YAML or JSON.
    async fn document(&self) -> &str {
        self.version.as_ref().map_or(policy::Policy::DEFAULT_TEXT, |version| &version.document)
    }

    /// Where it comes from.
    async fn origin(&self) -> PolicyOrigin {
        self.version.as_ref().map_or(PolicyOrigin::BuiltIn, |version| version.source.into())
    }

    /// When it was saved; null for the policy that is built in.
    async fn created_at(&self) -> Option<DateTime<Utc>> {
        self.version.as_ref().map(|version| version.created_at)
    }

    /// Whether nothing is approved without people, whatever the rules say.
    async fn emergency_stop(&self) -> bool {
        self.in_force.stopped_at.is_some()
    }

    /// Since when.
    async fn emergency_stop_since(&self) -> Option<DateTime<Utc>> {
        self.in_force.stopped_at
    }

    /// Why, if whoever stopped it said so.
    async fn emergency_stop_reason(&self) -> Option<&str> {
        self.in_force.stop_reason.as_deref()
    }

    /// The rules that approve in place of people, or would, and how often people agree with them.
    #[graphql(complexity = "child_complexity.saturating_mul(20)")]
    async fn auto_approval_rules(&self, ctx: &Context<'_>) -> Result<Vec<AutoApprovalRule>> {
        let scope = ctx.require(Role::Viewer)?;
        let rules = outcome(ctx.engine().auto_rules(scope).await)?.map_err(|_| Fault::Internal)?;
        Ok(rules.into_iter().map(AutoApprovalRule).collect())
    }

    /// Why the operator's file is not in force as it is now: what was in force before stays. Null if all is well.
    async fn file_problem(&self, ctx: &Context<'_>) -> Option<String> {
        ctx.engine().policy_file_problem().borrow().clone()
    }
}

/// One thing that is wrong with a policy's document.
#[derive(Debug, Clone, SimpleObject)]
pub struct PolicyProblem {
    /// Where in the document, as a JSON pointer such as `/checkpoints/0/trigger`. Empty when it is about the whole.
    pub path: String,
    /// In which line of the text, from 1.
    pub line: Option<i32>,
    /// At which character of that line, from 1.
    pub column: Option<i32>,
    /// What is wrong and what would be right.
    pub message: String,
}

impl From<Problem> for PolicyProblem {
    fn from(problem: Problem) -> Self {
        let small = |number: Option<usize>| number.map(|number| i32::try_from(number).unwrap_or(i32::MAX));
        Self { path: problem.path, line: small(problem.line), column: small(problem.column), message: problem.message }
    }
}
