//! What workflows are about to say.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use sea_orm::{ActiveValue::Set, ColumnTrait, EntityTrait, QueryFilter, sea_query::OnConflict};

use super::{Error, Result, Store, Tx, actor, scoped::ids_of_workspace, workflow_versions::read_document};
use crate::domain::{
    access::{Actor, Scope},
    id::WorkflowId,
    json::Json,
};

/// A document that is being worked on, whatever its problems.
#[derive(Debug, Clone)]
pub struct Draft {
    pub workflow: WorkflowId,
    pub document: Json,
    pub updated_at: DateTime<Utc>,
    pub updated_by: Actor,
}

impl TryFrom<entity::workflow_draft::Model> for Draft {
    type Error = Error;

    fn try_from(row: entity::workflow_draft::Model) -> Result<Self> {
        Ok(Self {
            workflow: WorkflowId(row.workflow_id),
            document: read_document(row.document)?,
            updated_at: row.updated_at,
            updated_by: actor::read(&row.actor_kind, row.actor_id),
        })
    }
}

impl Store {
    /// The drafts of many workflows; who has none is absent.
    pub async fn workflow_drafts(&self, scope: Scope, ids: &[WorkflowId]) -> Result<HashMap<WorkflowId, Draft>> {
        use entity::workflow_draft::{Column, Entity};
        let query = Entity::find()
            .filter(Column::WorkflowId.is_in(ids.iter().map(|id| id.0)))
            .filter(Column::WorkflowId.in_subquery(ids_of_workspace::<entity::workflow::Entity>(scope)));
        let drafts = query.all(self.read()).await?.into_iter().map(Draft::try_from);
        drafts.map(|draft| draft.map(|draft| (draft.workflow, draft))).collect()
    }
}

impl Tx {
    /// The draft of a workflow that is known to be in the workspace.
    pub async fn workflow_draft(&self, workflow: WorkflowId) -> Result<Option<Draft>> {
        let row = entity::workflow_draft::Entity::find_by_id(workflow.0).one(&self.db).await?;
        row.map(Draft::try_from).transpose()
    }

    /// Writes the draft of a workflow, in place of an earlier one.
    pub async fn put_workflow_draft(&self, draft: &Draft) -> Result<()> {
        use entity::workflow_draft::{ActiveModel, Column, Entity};
        let (actor_kind, actor_id) = actor::columns(draft.updated_by);
        let row = ActiveModel {
            workflow_id: Set(draft.workflow.0),
            document: Set(draft.document.text().to_owned()),
            updated_at: Set(draft.updated_at),
            actor_kind: Set(actor_kind),
            actor_id: Set(actor_id),
        };
        let columns = [Column::Document, Column::UpdatedAt, Column::ActorKind, Column::ActorId];
        let replace = OnConflict::column(Column::WorkflowId).update_columns(columns).to_owned();
        Entity::insert(row).on_conflict(replace).exec_without_returning(&self.db).await?;
        Ok(())
    }

    /// Takes a workflow's draft away; tells whether there was one.
    pub async fn delete_workflow_draft(&self, workflow: WorkflowId) -> Result<bool> {
        let deleted = entity::workflow_draft::Entity::delete_by_id(workflow.0).exec(&self.db).await?;
        Ok(deleted.rows_affected == 1)
    }
}
