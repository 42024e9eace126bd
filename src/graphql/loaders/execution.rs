//! Lookups of executions, their steps and their values.

use std::{collections::HashMap, sync::Arc};

use async_graphql::dataloader::Loader;

use super::{Result, Rows};
use crate::{
    domain::{
        execution::PayloadHash,
        id::{ExecutionId, WorkflowId},
        json::Json,
        workflow::Plan,
    },
    engine::{self, execution::Inspected},
    store::{
        self,
        executions::{Execution, StepRun},
    },
};

/// The steps of an execution that have begun, or were passed over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct StepRunsOf(pub ExecutionId);

/// How far the steps of an execution are that workers work on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ProgressOf(pub ExecutionId);

/// The plan of a workflow's version.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PlanOf(pub WorkflowId, pub i32);

/// What an execution's journal says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct JournalOf(pub ExecutionId);

/// Both are our own faults here, for the log alone.
fn fault(error: engine::Error) -> Arc<store::Error> {
    Arc::new(match error {
        engine::Error::Store(error) => error,
        error => store::Error::Unexpected(error.explain()),
    })
}

impl Loader<ExecutionId> for Rows {
    type Value = Arc<Execution>;
    type Error = Arc<store::Error>;

    async fn load(&self, keys: &[ExecutionId]) -> Result<HashMap<ExecutionId, Arc<Execution>>> {
        let found = self.store.executions_by_id(self.scope, keys).await?;
        Ok(found.into_iter().map(|(id, execution)| (id, Arc::new(execution))).collect())
    }
}

impl Loader<StepRunsOf> for Rows {
    type Value = Arc<Vec<StepRun>>;
    type Error = Arc<store::Error>;

    async fn load(&self, keys: &[StepRunsOf]) -> Result<HashMap<StepRunsOf, Arc<Vec<StepRun>>>> {
        let ids: Vec<ExecutionId> = keys.iter().map(|key| key.0).collect();
        let runs = self.store.step_runs(self.scope, &ids).await?;
        Ok(runs.into_iter().map(|(id, runs)| (StepRunsOf(id), Arc::new(runs))).collect())
    }
}

impl Loader<ProgressOf> for Rows {
    type Value = HashMap<usize, f64>;
    type Error = Arc<store::Error>;

    async fn load(&self, keys: &[ProgressOf]) -> Result<HashMap<ProgressOf, HashMap<usize, f64>>> {
        let ids: Vec<ExecutionId> = keys.iter().map(|key| key.0).collect();
        let progress = self.store.step_progress(self.scope, &ids).await?;
        Ok(progress.into_iter().map(|(id, progress)| (ProgressOf(id), progress)).collect())
    }
}

impl Loader<PlanOf> for Rows {
    type Value = Arc<Plan>;
    type Error = Arc<store::Error>;

    async fn load(&self, keys: &[PlanOf]) -> Result<HashMap<PlanOf, Arc<Plan>>> {
        let versions: Vec<(WorkflowId, i32)> = keys.iter().map(|key| (key.0, key.1)).collect();
        let plans = self.engine.plans(self.scope, &versions).await.map_err(fault)?;
        Ok(plans.into_iter().map(|((workflow, version), plan)| (PlanOf(workflow, version), plan)).collect())
    }
}

impl Loader<JournalOf> for Rows {
    type Value = Arc<Inspected>;
    type Error = Arc<store::Error>;

    async fn load(&self, keys: &[JournalOf]) -> Result<HashMap<JournalOf, Arc<Inspected>>> {
        let ids: Vec<ExecutionId> = keys.iter().map(|key| key.0).collect();
        let inspected = self.engine.inspect_executions(self.scope, &ids).await.map_err(fault)?;
        Ok(inspected.into_iter().map(|(id, inspected)| (JournalOf(id), inspected)).collect())
    }
}

impl Loader<PayloadHash> for Rows {
    type Value = Json;
    type Error = Arc<store::Error>;

    async fn load(&self, keys: &[PayloadHash]) -> Result<HashMap<PayloadHash, Json>> {
        Ok(self.store.payloads(self.scope, keys).await?)
    }
}
