//! Finding anything by its global id.

use async_graphql::{Context, ID, Interface, Object};

use super::{
    agent::Agent,
    api_token::ApiToken,
    audit::AuditEntry,
    caller::ContextExt,
    checkpoint::Checkpoint,
    deliverable::Deliverable,
    error::{Fault, Result},
    execution::Execution,
    group::Group,
    memory::LearningCase,
    secret::Secret,
    service_account::ServiceAccount,
    session::Session,
    user::User,
    workflow::Workflow,
    workspace::Workspace,
};
use crate::domain::{access::Scope, id::NodeId, role::Role};

/// Anything with a global id.
#[derive(Clone, Interface)]
#[graphql(field(name = "id", ty = "ID", desc = "The global id: a prefix that names the kind, and the rest."))]
pub enum Node {
    /// A tenant.
    Workspace(Workspace),
    /// A person's account.
    User(User),
    /// A group of people.
    Group(Group),
    /// A program's way in.
    ApiToken(ApiToken),
    /// A signed-in browser or device.
    Session(Session),
    /// A line of the audit log.
    AuditEntry(AuditEntry),
    /// A program under a name of its own.
    ServiceAccount(ServiceAccount),
    /// A value that agents refer to by name.
    Secret(Secret),
    /// One run of a workflow.
    Execution(Execution),
    /// A place where an execution waits for people.
    Checkpoint(Checkpoint),
    /// A case to learn from.
    LearningCase(LearningCase),
    /// Something that an execution leaves behind.
    Deliverable(Deliverable),
    /// A worker in the library.
    Agent(Agent),
    /// A graph of steps.
    Workflow(Workflow),
}

const MOST_NODES: usize = 100;

/// What the caller may see under an id. What it may not see does not exist.
async fn find(ctx: &Context<'_>, id: &ID) -> Result<Option<Node>> {
    let viewer = ctx.viewer()?;
    let scope = ctx.require(Role::Viewer)?;
    let engine = ctx.engine();
    let store = engine.store();
    let Ok(id) = id.parse::<NodeId>() else {
        return Ok(None);
    };
    Ok(match id {
        NodeId::WorkspaceId(id) => store
            .workspace(scope)
            .await?
            .filter(|workspace| workspace.id == id)
            .map(|found| Node::Workspace(Workspace(found))),
        NodeId::UserId(id) => ctx.loaders()?.load(id).await?.map(|found| Node::User(User(found))),
        NodeId::GroupId(id) => store.group(scope, id).await?.map(|found| Node::Group(Group(found))),
        NodeId::ApiTokenId(id) if viewer.roles.allow(Role::Admin) => {
            ctx.loaders()?.load(id).await?.map(|found| Node::ApiToken(ApiToken(found)))
        }
        NodeId::ServiceAccountId(id) if viewer.roles.allow(Role::Admin) => {
            ctx.loaders()?.load(id).await?.map(|found| Node::ServiceAccount(ServiceAccount(found)))
        }
        NodeId::AuditEntryId(id) if viewer.roles.allow(Role::Admin) => {
            store.audit_entry(scope, id).await?.map(|found| Node::AuditEntry(found.into()))
        }
        NodeId::SecretId(id) if viewer.roles.allow(Role::Author) => {
            store.secret(scope, id).await?.map(|found| Node::Secret(Secret(found)))
        }
        NodeId::SessionId(id) => match viewer.user() {
            Some(user) => {
                let own = store.sessions(Scope::own(viewer), user, engine.clock().now()).await?;
                own.into_iter().find(|session| session.id == id).map(|found| Node::Session(Session(found)))
            }
            None => None,
        },
        NodeId::ApiTokenId(_) | NodeId::ServiceAccountId(_) | NodeId::AuditEntryId(_) | NodeId::SecretId(_) => None,
        NodeId::ExecutionId(id) => ctx.loaders()?.load(id).await?.map(|found| Node::Execution(Execution::from(found))),
        NodeId::AgentId(id) => ctx.loaders()?.load(id).await?.map(|found| Node::Agent(Agent(found))),
        NodeId::WorkflowId(id) => {
            let found = ctx.loaders()?.load(id).await?.filter(|workflow| !workflow.hidden);
            found.map(|found| Node::Workflow(Workflow(found)))
        }
        NodeId::CheckpointId(id) => {
            ctx.loaders()?.load(id).await?.map(|found| Node::Checkpoint(Checkpoint::from(found)))
        }
        NodeId::LearningCaseId(id) => {
            ctx.loaders()?.load(id).await?.map(|found| Node::LearningCase(LearningCase(found)))
        }
        NodeId::DeliverableId(id) => ctx.loaders()?.load(id).await?.map(|found| Node::Deliverable(Deliverable(found))),
        NodeId::TaskId(_) => None,
    })
}

#[derive(Default)]
pub struct NodeQuery;

#[Object]
impl NodeQuery {
    /// Whatever has this global id; null if there is nothing that the caller may see.
    async fn node(&self, ctx: &Context<'_>, #[graphql(desc = "The global id.")] id: ID) -> Result<Option<Node>> {
        find(ctx, &id).await
    }

    /// Whatever has these global ids, in their order; null where there is nothing that the caller may see.
    #[graphql(complexity = "child_complexity.saturating_mul(ids.len().max(1))")]
    async fn nodes(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The global ids: at most 100.")] ids: Vec<ID>,
    ) -> Result<Vec<Option<Node>>> {
        ctx.viewer()?;
        if ids.len() > MOST_NODES {
            return Err(Fault::BadInput(format!("`ids` has {} entries: at most {MOST_NODES}", ids.len())));
        }
        futures_util::future::try_join_all(ids.iter().map(|id| find(ctx, id))).await
    }
}
