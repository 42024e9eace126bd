//! A checkpoint is about one version of an agent; this lets the newest one run instead, once people approve that.

use super::change_checkpoint::{Moment, Prepared, Wanted};
use crate::{
    domain::{
        access::Scope,
        checkpoint::{Cause, Command, Kind, Runs},
        id::CheckpointId,
        refusal::{Code, Refusal},
    },
    engine::{Engine, Error, Origin, Result, execution::values},
    store::checkpoints::CheckpointRow,
};

impl Engine {
    /// Makes the next revision of what a step is about to do, with the newest version of its agent. Earlier approvals,
    /// which were about another version, count no longer.
    pub async fn update_checkpoint_agent(
        &self,
        scope: Scope,
        id: CheckpointId,
        digest: String,
        origin: &Origin,
    ) -> Result<CheckpointRow> {
        self.carry_out(scope, id, Wanted::UpdateAgent { digest }, origin).await
    }

    pub(super) async fn prepare_agent_update(&self, moment: &Moment<'_>, digest: &str) -> Result<Prepared> {
        let Moment { scope, checkpoint, .. } = *moment;
        let current = checkpoint.current().filter(|_| checkpoint.kind == Kind::Step);
        let Some((current, runs)) = current.and_then(|current| Some((current, current.proposal.runs.as_ref()?))) else {
            let message = "only a step runs an agent of the library: there is no version to update";
            return Err(Refusal::at("checkpointId", Code::Conflict, message).into());
        };
        if current.digest != digest {
            let message = format!("what you looked at has changed: the digest is `{}` by now", current.digest);
            return Err(Refusal::at("digest", Code::Stale, message).into());
        }
        let newest = self.newest_agents(scope, std::iter::once(runs.name.as_str())).await?.remove(&runs.name);
        let Some(newest) = newest.filter(|newest| newest.id.0 == runs.agent) else {
            let message = format!("there is no agent named `{}` in the library any more", runs.name);
            return Err(Refusal::at("checkpointId", Code::NotFound, message).into());
        };
        if newest.version == runs.version {
            return Ok(None);
        }
        let contents = self.contents_of(scope.workspace(), &current.proposal).await?;
        let prepared = self.prepared_agent(scope, newest.id, newest.version).await?;
        let prepared = prepared.ok_or_else(|| Error::Internal("the newest version of an agent is gone".to_owned()))?;
        if let Some(schema) = &prepared.input_schema
            && let Err(violations) = values::check(schema, &contents.parameters).await?
        {
            let refusals = violations.iter().map(|violation| {
                let (version, explained) = (newest.version, values::explain(violation));
                let message =
                    format!("the parameters do not fit what version {version} of the agent takes: {explained}");
                Refusal::at("checkpointId", Code::Conflict, message)
            });
            return Err(Error::Refused(refusals.collect()));
        }
        let mut proposal = current.proposal.clone();
        proposal.risk_level = proposal.risk_level.max(newest.spec.risk_level);
        proposal.runs = Some(Runs {
            agent: runs.agent,
            name: runs.name.clone(),
            version: newest.version,
            specification: newest.digest.clone(),
            operation_type: newest.spec.operation_type.clone().filter(|own| *own != current.proposal.operation_type),
        });
        let (instead, payloads) = self.instead(moment, Cause::AgentUpdated, proposal, &contents, Vec::new()).await?;
        Ok(Some((Command::Revise { by: scope.actor(), instead: Box::new(instead) }, payloads)))
    }
}
