//! The workflow, without steps and not to be seen in the library, that requests which stand alone belong to.

use crate::{
    domain::{access::Scope, id::WorkflowId},
    engine::{Engine, Error, Origin, Result},
    store::workflows::Workflow,
};

const NAME: &str = "Approval requests";
/// Names may be taken by workflows of the library.
const MOST_TRIES: usize = 10;

impl Engine {
    /// Finds the workflow of a workspace's requests, or makes it.
    pub(super) async fn requests_workflow(&self, scope: Scope) -> Result<WorkflowId> {
        for number in 0..MOST_TRIES {
            if let Some(found) = self.store().hidden_workflow(scope).await? {
                return Ok(found);
            }
            let name = if number == 0 { NAME.to_owned() } else { format!("{NAME} ({})", number + 1) };
            let tx = self.begin(&Origin::default()).await?;
            let now = tx.now();
            let workflow = Workflow {
                id: WorkflowId::new(now),
                workspace: scope.workspace(),
                name,
                description: "Approvals that were asked for outside of workflows.".to_owned(),
                latest_version: None,
                hidden: true,
                created_at: now,
                updated_at: now,
                archived_at: None,
            };
            match tx.insert_workflow(&workflow).await {
                Ok(()) => {
                    tx.commit().await?;
                    return Ok(workflow.id);
                }
                Err(error) if error.is_duplicate_of("workflow") => {}
                Err(error) => return Err(error.into()),
            }
        }
        Err(Error::Internal("every name for the workflow of requests is taken".to_owned()))
    }
}
