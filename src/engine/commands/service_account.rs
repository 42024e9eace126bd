//! Service accounts: made, renamed, disabled and enabled again.

use serde_json::json;

use super::idempotent::{Creation, lost_to_twin};
use crate::{
    domain::{
        access::Scope,
        audit::Action,
        id::ServiceAccountId,
        name,
        refusal::{Code, Refusal},
    },
    engine::{Engine, Error, Origin, Result},
    store::{Tx, service_accounts::ServiceAccount},
};

pub(super) const LONGEST_NAME: usize = 100;

impl Engine {
    pub async fn create_service_account(
        &self,
        scope: Scope,
        name: &str,
        idempotency_key: Option<&str>,
        origin: &Origin,
    ) -> Result<ServiceAccount> {
        let result = self.create_service_account_once(scope, name, idempotency_key, origin).await;
        if lost_to_twin(&result) {
            self.create_service_account_once(scope, name, idempotency_key, origin).await
        } else {
            result
        }
    }

    async fn create_service_account_once(
        &self,
        scope: Scope,
        name: &str,
        idempotency_key: Option<&str>,
        origin: &Origin,
    ) -> Result<ServiceAccount> {
        let name = name::check_distinct("name", name, LONGEST_NAME)?;
        let creation = Creation::new(scope, "createServiceAccount", idempotency_key, json!([name]).to_string())?;
        let mut tx = self.begin(origin).await?;
        let id = ServiceAccountId::new(tx.now());
        if let Some(made) = creation.claim(&tx, id).await? {
            drop(tx);
            let id: ServiceAccountId = made.parse().map_err(|error| Error::Internal(format!("{error}")))?;
            return Ok(self.store().service_account(scope, id).await?.ok_or_else(|| unknown(id))?);
        }
        let account = insert(&mut tx, scope, id, name).await?;
        tx.commit().await?;
        Ok(account)
    }

    /// Gives a service account another name. Rules that name the old one do not mean it any more.
    pub async fn rename_service_account(
        &self,
        scope: Scope,
        id: ServiceAccountId,
        name: &str,
        origin: &Origin,
    ) -> Result<ServiceAccount> {
        let name = name::check_distinct("name", name, LONGEST_NAME)?;
        let mut tx = self.begin(origin).await?;
        let before = hold(&tx, scope, id).await?;
        if before.name == name {
            return Ok(before);
        }
        let account = ServiceAccount { name, ..before.clone() };
        match tx.update_service_account(&account).await {
            Err(error) if error.is_duplicate_of("service_account") => return Err(taken(&account.name)),
            updated => updated?,
        }
        let entry = tx.audit(scope, Action::ServiceAccountRenamed, Some(id.into()), json!({}));
        entry.changing(json!({"name": before.name}), json!({"name": account.name}));
        tx.commit().await?;
        Ok(account)
    }

    /// Stops all tokens of a service account at once.
    pub async fn disable_service_account(
        &self,
        scope: Scope,
        id: ServiceAccountId,
        origin: &Origin,
    ) -> Result<ServiceAccount> {
        self.set_service_account_disabled(scope, id, true, origin).await
    }

    pub async fn enable_service_account(
        &self,
        scope: Scope,
        id: ServiceAccountId,
        origin: &Origin,
    ) -> Result<ServiceAccount> {
        self.set_service_account_disabled(scope, id, false, origin).await
    }

    async fn set_service_account_disabled(
        &self,
        scope: Scope,
        id: ServiceAccountId,
        disabled: bool,
        origin: &Origin,
    ) -> Result<ServiceAccount> {
        let mut tx = self.begin(origin).await?;
        let before = hold(&tx, scope, id).await?;
        if before.disabled_at.is_some() == disabled {
            return Ok(before);
        }
        let account = ServiceAccount { disabled_at: disabled.then(|| tx.now()), ..before };
        tx.update_service_account(&account).await?;
        let action = if disabled { Action::ServiceAccountDisabled } else { Action::ServiceAccountEnabled };
        tx.audit(scope, action, Some(id.into()), json!({"name": account.name}));
        tx.commit().await?;
        Ok(account)
    }
}

/// Writes a new service account and notes it for the audit log.
pub(super) async fn insert(tx: &mut Tx, scope: Scope, id: ServiceAccountId, name: String) -> Result<ServiceAccount> {
    let account = ServiceAccount { id, workspace: scope.workspace(), name, created_at: tx.now(), disabled_at: None };
    match tx.insert_service_account(&account).await {
        Err(error) if error.is_duplicate_of("service_account") => return Err(taken(&account.name)),
        inserted => inserted?,
    }
    tx.audit(scope, Action::ServiceAccountCreated, Some(id.into()), json!({"name": account.name}));
    Ok(account)
}

async fn hold(tx: &Tx, scope: Scope, id: ServiceAccountId) -> Result<ServiceAccount> {
    Ok(tx.hold_service_account(scope, id).await?.ok_or_else(|| unknown(id))?)
}

pub(super) fn unknown(id: ServiceAccountId) -> Refusal {
    let message = format!("there is no service account `{id}` in this workspace");
    Refusal::at("serviceAccountId", Code::NotFound, message)
}

fn taken(name: &str) -> Error {
    let message = format!("there is a service account named `{name}` already: choose another name");
    Refusal::at("name", Code::AlreadyExists, message).into()
}
