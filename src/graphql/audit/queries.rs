//! Reading the audit log.

use async_graphql::{Context, InputObject, Object};
use chrono::{DateTime, Utc};

use super::{AuditAction, AuditEntry, AuditEntryConnection, decode_cursor, encode_cursor};
use crate::{
    domain::{audit::Action, role::Role, time},
    graphql::{
        caller::ContextExt,
        connection::{OrderDirection, PageArgs, Rows, Total, bad_cursor, page_cost},
        error::Result,
    },
    store::{Range, audit::Filter},
};

/// Which entries a list shows: those that fit everything given.
#[derive(Debug, Default, InputObject)]
pub struct AuditFilter {
    /// Any of these actions.
    pub actions: Option<Vec<AuditAction>>,
    /// From this time on.
    pub from: Option<DateTime<Utc>>,
    /// Before this time.
    pub until: Option<DateTime<Utc>>,
}

impl AuditFilter {
    pub fn into_store(self) -> Result<Filter> {
        let mut actions = Vec::new();
        // Each once: a database takes only so many values.
        for action in self.actions.unwrap_or_default().into_iter().map(Action::from) {
            if !actions.contains(&action) {
                actions.push(action);
            }
        }
        let from = self.from.map(|at| time::check("filter.from", at)).transpose()?;
        let until = self.until.map(|at| time::check("filter.until", at)).transpose()?;
        Ok(Filter { actions, from, until })
    }
}

/// How the audit log is ordered: by the order in which things happened.
#[derive(Debug, Clone, Copy, InputObject)]
pub struct AuditOrder {
    /// `DESC` is newest first.
    pub direction: OrderDirection,
}

#[derive(Default)]
pub struct AuditQuery;

#[Object]
impl AuditQuery {
    /// The audit log, newest first unless asked otherwise. Needs the role ADMIN.
    #[graphql(complexity = "page_cost(first, last, child_complexity)")]
    #[expect(clippy::too_many_arguments, reason = "a connection's arguments are GraphQL's own way to name them")]
    async fn audit_entries(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "How many from the start: 1 to 100, 50 when absent.")] first: Option<i32>,
        #[graphql(desc = "Only what comes after this cursor.")] after: Option<String>,
        #[graphql(desc = "How many from the end, instead of `first`.")] last: Option<i32>,
        #[graphql(desc = "Only what comes before this cursor.")] before: Option<String>,
        #[graphql(desc = "Which entries.")] filter: Option<AuditFilter>,
        #[graphql(desc = "In which order: newest first when absent.")] order_by: Option<AuditOrder>,
    ) -> Result<AuditEntryConnection> {
        let scope = ctx.require(Role::Admin)?;
        let newest_first = order_by.is_none_or(|order| order.direction == OrderDirection::Desc);
        let filter = filter.unwrap_or_default().into_store()?;
        let (size, from_end) = PageArgs { first, last, ..PageArgs::default() }.size()?;
        let position = |name: &str, text: &Option<String>| match text {
            None => Ok(None),
            Some(text) => decode_cursor(text).map(Some).ok_or_else(|| bad_cursor(name)),
        };
        let (after, before) = (position("after", &after)?, position("before", &before)?);
        let (above, below) = if newest_first { (before, after) } else { (after, before) };
        let range = Range { above, below, newest_first: newest_first != from_end, limit: size + 1 };

        let store = ctx.engine().store().clone();
        let mut entries = store.audit_entries(scope, &filter, range).await?;
        let more = entries.len() as u64 > size;
        entries.truncate(usize::try_from(size).unwrap_or(usize::MAX));
        if from_end {
            entries.reverse();
        }
        let total = Total::new(move || {
            let (store, filter) = (store.clone(), filter.clone());
            async move { store.count_audit_entries(scope, &filter).await }
        });
        let rows = Rows {
            edges: entries.into_iter().map(|entry| (encode_cursor(entry.position), AuditEntry(entry))).collect(),
            has_previous: if from_end { more } else { after.is_some() },
            has_next: if from_end { before.is_some() } else { more },
        };
        Ok(AuditEntryConnection::new(rows, total))
    }
}
