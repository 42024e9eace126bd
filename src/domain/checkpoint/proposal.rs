//! What is about to be done, and the digest of exactly that.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sha2::{Digest as _, Sha256};
use uuid::Uuid;

use super::words::Subject;
use crate::domain::{agent::RiskLevel, canonical::canonical, execution::Data, id::AgentId, json::Json};

/// A proposal as the journal keeps it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Proposal {
    /// What kind of action it is, for policies: a word such as `refund`.
    pub operation_type: String,
    /// In plain words.
    pub description: String,
    /// Exactly what is done with.
    pub parameters: Data,
    pub risk_level: RiskLevel,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reasoning: Option<String>,
    /// From 0 to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f64>,
    /// In millionths.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub estimated_cost: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub supporting_data: Option<Data>,
    /// What else could be done, or what happens, if it is denied.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub alternatives: Vec<String>,
    /// A list of [`super::Item`]s; nothing for a proposal that is decided as a whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub items: Option<Data>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub item_count: Option<u32>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub questions: Vec<Question>,
    /// What was asked about it and answered so far.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub answered: Vec<Answered>,
    /// The code that does it: exactly this version runs once it is approved. Nothing for what others do themselves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub runs: Option<Runs>,
    /// What the server changes, with the parameters, once it is approved. No caller can say so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub changes: Option<Subject>,
}

/// An agent at one version.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Runs {
    pub agent: Uuid,
    pub name: String,
    pub version: i32,
    /// The SHA-256 of the version's specification, which has its configuration. Secrets are in there by name only.
    pub specification: String,
    /// The agent's own operation type, where the step says another one: the rules for both hold.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub operation_type: Option<String>,
}

/// Something that people are asked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Question {
    pub id: String,
    pub text: String,
    /// What its answer must look like.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schema: Option<Json>,
}

/// A question about a proposal, and what whoever is behind it said.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answered {
    pub question: String,
    pub answer: String,
}

/// The values of a proposal: what its journaled form refers to.
#[derive(Debug, Clone, PartialEq)]
pub struct Contents {
    pub parameters: Json,
    pub supporting_data: Option<Json>,
    pub items: Option<Json>,
}

impl Proposal {
    /// The SHA-256 of everything that somebody sees who decides, in hexadecimal digits.
    pub fn digest(&self, contents: &Contents) -> String {
        let text = canonical(&self.shown(contents));
        data_encoding::HEXLOWER.encode(&Sha256::digest(text.as_bytes()))
    }

    /// The proposal as one value, as expressions and digests see it.
    pub fn shown(&self, contents: &Contents) -> Value {
        let mut shown = Map::new();
        let mut put = |name: &str, value: Value| _ = shown.insert(name.to_owned(), value);
        put("operationType", self.operation_type.as_str().into());
        put("description", self.description.as_str().into());
        put("params", contents.parameters.to_value());
        put("riskLevel", self.risk_level.as_str().into());
        if let Some(reasoning) = &self.reasoning {
            put("reasoning", reasoning.as_str().into());
        }
        if let Some(confidence) = self.confidence {
            put("confidence", confidence.into());
        }
        if let Some(cost) = self.estimated_cost {
            put("estimatedCost", cost.into());
        }
        if let Some(data) = &contents.supporting_data {
            put("supportingData", data.to_value());
        }
        if !self.alternatives.is_empty() {
            put("alternatives", self.alternatives.clone().into());
        }
        if let Some(items) = &contents.items {
            put("items", items.to_value());
        }
        if !self.questions.is_empty() {
            let shown = self.questions.iter().map(|question| {
                let schema = question.schema.as_ref().map_or(Value::Null, Json::to_value);
                serde_json::json!({"id": question.id, "text": question.text, "schema": schema})
            });
            put("questions", shown.collect());
        }
        if !self.answered.is_empty() {
            let shown = self.answered.iter();
            put(
                "answered",
                shown.map(|one| serde_json::json!({"question": one.question, "answer": one.answer})).collect(),
            );
        }
        if let Some(runs) = &self.runs {
            let shown = serde_json::json!({
                "agent": AgentId(runs.agent).to_string(), "name": runs.name, "version": runs.version,
                "specification": runs.specification,
            });
            put("runs", shown);
        }
        if let Some(subject) = self.changes {
            put("changes", subject.as_str().into());
        }
        Value::Object(shown)
    }
}
