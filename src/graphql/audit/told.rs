//! Parts of the audit log that everybody may watch: what happens to the rules, to the library.

use async_graphql::Context;
use chrono::{DateTime, Utc};
use futures_util::{Stream, StreamExt};

use super::Actor;
use crate::{
    domain::{audit::Action, role::Role},
    graphql::{caller::ContextExt, error::Result, log::AUDIT},
    realtime::audit_stream,
    store::audit::{AuditEntry, Filter},
};

/// An entry that is told to everybody, with the word that its stream has for it.
pub struct Told<T> {
    pub r#type: T,
    pub entry: AuditEntry,
}

impl<T> Told<T> {
    pub fn cursor(&self) -> String {
        AUDIT.cursor(self.entry.position)
    }

    pub fn at(&self) -> DateTime<Utc> {
        self.entry.at
    }

    pub fn actor(&self) -> Actor {
        Actor(self.entry.actor)
    }
}

/// Follows the entries whose action has a word here: first those after the cursor, if one is given, then what comes.
/// Whoever may see the workspace may watch; what else the log says stays with those who may read it.
pub fn told<T: Send + 'static>(
    ctx: &Context<'_>,
    after: Option<&str>,
    word: fn(Action) -> Option<T>,
) -> Result<impl Stream<Item = Result<Told<T>>> + use<T>> {
    let scope = ctx.require(Role::Viewer)?;
    let actions = Action::ALL.iter().copied().filter(|action| word(*action).is_some()).collect();
    let filter = Filter { actions, ..Filter::default() };
    let store = ctx.engine().store().clone();
    let entries = audit_stream(store, ctx.access_watch(), ctx.access()?, scope, filter, AUDIT.after(after)?);
    Ok(entries.filter_map(move |entry| async move {
        match entry {
            Ok(entry) => Some(Ok(Told { r#type: word(entry.action?)?, entry })),
            Err(error) => Some(Err(error.into())),
        }
    }))
}
