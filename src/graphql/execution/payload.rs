//! What mutations about one execution answer.

use super::Execution;
use crate::{
    domain::id::ExecutionId,
    engine,
    graphql::error::{Result, UserError, outcome, parse_id},
    store::executions,
};

/// An execution after a change, or what was wrong.
pub type Outcome = std::result::Result<Execution, Vec<UserError>>;

pub fn of_command(result: engine::Result<executions::Execution>) -> Result<Outcome> {
    Ok(outcome(result)?.map(Execution::from))
}

pub fn parse_execution(id: &async_graphql::ID) -> std::result::Result<ExecutionId, Vec<UserError>> {
    parse_id("executionId", id).map_err(|error| vec![error])
}

/// Defines a payload with an execution.
macro_rules! execution_payload {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(async_graphql::SimpleObject)]
        pub struct $name {
            /// The execution after the change.
            execution: Option<$crate::graphql::execution::Execution>,
            /// What the caller can fix.
            user_errors: Vec<$crate::graphql::error::UserError>,
        }

        impl From<$crate::graphql::execution::Outcome> for $name {
            fn from(outcome: $crate::graphql::execution::Outcome) -> Self {
                match outcome {
                    Ok(execution) => Self { execution: Some(execution), user_errors: Vec::new() },
                    Err(user_errors) => Self { execution: None, user_errors },
                }
            }
        }
    };
}
pub(in crate::graphql) use execution_payload;
