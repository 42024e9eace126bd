//! Which of what happens at checkpoints concerns somebody who watches.

use std::collections::HashMap;

use chrono::{DateTime, Duration, Utc};
use tokio::sync::Mutex;

use crate::{
    domain::{access::Scope, id::CheckpointId},
    engine::{Engine, checkpoint::Standing},
    graphql::error::{Fault, Result, outcome},
};

/// How long it may take until somebody whose colleague's holiday begins or ends hears of it.
const FRESH: Duration = Duration::seconds(1);

/// How one who watches stands to the audiences. Looked up again when there is a new audience, when the audit log has
/// gone on, which knows of every change of people and groups, and when it is old; not for every event: thousands may
/// watch.
#[derive(Default)]
pub struct Mine(Mutex<Option<Known>>);

struct Known {
    at: DateTime<Utc>,
    audited: i64,
    standings: HashMap<String, Standing>,
}

impl Mine {
    pub async fn concerns(&self, engine: &Engine, scope: Scope, id: CheckpointId) -> Result<bool> {
        let row = engine.store().checkpoint(scope, id).await?;
        let Some(audience) = row.and_then(|row| row.audience) else { return Ok(false) };
        let now = engine.clock().now();
        let audited = *engine.store().audit_head().borrow();
        let mut known = self.0.lock().await;
        let fresh = known.as_ref().filter(|known| known.audited == audited && now - known.at < FRESH);
        if let Some(standing) = fresh.and_then(|known| known.standings.get(&audience)) {
            return Ok(*standing != Standing::Other);
        }
        let standings = outcome(engine.standings(scope).await)?.map_err(|_| Fault::Internal)?;
        let concerns = standings.get(&audience).is_some_and(|standing| *standing != Standing::Other);
        *known = Some(Known { at: now, audited, standings });
        Ok(concerns)
    }
}
