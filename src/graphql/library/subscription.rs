//! Watching the library.

use async_graphql::{Context, Object, Subscription};
use futures_util::{Stream, StreamExt};

use crate::{
    domain::id::NodeId,
    graphql::{
        agent::Agent,
        audit::{Entry, Told, told, words},
        caller::ContextExt,
        error::Result,
        workflow::Workflow,
    },
};

words! {
    /// What happened to an agent or a workflow.
    LibraryEventType {
        /// There is a new agent.
        AgentCreated = AgentCreated,
        /// An agent has another version.
        AgentUpdated = AgentUpdated,
        /// An agent was taken out of use.
        AgentArchived = AgentArchived,
        /// An agent was brought back into use.
        AgentUnarchived = AgentUnarchived,
        /// There is a new workflow, perhaps only as a draft.
        WorkflowCreated = WorkflowCreated,
        /// A workflow has another version.
        WorkflowUpdated = WorkflowUpdated,
        /// Somebody works on a workflow: its draft is new or another one.
        WorkflowDraftSaved = WorkflowDraftSaved,
        /// A workflow's draft was thrown away.
        WorkflowDraftDiscarded = WorkflowDraftDiscarded,
        /// A workflow has another version, which says what an earlier one said.
        WorkflowVersionRestored = WorkflowVersionRestored,
        /// A workflow was taken out of use.
        WorkflowArchived = WorkflowArchived,
        /// A workflow was brought back into use.
        WorkflowUnarchived = WorkflowUnarchived,
    }
}

/// Something happened to an agent or a workflow.
pub struct LibraryEvent(Told<LibraryEventType>);

/// Something happened to an agent or a workflow.
#[Object]
impl LibraryEvent {
    /// What every one tells.
    #[graphql(flatten)]
    async fn entry(&self, _ctx: &Context<'_>) -> &Entry {
        &self.0.entry
    }

    /// What happened.
    async fn r#type(&self) -> LibraryEventType {
        self.0.word
    }

    /// The agent as it is now, if it happened to one.
    async fn agent(&self, ctx: &Context<'_>) -> Result<Option<Agent>> {
        match self.0.entry.0.subject {
            Some(NodeId::AgentId(id)) => Ok(ctx.loaders()?.load(id).await?.map(Agent)),
            _ => Ok(None),
        }
    }

    /// The workflow as it is now, if it happened to one.
    async fn workflow(&self, ctx: &Context<'_>) -> Result<Option<Workflow>> {
        match self.0.entry.0.subject {
            Some(NodeId::WorkflowId(id)) => Ok(ctx.loaders()?.load(id).await?.map(Workflow)),
            _ => Ok(None),
        }
    }
}

#[derive(Default)]
pub struct LibrarySubscription;

#[Subscription]
impl LibrarySubscription {
    /// What happens to the library: new agents and workflows, their versions and drafts, and what is archived or brought
    /// back. First everything after the cursor, if one is given, then what comes.
    async fn library_events(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Start after this event; absent: with what comes from now on.")] after: Option<String>,
    ) -> Result<impl Stream<Item = Result<LibraryEvent>>> {
        Ok(told(ctx, after.as_deref())?.map(|told| told.map(LibraryEvent)))
    }
}
