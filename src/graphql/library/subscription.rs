//! Watching the library.

use async_graphql::{Context, Enum, Object, Subscription};
use chrono::{DateTime, Utc};
use futures_util::{Stream, StreamExt};

use crate::{
    domain::{audit::Action, id::NodeId},
    graphql::{
        agent::Agent,
        audit::{Actor, Told, told},
        caller::ContextExt,
        error::Result,
        workflow::Workflow,
    },
};

/// What happened to an agent or a workflow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
pub enum LibraryEventType {
    /// There is a new agent.
    AgentCreated,
    /// An agent has another version.
    AgentUpdated,
    /// An agent was taken out of use.
    AgentArchived,
    /// An agent was brought back into use.
    AgentUnarchived,
    /// There is a new workflow, perhaps only as a draft.
    WorkflowCreated,
    /// A workflow has another version.
    WorkflowUpdated,
    /// Somebody works on a workflow: its draft is new or another one.
    WorkflowDraftSaved,
    /// A workflow's draft was thrown away.
    WorkflowDraftDiscarded,
    /// A workflow has another version, which says what an earlier one said.
    WorkflowVersionRestored,
    /// A workflow was taken out of use.
    WorkflowArchived,
    /// A workflow was brought back into use.
    WorkflowUnarchived,
}

impl LibraryEventType {
    fn of(action: Action) -> Option<Self> {
        match action {
            Action::AgentCreated => Some(Self::AgentCreated),
            Action::AgentUpdated => Some(Self::AgentUpdated),
            Action::AgentArchived => Some(Self::AgentArchived),
            Action::AgentUnarchived => Some(Self::AgentUnarchived),
            Action::WorkflowCreated => Some(Self::WorkflowCreated),
            Action::WorkflowUpdated => Some(Self::WorkflowUpdated),
            Action::WorkflowDraftSaved => Some(Self::WorkflowDraftSaved),
            Action::WorkflowDraftDiscarded => Some(Self::WorkflowDraftDiscarded),
            Action::WorkflowVersionRestored => Some(Self::WorkflowVersionRestored),
            Action::WorkflowArchived => Some(Self::WorkflowArchived),
            Action::WorkflowUnarchived => Some(Self::WorkflowUnarchived),
            _ => None,
        }
    }
}

/// Something happened to an agent or a workflow.
pub struct LibraryEvent(Told<LibraryEventType>);

/// Something happened to an agent or a workflow.
#[Object]
impl LibraryEvent {
    /// Give it as `after` to go on from here without missing or repeating anything.
    async fn cursor(&self) -> String {
        self.0.cursor()
    }

    /// What happened.
    async fn r#type(&self) -> LibraryEventType {
        self.0.r#type
    }

    /// When it happened.
    async fn at(&self) -> DateTime<Utc> {
        self.0.at()
    }

    /// Who did it.
    async fn actor(&self) -> Actor {
        self.0.actor()
    }

    /// The agent as it is now, if it happened to one.
    async fn agent(&self, ctx: &Context<'_>) -> Result<Option<Agent>> {
        match self.0.entry.subject {
            Some(NodeId::AgentId(id)) => Ok(ctx.loaders()?.load(id).await?.map(Agent)),
            _ => Ok(None),
        }
    }

    /// The workflow as it is now, if it happened to one.
    async fn workflow(&self, ctx: &Context<'_>) -> Result<Option<Workflow>> {
        match self.0.entry.subject {
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
        Ok(told(ctx, after.as_deref(), LibraryEventType::of)?.map(|told| told.map(LibraryEvent)))
    }
}
