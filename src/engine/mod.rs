//! Carries out what callers ask for: commands check the caller's right, decide, and write through the store.

pub mod audit;
pub mod checkpoint;
pub mod commands;
pub mod compute;
pub mod deliverables;
pub mod doctor;
pub mod drivers;
mod error;
pub mod execution;
pub mod identity;
pub mod janitor;
pub mod memory;
pub mod policy;
mod quotas;
mod remembered;
mod restrictions;
pub mod rollups;
pub mod runners;
pub mod secrets;
mod writer;

use std::sync::Arc;

use crate::{
    clock::Clock,
    config::Settings,
    domain,
    store::{self, Store, Tx},
};

pub use error::{Error, Result};

/// From where a call comes, for the audit log and for limits.
#[derive(Debug, Clone, Default)]
pub struct Origin {
    pub address: Option<std::net::IpAddr>,
    pub user_agent: Option<String>,
}

const LONGEST_USER_AGENT: usize = 200;

impl Origin {
    /// As the audit log keeps it.
    fn to_audit(&self) -> domain::audit::Origin {
        let user_agent = self.user_agent.as_ref();
        domain::audit::Origin {
            address: self.address.map(|address| address.to_string()),
            user_agent: user_agent.map(|text| text.chars().take(LONGEST_USER_AGENT).collect()),
        }
    }
}

/// Everything that commands need.
#[derive(Clone)]
pub struct Engine(Arc<Inner>);

struct Inner {
    store: Store,
    clock: Clock,
    settings: Settings,
    passwords: identity::Passwords,
    access_tokens: identity::AccessTokens,
    refresh_tokens: identity::RefreshTokens,
    attempts: identity::Attempts,
    provider: Option<identity::Provider>,
    http: runners::http::HttpRunner,
    executions: execution::Executions,
    sealer: secrets::Sealer,
    signer: domain::audit::Signer,
    chains: audit::Chains,
    witnesses: audit::witness::Witnesses,
    files: deliverables::Files,
    links: deliverables::Links,
    stored_bytes: quotas::StoredBytes,
}

impl Engine {
    pub async fn new(store: Store, clock: Clock, settings: Settings) -> Result<Self> {
        let key = store.server_key("access-token", clock.now()).await?;
        let refresh_key = store.server_key("refresh-token", clock.now()).await?;
        let sealer = secrets::Sealer::open(&store, &clock, &settings).await?;
        let signer = audit::signer(&store, &clock, &settings).await?;
        let link_key = store.server_key("links", clock.now()).await?;
        let provider = identity::Provider::from_settings(&settings)?;
        Ok(Self(Arc::new(Inner {
            passwords: identity::Passwords::default(),
            access_tokens: identity::AccessTokens::new(&key, settings.access_token_ttl.as_chrono()),
            refresh_tokens: identity::RefreshTokens::new(&refresh_key),
            attempts: identity::Attempts::new(settings.sign_in_attempts),
            provider,
            http: runners::http::HttpRunner::new(&settings)?,
            executions: execution::Executions::new(store.clone(), &settings),
            sealer,
            signer,
            chains: audit::Chains::default(),
            witnesses: audit::witness::Witnesses::new(&settings)?,
            files: deliverables::Files::new(&settings),
            links: deliverables::Links::new(&link_key),
            stored_bytes: quotas::StoredBytes::default(),
            store,
            clock,
            settings,
        })))
    }

    pub fn store(&self) -> &Store {
        &self.0.store
    }

    pub fn clock(&self) -> &Clock {
        &self.0.clock
    }

    pub fn settings(&self) -> &Settings {
        &self.0.settings
    }

    pub(crate) fn http(&self) -> &runners::http::HttpRunner {
        &self.0.http
    }

    fn signer(&self) -> &domain::audit::Signer {
        &self.0.signer
    }

    fn chains(&self) -> &audit::Chains {
        &self.0.chains
    }

    fn witnesses(&self) -> &audit::witness::Witnesses {
        &self.0.witnesses
    }

    fn files(&self) -> &deliverables::Files {
        &self.0.files
    }

    pub fn links(&self) -> &deliverables::Links {
        &self.0.links
    }

    fn sealer(&self) -> &secrets::Sealer {
        &self.0.sealer
    }

    async fn begin(&self, origin: &Origin) -> store::Result<Tx> {
        let tx = self.store().begin(self.clock().now()).await?;
        Ok(tx.from_origin(origin.to_audit()))
    }
}

impl Engine {
    /// Where people reach the server.
    pub fn public_url(&self) -> String {
        match &self.settings().public_url {
            Some(url) => url.as_str().trim_end_matches('/').to_owned(),
            None => format!("http://{}", self.settings().listen),
        }
    }

    /// The page that redeems a one-time link. The secret is in the fragment, which browsers send to nobody.
    pub fn sign_in_url(&self, link: &str) -> String {
        format!("{}/sign-in#token={link}", self.public_url())
    }
}
