//! Whether whoever looks at checkpoints could decide them.

use std::collections::HashMap;

use uuid::Uuid;

use super::{Person, right::Right};
use crate::{
    domain::{
        access::{Actor, Scope},
        checkpoint::{Checkpoint, Decision},
        id::{CheckpointId, ExecutionId},
    },
    engine::{Engine, Result},
};

impl Engine {
    /// Why the caller cannot decide checkpoints now; nothing for one that the caller can decide. What is not there is
    /// left out.
    pub async fn what_keeps_from_deciding(
        &self,
        scope: Scope,
        ids: &[CheckpointId],
    ) -> Result<HashMap<CheckpointId, Option<String>>> {
        let rows = self.store().checkpoints_by_id(scope, ids).await?;
        let mut executions: Vec<ExecutionId> = rows.values().map(|row| row.execution).collect();
        executions.sort_unstable();
        executions.dedup();
        let starters = self.store().executions_by_id(scope, &executions).await?;
        let journals = self.inspect_executions(scope, &executions).await?;
        let person = self.caller(scope).await?;
        let asked: Vec<(Actor, &Checkpoint)> = rows
            .values()
            .filter_map(|row| {
                let checkpoint = journals.get(&row.execution)?.state.checkpoint(row.id.0)?;
                Some((starters.get(&row.execution)?.actor, checkpoint))
            })
            .collect();
        let rights = self.rights_to_decide(scope, &person, &asked).await?;
        let found = asked.iter().zip(rights).map(|((_, checkpoint), right)| {
            let why = match right {
                _ if !checkpoint.is_pending() => Some(format!("the checkpoint is {}", checkpoint.status)),
                Err(refusal) => Some(refusal.message.into_owned()),
                Ok(right) if has_decided(checkpoint, &person, &right) => {
                    Some("you have approved this already: others must, too".to_owned())
                }
                Ok(_) => None,
            };
            (CheckpointId(checkpoint.id), why)
        });
        Ok(found.collect())
    }
}

/// Whether a decision that counts is the person's own, or that of whoever they would decide for.
fn has_decided(checkpoint: &Checkpoint, person: &Person, right: &Right) -> bool {
    let own = |id: Uuid| id == person.id || right.on_behalf_of == Some(id);
    let made = |decision: &Decision| own(decision.made.person) || decision.made.on_behalf_of.is_some_and(own);
    checkpoint.live_decisions().any(made)
}
