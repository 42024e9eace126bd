//! Workflows without steps, not to be seen in the library, that what stands alone belongs to.

use crate::{
    domain::{access::Scope, id::WorkflowId},
    engine::{Engine, Error, Origin, Result},
    store::workflows::Workflow,
};

/// What a workflow is called, and what it is for.
pub(super) type Heading = (&'static str, &'static str);

pub(super) const REQUESTS: Heading = ("Approval requests", "Approvals that were asked for outside of workflows.");
pub(super) const REVIEWS: Heading =
    ("Reviewed changes", "Changes of the policy, agents and workflows that people review.");
pub(super) const DELIVERABLES: Heading = ("Deliverables", "What was handed in outside of workflows.");
/// Names may be taken by workflows of the library.
const MOST_TRIES: usize = 10;

impl Engine {
    /// Finds one of these workflows of a workspace, or makes it.
    pub(super) async fn hidden_workflow(&self, scope: Scope, (name, description): Heading) -> Result<WorkflowId> {
        let numbered = |number: usize| if number == 0 { name.to_owned() } else { format!("{name} ({})", number + 1) };
        let names: Vec<String> = (0..MOST_TRIES).map(numbered).collect();
        for name in names.clone() {
            if let Some(found) = self.store().hidden_workflow(scope, &names).await? {
                return Ok(found);
            }
            let tx = self.begin(&Origin::default()).await?;
            let now = tx.now();
            let workflow = Workflow {
                id: WorkflowId::new(now),
                workspace: scope.workspace(),
                name,
                description: description.to_owned(),
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
        Err(Error::Internal(format!("every name for the workflow `{name}` is taken")))
    }
}
