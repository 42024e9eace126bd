//! Reading the audit log.

use async_graphql::{Context, ID, InputObject, Object};
use chrono::{DateTime, Utc};

use super::{AuditAction, AuditEntry, AuditEntryConnection, chain::AuditChain};
use crate::{
    domain::{
        access::Actor,
        id::{CheckpointId, ExecutionId, NodeId},
        role::Role,
        time,
    },
    graphql::{
        caller::ContextExt,
        connection::{OrderDirection, PageArgs, Total, page_cost},
        error::{Fault, Result, argument_id},
        filter,
        log::AUDIT,
    },
    store::audit::Filter,
};

/// Which entries a list shows: those that fit everything given.
#[derive(Debug, Default, InputObject)]
pub struct AuditFilter {
    /// Any of these actions.
    pub actions: Option<Vec<AuditAction>>,
    /// Done by this person, also through their API tokens; or by this API token.
    pub actor_id: Option<ID>,
    /// Done to this.
    pub subject_id: Option<ID>,
    /// About this execution.
    pub execution_id: Option<ID>,
    /// About this checkpoint. Not together with `subjectId`.
    pub checkpoint_id: Option<ID>,
    /// From this time on.
    pub from: Option<DateTime<Utc>>,
    /// Before this time.
    pub until: Option<DateTime<Utc>>,
}

impl AuditFilter {
    pub fn into_store(self) -> Result<Filter> {
        let from = self.from.map(|at| time::check("filter.from", at)).transpose()?;
        let until = self.until.map(|at| time::check("filter.until", at)).transpose()?;
        let execution =
            self.execution_id.map(|id| argument_id::<ExecutionId>("filter.executionId", &id)).transpose()?;
        Ok(Filter {
            actions: filter::distinct(self.actions),
            actor: self.actor_id.as_ref().map(read_actor).transpose()?,
            subject: read_subject(self.subject_id.as_ref(), self.checkpoint_id.as_ref())?,
            execution,
            from,
            until,
        })
    }
}

fn read_actor(id: &ID) -> Result<Actor> {
    match argument_id::<NodeId>("filter.actorId", id)? {
        NodeId::UserId(id) => Ok(Actor::User(id)),
        NodeId::ApiTokenId(id) => Ok(Actor::ApiToken(id)),
        other => {
            let message = format!("`filter.actorId` is `{other}`: it must be the id of a user or an API token");
            Err(Fault::BadInput(message))
        }
    }
}

fn read_subject(subject: Option<&ID>, checkpoint: Option<&ID>) -> Result<Option<NodeId>> {
    match (subject, checkpoint) {
        (None, None) => Ok(None),
        (Some(subject), None) => argument_id("filter.subjectId", subject).map(Some),
        (None, Some(id)) => Ok(Some(argument_id::<CheckpointId>("filter.checkpointId", id)?.into())),
        (Some(_), Some(_)) => {
            Err(Fault::BadInput("give `filter.subjectId` or `filter.checkpointId`, not both".to_owned()))
        }
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
        let page = AUDIT.page(&PageArgs { first, after, last, before }, newest_first)?;
        let store = ctx.engine().store();
        let entries = store.audit_entries(scope, &filter, page.range()).await?;
        let total =
            Total::new(
                ctx,
                filter,
                move |store, filter| async move { store.count_audit_entries(scope, &filter).await },
            );
        Ok(AuditEntryConnection::new(page.rows(entries, |entry| entry.position, AuditEntry::from), total))
    }

    /// Where the audit log's chain ends, and who signs it. Needs the role ADMIN.
    async fn audit_chain(&self, ctx: &Context<'_>) -> Result<Option<AuditChain>> {
        let scope = ctx.require(Role::Admin)?;
        let engine = ctx.engine();
        let Some(chain) = engine.store().audit_chain(scope).await? else { return Ok(None) };
        let refused = engine.audit_refusal(scope.workspace());
        let witnesses = engine.audit_witnesses(scope.workspace()).await?;
        Ok(Some(AuditChain::new(chain, &engine.audit_key(), refused, witnesses)))
    }
}
