//! Watching deliverables.

use async_graphql::{Context, ID, Subscription};
use futures_util::{Stream, StreamExt};

use crate::{
    domain::{deliverable, execution::Event, id::ExecutionId, role::Role},
    graphql::{
        caller::ContextExt,
        error::{Fault, Result, argument_id},
        event::{DeliverableEvent, Line},
        log::JOURNAL,
    },
    realtime::journal_stream,
    store::journal::JournalFilter,
};

#[derive(Default)]
pub struct DeliverableSubscription;

#[Subscription]
impl DeliverableSubscription {
    /// What happens to deliverables, of one execution or of the whole workspace: first everything after the cursor, if
    /// one is given, then what comes.
    async fn deliverable_events(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Only those of this execution; absent: of the workspace.")] execution_id: Option<ID>,
        #[graphql(desc = "Start after this event; absent: with what comes from now on.")] after: Option<String>,
    ) -> Result<impl Stream<Item = Result<DeliverableEvent>>> {
        let scope = ctx.require(Role::Viewer)?;
        let execution = execution_id.map(|id| argument_id::<ExecutionId>("executionId", &id)).transpose()?;
        if let Some(id) = execution
            && ctx.loaders()?.load(id).await?.is_none()
        {
            return Err(Fault::BadInput(format!("`executionId`: there is no execution `{id}` in this workspace")));
        }
        let filter = JournalFilter { execution, workflow: None, kinds: deliverable::Event::KINDS.to_vec() };
        let entries = journal_stream(ctx.hub(), ctx.access()?, scope, filter, JOURNAL.after(after.as_deref())?);
        Ok(entries.filter_map(|entry| async move {
            let entry = match entry {
                Ok(entry) => entry,
                Err(error) => return Some(Err(Fault::from(error))),
            };
            match &entry.event {
                Ok(Event::Deliverable(event)) => {
                    let event = event.clone();
                    Some(Ok(DeliverableEvent::new(Line(entry, None), event)))
                }
                Ok(_) | Err(_) => None,
            }
        }))
    }
}
