//! Managing workflows.

use async_graphql::{Context, ID, InputObject, Object, SimpleObject};

use super::{Workflow, document::one_of, problem::WorkflowProblem};
use crate::{
    domain::{document::Problem, id::WorkflowId, refusal::Refusal, role::Role},
    engine::commands::{CreateWorkflow, RestoreWorkflowVersion, SavedWorkflow, UpdateWorkflow},
    graphql::{
        caller::ContextExt,
        checkpoint::Checkpoint,
        error::{Result, UserError, outcome, parse_id},
        json::Json,
    },
    store::workflows,
};

/// The new workflow's document.
#[derive(InputObject)]
pub struct CreateWorkflowInput {
    /// The document as a value: at most 1 MiB.
    definition: Option<Json>,
    /// The document as a text in YAML or JSON, instead of `definition`: at most 1 MiB.
    source: Option<String>,
    /// Whether to keep it as a draft, whatever its problems, as long as it has a name that can be used.
    draft: Option<bool>,
    /// Makes a retry safe: the same key gives the same workflow.
    idempotency_key: Option<String>,
}

/// A workflow's new document. Its name becomes the workflow's name.
#[derive(InputObject)]
pub struct UpdateWorkflowInput {
    /// The workflow.
    workflow_id: ID,
    /// The version that the change was made from; absent while there is only a draft. If there is a newer one meanwhile,
    /// the change is refused.
    base_version: Option<i32>,
    /// The document as a value: at most 1 MiB.
    definition: Option<Json>,
    /// The document as a text in YAML or JSON, instead of `definition`: at most 1 MiB.
    source: Option<String>,
    /// Whether to replace only the draft, whatever the document's problems, as long as it has a name that can be used.
    draft: Option<bool>,
}

/// Whose draft to throw away.
#[derive(InputObject)]
pub struct DiscardWorkflowDraftInput {
    /// The workflow.
    workflow_id: ID,
}

/// Which version to bring back.
#[derive(InputObject)]
pub struct RestoreWorkflowVersionInput {
    /// The workflow.
    workflow_id: ID,
    /// The version to bring back.
    version: i32,
    /// The latest version that the caller saw. If there is a newer one meanwhile, the change is refused.
    base_version: i32,
}

/// Which workflow to archive.
#[derive(InputObject)]
pub struct ArchiveWorkflowInput {
    /// The workflow.
    workflow_id: ID,
}

/// Which workflow to bring back.
#[derive(InputObject)]
pub struct UnarchiveWorkflowInput {
    /// The workflow.
    workflow_id: ID,
}

/// Defines a payload with a workflow whose document was to be saved.
macro_rules! save_payload {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Default, SimpleObject)]
        pub struct $name {
            /// The workflow after the change.
            workflow: Option<Workflow>,
            /// The checkpoint at which somebody else must approve the change first, because it changes gates and the
            /// server's setting `review-changes` is on; null if it was made.
            review: Option<Checkpoint>,
            /// What is wrong with the document, at most 100. A draft is saved all the same.
            problems: Vec<WorkflowProblem>,
            /// What the caller can fix. If the document was not saved, each of its problems is here, too.
            user_errors: Vec<UserError>,
        }

        impl $name {
            fn refused(user_errors: Vec<UserError>) -> Self {
                Self { user_errors, ..Self::default() }
            }

            /// `refuse` says where in the input a problem is.
            fn new(saved: SavedWorkflow, refuse: impl Fn(&Problem) -> Refusal) -> Self {
                let (workflow, problems, user_errors) = match saved {
                    SavedWorkflow::InReview(row) => {
                        return Self { review: Some(Checkpoint::from(*row)), ..Self::default() };
                    }
                    SavedWorkflow::Saved { workflow, problems } => (Some(Workflow(workflow)), problems, Vec::new()),
                    SavedWorkflow::Invalid(problems) => {
                        let user_errors = problems.iter().map(|problem| refuse(problem).into()).collect();
                        (None, problems, user_errors)
                    }
                };
                let problems = problems.into_iter().map(WorkflowProblem::from).collect();
                Self { workflow, review: None, problems, user_errors }
            }
        }
    };
}

save_payload! {
    /// The new workflow, or what was wrong.
    CreateWorkflowPayload
}
save_payload! {
    /// The changed workflow, or what was wrong.
    UpdateWorkflowPayload
}
save_payload! {
    /// The workflow with its new version, or what was wrong.
    RestoreWorkflowVersionPayload
}

/// Defines a payload with a workflow.
macro_rules! workflow_payload {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(SimpleObject)]
        pub struct $name {
            /// The workflow after the change.
            workflow: Option<Workflow>,
            /// What the caller can fix.
            user_errors: Vec<UserError>,
        }

        impl From<std::result::Result<workflows::Workflow, Vec<UserError>>> for $name {
            fn from(result: std::result::Result<workflows::Workflow, Vec<UserError>>) -> Self {
                match result {
                    Ok(workflow) => Self { workflow: Some(Workflow(workflow)), user_errors: Vec::new() },
                    Err(user_errors) => Self { workflow: None, user_errors },
                }
            }
        }
    };
}

workflow_payload! {
    /// The workflow without a draft, or what was wrong.
    DiscardWorkflowDraftPayload
}
workflow_payload! {
    /// The archived workflow, or what was wrong.
    ArchiveWorkflowPayload
}
workflow_payload! {
    /// The workflow that is back, or what was wrong.
    UnarchiveWorkflowPayload
}

fn parse_workflow(id: &ID) -> std::result::Result<WorkflowId, Vec<UserError>> {
    parse_id("workflowId", id).map_err(|error| vec![error])
}

#[derive(Default)]
pub struct WorkflowMutation;

#[Object]
impl WorkflowMutation {
    /// Makes a workflow, with its first version or as a draft. Needs the role AUTHOR.
    async fn create_workflow(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The arguments.")] input: CreateWorkflowInput,
    ) -> Result<CreateWorkflowPayload> {
        let scope = ctx.require(Role::Author)?;
        let document = match one_of(input.definition, input.source) {
            Ok(document) => document,
            Err(refusal) => return Ok(CreateWorkflowPayload::refused(vec![refusal.into()])),
        };
        let field = document.field();
        let draft = input.draft.unwrap_or(false);
        let command = CreateWorkflow { document, draft, idempotency_key: input.idempotency_key };
        Ok(match outcome(ctx.engine().create_workflow(scope, command, &ctx.caller().origin).await)? {
            Ok(saved) => CreateWorkflowPayload::new(saved, |problem| Refusal::of_problem(field, problem)),
            Err(errors) => CreateWorkflowPayload::refused(errors),
        })
    }

    /// Makes a workflow's next version and takes its draft away, or replaces only the draft. A document that says exactly
    /// what the latest version says makes no new one. Needs the role AUTHOR.
    async fn update_workflow(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The arguments.")] input: UpdateWorkflowInput,
    ) -> Result<UpdateWorkflowPayload> {
        let scope = ctx.require(Role::Author)?;
        let workflow = match parse_workflow(&input.workflow_id) {
            Ok(workflow) => workflow,
            Err(errors) => return Ok(UpdateWorkflowPayload::refused(errors)),
        };
        let document = match one_of(input.definition, input.source) {
            Ok(document) => document,
            Err(refusal) => return Ok(UpdateWorkflowPayload::refused(vec![refusal.into()])),
        };
        let field = document.field();
        let draft = input.draft.unwrap_or(false);
        let command = UpdateWorkflow { workflow, base_version: input.base_version, document, draft };
        Ok(match outcome(ctx.engine().update_workflow(scope, command, &ctx.caller().origin).await)? {
            Ok(saved) => UpdateWorkflowPayload::new(saved, |problem| Refusal::of_problem(field, problem)),
            Err(errors) => UpdateWorkflowPayload::refused(errors),
        })
    }

    /// Makes a new version with an earlier one's document, which is checked again. A draft stays. Needs the role AUTHOR.
    async fn restore_workflow_version(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The arguments.")] input: RestoreWorkflowVersionInput,
    ) -> Result<RestoreWorkflowVersionPayload> {
        let scope = ctx.require(Role::Author)?;
        let workflow = match parse_workflow(&input.workflow_id) {
            Ok(workflow) => workflow,
            Err(errors) => return Ok(RestoreWorkflowVersionPayload::refused(errors)),
        };
        let (version, base_version) = (input.version, input.base_version);
        let command = RestoreWorkflowVersion { workflow, version, base_version };
        let refuse = |problem: &Problem| {
            let message = format!("version {version} is not valid any more at `{}`: {}", problem.path, problem.message);
            Refusal::invalid("version", message)
        };
        Ok(match outcome(ctx.engine().restore_workflow_version(scope, command, &ctx.caller().origin).await)? {
            Ok(saved) => RestoreWorkflowVersionPayload::new(saved, refuse),
            Err(errors) => RestoreWorkflowVersionPayload::refused(errors),
        })
    }

    /// Throws a workflow's draft away. Its versions stay. Needs the role AUTHOR.
    async fn discard_workflow_draft(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The arguments.")] input: DiscardWorkflowDraftInput,
    ) -> Result<DiscardWorkflowDraftPayload> {
        let scope = ctx.require(Role::Author)?;
        let workflow = match parse_workflow(&input.workflow_id) {
            Ok(workflow) => workflow,
            Err(errors) => return Ok(Err(errors).into()),
        };
        Ok(outcome(ctx.engine().discard_workflow_draft(scope, workflow, &ctx.caller().origin).await)?.into())
    }

    /// Takes a workflow out of use. Nothing of it is lost. Needs the role AUTHOR.
    async fn archive_workflow(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The arguments.")] input: ArchiveWorkflowInput,
    ) -> Result<ArchiveWorkflowPayload> {
        let scope = ctx.require(Role::Author)?;
        let workflow = match parse_workflow(&input.workflow_id) {
            Ok(workflow) => workflow,
            Err(errors) => return Ok(Err(errors).into()),
        };
        Ok(outcome(ctx.engine().archive_workflow(scope, workflow, &ctx.caller().origin).await)?.into())
    }

    /// Brings an archived workflow back. Needs the role AUTHOR.
    async fn unarchive_workflow(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The arguments.")] input: UnarchiveWorkflowInput,
    ) -> Result<UnarchiveWorkflowPayload> {
        let scope = ctx.require(Role::Author)?;
        let workflow = match parse_workflow(&input.workflow_id) {
            Ok(workflow) => workflow,
            Err(errors) => return Ok(Err(errors).into()),
        };
        Ok(outcome(ctx.engine().unarchive_workflow(scope, workflow, &ctx.caller().origin).await)?.into())
    }
}
