//! Drafts of workflows.

use async_graphql::{Context, Object};
use chrono::{DateTime, Utc};

use super::problem::WorkflowProblem;
use crate::{
    domain::{
        document::MOST_PROBLEMS,
        workflow::{self, Library},
    },
    engine::compute::{WORK_ON_A_DOCUMENT, compute},
    graphql::{
        audit::Actor,
        caller::ContextExt,
        error::{Result, permitted},
        json::Json,
        loaders::ShapeOf,
    },
    store::workflow_drafts::Draft,
};

/// A document that is being worked on, whatever its problems.
#[derive(Clone)]
pub struct WorkflowDraft(pub Draft);

/// A document that is being worked on, whatever its problems.
#[Object]
impl WorkflowDraft {
    /// The document, exactly as it was saved.
    async fn definition(&self) -> Json {
        Json(self.0.document.to_value())
    }

    /// What keeps it from becoming a version, at most 100.
    async fn problems(&self, ctx: &Context<'_>) -> Result<Vec<WorkflowProblem>> {
        let document = self.0.document.to_value();
        let names = workflow::agents_in(&document).into_iter().map(|name| ShapeOf(name.to_owned()));
        let shapes = ctx.loaders()?.load_many(names).await?;
        let library: Library = shapes.into_iter().map(|(ShapeOf(name), shape)| (name, shape)).collect();
        let problems = permitted(compute(WORK_ON_A_DOCUMENT, move || workflow::validate(&document, &library).1).await)?;
        Ok(problems.into_iter().take(MOST_PROBLEMS).map(WorkflowProblem::from).collect())
    }

    /// When it was last saved.
    async fn updated_at(&self) -> DateTime<Utc> {
        self.0.updated_at
    }

    /// Who saved it last.
    async fn updated_by(&self) -> Actor {
        Actor(self.0.updated_by)
    }
}
