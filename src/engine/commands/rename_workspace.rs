//! Changing what a workspace is called. Its slug stays: links and commands use it.

use serde_json::json;

use crate::{
    domain::{access::Scope, audit::Action, name},
    engine::{Engine, Error, Origin, Result},
    store::workspaces::Workspace,
};

impl Engine {
    pub async fn rename_workspace(&self, scope: Scope, text: &str, origin: &Origin) -> Result<Workspace> {
        let name = name::check_distinct("name", text, 100)?;
        let mut tx = self.begin(origin).await?;
        let gone = || Error::Internal("the caller's workspace is gone".to_owned());
        let before = tx.hold_workspace(scope).await?.ok_or_else(gone)?;
        tx.rename_workspace(scope, &name).await?;
        let entry = tx.audit(scope, Action::WorkspaceUpdated, Some(scope.workspace().into()), json!({"name": name}));
        entry.changing(json!({"name": before.name}), json!({"name": name}));
        tx.commit().await?;
        Ok(Workspace { name, ..before })
    }
}
