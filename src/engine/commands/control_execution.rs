//! Cancelling, pausing and resuming.

use crate::{
    domain::{access::Scope, execution::Command, id::ExecutionId, name},
    engine::{
        Engine, Result,
        execution::{Change, unknown},
    },
    store::executions::Execution,
};

impl Engine {
    /// Stops an execution for good. Running work is told, and its late result ignored.
    pub async fn cancel_execution(&self, scope: Scope, id: ExecutionId, reason: Option<&str>) -> Result<Execution> {
        let reason = reason.map(|reason| name::check_text("reason", reason, 1_000)).transpose()?;
        self.control(scope, id, Command::Cancel { reason }).await
    }

    /// Stops an execution for now: what runs comes to its end, nothing new begins.
    pub async fn pause_execution(&self, scope: Scope, id: ExecutionId) -> Result<Execution> {
        self.control(scope, id, Command::Pause).await
    }

    /// Lets a paused execution go on.
    pub async fn resume_execution(&self, scope: Scope, id: ExecutionId) -> Result<Execution> {
        let execution = self.control(scope, id, Command::Resume).await?;
        // One that was paused before it began waits for a place again.
        self.executions().queue.more();
        self.executions().places.freed.notify_one();
        Ok(execution)
    }

    async fn control(&self, scope: Scope, id: ExecutionId, command: Command) -> Result<Execution> {
        self.require_execution(scope, id).await?;
        self.permit_execution(scope, id).await?;
        let changed = self.change(id, Change::by(scope.actor(), command)).await;
        Ok(changed.map_err(|error| error.at("executionId"))?.found())
    }

    /// An execution of the caller's workspace.
    pub(super) async fn require_execution(&self, scope: Scope, id: ExecutionId) -> Result<Execution> {
        let found = self.store().execution(scope, id).await?;
        found.ok_or_else(|| unknown(id))
    }
}
