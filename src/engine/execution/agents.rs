//! What agents are, remembered for a moment.

use std::{
    collections::{BTreeSet, HashMap},
    num::NonZeroUsize,
    sync::{Arc, Mutex, MutexGuard},
    time::{Duration, Instant},
};

use lru::LruCache;
use uuid::Uuid;

use crate::{
    domain::{
        access::Scope,
        agent::{Config, Spec},
        document::{Place, Problem},
        execution::{State, StepStatus},
        id::{AgentId, WorkspaceId},
        schema::Schema,
        transform::Transformation,
    },
    engine::{Engine, Error, Result},
    store::agents::{Agent, AgentRecord, Specified},
};

/// A change by another process is seen after this; one by this process at once.
const FRESH: Duration = Duration::from_secs(1);
const MOST: NonZeroUsize = NonZeroUsize::new(4096).expect("not zero");

/// An agent at one version, ready to work.
pub struct Prepared {
    pub spec: Spec,
    /// The SHA-256 of the specification as it is stored.
    pub digest: String,
    pub input_schema: Option<Schema>,
    pub output_schema: Option<Schema>,
    pub transform: Option<Transformation>,
}

/// Agents at the versions that people approved.
pub type Approved = HashMap<(Uuid, i32), Arc<Prepared>>;

pub struct Cache(Mutex<Inner>);

/// When an agent was looked up, and what was found.
type Known = (Instant, Option<Arc<AgentRecord>>);

struct Inner {
    /// The newest versions, by name.
    newest: LruCache<(WorkspaceId, String), Known>,
    /// Versions never change.
    prepared: LruCache<(AgentId, i32), Arc<Prepared>>,
}

impl Default for Cache {
    fn default() -> Self {
        Self(Mutex::new(Inner { newest: LruCache::new(MOST), prepared: LruCache::new(MOST) }))
    }
}

impl Cache {
    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    fn forget(&self, workspace: WorkspaceId, name: &str) {
        self.lock().newest.pop(&(workspace, name.to_owned()));
    }
}

impl Engine {
    /// An agent was changed: the next step sees it as it is now.
    pub(in crate::engine) fn forget_agent(&self, agent: &Agent) {
        self.executions().agents.forget(agent.workspace, &agent.name);
    }

    /// The agents with these names, as they are now.
    pub(crate) async fn newest_agents<'a>(
        &self,
        scope: Scope,
        names: impl Iterator<Item = &'a str>,
    ) -> Result<HashMap<String, Arc<AgentRecord>>> {
        let cache = &self.executions().agents;
        let mut found = HashMap::new();
        // Several steps may use the same agent.
        let mut missing: BTreeSet<String> = BTreeSet::new();
        {
            let mut inner = cache.lock();
            // Each once: several steps may have the same agent.
            for name in names.collect::<BTreeSet<_>>() {
                match inner.newest.get(&(scope.workspace(), name.to_owned())) {
                    Some((at, agent)) if at.elapsed() < FRESH => {
                        found.extend(agent.clone().map(|agent| (name.to_owned(), agent)));
                    }
                    _ => _ = missing.insert(name.to_owned()),
                }
            }
        }
        if missing.is_empty() {
            return Ok(found);
        }
        let mut loaded = self.store().agents_by_name(scope, missing.clone()).await?;
        let mut inner = cache.lock();
        for name in missing {
            let agent = loaded.remove(&name).map(Arc::new);
            inner.newest.put((scope.workspace(), name.clone()), (Instant::now(), agent.clone()));
            found.extend(agent.map(|agent| (name, agent)));
        }
        Ok(found)
    }

    /// The agents that people have approved, or are asked about, for steps that may begin now.
    pub(crate) async fn approved_agents(&self, scope: Scope, state: &State) -> Result<Approved> {
        let mut found = Approved::new();
        for checkpoint in state.checkpoints.iter().filter(|found| found.is_pending() || found.status.is_go()) {
            let step = checkpoint.step.and_then(|step| state.steps.get(step));
            let begins = step.is_some_and(|step| matches!(step.status, StepStatus::Pending | StepStatus::Retrying));
            let Some(runs) = checkpoint.proposal().and_then(|proposal| proposal.runs.as_ref()).filter(|_| begins)
            else {
                continue;
            };
            if let Some(agent) = self.prepared_agent(scope, AgentId(runs.agent), runs.version).await? {
                found.insert((runs.agent, runs.version), agent);
            }
        }
        Ok(found)
    }

    /// An agent at a version, ready to work.
    pub(crate) async fn prepared_agent(
        &self,
        scope: Scope,
        id: AgentId,
        version: i32,
    ) -> Result<Option<Arc<Prepared>>> {
        let cache = &self.executions().agents;
        if let Some(prepared) = cache.lock().prepared.get(&(id, version)) {
            return Ok(Some(Arc::clone(prepared)));
        }
        let Some(specified) = self.store().agent_at(scope, id, version).await? else { return Ok(None) };
        let Specified { spec, digest } = specified;
        let broken = |error: String| Error::Internal(format!("version {version} of {id} is not valid: {error}"));
        let schema = |schema: &Option<_>| schema.as_ref().map(Schema::compile).transpose().map_err(broken);
        let prepared = Arc::new(Prepared {
            input_schema: schema(&spec.input_schema)?,
            output_schema: schema(&spec.output_schema)?,
            transform: match &spec.config {
                Config::Transform(transform) => Some(
                    Transformation::compile(transform, &Place::default())
                        .map_err(|problems| broken(first(problems)))?,
                ),
                Config::Http(_) | Config::Worker(_) => None,
            },
            spec,
            digest,
        });
        cache.lock().prepared.put((id, version), Arc::clone(&prepared));
        Ok(Some(prepared))
    }
}

fn first(problems: Vec<Problem>) -> String {
    problems.into_iter().map(|problem| problem.message).next().unwrap_or_default()
}
