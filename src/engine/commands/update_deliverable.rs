//! Calling a deliverable something else.

use super::{
    add_deliverable_version::unknown_deliverable, create_deliverable::LONGEST_DESCRIPTION, settle_deliverable::tell,
};
use crate::{
    domain::{
        access::Scope,
        deliverable::{self, Event, Status, Type},
        id::DeliverableId,
        name,
        refusal::{Code, Refusal},
    },
    engine::{Engine, Origin, Result, error::Problems},
    store::deliverables::Deliverable,
};

/// What is absent stays.
#[derive(Debug, Clone)]
pub struct UpdateDeliverable {
    pub deliverable: DeliverableId,
    pub name: Option<String>,
    pub description: Option<String>,
    pub r#type: Option<Type>,
}

impl Engine {
    pub async fn update_deliverable(
        &self,
        scope: Scope,
        command: UpdateDeliverable,
        origin: &Origin,
    ) -> Result<Deliverable> {
        let mut problems = Problems::default();
        let name = command.name.map(|text| problems.take(deliverable::check_name("name", &text)));
        let description = command.description;
        let description =
            description.map(|text| problems.take(name::check_text("description", &text, LONGEST_DESCRIPTION)));
        problems.check()?;
        self.permit_deliverable(scope, command.deliverable).await?;
        let mut tx = self.begin(origin).await?;
        tx.lock_journal().await?;
        let id = command.deliverable;
        let before = tx.hold_deliverable(scope, id).await?.ok_or_else(|| unknown_deliverable(id))?;
        if before.status != Status::Draft {
            let message = format!("`{}` is {}: only a DRAFT can be changed", before.name, before.status);
            return Err(Refusal::at("deliverableId", Code::Conflict, message).into());
        }
        let after = Deliverable {
            name: name.flatten().unwrap_or_else(|| before.name.clone()),
            description: description.flatten().unwrap_or_else(|| before.description.clone()),
            r#type: command.r#type.unwrap_or(before.r#type),
            ..before.clone()
        };
        if after == before {
            return Ok(before);
        }
        let after = Deliverable { updated_at: tx.now(), ..after };
        tx.update_deliverable(&after).await?;
        tell(&mut tx, scope, &after, Event::Updated).await?;
        tx.commit().await?;
        Ok(after)
    }
}
