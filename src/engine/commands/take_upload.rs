//! Making a version of content that was sent.

use super::{add_deliverable_version::hold_for_content, deliverable_content::Intent, deliverable_home::At};
use crate::{
    domain::{
        access::Scope,
        deliverable::Type,
        id::{AgentId, CheckpointId, DeliverableId, ExecutionId},
        refusal::{Code, Refusal},
    },
    engine::{Engine, Origin, Result, deliverables::Measured},
    store::deliverables::{Content, NewDeliverable, NewVersion, Put, Upload},
};

impl Engine {
    /// Ends an upload: its content becomes visible, or nothing does.
    pub(in crate::engine) async fn take_upload(
        &self,
        upload: &Upload,
        intent: Intent,
        content: Content,
        measured: &Measured,
    ) -> Result<DeliverableId> {
        let (scope, id) = (Scope::system(upload.workspace), upload.deliverable);
        let mime_type = intent.mime_type.unwrap_or_else(|| measured.mime_type.to_owned());
        let home = match &intent.new {
            Some(new) => Some(self.home_of(scope, new.execution.map(ExecutionId)).await?),
            None => None,
        };
        let mut tx = self.begin(&Origin::default()).await?;
        let at = match home {
            Some(at) => {
                tx.lock_journal().await?;
                at
            }
            None => At::Execution(hold_for_content(&tx, scope, id, intent.base_version).await?.execution),
        };
        if !tx.end_upload(upload.id).await? {
            return Err(Refusal::new(Code::Conflict, "the content was sent twice: the other one was taken").into());
        }
        let new = intent.new.map(|new| NewDeliverable {
            step: new.step,
            agent: new.agent.map(AgentId),
            checkpoint: new.checkpoint.map(CheckpointId),
            name: new.name,
            description: new.description,
            r#type: new.r#type.unwrap_or_else(|| Type::of_mime_type(&mime_type)),
        });
        let put = Put { deliverable: id, new, version: NewVersion { mime_type, content } };
        // Whoever made it need not hold its task any more: what was made while it did is kept.
        self.put_version(&mut tx, upload.workspace, upload.actor, at, None, put).await?;
        tx.commit().await?;
        Ok(id)
    }
}
