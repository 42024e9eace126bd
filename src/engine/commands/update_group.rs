//! Renaming and describing a group.

use serde_json::json;

use super::create_group::{check_texts, taken};
use crate::{
    domain::{
        access::Scope,
        audit::Action,
        id::GroupId,
        refusal::{Code, Refusal},
    },
    engine::{Engine, Origin, Result},
    store::{Tx, groups::Group},
};

#[derive(Debug)]
pub struct UpdateGroup {
    pub group: GroupId,
    pub name: Option<String>,
    pub description: Option<String>,
}

impl Engine {
    pub async fn update_group(&self, scope: Scope, command: UpdateGroup, origin: &Origin) -> Result<Group> {
        let mut tx = self.begin(origin).await?;
        let before = hold_group(&tx, scope, command.group).await?;
        let name = command.name.as_deref().unwrap_or(&before.name);
        let description = command.description.as_deref().unwrap_or(&before.description);
        let (name, description) = check_texts(name, description, Some(&before.name))?;
        let group = Group { name, description, ..before.clone() };
        match tx.update_group(&group).await {
            Err(error) if error.is_duplicate_of("approver_group") => return Err(taken(&group.name)),
            updated => updated?,
        }
        let text = |group: &Group| json!({"name": group.name, "description": group.description});
        let entry = tx.audit(scope, Action::GroupUpdated, Some(group.id.into()), json!({}));
        entry.changing(text(&before), text(&group));
        tx.commit().await?;
        Ok(group)
    }
}

/// The group that a command names, as it is now.
pub(super) async fn hold_group(tx: &Tx, scope: Scope, id: GroupId) -> Result<Group> {
    let unknown = || Refusal::at("groupId", Code::NotFound, format!("there is no group `{id}` in this workspace"));
    Ok(tx.hold_group(scope, id).await?.ok_or_else(unknown)?)
}
