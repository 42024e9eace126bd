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
    engine::{
        self,
        execution::{Inspected, UsualDurations},
    },
    store::{
        self,
        executions::{Execution, StepRun},
        grouped,
        journal::Entry,
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

/// How long the steps of a workflow usually take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct UsualDurationsOf(pub WorkflowId);

/// The first so many lines of an execution's journal: all of them, or only those of some kinds.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct FirstLines {
    pub execution: ExecutionId,
    pub kinds: Vec<&'static str>,
    pub size: u64,
}

/// The first so many executions that continue one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct FirstContinuations {
    pub origin: ExecutionId,
    pub size: u64,
}

/// What an execution's journal says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct JournalOf(pub ExecutionId);

/// Both are our own faults here, for the log alone.
pub(super) fn fault(error: engine::Error) -> Arc<store::Error> {
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

impl Loader<UsualDurationsOf> for Rows {
    type Value = Arc<UsualDurations>;
    type Error = Arc<store::Error>;

    async fn load(&self, keys: &[UsualDurationsOf]) -> Result<HashMap<UsualDurationsOf, Arc<UsualDurations>>> {
        let workflows: Vec<WorkflowId> = keys.iter().map(|key| key.0).collect();
        let usual = self.engine.usual_durations(self.scope, &workflows).await.map_err(fault)?;
        Ok(usual.into_iter().map(|(id, usual)| (UsualDurationsOf(id), Arc::new(usual))).collect())
    }
}

impl Loader<FirstLines> for Rows {
    type Value = Vec<Arc<Entry>>;
    type Error = Arc<store::Error>;

    async fn load(&self, keys: &[FirstLines]) -> Result<HashMap<FirstLines, Vec<Arc<Entry>>>> {
        let alike = grouped(keys.iter().map(|key| ((key.kinds.clone(), key.size), key.execution)));
        let mut found: HashMap<FirstLines, Vec<Arc<Entry>>> = HashMap::new();
        for ((kinds, size), ids) in alike {
            for line in self.store.first_journal_lines(self.scope, &ids, &kinds, size + 1).await? {
                let key = FirstLines { execution: line.execution, kinds: kinds.clone(), size };
                found.entry(key).or_default().push(Arc::new(line));
            }
        }
        Ok(found)
    }
}

impl Loader<FirstContinuations> for Rows {
    type Value = Vec<Execution>;
    type Error = Arc<store::Error>;

    async fn load(&self, keys: &[FirstContinuations]) -> Result<HashMap<FirstContinuations, Vec<Execution>>> {
        let mut found = HashMap::new();
        for (size, origins) in grouped(keys.iter().map(|key| (key.size, key.origin))) {
            let all = self.store.first_continuations(self.scope, &origins, size + 1).await?;
            found.extend(all.into_iter().map(|(origin, made)| (FirstContinuations { origin, size }, made)));
        }
        Ok(found)
    }
}
