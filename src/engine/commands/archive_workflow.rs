//! Taking a workflow out of use, and back. Nothing of it is lost.

use serde_json::json;

use super::update_workflow::hold_workflow;
use crate::{
    domain::{access::Scope, audit::Action, id::WorkflowId},
    engine::{Engine, Origin, Result},
    store::workflows::Workflow,
};

impl Engine {
    pub async fn archive_workflow(&self, scope: Scope, id: WorkflowId, origin: &Origin) -> Result<Workflow> {
        self.set_workflow_archived(scope, id, true, origin).await
    }

    pub async fn unarchive_workflow(&self, scope: Scope, id: WorkflowId, origin: &Origin) -> Result<Workflow> {
        self.set_workflow_archived(scope, id, false, origin).await
    }

    async fn set_workflow_archived(
        &self,
        scope: Scope,
        id: WorkflowId,
        archived: bool,
        origin: &Origin,
    ) -> Result<Workflow> {
        let mut tx = self.begin(origin).await?;
        let before = hold_workflow(&tx, scope, id).await?;
        self.permit_workflow(scope, "workflowId", id).await?;
        if before.archived_at.is_some() == archived {
            return Ok(before);
        }
        let workflow = Workflow { archived_at: archived.then(|| tx.now()), updated_at: tx.now(), ..before };
        tx.update_workflow(&workflow).await?;
        let action = if archived { Action::WorkflowArchived } else { Action::WorkflowUnarchived };
        tx.audit(scope, action, Some(id.into()), json!({"name": workflow.name}));
        tx.commit().await?;
        Ok(workflow)
    }
}
