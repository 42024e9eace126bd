//! What happens to a deliverable.

use async_graphql::{Context, Interface};
use chrono::{DateTime, Utc};

use super::{
    ExecutionEvent,
    line::{Line, event_type},
};
use crate::{
    domain::{
        deliverable::{About, Event},
        id::DeliverableId,
    },
    graphql::{
        audit::Actor,
        caller::ContextExt,
        deliverable::Deliverable,
        error::{Fault, Result},
        execution::Execution,
    },
};

/// One thing that happened to a deliverable. Nothing changes it.
//
// Fields of the same name have the same type in all of them, and in all other events: clients select from several
// types at once.
#[derive(Clone, Interface)]
#[graphql(
    field(name = "cursor", ty = "String", desc = "Give it as `after` to go on from here."),
    field(name = "at", ty = "DateTime<Utc>", desc = "When it happened."),
    field(name = "execution", ty = "Execution", desc = "The execution that it happened to, as it is now."),
    field(name = "actor", ty = "Actor", desc = "Who caused it."),
    field(name = "deliverable", ty = "Deliverable", desc = "The deliverable that it happened to, as it is now."),
    field(name = "deliverable_name", ty = "&str", desc = "What the deliverable was called then."),
    field(name = "version_number", ty = "i32", desc = "The number of its newest version then.")
)]
pub enum DeliverableEvent {
    Created(DeliverableCreated),
    Updated(DeliverableUpdated),
    Finalized(DeliverableFinalized),
    Archived(DeliverableArchived),
    Restored(DeliverableRestored),
}

/// Defines an event of one deliverable, which shows the deliverable.
macro_rules! deliverable_event_type {
    ($(#[$doc:meta])* $name:ident) => {
        event_type! {
            $(#[$doc])*
            $name { about: About } shows {
                /// The deliverable that it happened to, as it is now.
                pub async fn deliverable(&self, ctx: &Context<'_>) -> Result<Deliverable> {
                    let id = DeliverableId(self.about.deliverable);
                    ctx.loaders()?.load(id).await?.map(Deliverable).ok_or(Fault::Internal)
                }

                /// What the deliverable was called then.
                pub async fn deliverable_name(&self) -> &str {
                    &self.about.name
                }

                /// The number of its newest version then.
                pub async fn version_number(&self) -> i32 {
                    self.about.version
                }
            }
        }
    };
}

deliverable_event_type! {
    /// A deliverable is there, with its first version.
    DeliverableCreated
}
deliverable_event_type! {
    /// A deliverable has another version, or is called something else.
    DeliverableUpdated
}
deliverable_event_type! {
    /// A deliverable is frozen.
    DeliverableFinalized
}
deliverable_event_type! {
    /// A deliverable was put away.
    DeliverableArchived
}
deliverable_event_type! {
    /// A deliverable that was put away is back.
    DeliverableRestored
}

impl DeliverableEvent {
    pub fn new(line: Line, event: Event) -> Self {
        match event {
            Event::Created(about) => DeliverableCreated { line, about }.into(),
            Event::Updated(about) => DeliverableUpdated { line, about }.into(),
            Event::Finalized(about) => DeliverableFinalized { line, about }.into(),
            Event::Archived(about) => DeliverableArchived { line, about }.into(),
            Event::Restored(about) => DeliverableRestored { line, about }.into(),
        }
    }
}

impl From<DeliverableEvent> for ExecutionEvent {
    fn from(event: DeliverableEvent) -> Self {
        match event {
            DeliverableEvent::Created(event) => event.into(),
            DeliverableEvent::Updated(event) => event.into(),
            DeliverableEvent::Finalized(event) => event.into(),
            DeliverableEvent::Archived(event) => event.into(),
            DeliverableEvent::Restored(event) => event.into(),
        }
    }
}
