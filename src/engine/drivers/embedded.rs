//! Drives executions within this process: gives out places, notices what is due, and takes over what others left.

use std::{collections::HashSet, sync::Arc, time::Duration};

use chrono::{DateTime, Utc};
use futures_util::{StreamExt, stream};
use uuid::Uuid;

use crate::{
    domain::{
        execution::{Command, Released, Status, Work},
        id::{AgentId, ExecutionId, TaskId},
    },
    engine::{
        Engine, Error, Result,
        execution::{Change, Driving, most_at_once},
    },
    store::tasks::Task,
    tasks::Tasks,
};

/// How much is looked at in one go.
const BATCH: u64 = 256;
/// How many executions are changed at the same time: enough to share commits.
const AT_ONCE: usize = 64;
/// What other processes left is noticed after this at the latest.
const LOOK_AROUND: Duration = Duration::from_secs(2);
const TRY_AGAIN: Duration = Duration::from_secs(1);

/// A step that should run here, and which attempt it is.
type Missing = (ExecutionId, usize, i32);

/// Enters this process as a server and takes over what was left behind. Nothing begins by itself before [`drive`].
pub async fn enter(engine: &Engine, tasks: &Tasks) -> Result<()> {
    let server = engine.store().enter_server(engine.clock().now()).await?;
    let running = Arc::default();
    engine.executions().set_driving(Driving { server, tasks: tasks.clone(), begins: true, running });
    engine.executions().places.close_with(tasks.stopping());
    // What this process says of the time is compared with what the journal says: the clock may have been set back.
    if let Some(last) = engine.store().last_written().await? {
        engine.executions().timer.set_back(last);
    }
    take_over(engine).await
}

/// Starts to drive.
pub fn drive(engine: &Engine, tasks: &Tasks) {
    tasks.spawn_endless(keep("gives out places", engine.clone(), give_places));
    tasks.spawn_endless(keep("notices what is due", engine.clone(), notice_due));
    tasks.spawn_endless(keep("looks around", engine.clone(), look_around));
    tasks.spawn_endless(look_for_lost(engine.clone()));
}

/// Lets another engine of this process run steps as the same server. It begins nothing by itself: its owner says
/// [`begin`] and [`notice`].
pub fn lend(engine: &Engine, to: &Engine) {
    if let Some(Driving { server, tasks, running, .. }) = engine.executions().driving() {
        let (server, tasks, running) = (server.clone(), tasks.clone(), Arc::clone(running));
        let lent = Driving { server, tasks, begins: false, running };
        to.executions().set_driving(lent);
    }
}

/// Begins one execution that is queued.
pub async fn begin(engine: &Engine, id: ExecutionId) -> Result<()> {
    engine.change(id, Change::by_server(Command::Start)).await?;
    Ok(())
}

/// Runs a round of work again and again. A round that fails is tried again.
async fn keep<F: Future<Output = Result<()>>>(what: &'static str, engine: Engine, round: impl Fn(Engine) -> F) {
    loop {
        if let Err(error) = round(engine.clone()).await {
            tracing::warn!(error = error.explain(), what, "the driver failed; trying again");
            tokio::time::sleep(TRY_AGAIN).await;
        }
    }
}

/// Waits until something may start, and starts it: first what has waited longest, then what is new.
async fn give_places(engine: Engine) -> Result<()> {
    let places = &engine.executions().places;
    places.freed.notified().await;
    while places.free() > 0 {
        let taken = if places.has_backlog() { take_waiting_steps(&engine).await? } else { 0 };
        let begun = if places.free() > 0 { begin_executions(&engine).await? } else { 0 };
        if taken + begun == 0 {
            return Ok(());
        }
    }
    Ok(())
}

/// Takes steps that wait for a server.
async fn take_waiting_steps(engine: &Engine) -> Result<usize> {
    let places = &engine.executions().places;
    let wanted = BATCH.min(places.free() as u64);
    let mut full: Vec<AgentId> = Vec::new();
    loop {
        // Whoever is scheduled from here on sees that it is backlog again.
        places.clear_backlog();
        let waiting = engine.store().waiting_for_servers(&full, wanted).await?;
        let all = (waiting.len() as u64) < wanted;
        if !all {
            // More may wait than were asked for: the next free place is theirs.
            waiting.iter().for_each(|task| places.note_backlog(task.agent.0));
        }
        let mut taken = Vec::new();
        for task in waiting {
            // A place that becomes free meanwhile is not for those who came later.
            if full.contains(&task.agent) {
                continue;
            }
            match take_place(engine, &task).await? {
                Some(change) => taken.push((task.execution, change)),
                None => full.push(task.agent),
            }
        }
        for agent in &full {
            places.note_backlog(agent.0);
        }
        let tried = taken.len();
        let count = change_all(engine, taken).await;
        if tried > 0 || all || places.free() == 0 {
            return Ok(count);
        }
    }
}

async fn take_place(engine: &Engine, task: &Task) -> Result<Option<Change>> {
    let Some(driving) = engine.executions().driving() else { return Ok(None) };
    let scope = crate::domain::access::Scope::system(task.workspace);
    let most = engine.store().agent(scope, task.agent).await?;
    let most = match most {
        Some(agent) => engine.prepared_agent(scope, agent.id, agent.version).await?,
        None => None,
    };
    let most = most.and_then(|agent| most_at_once(&agent.spec.config));
    let Some(place) = engine.executions().places.take_for_waiting(task.agent.0, most) else { return Ok(None) };
    let work = Work::Server(driving.server.id);
    let command = Command::TakeStep { step: task.step, task: task.id.0, work };
    Ok(Some(Change { place: Some(place), ..Change::by_server(command) }))
}

/// Begins executions that wait for a place.
async fn begin_executions(engine: &Engine) -> Result<usize> {
    let queue = &engine.executions().queue;
    let wanted = usize::try_from(BATCH).unwrap_or(usize::MAX).min(engine.executions().places.free());
    let mut waiting = queue.take(wanted);
    if waiting.is_empty() && queue.may_hold_more() {
        // Who is queued from here on is looked for again.
        queue.looking();
        let places = &engine.executions().places;
        let found = engine.store().queued_executions(places.served(), BATCH).await?;
        if let Some((workspace, _)) = found.last() {
            places.serve(*workspace);
        }
        queue.found(found.into_iter().map(|(_, id)| id).collect(), BATCH);
        waiting = queue.take(wanted);
    }
    let changes = waiting.into_iter().map(|id| (id, Change::by_server(Command::Start))).collect();
    Ok(change_all(engine, changes).await)
}

/// Changes executions together and tells how many were changed: who tries for as long as there is something to do
/// must stop where nothing can be done. Refusals are no surprise here: somebody else may have been faster.
async fn change_all(engine: &Engine, changes: Vec<(ExecutionId, Change)>) -> usize {
    let change = |(id, change): (ExecutionId, Change)| async move {
        match engine.change(id, change).await {
            Ok(_) => 1,
            Err(Error::Refused(_)) => 0,
            Err(error) => {
                tracing::error!(execution = %id, error = error.explain(), "cannot move an execution");
                0
            }
        }
    };
    stream::iter(changes).map(change).buffer_unordered(AT_ONCE).fold(0, async |all, one| all + one).await
}

/// Waits until something is due, and does it.
async fn notice_due(engine: Engine) -> Result<()> {
    let timer = &engine.executions().timer;
    timer.reset();
    let now = engine.clock().now();
    if timer.set_back(now) {
        tracing::warn!(%now, "the clock was set back: looking again at everything that waits for a time");
        wake_all(&engine).await?;
    }
    if notice(&engine, now).await? {
        return Ok(());
    }
    let next = [engine.store().next_wake().await?, engine.store().next_lease_end().await?].into_iter().flatten().min();
    match timer.settle(next) {
        Some(next) if next <= now => {
            // Something that was due could not be done; it must not keep a core busy.
            tokio::time::sleep(TRY_AGAIN).await;
        }
        Some(next) => tokio::select! {
            () = engine.clock().sleep_until(next) => {}
            () = timer.earlier() => {}
            () = tokio::time::sleep(LOOK_AROUND) => {}
        },
        None => tokio::select! {
            () = timer.earlier() => {}
            () = tokio::time::sleep(LOOK_AROUND) => {}
        },
    }
    Ok(())
}

/// Looks at everything that waits for a time: what waits for too long by the clock as it is now goes on.
async fn wake_all(engine: &Engine) -> Result<()> {
    for chunk in engine.store().waiting_for_a_time().await?.chunks(usize::try_from(BATCH).unwrap_or(1)) {
        let wake = |id: &ExecutionId| (*id, Change::by_server(Command::Wake { consent: Vec::new() }));
        change_all(engine, chunk.iter().map(wake).collect()).await;
    }
    Ok(())
}

/// Does what is due, and tells whether more may be.
pub async fn notice(engine: &Engine, now: DateTime<Utc>) -> Result<bool> {
    let expired = engine.store().expired_tasks(now, BATCH).await?;
    let due = engine.store().due_executions(now, BATCH).await?;
    let more = expired.len() as u64 == BATCH || due.len() as u64 == BATCH;
    let released = expired.into_iter().filter_map(|task| Some((task.execution, release_expired(task)?)));
    let woken = due.into_iter().map(|id| (id, Change::by_server(Command::Wake { consent: Vec::new() })));
    change_all(engine, released.chain(woken).collect()).await;
    Ok(more)
}

fn release_expired(task: Task) -> Option<Change> {
    let (lease, id) = task.holder?;
    let work = Work::Worker { id, lease };
    let reason = Released::LeaseExpired;
    let command = Command::ReleaseStep { step: task.step, work, reason, task: task.id.0, queue: task.queue };
    Some(Change { lapsed: Some((task.id, lease)), ..Change::by_server(command) })
}

/// Finds what other processes left: steps of servers that are gone, and work that nobody noticed.
async fn look_around(engine: Engine) -> Result<()> {
    tokio::time::sleep(LOOK_AROUND).await;
    take_over(&engine).await?;
    stop_what_ended_elsewhere(&engine).await
}

/// Gives back the steps of servers that are gone, so that they run again as the same attempt.
async fn take_over(engine: &Engine) -> Result<()> {
    let executions = engine.executions();
    let Some(driving) = executions.driving() else { return Ok(()) };
    loop {
        let living = engine.store().living_servers(&driving.server).await?;
        let orphans = engine.store().orphaned_steps(&living, BATCH).await?;
        if orphans.is_empty() {
            break;
        }
        let now = engine.clock().now();
        let changes = orphans.into_iter().map(|(execution, step, server): (Uuid, usize, Uuid)| {
            let (work, reason) = (Work::Server(server), Released::ServerLost);
            let task = TaskId::new(now).0;
            let command = Command::ReleaseStep { step, work, reason, task, queue: None };
            (ExecutionId(execution), Change::by_server(command))
        });
        if change_all(engine, changes.collect()).await == 0 {
            break;
        }
    }
    // Others may have left steps and executions that wait.
    for task in engine.store().waiting_for_servers(&[], 1).await? {
        executions.places.note_backlog(task.agent.0);
    }
    executions.queue.more();
    executions.places.freed.notify_one();
    Ok(())
}

/// What this process does for executions that another process ended.
async fn stop_what_ended_elsewhere(engine: &Engine) -> Result<()> {
    let Some(driving) = engine.executions().driving() else { return Ok(()) };
    for chunk in driving.running.executions().chunks(500) {
        for (id, status) in engine.store().statuses(chunk).await? {
            if status.is_terminal() && status != Status::Queued {
                driving.running.stop(id);
            }
        }
    }
    Ok(())
}

/// Gives back steps that this server runs according to the journal, but no task of it works on. There should be none:
/// whatever loses a task, such as a panic, must not leave its step running without an end or a time limit.
async fn look_for_lost(engine: Engine) {
    let mut missing = HashSet::new();
    loop {
        tokio::time::sleep(LOOK_AROUND).await;
        match release_lost(&engine, &missing).await {
            Ok(found) => missing = found,
            Err(error) => tracing::warn!(error = error.explain(), "cannot look for lost steps; trying again"),
        }
    }
}

/// Releases what was missing before and still is; gives what is missing now. Between a commit and the start of its task
/// there is a moment, so one look is not enough.
async fn release_lost(engine: &Engine, missing: &HashSet<Missing>) -> Result<HashSet<Missing>> {
    let Some(driving) = engine.executions().driving() else { return Ok(HashSet::new()) };
    let server = driving.server.id;
    let mut found: HashSet<Missing> = engine.store().steps_run_by(server).await?.into_iter().collect();
    // Asked after the rows were read: what has begun by then is there.
    found.retain(|(execution, step, _)| !driving.running.has(*execution, *step));
    let now = engine.clock().now();
    let lost: Vec<(ExecutionId, Change)> = found
        .iter()
        .filter(|step| missing.contains(step))
        .map(|(execution, step, _)| {
            tracing::error!(%execution, step, "a step runs here and has no task; giving it back");
            let (work, reason, task) = (Work::Server(server), Released::ServerLost, TaskId::new(now).0);
            (*execution, Change::by_server(Command::ReleaseStep { step: *step, work, reason, task, queue: None }))
        })
        .collect();
    change_all(engine, lost).await;
    Ok(found)
}
