//! A new workflow, with its first version or as a draft.

use serde_json::json;

use super::{
    idempotent::{Creation, lost_to_twin},
    workflow_document::{Checked, Document, SavedWorkflow, check_name, taken},
};
use crate::{
    domain::{
        access::Scope,
        audit::Action,
        document::Problem,
        id::WorkflowId,
        refusal::{Code, Refusal},
    },
    engine::{Engine, Error, Origin, Result},
    store::{
        Tx,
        workflow_drafts::Draft,
        workflow_versions::{VersionInfo, WorkflowVersion},
        workflows::Workflow,
    },
};

#[derive(Debug, Clone)]
pub struct CreateWorkflow {
    pub document: Document,
    /// Whether it is kept as a draft, whatever its problems.
    pub draft: bool,
    pub idempotency_key: Option<String>,
}

impl Engine {
    pub async fn create_workflow(
        &self,
        scope: Scope,
        command: CreateWorkflow,
        origin: &Origin,
    ) -> Result<SavedWorkflow> {
        self.permit_outside_of_workflows(scope, "a new one is not among them").await?;
        self.permit_document(scope, &command.document).await?;
        let checked = match self.check_document(scope, &command.document, command.draft).await? {
            Ok(checked) => checked,
            Err(problem) => return Ok(SavedWorkflow::Invalid(vec![problem])),
        };
        if !command.draft {
            self.check_first_gates(&checked.json)?;
        }
        let result = self.create_workflow_once(scope, &command, &checked, origin).await;
        let result = if lost_to_twin(&result) {
            self.create_workflow_once(scope, &command, &checked, origin).await
        } else {
            result
        };
        Ok(match result? {
            Ok(workflow) => SavedWorkflow::Saved { workflow, problems: checked.problems },
            Err(problems) => SavedWorkflow::Invalid(problems),
        })
    }

    /// The workflow, unless its document has problems. A retry finds what was made even when the document, which was
    /// right then, would not be right any more.
    async fn create_workflow_once(
        &self,
        scope: Scope,
        command: &CreateWorkflow,
        checked: &Checked,
        origin: &Origin,
    ) -> Result<std::result::Result<Workflow, Vec<Problem>>> {
        let content = json!([checked.json.text(), command.draft]).to_string();
        let creation = Creation::new(scope, "createWorkflow", command.idempotency_key.as_deref(), content)?;
        let mut tx = self.begin(origin).await?;
        let id = WorkflowId::new(tx.now());
        if let Some(made) = creation.claim(&tx, id).await? {
            drop(tx);
            let id: WorkflowId = made.parse().map_err(|error| Error::Internal(format!("{error}")))?;
            let gone = || Refusal::new(Code::NotFound, "the workflow that this key made is gone");
            return Ok(Ok(self.store().workflow(scope, id).await?.ok_or_else(gone)?));
        }
        let heading = match checked.savable() {
            Ok(heading) => heading,
            Err(problems) => return Ok(Err(problems)),
        };
        check_name(&["input", command.document.field(), "name"], &heading.name, None)?;
        let workflow = Workflow {
            hidden: false,
            id,
            workspace: scope.workspace(),
            name: heading.name,
            description: heading.description,
            latest_version: (!command.draft).then_some(1),
            created_at: tx.now(),
            updated_at: tx.now(),
            archived_at: None,
        };
        match tx.insert_workflow(&workflow).await {
            Err(error) if error.is_duplicate_of("workflow") => {
                return Err(taken(&["input", command.document.field(), "name"], &workflow.name));
            }
            inserted => inserted?,
        }
        if command.draft {
            tx.put_workflow_draft(&draft_of(&tx, scope, id, checked)).await?;
        } else {
            tx.insert_workflow_version(&version_of(&tx, scope, id, 1, checked)).await?;
        }
        let details = json!({"name": workflow.name, "version": workflow.latest_version});
        tx.audit(scope, Action::WorkflowCreated, Some(id.into()), details);
        tx.commit().await?;
        Ok(Ok(workflow))
    }
}

pub(super) fn draft_of(tx: &Tx, scope: Scope, workflow: WorkflowId, checked: &Checked) -> Draft {
    Draft { workflow, document: checked.json.clone(), updated_at: tx.now(), updated_by: scope.actor() }
}

pub(super) fn version_of(
    tx: &Tx,
    scope: Scope,
    workflow: WorkflowId,
    number: i32,
    checked: &Checked,
) -> WorkflowVersion {
    let info = VersionInfo { workflow, number, restored_from: None, created_at: tx.now(), created_by: scope.actor() };
    WorkflowVersion { info, document: checked.json.clone() }
}
