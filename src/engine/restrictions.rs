//! Keeps restricted API tokens to what they are for.
//!
//! Each list restricts the commands that have such a thing: an operation type, a workflow, an agent, a queue. Commands
//! ask here, so that every entrance obeys. Reading is not restricted, apart from the tasks that wait in a queue.

use crate::{
    domain::{
        access::Scope,
        agent::{Config, Spec},
        api_token::Restrictions,
        checkpoint::Checkpoint,
        id::{AgentId, CheckpointId, DeliverableId, ExecutionId, WorkflowId},
        refusal::{Code, Refusal},
        workflow::Plan,
    },
    engine::{
        Engine, Error, Result,
        commands::Lease,
        execution::{Loaded, unknown},
    },
};

impl Engine {
    /// What the caller is restricted to; nothing unless it is a restricted API token. The restrictions of a token never
    /// change.
    async fn restrictions(&self, scope: Scope) -> Result<Option<Restrictions>> {
        let Some(id) = scope.restricted_token() else { return Ok(None) };
        let gone = || Error::Internal("the caller is gone".to_owned());
        Ok(Some(self.store().api_token(scope, id).await?.ok_or_else(gone)?.restrictions))
    }

    /// Whether the caller is a program of this agent: a token that is restricted to it and a few others.
    pub(crate) async fn is_program_of(&self, scope: Scope, agent: AgentId) -> Result<bool> {
        let agents = self.restrictions(scope).await?.and_then(|restrictions| restrictions.agents);
        Ok(agents.is_some_and(|agents| agents.contains(&agent)))
    }

    pub(crate) async fn permit_operation_type(&self, scope: Scope, name: &str) -> Result<()> {
        let Some(restrictions) = self.restrictions(scope).await? else { return Ok(()) };
        check_operation_type(&restrictions, name)
    }

    /// The queue to take tasks from, and the only agents whose tasks may be taken; nothing if those of all may.
    pub async fn permit_queue(&self, scope: Scope, queue: &str) -> Result<Option<Vec<AgentId>>> {
        let Some(restrictions) = self.restrictions(scope).await? else { return Ok(None) };
        check_queue(&restrictions, "queue", queue)?;
        Ok(restrictions.agents.map(|mut agents| {
            agents.sort_unstable();
            agents
        }))
    }

    pub(crate) async fn permit_workflow(&self, scope: Scope, field: &'static str, id: WorkflowId) -> Result<()> {
        let Some(restrictions) = self.restrictions(scope).await? else { return Ok(()) };
        self.check_workflow(scope, &restrictions, field, id).await
    }

    /// Something that belongs to no workflow, or to one that is not there yet.
    pub(crate) async fn permit_outside_of_workflows(&self, scope: Scope, what: &str) -> Result<()> {
        let Some(restrictions) = self.restrictions(scope).await? else { return Ok(()) };
        match &restrictions.workflows {
            None => Ok(()),
            Some(allowed) => {
                let names = self.names_of_workflows(scope, allowed).await?;
                Err(Refusal::new(Code::NotAllowed, restricted("workflows", &names, what)).into())
            }
        }
    }

    pub(crate) async fn permit_execution(&self, scope: Scope, id: ExecutionId) -> Result<()> {
        let Some(restrictions) = self.restrictions(scope).await? else { return Ok(()) };
        let execution = self.store().execution(scope, id).await?.ok_or_else(|| unknown(id))?;
        self.check_workflow(scope, &restrictions, "executionId", execution.workflow).await
    }

    /// A plan runs its agents: those must all be among the token's.
    pub(crate) async fn permit_plan(&self, scope: Scope, plan: &Plan) -> Result<()> {
        let names = plan.definition().steps.iter().map(|step| step.agent.as_str());
        self.permit_agents_named(scope, names).await
    }

    pub(crate) async fn permit_agents_named<'a>(
        &self,
        scope: Scope,
        names: impl Iterator<Item = &'a str>,
    ) -> Result<()> {
        let Some(restrictions) = self.restrictions(scope).await?.filter(|found| found.agents.is_some()) else {
            return Ok(());
        };
        let names: Vec<String> = names.map(str::to_owned).collect();
        let agents = self.store().agents_named(scope, &names).await?;
        for agent in agents.values() {
            self.check_agent(scope, &restrictions, agent.id).await?;
        }
        Ok(())
    }

    /// An agent that is written, with what it said before and is to say.
    pub(crate) async fn permit_agent(&self, scope: Scope, id: AgentId, specs: &[&Spec]) -> Result<()> {
        let Some(restrictions) = self.restrictions(scope).await? else { return Ok(()) };
        self.check_agent(scope, &restrictions, id).await.map_err(|error| error.at("agentId"))?;
        check_queues_of(&restrictions, specs)
    }

    pub(crate) async fn permit_new_agent(&self, scope: Scope, name: &str, spec: &Spec) -> Result<()> {
        let Some(restrictions) = self.restrictions(scope).await? else { return Ok(()) };
        if let Some(allowed) = &restrictions.agents {
            let names = self.names_of_agents(scope, allowed).await?;
            let message = restricted("agents", &names, &format!("`{name}` would be a new one"));
            return Err(Refusal::at("name", Code::NotAllowed, message).into());
        }
        check_queues_of(&restrictions, &[spec])
    }

    /// A task that the caller speaks about: its workflow, its agent and its queue.
    pub(crate) async fn permit_task(&self, scope: Scope, loaded: &Loaded, lease: &Lease) -> Result<()> {
        let Some(restrictions) = self.restrictions(scope).await? else { return Ok(()) };
        let field = "leaseToken";
        self.check_workflow(scope, &restrictions, field, WorkflowId(loaded.state.workflow)).await?;
        let Some(step) = loaded.state.steps.get(lease.step) else { return Ok(()) };
        if let Some((agent, _)) = step.agent {
            self.check_agent(scope, &restrictions, AgentId(agent)).await.map_err(|error| error.at(field))?;
        }
        match step.task.as_ref().and_then(|(_, queue)| queue.as_deref()) {
            Some(queue) => check_queue(&restrictions, field, queue),
            None => Ok(()),
        }
    }

    /// A checkpoint that the caller decides or speaks about: its operation type, its workflow and its agent.
    pub(crate) async fn permit_checkpoint(&self, scope: Scope, id: CheckpointId) -> Result<()> {
        if scope.restricted_token().is_none() {
            return Ok(());
        }
        let loaded = self.execution_of_checkpoint(scope, id).await?;
        let Some(checkpoint) = loaded.state.checkpoint(id.0) else { return Ok(()) };
        self.permit_found_checkpoint(scope, &loaded, checkpoint).await.map_err(|error| error.at("checkpointId"))
    }

    async fn permit_found_checkpoint(&self, scope: Scope, loaded: &Loaded, checkpoint: &Checkpoint) -> Result<()> {
        let Some(restrictions) = self.restrictions(scope).await? else { return Ok(()) };
        if let Some(proposal) = checkpoint.proposal() {
            check_operation_type(&restrictions, &proposal.operation_type)?;
        }
        self.check_workflow(scope, &restrictions, "checkpointId", WorkflowId(loaded.state.workflow)).await?;
        match checkpoint.agent {
            Some(agent) => self.check_agent(scope, &restrictions, AgentId(agent)).await,
            None => Ok(()),
        }
    }

    /// A deliverable that the caller changes: its workflow and its agent.
    pub(crate) async fn permit_deliverable(&self, scope: Scope, id: DeliverableId) -> Result<()> {
        let Some(restrictions) = self.restrictions(scope).await? else { return Ok(()) };
        // Whoever changes it says what is wrong with one that is not there.
        let Some(deliverable) = self.store().deliverable(scope, id).await? else { return Ok(()) };
        self.permit_execution(scope, deliverable.execution).await?;
        match deliverable.agent {
            Some(agent) => {
                self.check_agent(scope, &restrictions, agent).await.map_err(|error| error.at("deliverableId"))
            }
            None => Ok(()),
        }
    }

    async fn check_workflow(
        &self,
        scope: Scope,
        restrictions: &Restrictions,
        field: &'static str,
        id: WorkflowId,
    ) -> Result<()> {
        let Some(allowed) = restrictions.workflows.as_ref().filter(|_| !restrictions.allow_workflow(id)) else {
            return Ok(());
        };
        let (names, tried) =
            (self.names_of_workflows(scope, allowed).await?, self.names_of_workflows(scope, &[id]).await?);
        let what = format!("`{}` is not among them", tried.first().cloned().unwrap_or_else(|| id.to_string()));
        Err(Refusal::at(field, Code::NotAllowed, restricted("workflows", &names, &what)).into())
    }

    async fn check_agent(&self, scope: Scope, restrictions: &Restrictions, id: AgentId) -> Result<()> {
        let Some(allowed) = restrictions.agents.as_ref().filter(|_| !restrictions.allow_agent(id)) else {
            return Ok(());
        };
        let (names, tried) = (self.names_of_agents(scope, allowed).await?, self.names_of_agents(scope, &[id]).await?);
        let what = format!("`{}` is not among them", tried.first().cloned().unwrap_or_else(|| id.to_string()));
        Err(Refusal::new(Code::NotAllowed, restricted("agents", &names, &what)).into())
    }

    async fn names_of_workflows(&self, scope: Scope, ids: &[WorkflowId]) -> Result<Vec<String>> {
        let found = self.store().workflows_by_id(scope, ids).await?;
        Ok(sorted(found.into_values().map(|workflow| workflow.name)))
    }

    async fn names_of_agents(&self, scope: Scope, ids: &[AgentId]) -> Result<Vec<String>> {
        let found = self.store().agents_by_id(scope, ids).await?;
        Ok(sorted(found.into_values().map(|agent| agent.name)))
    }
}

fn sorted(names: impl Iterator<Item = String>) -> Vec<String> {
    let mut names: Vec<String> = names.collect();
    names.sort_unstable();
    names
}

fn check_operation_type(restrictions: &Restrictions, name: &str) -> Result<()> {
    match &restrictions.operation_types {
        Some(allowed) if !restrictions.allow_operation_type(name) => {
            let shown: String = name.chars().take(100).collect();
            let message = restricted("operation types", allowed, &format!("`{shown}` is not among them"));
            Err(Refusal::at("operationType", Code::NotAllowed, message).into())
        }
        Some(_) | None => Ok(()),
    }
}

fn check_queue(restrictions: &Restrictions, field: &'static str, queue: &str) -> Result<()> {
    match &restrictions.queues {
        Some(allowed) if !restrictions.allow_queue(queue) => {
            let message = restricted("queues", allowed, &format!("`{queue}` is not among them"));
            Err(Refusal::at(field, Code::NotAllowed, message).into())
        }
        Some(_) | None => Ok(()),
    }
}

/// The queues of an agent's specifications: nobody moves an agent to a queue of theirs, or out of one of others'.
fn check_queues_of(restrictions: &Restrictions, specs: &[&Spec]) -> Result<()> {
    for spec in specs {
        if let Config::Worker(worker) = &spec.config {
            check_queue(restrictions, "config", &worker.queue)?;
        }
    }
    Ok(())
}

fn restricted(kind: &str, allowed: &[String], what: &str) -> String {
    let names: Vec<String> = allowed.iter().map(|name| format!("`{name}`")).collect();
    format!("the API token is restricted to the {kind} {}: {what}", names.join(", "))
}
