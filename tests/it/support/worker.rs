//! Somebody's own program that takes tasks.

use countersign::{
    domain::{access::Scope, execution::Usage, json::Json},
    engine::{
        Result,
        commands::{ClaimTasks, ClaimedTask, CompleteTask, FailTask, Heartbeat, HeartbeatTask},
    },
    store::executions::Execution,
};

use super::{PATIENCE, TestApp};

/// How long the leases of tests last.
pub const LEASE_SECONDS: i32 = 30;

pub fn claiming(queue: &str, max: i32) -> ClaimTasks {
    ClaimTasks { queue: queue.to_owned(), max, lease_seconds: LEASE_SECONDS, worker_id: "w".to_owned() }
}

pub fn completing(task: &ClaimedTask, output: &str) -> CompleteTask {
    CompleteTask {
        lease: task.lease.clone(),
        output: Json::parse(output).expect("JSON"),
        usage: Usage::default(),
        confidence: None,
        reasoning: None,
    }
}

pub fn failing(task: &ClaimedTask, retryable: bool) -> FailTask {
    FailTask {
        lease: task.lease.clone(),
        message: "no luck".to_owned(),
        stack: None,
        retryable,
        usage: Usage::default(),
    }
}

pub fn alive(task: &ClaimedTask) -> HeartbeatTask {
    HeartbeatTask { lease: task.lease.clone(), lease_seconds: LEASE_SECONDS, progress: None, log: None }
}

impl TestApp {
    /// What can be claimed now.
    pub async fn claim(&self, queue: &str, max: i32) -> Vec<ClaimedTask> {
        self.claim_in(self.scope(), queue, max).await
    }

    pub async fn claim_in(&self, scope: Scope, queue: &str, max: i32) -> Vec<ClaimedTask> {
        self.engine.claim_tasks(scope, claiming(queue, max)).await.expect("a claim")
    }

    /// Waits for a task and takes it.
    pub async fn claim_next(&self, queue: &str) -> ClaimedTask {
        self.claim_times(queue, 1).await.remove(0)
    }

    /// Waits for so many tasks and takes them.
    pub async fn claim_times(&self, queue: &str, count: usize) -> Vec<ClaimedTask> {
        let mut head = self.engine.store().journal_head();
        let mut claimed = Vec::new();
        let wait = async {
            loop {
                head.borrow_and_update();
                let missing = i32::try_from(count - claimed.len()).expect("a few");
                claimed.extend(self.claim(queue, missing).await);
                if claimed.len() == count {
                    return claimed;
                }
                head.changed().await.expect("the store lives");
            }
        };
        tokio::time::timeout(PATIENCE, wait).await.unwrap_or_else(|_| panic!("waited in vain for tasks in `{queue}`"))
    }

    pub async fn complete(&self, task: &ClaimedTask, output: &str) -> Result<Execution> {
        self.engine.complete_task(self.scope(), completing(task, output)).await
    }

    pub async fn fail(&self, task: &ClaimedTask, retryable: bool) -> Result<Execution> {
        self.engine.fail_task(self.scope(), failing(task, retryable)).await
    }

    pub async fn heartbeat(&self, task: &ClaimedTask) -> Result<Heartbeat> {
        self.engine.heartbeat_task(self.scope(), alive(task)).await
    }
}
