//! Handing in something new.

use serde_json::json;
use uuid::Uuid;

use super::{
    deliverable_content::{Checked, Given, Handed, IntendedDeliverable, Intent},
    idempotent::{Creation, lost_to_twin},
    lease::Lease,
};
use crate::{
    domain::{
        access::Scope,
        deliverable::{self, Type},
        id::{AgentId, CheckpointId, DeliverableId, ExecutionId, TaskId},
        name,
        refusal::{Code, Refusal},
    },
    engine::{Engine, Error, Origin, Result, error::Problems, execution::unknown},
    store::deliverables::{NewDeliverable, Put},
};

pub(super) const LONGEST_DESCRIPTION: usize = 10_000;

/// What a deliverable belongs to.
#[derive(Debug, Clone)]
pub enum Home {
    /// A step in the middle of its work.
    Task(Lease),
    /// An execution, whether it still runs or not, and a checkpoint of it.
    Execution(ExecutionId, Option<CheckpointId>),
    Alone,
}

#[derive(Debug, Clone)]
pub struct CreateDeliverable {
    pub home: Home,
    pub name: String,
    pub description: String,
    /// Absent: as its MIME type suggests.
    pub r#type: Option<Type>,
    /// Absent: as its content suggests.
    pub mime_type: Option<String>,
    pub given: Given,
    pub idempotency_key: Option<String>,
}

/// What a home says about the deliverable.
#[derive(Default)]
struct Belonging {
    execution: Option<ExecutionId>,
    step: Option<usize>,
    agent: Option<Uuid>,
    checkpoint: Option<Uuid>,
    held: Option<(TaskId, Uuid)>,
}

impl Engine {
    pub async fn create_deliverable(
        &self,
        scope: Scope,
        command: CreateDeliverable,
        origin: &Origin,
    ) -> Result<Handed> {
        let first = self.try_create_deliverable(scope, command.clone(), origin).await;
        if lost_to_twin(&first) { self.try_create_deliverable(scope, command, origin).await } else { first }
    }

    async fn try_create_deliverable(
        &self,
        scope: Scope,
        command: CreateDeliverable,
        origin: &Origin,
    ) -> Result<Handed> {
        let content = fingerprint(&command);
        let creation = Creation::new(scope, "createDeliverable", command.idempotency_key.as_deref(), content)?;
        let mut problems = Problems::default();
        let name = problems.take(deliverable::check_name("name", &command.name));
        let description = problems.take(name::check_text("description", &command.description, LONGEST_DESCRIPTION));
        let mime_type = command.mime_type.as_deref();
        let mime_type = mime_type.map(|text| problems.take(deliverable::check_mime_type("mimeType", text)));
        let mime_type = mime_type.flatten();
        let checked = self.check_given(command.given, mime_type.as_deref(), &mut problems);
        problems.check()?;
        let (Some(name), Some(description), Some(checked)) = (name, description, checked) else {
            return Err(Error::Internal("a problem that nobody noted".to_owned()));
        };
        let belonging = self.belonging(scope, &command.home).await?;
        let at = self.home_of(scope, belonging.execution).await?;
        let mut tx = self.begin(origin).await?;
        let id = DeliverableId::new(tx.now());
        if let Some(made) = creation.claim(&tx, id).await? {
            drop(tx);
            return self.handed_before(scope, &made).await;
        }
        match checked {
            Checked::Now(version) => {
                let new = NewDeliverable {
                    step: belonging.step,
                    agent: belonging.agent.map(AgentId),
                    checkpoint: belonging.checkpoint.map(CheckpointId),
                    name,
                    description,
                    r#type: command.r#type.unwrap_or_else(|| Type::of_mime_type(&version.mime_type)),
                };
                let put = Put { deliverable: id, new: Some(new), version };
                self.put_version(&mut tx, scope.workspace(), scope.actor(), at, belonging.held, put).await?;
                tx.commit().await?;
                self.handed_before(scope, &id.to_string()).await
            }
            Checked::Later { size, sha256 } => {
                let new = IntendedDeliverable {
                    name,
                    description,
                    r#type: command.r#type,
                    execution: belonging.execution.map(|id| id.0),
                    step: belonging.step,
                    agent: belonging.agent,
                    checkpoint: belonging.checkpoint,
                };
                let intent = Intent { new: Some(new), mime_type, size, sha256, base_version: None };
                let upload = self.expect_upload(&tx, scope, id, &intent).await?;
                tx.commit().await?;
                Ok(Handed::Upload(upload))
            }
        }
    }

    /// What an earlier try made: the deliverable, or the upload that still waits for content.
    async fn handed_before(&self, scope: Scope, made: &str) -> Result<Handed> {
        let id: DeliverableId = made.parse().map_err(|error| Error::Internal(format!("{error}")))?;
        if let Some(found) = self.store().deliverable(scope, id).await? {
            return Ok(Handed::Deliverable(found));
        }
        let now = self.clock().now();
        let upload = self.store().upload_of(scope.workspace(), id).await?;
        match upload.filter(|upload| upload.expires_at > now) {
            Some(upload) => Ok(Handed::Upload(self.started_upload(&upload)?)),
            None => {
                let message = "the upload that was asked for with this key has expired: use a new key";
                Err(Refusal::at("idempotencyKey", Code::Expired, message).into())
            }
        }
    }

    async fn belonging(&self, scope: Scope, home: &Home) -> Result<Belonging> {
        match home {
            Home::Alone => {
                self.permit_outside_of_workflows(scope, "a deliverable that stands alone is in none of them").await?;
                Ok(Belonging::default())
            }
            Home::Execution(id, checkpoint) => {
                self.store().execution(scope, *id).await?.ok_or_else(|| unknown(*id))?;
                self.permit_execution(scope, *id).await?;
                if let Some(wanted) = checkpoint {
                    let found = self.store().checkpoint(scope, *wanted).await?;
                    let missing = || {
                        let message = format!("the execution `{id}` has no checkpoint `{wanted}`");
                        Refusal::at("checkpointId", Code::NotFound, message)
                    };
                    found.filter(|found| found.execution == *id).ok_or_else(missing)?;
                }
                let checkpoint = checkpoint.map(|id| id.0);
                Ok(Belonging { execution: Some(*id), checkpoint, ..Belonging::default() })
            }
            Home::Task(lease) => {
                let loaded = self.leased(scope, lease).await?;
                super::finish_task::check_holder(&loaded, lease)?;
                let step = loaded.state.steps.get(lease.step);
                Ok(Belonging {
                    execution: Some(lease.execution),
                    step: Some(lease.step),
                    agent: step.and_then(|step| step.agent).map(|(agent, _)| agent),
                    checkpoint: step.and_then(|step| step.approved.as_ref()).map(|approved| approved.checkpoint),
                    held: Some((lease.task, lease.lease)),
                })
            }
        }
    }
}

/// Everything that makes two requests the same request.
fn fingerprint(command: &CreateDeliverable) -> String {
    let home = match &command.home {
        Home::Task(lease) => json!([lease.task.to_string(), lease.lease.to_string()]),
        Home::Execution(id, checkpoint) => json!([id.to_string(), checkpoint.map(|id| id.to_string())]),
        Home::Alone => json!(null),
    };
    let given = match &command.given {
        Given::Body(body) => json!(crate::engine::deliverables::Measured::of(body).sha256),
        Given::External { url, metadata } => json!([url, metadata.as_ref().map(|json| json.text())]),
        Given::Upload { size, sha256 } => json!({"size": size, "sha256": sha256}),
    };
    let of = command.r#type.map(|of| of.as_str());
    json!([home, command.name, command.description, of, command.mime_type, given]).to_string()
}
