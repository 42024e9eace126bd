//! Cases to learn from.

use async_graphql::{Context, Enum, ID, InputObject, Object};
use chrono::{DateTime, Utc};

use crate::{
    domain::{
        checkpoint::LessonKind,
        id::{AgentId, WorkflowId},
        name,
        role::Role,
        time,
    },
    graphql::{
        agent::{Agent, RiskLevel},
        caller::ContextExt,
        checkpoint::{Checkpoint, FieldChange, Proposal, find_user},
        connection::{OrderDirection, PageArgs, Total, connection, page_cost},
        error::{Fault, Result, argument_id},
        execution::Execution,
        user::User,
        workflow::Workflow,
    },
    store::learning_cases::{self, BY_AGE, Filter},
};

const LONGEST_WORD: usize = 100;

/// How people did not want what was proposed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
#[graphql(remote = "LessonKind")]
pub enum LearningCaseKind {
    /// They approved other parameters.
    Modified,
    /// They approved only some of the items.
    Narrowed,
    /// They rejected it.
    Rejected,
    /// A rule approved it, and somebody would not have.
    Overridden,
}

/// People wanted something else than was proposed: a case to learn from.
#[derive(Clone)]
pub struct LearningCase(pub learning_cases::LearningCase);

impl LearningCase {
    async fn find_checkpoint(&self, ctx: &Context<'_>) -> Result<Checkpoint> {
        Ok(ctx.loaders()?.load(self.0.checkpoint()).await?.ok_or(Fault::Internal)?.into())
    }

    async fn revision(&self, ctx: &Context<'_>, number: u32) -> Result<Proposal> {
        let checkpoint = self.find_checkpoint(ctx).await?;
        let state = checkpoint.state(ctx).await?;
        let found = state.revisions.iter().find(|revision| revision.number == number);
        found.map(|revision| Proposal(revision.proposal.clone())).ok_or(Fault::Internal)
    }
}

/// People wanted something else than was proposed: a case to learn from. Nothing changes it.
#[Object]
impl LearningCase {
    /// The case's global id.
    pub async fn id(&self) -> ID {
        self.0.id.to_string().into()
    }

    /// How they did not want it.
    async fn kind(&self) -> LearningCaseKind {
        self.0.kind.into()
    }

    /// Where they decided.
    async fn checkpoint(&self, ctx: &Context<'_>) -> Result<Checkpoint> {
        self.find_checkpoint(ctx).await
    }

    /// The execution that it happened in.
    async fn execution(&self, ctx: &Context<'_>) -> Result<Execution> {
        Ok(ctx.loaders()?.load(self.0.execution).await?.ok_or(Fault::Internal)?.into())
    }

    /// Its workflow; null for a request that stood alone.
    async fn workflow(&self, ctx: &Context<'_>) -> Result<Option<Workflow>> {
        let found = ctx.loaders()?.load(self.0.workflow).await?;
        Ok(found.filter(|workflow| !workflow.hidden).map(Workflow))
    }

    /// Who proposed it; null for a request that stood alone.
    async fn agent(&self, ctx: &Context<'_>) -> Result<Option<Agent>> {
        match self.0.agent {
            Some(id) => Ok(ctx.loaders()?.load(id).await?.map(Agent)),
            None => Ok(None),
        }
    }

    /// What kind of action it was.
    async fn operation_type(&self) -> &str {
        &self.0.operation_type
    }

    /// How much harm it could do.
    async fn risk_level(&self) -> RiskLevel {
        self.0.risk_level.into()
    }

    /// Who decided last; null if the account is gone.
    async fn decided_by(&self, ctx: &Context<'_>) -> Result<Option<User>> {
        find_user(ctx, Some(self.0.person.0)).await
    }

    /// Why, if they said so.
    async fn reason(&self) -> Option<&str> {
        self.0.reason.as_deref()
    }

    /// When.
    async fn at(&self) -> DateTime<Utc> {
        self.0.at
    }

    /// What was changed in the parameters: at most 50 fields, none of them long. `proposed` and `decided` have all.
    async fn changes(&self) -> Vec<FieldChange> {
        self.0.changes.iter().cloned().map(FieldChange::from).collect()
    }

    /// What the agent proposed.
    async fn proposed(&self, ctx: &Context<'_>) -> Result<Proposal> {
        self.revision(ctx, self.0.proposed).await
    }

    /// What people decided on: for a MODIFIED or NARROWED one, what they approved instead.
    async fn decided(&self, ctx: &Context<'_>) -> Result<Proposal> {
        self.revision(ctx, self.0.decided).await
    }
}

connection! {
    /// A page of cases to learn from.
    LearningCaseConnection,
    /// A case and where it stands in its list.
    LearningCaseEdge, LearningCase
}

/// Which cases a list shows: those that fit everything given.
#[derive(Debug, Default, InputObject)]
pub struct LearningCaseFilter {
    /// Of any of these kinds.
    kind: Option<Vec<LearningCaseKind>>,
    /// Of exactly this operation type.
    operation_type: Option<String>,
    /// Of executions of this workflow.
    workflow_id: Option<ID>,
    /// Of this agent.
    agent_id: Option<ID>,
    /// Decided at this time or later.
    from: Option<DateTime<Utc>>,
    /// Decided before this time.
    until: Option<DateTime<Utc>>,
    /// Also those of executions that are marked as tests. False is the same as absent.
    tests: Option<bool>,
}

impl LearningCaseFilter {
    fn into_store(self) -> Result<Filter> {
        let word = self.operation_type.map(|text| name::check_text("filter.operationType", &text, LONGEST_WORD));
        let mut kinds: Vec<LessonKind> = Vec::new();
        for kind in self.kind.unwrap_or_default().into_iter().map(LessonKind::from) {
            if !kinds.contains(&kind) {
                kinds.push(kind);
            }
        }
        Ok(Filter {
            operation_type: word.transpose()?,
            kinds,
            workflow: self.workflow_id.map(|id| argument_id::<WorkflowId>("filter.workflowId", &id)).transpose()?,
            agent: self.agent_id.map(|id| argument_id::<AgentId>("filter.agentId", &id)).transpose()?,
            from: self.from.map(|at| time::check("filter.from", at)).transpose()?,
            until: self.until.map(|at| time::check("filter.until", at)).transpose()?,
            tests: self.tests.unwrap_or(false),
        })
    }
}

#[derive(Default)]
pub struct LearningCaseQuery;

#[Object]
impl LearningCaseQuery {
    /// Cases in which people wanted something else than was proposed. `GET /learning-cases.jsonl` gives all of them.
    #[graphql(complexity = "page_cost(first, last, child_complexity)")]
    #[expect(clippy::too_many_arguments, reason = "a connection's arguments are GraphQL's own way to name them")]
    async fn learning_cases(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "How many from the start: 1 to 100, 50 when absent.")] first: Option<i32>,
        #[graphql(desc = "Only what comes after this cursor.")] after: Option<String>,
        #[graphql(desc = "How many from the end, instead of `first`.")] last: Option<i32>,
        #[graphql(desc = "Only what comes before this cursor.")] before: Option<String>,
        #[graphql(desc = "Which cases.")] filter: Option<LearningCaseFilter>,
        #[graphql(desc = "In which order of their checkpoints: newest first when absent.")] direction: Option<
            OrderDirection,
        >,
    ) -> Result<LearningCaseConnection> {
        let scope = ctx.require(Role::Viewer)?;
        let page = PageArgs { first, after, last, before }.page(BY_AGE)?;
        let filter = filter.unwrap_or_default().into_store()?;
        let descending = direction != Some(OrderDirection::Asc);
        let slice = ctx.engine().store().learning_cases(scope, &filter, descending, &page).await?;
        let total =
            Total::new(
                ctx,
                filter,
                move |store, filter| async move { store.count_learning_cases(scope, &filter).await },
            );
        Ok(LearningCaseConnection::new(slice.map(LearningCase), total))
    }
}
