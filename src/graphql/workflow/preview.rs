//! Trying workflows out, and telling versions apart.

use async_graphql::{Context, Enum, ID, InputObject, Object, SimpleObject};

use super::{document::one_of, problem::WorkflowProblem};
use crate::{
    domain::{
        id::WorkflowId,
        json,
        role::Role,
        workflow::{self, ChangeKind, Outcome, OutputSource},
    },
    engine::commands::{PreviewWorkflow, Subject},
    graphql::{
        caller::ContextExt,
        error::{Fault, Result, outcome},
        json::Json,
    },
};

/// What working through a document costs, compared to reading a field.
const PREVIEW_COST: usize = 200;

/// What a preview is made from. Give a workflow, or a document that need not be saved.
#[derive(InputObject)]
pub struct PreviewWorkflowInput {
    /// The workflow.
    workflow_id: Option<ID>,
    /// Which of its versions: the newest when absent.
    version: Option<i32>,
    /// A document as a value, instead of a workflow.
    definition: Option<Json>,
    /// A document as a text, YAML or JSON, instead of a workflow.
    source: Option<String>,
    /// The sample input. When absent, one is made up from the workflow's defaults and the schema of its input.
    input: Option<Json>,
    /// Sample outputs, by the keys of their steps. Others are computed where nothing is touched, or made up from
    /// schemas.
    outputs: Option<Json>,
}

/// What would become of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
pub enum PreviewOutcome {
    /// It would run.
    Runs,
    /// It would be passed over.
    Skipped,
    /// It could not run with this sample.
    Fails,
}

/// Where a step's sample output comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
#[graphql(remote = "OutputSource")]
pub enum PreviewOutputSource {
    /// It was given with the sample.
    Given,
    /// It was computed.
    Computed,
    /// It was made up from a schema.
    MadeUp,
}

/// One step of a preview.
#[derive(SimpleObject)]
pub struct StepPreview {
    /// The step's key.
    key: String,
    /// What would become of it.
    outcome: PreviewOutcome,
    /// Why it would be passed over, or could not run.
    reason: Option<String>,
    /// What it would get.
    input: Option<Json>,
    /// What the steps after it would see of it.
    output: Option<Json>,
    /// Where that comes from.
    output_source: Option<PreviewOutputSource>,
}

impl From<workflow::StepPreview> for StepPreview {
    fn from(step: workflow::StepPreview) -> Self {
        let (outcome, reason) = match step.outcome {
            Outcome::Runs => (PreviewOutcome::Runs, None),
            Outcome::Skipped { because } => (PreviewOutcome::Skipped, Some(because)),
            Outcome::Fails { error } => (PreviewOutcome::Fails, Some(error)),
        };
        let (output, source) = step.output.unzip();
        Self {
            key: step.key,
            outcome,
            reason,
            input: step.input.map(|input| Json(input.to_value())),
            output: output.map(|output| Json(output.to_value())),
            output_source: source.map(PreviewOutputSource::from),
        }
    }
}

/// What a workflow would do with a sample.
#[derive(SimpleObject)]
pub struct WorkflowPreview {
    /// The sample input that it was made with, the workflow's defaults included; null if the document has problems.
    input: Option<Json>,
    /// The steps in the order in which they would run; empty if the document has problems.
    steps: Vec<StepPreview>,
    /// What is wrong with the document.
    problems: Vec<WorkflowProblem>,
}

/// How something differs between two documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
#[graphql(remote = "ChangeKind")]
pub enum DocumentChangeKind {
    /// It is only in the later one.
    Added,
    /// It is only in the earlier one.
    Removed,
    /// It is in both, and not the same.
    Changed,
}

/// One difference between two documents.
#[derive(SimpleObject)]
pub struct DocumentChange {
    /// Where, as a JSON pointer in which steps stand under their keys.
    path: String,
    /// How it differs.
    kind: DocumentChangeKind,
    /// What was there before.
    before: Option<Json>,
    /// What is there now.
    after: Option<Json>,
}

#[derive(Default)]
pub struct PreviewQuery;

#[Object]
impl PreviewQuery {
    /// The order of the steps and the input that each would get, computed from sample data, without running anything.
    #[graphql(complexity = "child_complexity.saturating_add(PREVIEW_COST)")]
    async fn preview_workflow(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "What the preview is made from.")] input: PreviewWorkflowInput,
    ) -> Result<WorkflowPreview> {
        let scope = ctx.require(Role::Viewer)?;
        let command = read_input(input)?;
        match outcome(ctx.engine().preview_workflow(scope, command).await)? {
            Ok(Ok(preview)) => Ok(WorkflowPreview {
                input: Some(Json(preview.input.to_value())),
                steps: preview.steps.into_iter().map(StepPreview::from).collect(),
                problems: Vec::new(),
            }),
            Ok(Err(problems)) => Ok(WorkflowPreview {
                input: None,
                steps: Vec::new(),
                problems: problems.into_iter().map(WorkflowProblem::from).collect(),
            }),
            Err(errors) => Err(Fault::BadInput(errors.into_iter().map(|error| error.message).collect())),
        }
    }

    /// What changed from one version of a workflow to another. Steps are compared by their keys.
    #[graphql(complexity = "child_complexity.saturating_add(PREVIEW_COST)")]
    async fn compare_workflow_versions(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The workflow.")] workflow_id: ID,
        #[graphql(desc = "The earlier version's number.")] from: i32,
        #[graphql(desc = "The later version's number.")] to: i32,
    ) -> Result<Vec<DocumentChange>> {
        let scope = ctx.require(Role::Viewer)?;
        let id = parse_workflow(&workflow_id)?;
        let changes = match outcome(ctx.engine().compare_workflow_versions(scope, id, from, to).await)? {
            Ok(changes) => changes,
            Err(errors) => return Err(Fault::BadInput(errors.into_iter().map(|error| error.message).collect())),
        };
        let change = |change: workflow::Change| DocumentChange {
            path: change.path,
            kind: change.kind.into(),
            before: change.before.map(Json),
            after: change.after.map(Json),
        };
        Ok(changes.into_iter().map(change).collect())
    }
}

fn parse_workflow(id: &ID) -> Result<WorkflowId> {
    id.parse().map_err(|error: crate::domain::id::Error| Fault::BadInput(error.to_string()))
}

fn read_input(input: PreviewWorkflowInput) -> Result<PreviewWorkflow> {
    let subject = match (input.workflow_id, input.definition, input.source) {
        (Some(id), None, None) => Subject::Version(parse_workflow(&id)?, input.version),
        (Some(_), _, _) => {
            return Err(Fault::BadInput("give `workflowId`, or `definition` or `source`, not both".to_owned()));
        }
        (None, definition, source) => Subject::Document(one_of(definition, source)?),
    };
    let keep = |field: &str, value: &serde_json::Value| {
        json::Json::from_value(value).map_err(|error| Fault::BadInput(format!("`{field}` cannot be used: {error}")))
    };
    let sample = input.input.map(|input| keep("input", &input.0)).transpose()?;
    let outputs = match input.outputs.map(|outputs| outputs.0) {
        None => Vec::new(),
        Some(serde_json::Value::Object(fields)) => fields.into_iter().collect(),
        Some(_) => return Err(Fault::BadInput("`outputs` must be an object of steps' keys and outputs".to_owned())),
    };
    let outputs = outputs.into_iter().map(|(key, value)| Ok((key, keep("outputs", &value)?)));
    Ok(PreviewWorkflow { subject, input: sample, outputs: outputs.collect::<Result<_>>()? })
}
