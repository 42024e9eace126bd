//! Bringing an earlier version back, as a new one. A draft stays.

use serde_json::json;

use super::{
    create_workflow::version_of,
    update_workflow::{check_base, check_changeable, hold_workflow, is_latest, renamed, unknown, write},
    workflow_document::{Document, SavedWorkflow},
};
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

#[derive(Debug)]
pub struct RestoreWorkflowVersion {
    pub workflow: WorkflowId,
    /// The version to bring back.
    pub version: i32,
    /// The latest version that the caller saw.
    pub base_version: i32,
}

impl Engine {
    pub async fn restore_workflow_version(
        &self,
        scope: Scope,
        command: RestoreWorkflowVersion,
        origin: &Origin,
    ) -> Result<SavedWorkflow> {
        let (id, number) = (command.workflow, command.version);
        self.store().workflow(scope, id).await?.ok_or_else(|| unknown(id))?;
        self.permit_workflow(scope, "workflowId", id).await?;
        let missing = || Refusal::at("version", Code::NotFound, format!("the workflow has no version {number}"));
        let old = self.store().workflow_version(scope, id, number).await?.ok_or_else(missing)?;
        // The library may have changed since.
        let document = Document::Definition(old.document.to_value());
        self.permit_document(scope, &document).await?;
        let checked = match self.check_document(scope, &document, false).await? {
            Ok(checked) => checked,
            Err(problem) => return Ok(SavedWorkflow::Invalid(vec![problem])),
        };
        let mut tx = self.begin(origin).await?;
        let before = hold_workflow(&tx, scope, id).await?;
        check_changeable(&before)?;
        check_base(&before, Some(command.base_version))?;
        let heading = match checked.savable() {
            Ok(heading) => heading,
            Err(problems) => return Ok(SavedWorkflow::Invalid(problems)),
        };
        if let Some(before_document) = self.reviewed_gates(&tx, &before, &old.document).await? {
            drop(tx);
            let row = self.review_workflow(scope, &before, &before_document, &old.document).await?;
            return Ok(SavedWorkflow::InReview(Box::new(row)));
        }
        let next = before.latest_version.unwrap_or(0).saturating_add(1);
        let mut version = version_of(&tx, scope, id, next, &checked);
        version.info.restored_from = Some(number);
        version.document = old.document;
        if is_latest(&tx, &before, &version).await? {
            return Ok(SavedWorkflow::Saved { workflow: before, problems: Vec::new() });
        }
        let workflow = Workflow { latest_version: Some(next), ..renamed(&tx, before, heading) };
        write(&tx, &workflow, &["input", "version"]).await?;
        tx.insert_workflow_version(&version).await?;
        let details = json!({"name": workflow.name, "version": next, "restoredFrom": number});
        tx.audit(scope, Action::WorkflowVersionRestored, Some(id.into()), details);
        tx.commit().await?;
        Ok(SavedWorkflow::Saved { workflow, problems: Vec::new() })
    }
}
