//! Agents ask people.

use async_graphql::{Context, ID, InputObject, Object};
use serde_json::json;

use super::payload::{checkpoint_payload, of_command, of_request, parse_checkpoint};
use crate::{
    domain::{
        execution::{Mode, Usage},
        json,
        refusal::Refusal,
        role::Role,
    },
    engine::commands::{Asking, Lease, RequestApproval, RequestClarification},
    graphql::{
        agent::RiskLevel,
        caller::ContextExt,
        error::{Result, UserError},
        execution::ExecutionMode,
        json::{Json, read},
    },
};

/// A part of a proposal that can be approved alone.
#[derive(InputObject)]
pub struct ProposalItemInput {
    /// By which it is chosen, unique in the proposal: 1 to 200 characters.
    id: String,
    /// What it is, for people: the id when absent.
    label: Option<String>,
    /// What is done with it, in a word.
    action: Option<String>,
    /// What is to be seen of it.
    data: Option<Json>,
}

/// Something that people are asked.
#[derive(InputObject)]
pub struct ProposalQuestionInput {
    /// Under which it is answered, unique in the request: `q1`, `q2`, … when absent.
    id: Option<String>,
    /// The question.
    text: String,
    /// What its answer must look like, as a JSON Schema; absent: anything but null.
    schema: Option<Json>,
}

/// What somebody wants to do.
#[derive(InputObject)]
pub struct RequestApprovalInput {
    /// The lease of the task in the middle of which it is asked; absent for a request that stands alone.
    lease_token: Option<String>,
    /// Within a task: the same key gives the same checkpoint, also after the worker was started anew.
    key: Option<String>,
    /// Outside of tasks: makes a retry safe. The same key gives the same checkpoint.
    idempotency_key: Option<String>,
    /// What it belongs to, such as an order's number: 1 to 200 characters. Outside of tasks.
    correlation_id: Option<String>,
    /// What it is for, outside of tasks.
    #[graphql(default_with = "ExecutionMode::Live")]
    mode: ExecutionMode,
    /// What kind of action it is, for policies: a word such as `refund`.
    operation_type: String,
    /// What is to be done, in plain words: 1 to 10,000 characters.
    description: String,
    /// Exactly what it is done with: an object.
    parameters: Json,
    /// How much harm it can do.
    risk_level: RiskLevel,
    /// Why: at most 100,000 characters.
    reasoning: Option<String>,
    /// How sure whoever asks is, from 0 to 1.
    confidence: Option<f64>,
    /// What it will cost, in millionths of a credit: a whole number.
    estimated_cost_micros: Option<f64>,
    /// What helps to decide.
    supporting_data: Option<Json>,
    /// What happens, or could be done instead, if it is denied: at most 20.
    #[graphql(default)]
    alternatives: Vec<String>,
    /// Parts that can be approved alone: at most 10,000.
    items: Option<Vec<ProposalItemInput>>,
}

/// What somebody wants to do instead.
#[derive(InputObject)]
pub struct ReviseProposalInput {
    /// The checkpoint, of the kind EXTERNAL, which the caller asked for and which must wait.
    checkpoint_id: ID,
    /// What kind of action it is, for policies: a word such as `refund`.
    operation_type: String,
    /// What is to be done, in plain words: 1 to 10,000 characters.
    description: String,
    /// Exactly what it is done with: an object.
    parameters: Json,
    /// How much harm it can do.
    risk_level: RiskLevel,
    /// Why: at most 100,000 characters.
    reasoning: Option<String>,
    /// How sure whoever asks is, from 0 to 1.
    confidence: Option<f64>,
    /// What it will cost, in millionths of a credit: a whole number.
    estimated_cost_micros: Option<f64>,
    /// What helps to decide.
    supporting_data: Option<Json>,
    /// What happens, or could be done instead, if it is denied: at most 20.
    #[graphql(default)]
    alternatives: Vec<String>,
    /// Parts that can be approved alone: at most 10,000.
    items: Option<Vec<ProposalItemInput>>,
}

/// What somebody wants to know.
#[derive(InputObject)]
pub struct RequestClarificationInput {
    /// The lease of the task in the middle of which it is asked; absent for a request that stands alone.
    lease_token: Option<String>,
    /// Within a task: the same key gives the same checkpoint, also after the worker was started anew.
    key: Option<String>,
    /// Outside of tasks: makes a retry safe. The same key gives the same checkpoint.
    idempotency_key: Option<String>,
    /// What it belongs to, such as an order's number: 1 to 200 characters. Outside of tasks.
    correlation_id: Option<String>,
    /// What it is for, outside of tasks.
    #[graphql(default_with = "ExecutionMode::Live")]
    mode: ExecutionMode,
    /// What it is about: the first question when absent.
    description: Option<String>,
    /// 1 to 50 questions.
    questions: Vec<ProposalQuestionInput>,
    /// What helps to answer.
    supporting_data: Option<Json>,
}

checkpoint_payload! {
    /// The new checkpoint, or what was wrong.
    RequestApprovalPayload
}
checkpoint_payload! {
    /// The new checkpoint, or what was wrong.
    RequestClarificationPayload
}
checkpoint_payload! {
    /// The checkpoint with its next revision, or what was wrong.
    ReviseProposalPayload
}

type Read<T> = std::result::Result<T, UserError>;

fn read_asking(
    lease_token: Option<&str>,
    key: Option<String>,
    idempotency_key: Option<String>,
    correlation_id: Option<String>,
    mode: ExecutionMode,
) -> Read<Asking> {
    let lease = lease_token.map(Lease::parse).transpose()?;
    Ok(Asking { lease, key, idempotency_key, correlation_id, test: Mode::from(mode) == Mode::Test })
}

/// The bound is far below 2^53, so that every whole number up to it is exact.
fn read_cost(micros: Option<f64>) -> Read<Option<u64>> {
    match micros {
        None => Ok(None),
        Some(cost) if cost.fract() == 0.0 && (0.0..=Usage::MOST as f64).contains(&cost) => Ok(Some(cost as u64)),
        Some(cost) => {
            let message = format!("`estimatedCostMicros` is {cost}: give a whole number from 0 to {}", Usage::MOST);
            Err(Refusal::invalid("estimatedCostMicros", message).into())
        }
    }
}

fn read_if_any(field: &'static str, value: Option<&Json>) -> Read<Option<json::Json>> {
    value.map(|value| read(field, value)).transpose()
}

fn read_items(items: Option<Vec<ProposalItemInput>>) -> Read<Option<json::Json>> {
    let Some(items) = items else { return Ok(None) };
    let list = items.into_iter().map(|item| {
        let data = item.data.map_or(serde_json::Value::Null, |data| data.0);
        json!({"id": item.id, "label": item.label, "action": item.action, "data": data})
    });
    read("items", &Json(list.collect())).map(Some)
}

impl RequestApprovalInput {
    fn into_command(self) -> Read<RequestApproval> {
        let asking =
            read_asking(self.lease_token.as_deref(), self.key, self.idempotency_key, self.correlation_id, self.mode)?;
        Ok(RequestApproval {
            asking,
            operation_type: self.operation_type,
            description: self.description,
            parameters: read("parameters", &self.parameters)?,
            risk_level: self.risk_level.into(),
            reasoning: self.reasoning,
            confidence: self.confidence,
            estimated_cost: read_cost(self.estimated_cost_micros)?,
            supporting_data: read_if_any("supportingData", self.supporting_data.as_ref())?,
            alternatives: self.alternatives,
            items: read_items(self.items)?,
        })
    }
}

impl ReviseProposalInput {
    fn into_command(self) -> Read<RequestApproval> {
        Ok(RequestApproval {
            asking: Asking::default(),
            operation_type: self.operation_type,
            description: self.description,
            parameters: read("parameters", &self.parameters)?,
            risk_level: self.risk_level.into(),
            reasoning: self.reasoning,
            confidence: self.confidence,
            estimated_cost: read_cost(self.estimated_cost_micros)?,
            supporting_data: read_if_any("supportingData", self.supporting_data.as_ref())?,
            alternatives: self.alternatives,
            items: read_items(self.items)?,
        })
    }
}

impl RequestClarificationInput {
    fn into_command(self) -> Read<RequestClarification> {
        let asking =
            read_asking(self.lease_token.as_deref(), self.key, self.idempotency_key, self.correlation_id, self.mode)?;
        let questions = self
            .questions
            .into_iter()
            .map(|question| Ok((question.id, question.text, read_if_any("questions", question.schema.as_ref())?)));
        Ok(RequestClarification {
            asking,
            description: self.description,
            questions: questions.collect::<Read<_>>()?,
            supporting_data: read_if_any("supportingData", self.supporting_data.as_ref())?,
        })
    }
}

#[derive(Default)]
pub struct AskMutation;

#[Object]
impl AskMutation {
    /// Asks people whether something may be done: from the middle of a task, or standing alone. A rule of the policy
    /// may approve it at once. What they decide arrives with `checkpointEvents`, and is the checkpoint's `outcome`.
    /// Needs the role OPERATOR.
    async fn request_approval(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The arguments.")] input: RequestApprovalInput,
    ) -> Result<RequestApprovalPayload> {
        let scope = ctx.require(Role::Operator)?;
        Ok(match input.into_command() {
            Ok(command) => of_request(ctx.engine().request_approval(scope, command).await)?.into(),
            Err(error) => Err(vec![error]).into(),
        })
    }

    /// Asks people questions: from the middle of a task, or standing alone. The answers are in the checkpoint's
    /// `outcome`. Needs the role OPERATOR.
    async fn request_clarification(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The arguments.")] input: RequestClarificationInput,
    ) -> Result<RequestClarificationPayload> {
        let scope = ctx.require(Role::Operator)?;
        Ok(match input.into_command() {
            Ok(command) => of_request(ctx.engine().request_clarification(scope, command).await)?.into(),
            Err(error) => Err(vec![error]).into(),
        })
    }

    /// Proposes something else, as the next revision of what the caller asked for. Whoever has decided must look again.
    /// Needs the role OPERATOR.
    async fn revise_proposal(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The arguments.")] input: ReviseProposalInput,
    ) -> Result<ReviseProposalPayload> {
        let scope = ctx.require(Role::Operator)?;
        let id = match parse_checkpoint(&input.checkpoint_id) {
            Ok(id) => id,
            Err(errors) => return Ok(Err(errors).into()),
        };
        Ok(match input.into_command() {
            Ok(command) => {
                of_command(ctx.engine().revise_proposal(scope, id, command, &ctx.caller().origin).await)?.into()
            }
            Err(error) => Err(vec![error]).into(),
        })
    }
}
