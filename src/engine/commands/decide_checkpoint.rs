//! People decide.

use uuid::Uuid;

use super::change_checkpoint::{Moment, Prepared, Wanted};
use crate::{
    domain::{
        access::Scope,
        checkpoint::{
            Cause, Checkpoint, Command, Decide, Instead, Item, Kind, Proposal, Status, Verdict, differences, in_short,
            items,
        },
        id::{AgentId, CheckpointId},
        json::Json,
        name,
        refusal::{Code, Refusal},
        schema::Schema,
    },
    engine::{
        Engine, Error, Origin, Result,
        execution::{Packed, values},
    },
    store::{checkpoints::CheckpointRow, payloads::Payload},
};

pub(super) const LONGEST_REMARK: usize = 10_000;
/// The name in the API of the parameters that people give.
const MODIFIED: &str = "modifiedParameters";

/// One person's answer.
#[derive(Debug, Clone)]
pub struct DecideCheckpoint {
    pub checkpoint: CheckpointId,
    /// Of what the person saw.
    pub digest: String,
    pub verdict: Verdict,
    /// Required for a rejection.
    pub comment: Option<String>,
    /// To be done instead of what was proposed.
    pub modified_parameters: Option<Json>,
    /// The items that are approved; all of them when absent.
    pub items: Option<Vec<String>>,
    /// By the questions' ids.
    pub answers: Option<Json>,
}

impl Engine {
    pub async fn decide_checkpoint(
        &self,
        scope: Scope,
        command: DecideCheckpoint,
        origin: &Origin,
    ) -> Result<CheckpointRow> {
        let id = command.checkpoint;
        let field = if command.verdict == Verdict::Reject { "reason" } else { "comment" };
        let comment = command.comment.as_deref().map(|text| name::check_text(field, text, LONGEST_REMARK));
        let comment = comment.transpose()?.filter(|text| !text.trim().is_empty());
        if command.verdict == Verdict::Reject && comment.is_none() {
            return Err(Refusal::invalid("reason", "`reason` is empty: say why, for whoever proposed it").into());
        }
        let wanted = Wanted::Decide(Box::new(DecideCheckpoint { comment, ..command }));
        let row = self.carry_out(scope, id, wanted, origin).await?;
        self.review_rules(scope, id).await;
        if row.status == Status::Approved && row.kind == Kind::External {
            // It is approved: what goes wrong now is tried again.
            if let Err(error) = self.make_reviewed_change(scope, id).await {
                tracing::warn!(checkpoint = %id, error = error.explain(), "cannot make an approved change; trying again");
            }
        }
        Ok(row)
    }

    pub(super) async fn prepare_decision(&self, moment: &Moment<'_>, command: &DecideCheckpoint) -> Result<Prepared> {
        let Moment { scope, loaded, checkpoint, .. } = *moment;
        let person = self.caller(scope).await?;
        let mut decide = Decide {
            id: Uuid::now_v7(),
            by: scope.actor(),
            person: person.id,
            on_behalf_of: None,
            verdict: command.verdict,
            digest: command.digest.clone(),
            seats: Vec::new(),
            comment: command.comment.clone(),
            answers: None,
            instead: None,
            counts: true,
        };
        let mut payloads = Vec::new();
        // What comes too late is refused for that, and not for who sent it.
        if checkpoint.is_pending() {
            let right = self.right_to_decide(scope, loaded, checkpoint, &person).await??;
            (decide.seats, decide.on_behalf_of) = (right.seats, right.on_behalf_of);
            let current = checkpoint.current().filter(|current| current.digest == command.digest);
            if let Some(current) = current
                && let Some((instead, values)) = self.instead_of(moment, &current.proposal, command).await?
            {
                payloads.extend(values);
                // Who may approve what was proposed may not be who may approve this.
                let requirement = Some(instead.assessed.requirement.clone());
                let revised = Checkpoint { requirement, ..checkpoint.clone() };
                match self.right_to_decide(scope, loaded, &revised, &person).await? {
                    Ok(right) => (decide.seats, decide.on_behalf_of) = (right.seats, right.on_behalf_of),
                    Err(_) => decide.counts = false,
                }
                decide.instead = Some(instead);
            }
            if command.verdict == Verdict::Answer {
                let answers =
                    command.answers.clone().ok_or_else(|| Refusal::invalid("answers", "`answers` is missing"))?;
                check_answers(checkpoint.proposal(), &answers).await?;
                let packed = Packed::new(answers).await;
                decide.answers = Some(packed.data);
                payloads.extend(packed.payload);
            }
        }
        Ok(Some((Command::Decide(Box::new(decide)), payloads)))
    }

    /// What is approved instead of what was proposed, if it is something else.
    pub(super) async fn instead_of(
        &self,
        moment: &Moment<'_>,
        proposal: &Proposal,
        command: &DecideCheckpoint,
    ) -> Result<Option<(Instead, Vec<Payload>)>> {
        let Moment { scope, checkpoint, .. } = *moment;
        let mut contents = self.contents_of(scope.workspace(), proposal).await?;
        let proposed = contents.parameters.clone();
        let mut changed = proposal.clone();
        let cause = match (&command.modified_parameters, &command.items) {
            (Some(_), Some(_)) => {
                let message = "give `modifiedParameters` or `items`, not both";
                return Err(Refusal::invalid("items", message).into());
            }
            (None, None) => return Ok(None),
            (Some(parameters), None) => {
                self.check_parameters(scope, checkpoint, parameters).await?;
                contents.parameters = parameters.clone();
                // Who changes the list in which the items were found changes what they are.
                if let Some(listed) = items_in(checkpoint, parameters)? {
                    changed.item_count = u32::try_from(listed.len()).ok().filter(|count| *count > 0);
                    contents.items = changed.item_count.map(|_| items::to_json(&listed));
                }
                Cause::Modified
            }
            (None, Some(chosen)) => {
                let Some(list) = &contents.items else {
                    let message = "the proposal has no items: approve or reject it as a whole";
                    return Err(Refusal::invalid("items", message).into());
                };
                let all = items::from_json(list);
                let chosen = items::select(&all, chosen).map_err(|unknown| {
                    Refusal::at("items", Code::NotFound, format!("the proposal has no item `{unknown}`"))
                })?;
                if chosen.is_empty() {
                    let message = "no item is chosen: choose some, or reject the checkpoint";
                    return Err(Refusal::invalid("items", message).into());
                }
                if chosen.len() == all.len() {
                    return Ok(None);
                }
                contents.parameters = items::narrow(&contents.parameters, checkpoint.items_path.as_deref(), &chosen);
                changed.item_count = u32::try_from(chosen.len()).ok();
                contents.items = Some(items::to_json(&chosen));
                Cause::Selected
            }
        };
        // Items that are left out are told by their number.
        let changes = match cause {
            Cause::Modified => in_short(differences(&proposed.to_value(), &contents.parameters.to_value())),
            Cause::Selected | Cause::Answered | Cause::Revised | Cause::AgentUpdated => Vec::new(),
        };
        Ok(Some(self.instead(moment, cause, changed, &contents, changes).await?))
    }

    /// Parameters that people give must be such as the agent takes.
    async fn check_parameters(&self, scope: Scope, checkpoint: &Checkpoint, parameters: &Json) -> Result<()> {
        if checkpoint.proposal().is_some_and(|proposal| proposal.changes.is_some()) {
            let message = "a change that is reviewed is approved or rejected as it is: propose another change instead";
            return Err(Refusal::at(MODIFIED, Code::Conflict, message).into());
        }
        if !parameters.is_object() {
            let shown: String = parameters.text().chars().take(64).collect();
            let message = format!("`{MODIFIED}` must be an object, not `{shown}`");
            return Err(Refusal::invalid(MODIFIED, message).into());
        }
        let most = self.settings().max_value_bytes;
        if parameters.size() > most {
            let message = format!("`{MODIFIED}` has {} bytes: at most {most} are allowed", parameters.size());
            return Err(Refusal::invalid(MODIFIED, message).into());
        }
        items_in(checkpoint, parameters)?;
        let Some(agent) = checkpoint.agent.filter(|_| checkpoint.kind == Kind::Step).map(AgentId) else {
            return Ok(());
        };
        let Some(found) = self.store().agent(scope, agent).await? else { return Ok(()) };
        // The version that runs is the one that was shown.
        let shown = checkpoint.proposal().and_then(|proposal| proposal.runs.as_ref());
        let version = shown.map_or(found.version, |runs| runs.version);
        let Some(prepared) = self.prepared_agent(scope, agent, version).await? else { return Ok(()) };
        let Some(schema) = &prepared.input_schema else { return Ok(()) };
        if let Err(violations) = values::check(schema, parameters).await? {
            let refusals = violations.iter().map(|violation| {
                let explained = values::explain(violation);
                let message = format!("`{MODIFIED}` does not fit what the agent `{}` takes: {explained}", found.name);
                Refusal::invalid(MODIFIED, message)
            });
            return Err(Error::Refused(refusals.collect()));
        }
        Ok(())
    }

    /// Packs the values of a proposal for the journal.
    pub(super) async fn pack_proposal(
        &self,
        proposal: &mut Proposal,
        contents: &crate::domain::checkpoint::Contents,
    ) -> Vec<Payload> {
        let parameters = Packed::new(contents.parameters.clone()).await;
        proposal.parameters = parameters.data;
        let mut payloads: Vec<Payload> = parameters.payload.into_iter().collect();
        for (value, place) in
            [(&contents.supporting_data, &mut proposal.supporting_data), (&contents.items, &mut proposal.items)]
        {
            *place = match value {
                Some(value) => {
                    let packed = Packed::new(value.clone()).await;
                    payloads.extend(packed.payload);
                    Some(packed.data)
                }
                None => None,
            };
        }
        payloads
    }
}

/// The items of other parameters than those that were proposed; nothing for a checkpoint whose items are no part of them.
fn items_in(checkpoint: &Checkpoint, parameters: &Json) -> Result<Option<Vec<Item>>> {
    let Some(path) = &checkpoint.items_path else { return Ok(None) };
    let Some(list) = parameters.at(path.iter().map(String::as_str)) else { return Ok(Some(Vec::new())) };
    let cannot = |error| Refusal::invalid(MODIFIED, format!("`{MODIFIED}` has items that cannot be used: {error}"));
    Ok(Some(items::read(&list).map_err(cannot)?))
}

/// Every question needs an answer that fits it, and every answer a question.
async fn check_answers(proposal: Option<&Proposal>, answers: &Json) -> Result<()> {
    let questions = proposal.map(|proposal| proposal.questions.as_slice()).unwrap_or_default();
    let Some(given) = answers.fields() else {
        return Err(Refusal::invalid("answers", "`answers` must be an object: an answer for each question's id").into());
    };
    let mut refusals = Vec::new();
    for question in questions {
        let Some(answer) = given.get(&question.id).filter(|answer| answer.get() != "null") else {
            let message = format!("the question `{}` has no answer: {}", question.id, question.text);
            refusals.push(Refusal::invalid("answers", message));
            continue;
        };
        let schema = question.schema.as_ref().map(|schema| Schema::compile(&schema.to_value()));
        if let Some(Ok(schema)) = schema
            && let Err(violations) = values::check(&schema, &Json::from(*answer)).await?
        {
            refusals.extend(violations.iter().map(|violation| {
                let explained = values::explain(violation);
                Refusal::invalid(
                    "answers",
                    format!("the answer to `{}` does not fit its schema: {explained}", question.id),
                )
            }));
        }
    }
    for unknown in given.keys().filter(|id| !questions.iter().any(|question| question.id == **id)) {
        let shown: String = unknown.chars().take(64).collect();
        refusals.push(Refusal::at("answers", Code::NotFound, format!("there is no question `{shown}`")));
    }
    if refusals.is_empty() { Ok(()) } else { Err(Error::Refused(refusals)) }
}
