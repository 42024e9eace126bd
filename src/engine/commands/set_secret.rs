//! Giving a secret a value, for the first time or anew.

use secrecy::{ExposeSecret, SecretString};
use serde_json::json;

use crate::{
    domain::{access::Scope, audit::Action, secret},
    engine::{Engine, Origin, Result, error::Problems},
    store::secrets::Secret,
};

#[derive(Debug)]
pub struct SetSecret {
    pub name: String,
    pub value: SecretString,
}

impl Engine {
    pub async fn set_secret(&self, scope: Scope, command: SetSecret, origin: &Origin) -> Result<Secret> {
        let mut problems = Problems::default();
        let name = problems.take(secret::check_name("name", &command.name)).unwrap_or_default();
        problems.take(secret::check_value("value", command.value.expose_secret()));
        problems.check()?;
        let sealed = self.sealer().seal(scope.workspace(), &name, &command.value)?;
        let mut tx = self.begin(origin).await?;
        let secret = tx.put_secret(scope, &name, sealed).await?;
        tx.audit(scope, Action::SecretSet, Some(secret.id.into()), json!({"name": name}));
        tx.commit().await?;
        Ok(secret)
    }
}
