//! Forgets what nobody can use any more.

use std::time::Duration;

use super::{Engine, Result};

const EVERY: Duration = Duration::from_secs(3600);
/// A retry comes within seconds; a week is plenty.
const KEYS_LAST: chrono::Duration = chrono::Duration::days(7);
/// Ended sessions and used links stay for a while, for whoever looks into an incident.
const WAYS_IN_LAST: chrono::Duration = chrono::Duration::days(30);
/// Whoever asks again with the same key is told that the upload has expired.
const UPLOADS_LAST: chrono::Duration = chrono::Duration::days(1);

/// Cleans up at the start and every hour. Runs until it is dropped.
pub async fn run(engine: Engine) {
    loop {
        if let Err(error) = clean_up(&engine).await {
            tracing::warn!(error = error.explain(), "cannot clean up; trying again in an hour");
        }
        tokio::time::sleep(EVERY).await;
    }
}

/// Deletes old idempotency keys, sessions, links and uploads, audiences of what no longer waits, content whose time is
/// up, and files that nobody needs.
pub async fn clean_up(engine: &Engine) -> Result<()> {
    let now = engine.clock().now();
    let tx = engine.store().begin(now).await?;
    tx.forget_idempotency_keys(now - KEYS_LAST).await?;
    tx.forget_sessions(now - WAYS_IN_LAST).await?;
    tx.forget_sign_in_links(now - WAYS_IN_LAST).await?;
    tx.forget_uploads(now - UPLOADS_LAST).await?;
    tx.commit().await?;
    let tx = engine.store().begin(now).await?;
    tx.lock_journal().await?;
    tx.forget_audiences().await?;
    tx.commit().await?;
    engine.delete_archived_content().await?;
    engine.delete_loose_files().await
}
