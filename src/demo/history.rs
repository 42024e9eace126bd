//! Plays the demo's past through the engine's own commands, with a clock that stands where the script says: journal,
//! audit log and figures are what they would be if it had happened then.

use chrono::TimeDelta;
use serde_json::{Map, Value, json};
use tokio::time::timeout;

use super::{
    cast::Cast,
    hands::{self, json_of},
    past_clock::PastClock,
    producer::{self, Start},
    scenes::{People, Scene},
    work::{self, End, Task},
};
use crate::{
    domain::{
        access::Scope,
        checkpoint::{Contents, Kind, Proposal, Status, Verdict, items},
        execution::{Status as ExecutionStatus, StepStatus},
        id::ExecutionId,
        json::Json,
    },
    engine::{
        Engine, Error, Origin, Result,
        commands::{ClaimTasks, ClaimedTask, DecideCheckpoint},
        drivers,
    },
    store::{checkpoints::CheckpointRow, executions},
};

/// An execution that takes more turns than this does not come to its end.
const MOST_TURNS: usize = 50;
const PATIENCE: std::time::Duration = std::time::Duration::from_secs(30);
const LEASE_SECONDS: i32 = 3_600;

pub struct History {
    /// With the clock of the past.
    pub engine: Engine,
    pub clock: PastClock,
    pub cast: Cast,
}

/// By what a scene is found again after a restart.
fn name_of(number: usize) -> String {
    format!("Demo {:02}", number + 1)
}

/// Whether the last scene has been played.
pub async fn is_over(engine: &Engine, scope: Scope, scenes: usize) -> Result<bool> {
    was_played(engine, scope, &name_of(scenes.saturating_sub(1))).await
}

async fn was_played(engine: &Engine, scope: Scope, name: &str) -> Result<bool> {
    let filter = executions::Filter { correlation_id: Some(name.to_owned()), ..executions::Filter::default() };
    Ok(engine.store().count_executions(scope, &filter).await? > 0)
}

impl History {
    /// Plays what has not been played before. A scene that was cut off goes on in the present.
    pub async fn play(&self, scenes: Vec<Scene>) -> Result<()> {
        for (number, scene) in scenes.into_iter().enumerate() {
            let name = name_of(number);
            if was_played(&self.engine, self.cast.desk, &name).await? {
                continue;
            }
            self.clock.move_to(scene.at);
            let played = self.scene(&scene, &name).await;
            played.map_err(|error| Error::Internal(format!("{name} ({:?}): {}", scene.start, error.explain())))?;
        }
        Ok(())
    }

    async fn scene(&self, scene: &Scene, name: &str) -> Result<()> {
        let id = producer::begin(&self.engine, &self.cast, scene.start, scene.number, Some(name)).await?;
        if scene.start.workflow().is_some() {
            drivers::begin(&self.engine, id).await?;
        }
        self.to_the_end(id, scene).await?;
        match scene.people {
            People::Resume => {
                self.clock.advance(TimeDelta::minutes(38));
                let resumed = self.engine.resume_failed_execution(self.cast.robin, id, None).await?.id;
                drivers::begin(&self.engine, resumed).await?;
                self.to_the_end(resumed, scene).await
            }
            People::Override(reason) => {
                self.clock.advance(TimeDelta::minutes(21));
                for row in self.checkpoints(id, Status::AutoApproved).await? {
                    self.engine.override_auto_approval(self.cast.robin, row.id, reason, &Origin::default()).await?;
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Does what has to be done, until the execution has ended or waits for whoever looks at the demo.
    async fn to_the_end(&self, id: ExecutionId, scene: &Scene) -> Result<()> {
        let mut first = Some(scene.people);
        for turn in 0..MOST_TURNS {
            let status = self.settle(id).await?;
            if status.is_terminal() {
                return Ok(());
            }
            if self.work(scene.start).await? {
                continue;
            }
            if let Some(row) = self.checkpoints(id, Status::Pending).await?.first() {
                let people = first.take().unwrap_or(People::Approve);
                if !self.decide(row, people, scene.number + turn).await? {
                    return Ok(());
                }
                continue;
            }
            let steps = self.engine.store().step_runs(self.cast.desk, &[id]).await?.remove(&id).unwrap_or_default();
            let Some(at) = steps.iter().filter_map(|step| step.retry_at).min() else { break };
            // Rows keep microseconds: the time itself may be a part of one later.
            self.clock.move_to(at + TimeDelta::milliseconds(1));
            drivers::notice(&self.engine, self.clock.now()).await?;
        }
        Err(Error::Internal("it neither ends nor waits for anybody".to_owned()))
    }

    /// Waits for the steps that this process does itself.
    async fn settle(&self, id: ExecutionId) -> Result<ExecutionStatus> {
        let store = self.engine.store();
        let mut head = store.journal_head();
        let settled = async {
            loop {
                head.borrow_and_update();
                let steps = store.step_runs(self.cast.desk, &[id]).await?.remove(&id).unwrap_or_default();
                if steps.iter().all(|step| step.status != StepStatus::Running) {
                    let found = store.execution(self.cast.desk, id).await?;
                    return Ok(found.map_or(ExecutionStatus::Failed, |found| found.status));
                }
                if head.changed().await.is_err() {
                    return Err(Error::Internal("the journal is gone".to_owned()));
                }
            }
        };
        let late = |_| Error::Internal("a step of the server does not come to its end".to_owned());
        timeout(PATIENCE, settled).await.map_err(late)?
    }

    /// Does what waits in its queue. Tells whether there was anything.
    async fn work(&self, start: Start) -> Result<bool> {
        let Some(queue) = start.queue() else { return Ok(false) };
        let command = ClaimTasks {
            queue: queue.to_owned(),
            max: 10,
            lease_seconds: LEASE_SECONDS,
            worker_id: "simulated-worker-0".to_owned(),
        };
        let tasks = self.engine.claim_tasks(self.cast.worker, command).await?;
        let any = !tasks.is_empty();
        for task in tasks {
            match self.do_task(task).await {
                // One beside it has failed, and with it the execution.
                Ok(()) | Err(Error::Refused(_)) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(any)
    }

    async fn do_task(&self, task: ClaimedTask) -> Result<()> {
        let (engine, worker) = (&self.engine, self.cast.worker);
        let task_at_hand = Task::of(&task);
        let (job, chance) = (work::job(&task_at_hand), task_at_hand.chance);
        let lease = task.lease;
        // Lines cost commits: only where somebody may look.
        if let Some(line) = job.lines.first().filter(|_| job.asks.is_some() || !matches!(job.end, End::Done { .. })) {
            hands::report(engine, worker, &lease, Some(0.5), Some(line)).await?;
        }
        self.clock.advance(TimeDelta::milliseconds(1_000 * i64::from(job.seconds) + (chance % 900) as i64));
        let answer = match &job.asks {
            Some(asks) => {
                let asked = hands::ask(engine, worker, &lease, asks).await?;
                self.decide(&asked, People::Approve, chance).await?;
                Some(hands::answer(engine, worker, lease.execution, asked.id).await?)
            }
            None => None,
        };
        hands::hand_in(engine, worker, &lease, job.files).await?;
        hands::finish(engine, worker, lease, job.end, answer).await
    }

    async fn checkpoints(&self, id: ExecutionId, status: Status) -> Result<Vec<CheckpointRow>> {
        let rows = self.engine.store().checkpoints_of(self.cast.desk, &[id]).await?.remove(&id).unwrap_or_default();
        Ok(rows.into_iter().filter(|row| row.status == status).collect())
    }

    /// Those who are asked, the first of them first.
    fn deciders(&self, row: &CheckpointRow, chance: usize) -> [Scope; 2] {
        let Cast { robin, mina, tomas, .. } = self.cast;
        let colleague = if row.operation_type == "refund" { mina } else { tomas };
        if chance.is_multiple_of(4) { [robin, colleague] } else { [colleague, robin] }
    }

    /// People look at it after a while. Tells whether it has been decided.
    async fn decide(&self, row: &CheckpointRow, people: People, chance: usize) -> Result<bool> {
        match people {
            People::Leave => return Ok(false),
            People::TimeOut => {
                let after = row.deadline.unwrap_or(row.requested_at) + TimeDelta::seconds(1);
                self.clock.move_to(after);
                drivers::notice(&self.engine, self.clock.now()).await?;
                return Ok(true);
            }
            _ => {}
        }
        let deciders = match people {
            // The seat that is left is for whoever looks at the demo.
            People::LeaveToSecond => [self.cast.mina, self.cast.robin],
            _ => self.deciders(row, chance),
        };
        let mut people = people;
        for who in deciders {
            let seconds = if people == People::LeaveToSecond { 300 } else { 100 + chance * 397 % 3_100 };
            self.clock.advance(TimeDelta::seconds(seconds as i64));
            let Some(row) = self.engine.store().checkpoint(who, row.id).await? else { return Ok(true) };
            let command = self.decision(&row, people, chance).await?;
            let decided = self.engine.decide_checkpoint(who, command, &Origin::default()).await?;
            if decided.status != Status::Pending {
                return Ok(true);
            }
            if people == People::LeaveToSecond {
                return Ok(false);
            }
            people = People::Approve;
        }
        Err(Error::Internal(format!("`{}` wants more people than there are", row.description)))
    }

    async fn decision(&self, row: &CheckpointRow, people: People, chance: usize) -> Result<DecideCheckpoint> {
        let inspected = self.engine.inspect_executions(self.cast.robin, &[row.execution]).await?;
        let state = inspected.get(&row.execution).map(|inspected| &inspected.state);
        let proposal = state.and_then(|state| state.checkpoint(row.id.0)?.proposal());
        let proposal = proposal.ok_or_else(|| Error::Internal("a checkpoint without a proposal".to_owned()))?;
        let contents = self.engine.contents_of(self.cast.workspace, proposal).await?;
        let mut decision = DecideCheckpoint {
            checkpoint: row.id,
            digest: row.digest.clone(),
            verdict: Verdict::Approve,
            comment: chance.is_multiple_of(5).then(|| "Looks right.".to_owned()),
            modified_parameters: None,
            items: None,
            answers: None,
        };
        match people {
            _ if row.kind == Kind::Clarification => {
                decision.verdict = Verdict::Answer;
                decision.answers = Some(answers(proposal)?);
            }
            People::Reject(reason) => {
                decision.verdict = Verdict::Reject;
                decision.comment = Some(reason.to_owned());
            }
            People::Modify => less(&contents, &mut decision)?,
            _ => {}
        }
        Ok(decision)
    }
}

/// What people approve who approve less: a lower amount, fewer days, or some of the items.
fn less(contents: &Contents, decision: &mut DecideCheckpoint) -> Result<()> {
    if let Some(list) = &contents.items {
        let ids: Vec<String> = items::from_json(list).into_iter().map(|item| item.id).collect();
        let kept = ids.len().saturating_sub(3).max(1);
        decision.items = Some(ids.into_iter().take(kept).collect());
        decision.comment = Some("The last three are on parental leave and come back.".to_owned());
        return Ok(());
    }
    let mut parameters = contents.parameters.to_value();
    if let Some(amount) = parameters.get("amount").and_then(Value::as_f64) {
        parameters["amount"] = json!((amount * 90.0).round() / 100.0);
        decision.comment = Some("Ten percent less: the packaging can be used again.".to_owned());
    } else if parameters.get("days").is_some() {
        parameters["days"] = json!(7);
        decision.comment = Some("A week is enough.".to_owned());
    }
    decision.modified_parameters = Some(json_of(&parameters)?);
    Ok(())
}

/// An answer to each question, such as its schema wants.
fn answers(proposal: &Proposal) -> Result<Json> {
    let answer = |schema: Value| match (schema.pointer("/enum/1"), schema.get("type").and_then(Value::as_str)) {
        (Some(word), _) => word.clone(),
        (None, Some("boolean")) => json!(false),
        _ => json!("January"),
    };
    let questions = proposal.questions.iter();
    let answers: Map<String, Value> = questions
        .map(|question| (question.id.clone(), answer(question.schema.as_ref().map_or(Value::Null, Json::to_value))))
        .collect();
    json_of(&Value::Object(answers))
}
