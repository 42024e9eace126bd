//! A conversation about a checkpoint: comments, questions and answers, and what is proposed instead.

use uuid::Uuid;

use super::{
    ask_people::least_risk,
    change_checkpoint::{Moment, Prepared, Wanted},
    decide_checkpoint::LONGEST_REMARK,
    request_approval::RequestApproval,
};
use crate::{
    domain::{
        access::{Actor, Scope},
        checkpoint::{Answered, Cause, Checkpoint, Command, Kind},
        id::{AgentId, CheckpointId},
        name,
        refusal::{Code, Refusal},
    },
    engine::{Engine, Origin, Result},
    store::checkpoints::CheckpointRow,
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
        self.change_checkpoint(scope, id, command, origin).await
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
        self.change_checkpoint(scope, id, command, origin).await
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
        self.carry_out(scope, id, Wanted::Answer { question, text }, origin).await
    }

    pub(super) async fn prepare_answer(&self, moment: &Moment<'_>, question: Uuid, text: &str) -> Result<Prepared> {
        let Moment { scope, loaded, checkpoint, .. } = *moment;
        let asked = checkpoint.questions.iter().find(|asked| asked.question.id == question);
        let Some((asked, current)) = asked.zip(checkpoint.current()) else {
            let message = "no one asked this question about the checkpoint";
            return Err(Refusal::at("questionId", Code::NotFound, message).into());
        };
        if !self.is_addressee(scope, loaded.owner.actor, checkpoint).await? {
            let message = match checkpoint.kind {
                Kind::External | Kind::Clarification => {
                    "only the one who asked for approval answers questions about it"
                }
                Kind::Step => {
                    "only the one who started the execution, the agent's authors and API tokens that are restricted \
                     to the agent answer questions about it"
                }
            };
            return Err(Refusal::at("checkpointId", Code::NotAllowed, message).into());
        }
        let mut proposal = current.proposal.clone();
        proposal.answered.push(Answered { question: asked.question.text.clone(), answer: text.to_owned() });
        let contents = self.contents_of(scope.workspace(), &proposal).await?;
        let (instead, payloads) = self.instead(moment, Cause::Answered, proposal, &contents, Vec::new()).await?;
        let (by, text, instead) = (scope.actor(), text.to_owned(), Box::new(instead));
        Ok(Some((Command::Answer { question, by, text, instead }, payloads)))
    }

    /// Whether questions about a checkpoint are put to the caller: the one who asked for approval; for a step, the one who
    /// started the execution, those who wrote the agent and the programs of that agent.
    pub async fn is_addressee(&self, scope: Scope, starter: Actor, checkpoint: &Checkpoint) -> Result<bool> {
        let mut addressees = match checkpoint.kind {
            Kind::External | Kind::Clarification => vec![checkpoint.by],
            Kind::Step => vec![starter],
        };
        if let Some(agent) = checkpoint.agent.map(AgentId).filter(|_| checkpoint.kind == Kind::Step) {
            if self.is_program_of(scope, agent).await? {
                return Ok(true);
            }
            addressees
                .extend(self.store().authors_of_agents(scope, &[agent]).await?.remove(&agent).unwrap_or_default());
        }
        let caller = self.identity(scope, scope.actor()).await?;
        let identities = self.identities(scope, addressees).await?;
        Ok(scope.actor() == Actor::System || caller.is_some_and(|caller| identities.values().any(|id| *id == caller)))
    }

    /// Whoever asked proposes something else.
    pub async fn revise_proposal(
        &self,
        scope: Scope,
        id: CheckpointId,
        command: RequestApproval,
        origin: &Origin,
    ) -> Result<CheckpointRow> {
        self.carry_out(scope, id, Wanted::Revise(Box::new(command)), origin).await
    }

    pub(super) async fn prepare_revision(&self, moment: &Moment<'_>, command: &RequestApproval) -> Result<Prepared> {
        let Moment { scope, loaded, checkpoint, in_force } = *moment;
        if checkpoint.kind != Kind::External {
            let message = "only who asked with requestApproval can propose something else: reject a step instead";
            return Err(Refusal::at("checkpointId", Code::Conflict, message).into());
        }
        let (asker, caller) = (self.identity(scope, checkpoint.by).await?, self.identity(scope, scope.actor()).await?);
        if asker != caller && scope.actor() != Actor::System {
            let message = "only who asked can propose something else";
            return Err(Refusal::at("checkpointId", Code::NotAllowed, message).into());
        }
        let (mut proposal, contents) = self.check_proposal(command)?;
        self.permit_operation_type(scope, &proposal.operation_type).await?;
        let step = checkpoint.step.and_then(|step| loaded.state.steps.get(step));
        let agent = self.risk_of_agent(scope, step.and_then(|step| step.agent)).await?;
        proposal.risk_level = least_risk(&proposal, in_force, agent);
        self.may_request(scope, &proposal, in_force).await?;
        proposal.answered = checkpoint.proposal().map(|before| before.answered.clone()).unwrap_or_default();
        let (instead, payloads) = self.instead(moment, Cause::Revised, proposal, &contents, Vec::new()).await?;
        if checkpoint.current().is_some_and(|current| current.digest == instead.digest) {
            return Ok(None);
        }
        Ok(Some((Command::Revise { by: scope.actor(), instead: Box::new(instead) }, payloads)))
    }
}

fn check_remark(field: &'static str, text: &str) -> Result<String> {
    let text = name::check_text(field, text, LONGEST_REMARK)?;
    if text.trim().is_empty() {
        return Err(Refusal::invalid(field, format!("`{field}` is empty")).into());
    }
    Ok(text)
}
