//! Agents ask people: for an approval, or for answers.

use super::{ask_people::Asking, decide_checkpoint::LONGEST_REMARK};
use crate::{
    domain::{
        access::Scope,
        agent::RiskLevel,
        checkpoint::{Contents, Kind, Proposal, Question, items},
        execution::Data,
        json::Json,
        name, operation_type,
        refusal::Refusal,
        schema,
    },
    engine::{Engine, Result, error::Problems},
    store::checkpoints::CheckpointRow,
};

const LONGEST_WORD: usize = 100;
const LONGEST_TEXT: usize = 100_000;
const MOST_ALTERNATIVES: usize = 20;
const MOST_QUESTIONS: usize = 50;

/// What somebody wants to do.
#[derive(Debug, Clone)]
pub struct RequestApproval {
    pub asking: Asking,
    pub operation_type: String,
    pub description: String,
    pub parameters: Json,
    pub risk_level: RiskLevel,
    pub reasoning: Option<String>,
    pub confidence: Option<f64>,
    pub estimated_cost: Option<u64>,
    pub supporting_data: Option<Json>,
    pub alternatives: Vec<String>,
    /// A list of objects.
    pub items: Option<Json>,
}

/// What somebody wants to know.
#[derive(Debug, Clone)]
pub struct RequestClarification {
    pub asking: Asking,
    pub description: Option<String>,
    /// Each with an id of its own or none, its text and what its answer must look like.
    pub questions: Vec<(Option<String>, String, Option<Json>)>,
    pub supporting_data: Option<Json>,
}

impl Engine {
    pub async fn request_approval(&self, scope: Scope, command: RequestApproval) -> Result<CheckpointRow> {
        let (proposal, contents) = self.check_proposal(&command)?;
        self.permit_operation_type(scope, &proposal.operation_type).await?;
        self.ask(scope, command.asking, Kind::External, proposal, contents).await
    }

    pub async fn request_clarification(&self, scope: Scope, command: RequestClarification) -> Result<CheckpointRow> {
        let questions = check_questions(command.questions)?;
        let description =
            command.description.as_deref().map(|text| name::check_text("description", text, LONGEST_REMARK));
        let description = description.transpose()?.filter(|text| !text.trim().is_empty());
        let first = questions.first().map(|question| question.text.clone()).unwrap_or_default();
        let contents = Contents { parameters: Json::object([]), supporting_data: command.supporting_data, items: None };
        let proposal = Proposal {
            operation_type: "clarification".to_owned(),
            description: description.unwrap_or(first),
            parameters: Data::Inline(Json::object([])),
            risk_level: RiskLevel::Low,
            reasoning: None,
            confidence: None,
            estimated_cost: None,
            supporting_data: None,
            alternatives: Vec::new(),
            items: None,
            item_count: None,
            questions,
            answered: Vec::new(),
            runs: None,
            changes: None,
        };
        self.ask(scope, command.asking, Kind::Clarification, proposal, contents).await
    }

    /// Checks what somebody wants to do, all of it at once.
    pub(super) fn check_proposal(&self, command: &RequestApproval) -> Result<(Proposal, Contents)> {
        let mut problems = Problems::default();
        let operation_type = problems.take(operation_type::check("operationType", &command.operation_type));
        let description = problems.take(name::check_text("description", &command.description, LONGEST_REMARK));
        if command.description.trim().is_empty() {
            problems.note(Refusal::invalid("description", "`description` is empty: say what is to be done"));
        }
        let reasoning = command.reasoning.as_deref().map(|text| name::check_text("reasoning", text, LONGEST_TEXT));
        let reasoning = reasoning.and_then(|checked| problems.take(checked));
        if let Some(confidence) = command.confidence.filter(|confidence| !(0.0..=1.0).contains(confidence)) {
            problems.note(Refusal::invalid("confidence", format!("`confidence` is {confidence}: give 0 to 1")));
        }
        if command.alternatives.len() > MOST_ALTERNATIVES {
            let message =
                format!("`alternatives` has {} entries: at most {MOST_ALTERNATIVES}", command.alternatives.len());
            problems.note(Refusal::invalid("alternatives", message));
        }
        let alternatives =
            command.alternatives.iter().map(|text| name::check_text("alternatives", text, LONGEST_REMARK));
        let alternatives: Vec<String> = alternatives.filter_map(|checked| problems.take(checked)).collect();
        let most = self.settings().max_value_bytes;
        for (field, value) in [
            ("parameters", Some(&command.parameters)),
            ("supportingData", command.supporting_data.as_ref()),
            ("items", command.items.as_ref()),
        ] {
            if let Some(value) = value.filter(|value| value.size() > most) {
                let message = format!("`{field}` has {} bytes: at most {most} are allowed", value.size());
                problems.note(Refusal::invalid(field, message));
            }
        }
        if !command.parameters.is_object() {
            let shown: String = command.parameters.text().chars().take(64).collect();
            problems.note(Refusal::invalid("parameters", format!("`parameters` must be an object, not `{shown}`")));
        }
        let list =
            command.items.as_ref().map(|list| items::read(list).map_err(|error| Refusal::invalid("items", error)));
        let list = list.and_then(|read| problems.take(read)).filter(|list| !list.is_empty());
        problems.check()?;
        let contents = Contents {
            parameters: command.parameters.clone(),
            supporting_data: command.supporting_data.clone(),
            items: list.as_deref().map(items::to_json),
        };
        let proposal = Proposal {
            operation_type: operation_type.unwrap_or_default(),
            description: description.unwrap_or_default(),
            parameters: Data::Inline(Json::object([])),
            risk_level: command.risk_level,
            reasoning,
            confidence: command.confidence,
            estimated_cost: command.estimated_cost,
            supporting_data: None,
            alternatives,
            items: None,
            item_count: list.map(|list| u32::try_from(list.len()).unwrap_or(u32::MAX)),
            questions: Vec::new(),
            answered: Vec::new(),
            runs: None,
            changes: None,
        };
        Ok((proposal, contents))
    }
}

fn check_questions(given: Vec<(Option<String>, String, Option<Json>)>) -> Result<Vec<Question>> {
    let mut problems = Problems::default();
    if given.is_empty() || given.len() > MOST_QUESTIONS {
        let message = format!("`questions` has {} entries: give 1 to {MOST_QUESTIONS}", given.len());
        problems.note(Refusal::invalid("questions", message));
    }
    let mut questions: Vec<Question> = Vec::new();
    for (number, (id, text, schema)) in given.into_iter().enumerate().take(MOST_QUESTIONS) {
        let id = id.unwrap_or_else(|| format!("q{}", number + 1));
        let id = problems.take(name::check("questions", &id, LONGEST_WORD)).unwrap_or_default();
        let text = problems.take(name::check_text("questions", &text, LONGEST_REMARK)).unwrap_or_default();
        if text.trim().is_empty() {
            problems.note(Refusal::invalid("questions", format!("question {} has no text", number + 1)));
        }
        if let Some(Err(error)) = schema.as_ref().map(|schema| schema::check(&schema.to_value())) {
            problems.note(Refusal::invalid("questions", format!("question {}: {error}", number + 1)));
        }
        if questions.iter().any(|other| other.id == id) {
            problems.note(Refusal::invalid("questions", format!("two questions have the id `{id}`")));
        }
        questions.push(Question { id, text, schema });
    }
    problems.check()?;
    Ok(questions)
}
