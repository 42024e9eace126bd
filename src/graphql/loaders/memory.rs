//! Lookups of what was learned.

use std::{collections::HashMap, sync::Arc};

use async_graphql::dataloader::Loader;

use super::{Result, Rows, execution::fault};
use crate::{
    domain::id::{CheckpointId, LearningCaseId},
    engine::memory::Insight,
    store::{self, learning_cases::LearningCase, reviewed_changes::ReviewedChange},
};

/// What people did with proposals of an operation type.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct InsightOf(pub String);

/// What became of a change that people reviewed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ReviewOf(pub CheckpointId);

impl Loader<ReviewOf> for Rows {
    type Value = ReviewedChange;
    type Error = Arc<store::Error>;

    async fn load(&self, keys: &[ReviewOf]) -> Result<HashMap<ReviewOf, ReviewedChange>> {
        let ids: Vec<CheckpointId> = keys.iter().map(|key| key.0).collect();
        let found = self.store.reviewed_changes(self.scope, &ids).await?;
        Ok(found.into_iter().map(|(id, change)| (ReviewOf(id), change)).collect())
    }
}

/// The newest cases of an operation type.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct CasesOf(pub String);

/// How many cases of each are looked up: the most similar are chosen from them.
const CASES: u64 = 50;

impl Loader<LearningCaseId> for Rows {
    type Value = LearningCase;
    type Error = Arc<store::Error>;

    async fn load(&self, keys: &[LearningCaseId]) -> Result<HashMap<LearningCaseId, LearningCase>> {
        Ok(self.store.learning_cases_by_id(self.scope, keys).await?)
    }
}

impl Loader<InsightOf> for Rows {
    type Value = Arc<Insight>;
    type Error = Arc<store::Error>;

    async fn load(&self, keys: &[InsightOf]) -> Result<HashMap<InsightOf, Arc<Insight>>> {
        let mut found = HashMap::new();
        // A page has few kinds of operations.
        for key in keys {
            let insight = self.engine.insight(self.scope, &key.0).await.map_err(fault)?;
            found.insert(key.clone(), Arc::new(insight));
        }
        Ok(found)
    }
}

impl Loader<CasesOf> for Rows {
    type Value = Vec<LearningCase>;
    type Error = Arc<store::Error>;

    async fn load(&self, keys: &[CasesOf]) -> Result<HashMap<CasesOf, Vec<LearningCase>>> {
        let types: Vec<String> = keys.iter().map(|key| key.0.clone()).collect();
        let found = self.store.newest_learning_cases(self.scope, &types, CASES).await?;
        Ok(found.into_iter().map(|(operation_type, cases)| (CasesOf(operation_type), cases)).collect())
    }
}
