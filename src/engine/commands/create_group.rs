//! A new group of approvers.

use serde_json::json;

use super::idempotent::{Creation, lost_to_twin};
use crate::{
    domain::{
        access::Scope,
        audit::Action,
        id::{GroupId, UserId},
        name,
        refusal::{Code, Refusal},
    },
    engine::{Engine, Error, Origin, Result, error::Problems},
    store::groups::Group,
};

#[derive(Debug, Clone)]
pub struct CreateGroup {
    pub name: String,
    pub description: String,
    pub members: Vec<UserId>,
    pub idempotency_key: Option<String>,
}

impl Engine {
    pub async fn create_group(&self, scope: Scope, command: CreateGroup, origin: &Origin) -> Result<Group> {
        let result = self.create_group_once(scope, &command, origin).await;
        if lost_to_twin(&result) { self.create_group_once(scope, &command, origin).await } else { result }
    }

    async fn create_group_once(&self, scope: Scope, command: &CreateGroup, origin: &Origin) -> Result<Group> {
        let (name, description) = check_texts(&command.name, &command.description, None)?;
        self.check_members(scope, "memberIds", &command.members).await?;
        let members: Vec<String> = command.members.iter().map(UserId::to_string).collect();
        let content = json!([name, description, members]).to_string();
        let creation = Creation::new(scope, "createGroup", command.idempotency_key.as_deref(), content)?;
        let mut tx = self.begin(origin).await?;
        let id = GroupId::new(tx.now());
        if let Some(made) = creation.claim(&tx, id).await? {
            drop(tx);
            let id: GroupId = made.parse().map_err(|error| Error::Internal(format!("{error}")))?;
            let gone = || Refusal::new(Code::NotFound, "the group that this key made has been deleted since");
            return Ok(self.store().group(scope, id).await?.ok_or_else(gone)?);
        }
        let group = Group { id, workspace: scope.workspace(), name, description, created_at: tx.now() };
        match tx.insert_group(&group).await {
            Err(error) if error.is_duplicate_of("approver_group") => return Err(taken(&group.name)),
            inserted => inserted?,
        }
        tx.add_members(&group, &command.members).await?;
        let details = json!({"name": group.name, "members": members});
        tx.audit(scope, Action::GroupCreated, Some(group.id.into()), details);
        tx.commit().await?;
        Ok(group)
    }

    /// Every one of these must be a user of the workspace.
    pub(super) async fn check_members(&self, scope: Scope, field: &'static str, members: &[UserId]) -> Result<()> {
        const MOST: usize = 1_000;
        if members.len() > MOST {
            let message = format!("`{field}` has {} entries: at most {MOST} at once", members.len());
            return Err(Refusal::invalid(field, message).into());
        }
        let known = self.store().users_by_id(scope, members).await?;
        let mut problems = Problems::default();
        for id in members.iter().filter(|id| !known.contains_key(id)) {
            problems.note(Refusal::at(field, Code::NotFound, format!("there is no user `{id}` in this workspace")));
        }
        problems.check()
    }
}

/// Checks what a group is called and what it is for. A name from before stays whatever it is.
pub(super) fn check_texts(name: &str, description: &str, before: Option<&str>) -> Result<(String, String)> {
    let mut problems = Problems::default();
    let check = if before == Some(name) { name::check } else { name::check_seen };
    let checked = (
        problems.take(check("name", name, 100)).unwrap_or_default(),
        problems.take(name::check_text("description", description, 1_000)).unwrap_or_default(),
    );
    problems.check()?;
    Ok(checked)
}

pub(super) fn taken(name: &str) -> Error {
    let message = format!("there is a group named `{name}` already: choose another name");
    Refusal::at("name", Code::AlreadyExists, message).into()
}
