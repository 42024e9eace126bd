//! What a worker shows when it speaks about a task: which claim it means.

use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD};
use uuid::Uuid;

use crate::domain::{
    execution::Work,
    id::{ExecutionId, TaskId},
    refusal::Refusal,
};

/// One claim of one task. A later claim of the same task is another lease.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lease {
    pub execution: ExecutionId,
    pub step: usize,
    pub task: TaskId,
    pub lease: Uuid,
    pub worker: String,
}

impl Lease {
    /// Opaque outside.
    pub fn token(&self) -> String {
        let fields = (self.execution.0, self.step, self.task.0, self.lease, &self.worker);
        BASE64_URL_SAFE_NO_PAD.encode(serde_json::to_vec(&fields).unwrap_or_default())
    }

    pub fn parse(token: &str) -> Result<Self, Refusal> {
        let read = || {
            let json = BASE64_URL_SAFE_NO_PAD.decode(token).ok()?;
            let (execution, step, task, lease, worker) = serde_json::from_slice(&json).ok()?;
            Some(Self { execution: ExecutionId(execution), step, task: TaskId(task), lease, worker })
        };
        let message = "`leaseToken` is not one that `claimTasks` gave";
        read().ok_or_else(|| Refusal::invalid("leaseToken", message))
    }

    pub fn work(&self) -> Work {
        Work::Worker { id: self.worker.clone(), lease: self.lease }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_says_which_claim() {
        let lease = Lease {
            execution: ExecutionId(Uuid::from_u128(1)),
            step: 3,
            task: TaskId(Uuid::from_u128(2)),
            lease: Uuid::from_u128(3),
            worker: "w-1".to_owned(),
        };
        assert_eq!(Lease::parse(&lease.token()), Ok(lease));
        assert!(Lease::parse("nonsense").is_err());
        assert!(Lease::parse("").is_err());
    }
}
