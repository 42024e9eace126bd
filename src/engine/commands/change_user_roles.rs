//! Changing what somebody may do.

use serde_json::json;

use crate::{
    domain::{
        access::Scope,
        audit::Action,
        id::UserId,
        refusal::{Code, Refusal},
        role::{Role, Roles},
    },
    engine::{Engine, Origin, Result},
    store::{
        Tx,
        users::{Held, User},
    },
};

#[derive(Debug)]
pub struct ChangeUserRoles {
    pub user: UserId,
    pub roles: Roles,
}

/// Somebody without any role could not even look.
pub(super) fn check_roles(roles: Roles) -> std::result::Result<(), Refusal> {
    if roles.is_empty() { Err(Refusal::invalid("roles", "`roles` is empty: give at least one role")) } else { Ok(()) }
}

/// A workspace without an admin could never be managed again.
pub(super) async fn keep_an_admin(tx: &Tx, scope: Scope) -> Result<()> {
    if tx.count_admins(scope).await? == 0 {
        let message = "this is the workspace's last admin: make somebody else an admin first";
        return Err(Refusal::at("userId", Code::Conflict, message).into());
    }
    Ok(())
}

/// The user that a command names, as they are now.
pub(super) async fn hold_user(tx: &Tx, scope: Scope, id: UserId) -> Result<Held> {
    let unknown = || Refusal::at("userId", Code::NotFound, format!("there is no user `{id}` in this workspace"));
    Ok(tx.hold_user(scope, id).await?.ok_or_else(unknown)?)
}

impl Engine {
    pub async fn change_user_roles(&self, scope: Scope, command: ChangeUserRoles, origin: &Origin) -> Result<User> {
        check_roles(command.roles)?;
        let id = command.user;
        let mut tx = self.begin(origin).await?;
        let Held { user, roles: before, .. } = hold_user(&tx, scope, id).await?;
        if before == command.roles {
            return Ok(user);
        }
        tx.replace_user_roles(&user, command.roles).await?;
        if before.allow(Role::Admin) {
            keep_an_admin(&tx, scope).await?;
        }
        let names = |roles: Roles| json!({"roles": roles.iter().map(Role::as_str).collect::<Vec<_>>()});
        let entry = tx.audit(scope, Action::UserRolesChanged, Some(id.into()), json!({}));
        entry.changing(names(before), names(command.roles));
        tx.commit().await?;
        Ok(user)
    }
}
