//! Locking somebody out, at once, and letting them in again.

use serde_json::json;

use super::{
    change_user_roles::{hold_user, keep_an_admin},
    sign_out::end_sessions,
};
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
        users::{Change, Held, User},
    },
};

impl Engine {
    pub async fn disable_user(&self, scope: Scope, id: UserId, origin: &Origin) -> Result<User> {
        let mut tx = self.begin(origin).await?;
        let Held { user, roles, .. } = hold_user(&tx, scope, id).await?;
        if user.disabled_at.is_some() {
            return Ok(user);
        }
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
        let mut tx = self.begin(origin).await?;
        let user = hold_user(&tx, scope, id).await?.user;
        if user.disabled_at.is_none() {
            return Ok(user);
        }
        if user.erased_at.is_some() {
            let message = format!("the personal data of `{id}` was erased: invite the person anew");
            return Err(Refusal::at("userId", Code::Conflict, message).into());
        }
        tx.update_user(scope, id, Change { disabled_at: Some(None), ..Change::default() }).await?;
        tx.audit(scope, Action::UserEnabled, Some(id.into()), json!({}));
        tx.commit().await?;
        Ok(User { disabled_at: None, ..user })
    }
}
