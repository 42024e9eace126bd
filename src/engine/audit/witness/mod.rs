//! Tells places outside the database how far the audit log is, so that it cannot be cut off or written anew unnoticed.
//!
//! Nothing waits for a witness. Each place is told the latest signed head of each chain, and is tried again until it has
//! taken it. A head stands for everything before it, so what a place missed need not be told later.

mod place;
mod remote;

use std::time::Duration;

use chrono::TimeDelta;
use futures_util::future::join_all;
use tokio::sync::{Mutex, Notify};

use crate::{
    config::Settings,
    domain::{
        access::Scope,
        audit::{Seen, Signature},
        id::WorkspaceId,
        name,
        refusal::Refusal,
    },
    engine::{Engine, Result},
    store::{self, audit::Witness},
};

pub use place::Place;

const FIRST_RETRY: Duration = Duration::from_secs(5);
const LONGEST_RETRY: Duration = Duration::from_secs(300);
const LONGEST_FAILURE: usize = 500;
/// More than any part of a head has.
const LONGEST_TEXT: usize = 200;

/// The places of the settings.
pub struct Witnesses {
    places: Vec<Place>,
    /// Told when there is something new to see.
    signed: Notify,
    /// Held while places are told: nothing is told twice.
    telling: Mutex<()>,
}

impl Witnesses {
    pub fn new(settings: &Settings) -> Result<Self> {
        let places = settings.audit_witness.0.iter().map(|place| Place::new(place.clone(), settings));
        Ok(Self { places: places.collect::<Result<_>>()?, signed: Notify::new(), telling: Mutex::new(()) })
    }

    pub(super) fn wake(&self) {
        self.signed.notify_one();
    }
}

/// Tells all places about what was signed. Runs until it is dropped.
pub async fn run(engine: Engine) {
    if engine.witnesses().places.is_empty() {
        return;
    }
    let interval = engine.settings().audit_sign_interval.0;
    let mut retry = FIRST_RETRY;
    loop {
        let all_told = engine.tell_witnesses().await.unwrap_or_else(|error| {
            tracing::warn!(error = error.explain(), "cannot see what witnesses of the audit log are to be told");
            false
        });
        // Also what other servers of this database have signed.
        let pause = if all_told { interval } else { retry };
        retry = if all_told { FIRST_RETRY } else { (retry * 2).min(LONGEST_RETRY) };
        let due = engine.clock().now() + TimeDelta::from_std(pause).unwrap_or(TimeDelta::hours(1));
        tokio::select! {
            () = engine.witnesses().signed.notified() => {}
            () = engine.clock().sleep_until(due) => {}
        }
    }
}

impl Engine {
    /// Tells every place the latest signed head of every chain, where it does not have it. Says whether all have.
    pub async fn tell_witnesses(&self) -> Result<bool> {
        let _telling = self.witnesses().telling.lock().await;
        let mut all_told = true;
        for workspace in self.store().workspaces().await? {
            let Some(head) = self.store().latest_audit_signature(workspace.id).await? else { continue };
            let known = self.store().audit_witnesses(workspace.id).await?;
            let seen = Seen { slug: workspace.slug, head };
            let told = self.witnesses().places.iter().map(|place| {
                let name = place.to_string();
                let last = known.iter().find(|witness| witness.place == name).cloned();
                self.tell(place, workspace.id, &seen, last)
            });
            for told in join_all(told).await {
                all_told &= told?;
            }
        }
        Ok(all_told)
    }

    async fn tell(&self, place: &Place, workspace: WorkspaceId, seen: &Seen, last: Option<Witness>) -> Result<bool> {
        let head = (seen.head.sequence, seen.head.hash.as_str());
        // Anything else than this very head, also a later one: what the database says of witnesses can be forged.
        if last.as_ref().and_then(Witness::head) == Some(head) && last.as_ref().is_some_and(|last| last.failures == 0) {
            return Ok(true);
        }
        let outcome = place.tell(seen).await;
        let now = self.clock().now();
        let last = last.unwrap_or_else(|| Witness::new(place.to_string()));
        let witness = match &outcome {
            Ok(()) => Witness {
                sequence: Some(seen.head.sequence),
                hash: Some(seen.head.hash.clone()),
                witnessed_at: Some(now),
                failed_at: None,
                failure: None,
                failures: 0,
                ..last
            },
            Err(failure) => {
                if last.failures == 0 {
                    tracing::warn!(%place, failure, "a witness of the audit log was not told; trying again");
                }
                let failure = failure.chars().take(LONGEST_FAILURE).collect();
                Witness { failed_at: Some(now), failure: Some(failure), failures: last.failures + 1, ..last }
            }
        };
        let tx = self.store().begin(now).await?;
        tx.put_audit_witness(workspace, witness).await?;
        tx.commit().await?;
        Ok(outcome.is_ok())
    }

    /// What the places of the settings have seen of a workspace's chain.
    pub async fn audit_witnesses(&self, workspace: WorkspaceId) -> store::Result<Vec<Witness>> {
        let known = self.store().audit_witnesses(workspace).await?;
        let places = self.witnesses().places.iter().map(Place::to_string);
        let of = |name: String| known.iter().find(|witness| witness.place == name).cloned();
        Ok(places.map(|name| of(name.clone()).unwrap_or_else(|| Witness::new(name))).collect())
    }

    /// Remembers a signed head of another server's chain. Says whether another head with its number is known, which
    /// means that the chain was written anew.
    pub async fn witness_audit_head(&self, scope: Scope, seen: Seen) -> Result<bool> {
        let head = &seen.head;
        if head.workspace.parse::<WorkspaceId>().is_err() {
            let shown: String = head.workspace.chars().take(64).collect();
            let message = format!("`{}` is not the id of a workspace", shown.escape_debug());
            return Err(Refusal::invalid("workspace", message).into());
        }
        for (field, text) in [("slug", &seen.slug), ("hash", &head.hash), ("at", &head.at)] {
            name::check_text(field, text, LONGEST_TEXT)?;
        }
        if seen.head.made_by().is_none() {
            let message = "the signature is not good for this head: send it as the server signed it";
            return Err(Refusal::invalid("signature", message).into());
        }
        let tx = self.store().begin(self.clock().now()).await?;
        let fork = tx.put_witnessed_head(scope, &seen).await?;
        tx.commit().await?;
        if fork {
            let Signature { workspace, sequence, .. } = &seen.head;
            tracing::error!(
                workspace,
                sequence,
                "another server's audit log was written anew: two heads have one number"
            );
        }
        Ok(fork)
    }
}
