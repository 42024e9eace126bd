//! What steps and their workers wrote.

use std::sync::Arc;

use async_graphql::{Context, Object};
use chrono::{DateTime, Utc};

use super::words::LogLevel;
use crate::{
    domain::execution::{self, Event},
    graphql::{connection::connection, error::Result, event::step_key},
    store::journal::Entry,
};

/// The kind of the journal's lines that are lines of the log.
pub const KIND: &str = "step.logged";

/// A line of an execution's log.
#[derive(Clone)]
pub struct LogEntry(Arc<Entry>);

impl From<Arc<Entry>> for LogEntry {
    fn from(entry: Arc<Entry>) -> Self {
        Self(entry)
    }
}

impl LogEntry {
    /// The step, the level and the text. Only lines of this kind are read; another one would be an empty line.
    fn parts(&self) -> (usize, execution::LogLevel, &str) {
        match &self.0.event {
            Ok(Event::StepLogged { step, level, message }) => (*step, *level, message),
            _ => (0, execution::LogLevel::Debug, ""),
        }
    }
}

/// A line of an execution's log.
#[Object]
impl LogEntry {
    /// When it was written.
    async fn at(&self) -> DateTime<Utc> {
        self.0.at
    }

    /// The key of the step that wrote it.
    async fn step_key(&self, ctx: &Context<'_>) -> Result<String> {
        step_key(ctx, self.0.execution, self.parts().0).await
    }

    /// How important it is.
    async fn level(&self) -> LogLevel {
        self.parts().1.into()
    }

    /// What it says.
    async fn message(&self) -> &str {
        self.parts().2
    }
}

connection! {
    /// A page of an execution's log.
    LogEntryConnection,
    /// A line and where it stands in the log.
    LogEntryEdge, LogEntry
}
