//! The schema, put together from the nouns.

use async_graphql::{MergedObject, MergedSubscription, SDLExportOptions};

use super::{
    agent::{AgentMutation, AgentQuery},
    analytics::AnalyticsQuery,
    api_token::{ApiTokenMutation, ApiTokenQuery, ApiTokenSubscription},
    audit::{AuditQuery, AuditSubscription, WitnessMutation, WitnessQuery},
    boxed::Boxed,
    checkpoint::{
        AgentUpdateMutation, AskMutation, AssignMutation, CheckpointQuery, CheckpointSubscription, DecideManyMutation,
        DecideMutation, DiscussMutation, OutOfOfficeMutation, OverrideMutation, ParameterPreviewQuery,
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
    service_account::{ServiceAccountMutation, ServiceAccountQuery},
    session::{SessionMutation, SessionSubscription},
    task::{ClaimMutation, FinishMutation, HeartbeatMutation},
    user::{IdentityMutation, UserMutation, UserQuery},
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
    ServiceAccountQuery,
    SecretQuery,
    AuditQuery,
    WitnessQuery,
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
    Boxed<SessionMutation>,
    Boxed<ViewerMutation>,
    Boxed<WorkspaceMutation>,
    Boxed<UserMutation>,
    Boxed<IdentityMutation>,
    Boxed<GroupMutation>,
    Boxed<ApiTokenMutation>,
    Boxed<ServiceAccountMutation>,
    Boxed<PolicyMutation>,
    Boxed<SecretMutation>,
    Boxed<WitnessMutation>,
    Boxed<ExecutionMutation>,
    Boxed<ContinuationMutation>,
    Boxed<ClaimMutation>,
    Boxed<HeartbeatMutation>,
    Boxed<FinishMutation>,
    Boxed<DecideMutation>,
    Boxed<DecideManyMutation>,
    Boxed<DiscussMutation>,
    Boxed<OverrideMutation>,
    Boxed<AgentUpdateMutation>,
    Boxed<AssignMutation>,
    Boxed<AskMutation>,
    Boxed<OutOfOfficeMutation>,
    Boxed<CreateDeliverableMutation>,
    Boxed<SettleMutation>,
    Boxed<AgentMutation>,
    Boxed<WorkflowMutation>,
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
        .extension(Hooks { max_complexity: settings.max_complexity, max_answer_bytes: settings.max_answer_bytes })
        // Limits that need the schema; `limits` has checked the others before.
        .limit_complexity(settings.max_complexity)
        .limit_recursive_depth(usize::MAX);
    let builder = if settings.introspection { builder } else { builder.disable_introspection().disable_suggestions() };
    builder.finish()
}

/// The schema alone, which can be asked about itself and nothing else.
pub fn without_data() -> Schema {
    builder().finish()
}

/// The schema's text, as it stands in `schema.graphql`.
pub fn sdl() -> String {
    builder().finish().sdl_with_options(SDLExportOptions::new().sorted_fields().sorted_arguments().sorted_enum_items())
}
