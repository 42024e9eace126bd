//! Lookups of checkpoints.

use std::{collections::HashMap, sync::Arc};

use async_graphql::dataloader::Loader;

use super::{Result, Rows, execution::fault};
use crate::{
    domain::id::{CheckpointId, ExecutionId, UserId},
    store::{self, absences::Absence, checkpoints::CheckpointRow},
};

/// The checkpoints of an execution, in the order in which they were asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct CheckpointsOf(pub ExecutionId);

/// What keeps the caller from deciding a checkpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct KeptFrom(pub CheckpointId);

/// Who decides in a person's place, and when.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct AbsenceOf(pub UserId);

impl Loader<CheckpointId> for Rows {
    type Value = Arc<CheckpointRow>;
    type Error = Arc<store::Error>;

    async fn load(&self, keys: &[CheckpointId]) -> Result<HashMap<CheckpointId, Arc<CheckpointRow>>> {
        let found = self.store.checkpoints_by_id(self.scope, keys).await?;
        Ok(found.into_iter().map(|(id, row)| (id, Arc::new(row))).collect())
    }
}

impl Loader<CheckpointsOf> for Rows {
    type Value = Vec<Arc<CheckpointRow>>;
    type Error = Arc<store::Error>;

    async fn load(&self, keys: &[CheckpointsOf]) -> Result<HashMap<CheckpointsOf, Vec<Arc<CheckpointRow>>>> {
        let ids: Vec<ExecutionId> = keys.iter().map(|key| key.0).collect();
        let found = self.store.checkpoints_of(self.scope, &ids).await?.into_iter();
        Ok(found.map(|(id, rows)| (CheckpointsOf(id), rows.into_iter().map(Arc::new).collect())).collect())
    }
}

impl Loader<KeptFrom> for Rows {
    type Value = Option<String>;
    type Error = Arc<store::Error>;

    async fn load(&self, keys: &[KeptFrom]) -> Result<HashMap<KeptFrom, Option<String>>> {
        let ids: Vec<CheckpointId> = keys.iter().map(|key| key.0).collect();
        let found = self.engine.what_keeps_from_deciding(self.scope, &ids).await.map_err(fault)?;
        Ok(found.into_iter().map(|(id, why)| (KeptFrom(id), why)).collect())
    }
}

impl Loader<AbsenceOf> for Rows {
    type Value = Absence;
    type Error = Arc<store::Error>;

    async fn load(&self, keys: &[AbsenceOf]) -> Result<HashMap<AbsenceOf, Absence>> {
        let ids: Vec<UserId> = keys.iter().map(|key| key.0).collect();
        let found = self.store.absences(self.scope, &ids).await?;
        Ok(found.into_iter().map(|(id, absence)| (AbsenceOf(id), absence)).collect())
    }
}
