//! Which claim a worker means.

use async_graphql::ID;

use crate::{
    domain::{id::TaskId, refusal::Refusal},
    engine::commands::Lease,
    graphql::error::{UserError, parse_id},
};

/// The lease behind a token, if it is one of the task.
pub fn read(task: &ID, token: &str) -> Result<Lease, UserError> {
    let task: TaskId = parse_id("taskId", task)?;
    let lease = Lease::parse(token)?;
    if lease.task == task {
        return Ok(lease);
    }
    let message = format!("`taskId` is {task}, and `leaseToken` is of the task {}", lease.task);
    Err(Refusal::invalid("taskId", message).into())
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::{domain::id::ExecutionId, graphql::error::UserErrorCode};

    #[test]
    fn a_token_belongs_to_its_task() {
        let lease = Lease {
            execution: ExecutionId(Uuid::from_u128(1)),
            step: 0,
            task: TaskId(Uuid::from_u128(2)),
            lease: Uuid::from_u128(3),
            worker: "w".to_owned(),
        };
        let id = |number| ID::from(TaskId(Uuid::from_u128(number)).to_string());
        assert_eq!(read(&id(2), &lease.token()).ok(), Some(lease.clone()));
        for (task, token, path) in [
            (id(3), lease.token(), "taskId"),
            (ID::from("x"), lease.token(), "taskId"),
            (id(2), String::new(), "leaseToken"),
        ] {
            let error = read(&task, &token).expect_err("refused");
            assert_eq!((error.code, error.path), (UserErrorCode::Invalid, vec!["input".to_owned(), path.to_owned()]));
        }
    }
}
