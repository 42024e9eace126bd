//! Which of what happens at checkpoints concerns somebody who watches.

use std::collections::HashMap;

use chrono::{DateTime, Duration, Utc};
use tokio::sync::Mutex;

use crate::{
    domain::{access::Scope, id::CheckpointId},
    engine::{Engine, checkpoint::Standing},
    graphql::error::{Fault, Result, outcome},
};

/// How long it may take until somebody who joins a group, or whose colleague goes on holiday, hears of what follows.
const FRESH: Duration = Duration::seconds(1);

/// How one who watches stands to the audiences. Looked up again when it is old and when there is a new audience, not
/// for every event: thousands may watch.
#[derive(Default)]
pub struct Mine(Mutex<Option<(DateTime<Utc>, HashMap<String, Standing>)>>);

impl Mine {
    pub async fn concerns(&self, engine: &Engine, scope: Scope, id: CheckpointId) -> Result<bool> {
        let row = engine.store().checkpoint(scope, id).await?;
        let Some(audience) = row.and_then(|row| row.audience) else { return Ok(false) };
        let now = engine.clock().now();
        let mut known = self.0.lock().await;
        let fresh = known.as_ref().filter(|(at, _)| now - *at < FRESH);
        if let Some(standing) = fresh.and_then(|(_, standings)| standings.get(&audience)) {
            return Ok(*standing != Standing::Other);
        }
        let standings = outcome(engine.standings(scope).await)?.map_err(|_| Fault::Internal)?;
        let concerns = standings.get(&audience).is_some_and(|standing| *standing != Standing::Other);
        *known = Some((now, standings));
        Ok(concerns)
    }
}
