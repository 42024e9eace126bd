//! A new tenant. Only the operator at the command line makes one, and the first start.

use serde_json::json;

use crate::{
    domain::{
        access::Scope,
        audit::Action,
        id::WorkspaceId,
        name,
        refusal::{Code, Refusal},
    },
    engine::{Engine, Error, Origin, Result},
    store::workspaces::Workspace,
};

#[derive(Debug)]
pub struct CreateWorkspace {
    pub slug: String,
    pub name: String,
}

impl Engine {
    pub async fn create_workspace(&self, command: CreateWorkspace) -> Result<Workspace> {
        let slug = name::check_slug("slug", &command.slug)?;
        let name = name::check_distinct("name", &command.name, 100)?;
        let policy = self.policy_of_file().await?;
        let mut tx = self.begin(&Origin::default()).await?;
        let workspace = Workspace {
            id: WorkspaceId::new(tx.now()),
            slug,
            name,
            created_at: tx.now(),
            deliverable_retention_days: None,
        };
        match tx.insert_workspace(&workspace).await {
            Err(error) if error.is_duplicate_of("workspace") => {
                let message = format!("there is a workspace `{}` already", workspace.slug);
                return Err(Error::from(Refusal::at("slug", Code::AlreadyExists, message)));
            }
            inserted => inserted?,
        }
        let scope = Scope::system(workspace.id);
        tx.audit(scope, Action::WorkspaceCreated, Some(workspace.id.into()), json!({"slug": workspace.slug}));
        // In the same commit: a workspace is never there without its policy.
        if let Some(document) = policy {
            self.write_policy_file(&mut tx, scope, document).await?;
        }
        tx.commit().await?;
        Ok(workspace)
    }
}
