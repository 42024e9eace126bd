//! Workers take tasks.

use std::{
    collections::{HashMap, HashSet},
    num::NonZeroUsize,
    sync::{Arc, Mutex, MutexGuard},
    time::Duration,
};

use chrono::{DateTime, TimeDelta, Utc};
use futures_util::future::join_all;
use tokio::sync::{OwnedMutexGuard, oneshot};
use uuid::Uuid;

use super::lease::Lease;
use crate::{
    domain::{
        access::Scope,
        execution::{Command, Usage, Work},
        id::{AgentId, TaskId, WorkspaceId},
        json::Json,
        name,
        refusal::Refusal,
    },
    engine::{
        Engine, Error, Result,
        error::Problems,
        execution::{Change, Loaded, most_at_once},
        remembered::Remembered,
        runners,
    },
    store::tasks::{LONGEST_LEASE, Task},
    tasks,
};

const MOST_AT_ONCE: i32 = 100;
/// A change of an agent by another process is seen after this; one by this process at once.
const FRESH: Duration = Duration::from_secs(1);
const MOST_BOUNDS: NonZeroUsize = NonZeroUsize::new(4096).expect("not zero");

#[derive(Debug, Clone)]
pub struct ClaimTasks {
    pub queue: String,
    pub max: i32,
    pub lease_seconds: i32,
    pub worker_id: String,
}

/// A task in a worker's hands.
#[derive(Clone)]
pub struct ClaimedTask {
    pub lease: Lease,
    pub lease_until: DateTime<Utc>,
    pub idempotency_key: String,
    pub input: Json,
    pub loaded: Arc<Loaded>,
}

/// Claims that wait for their turn at a queue. Whoever's turn it is serves all of them, so that they share a commit.
pub struct Claims {
    turns: Mutex<HashMap<(WorkspaceId, String), Arc<Turn>>>,
    /// How many tasks of an agent may be worked on at a time.
    bounds: Remembered<(WorkspaceId, AgentId), Option<u32>>,
}

impl Default for Claims {
    fn default() -> Self {
        Self { turns: Mutex::default(), bounds: Remembered::new(MOST_BOUNDS, FRESH) }
    }
}

#[derive(Default)]
struct Turn {
    waiting: Mutex<Vec<Request>>,
    serving: Arc<tokio::sync::Mutex<()>>,
    /// What is on its way to a worker: it still waits as far as the database knows.
    promised: Mutex<HashSet<TaskId>>,
}

struct Request {
    scope: Scope,
    /// The only agents whose tasks the caller may take; nothing if those of all.
    agents: Option<Vec<AgentId>>,
    max: usize,
    lease_for: TimeDelta,
    worker_id: String,
    answer: oneshot::Sender<Result<Vec<ClaimedTask>>>,
}

impl Claims {
    fn turn(&self, workspace: WorkspaceId, queue: &str) -> Arc<Turn> {
        let mut turns = self.turns.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        // Queues that nobody is at are forgotten, so that their number has no end.
        turns.retain(|_, turn| Arc::strong_count(turn) > 1);
        Arc::clone(turns.entry((workspace, queue.to_owned())).or_default())
    }
}

impl Turn {
    fn waiting(&self) -> MutexGuard<'_, Vec<Request>> {
        self.waiting.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Takes the requests that may take tasks of the same agents. Each of the others takes its own turn.
    fn requests_for(&self, agents: &Option<Vec<AgentId>>) -> Vec<Request> {
        let mut waiting = self.waiting();
        let (own, others) = std::mem::take(&mut *waiting).into_iter().partition(|request| request.agents == *agents);
        *waiting = others;
        own
    }

    fn promised(&self) -> MutexGuard<'_, HashSet<TaskId>> {
        self.promised.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

/// What waits in a queue.
struct Waiting {
    tasks: Vec<Task>,
    /// Whether some agent's tasks may only be worked on so many at a time.
    bounded: bool,
}

impl Engine {
    /// Up to so many tasks of a queue, the oldest first; none if none waits.
    pub async fn claim_tasks(&self, scope: Scope, command: ClaimTasks) -> Result<Vec<ClaimedTask>> {
        let mut problems = Problems::default();
        let worker_id = problems.take(name::check("workerId", &command.worker_id, 200)).unwrap_or_default();
        let queue = problems.take(name::check("queue", &command.queue, 100)).unwrap_or_default();
        problems.take(check_range("max", command.max, 1..=MOST_AT_ONCE));
        problems.take(check_range("leaseSeconds", command.lease_seconds, 1..=LONGEST_LEASE));
        problems.check()?;
        let agents = self.permit_queue(scope, &queue).await?;
        let turn = self.executions().claims.turn(scope.workspace(), &queue);
        let (answer, mut answered) = oneshot::channel();
        turn.waiting().push(Request {
            scope,
            agents: agents.clone(),
            max: usize::try_from(command.max).unwrap_or(1),
            lease_for: TimeDelta::seconds(command.lease_seconds.into()),
            worker_id,
            answer,
        });
        let gone = || Error::Internal("whoever served the queue is gone".to_owned());
        tokio::select! {
            // Somebody whose turn came first may serve this one too.
            claimed = &mut answered => claimed.map_err(|_| gone())?,
            serving = Arc::clone(&turn.serving).lock_owned() => {
                let requests = turn.requests_for(&agents);
                let (engine, turn) = (self.clone(), Arc::clone(&turn));
                // Not to be cut off when this caller goes away: others wait for their tasks.
                tasks::spawn_detached(async move { engine.serve_claims(&turn, serving, &queue, requests).await });
                answered.await.map_err(|_| gone())?
            }
        }
    }

    /// Hands out what waits in a queue, to several workers at once.
    async fn serve_claims(&self, turn: &Turn, serving: OwnedMutexGuard<()>, queue: &str, requests: Vec<Request>) {
        let mut requests: Vec<Request> = requests.into_iter().filter(|request| !request.answer.is_closed()).collect();
        let Some((scope, agents)) = requests.first().map(|request| (request.scope, request.agents.clone())) else {
            return;
        };
        let wanted = requests.iter().map(|request| request.max).sum();
        let promised = turn.promised().clone();
        let waiting = match self.waiting_for_workers(scope, queue, agents.as_deref(), wanted, &promised).await {
            Ok(waiting) => waiting,
            Err(error) => {
                tracing::error!(error = error.explain(), "cannot look for tasks");
                for request in requests {
                    let _ = request.answer.send(Err(error.for_another("cannot look for tasks")));
                }
                return;
            }
        };
        let given: HashSet<TaskId> = waiting.tasks.iter().map(|task| task.id).collect();
        turn.promised().extend(&given);
        // Others need not wait for the commit, unless what they may have depends on what these get.
        let serving = Some(serving).filter(|_| waiting.bounded);
        let mut waiting = waiting.tasks.into_iter();
        let shares: Vec<Vec<Task>> =
            requests.iter().map(|request| waiting.by_ref().take(request.max).collect()).collect();
        let claims = requests.iter().zip(shares).map(|(request, share)| async move {
            let (mut claimed, mut failed) = (Vec::new(), None);
            for outcome in join_all(share.into_iter().map(|task| self.claim(request, task))).await {
                match outcome {
                    Ok(task) => claimed.extend(task),
                    Err(error) => failed = Some(error),
                }
            }
            // A worker that is told of no task takes the queue for empty, and rests.
            match failed {
                Some(error) if claimed.is_empty() => Err(error),
                _ => Ok(self.fitting(queue, claimed).await),
            }
        });
        let claimed = join_all(claims).await;
        turn.promised().retain(|task| !given.contains(task));
        drop(serving);
        for (request, claimed) in requests.drain(..).zip(claimed) {
            let _ = request.answer.send(claimed);
        }
    }

    /// What waits in a queue, leaving out what is promised, and agents of which enough is being worked on.
    async fn waiting_for_workers(
        &self,
        scope: Scope,
        queue: &str,
        only: Option<&[AgentId]>,
        wanted: usize,
        promised: &HashSet<TaskId>,
    ) -> Result<Waiting> {
        let most = wanted + promised.len();
        let mut full: Vec<AgentId> = Vec::new();
        let mut asked: HashSet<AgentId> = HashSet::new();
        let mut left: HashMap<AgentId, u64> = HashMap::new();
        let mut found: indexmap::IndexMap<TaskId, Task> = indexmap::IndexMap::new();
        loop {
            let waiting = self.store().waiting_tasks(scope, queue, only, &full, most as u64).await?;
            let exhausted = waiting.len() < most;
            let agents: HashSet<AgentId> = waiting.iter().map(|task| task.agent).collect();
            let new: Vec<AgentId> = agents.into_iter().filter(|agent| asked.insert(*agent)).collect();
            left.extend(self.free_of_agents(scope, &new).await?);
            let before = full.len();
            for task in waiting {
                if found.len() == wanted || found.contains_key(&task.id) || promised.contains(&task.id) {
                    continue;
                }
                match left.get_mut(&task.agent) {
                    Some(0) => {
                        if !full.contains(&task.agent) {
                            full.push(task.agent);
                        }
                    }
                    Some(free) => {
                        *free -= 1;
                        found.insert(task.id, task);
                    }
                    None => {
                        found.insert(task.id, task);
                    }
                }
            }
            if found.len() == wanted || exhausted || full.len() == before {
                return Ok(Waiting { tasks: found.into_values().collect(), bounded: !left.is_empty() });
            }
        }
    }

    /// How many more tasks of each agent may be worked on, for those that have a bound.
    async fn free_of_agents(&self, scope: Scope, agents: &[AgentId]) -> Result<HashMap<AgentId, u64>> {
        let mut bounds = HashMap::new();
        for id in agents {
            bounds.extend(self.bound_of_agent(scope, *id).await?.map(|most| (*id, u64::from(most))));
        }
        if bounds.is_empty() {
            return Ok(bounds);
        }
        let ids: Vec<AgentId> = bounds.keys().copied().collect();
        for (id, held) in self.store().held_tasks(&ids).await? {
            if let Some(bound) = bounds.get_mut(&id) {
                *bound = bound.saturating_sub(held);
            }
        }
        Ok(bounds)
    }

    /// How many tasks of an agent may be worked on at a time, if there is a bound.
    async fn bound_of_agent(&self, scope: Scope, id: AgentId) -> Result<Option<u32>> {
        let (bounds, key) = (&self.executions().claims.bounds, (scope.workspace(), id));
        let changes = self.store().changes();
        if let Some(bound) = bounds.get(&key, changes) {
            return Ok(bound);
        }
        let mut bound = None;
        if let Some(agent) = self.store().agent(scope, id).await?
            && let Some(prepared) = self.prepared_agent(scope, id, agent.version).await?
        {
            bound = most_at_once(&prepared.spec.config);
        }
        bounds.put(key, bound, changes);
        Ok(bound)
    }

    /// Gives one task to one worker. Nothing if it is not wanted any more.
    async fn claim(&self, request: &Request, task: Task) -> Result<Option<ClaimedTask>> {
        let lease = Uuid::new_v4();
        let lease_until = self.clock().now() + request.lease_for;
        let work = Work::Worker { id: request.worker_id.clone(), lease };
        let command = Command::TakeStep { step: task.step, task: task.id.0, work };
        let change = Change { lease_until: Some(lease_until), ..Change::by(request.scope.actor(), command) };
        let claimed = async {
            let loaded = self.change(task.execution, change).await?;
            let (agent, version) = loaded.state.steps.get(task.step).and_then(|step| step.agent).unwrap_or_default();
            let agent = self.prepared_agent(loaded.scope(), AgentId(agent), version).await?;
            let agent = agent.ok_or_else(|| Error::Internal("the task's agent is gone".to_owned()))?;
            let input = self.step_input(&loaded, task.step, &agent).await?;
            let lease = Lease {
                execution: task.execution,
                step: task.step,
                task: task.id,
                lease,
                worker: request.worker_id.clone(),
            };
            Ok::<_, Error>((loaded, input, lease))
        };
        match claimed.await {
            Ok((loaded, Ok(input), lease)) => {
                let idempotency_key = runners::idempotency_key(&loaded, task.step);
                Ok(Some(ClaimedTask { lease, lease_until, idempotency_key, input, loaded }))
            }
            Ok((_, Err(failure), lease)) => {
                // Its input cannot be made: nobody can work on it.
                let failed = self.finish_failed(&lease, failure, Usage::default(), request.scope.actor());
                if let Err(error) = failed.await {
                    tracing::error!(error = error.explain(), "cannot fail a task without an input");
                }
                Ok(None)
            }
            Err(Error::Refused(_)) => Ok(None),
            Err(error) => {
                tracing::error!(execution = %task.execution, error = error.explain(), "cannot give out a task");
                Err(error)
            }
        }
    }
}

fn check_range(
    field: &'static str,
    number: i32,
    range: std::ops::RangeInclusive<i32>,
) -> std::result::Result<i32, Refusal> {
    if range.contains(&number) {
        return Ok(number);
    }
    Err(Refusal::invalid(field, format!("`{field}` is {number}: give {} to {}", range.start(), range.end())))
}
