//! Deleting what nobody needs any more: files without a version, and the content of what was archived long ago.

use chrono::Duration;
use serde_json::json;

use crate::{
    domain::{access::Scope, audit::Action, deliverable::Status},
    engine::{Engine, Origin, Result},
};

const BATCH: u64 = 100;
const TRY_AGAIN: Duration = Duration::hours(1);

impl Engine {
    /// Deletes files that no version refers to and whose time is up.
    pub(in crate::engine) async fn delete_loose_files(&self) -> Result<()> {
        loop {
            let due = self.store().due_objects(self.clock().now(), BATCH).await?;
            for key in &due {
                let deleted = self.files().delete(key).await;
                let tx = self.begin(&Origin::default()).await?;
                match deleted {
                    Ok(()) => tx.forget_loose_object(key).await?,
                    // One that cannot be deleted now must not keep the others.
                    Err(error) => {
                        tracing::warn!(key, error = error.explain(), "cannot delete a file; trying again in an hour");
                        tx.postpone_loose_object(key, tx.now() + TRY_AGAIN).await?;
                    }
                }
                tx.commit().await?;
            }
            if (due.len() as u64) < BATCH {
                return Ok(());
            }
        }
    }

    /// Deletes the content of what was archived longer ago than its workspace wants. Records and hashes stay.
    pub(in crate::engine) async fn delete_archived_content(&self) -> Result<()> {
        for workspace in self.store().workspaces().await? {
            let Some(days) = workspace.deliverable_retention_days else { continue };
            let scope = Scope::system(workspace.id);
            let before = self.clock().now() - Duration::days(days.into());
            loop {
                let due = self.store().archived_before(workspace.id, before, BATCH).await?;
                for id in &due {
                    let mut tx = self.begin(&Origin::default()).await?;
                    tx.lock_journal().await?;
                    let held = tx.hold_deliverable(scope, *id).await?;
                    // Somebody may have restored it meanwhile.
                    let Some(held) = held.filter(|held| held.status == Status::Archived) else { continue };
                    tx.delete_content(&held).await?;
                    let details = json!({"name": held.name, "versions": held.version, "days": days});
                    tx.audit(scope, Action::DeliverableContentDeleted, Some(held.id.into()), details);
                    tx.commit().await?;
                }
                if (due.len() as u64) < BATCH {
                    break;
                }
            }
        }
        Ok(())
    }
}
