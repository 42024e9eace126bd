//! Which deliverables, and in which order.

use async_graphql::{Enum, ID, InputObject};
use chrono::{DateTime, Utc};

use super::words::{DeliverableStatus, DeliverableType};
use crate::{
    domain::{
        id::{AgentId, ExecutionId},
        time,
    },
    graphql::{
        connection::OrderDirection,
        error::{Result, argument_id},
        filter::{distinct, search},
    },
    store::deliverables::{Filter, Sort},
};

/// Which deliverables: those that fit everything given.
#[derive(Debug, Default, InputObject)]
pub struct DeliverableFilter {
    /// Of this execution.
    execution_id: Option<ID>,
    /// Made by a step of this agent.
    agent_id: Option<ID>,
    /// Of any of these types.
    #[graphql(name = "type")]
    types: Option<Vec<DeliverableType>>,
    /// With any of these statuses.
    status: Option<Vec<DeliverableStatus>>,
    /// With this text in the name, whatever its case.
    search: Option<String>,
    /// Made at this time or later.
    from: Option<DateTime<Utc>>,
    /// Made before this time.
    until: Option<DateTime<Utc>>,
}

impl DeliverableFilter {
    pub fn into_store(self) -> Result<Filter> {
        Ok(Filter {
            execution: self.execution_id.map(|id| argument_id::<ExecutionId>("filter.executionId", &id)).transpose()?,
            agent: self.agent_id.map(|id| argument_id::<AgentId>("filter.agentId", &id)).transpose()?,
            types: distinct(self.types),
            statuses: distinct(self.status),
            search: search("filter.search", self.search)?,
            from: self.from.map(|at| time::check("filter.from", at)).transpose()?,
            until: self.until.map(|at| time::check("filter.until", at)).transpose()?,
        })
    }
}

/// What deliverables can be ordered by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
#[graphql(remote = "Sort")]
pub enum DeliverableOrderField {
    /// When it was made.
    Age,
    /// When it was last changed.
    Change,
}

/// How deliverables are ordered.
#[derive(Debug, Clone, Copy, InputObject)]
pub struct DeliverableOrder {
    /// By what.
    pub field: DeliverableOrderField,
    /// Which way.
    pub direction: OrderDirection,
}
