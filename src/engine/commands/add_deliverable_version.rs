//! New content for something that is there: its next version.

use super::{
    deliverable_content::{Checked, Given, Handed, Intent},
    deliverable_home::At,
};
use crate::{
    domain::{
        access::Scope,
        deliverable::{self, Status},
        id::DeliverableId,
        refusal::{Code, Refusal},
    },
    engine::{Engine, Error, Origin, Result, error::Problems},
    store::{
        Tx,
        deliverables::{Deliverable, Put},
    },
};

#[derive(Debug, Clone)]
pub struct AddDeliverableVersion {
    pub deliverable: DeliverableId,
    /// The version that its maker has seen; absent: whatever is the newest.
    pub base_version: Option<i32>,
    pub mime_type: Option<String>,
    pub given: Given,
}

impl Engine {
    pub async fn add_deliverable_version(
        &self,
        scope: Scope,
        command: AddDeliverableVersion,
        origin: &Origin,
    ) -> Result<Handed> {
        let mut problems = Problems::default();
        let mime_type = command.mime_type.as_deref();
        let mime_type = mime_type.map(|text| problems.take(deliverable::check_mime_type("mimeType", text)));
        let mime_type = mime_type.flatten();
        let checked = self.check_given(command.given, mime_type.as_deref(), &mut problems);
        problems.check()?;
        let checked = checked.ok_or_else(|| Error::Internal("a problem that nobody noted".to_owned()))?;
        self.permit_deliverable(scope, command.deliverable).await?;
        let mut tx = self.begin(origin).await?;
        let id = command.deliverable;
        let held = hold_for_content(&tx, scope, id, command.base_version).await?;
        match checked {
            Checked::Now(version) => {
                let put = Put { deliverable: id, new: None, version };
                let at = At::Execution(held.execution);
                self.put_version(&mut tx, scope.workspace(), scope.actor(), at, None, put).await?;
                tx.commit().await?;
                Ok(Handed::Deliverable(self.require_deliverable(scope, id).await?))
            }
            Checked::Later { size, sha256 } => {
                let base_version = command.base_version;
                let intent = Intent { new: None, mime_type, size, sha256, base_version };
                let upload = self.expect_upload(&tx, scope, id, &intent).await?;
                tx.commit().await?;
                Ok(Handed::Upload(upload))
            }
        }
    }

    pub(super) async fn require_deliverable(&self, scope: Scope, id: DeliverableId) -> Result<Deliverable> {
        Ok(self.store().deliverable(scope, id).await?.ok_or_else(|| unknown_deliverable(id))?)
    }
}

pub(super) fn unknown_deliverable(id: DeliverableId) -> Refusal {
    Refusal::at("deliverableId", Code::NotFound, format!("there is no deliverable `{id}` in this workspace"))
}

/// A deliverable that can take another version.
pub(super) async fn hold_for_content(
    tx: &Tx,
    scope: Scope,
    id: DeliverableId,
    base_version: Option<i32>,
) -> Result<Deliverable> {
    tx.lock_journal().await?;
    let held = tx.hold_deliverable(scope, id).await?.ok_or_else(|| unknown_deliverable(id))?;
    if held.status == Status::Archived {
        let message = format!("`{}` is ARCHIVED: restore it before it gets another version", held.name);
        return Err(Refusal::at("deliverableId", Code::Conflict, message).into());
    }
    check_version("baseVersion", Code::Conflict, base_version, &held)?;
    Ok(held)
}

/// Refuses what was decided on an older version.
pub(super) fn check_version(field: &'static str, code: Code, seen: Option<i32>, held: &Deliverable) -> Result<()> {
    match seen {
        Some(seen) if seen != held.version => {
            let message = format!("`{field}` is {seen}: the newest version of `{}` is {}", held.name, held.version);
            Err(Refusal::at(field, code, message).into())
        }
        Some(_) | None => Ok(()),
    }
}
