//! Throwing a workflow's draft away. Its versions stay.

use serde_json::json;

use super::update_workflow::{check_changeable, hold_workflow};
use crate::{
    domain::{
        access::Scope,
        audit::Action,
        id::WorkflowId,
        refusal::{Code, Refusal},
    },
    engine::{Engine, Origin, Result},
    store::workflows::Workflow,
};

impl Engine {
    pub async fn discard_workflow_draft(&self, scope: Scope, id: WorkflowId, origin: &Origin) -> Result<Workflow> {
        let mut tx = self.begin(origin).await?;
        let before = hold_workflow(&tx, scope, id).await?;
        self.permit_workflow(scope, "workflowId", id).await?;
        check_changeable(&before)?;
        if before.latest_version.is_none() {
            let message = format!("the workflow `{}` has nothing but its draft: archive it instead", before.name);
            return Err(Refusal::at("workflowId", Code::Conflict, message).into());
        }
        if !tx.delete_workflow_draft(id).await? {
            return Ok(before);
        }
        let workflow = Workflow { updated_at: tx.now(), ..before };
        tx.update_workflow(&workflow).await?;
        tx.audit(scope, Action::WorkflowDraftDiscarded, Some(id.into()), json!({"name": workflow.name}));
        tx.commit().await?;
        Ok(workflow)
    }
}
