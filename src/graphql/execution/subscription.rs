//! Watching executions and queues.

use async_graphql::{Context, ID, InputObject, SimpleObject, Subscription};
use futures_util::{Stream, StreamExt};

use crate::{
    domain::{
        id::{ExecutionId, WorkflowId},
        name,
        role::Role,
    },
    graphql::{
        boxed::Boxed,
        caller::ContextExt,
        error::{Fault, Result, argument_id, permitted},
        event::{ExecutionEvent, ExecutionEventType},
        log::JOURNAL,
    },
    realtime::{journal_stream, task_stream},
    store::journal::JournalFilter,
};

/// Which events of a workspace: those that fit everything given.
#[derive(Debug, Default, InputObject)]
pub struct WorkspaceEventFilter {
    /// Of any of these types.
    types: Option<Vec<ExecutionEventType>>,
    /// Of executions of this workflow.
    workflow_id: Option<ID>,
}

/// Something waits in a queue.
#[derive(SimpleObject)]
pub struct TaskAvailable {
    /// The queue.
    queue: String,
    /// How many tasks wait in it: 1,000 for any number above.
    waiting: i32,
}

#[derive(Default)]
pub struct ExecutionSubscription;

#[Subscription]
impl ExecutionSubscription {
    /// What happens to an execution: first everything after the cursor, if one is given, then what comes.
    async fn execution_events(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The execution.")] execution_id: ID,
        #[graphql(desc = "Start after this event; absent: with what comes from now on.")] after: Option<String>,
    ) -> Result<impl Stream<Item = Result<Boxed<ExecutionEvent>>>> {
        let scope = ctx.require(Role::Viewer)?;
        let id: ExecutionId = argument_id("executionId", &execution_id)?;
        if Box::pin(ctx.loaders()?.load(id)).await?.is_none() {
            return Err(Fault::BadInput(format!("`executionId`: there is no execution `{id}` in this workspace")));
        }
        let filter = JournalFilter { execution: Some(id), ..JournalFilter::default() };
        let entries = journal_stream(ctx.hub(), ctx.access()?, scope, filter, JOURNAL.after(after.as_deref())?);
        Ok(entries.map(|entry| Ok(Boxed(ExecutionEvent::from(entry?)))))
    }

    /// What happens to all executions of the workspace: first everything after the cursor, if one is given, then what
    /// comes.
    async fn workspace_events(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Which events.")] filter: Option<WorkspaceEventFilter>,
        #[graphql(desc = "Start after this event; absent: with what comes from now on.")] after: Option<String>,
    ) -> Result<impl Stream<Item = Result<Boxed<ExecutionEvent>>>> {
        let scope = ctx.require(Role::Viewer)?;
        let filter = filter.unwrap_or_default();
        let workflow = filter.workflow_id.map(|id| argument_id::<WorkflowId>("filter.workflowId", &id));
        let filter = JournalFilter {
            execution: None,
            workflow: workflow.transpose()?,
            kinds: ExecutionEventType::kinds(filter.types),
        };
        let entries = journal_stream(ctx.hub(), ctx.access()?, scope, filter, JOURNAL.after(after.as_deref())?);
        Ok(entries.map(|entry| Ok(Boxed(ExecutionEvent::from(entry?)))))
    }

    /// Tells when tasks wait in a queue: at once if some do, then whenever some are added. Claim them with
    /// `claimTasks`.
    async fn task_available(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The queue, as agents of the kind WORKER name it.")] queue: String,
    ) -> Result<impl Stream<Item = Result<TaskAvailable>>> {
        let scope = ctx.require(Role::Viewer)?;
        let queue = name::check("queue", &queue, 100)?;
        let only = permitted(ctx.engine().permit_queue(scope, &queue).await)?;
        let counts = task_stream(ctx.hub(), ctx.access()?, scope, queue.clone(), only);
        Ok(counts.map(move |waiting| {
            let waiting = i32::try_from(waiting?).unwrap_or(i32::MAX);
            Ok(TaskAvailable { queue: queue.clone(), waiting })
        }))
    }
}
