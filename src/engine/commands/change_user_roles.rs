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
    store::{Tx, users::User},
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

impl Engine {
    pub async fn change_user_roles(&self, scope: Scope, command: ChangeUserRoles, origin: &Origin) -> Result<User> {
        check_roles(command.roles)?;
        let id = command.user;
        let unknown = || Refusal::at("userId", Code::NotFound, format!("there is no user `{id}` in this workspace"));
        let user = self.store().user(scope, id).await?.ok_or_else(unknown)?;
        let before = self.store().roles_of_users(scope, &[id]).await?.remove(&id).unwrap_or_default();
        if before == command.roles {
            return Ok(user);
        }
        let mut tx = self.begin(origin).await?;
        tx.replace_user_roles(&user, command.roles).await?;
        if before.allow(Role::Admin) {
            keep_an_admin(&tx, scope).await?;
        }
        let names = |roles: Roles| roles.iter().map(Role::as_str).collect::<Vec<_>>();
        let details = json!({"from": names(before), "to": names(command.roles)});
        tx.audit(scope, Action::UserRolesChanged, Some(id.into()), details);
        tx.commit().await?;
        Ok(user)
    }
}
