//! Parts of the audit log that everybody may watch: what happens to the rules, to the library, to people and groups.

use async_graphql::{Context, Object};
use chrono::{DateTime, Utc};
use futures_util::{Stream, StreamExt};

use super::Actor;
use crate::{
    domain::{audit::Action, role::Role},
    graphql::{caller::ContextExt, error::Result, log::AUDIT},
    realtime::audit_stream,
    store::audit::{AuditEntry, Filter},
};

/// The words that a stream has for the actions that it tells of. An action without a word is nobody else's business.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$word_doc:meta])* $word:ident = $action:ident,)* }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, async_graphql::Enum)]
        pub enum $name {
            $($(#[$word_doc])* $word,)*
        }

        impl $crate::graphql::audit::Word for $name {
            fn of(action: $crate::domain::audit::Action) -> Option<Self> {
                match action {
                    $($crate::domain::audit::Action::$action => Some(Self::$word),)*
                    _ => None,
                }
            }
        }
    };
}

pub(in crate::graphql) use words;

/// A word for an action; made by [`words`].
pub trait Word: Copy + Send + 'static {
    fn of(action: Action) -> Option<Self>;
}

/// An entry that is told to everybody, with the word that its stream has for it.
pub struct Told<W> {
    pub word: W,
    pub entry: Entry,
}

/// What every one of these events tells; part of each.
pub struct Entry(pub AuditEntry);

/// What every event of the audit log tells.
#[Object]
impl Entry {
    /// Give it as `after` to go on from here without missing or repeating anything.
    async fn cursor(&self) -> String {
        AUDIT.cursor(self.0.position)
    }

    /// When it happened.
    async fn at(&self) -> DateTime<Utc> {
        self.0.at
    }

    /// Who did it: the server itself where nobody else did.
    async fn actor(&self) -> Actor {
        Actor(self.0.actor)
    }
}

/// Follows the entries whose action has a word here: first those after the cursor, if one is given, then what comes.
/// Whoever may see the workspace may watch; what else the log says stays with those who may read it.
pub fn told<W: Word>(ctx: &Context<'_>, after: Option<&str>) -> Result<impl Stream<Item = Result<Told<W>>> + use<W>> {
    let scope = ctx.require(Role::Viewer)?;
    let actions = Action::ALL.iter().copied().filter(|action| W::of(*action).is_some()).collect();
    let filter = Filter { actions, ..Filter::default() };
    let store = ctx.engine().store().clone();
    let entries = audit_stream(store, ctx.access_watch(), ctx.access()?, scope, filter, AUDIT.after(after)?);
    Ok(entries.filter_map(|entry| async move {
        match entry {
            Ok(entry) => Some(Ok(Told { word: W::of(entry.action?)?, entry: Entry(entry) })),
            Err(error) => Some(Err(error.into())),
        }
    }))
}
