//! How long a workspace keeps the content of what is archived.

use serde_json::json;

use crate::{
    domain::{access::Scope, audit::Action, refusal::Refusal},
    engine::{Engine, Error, Origin, Result},
    store::workspaces::Workspace,
};

const LONGEST: i32 = 36_500;

impl Engine {
    /// Nothing keeps it for ever.
    pub async fn set_deliverable_retention(
        &self,
        scope: Scope,
        days: Option<i32>,
        origin: &Origin,
    ) -> Result<Workspace> {
        if let Some(days) = days.filter(|days| !(1..=LONGEST).contains(days)) {
            let message = format!("`days` is {days}: give 1 to {LONGEST}, or null to keep everything");
            return Err(Refusal::invalid("days", message).into());
        }
        let mut tx = self.begin(origin).await?;
        tx.set_deliverable_retention(scope, days).await?;
        let details = json!({"deliverableRetentionDays": days});
        tx.audit(scope, Action::WorkspaceUpdated, Some(scope.workspace().into()), details);
        tx.commit().await?;
        let gone = || Error::Internal("the caller's workspace is gone".to_owned());
        self.store().workspace(scope).await?.ok_or_else(gone)
    }
}
