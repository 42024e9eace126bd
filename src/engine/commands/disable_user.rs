//! Locking somebody out, at once, and letting them in again.

use serde_json::json;

use super::{change_user_roles::keep_an_admin, sign_out::end_sessions};
use crate::{
    domain::{
        access::Scope,
        audit::Action,
        id::UserId,
        refusal::{Code, Refusal},
        role::Role,
    },
    engine::{Engine, Origin, Result},
    store::{
        sessions::Which,
        users::{Change, User},
    },
};

impl Engine {
    pub async fn disable_user(&self, scope: Scope, id: UserId, origin: &Origin) -> Result<User> {
        let user = self.require_user(scope, id).await?;
        if user.disabled_at.is_some() {
            return Ok(user);
        }
        let roles = self.store().roles_of_users(scope, &[id]).await?.remove(&id).unwrap_or_default();
        let mut tx = self.begin(origin).await?;
        let now = tx.now();
        tx.update_user(scope, id, Change { disabled_at: Some(Some(now)), ..Change::default() }).await?;
        if roles.allow(Role::Admin) {
            keep_an_admin(&tx, scope).await?;
        }
        end_sessions(&mut tx, scope, id, Which::All).await?;
        tx.drop_sign_in_links(id).await?;
        tx.audit(scope, Action::UserDisabled, Some(id.into()), json!({}));
        tx.commit().await?;
        Ok(User { disabled_at: Some(now), ..user })
    }

    pub async fn enable_user(&self, scope: Scope, id: UserId, origin: &Origin) -> Result<User> {
        let user = self.require_user(scope, id).await?;
        if user.disabled_at.is_none() {
            return Ok(user);
        }
        let mut tx = self.begin(origin).await?;
        tx.update_user(scope, id, Change { disabled_at: Some(None), ..Change::default() }).await?;
        tx.audit(scope, Action::UserEnabled, Some(id.into()), json!({}));
        tx.commit().await?;
        Ok(User { disabled_at: None, ..user })
    }

    async fn require_user(&self, scope: Scope, id: UserId) -> Result<User> {
        let unknown = || Refusal::at("userId", Code::NotFound, format!("there is no user `{id}` in this workspace"));
        Ok(self.store().user(scope, id).await?.ok_or_else(unknown)?)
    }
}
