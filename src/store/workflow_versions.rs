//! What workflows say and have said. A version is never changed.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, Condition, EntityTrait, FromQueryResult, PaginatorTrait, QueryFilter, QuerySelect,
    Select, sea_query::ExprTrait,
};
use uuid::Uuid;

use super::{
    Error, Result, Store, Tx, actor,
    page::{Key, OrderBy, Page, Slice},
    workflows,
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

impl TryFrom<entity::workflow_version::Model> for WorkflowVersion {
    type Error = Error;

    fn try_from(row: entity::workflow_version::Model) -> Result<Self> {
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

fn of_workspace(scope: Scope) -> Select<entity::workflow_version::Entity> {
    use entity::workflow_version::{Column, Entity};
    Entity::find().filter(Column::WorkflowId.in_subquery(workflows::own(scope)))
}

fn without_document(query: Select<entity::workflow_version::Entity>) -> Select<entity::workflow_version::Entity> {
    use entity::workflow_version::Column;
    query.select_only().columns([
        Column::WorkflowId,
        Column::Version,
        Column::RestoredFrom,
        Column::CreatedAt,
        Column::ActorKind,
        Column::ActorId,
    ])
}

fn any_of(versions: &[(WorkflowId, i32)]) -> Condition {
    use entity::workflow_version::Column;
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
        use entity::workflow_version::Column;
        let query = without_document(of_workspace(scope).filter(Column::WorkflowId.eq(workflow.0)));
        let order = OrderBy { name: ORDER, column: Column::Version, id: Column::WorkflowId, descending };
        let key = |row: &InfoRow| (Key::Number(row.version), row.workflow_id);
        Ok(self.page_of(query, order, page, key).await?.map(VersionInfo::from))
    }

    pub async fn count_workflow_versions(&self, scope: Scope, workflow: WorkflowId) -> Result<u64> {
        let query = of_workspace(scope).filter(entity::workflow_version::Column::WorkflowId.eq(workflow.0));
        Ok(query.count(self.read()).await?)
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
        let rows = of_workspace(scope).filter(any_of(versions)).all(self.read()).await?;
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
        query.one(self.read()).await?.map(WorkflowVersion::try_from).transpose()
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
        let row = entity::workflow_version::Entity::find_by_id((workflow.0, number)).one(&self.db).await?;
        row.map(|row| read_document(row.document)).transpose()
    }

    pub async fn insert_workflow_version(&self, version: &WorkflowVersion) -> Result<()> {
        let (actor_kind, actor_id) = actor::columns(version.info.created_by);
        let row = entity::workflow_version::ActiveModel {
            workflow_id: Set(version.info.workflow.0),
            version: Set(version.info.number),
            document: Set(version.document.text().to_owned()),
            restored_from: Set(version.info.restored_from),
            created_at: Set(version.info.created_at),
            actor_kind: Set(actor_kind),
            actor_id: Set(actor_id),
        };
        entity::workflow_version::Entity::insert(row).exec_without_returning(&self.db).await?;
        Ok(())
    }
}
