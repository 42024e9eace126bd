//! Freezing a deliverable, putting it away, and taking it back.

use serde_json::json;

use super::add_deliverable_version::{check_version, unknown_deliverable};
use crate::{
    domain::{
        access::Scope,
        audit::Action,
        deliverable::{About, Event, Status},
        execution,
        id::DeliverableId,
        refusal::{Code, Refusal},
    },
    engine::{Engine, Error, Origin, Result},
    store::{
        Tx,
        deliverables::Deliverable,
        journal::{Append, Appended},
    },
};

/// What is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Settle {
    /// The version that its maker has seen, if they say so.
    Finalize {
        version: Option<i32>,
    },
    Archive,
    Restore,
}

impl Engine {
    pub async fn settle_deliverable(
        &self,
        scope: Scope,
        id: DeliverableId,
        settle: Settle,
        origin: &Origin,
    ) -> Result<Deliverable> {
        self.permit_deliverable(scope, id).await?;
        let mut tx = self.begin(origin).await?;
        tx.lock_journal().await?;
        let before = tx.hold_deliverable(scope, id).await?.ok_or_else(|| unknown_deliverable(id))?;
        let Some((after, event, action)) = decide(&before, settle, tx.now())? else { return Ok(before) };
        tx.update_deliverable(&after).await?;
        tell(&mut tx, scope, &after, event).await?;
        let details = json!({"name": after.name, "version": after.version});
        tx.audit(scope, action, Some(id.into()), details);
        tx.commit().await?;
        Ok(after)
    }
}

type Settled = (Deliverable, fn(About) -> Event, Action);

/// The deliverable afterwards, and what happened; nothing if it is so already.
fn decide(before: &Deliverable, settle: Settle, now: chrono::DateTime<chrono::Utc>) -> Result<Option<Settled>> {
    let refuse = |message: String| Err(Refusal::at("deliverableId", Code::Conflict, message).into());
    let after = |status: Status| Deliverable { status, updated_at: now, ..before.clone() };
    let name = &before.name;
    match (settle, before.status) {
        (Settle::Finalize { version }, Status::Draft | Status::Final) => {
            check_version("version", Code::Stale, version, before)?;
            if before.status == Status::Final {
                return Ok(None);
            }
            Ok(Some((after(Status::Final), Event::Finalized, Action::DeliverableFinalized)))
        }
        (Settle::Finalize { .. }, Status::Archived) => refuse(format!("`{name}` is ARCHIVED: restore it first")),
        (Settle::Archive, Status::Archived) => Ok(None),
        (Settle::Archive, status) => {
            let archived =
                Deliverable { status_before: Some(status), archived_at: Some(now), ..after(Status::Archived) };
            Ok(Some((archived, Event::Archived, Action::DeliverableArchived)))
        }
        (Settle::Restore, Status::Archived) => {
            if before.content_deleted_at.is_some() {
                return refuse(format!("the content of `{name}` was deleted: nothing is left to restore"));
            }
            let status = before.status_before.unwrap_or(Status::Draft);
            let restored = Deliverable { status_before: None, archived_at: None, ..after(status) };
            Ok(Some((restored, Event::Restored, Action::DeliverableRestored)))
        }
        (Settle::Restore, _) => Ok(None),
    }
}

/// Adds what happened to the journal of the deliverable's execution.
pub(super) async fn tell(tx: &mut Tx, scope: Scope, after: &Deliverable, event: fn(About) -> Event) -> Result<()> {
    let about = About { deliverable: after.id.0, name: after.name.clone(), version: after.version, step: after.step };
    let event = execution::Event::Deliverable(event(about));
    let append = Append::comment(scope, after.execution, tx.now(), vec![event]);
    match tx.append(append).await? {
        Appended::Done => Ok(()),
        other => Err(Error::Internal(format!("{} has no journal: {other:?}", after.execution))),
    }
}
