//! Tasks whose inputs do not fit into one answer together.

use super::claim_tasks::ClaimedTask;
use crate::{
    domain::execution::{Command, Released, Work},
    engine::{Engine, execution::Change},
};

impl Engine {
    /// What fits into one answer, at least one. The rest waits in its queue again, for whoever asks next: an answer that
    /// is too large would reach nobody, and the tasks would be kept from everybody until their leases run out.
    pub(super) async fn fitting(&self, queue: &str, claimed: Vec<ClaimedTask>) -> Vec<ClaimedTask> {
        // Half of it is for what else is asked about the tasks.
        let mut room = self.settings().max_answer_bytes / 2;
        let mut kept = Vec::with_capacity(claimed.len());
        for task in claimed {
            let size = task.input.size();
            if kept.is_empty() || size <= room {
                room = room.saturating_sub(size);
                kept.push(task);
                continue;
            }
            let lease = task.lease;
            let command = Command::ReleaseStep {
                step: lease.step,
                work: Work::Worker { id: lease.worker, lease: lease.lease },
                reason: Released::LeaseExpired,
                task: lease.task.0,
                queue: Some(queue.to_owned()),
            };
            // Otherwise its lease runs out.
            if let Err(error) = self.change(lease.execution, Change::by_server(command)).await {
                tracing::warn!(execution = %lease.execution, error = error.explain(), "cannot give back a task");
            }
        }
        kept
    }
}
