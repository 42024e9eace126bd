//! What a workflow would do with a sample, and what two of its versions differ in.

use std::{collections::HashMap, sync::Arc};

use serde_json::Value;

use super::{start_execution::unknown_workflow, workflow_document::Document};
use crate::{
    domain::{
        access::Scope,
        agent::Config,
        document::{Place, Problem, Problems},
        id::WorkflowId,
        json::Json,
        refusal::{Code, Refusal},
        transform::Transformation,
        workflow::{self, Plan, Preview, Sample, StepAgent},
    },
    engine::{
        Engine, Result,
        compute::{WORK_ON_A_DOCUMENT, compute},
    },
    store::agents::AgentRecord,
};

#[derive(Debug, Clone)]
pub struct PreviewWorkflow {
    /// A document that need not be saved, or else a workflow's version.
    pub subject: Subject,
    /// None: one is made up from the workflow's schema.
    pub input: Option<Json>,
    /// Made-up outputs, by the steps' keys.
    pub outputs: HashMap<String, Json>,
}

#[derive(Debug, Clone)]
pub enum Subject {
    Document(Document),
    /// The newest version when none is named.
    Version(WorkflowId, Option<i32>),
}

fn work_through(
    document: &Value,
    agents: &HashMap<String, Arc<AgentRecord>>,
    sample: &Sample,
) -> std::result::Result<Preview, Vec<Problem>> {
    let mut problems = Problems::default();
    let Some(definition) = workflow::read(document, &mut problems) else { return Err(problems.into_vec()) };
    let plan = Plan::compile(definition)?;
    let of_step = |name: &String| {
        let Some(agent) = agents.get(name) else { return StepAgent::default() };
        let transform = match &agent.spec.config {
            Config::Transform(transform) => Transformation::compile(transform, &Place::default()).ok(),
            Config::Http(_) | Config::Worker(_) => None,
        };
        StepAgent { output_schema: agent.spec.output_schema.clone(), transform }
    };
    let agents: Vec<StepAgent> = plan.steps().iter().map(|step| of_step(&step.agent)).collect();
    Ok(workflow::preview(&plan, &agents, sample))
}

impl Engine {
    /// The steps in their order and what each would get, without running anything; or what is wrong with the document.
    pub async fn preview_workflow(
        &self,
        scope: Scope,
        command: PreviewWorkflow,
    ) -> Result<std::result::Result<Preview, Vec<Problem>>> {
        let document = match command.subject {
            Subject::Document(document) => document,
            Subject::Version(id, number) => {
                Document::Definition(self.version_document(scope, id, number).await?.to_value())
            }
        };
        let value = match self.check_document(scope, &document, false).await? {
            Ok(checked) if checked.problems.is_empty() => checked.json.to_value(),
            Ok(checked) => return Ok(Err(checked.problems)),
            Err(problem) => return Ok(Err(vec![problem])),
        };
        let agents = self.newest_agents(scope, workflow::agents_in(&value).into_iter()).await?;
        let sample = Sample { input: command.input, outputs: command.outputs };
        compute(WORK_ON_A_DOCUMENT, move || work_through(&value, &agents, &sample)).await
    }

    /// What changed from one version of a workflow to another.
    pub async fn compare_workflow_versions(
        &self,
        scope: Scope,
        id: WorkflowId,
        from: i32,
        to: i32,
    ) -> Result<Vec<workflow::Change>> {
        let before = self.version_document(scope, id, Some(from)).await?;
        let after = self.version_document(scope, id, Some(to)).await?;
        Ok(workflow::compare(&before.to_value(), &after.to_value()))
    }

    async fn version_document(&self, scope: Scope, id: WorkflowId, number: Option<i32>) -> Result<Json> {
        let workflow = self.store().workflow(scope, id).await?.ok_or_else(|| unknown_workflow(id))?;
        let newest = workflow.latest_version.unwrap_or(0);
        let number = number.unwrap_or(newest);
        let found = self.store().workflow_version(scope, id, number).await?;
        let missing = || {
            let message = match newest {
                0 => format!("the workflow `{}` has only a draft", workflow.name),
                _ => format!("the workflow has no version {number}: its versions are 1 to {newest}"),
            };
            Refusal::at("version", Code::NotFound, message)
        };
        Ok(found.ok_or_else(missing)?.document)
    }
}
