//! Policies: every version that was saved, and which one is in force.

use chrono::{DateTime, Utc};
use sea_orm::{ConnectionTrait, EntityTrait};
use uuid::Uuid;

use super::{Result, Store};
use crate::domain::access::Scope;

/// What is in force in a workspace.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct InForce {
    /// The version and its document; nothing for the policy that is built in.
    pub version: Option<(i32, String)>,
    /// Since when nothing is approved without people.
    pub stopped_at: Option<DateTime<Utc>>,
    /// Why.
    pub stop_reason: Option<String>,
    /// Grows with every change.
    pub epoch: i64,
}

impl Store {
    /// What is in force in a workspace now.
    pub async fn policy_in_force(&self, scope: Scope) -> Result<InForce> {
        use entity::{policy_version, workspace_policy};
        let workspace = scope.workspace().0;
        let Some(row) = workspace_policy::Entity::find_by_id(workspace).one(self.read()).await? else {
            return Ok(InForce::default());
        };
        let version = match row.version {
            Some(number) => policy_version::Entity::find_by_id((workspace, number)).one(self.read()).await?,
            None => None,
        };
        Ok(InForce {
            version: version.map(|version| (version.number, version.document)),
            stopped_at: row.stopped_at.filter(|_| row.emergency_stop),
            stop_reason: row.stop_reason,
            epoch: row.epoch,
        })
    }
}

/// How often what is in force has changed.
pub(super) async fn epoch(db: &impl ConnectionTrait, workspace: Uuid) -> Result<i64> {
    let row = entity::workspace_policy::Entity::find_by_id(workspace).one(db).await?;
    Ok(row.map_or(0, |row| row.epoch))
}
