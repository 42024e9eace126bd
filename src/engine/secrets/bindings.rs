//! Which secrets are for which hosts and agents.

use std::collections::BTreeSet;

use serde_json::json;

use super::Unusable;
use crate::{
    domain::{
        access::Scope,
        agent::{Config, Http, Spec},
        audit::Action,
        refusal::Refusal,
        secret::{Binding, HostRule, NotFor},
    },
    engine::{Engine, Error, Origin, Result},
    store::agents::AgentRecord,
};

/// Whether a call may have a secret with this binding; `None` is one from before there were any.
pub(super) fn check(binding: Option<&Binding>, agent: &str, http: &Http) -> std::result::Result<(), Unusable> {
    let (Some(binding), Some(url)) = (binding, http.origin()) else { return Err(Unusable::Unbound) };
    binding.check(agent, &url).map_err(|why| match why {
        NotFor::Nowhere => Unusable::Unbound,
        NotFor::ThisHost => Unusable::OtherHost,
        NotFor::ThisAgent => Unusable::OtherAgent,
    })
}

impl Engine {
    /// Refuses an agent that would send a secret to where it must not go. A secret that is not there yet is left to the
    /// call, as before: admins may set it later.
    pub(in crate::engine) async fn permit_secrets(&self, scope: Scope, agent: &str, spec: &Spec) -> Result<()> {
        let Config::Http(http) = &spec.config else { return Ok(()) };
        let names: Vec<String> = http.secrets().into_iter().collect();
        if names.is_empty() {
            return Ok(());
        }
        let mut refusals = Vec::new();
        for secret in self.store().secrets_named(scope, &names).await? {
            let Err(unusable) = check(secret.binding.as_ref(), agent, http) else { continue };
            let host = http.origin().as_ref().and_then(HostRule::of).map(|host| host.to_string()).unwrap_or_default();
            let (name, binding) = (&secret.name, secret.binding.unwrap_or_default());
            let message = match unusable {
                Unusable::OtherHost => format!(
                    "the secret `{name}` may not be sent to `{host}`: it is for {}; an admin can allow more hosts",
                    listed(binding.hosts.iter().map(ToString::to_string))
                ),
                Unusable::OtherAgent => format!(
                    "the secret `{name}` is for {}, not for the agent `{agent}`; an admin can allow more agents",
                    listed(binding.agents)
                ),
                Unusable::Unbound | Unusable::Missing | Unusable::Sealed => format!(
                    "the secret `{name}` is not for any host yet: an admin must say to which hosts it may be sent, \
                     with `hosts` of setSecret"
                ),
            };
            refusals.push(Refusal::invalid("config", message));
        }
        if refusals.is_empty() { Ok(()) } else { Err(Error::Refused(refusals)) }
    }

    /// Binds secrets from before there were bindings to the hosts of the agents that name them now, so that what runs
    /// goes on and nothing else can have them. One that no agent names can be sent nowhere until an admin says where.
    pub async fn bind_old_secrets(&self) -> Result<()> {
        for workspace in self.store().workspaces_with_unbound_secrets().await? {
            let scope = Scope::system(workspace);
            let agents = self.store().active_agents(scope).await?;
            let mut tx = self.begin(&Origin::default()).await?;
            for secret in tx.unbound_secrets(scope).await? {
                let hosts: BTreeSet<HostRule> =
                    agents.iter().filter_map(|agent| host_for(agent, &secret.name)).collect();
                let binding = Binding { hosts: hosts.into_iter().collect(), agents: Vec::new() };
                if tx.bind_secret(&secret, &binding).await? {
                    let hosts: Vec<String> = binding.hosts.iter().map(ToString::to_string).collect();
                    tracing::warn!(%workspace, name = secret.name, ?hosts, "bound a secret to the hosts of its agents");
                    let details = json!({"name": secret.name, "hosts": hosts});
                    tx.audit(scope, Action::SecretSet, Some(secret.id.into()), details);
                }
            }
            tx.commit().await?;
        }
        Ok(())
    }
}

/// The host that an agent sends a secret to.
fn host_for(agent: &AgentRecord, secret: &str) -> Option<HostRule> {
    let Config::Http(http) = &agent.spec.config else { return None };
    if http.secrets().contains(secret) { HostRule::of(&http.origin()?) } else { None }
}

fn listed(names: impl IntoIterator<Item = String>) -> String {
    names.into_iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}
