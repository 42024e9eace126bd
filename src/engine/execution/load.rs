//! An execution in memory: its state, its plan, and the values that steps gave.

use std::{
    collections::HashMap,
    num::NonZeroUsize,
    sync::{Arc, Mutex, MutexGuard},
};

use chrono::{DateTime, Utc};
use lru::LruCache;

use crate::{
    domain::{
        access::Scope,
        execution::{Data, Event, PayloadHash, State},
        id::{ExecutionId, WorkflowId, WorkspaceId},
        json::Json,
        workflow::{self, Plan, Values},
    },
    engine::{Engine, Error, Result},
    store::{
        executions::Execution,
        journal::{self, Owner},
    },
};

/// An execution as it was after some event.
#[derive(Clone)]
pub struct Loaded {
    pub owner: Owner,
    pub state: State,
    pub plan: Arc<Plan>,
    pub values: Values,
}

impl Loaded {
    /// An execution that does not exist yet, after its first event.
    pub fn begin(owner: Owner, queued: &Event, plan: Arc<Plan>, values: Values, at: DateTime<Utc>) -> Option<Self> {
        Some(Self { owner, state: State::fold([(at, queued)])?, plan, values })
    }

    pub fn scope(&self) -> Scope {
        Scope::system(self.owner.workspace)
    }

    /// The execution as queries find it.
    pub fn found(&self) -> Execution {
        journal::found(self.owner, &self.state)
    }

    fn weight(&self) -> usize {
        let outputs = self.values.outputs.iter().flatten().map(Json::size).sum::<usize>();
        self.values.input.size() + outputs + self.proposals()
    }

    /// What is proposed is in memory as well, unless it is stored.
    fn proposals(&self) -> usize {
        let inline = |data: &Data| match data {
            Data::Inline(json) => json.size(),
            Data::Stored { .. } => 0,
        };
        let revisions = self.state.checkpoints.iter().flat_map(|checkpoint| &checkpoint.revisions);
        let values = revisions.flat_map(|revision| {
            let proposal = &revision.proposal;
            [Some(&proposal.parameters), proposal.supporting_data.as_ref(), proposal.items.as_ref()]
        });
        values.flatten().map(inline).sum()
    }
}

/// Executions that are being worked on, up to a number and a size. What is missing is read from the journal; what is
/// old is noticed when somebody decides on it.
pub struct Cache(Mutex<Inner>);

struct Inner {
    loaded: LruCache<ExecutionId, Arc<Loaded>>,
    plans: LruCache<(WorkflowId, i32), Arc<Plan>>,
    bytes: usize,
}

const MOST: NonZeroUsize = NonZeroUsize::new(4096).expect("not zero");
const MOST_BYTES: usize = 64 * 1024 * 1024;

impl Default for Cache {
    fn default() -> Self {
        Self(Mutex::new(Inner { loaded: LruCache::new(MOST), plans: LruCache::new(MOST), bytes: 0 }))
    }
}

impl Cache {
    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    pub fn get(&self, id: ExecutionId) -> Option<Arc<Loaded>> {
        self.lock().loaded.get(&id).cloned()
    }

    /// Keeps what will be asked for again soon.
    pub fn put(&self, loaded: Arc<Loaded>) {
        let mut inner = self.lock();
        if loaded.state.status.is_terminal() {
            inner.forget(loaded.owner.execution);
            return;
        }
        // Of two who changed it, the first to commit may be the last to come here.
        let newer = |known: &Arc<Loaded>| known.state.seq > loaded.state.seq;
        if inner.loaded.peek(&loaded.owner.execution).is_some_and(newer) {
            return;
        }
        inner.bytes += loaded.weight();
        if let Some((_, old)) = inner.loaded.push(loaded.owner.execution, loaded) {
            inner.bytes -= old.weight();
        }
        while inner.bytes > MOST_BYTES {
            let Some((_, oldest)) = inner.loaded.pop_lru() else { break };
            inner.bytes -= oldest.weight();
        }
    }

    pub fn forget(&self, id: ExecutionId) {
        self.lock().forget(id);
    }
}

fn broken(workflow: WorkflowId, version: i32, what: &str) -> Error {
    Error::Internal(format!("version {version} of {workflow} {what}"))
}

impl Inner {
    fn forget(&mut self, id: ExecutionId) {
        if let Some(old) = self.loaded.pop(&id) {
            self.bytes -= old.weight();
        }
    }
}

impl Engine {
    /// An execution as the journal has it now; nothing if there is none.
    pub(crate) async fn load_execution(&self, id: ExecutionId) -> Result<Option<Arc<Loaded>>> {
        let Some((owner, state)) = self.fold_execution(id).await? else { return Ok(None) };
        let plan = self.plan(Scope::system(owner.workspace), WorkflowId(state.workflow), state.version).await?;
        let values = self.values_of(owner.workspace, &state).await?;
        let loaded = Arc::new(Loaded { owner, state, plan, values });
        self.executions().loaded.put(Arc::clone(&loaded));
        Ok(Some(loaded))
    }

    /// Adds an execution's journal up.
    pub(crate) async fn fold_execution(&self, id: ExecutionId) -> Result<Option<(Owner, State)>> {
        let history = self.store().history(id).await?;
        let Some(first) = history.first() else { return Ok(None) };
        let owner = Owner { execution: id, workspace: first.workspace, actor: first.actor };
        let mut events = Vec::with_capacity(history.len());
        for entry in &history {
            match &entry.event {
                Ok(event) => events.push((entry.at, event)),
                Err(unknown) => return Err(Error::Internal(format!("{id}: {}", unknown.error))),
            }
        }
        let state = State::fold(events).ok_or_else(|| Error::Internal(format!("{id} has no beginning")))?;
        Ok(Some((owner, state)))
    }

    /// The plan of a version of a workflow, which never changes.
    pub(crate) async fn plan(&self, scope: Scope, workflow: WorkflowId, version: i32) -> Result<Arc<Plan>> {
        let found = self.plans(scope, &[(workflow, version)]).await?.remove(&(workflow, version));
        found.ok_or_else(|| broken(workflow, version, "is gone"))
    }

    /// The plans of many versions. Those that are not in memory cost one statement together.
    pub(crate) async fn plans(
        &self,
        scope: Scope,
        versions: &[(WorkflowId, i32)],
    ) -> Result<HashMap<(WorkflowId, i32), Arc<Plan>>> {
        let cache = &self.executions().loaded;
        let mut found = HashMap::new();
        let mut missing = Vec::new();
        {
            let mut inner = cache.lock();
            for version in versions {
                // Requests that stand alone have no workflow that anybody wrote.
                if version.1 == 0 {
                    found.insert(*version, Arc::new(Plan::empty()));
                    continue;
                }
                match inner.plans.get(version) {
                    Some(plan) => _ = found.insert(*version, Arc::clone(plan)),
                    None if !missing.contains(version) => missing.push(*version),
                    None => {}
                }
            }
        }
        for ((workflow, version), document) in self.store().workflow_documents(scope, &missing).await? {
            let mut problems = crate::domain::document::Problems::default();
            let definition = workflow::read(&document.to_value(), &mut problems).filter(|_| problems.is_empty());
            let plan = Plan::compile(definition.ok_or_else(|| broken(workflow, version, "cannot be read"))?);
            let plan = plan.map_err(|_| broken(workflow, version, "has a plan that cannot be carried out"))?;
            let plan = Arc::new(plan);
            cache.lock().plans.put((workflow, version), Arc::clone(&plan));
            found.insert((workflow, version), plan);
        }
        Ok(found)
    }

    /// The values of an execution's input and outputs.
    pub(crate) async fn values_of(&self, workspace: WorkspaceId, state: &State) -> Result<Values> {
        let all = || std::iter::once(&state.input).chain(state.steps.iter().filter_map(|step| step.output.as_ref()));
        let stored: Vec<PayloadHash> = all()
            .filter_map(|data| match data {
                Data::Stored { hash, .. } => Some(*hash),
                Data::Inline(_) => None,
            })
            .collect();
        let payloads = self.store().payloads(Scope::system(workspace), &stored).await?;
        let value = |data: &Data| match data {
            Data::Inline(json) => Ok(json.clone()),
            Data::Stored { hash, .. } => {
                payloads.get(hash).cloned().ok_or_else(|| Error::Internal(format!("the stored value {hash} is gone")))
            }
        };
        let outputs = state.steps.iter().map(|step| step.output.as_ref().map(value).transpose());
        Ok(Values { input: value(&state.input)?, outputs: outputs.collect::<Result<_>>()? })
    }

    /// One value of a workspace.
    pub(crate) async fn value(&self, workspace: WorkspaceId, data: &Data) -> Result<Json> {
        match data {
            Data::Inline(json) => Ok(json.clone()),
            Data::Stored { hash, .. } => {
                let mut found = self.store().payloads(Scope::system(workspace), &[*hash]).await?;
                found.remove(hash).ok_or_else(|| Error::Internal(format!("the stored value {hash} is gone")))
            }
        }
    }
}
