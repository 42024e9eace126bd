//! Finding workflows, and trying documents out.

use async_graphql::{Context, Enum, InputObject, Object, SimpleObject};

use super::{Workflow, WorkflowConnection, document::one_of, problem::WorkflowProblem};
use crate::{
    domain::role::Role,
    graphql::{
        caller::ContextExt,
        connection::{OrderDirection, PageArgs, Total, page_cost},
        error::{Fault, Result, outcome},
        filter,
        json::Json,
    },
    store::workflows::{Filter, Sort},
};

/// What checking a document costs, compared to reading a field.
const VALIDATION_COST: usize = 100;

/// Which workflows a list shows: those that fit everything given.
#[derive(Debug, Default, InputObject)]
pub struct WorkflowFilter {
    /// Only those that are archived, or only those that are not.
    pub archived: Option<bool>,
    /// Part of the name, in any case.
    pub search: Option<String>,
    /// Only those with a draft, or only those without.
    pub has_draft: Option<bool>,
}

impl WorkflowFilter {
    fn into_store(self) -> Result<Filter> {
        Ok(Filter {
            archived: self.archived,
            search: filter::search("filter.search", self.search)?,
            has_draft: self.has_draft,
        })
    }
}

/// What workflows can be ordered by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
#[graphql(remote = "Sort")]
pub enum WorkflowOrderField {
    /// When the workflow was made.
    CreatedAt,
    /// The name.
    Name,
    /// When the workflow was last changed.
    UpdatedAt,
}

/// How workflows are ordered.
#[derive(Debug, Clone, Copy, InputObject)]
pub struct WorkflowOrder {
    /// By what.
    pub field: WorkflowOrderField,
    /// Which way.
    pub direction: OrderDirection,
}

/// Whether a document could be saved as a version.
#[derive(SimpleObject)]
pub struct WorkflowValidation {
    /// Whether there are no problems.
    valid: bool,
    /// Everything that is wrong, at most 100.
    problems: Vec<WorkflowProblem>,
}

#[derive(Default)]
pub struct WorkflowQuery;

#[Object]
impl WorkflowQuery {
    /// The workspace's workflows.
    #[graphql(complexity = "page_cost(first, last, child_complexity)")]
    #[expect(clippy::too_many_arguments, reason = "a connection's arguments are GraphQL's own way to name them")]
    async fn workflows(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "How many from the start: 1 to 100, 50 when absent.")] first: Option<i32>,
        #[graphql(desc = "Only what comes after this cursor.")] after: Option<String>,
        #[graphql(desc = "How many from the end, instead of `first`.")] last: Option<i32>,
        #[graphql(desc = "Only what comes before this cursor.")] before: Option<String>,
        #[graphql(desc = "Which workflows.")] filter: Option<WorkflowFilter>,
        #[graphql(desc = "In which order: by name when absent.")] order_by: Option<WorkflowOrder>,
    ) -> Result<WorkflowConnection> {
        let scope = ctx.require(Role::Viewer)?;
        let order =
            order_by.unwrap_or(WorkflowOrder { field: WorkflowOrderField::Name, direction: OrderDirection::Asc });
        let sort = Sort::from(order.field);
        let page = PageArgs { first, after, last, before }.page(sort.name())?;
        let filter = filter.unwrap_or_default().into_store()?;
        let store = ctx.engine().store();
        let slice = store.workflows(scope, &filter, sort, order.direction == OrderDirection::Desc, &page).await?;
        let total =
            Total::new(ctx, filter, move |store, filter| async move { store.count_workflows(scope, &filter).await });
        Ok(WorkflowConnection::new(slice.map(Workflow), total))
    }

    /// The workflow with this name, archived or not; null if there is none.
    async fn workflow_by_name(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The name, exactly.")] name: String,
    ) -> Result<Option<Workflow>> {
        let scope = ctx.require(Role::Viewer)?;
        if !filter::can_be_name(&name) {
            return Ok(None);
        }
        Ok(ctx.engine().store().workflow_by_name(scope, &name).await?.map(Workflow))
    }

    /// Checks a document against the library without saving it.
    #[graphql(complexity = "child_complexity.saturating_add(VALIDATION_COST)")]
    async fn validate_workflow(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The document as a value.")] definition: Option<Json>,
        #[graphql(desc = "The document as a text in YAML or JSON, instead of `definition`.")] source: Option<String>,
    ) -> Result<WorkflowValidation> {
        let scope = ctx.require(Role::Viewer)?;
        let document = one_of(definition, source)?;
        match outcome(ctx.engine().validate_workflow(scope, &document).await)? {
            Ok(problems) => Ok(WorkflowValidation {
                valid: problems.is_empty(),
                problems: problems.into_iter().map(WorkflowProblem::from).collect(),
            }),
            Err(errors) => Err(Fault::BadInput(errors.into_iter().map(|error| error.message).collect())),
        }
    }
}
