//! What is about to be done, as those see it who decide.

use async_graphql::{Context, Object, SimpleObject};

use crate::{
    domain::{
        checkpoint::{self, Contents, items},
        json,
    },
    graphql::{agent::RiskLevel, error::Result, execution::value, json::Json},
};

/// What a list of items counts for in a query's complexity.
pub const LIST_COST: usize = 10;

/// What a step, a worker or somebody outside is about to do.
#[derive(Clone)]
pub struct Proposal(pub checkpoint::Proposal);

/// What a step, a worker or somebody outside is about to do.
#[Object]
impl Proposal {
    /// What kind of action it is: a word such as `refund`, which policies know.
    async fn operation_type(&self) -> &str {
        &self.0.operation_type
    }

    /// Exactly what it is done with.
    async fn parameters(&self, ctx: &Context<'_>) -> Result<Json> {
        Ok(Json::from(&value(ctx, &self.0.parameters).await?))
    }

    /// What is done, in plain words.
    async fn description(&self) -> &str {
        &self.0.description
    }

    /// Why, as whoever prepared it says.
    async fn reasoning(&self) -> Option<&str> {
        self.0.reasoning.as_deref()
    }

    /// How sure whoever prepared it is, from 0 to 1.
    async fn confidence(&self) -> Option<f64> {
        self.0.confidence
    }

    /// How much harm it can do.
    async fn risk_level(&self) -> RiskLevel {
        self.0.risk_level.into()
    }

    /// What it will cost, in millionths of a credit: a whole number.
    async fn estimated_cost_micros(&self) -> Option<f64> {
        self.0.estimated_cost.map(|cost| cost as f64)
    }

    /// What helps to decide.
    async fn supporting_data(&self, ctx: &Context<'_>) -> Result<Option<Json>> {
        match &self.0.supporting_data {
            Some(data) => Ok(Some(Json::from(&value(ctx, data).await?))),
            None => Ok(None),
        }
    }

    /// What happens, or could be done instead, if it is denied.
    async fn alternatives(&self) -> &[String] {
        &self.0.alternatives
    }

    /// The parts that can be approved alone; empty for a proposal that is decided as a whole.
    #[graphql(complexity = "LIST_COST * child_complexity")]
    async fn items(&self, ctx: &Context<'_>) -> Result<Vec<ProposalItem>> {
        let Some(data) = &self.0.items else { return Ok(Vec::new()) };
        let list = items::from_json(&value(ctx, data).await?);
        Ok(list.into_iter().map(ProposalItem::from).collect())
    }

    /// What people are asked, at a checkpoint of the kind CLARIFICATION.
    #[graphql(complexity = "LIST_COST * child_complexity")]
    async fn questions(&self) -> Vec<ProposalQuestion> {
        self.0.questions.iter().cloned().map(ProposalQuestion::from).collect()
    }

    /// What was asked about it and answered so far: part of what is decided on.
    #[graphql(complexity = "LIST_COST * child_complexity")]
    async fn answered(&self) -> Vec<AnsweredQuestion> {
        let answered = self.0.answered.iter().cloned();
        answered.map(|one| AnsweredQuestion { question: one.question, answer: one.answer }).collect()
    }
}

/// A part of a proposal that can be approved alone.
#[derive(SimpleObject)]
pub struct ProposalItem {
    /// By which it is chosen, unique in the proposal.
    id: String,
    /// What it is, for people.
    label: String,
    /// What is done with it, in a word.
    action: Option<String>,
    /// What is to be seen of it.
    data: Json,
}

impl From<checkpoint::Item> for ProposalItem {
    fn from(item: checkpoint::Item) -> Self {
        Self { id: item.id, label: item.label, action: item.action, data: Json::from(&item.data) }
    }
}

/// Something that people are asked.
#[derive(SimpleObject)]
pub struct ProposalQuestion {
    /// Under which it is answered, unique in the proposal.
    id: String,
    /// The question.
    text: String,
    /// What its answer must look like, as a JSON Schema; null: anything but null.
    schema: Option<Json>,
}

impl From<checkpoint::Question> for ProposalQuestion {
    fn from(question: checkpoint::Question) -> Self {
        Self { id: question.id, text: question.text, schema: question.schema.as_ref().map(Json::from) }
    }
}

/// A question about a proposal with its answer.
#[derive(SimpleObject)]
pub struct AnsweredQuestion {
    /// What somebody wanted to know before deciding.
    question: String,
    /// What whoever is behind the proposal said.
    answer: String,
}

/// The values of a proposal.
pub async fn contents(ctx: &Context<'_>, proposal: &checkpoint::Proposal) -> Result<Contents> {
    let maybe = async |data: Option<&crate::domain::execution::Data>| -> Result<Option<json::Json>> {
        match data {
            Some(data) => Ok(Some(value(ctx, data).await?)),
            None => Ok(None),
        }
    };
    Ok(Contents {
        parameters: value(ctx, &proposal.parameters).await?,
        supporting_data: maybe(proposal.supporting_data.as_ref()).await?,
        items: maybe(proposal.items.as_ref()).await?,
    })
}
