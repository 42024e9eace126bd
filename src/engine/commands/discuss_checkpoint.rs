//! A conversation about a checkpoint: comments, questions and answers, and what is proposed instead.

use uuid::Uuid;

use super::{
    decide_checkpoint::{LONGEST_REMARK, unknown_checkpoint},
    request_approval::RequestApproval,
};
use crate::{
    domain::{
        access::{Actor, Scope},
        checkpoint::{Answered, Command, Kind},
        execution,
        id::CheckpointId,
        name,
        refusal::{Code, Refusal},
    },
    engine::{Engine, Origin, Result, execution::Change},
    store::{checkpoints::CheckpointRow, payloads::Payload},
};

impl Engine {
    pub async fn comment_on_checkpoint(
        &self,
        scope: Scope,
        id: CheckpointId,
        text: &str,
        origin: &Origin,
    ) -> Result<CheckpointRow> {
        let text = check_remark("comment", text)?;
        let command = Command::Comment { id: Uuid::now_v7(), by: scope.actor(), text };
        self.change_checkpoint(scope, id, command, Vec::new(), origin).await
    }

    /// Puts a question to whoever is behind the proposal.
    pub async fn ask_about_checkpoint(
        &self,
        scope: Scope,
        id: CheckpointId,
        text: &str,
        origin: &Origin,
    ) -> Result<CheckpointRow> {
        let text = check_remark("question", text)?;
        let command = Command::Ask { id: Uuid::now_v7(), by: scope.actor(), text };
        self.change_checkpoint(scope, id, command, Vec::new(), origin).await
    }

    /// Answers a question. The answer is part of what is decided on from then on.
    pub async fn answer_about_checkpoint(
        &self,
        scope: Scope,
        id: CheckpointId,
        question: Uuid,
        text: &str,
        origin: &Origin,
    ) -> Result<CheckpointRow> {
        let text = check_remark("answer", text)?;
        let loaded = self.execution_of_checkpoint(scope, id).await?;
        let checkpoint = loaded.state.checkpoint(id.0).ok_or_else(|| unknown_checkpoint(id))?;
        let asked = checkpoint.questions.iter().find(|asked| asked.question.id == question);
        let Some((asked, current)) = asked.zip(checkpoint.current()) else {
            let message = "nobody asked this question about the checkpoint";
            return Err(Refusal::at("questionId", Code::NotFound, message).into());
        };
        let mut proposal = current.proposal.clone();
        proposal.answered.push(Answered { question: asked.question.text.clone(), answer: text.clone() });
        let contents = self.contents_of(scope.workspace(), &proposal).await?;
        let digest = proposal.digest(&contents);
        let command = Command::Answer { question, by: scope.actor(), text, proposal: Box::new(proposal), digest };
        self.change_checkpoint(scope, id, command, Vec::new(), origin).await
    }

    /// Whoever asked proposes something else.
    pub async fn revise_proposal(
        &self,
        scope: Scope,
        id: CheckpointId,
        command: RequestApproval,
        origin: &Origin,
    ) -> Result<CheckpointRow> {
        let loaded = self.execution_of_checkpoint(scope, id).await?;
        let checkpoint = loaded.state.checkpoint(id.0).ok_or_else(|| unknown_checkpoint(id))?;
        if checkpoint.kind != Kind::External {
            let message = "only who asked with requestApproval can propose something else: reject a step instead";
            return Err(Refusal::at("checkpointId", Code::Conflict, message).into());
        }
        let (asker, caller) = (self.identity(scope, checkpoint.by).await?, self.identity(scope, scope.actor()).await?);
        if asker != caller && scope.actor() != Actor::System {
            let message = "only who asked can propose something else";
            return Err(Refusal::at("checkpointId", Code::NotAllowed, message).into());
        }
        let (mut proposal, contents) = self.check_proposal(&command)?;
        proposal.answered = checkpoint.proposal().map(|before| before.answered.clone()).unwrap_or_default();
        let payloads = self.pack_proposal(&mut proposal, &contents).await;
        let digest = proposal.digest(&contents);
        if checkpoint.current().is_some_and(|current| current.digest == digest) {
            return self.changed_checkpoint(scope, id).await;
        }
        let command = Command::Revise { by: scope.actor(), proposal: Box::new(proposal), digest };
        self.change_checkpoint(scope, id, command, payloads, origin).await
    }

    pub(super) async fn change_checkpoint(
        &self,
        scope: Scope,
        id: CheckpointId,
        command: Command,
        payloads: Vec<Payload>,
        origin: &Origin,
    ) -> Result<CheckpointRow> {
        let row = self.store().checkpoint(scope, id).await?.ok_or_else(|| unknown_checkpoint(id))?;
        let command = execution::Command::Checkpoint { id: id.0, command };
        let change = Change { payloads, origin: origin.clone(), ..Change::by(scope.actor(), command) };
        self.change(row.execution, change).await.map_err(|error| error.at("checkpointId"))?;
        self.changed_checkpoint(scope, id).await
    }
}

fn check_remark(field: &'static str, text: &str) -> Result<String> {
    let text = name::check_text(field, text, LONGEST_REMARK)?;
    if text.trim().is_empty() {
        return Err(Refusal::invalid(field, format!("`{field}` is empty")).into());
    }
    Ok(text)
}
