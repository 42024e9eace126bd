//! Watching the audit log.

use async_graphql::{Context, SimpleObject, Subscription};
use futures_util::{Stream, StreamExt};

use super::{AuditEntry, queries::AuditFilter};
use crate::{
    domain::role::Role,
    graphql::{caller::ContextExt, error::Result, log::AUDIT},
    realtime::audit_stream,
};

/// Something was added to the audit log.
#[derive(SimpleObject)]
pub struct AuditEvent {
    /// Give it as `after` to go on from here without missing or repeating anything.
    cursor: String,
    /// What was added.
    entry: AuditEntry,
}

#[derive(Default)]
pub struct AuditSubscription;

#[Subscription]
impl AuditSubscription {
    /// What is added to the audit log: first everything after the cursor, if one is given, then what comes.
    /// Needs the role ADMIN.
    async fn audit_events(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Start after this event; absent: with what comes from now on.")] after: Option<String>,
        #[graphql(desc = "Which entries.")] filter: Option<AuditFilter>,
    ) -> Result<impl Stream<Item = Result<AuditEvent>>> {
        let scope = ctx.require(Role::Admin)?;
        let access = ctx.access()?;
        let after = AUDIT.after(after.as_deref())?;
        let store = ctx.engine().store().clone();
        let filter = filter.unwrap_or_default().into_store()?;
        let entries = audit_stream(store, ctx.access_watch(), access, scope, filter, after);
        Ok(entries.map(|entry| {
            let entry = entry?;
            Ok(AuditEvent { cursor: AUDIT.cursor(entry.position), entry: entry.into() })
        }))
    }
}
