//! Managing agents.

use async_graphql::{Context, ID, InputObject, MaybeUndefined, Object, SimpleObject};

use super::{Agent, AgentKind, RiskLevel};
use crate::{
    domain::{agent, id::AgentId, role::Role},
    engine::commands::{AgentFields, CreateAgent, Reviewed, UpdateAgent},
    graphql::{
        caller::ContextExt,
        checkpoint::Checkpoint,
        error::{Result, UserError, outcome, parse_id},
        json::Json,
    },
    store::agents,
};

/// What the new agent is.
#[derive(InputObject)]
pub struct CreateAgentInput {
    /// The name, unique in the workspace: 1 to 100 characters. It cannot be changed later, because workflows refer to it.
    name: String,
    /// How it does its work. It cannot be changed later.
    kind: AgentKind,
    /// How it is set up. HTTP: `url`, `method` (POST when absent), `headers`, `maxConcurrency`. WORKER: `queue`
    /// (`default` when absent), `maxConcurrency`. TRANSFORM: `output` or `fields`: a text that starts with `/input` is a
    /// JSON pointer, any other text a CEL expression over `input`, anything else is taken as it is.
    config: Option<Json>,
    /// What the agent is for: at most 2,000 characters.
    description: Option<String>,
    /// The JSON Schema of its input.
    input_schema: Option<Json>,
    /// The JSON Schema of its output.
    output_schema: Option<Json>,
    /// What kind of action it is, for policies: a word such as `refund`.
    operation_type: Option<String>,
    /// How much harm its action can do. When absent: LOW for TRANSFORM, which only computes, and MEDIUM for the others.
    risk_level: Option<RiskLevel>,
    /// Makes a retry safe: the same key gives the same agent.
    idempotency_key: Option<String>,
}

/// What to change of an agent. What is absent stays; null takes away what can be absent.
#[derive(InputObject)]
pub struct UpdateAgentInput {
    /// The agent.
    agent_id: ID,
    /// The version that the change was made from. If there is a newer one meanwhile, the change is refused.
    base_version: i32,
    /// The new set-up, in place of the whole old one.
    config: Option<Json>,
    /// The new description.
    description: MaybeUndefined<String>,
    /// The new JSON Schema of its input.
    input_schema: MaybeUndefined<Json>,
    /// The new JSON Schema of its output.
    output_schema: MaybeUndefined<Json>,
    /// The new kind of action.
    operation_type: MaybeUndefined<String>,
    /// The new risk; null stands for the default of its kind.
    risk_level: MaybeUndefined<RiskLevel>,
}

/// Which agent to archive.
#[derive(InputObject)]
pub struct ArchiveAgentInput {
    /// The agent.
    agent_id: ID,
}

/// Which agent to bring back.
#[derive(InputObject)]
pub struct UnarchiveAgentInput {
    /// The agent.
    agent_id: ID,
}

/// Defines a payload with an agent.
macro_rules! agent_payload {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(SimpleObject)]
        pub struct $name {
            /// The agent after the change.
            agent: Option<Agent>,
            /// What the caller can fix.
            user_errors: Vec<UserError>,
        }

        impl From<std::result::Result<agents::Agent, Vec<UserError>>> for $name {
            fn from(result: std::result::Result<agents::Agent, Vec<UserError>>) -> Self {
                match result {
                    Ok(agent) => Self { agent: Some(Agent(agent)), user_errors: Vec::new() },
                    Err(user_errors) => Self { agent: None, user_errors },
                }
            }
        }
    };
}

agent_payload! {
    /// The new agent, or what was wrong.
    CreateAgentPayload
}
/// The agent at its new version, or what was wrong.
#[derive(Default, SimpleObject)]
pub struct UpdateAgentPayload {
    /// The agent after the change.
    agent: Option<Agent>,
    /// The checkpoint at which somebody else must approve the change first, because it changes the risk level and the
    /// server's setting `review-changes` is on; null if it was made.
    review: Option<Checkpoint>,
    /// What the caller can fix.
    user_errors: Vec<UserError>,
}

agent_payload! {
    /// The archived agent, or what was wrong.
    ArchiveAgentPayload
}
agent_payload! {
    /// The agent that is back, or what was wrong.
    UnarchiveAgentPayload
}

fn parse_agent(id: &ID) -> std::result::Result<AgentId, Vec<UserError>> {
    parse_id("agentId", id).map_err(|error| vec![error])
}

/// Absent stays, null takes away.
fn change<T, U>(given: MaybeUndefined<T>, convert: impl FnOnce(T) -> U) -> Option<Option<U>> {
    match given {
        MaybeUndefined::Undefined => None,
        MaybeUndefined::Null => Some(None),
        MaybeUndefined::Value(value) => Some(Some(convert(value))),
    }
}

#[derive(Default)]
pub struct AgentMutation;

#[Object]
impl AgentMutation {
    /// Adds an agent to the library. Needs the role AUTHOR.
    async fn create_agent(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The arguments.")] input: CreateAgentInput,
    ) -> Result<CreateAgentPayload> {
        let scope = ctx.require(Role::Author)?;
        let command = CreateAgent {
            name: input.name,
            kind: input.kind.into(),
            fields: AgentFields {
                description: Some(input.description),
                config: input.config.map(|json| json.0),
                input_schema: Some(input.input_schema.map(|json| json.0)),
                output_schema: Some(input.output_schema.map(|json| json.0)),
                operation_type: Some(input.operation_type),
                risk_level: Some(input.risk_level.map(agent::RiskLevel::from)),
            },
            idempotency_key: input.idempotency_key,
        };
        Ok(outcome(ctx.engine().create_agent(scope, command, &ctx.caller().origin).await)?.into())
    }

    /// Makes an agent's next version. If nothing differs, the agent stays at its version. Needs the role AUTHOR.
    async fn update_agent(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The arguments.")] input: UpdateAgentInput,
    ) -> Result<UpdateAgentPayload> {
        let scope = ctx.require(Role::Author)?;
        let agent = match parse_agent(&input.agent_id) {
            Ok(agent) => agent,
            Err(user_errors) => return Ok(UpdateAgentPayload { user_errors, ..Default::default() }),
        };
        let fields = AgentFields {
            description: change(input.description, |text| text),
            config: input.config.map(|json| json.0),
            input_schema: change(input.input_schema, |json| json.0),
            output_schema: change(input.output_schema, |json| json.0),
            operation_type: change(input.operation_type, |text| text),
            risk_level: change(input.risk_level, agent::RiskLevel::from),
        };
        let command = UpdateAgent { agent, base_version: input.base_version, fields };
        Ok(match outcome(ctx.engine().update_agent(scope, command, &ctx.caller().origin).await)? {
            Ok(Reviewed::Done(agent)) => UpdateAgentPayload { agent: Some(Agent(agent)), ..Default::default() },
            Ok(Reviewed::Waits(row)) => {
                UpdateAgentPayload { review: Some(Checkpoint::from(*row)), ..Default::default() }
            }
            Err(user_errors) => UpdateAgentPayload { user_errors, ..Default::default() },
        })
    }

    /// Takes an agent out of use. Nothing of it is lost. Needs the role AUTHOR.
    async fn archive_agent(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The arguments.")] input: ArchiveAgentInput,
    ) -> Result<ArchiveAgentPayload> {
        let scope = ctx.require(Role::Author)?;
        let agent = match parse_agent(&input.agent_id) {
            Ok(agent) => agent,
            Err(errors) => return Ok(Err(errors).into()),
        };
        Ok(outcome(ctx.engine().archive_agent(scope, agent, &ctx.caller().origin).await)?.into())
    }

    /// Brings an archived agent back. Needs the role AUTHOR.
    async fn unarchive_agent(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The arguments.")] input: UnarchiveAgentInput,
    ) -> Result<UnarchiveAgentPayload> {
        let scope = ctx.require(Role::Author)?;
        let agent = match parse_agent(&input.agent_id) {
            Ok(agent) => agent,
            Err(errors) => return Ok(Err(errors).into()),
        };
        Ok(outcome(ctx.engine().unarchive_agent(scope, agent, &ctx.caller().origin).await)?.into())
    }
}
