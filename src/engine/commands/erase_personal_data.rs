//! Erasing everything personal of somebody, while the audit log still proves that nobody changed it.

use serde_json::json;

use super::{
    change_user_roles::{hold_user, keep_an_admin},
    sign_out::end_sessions,
};
use crate::{
    domain::{
        access::{Actor, Scope},
        audit::Action,
        id::UserId,
        refusal::{Code, Refusal},
        role::Role,
    },
    engine::{Engine, Error, Origin, Result},
    store::{
        sessions::Which,
        users::{Change, Held, User},
    },
};

/// What was erased.
#[derive(Debug)]
pub struct Erased {
    /// What is left of the account.
    pub user: User,
    /// How many values of the audit log.
    pub values: u64,
}

impl Engine {
    /// Erases somebody's name, addresses, sessions and everything personal of theirs in the audit log, for ever.
    pub async fn erase_personal_data(&self, scope: Scope, id: UserId, origin: &Origin) -> Result<Erased> {
        if scope.actor() == Actor::User(id) {
            let message = "nobody erases themselves: ask another admin, or the operator at the command line";
            return Err(Refusal::at("userId", Code::Conflict, message).into());
        }
        let mut tx = self.begin(origin).await?;
        let Held { user, roles, .. } = hold_user(&tx, scope, id).await?;
        if user.erased_at.is_some() {
            return Ok(Erased { user, values: 0 });
        }
        let now = tx.now();
        if user.disabled_at.is_none() {
            tx.update_user(scope, id, Change { disabled_at: Some(Some(now)), ..Change::default() }).await?;
            if roles.allow(Role::Admin) {
                keep_an_admin(&tx, scope).await?;
            }
        }
        end_sessions(&mut tx, scope, id, Which::All).await?;
        let values = tx.erase_person(scope, id).await?;
        tx.audit(scope, Action::UserDataErased, Some(id.into()), json!({"values": values}));
        tx.commit().await?;
        // It is done: what is left is cleaning up after it.
        if let Err(error) = self.store().scrub().await {
            tracing::warn!(%error, "what was erased may still be in SQLite's log of writes");
        }
        let gone = || Error::Internal(format!("{id} is not there after it was erased"));
        let user = self.store().user(scope, id).await?.ok_or_else(gone)?;
        Ok(Erased { user, values })
    }
}
