//! The policy that is in force, remembered for a moment.

pub mod file;
mod requester;

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard},
    time::{Duration, Instant},
};

use super::{Engine, Error, Result};
use crate::domain::{access::Scope, id::WorkspaceId, policy::Policy};

/// A change by another process is seen after this; one by this process at once.
const FRESH: Duration = Duration::from_secs(1);

/// What rules there are now.
#[derive(Debug)]
pub struct InForce {
    pub policy: Policy,
    /// Nothing for the policy that is built in.
    pub version: Option<i32>,
    pub emergency_stop: bool,
    /// What a rule approves is only written if nothing has changed since.
    pub epoch: i64,
}

/// What is in force in each workspace, and since when that is known.
#[derive(Default)]
pub struct Cache(Mutex<HashMap<WorkspaceId, (Instant, Arc<InForce>)>>);

impl Cache {
    fn lock(&self) -> MutexGuard<'_, HashMap<WorkspaceId, (Instant, Arc<InForce>)>> {
        self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    pub fn forget(&self, workspace: WorkspaceId) {
        self.lock().remove(&workspace);
    }
}

impl Engine {
    /// The rules of a workspace as they are now.
    pub(crate) async fn in_force(&self, scope: Scope) -> Result<Arc<InForce>> {
        let (cache, workspace) = (&self.executions().policies, scope.workspace());
        let known = cache.lock().get(&workspace).cloned();
        if let Some((at, known)) = &known
            && at.elapsed() < FRESH
        {
            return Ok(Arc::clone(known));
        }
        let mut found = self.store().policy_in_force(scope).await?;
        // Another process, which does not know the operator's file, has made the workspace just now.
        if found.version.is_none()
            && let Some(document) = self.policy_of_file().await?
        {
            self.apply_policy_file(scope, document).await?;
            found = self.store().policy_in_force(scope).await?;
        }
        let in_force = match known {
            // Reading a policy costs more than looking whether it has changed.
            Some((_, known)) if known.epoch == found.epoch => known,
            _ => {
                let mut policy = match found.version {
                    Some(number) => {
                        let broken = || Error::Internal(format!("version {number} of {workspace}'s policy is broken"));
                        let version = self.store().policy_version(scope, number).await?.ok_or_else(broken)?;
                        Policy::read(&version.document).map_err(|_| broken())?
                    }
                    None => Policy::default(),
                };
                let earned = self.store().rule_modes(scope).await?;
                policy.set_modes(|auto| {
                    let known = earned.iter().find(|known| {
                        known.rule == auto.name()
                            && *known.fingerprint == *auto.fingerprint
                            && known.declared == auto.declared
                    });
                    known.map(|known| known.mode)
                });
                Arc::new(InForce {
                    policy,
                    version: found.version,
                    emergency_stop: found.stopped_at.is_some(),
                    epoch: found.epoch,
                })
            }
        };
        cache.lock().insert(workspace, (Instant::now(), Arc::clone(&in_force)));
        Ok(in_force)
    }

    /// Why the operator's file is not in force as it is now.
    pub fn policy_file_problem(&self) -> tokio::sync::watch::Receiver<Option<String>> {
        self.executions().policy_file.problem()
    }

    /// The rules of a workspace were changed: the next proposal is judged by the new ones.
    pub(crate) fn forget_policy(&self, workspace: WorkspaceId) {
        self.executions().policies.forget(workspace);
    }
}
