//! Watching checkpoints.

use std::sync::Arc;

use async_graphql::{Context, ID, InputObject, Subscription};
use futures_util::{Stream, StreamExt, stream};
use uuid::Uuid;

use super::{mine::Mine, queries::own_audiences};
use crate::{
    domain::{
        access::Scope,
        execution::Event,
        id::{CheckpointId, ExecutionId, WorkflowId},
        role::Role,
    },
    engine::Engine,
    graphql::{
        caller::ContextExt,
        connection::bad_stream_cursor,
        error::{Fault, Result, argument_id},
        event::{CheckpointEvent, CheckpointEventType, Line, WaitingCursor},
        log::JOURNAL,
    },
    realtime::{journal_stream, pending_stream},
    store::{
        checkpoints::Filter,
        journal::{Entry, JournalFilter},
    },
};

/// Which events: those that fit everything given.
#[derive(Debug, Default, InputObject)]
pub struct CheckpointEventFilter {
    /// Of any of these types.
    types: Option<Vec<CheckpointEventType>>,
    /// Of executions of this workflow.
    workflow_id: Option<ID>,
    /// Of this execution.
    execution_id: Option<ID>,
    /// Of this checkpoint.
    checkpoint_id: Option<ID>,
    /// Only of checkpoints that the caller is asked to decide, may decide in the place of somebody who is away, or has
    /// given an answer to.
    mine: Option<bool>,
}

/// From where a stream goes on.
enum Start {
    /// First what waits, after one of it or from the beginning, then the journal after a position.
    Waiting {
        above: Option<CheckpointId>,
        journal: i64,
    },
    Journal(Option<i64>),
}

fn start(ctx: &Context<'_>, after: Option<&str>, pending: bool) -> Result<Start> {
    let Some(text) = after else {
        // Positions up to here belong to what waits, later ones to the journal: nothing is missed and nothing told twice.
        let published = ctx.hub().published();
        return Ok(if pending { Start::Waiting { above: None, journal: published } } else { Start::Journal(None) });
    };
    if let Some(WaitingCursor { checkpoint, journal }) = WaitingCursor::decode(text) {
        return Ok(Start::Waiting { above: Some(CheckpointId(checkpoint)), journal });
    }
    let position = JOURNAL.after(Some(text))?.ok_or_else(|| bad_stream_cursor("after"))?;
    Ok(Start::Journal(Some(position)))
}

/// What of the journal is wanted beyond what the journal's own filter says.
#[derive(Clone)]
struct Wanted {
    engine: Engine,
    scope: Scope,
    checkpoint: Option<CheckpointId>,
    mine: Option<Arc<Mine>>,
}

impl Wanted {
    /// An entry as an event of the API, if it is wanted.
    async fn take(&self, entry: Arc<Entry>) -> Result<Option<CheckpointEvent>> {
        let Ok(Event::Checkpoint(event)) = &entry.event else { return Ok(None) };
        let id = CheckpointId(event.checkpoint());
        if self.checkpoint.is_some_and(|wanted| wanted != id) {
            return Ok(None);
        }
        if let Some(mine) = &self.mine
            && !mine.concerns(&self.engine, self.scope, id).await?
        {
            return Ok(None);
        }
        let event = event.clone();
        Ok(Some(CheckpointEvent::new(Line(entry, None), event)))
    }
}

/// The request of something that waits, with the cursor from which to go on among what waits.
fn waiting(id: Uuid, entry: Arc<Entry>, journal: i64) -> Option<CheckpointEvent> {
    let Ok(Event::Checkpoint(event)) = &entry.event else { return None };
    let (event, cursor) = (event.clone(), WaitingCursor { checkpoint: id, journal }.encode(entry.position));
    Some(CheckpointEvent::new(Line(entry, Some(cursor.into())), event))
}

#[derive(Default)]
pub struct CheckpointSubscription;

#[Subscription]
impl CheckpointSubscription {
    /// What happens at checkpoints. Without a cursor: first how each checkpoint began that waits now, oldest first, then
    /// what comes. With a cursor: everything after it, then what comes.
    async fn checkpoint_events(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Which events.")] filter: Option<CheckpointEventFilter>,
        #[graphql(desc = "Start after this event; absent: with what waits now, or what comes from now on.")]
        after: Option<String>,
        #[graphql(
            desc = "Without a cursor, whether what waits now is told first, as CheckpointRequested.",
            default = true
        )]
        pending: bool,
    ) -> Result<impl Stream<Item = Result<CheckpointEvent>>> {
        let scope = ctx.require(Role::Viewer)?;
        let filter = filter.unwrap_or_default();
        let workflow = filter.workflow_id.map(|id| argument_id::<WorkflowId>("filter.workflowId", &id)).transpose()?;
        let execution =
            filter.execution_id.map(|id| argument_id::<ExecutionId>("filter.executionId", &id)).transpose()?;
        let checkpoint =
            filter.checkpoint_id.map(|id| argument_id::<CheckpointId>("filter.checkpointId", &id)).transpose()?;
        let kinds = CheckpointEventType::kinds(filter.types);
        let mine = filter.mine == Some(true);
        let of = match checkpoint {
            Some(id) => {
                let unknown = || format!("`filter.checkpointId`: there is no checkpoint `{id}` in this workspace");
                let row = ctx.loaders()?.load(id).await?;
                Some(row.ok_or_else(|| Fault::BadInput(unknown()))?.execution)
            }
            None => execution,
        };
        if of != execution && execution.is_some() {
            let message = "`filter.executionId` is not the execution of `filter.checkpointId`";
            return Err(Fault::BadInput(message.to_owned()));
        }
        let start = start(ctx, after.as_deref(), pending)?;
        let asked_for = kinds.contains(&CheckpointEventType::CheckpointRequested.kind());
        let position = match start {
            Start::Waiting { journal, .. } => Some(journal),
            Start::Journal(after) => after,
        };
        let of_journal = JournalFilter { execution: of, workflow, kinds };
        let live = journal_stream(ctx.hub(), ctx.access()?, scope, of_journal, position);
        let own = mine.then(Arc::default);
        let wanted = Wanted { engine: ctx.engine().clone(), scope, checkpoint, mine: own };
        let live = live.filter_map(move |entry| {
            let wanted = wanted.clone();
            async move {
                match entry {
                    Ok(entry) => wanted.take(entry).await.transpose(),
                    Err(error) => Some(Err(Fault::from(error))),
                }
            }
        });
        let first = match start {
            Start::Waiting { above, journal } if asked_for => {
                let audiences = if mine { Some(own_audiences(ctx, scope).await?) } else { None };
                let filter = Filter { workflow, execution: of, audiences, ..Filter::default() };
                let told = pending_stream(ctx.hub(), ctx.access()?, scope, filter, journal, above);
                let told = told.filter_map(move |found| async move {
                    match found {
                        Ok((id, _)) if checkpoint.is_some_and(|wanted| wanted != id) => None,
                        Ok((id, entry)) => waiting(id.0, entry, journal).map(Ok),
                        Err(error) => Some(Err(Fault::from(error))),
                    }
                });
                told.left_stream()
            }
            Start::Waiting { .. } | Start::Journal(_) => stream::empty().right_stream(),
        };
        Ok(first.chain(live))
    }
}
