//! Deleting a group. Its people stay.

use serde_json::json;

use super::update_group::hold_group;
use crate::{
    domain::{access::Scope, audit::Action, id::GroupId},
    engine::{Engine, Origin, Result},
};

impl Engine {
    pub async fn delete_group(&self, scope: Scope, id: GroupId, origin: &Origin) -> Result<()> {
        let mut tx = self.begin(origin).await?;
        let group = hold_group(&tx, scope, id).await?;
        tx.delete_group(&group).await?;
        tx.audit(scope, Action::GroupDeleted, Some(id.into()), json!({"name": group.name}));
        Ok(tx.commit().await?)
    }
}
