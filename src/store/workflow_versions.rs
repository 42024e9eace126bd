//! What workflows say and have said. A version is never changed.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use entity::workflow_version::{ActiveModel, Column, Entity, Model};
use sea_orm::{
    ActiveValue::Set,
    ColumnTrait, Condition, EntityTrait, FromQueryResult, PaginatorTrait, QueryFilter, QuerySelect, Select,
    sea_query::{Expr, ExprTrait, Order, Query, WindowStatement},
};
use uuid::Uuid;

use super::{
    Error, Result, Store, Tx, actor, grouped,
    page::{Cursor, Key, OrderBy, Page, Slice},
    scoped::ids_of_workspace,
};
use crate::domain::{
    access::{Actor, Scope},
    id::WorkflowId,
    json::Json,
};

/// The name of the order of versions within cursors.
pub const ORDER: &str = "workflow_version.number";

/// A version without its document, which lists do not read.
#[derive(Debug, Clone)]
pub struct VersionInfo {
    pub workflow: WorkflowId,
    /// Counts up from 1 within a workflow.
    pub number: i32,
    /// The version whose document this one brings back.
    pub restored_from: Option<i32>,
    pub created_at: DateTime<Utc>,
    pub created_by: Actor,
}

impl VersionInfo {
    /// Where the version stands in its list.
    pub fn cursor(&self) -> Cursor {
        Cursor::new(ORDER, Key::Number(self.number.into()), self.workflow.0)
    }
}

/// A version with its document, exactly as it was saved.
#[derive(Debug, Clone)]
pub struct WorkflowVersion {
    pub info: VersionInfo,
    pub document: Json,
}

#[derive(FromQueryResult)]
struct InfoRow {
    workflow_id: Uuid,
    version: i32,
    restored_from: Option<i32>,
    created_at: DateTime<Utc>,
    actor_kind: String,
    actor_id: Option<Uuid>,
}

impl From<InfoRow> for VersionInfo {
    fn from(row: InfoRow) -> Self {
        Self {
            workflow: WorkflowId(row.workflow_id),
            number: row.version,
            restored_from: row.restored_from,
            created_at: row.created_at,
            created_by: actor::read(&row.actor_kind, row.actor_id),
        }
    }
}

impl TryFrom<Model> for WorkflowVersion {
    type Error = Error;

    fn try_from(row: Model) -> Result<Self> {
        let info = VersionInfo {
            workflow: WorkflowId(row.workflow_id),
            number: row.version,
            restored_from: row.restored_from,
            created_at: row.created_at,
            created_by: actor::read(&row.actor_kind, row.actor_id),
        };
        Ok(Self { info, document: read_document(row.document)? })
    }
}

pub(super) fn read_document(text: String) -> Result<Json> {
    Json::trusted(text).map_err(|error| Error::Unexpected(format!("a stored document is not JSON: {error}")))
}

fn of_workspace(scope: Scope) -> Select<Entity> {
    Entity::find().filter(Column::WorkflowId.in_subquery(ids_of_workspace::<entity::workflow::Entity>(scope)))
}

/// All columns but the document's.
const INFO_COLUMNS: [Column; 6] =
    [Column::WorkflowId, Column::Version, Column::RestoredFrom, Column::CreatedAt, Column::ActorKind, Column::ActorId];

fn without_document(query: Select<Entity>) -> Select<Entity> {
    query.select_only().columns(INFO_COLUMNS)
}

fn any_of(versions: &[(WorkflowId, i32)]) -> Condition {
    versions.iter().fold(Condition::any(), |any, (workflow, number)| {
        any.add(Column::WorkflowId.eq(workflow.0).and(Column::Version.eq(*number)))
    })
}

impl Store {
    /// A workflow's versions by number.
    pub async fn workflow_versions(
        &self,
        scope: Scope,
        workflow: WorkflowId,
        descending: bool,
        page: &Page,
    ) -> Result<Slice<VersionInfo>> {
        let query = without_document(of_workspace(scope).filter(Column::WorkflowId.eq(workflow.0)));
        let order = OrderBy { name: ORDER, column: Column::Version, id: Column::WorkflowId, descending };
        let place = |row: &InfoRow| Ok((Key::Number(row.version.into()), row.workflow_id));
        Ok(self.page_of(query, order, page, place).await?.map(VersionInfo::from))
    }

    pub async fn count_workflow_versions(&self, scope: Scope, workflow: WorkflowId) -> Result<u64> {
        let query = of_workspace(scope).filter(Column::WorkflowId.eq(workflow.0));
        Ok(query.count(self.read()).await?)
    }

    /// The newest `size` versions of each of many workflows, newest first, and one more where there are more.
    pub async fn newest_workflow_versions(
        &self,
        scope: Scope,
        workflows: &[WorkflowId],
        size: u64,
    ) -> Result<HashMap<WorkflowId, Vec<VersionInfo>>> {
        let rank = WindowStatement::partition_by(Column::WorkflowId).order_by(Column::Version, Order::Desc).to_owned();
        let ranked = Query::select()
            .columns(INFO_COLUMNS)
            .expr_window_as(Expr::cust("row_number()"), rank, "rank")
            .from(Entity)
            .and_where(Column::WorkflowId.is_in(workflows.iter().map(|id| id.0)))
            .and_where(Column::WorkflowId.in_subquery(ids_of_workspace::<entity::workflow::Entity>(scope)))
            .to_owned();
        let query = Query::select()
            .columns(INFO_COLUMNS)
            .from_subquery(ranked, "ranked")
            .and_where(Expr::col("rank").lte(size + 1))
            .order_by("rank", Order::Asc)
            .to_owned();
        let rows = InfoRow::find_by_statement(self.0.backend.build(&query)).all(self.read()).await?;
        Ok(grouped(rows.into_iter().map(VersionInfo::from).map(|info| (info.workflow, info))))
    }

    /// Many versions of many workflows, without their documents.
    pub async fn workflow_version_infos(
        &self,
        scope: Scope,
        versions: &[(WorkflowId, i32)],
    ) -> Result<HashMap<(WorkflowId, i32), VersionInfo>> {
        if versions.is_empty() {
            return Ok(HashMap::new());
        }
        let query = without_document(of_workspace(scope).filter(any_of(versions)));
        let rows = query.into_model::<InfoRow>().all(self.read()).await?;
        Ok(rows.into_iter().map(VersionInfo::from).map(|info| ((info.workflow, info.number), info)).collect())
    }

    /// The documents of many versions of many workflows.
    pub async fn workflow_documents(
        &self,
        scope: Scope,
        versions: &[(WorkflowId, i32)],
    ) -> Result<HashMap<(WorkflowId, i32), Json>> {
        if versions.is_empty() {
            return Ok(HashMap::new());
        }
        let rows = self.find(of_workspace(scope).filter(any_of(versions))).await?;
        rows.into_iter()
            .map(|row| Ok(((WorkflowId(row.workflow_id), row.version), read_document(row.document)?)))
            .collect()
    }

    pub async fn workflow_version(
        &self,
        scope: Scope,
        workflow: WorkflowId,
        number: i32,
    ) -> Result<Option<WorkflowVersion>> {
        let query = of_workspace(scope).filter(any_of(&[(workflow, number)]));
        self.find_one(query).await?.map(WorkflowVersion::try_from).transpose()
    }

    /// The version that new executions run; none while there is only a draft.
    pub async fn latest_workflow_version(&self, scope: Scope, workflow: WorkflowId) -> Result<Option<WorkflowVersion>> {
        match self.workflow(scope, workflow).await?.and_then(|found| found.latest_version) {
            Some(number) => self.workflow_version(scope, workflow, number).await,
            None => Ok(None),
        }
    }
}

impl Tx {
    /// The document of a version of a workflow that is known to be in the workspace.
    pub async fn workflow_document(&self, workflow: WorkflowId, number: i32) -> Result<Option<Json>> {
        let row = Entity::find_by_id((workflow.0, number)).one(&self.db).await?;
        row.map(|row| read_document(row.document)).transpose()
    }

    pub async fn insert_workflow_version(&self, version: &WorkflowVersion) -> Result<()> {
        let (actor_kind, actor_id) = actor::columns(version.info.created_by);
        let row = ActiveModel {
            workflow_id: Set(version.info.workflow.0),
            version: Set(version.info.number),
            document: Set(version.document.text().to_owned()),
            restored_from: Set(version.info.restored_from),
            created_at: Set(version.info.created_at),
            actor_kind: Set(actor_kind),
            actor_id: Set(actor_id),
        };
        Entity::insert(row).exec_without_returning(&self.db).await?;
        Ok(())
    }
}
