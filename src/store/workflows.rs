//! Workflows by name. What they say is in their versions and drafts.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use sea_orm::{ActiveValue::Set, ColumnTrait, EntityTrait, PaginatorTrait, QueryFilter, Select, sea_query::Query};

use super::{
    Result, Store, Tx,
    page::{OrderBy, Page, Slice},
    scoped::{by_id, of_workspace},
    search,
};
use crate::domain::{
    access::Scope,
    id::{WorkflowId, WorkspaceId},
};

#[derive(Debug, Clone)]
pub struct Workflow {
    pub id: WorkflowId,
    pub workspace: WorkspaceId,
    pub name: String,
    pub description: String,
    /// Absent while there is only a draft.
    pub latest_version: Option<i32>,
    /// Whether the server keeps it for itself.
    pub hidden: bool,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
    pub archived_at: Option<DateTime<Utc>>,
}

impl From<entity::workflow::Model> for Workflow {
    fn from(row: entity::workflow::Model) -> Self {
        Self {
            id: WorkflowId(row.id),
            workspace: WorkspaceId(row.workspace_id),
            name: row.name,
            description: row.description,
            latest_version: row.latest_version,
            hidden: row.hidden,
            created_at: row.created_at,
            updated_at: row.updated_at,
            archived_at: row.archived_at,
        }
    }
}

/// Which workflows a list shows.
#[derive(Debug, Clone, Default)]
pub struct Filter {
    pub archived: Option<bool>,
    /// Part of the name, in any case.
    pub search: Option<String>,
    pub has_draft: Option<bool>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sort {
    CreatedAt,
    Name,
    UpdatedAt,
}

impl Sort {
    pub fn name(self) -> &'static str {
        match self {
            Sort::CreatedAt => "workflow.created_at",
            Sort::Name => "workflow.name",
            Sort::UpdatedAt => "workflow.updated_at",
        }
    }
}

fn filtered(scope: Scope, filter: &Filter) -> Select<entity::workflow::Entity> {
    use entity::workflow::Column;
    let mut query = of_workspace(scope).filter(Column::Hidden.eq(false));
    if let Some(archived) = filter.archived {
        query = query.filter(search::has_happened(Column::ArchivedAt, archived));
    }
    if let Some(text) = &filter.search {
        query = query.filter(Column::FoldedName.like(search::containing(text)));
    }
    if let Some(has_draft) = filter.has_draft {
        let with_draft = Query::select()
            .column(entity::workflow_draft::Column::WorkflowId)
            .from(entity::workflow_draft::Entity)
            .to_owned();
        query = query.filter(if has_draft {
            Column::Id.in_subquery(with_draft)
        } else {
            Column::Id.not_in_subquery(with_draft)
        });
    }
    query
}

impl Store {
    pub async fn workflows(
        &self,
        scope: Scope,
        filter: &Filter,
        sort: Sort,
        descending: bool,
        page: &Page,
    ) -> Result<Slice<Workflow>> {
        use entity::workflow::Column;
        let column = match sort {
            Sort::CreatedAt => Column::CreatedAt,
            Sort::Name => Column::Name,
            Sort::UpdatedAt => Column::UpdatedAt,
        };
        let order = OrderBy { name: sort.name(), column, id: Column::Id, descending };
        let slice = self.page(filtered(scope, filter), order, page).await?;
        Ok(slice.map(Workflow::from))
    }

    pub async fn count_workflows(&self, scope: Scope, filter: &Filter) -> Result<u64> {
        Ok(filtered(scope, filter).count(self.read()).await?)
    }

    pub async fn workflows_by_id(&self, scope: Scope, ids: &[WorkflowId]) -> Result<HashMap<WorkflowId, Workflow>> {
        let query = by_id::<entity::workflow::Entity>(scope, ids.iter().map(|id| id.0));
        let rows = self.find(query).await?.into_iter();
        Ok(rows.map(|row| (WorkflowId(row.id), Workflow::from(row))).collect())
    }

    pub async fn workflow(&self, scope: Scope, id: WorkflowId) -> Result<Option<Workflow>> {
        Ok(self.workflows_by_id(scope, &[id]).await?.remove(&id))
    }

    /// The workflow with one of these names that the library does not show, once there is one.
    pub async fn hidden_workflow(&self, scope: Scope, names: &[String]) -> Result<Option<WorkflowId>> {
        use entity::workflow::{Column, Entity};
        let query = of_workspace::<Entity>(scope).filter(Column::Hidden.eq(true)).filter(Column::Name.is_in(names));
        Ok(self.find_one(query).await?.map(|row| WorkflowId(row.id)))
    }

    pub async fn workflow_by_name(&self, scope: Scope, name: &str) -> Result<Option<Workflow>> {
        use entity::workflow::{Column, Entity};
        let query = of_workspace::<Entity>(scope).filter(Column::Name.eq(name)).filter(Column::Hidden.eq(false));
        Ok(self.find_one(query).await?.map(Workflow::from))
    }
}

impl Tx {
    /// A workflow as it is now, held until the end of the transaction: of two changes at once, the second sees what the
    /// first has done.
    pub async fn hold_workflow(&self, scope: Scope, id: WorkflowId) -> Result<Option<Workflow>> {
        let held = self.hold::<entity::workflow::Entity>(scope, id.0).await?;
        Ok(held.filter(|row| !row.hidden).map(Workflow::from))
    }

    pub async fn insert_workflow(&self, workflow: &Workflow) -> Result<()> {
        let row = entity::workflow::ActiveModel {
            id: Set(workflow.id.0),
            workspace_id: Set(workflow.workspace.0),
            name: Set(workflow.name.clone()),
            folded_name: Set(search::fold(&workflow.name)),
            description: Set(workflow.description.clone()),
            latest_version: Set(workflow.latest_version),
            created_at: Set(workflow.created_at),
            updated_at: Set(workflow.updated_at),
            archived_at: Set(workflow.archived_at),
            hidden: Set(workflow.hidden),
        };
        entity::workflow::Entity::insert(row).exec_without_returning(&self.db).await?;
        Ok(())
    }

    pub async fn update_workflow(&self, workflow: &Workflow) -> Result<()> {
        let row = entity::workflow::ActiveModel {
            id: Set(workflow.id.0),
            name: Set(workflow.name.clone()),
            folded_name: Set(search::fold(&workflow.name)),
            description: Set(workflow.description.clone()),
            latest_version: Set(workflow.latest_version),
            updated_at: Set(workflow.updated_at),
            archived_at: Set(workflow.archived_at),
            ..Default::default()
        };
        entity::workflow::Entity::update(row).exec(&self.db).await?;
        Ok(())
    }
}
