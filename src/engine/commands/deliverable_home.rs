//! The execution that a deliverable belongs to.

use super::hidden_workflow::DELIVERABLES;
use crate::{
    domain::{
        access::{Actor, Scope},
        execution::{CompletionReason, Event, Mode, Queued},
        id::{ExecutionId, TaskId, WorkflowId, WorkspaceId},
        json::Json,
        refusal::{Code, Refusal},
        workflow::{Plan, Values},
    },
    engine::{
        Engine, Error, Result,
        execution::{Loaded, Packed},
    },
    store::{
        Tx,
        deliverables::Put,
        journal::{Append, Appended, Owner, project},
    },
};

/// Where a version is written.
#[derive(Debug, Clone, Copy)]
pub(super) enum At {
    Execution(ExecutionId),
    /// What stands alone has an execution of its own, without steps, of this workflow.
    Alone(WorkflowId),
}

impl Engine {
    /// Where something is written that belongs to this execution, or to none. Before a write begins.
    pub(super) async fn home_of(&self, scope: Scope, execution: Option<ExecutionId>) -> Result<At> {
        match execution {
            Some(execution) => Ok(At::Execution(execution)),
            None => Ok(At::Alone(self.hidden_workflow(scope, DELIVERABLES).await?)),
        }
    }

    /// Writes a version with what tells of it.
    pub(super) async fn put_version(
        &self,
        tx: &mut Tx,
        workspace: WorkspaceId,
        actor: Actor,
        at: At,
        held: Option<(TaskId, uuid::Uuid)>,
        put: Put,
    ) -> Result<()> {
        let now = tx.now();
        let scope = Scope::system(workspace);
        let bytes = put.version.content.size();
        self.check_stored_bytes(workspace, bytes).await?;
        let append = match at {
            At::Execution(execution) => {
                Append { actor, held, kept: vec![put], ..Append::comment(scope, execution, now, Vec::new()) }
            }
            At::Alone(workflow) => {
                let owner = Owner { execution: ExecutionId::new(now), workspace, actor };
                let (events, state) = begin_alone(owner, workflow, now).await?;
                let projection = Some(Box::new(project(owner, None, &state, None)));
                let append = Append::comment(scope, owner.execution, now, events);
                Append { actor, expected: Some(0), projection, kept: vec![put], ..append }
            }
        };
        match tx.append(append).await? {
            Appended::Done => {
                self.note_stored_bytes(workspace, bytes);
                Ok(())
            }
            Appended::Conflict | Appended::Alive | Appended::Made(_) | Appended::KeyReused => {
                let message = "the lease ran out: the task is not in this worker's hands any more";
                Err(Refusal::at("leaseToken", Code::Expired, message).into())
            }
        }
    }
}

/// An execution that is over as soon as it begins.
async fn begin_alone(
    owner: Owner,
    workflow: WorkflowId,
    now: chrono::DateTime<chrono::Utc>,
) -> Result<(Vec<Event>, crate::domain::execution::State)> {
    let packed = Packed::new(Json::object([])).await;
    let queued = Event::Queued(Box::new(Queued {
        workflow: workflow.0,
        version: 0,
        steps: 0,
        mode: Mode::Live,
        input: packed.data,
        correlation_id: None,
        origin: None,
        root: None,
        kept: Vec::new(),
    }));
    let values = Values { input: packed.json, outputs: Vec::new() };
    let loaded = Loaded::begin(owner, &queued, std::sync::Arc::new(Plan::empty()), values, now);
    let mut state = loaded.ok_or_else(|| Error::Internal("an execution that does not begin".to_owned()))?.state;
    let mut events = vec![queued];
    for event in [Event::Started {}, Event::Completed { reason: CompletionReason::Success }] {
        state.apply(&event, now);
        events.push(event);
    }
    Ok((events, state))
}
