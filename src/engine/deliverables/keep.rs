//! Outputs of steps that a workflow keeps.

use bytes::Bytes;
use chrono::TimeDelta;

use super::{files::Files, measure::Measured, receive::file_content};
use crate::{
    domain::{
        access::Scope,
        deliverable::{LARGEST_INLINE, Type},
        execution::{Event, LogLevel},
        id::{AgentId, CheckpointId, DeliverableId},
        json::Json,
        workflow::Keep,
    },
    engine::{
        Engine, Error, Result,
        execution::{Loaded, values::offload},
    },
    store::deliverables::{Content, NewDeliverable, NewVersion, Put},
};

/// What is written with a step's output, and what is said about what cannot be.
#[derive(Debug, Clone, Default)]
pub struct Kept {
    pub puts: Vec<Put>,
    pub comments: Vec<Event>,
}

impl Engine {
    /// What a workflow keeps of a step's output. A step that runs again gives the next version of what it gave before.
    pub(crate) async fn keep_outputs(&self, loaded: &Loaded, step: usize, output: &Json) -> Result<Kept> {
        let mut kept = Kept::default();
        let now = self.clock().now();
        for (number, keep) in loaded.plan.kept(step).iter().enumerate() {
            // Ids follow the time: these keep the order of the document.
            let later = TimeDelta::milliseconds(i64::try_from(number).unwrap_or(0));
            let id = DeliverableId::new(now + later);
            let (name, output, found) = (&keep.template.name, output.clone(), keep.clone());
            let broken = || Error::Internal("an expression broke off".to_owned());
            match offload(move || found.content(&output)).await.ok_or_else(broken)? {
                Ok(Some(content)) => kept.puts.push(self.keep_one(loaded, step, keep, id, content).await?),
                Ok(None) => {}
                // The step has done its work: that something of it cannot be kept does not undo it.
                Err(error) => {
                    let message = format!("the deliverable `{name}` was not kept: {error}");
                    kept.comments.push(Event::StepLogged { step, level: LogLevel::Error, message });
                }
            }
        }
        Ok(kept)
    }

    async fn keep_one(
        &self,
        loaded: &Loaded,
        step: usize,
        keep: &Keep,
        id: DeliverableId,
        content: Vec<u8>,
    ) -> Result<Put> {
        let (owner, template) = (loaded.owner, &keep.template);
        let scope = Scope::system(owner.workspace);
        let before = self.store().kept_output(scope, owner.execution, step, &template.name).await?;
        let deliverable = before.unwrap_or(id);
        let measured = Measured::of(&content);
        let mime_type = template.mime_type.clone().unwrap_or_else(|| measured.mime_type.to_owned());
        let state = loaded.state.steps.get(step);
        let new = before.is_none().then(|| NewDeliverable {
            step: Some(step),
            agent: state.and_then(|state| state.agent).map(|(agent, _)| AgentId(agent)),
            checkpoint: state.and_then(|state| state.approved.as_ref()).map(|it| CheckpointId(it.checkpoint)),
            name: template.name.clone(),
            description: template.description.clone(),
            r#type: template.r#type.unwrap_or_else(|| Type::of_mime_type(&mime_type)),
        });
        let content = if content.len() <= LARGEST_INLINE {
            let Measured { sha256, crc32, .. } = measured;
            Content::Inline { body: content, sha256, crc32 }
        } else {
            let key = Files::new_key(owner.workspace, deliverable);
            self.note_file(&key).await?;
            let mut writing = self.files().write(&key).await?;
            writing.write(Bytes::from(content)).await?;
            writing.finish().await?;
            file_content(key, &measured)
        };
        Ok(Put { deliverable, new, version: NewVersion { mime_type, content } })
    }
}
