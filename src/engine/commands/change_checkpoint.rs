//! The one way to change a checkpoint: what somebody wants is worked out on the checkpoint as it is now, judged by the
//! policy in force, and written only if both are still the same.

use uuid::Uuid;

use super::{
    decide_checkpoint::DecideCheckpoint, reassign_checkpoint::ReassignCheckpoint, request_approval::RequestApproval,
};
use crate::{
    domain::{
        access::Scope,
        checkpoint::{Cause, Change as Difference, Checkpoint, Command, Contents, Instead, Proposal},
        execution,
        id::CheckpointId,
        refusal::{Code, Refusal},
    },
    engine::{
        Engine, Error, Origin, Result,
        execution::{Change, Loaded},
        policy::InForce,
    },
    store::{checkpoints::CheckpointRow, payloads::Payload},
};

/// Working it out again because somebody else was faster has an end.
const MOST_TRIES: usize = 100;

/// What somebody wants to do to a checkpoint, beyond talking about it.
pub(super) enum Wanted {
    Decide(Box<DecideCheckpoint>),
    /// An answer to a question about it.
    Answer {
        question: Uuid,
        text: String,
    },
    /// Something else is proposed.
    Revise(Box<RequestApproval>),
    /// Others are to approve it, because no one can any more.
    Reassign(Box<ReassignCheckpoint>),
    /// The newest version of the agent is to run.
    UpdateAgent {
        digest: String,
    },
}

/// A checkpoint at one moment, and the rules of that moment.
pub(super) struct Moment<'a> {
    pub scope: Scope,
    pub loaded: &'a Loaded,
    pub checkpoint: &'a Checkpoint,
    pub in_force: &'a InForce,
}

/// A command with the values that it refers to; nothing if there is nothing to do.
pub(super) type Prepared = Option<(Command, Vec<Payload>)>;

impl Engine {
    pub(super) async fn carry_out(
        &self,
        scope: Scope,
        id: CheckpointId,
        wanted: Wanted,
        origin: &Origin,
    ) -> Result<CheckpointRow> {
        self.permit_checkpoint(scope, id).await?;
        for _ in 0..MOST_TRIES {
            let loaded = self.execution_of_checkpoint(scope, id).await?;
            let checkpoint = loaded.state.checkpoint(id.0).ok_or_else(|| unknown_checkpoint(id))?;
            let in_force = self.in_force(scope).await?;
            // First what others have changed: the policy, or who may approve.
            if checkpoint.is_pending()
                && let Some(reassess) = self.reassessment(scope, &loaded, checkpoint, &in_force).await?
            {
                let command = execution::Command::Checkpoint { id: id.0, command: reassess };
                let mut change = Change { epoch: Some(in_force.epoch), ..Change::by_server(command) };
                self.change_once(&loaded, &mut change).await?;
                continue;
            }
            let moment = Moment { scope, loaded: &loaded, checkpoint, in_force: &in_force };
            let prepared = match &wanted {
                Wanted::Decide(decide) => self.prepare_decision(&moment, decide).await?,
                Wanted::Answer { question, text } => self.prepare_answer(&moment, *question, text).await?,
                Wanted::Revise(request) => self.prepare_revision(&moment, request).await?,
                Wanted::Reassign(reassign) => self.prepare_reassignment(&moment, reassign).await?,
                Wanted::UpdateAgent { digest } => self.prepare_agent_update(&moment, digest).await?,
            };
            let Some((command, payloads)) = prepared else { return self.changed_checkpoint(scope, id).await };
            let command = execution::Command::Checkpoint { id: id.0, command };
            let epoch = Some(in_force.epoch);
            let mut change = Change { payloads, epoch, origin: origin.clone(), ..Change::by(scope.actor(), command) };
            if self.change_once(&loaded, &mut change).await?.is_some() {
                return self.changed_checkpoint(scope, id).await;
            }
        }
        Err(Error::Internal(format!("{id} changed {MOST_TRIES} times while one change was being decided")))
    }

    /// The next revision of a proposal, and what the policy asks for about it.
    pub(super) async fn instead(
        &self,
        moment: &Moment<'_>,
        cause: Cause,
        mut proposal: Proposal,
        contents: &Contents,
        changes: Vec<Difference>,
    ) -> Result<(Instead, Vec<Payload>)> {
        let payloads = self.pack_proposal(&mut proposal, contents).await;
        let digest = proposal.digest(contents);
        let assessed = self.assess(moment.loaded, moment.checkpoint, (&proposal, contents), moment.in_force).await?;
        Ok((Instead { cause, proposal, digest, changes, assessed }, payloads))
    }

    /// Does something to a checkpoint that changes neither what is proposed nor what is decided.
    pub(super) async fn change_checkpoint(
        &self,
        scope: Scope,
        id: CheckpointId,
        command: Command,
        origin: &Origin,
    ) -> Result<CheckpointRow> {
        let row = self.store().checkpoint(scope, id).await?.ok_or_else(|| unknown_checkpoint(id))?;
        self.permit_checkpoint(scope, id).await?;
        let command = execution::Command::Checkpoint { id: id.0, command };
        let change = Change { origin: origin.clone(), ..Change::by(scope.actor(), command) };
        self.change(row.execution, change).await.map_err(|error| error.at("checkpointId"))?;
        self.changed_checkpoint(scope, id).await
    }

    /// The execution of a checkpoint of the caller's workspace, as the journal has it now.
    pub(in crate::engine) async fn execution_of_checkpoint(
        &self,
        scope: Scope,
        id: CheckpointId,
    ) -> Result<std::sync::Arc<Loaded>> {
        let row = self.store().checkpoint(scope, id).await?.ok_or_else(|| unknown_checkpoint(id))?;
        let unknown = || unknown_checkpoint(id);
        if let Some(loaded) = self.executions().loaded.get(row.execution) {
            // What is in memory may be old: who may decide is looked up in what is there now.
            let now = self.store().execution(scope, row.execution).await?.ok_or_else(unknown)?;
            if now.seq == loaded.state.seq {
                return Ok(loaded);
            }
        }
        self.load_execution(row.execution).await?.ok_or_else(unknown)
    }

    pub(in crate::engine) async fn changed_checkpoint(&self, scope: Scope, id: CheckpointId) -> Result<CheckpointRow> {
        let row = self.store().checkpoint(scope, id).await?;
        row.ok_or_else(|| Error::Internal(format!("{id} is not there after it was changed")))
    }
}

pub(super) fn unknown_checkpoint(id: CheckpointId) -> Error {
    let message = format!("there is no checkpoint `{id}` in this workspace");
    Refusal::at("checkpointId", Code::NotFound, message).into()
}
