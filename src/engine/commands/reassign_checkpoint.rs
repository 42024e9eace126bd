//! A checkpoint that no one can approve any more is given to others.

use super::change_checkpoint::{Moment, Prepared, Wanted};
use crate::{
    domain::{
        access::Scope,
        checkpoint::{Assessed, Command, Reassess, Reassessment},
        email::Email,
        id::{CheckpointId, UserId},
        name,
        policy::Approvers,
        refusal::{Code, Refusal},
    },
    engine::{Engine, Origin, Result},
    store::checkpoints::CheckpointRow,
};

const LONGEST_REASON: usize = 1_000;
const MOST_PEOPLE: usize = 100;

#[derive(Debug, Clone)]
pub struct ReassignCheckpoint {
    pub checkpoint: CheckpointId,
    /// Who may approve it from now on.
    pub users: Vec<UserId>,
    /// How many of them must; as many as before when absent, or all of them if they are fewer.
    pub approvals: Option<u32>,
    pub reason: String,
}

impl Engine {
    pub async fn reassign_checkpoint(
        &self,
        scope: Scope,
        command: ReassignCheckpoint,
        origin: &Origin,
    ) -> Result<CheckpointRow> {
        let reason = name::check_text("reason", &command.reason, LONGEST_REASON)?;
        if reason.trim().is_empty() {
            return Err(Refusal::invalid("reason", "`reason` is empty: say why others are to decide").into());
        }
        if command.users.is_empty() || command.users.len() > MOST_PEOPLE {
            let message = format!("`userIds` has {} entries: give 1 to {MOST_PEOPLE}", command.users.len());
            return Err(Refusal::invalid("userIds", message).into());
        }
        let id = command.checkpoint;
        let wanted = Wanted::Reassign(Box::new(ReassignCheckpoint { reason, ..command }));
        self.carry_out(scope, id, wanted, origin).await
    }

    pub(super) async fn prepare_reassignment(
        &self,
        moment: &Moment<'_>,
        command: &ReassignCheckpoint,
    ) -> Result<Prepared> {
        let Moment { scope, loaded, checkpoint, in_force } = *moment;
        let before = checkpoint.requirement.clone().unwrap_or_default();
        if checkpoint.is_pending() && !self.is_stuck(scope, loaded.owner.actor, checkpoint).await? {
            let message = "there are people who can approve it: it is theirs to decide";
            return Err(Refusal::at("checkpointId", Code::Conflict, message).into());
        }
        let mut emails: Vec<Email> = Vec::new();
        for user in &command.users {
            let unknown = || {
                let message = format!("there is no active user `{user}` in this workspace");
                Refusal::at("userIds", Code::NotFound, message)
            };
            let person = self.person(scope, *user).await?.ok_or_else(unknown)?;
            let may = self.right_to_stand_in(scope, loaded, checkpoint, &person).await?;
            may.map_err(|refusal| Refusal::at("userIds", refusal.code, refusal.message))?;
            emails.extend(person.approver.email.filter(|email| !emails.contains(email)));
        }
        let people = u32::try_from(emails.len()).unwrap_or(u32::MAX);
        let count = command.approvals.unwrap_or_else(|| before.approvals().min(people));
        if count == 0 || count > people {
            let message = format!("`approvals` is {count}: give 1 to {people}, the number of people");
            return Err(Refusal::invalid("approvals", message).into());
        }
        let requirement = before.given_to(Approvers { users: emails, ..Approvers::nobody() }, count);
        let lapsed = checkpoint.live_decisions().map(|decision| decision.made.decision);
        let why = format!("an admin gave the checkpoint to others: {}", command.reason);
        let reassess = Reassess {
            why: Reassessment::Reassigned,
            by: scope.actor(),
            assessed: Assessed { requirement, policy: in_force.version },
            seated: Vec::new(),
            lapsed: lapsed.map(|decision| (decision, why.clone())).collect(),
        };
        Ok(Some((Command::Reassess(Box::new(reassess)), Vec::new())))
    }
}
