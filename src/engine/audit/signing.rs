//! Signs the chains of the audit log at intervals, so that nobody can write them anew later without the key.

use std::time::Duration;

use crate::{
    clock::Clock,
    config::Settings,
    domain::audit::{PublicKey, Signer},
    engine::{Engine, Error, Result},
    store::Store,
};

const TRY_AGAIN: Duration = Duration::from_secs(1);

/// With the key of the settings, or else with one that the server made and keeps in its database.
pub async fn signer(store: &Store, clock: &Clock, settings: &Settings) -> Result<Signer> {
    let signer = match &settings.audit_key {
        Some(key) => Signer::new(key.bytes()),
        None => Signer::new(&store.server_key("audit", clock.now()).await?),
    };
    let signer = signer.map(|signer| signer.promising(settings.audit_sign_interval.0.as_secs()));
    signer.ok_or_else(|| Error::Internal("the key of the audit log does not have 32 bytes".to_owned()))
}

/// Signs whenever enough entries or enough time have passed. Runs until it is dropped.
pub async fn run(engine: Engine) {
    let mut head = engine.store().audit_head();
    let interval = engine.settings().audit_sign_interval.as_chrono();
    let most = i64::from(engine.settings().audit_sign_entries.max(1));
    let mut due = engine.clock().now() + interval;
    // Counts all workspaces: while it has not moved that far, no chain has.
    let mut looked = *head.borrow_and_update();
    loop {
        let entries = tokio::select! {
            () = engine.clock().sleep_until(due) => 1,
            moved = head.wait_for(|position| position - looked >= most) => match moved {
                Ok(_) => most,
                Err(_) => return,
            },
        };
        looked = *head.borrow_and_update();
        if let Err(error) = engine.sign_audit_log(entries).await {
            tracing::warn!(error = error.explain(), "cannot sign the audit log; trying again");
            tokio::time::sleep(TRY_AGAIN).await;
        } else if entries == 1 {
            due = engine.clock().now() + interval;
        }
    }
}

impl Engine {
    /// The key that this server signs with.
    pub fn audit_key(&self) -> PublicKey {
        self.signer().public_key()
    }
}
