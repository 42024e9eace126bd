//! Lookups of deliverables.

use std::{collections::HashMap, sync::Arc};

use async_graphql::dataloader::Loader;

use super::{Result, Rows};
use crate::{
    domain::{
        deliverable::HEAD,
        id::{DeliverableId, ExecutionId},
    },
    store::{
        self,
        deliverables::{Deliverable, Head, Version},
        grouped,
    },
};

/// A version of a deliverable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct DeliverableVersionOf(pub DeliverableId, pub i32);

/// The first bytes of a version that is kept in the database.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct HeadOf(pub DeliverableId, pub i32);

/// The newest so many versions of a deliverable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct NewestDeliverableVersions {
    pub deliverable: DeliverableId,
    pub size: u64,
}

/// The first so many deliverables of an execution, and one more if there is one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct FirstDeliverables {
    pub execution: ExecutionId,
    pub size: u64,
}

impl Loader<DeliverableId> for Rows {
    type Value = Arc<Deliverable>;
    type Error = Arc<store::Error>;

    async fn load(&self, keys: &[DeliverableId]) -> Result<HashMap<DeliverableId, Arc<Deliverable>>> {
        let found = self.store.deliverables_by_id(self.scope, keys).await?;
        Ok(found.into_iter().map(|(id, row)| (id, Arc::new(row))).collect())
    }
}

impl Loader<DeliverableVersionOf> for Rows {
    type Value = Arc<Version>;
    type Error = Arc<store::Error>;

    async fn load(&self, keys: &[DeliverableVersionOf]) -> Result<HashMap<DeliverableVersionOf, Arc<Version>>> {
        let wanted: Vec<(DeliverableId, i32)> = keys.iter().map(|key| (key.0, key.1)).collect();
        let found = self.store.versions(self.scope, &wanted).await?.into_iter();
        Ok(found.map(|((id, number), version)| (DeliverableVersionOf(id, number), Arc::new(version))).collect())
    }
}

impl Loader<HeadOf> for Rows {
    type Value = Head;
    type Error = Arc<store::Error>;

    async fn load(&self, keys: &[HeadOf]) -> Result<HashMap<HeadOf, Head>> {
        let wanted: Vec<(DeliverableId, i32)> = keys.iter().map(|key| (key.0, key.1)).collect();
        let found = self.store.heads(self.scope, &wanted, HEAD).await?.into_iter();
        Ok(found.map(|((id, number), head)| (HeadOf(id, number), head)).collect())
    }
}

impl Loader<NewestDeliverableVersions> for Rows {
    type Value = Vec<Arc<Version>>;
    type Error = Arc<store::Error>;

    async fn load(
        &self,
        keys: &[NewestDeliverableVersions],
    ) -> Result<HashMap<NewestDeliverableVersions, Vec<Arc<Version>>>> {
        let mut found = HashMap::new();
        for (size, ids) in grouped(keys.iter().map(|key| (key.size, key.deliverable))) {
            let limit = i32::try_from(size).unwrap_or(i32::MAX);
            let newest = self.store.newest_versions(self.scope, &ids, limit).await?;
            found.extend(newest.into_iter().map(|(deliverable, versions)| {
                let versions = versions.into_iter().map(Arc::new).collect();
                (NewestDeliverableVersions { deliverable, size }, versions)
            }));
        }
        Ok(found)
    }
}

impl Loader<FirstDeliverables> for Rows {
    type Value = Vec<Deliverable>;
    type Error = Arc<store::Error>;

    async fn load(&self, keys: &[FirstDeliverables]) -> Result<HashMap<FirstDeliverables, Vec<Deliverable>>> {
        let mut found = HashMap::new();
        for (size, executions) in grouped(keys.iter().map(|key| (key.size, key.execution))) {
            let first = self.store.first_deliverables(self.scope, &executions, size + 1).await?;
            found.extend(first.into_iter().map(|(execution, rows)| (FirstDeliverables { execution, size }, rows)));
        }
        Ok(found)
    }
}
