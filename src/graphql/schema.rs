//! The schema, put together from the nouns.

use async_graphql::{MergedObject, MergedSubscription, SDLExportOptions};

use super::{
    agent::{AgentMutation, AgentQuery},
    analytics::AnalyticsQuery,
    api_token::{ApiTokenMutation, ApiTokenQuery, ApiTokenSubscription},
    audit::{AuditQuery, AuditSubscription},
    checkpoint::{
        AskMutation, AssignMutation, CheckpointQuery, CheckpointSubscription, DecideManyMutation, DecideMutation,
        DiscussMutation, OutOfOfficeMutation, OverrideMutation, ParameterPreviewQuery,
    },
    deliverable::{CreateDeliverableMutation, DeliverableQuery, DeliverableSubscription, SettleMutation},
    directory::DirectorySubscription,
    execution::{ContinuationMutation, ExecutionMutation, ExecutionQuery, ExecutionSubscription},
    group::{GroupMutation, GroupQuery},
    hooks::Hooks,
    library::LibrarySubscription,
    memory::{BacktestQuery, BacktestSubscription, LearningCaseQuery, SuggestionQuery},
    node::NodeQuery,
    policy::{EvaluationQuery, PolicyMutation, PolicyQuery, PolicySubscription},
    secret::{SecretMutation, SecretQuery},
    server::ServerQuery,
    session::{SessionMutation, SessionSubscription},
    task::{ClaimMutation, FinishMutation, HeartbeatMutation},
    user::{UserMutation, UserQuery},
    viewer::{ViewerMutation, ViewerQuery},
    workflow::{PreviewQuery, WorkflowMutation, WorkflowQuery},
    workspace::{WorkspaceMutation, WorkspaceQuery},
};
use crate::{
    config::Settings,
    engine::Engine,
    realtime::{AccessWatch, Hub},
};

/// What can be asked.
#[derive(MergedObject, Default)]
pub struct Query(
    NodeQuery,
    ServerQuery,
    ViewerQuery,
    WorkspaceQuery,
    UserQuery,
    GroupQuery,
    ApiTokenQuery,
    SecretQuery,
    AuditQuery,
    ExecutionQuery,
    CheckpointQuery,
    AnalyticsQuery,
    ParameterPreviewQuery,
    DeliverableQuery,
    PolicyQuery,
    EvaluationQuery,
    BacktestQuery,
    SuggestionQuery,
    LearningCaseQuery,
    AgentQuery,
    WorkflowQuery,
    PreviewQuery,
);

/// What can be done. Every mutation takes one `input` and answers with `userErrors` for what the caller can fix.
#[derive(MergedObject, Default)]
pub struct Mutation(
    SessionMutation,
    ViewerMutation,
    WorkspaceMutation,
    UserMutation,
    GroupMutation,
    ApiTokenMutation,
    PolicyMutation,
    SecretMutation,
    ExecutionMutation,
    ContinuationMutation,
    ClaimMutation,
    HeartbeatMutation,
    FinishMutation,
    DecideMutation,
    DecideManyMutation,
    DiscussMutation,
    OverrideMutation,
    AssignMutation,
    AskMutation,
    OutOfOfficeMutation,
    CreateDeliverableMutation,
    SettleMutation,
    AgentMutation,
    WorkflowMutation,
);

/// What can be watched. Give the last cursor as `after` to miss nothing and see nothing twice.
#[derive(MergedSubscription, Default)]
pub struct Subscription(
    AuditSubscription,
    ExecutionSubscription,
    CheckpointSubscription,
    DeliverableSubscription,
    BacktestSubscription,
    PolicySubscription,
    LibrarySubscription,
    DirectorySubscription,
    SessionSubscription,
    ApiTokenSubscription,
);

pub type Schema = async_graphql::Schema<Query, Mutation, Subscription>;

fn builder() -> async_graphql::SchemaBuilder<Query, Mutation, Subscription> {
    Schema::build(Query::default(), Mutation::default(), Subscription::default())
}

pub fn build(settings: &Settings, engine: Engine, access_watch: AccessWatch, hub: Hub) -> Schema {
    let builder = builder()
        .data(engine)
        .data(access_watch)
        .data(hub)
        .extension(Hooks { max_complexity: settings.max_complexity })
        // Limits that need the schema; `limits` has checked the others before.
        .limit_complexity(settings.max_complexity)
        .limit_recursive_depth(usize::MAX);
    let builder = if settings.introspection { builder } else { builder.disable_introspection().disable_suggestions() };
    builder.finish()
}

/// The schema's text, as it stands in `schema.graphql`.
pub fn sdl() -> String {
    builder().finish().sdl_with_options(SDLExportOptions::new().sorted_fields().sorted_arguments().sorted_enum_items())
}
