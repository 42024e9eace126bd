//! What all events have.

use std::sync::Arc;

use async_graphql::Context;

use crate::{
    domain::id::ExecutionId,
    graphql::{
        caller::ContextExt,
        error::{Fault, Result},
        execution::Execution,
        loaders::PlanOf,
        log::JOURNAL,
    },
    store::journal::Entry,
};

/// A line of the journal, and from where a stream goes on after it if not from its position.
#[derive(Clone)]
pub struct Line(pub Arc<Entry>, pub Option<Arc<str>>);

impl Line {
    pub fn cursor(&self) -> String {
        self.1.as_deref().map_or_else(|| JOURNAL.cursor(self.0.position), str::to_owned)
    }

    /// The execution as it is now.
    pub async fn execution(&self, ctx: &Context<'_>) -> Result<Execution> {
        find(ctx, self.0.execution).await
    }

    pub async fn step_key(&self, ctx: &Context<'_>, step: usize) -> Result<String> {
        step_key(ctx, self.0.execution, step).await
    }
}

async fn find(ctx: &Context<'_>, id: ExecutionId) -> Result<Execution> {
    Ok(ctx.loaders()?.load(id).await?.ok_or(Fault::Internal)?.into())
}

/// The key of a step. Costs nothing for an execution that this process has at hand, as most are that are watched.
pub async fn step_key(ctx: &Context<'_>, id: ExecutionId, step: usize) -> Result<String> {
    let scope = ctx.require(crate::domain::role::Role::Viewer)?;
    let plan = match ctx.engine().plan_at_hand(scope, id) {
        Some(plan) => plan,
        None => {
            let row = find(ctx, id).await?.row;
            ctx.loaders()?.load(PlanOf(row.workflow, row.version)).await?.ok_or(Fault::Internal)?
        }
    };
    plan.steps().get(step).map(|step| step.key.clone()).ok_or(Fault::Internal)
}

/// Defines a type of events: the fields that it is made of, and those of its own that it shows.
macro_rules! event_type {
    ($(#[$doc:meta])* $name:ident { $($field:ident: $of:ty),* $(,)? } shows { $($shown:tt)* }) => {
        $(#[$doc])*
        #[derive(Clone)]
        pub struct $name {
            pub line: $crate::graphql::event::Line,
            $(pub $field: $of,)*
        }

        $(#[$doc])*
        #[async_graphql::Object]
        impl $name {
            /// Give it as `after` to go on from here.
            pub async fn cursor(&self) -> String {
                self.line.cursor()
            }

            /// When it happened.
            pub async fn at(&self) -> chrono::DateTime<chrono::Utc> {
                self.line.0.at
            }

            /// The execution that it happened to, as it is now.
            pub async fn execution(
                &self,
                ctx: &async_graphql::Context<'_>,
            ) -> $crate::graphql::error::Result<$crate::graphql::execution::Execution> {
                self.line.execution(ctx).await
            }

            /// Who caused it.
            pub async fn actor(&self) -> $crate::graphql::audit::Actor {
                $crate::graphql::audit::Actor(self.line.0.actor)
            }

            $($shown)*
        }
    };
}
pub(super) use event_type;
