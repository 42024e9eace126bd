//! Deleting a group. Its people stay.

use serde_json::json;

use crate::{
    domain::{access::Scope, audit::Action, id::GroupId},
    engine::{Engine, Origin, Result},
};

impl Engine {
    pub async fn delete_group(&self, scope: Scope, id: GroupId, origin: &Origin) -> Result<()> {
        let group = self.require_group(scope, id).await?;
        let mut tx = self.begin(origin).await?;
        tx.delete_group(&group).await?;
        tx.audit(scope, Action::GroupDeleted, Some(id.into()), json!({"name": group.name}));
        Ok(tx.commit().await?)
    }
}
