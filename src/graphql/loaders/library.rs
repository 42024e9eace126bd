//! Lookups of agents and workflows.

use std::{collections::HashMap, sync::Arc};

use async_graphql::dataloader::Loader;

use super::{Result, Rows};
use crate::{
    domain::{
        agent::Spec,
        id::{AgentId, WorkflowId},
        json::Json,
        workflow::AgentShape,
    },
    store::{
        self, agents::Agent, grouped, workflow_drafts::Draft, workflow_versions::VersionInfo, workflows::Workflow,
    },
};

/// The agent with this name.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct AgentNamed(pub String);

/// What an agent is at a version.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct SpecOf(pub AgentId, pub i32);

/// What workflows may know of the agent with this name.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ShapeOf(pub String);

/// A version of a workflow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct VersionOf(pub WorkflowId, pub i32);

/// The document of a workflow's version.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct DocumentOf(pub WorkflowId, pub i32);

/// The newest so many versions of a workflow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct NewestVersions {
    pub workflow: WorkflowId,
    pub size: u64,
}

/// The draft of a workflow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct DraftOf(pub WorkflowId);

impl Loader<AgentId> for Rows {
    type Value = Agent;
    type Error = Arc<store::Error>;

    async fn load(&self, keys: &[AgentId]) -> Result<HashMap<AgentId, Agent>> {
        Ok(self.store.agents_by_id(self.scope, keys).await?)
    }
}

impl Loader<AgentNamed> for Rows {
    type Value = Agent;
    type Error = Arc<store::Error>;

    async fn load(&self, keys: &[AgentNamed]) -> Result<HashMap<AgentNamed, Agent>> {
        let names: Vec<String> = keys.iter().map(|key| key.0.clone()).collect();
        let agents = self.store.agents_named(self.scope, &names).await?;
        Ok(agents.into_iter().map(|(name, agent)| (AgentNamed(name), agent)).collect())
    }
}

impl Loader<SpecOf> for Rows {
    type Value = Arc<Spec>;
    type Error = Arc<store::Error>;

    async fn load(&self, keys: &[SpecOf]) -> Result<HashMap<SpecOf, Arc<Spec>>> {
        let versions: Vec<(AgentId, i32)> = keys.iter().map(|key| (key.0, key.1)).collect();
        let specs = self.store.agent_specs(self.scope, &versions).await?;
        Ok(specs.into_iter().map(|((id, version), spec)| (SpecOf(id, version), Arc::new(spec.spec))).collect())
    }
}

impl Loader<ShapeOf> for Rows {
    type Value = AgentShape;
    type Error = Arc<store::Error>;

    async fn load(&self, keys: &[ShapeOf]) -> Result<HashMap<ShapeOf, AgentShape>> {
        let agents = self.store.agents_by_name(self.scope, keys.iter().map(|key| key.0.as_str())).await?;
        Ok(agents.into_iter().map(|(name, agent)| (ShapeOf(name), AgentShape::from(agent))).collect())
    }
}

impl Loader<WorkflowId> for Rows {
    type Value = Workflow;
    type Error = Arc<store::Error>;

    async fn load(&self, keys: &[WorkflowId]) -> Result<HashMap<WorkflowId, Workflow>> {
        Ok(self.store.workflows_by_id(self.scope, keys).await?)
    }
}

impl Loader<VersionOf> for Rows {
    type Value = VersionInfo;
    type Error = Arc<store::Error>;

    async fn load(&self, keys: &[VersionOf]) -> Result<HashMap<VersionOf, VersionInfo>> {
        let versions: Vec<(WorkflowId, i32)> = keys.iter().map(|key| (key.0, key.1)).collect();
        let infos = self.store.workflow_version_infos(self.scope, &versions).await?;
        Ok(infos.into_iter().map(|((id, number), info)| (VersionOf(id, number), info)).collect())
    }
}

impl Loader<DocumentOf> for Rows {
    type Value = Json;
    type Error = Arc<store::Error>;

    async fn load(&self, keys: &[DocumentOf]) -> Result<HashMap<DocumentOf, Json>> {
        let versions: Vec<(WorkflowId, i32)> = keys.iter().map(|key| (key.0, key.1)).collect();
        let documents = self.store.workflow_documents(self.scope, &versions).await?;
        Ok(documents.into_iter().map(|((id, number), json)| (DocumentOf(id, number), json)).collect())
    }
}

impl Loader<NewestVersions> for Rows {
    type Value = Arc<Vec<VersionInfo>>;
    type Error = Arc<store::Error>;

    async fn load(&self, keys: &[NewestVersions]) -> Result<HashMap<NewestVersions, Arc<Vec<VersionInfo>>>> {
        let mut found = HashMap::new();
        for (size, workflows) in grouped(keys.iter().map(|key| (key.size, key.workflow))) {
            let newest = self.store.newest_workflow_versions(self.scope, &workflows, size).await?;
            found.extend(
                newest.into_iter().map(|(workflow, infos)| (NewestVersions { workflow, size }, Arc::new(infos))),
            );
        }
        Ok(found)
    }
}

impl Loader<DraftOf> for Rows {
    type Value = Draft;
    type Error = Arc<store::Error>;

    async fn load(&self, keys: &[DraftOf]) -> Result<HashMap<DraftOf, Draft>> {
        let ids: Vec<WorkflowId> = keys.iter().map(|key| key.0).collect();
        let drafts = self.store.workflow_drafts(self.scope, &ids).await?;
        Ok(drafts.into_iter().map(|(id, draft)| (DraftOf(id), draft)).collect())
    }
}
