//! Deleting a secret. Agents that refer to it fail until it is set again.

use serde_json::json;

use crate::{
    domain::{
        access::Scope,
        audit::Action,
        refusal::{Code, Refusal},
        secret,
    },
    engine::{Engine, Origin, Result},
    store::secrets::Secret,
};

impl Engine {
    pub async fn delete_secret(&self, scope: Scope, name: &str, origin: &Origin) -> Result<Secret> {
        let name = secret::check_name("name", name)?;
        let mut tx = self.begin(origin).await?;
        let missing = || Refusal::at("name", Code::NotFound, format!("there is no secret `{name}` in this workspace"));
        let (secret, _) = tx.hold_secret(scope, &name).await?.ok_or_else(missing)?;
        tx.delete_secret(&secret).await?;
        tx.audit(scope, Action::SecretDeleted, Some(secret.id.into()), json!({"name": name}));
        tx.commit().await?;
        Ok(secret)
    }
}
