//! Who looks at a checkpoint, and who decides in whose place.

use chrono::{DateTime, Utc};
use serde_json::json;

use super::change_checkpoint::unknown_checkpoint;
use crate::{
    domain::{
        access::{Actor, Scope},
        audit::Action,
        checkpoint::Command,
        id::{CheckpointId, UserId},
        refusal::{Code, Refusal},
        role::Role,
    },
    engine::{Engine, Error, Origin, Result},
    store::{absences::Absence, checkpoints::CheckpointRow},
};

impl Engine {
    /// The caller looks at it. Others still may decide: nobody is locked out by somebody who went home.
    pub async fn claim_checkpoint(&self, scope: Scope, id: CheckpointId, origin: &Origin) -> Result<CheckpointRow> {
        let user = only_people(scope)?;
        self.assign_checkpoint(scope, id, Some(user), origin).await
    }

    /// Gives it to somebody who may decide, or to nobody in particular.
    pub async fn assign_checkpoint(
        &self,
        scope: Scope,
        id: CheckpointId,
        to: Option<UserId>,
        origin: &Origin,
    ) -> Result<CheckpointRow> {
        let loaded = self.execution_of_checkpoint(scope, id).await?;
        let checkpoint = loaded.state.checkpoint(id.0).ok_or_else(|| unknown_checkpoint(id))?;
        if let Some(user) = to.filter(|_| checkpoint.is_pending()) {
            let person = self.person(scope, user).await?.ok_or_else(|| unknown_user(user))?;
            let right = self.right_to_decide(scope, &loaded, checkpoint, &person).await?;
            right.map_err(|refusal| {
                let message = format!("that person cannot decide it: {}", refusal.message);
                Refusal::at("userId", refusal.code, message)
            })?;
        }
        self.change_checkpoint(scope, id, Command::Assign { to: to.map(|user| user.0) }, origin).await
    }

    /// Lets somebody else decide in the caller's place.
    pub async fn delegate_checkpoint(
        &self,
        scope: Scope,
        id: CheckpointId,
        to: UserId,
        origin: &Origin,
    ) -> Result<CheckpointRow> {
        let from = only_people(scope)?;
        if from == to {
            return Err(Refusal::invalid("userId", "nobody can be their own delegate").into());
        }
        let loaded = self.execution_of_checkpoint(scope, id).await?;
        let checkpoint = loaded.state.checkpoint(id.0).ok_or_else(|| unknown_checkpoint(id))?;
        if checkpoint.is_pending() {
            let person = self.caller(scope).await?;
            let right = self.right_to_decide(scope, &loaded, checkpoint, &person).await??;
            if right.on_behalf_of.is_some() {
                let message = "you decide in somebody's place already: only they can choose another delegate";
                return Err(Refusal::new(Code::NotAllowed, message).into());
            }
            let delegate = self.person(scope, to).await?.ok_or_else(|| unknown_user(to))?;
            let may = self.right_to_stand_in(scope, &loaded, checkpoint, &delegate).await?;
            may.map_err(|refusal| Refusal::at("userId", refusal.code, refusal.message))?;
        }
        self.change_checkpoint(scope, id, Command::Delegate { from: from.0, to: to.0 }, origin).await
    }

    /// Lets somebody decide in the caller's place for a time; nobody ends it.
    pub async fn set_out_of_office(&self, scope: Scope, absence: Option<Absence>, origin: &Origin) -> Result<()> {
        let user = only_people(scope)?;
        if let Some(absence) = &absence {
            check_times(absence.starts_at, absence.ends_at)?;
            if absence.delegate == user {
                return Err(Refusal::invalid("delegateId", "nobody can be their own delegate").into());
            }
            let delegate = self.person(scope, absence.delegate).await?;
            let delegate = delegate.ok_or_else(|| unknown_user_at("delegateId", absence.delegate))?;
            if !delegate.may_approve() {
                let message = format!("deciding needs the role {}, which that person does not have", Role::Approver);
                return Err(Refusal::at("delegateId", Code::NotAllowed, message).into());
            }
        }
        let mut tx = self.begin(origin).await?;
        let (action, details) = match &absence {
            Some(Absence { delegate, starts_at, ends_at }) => {
                let details = json!({"delegate": delegate.to_string(), "from": starts_at, "until": ends_at});
                (Action::OutOfOfficeSet, details)
            }
            None => (Action::OutOfOfficeEnded, json!({})),
        };
        tx.audit(scope, action, Some(user.into()), details);
        tx.put_absence(user, absence).await?;
        tx.commit().await?;
        Ok(())
    }
}

fn check_times(starts_at: DateTime<Utc>, ends_at: DateTime<Utc>) -> Result<()> {
    if ends_at > starts_at {
        return Ok(());
    }
    let message = format!("`endsAt` is {ends_at}: it must be after `startsAt`, {starts_at}");
    Err(Refusal::invalid("endsAt", message).into())
}

fn only_people(scope: Scope) -> Result<UserId> {
    match scope.actor() {
        Actor::User(user) => Ok(user),
        Actor::ApiToken(_) | Actor::System => {
            let message = "only a person who is signed in can do this, not an API token";
            Err(Refusal::new(Code::NotAllowed, message).into())
        }
    }
}

fn unknown_user(user: UserId) -> Error {
    unknown_user_at("userId", user)
}

fn unknown_user_at(field: &'static str, user: UserId) -> Error {
    let message = format!("there is no active user `{user}` in this workspace");
    Refusal::at(field, Code::NotFound, message).into()
}
