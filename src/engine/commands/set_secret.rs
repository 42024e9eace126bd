//! Giving a secret a value, for the first time or anew, and saying where it may be sent.

use secrecy::{ExposeSecret, SecretString};
use serde_json::json;

use crate::{
    domain::{
        access::Scope,
        audit::Action,
        refusal::Refusal,
        secret::{self, Binding},
    },
    engine::{Engine, Origin, Result, error::Problems},
    store::secrets::Secret,
};

/// What is `None` stays as it is.
#[derive(Debug, Default)]
pub struct SetSecret {
    pub name: String,
    pub value: Option<SecretString>,
    /// The hosts that it may be sent to.
    pub hosts: Option<Vec<String>>,
    /// The agents that may send it; none: any.
    pub agents: Option<Vec<String>>,
}

impl Engine {
    pub async fn set_secret(&self, scope: Scope, command: SetSecret, origin: &Origin) -> Result<Secret> {
        let mut problems = Problems::default();
        let name = problems.take(secret::check_name("name", &command.name)).unwrap_or_default();
        problems
            .take(command.value.as_ref().map(|value| secret::check_value("value", value.expose_secret())).transpose());
        let hosts = command.hosts.as_ref().map(|hosts| secret::check_hosts("hosts", hosts)).transpose();
        let hosts = problems.take(hosts).flatten();
        let agents = command.agents.as_ref().map(|agents| secret::check_agents("agents", agents)).transpose();
        let agents = problems.take(agents).flatten();
        problems.check()?;

        let mut tx = self.begin(origin).await?;
        let before = tx.hold_secret(scope, &name).await?;
        let (bound, sealed) = before.map(|(secret, sealed)| (secret.binding, sealed)).unzip();
        let bound = bound.flatten().unwrap_or_default();
        let binding = Binding { hosts: hosts.unwrap_or(bound.hosts), agents: agents.unwrap_or(bound.agents) };
        if binding.hosts.is_empty() {
            let message = "`hosts` is missing: say to which hosts the secret may be sent, such as `api.example.com`";
            return Err(Refusal::invalid("hosts", message).into());
        }
        let sealed = match (&command.value, sealed) {
            (Some(value), _) => self.sealer().seal(scope.workspace(), &name, value)?,
            (None, Some(sealed)) => sealed,
            (None, None) => {
                let message = format!("there is no secret `{name}` yet: give it a value with `value`");
                return Err(Refusal::invalid("value", message).into());
            }
        };
        let secret = tx.put_secret(scope, &name, sealed, &binding).await?;
        let hosts: Vec<String> = binding.hosts.iter().map(ToString::to_string).collect();
        let details = json!({"name": name, "hosts": hosts, "agents": binding.agents, "value": command.value.is_some()});
        tx.audit(scope, Action::SecretSet, Some(secret.id.into()), details);
        tx.commit().await?;
        Ok(secret)
    }
}
