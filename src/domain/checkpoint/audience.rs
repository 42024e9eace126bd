//! Who may decide, in a form in which many checkpoints share it.

use sha2::{Digest, Sha256};

use super::state::Checkpoint;
use crate::domain::policy::Who;

/// The people who may decide about checkpoints, whatever has come of those.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Audience {
    /// The same for the same members.
    pub name: String,
    /// Each a group, a role, a person by address or by id, such as `group:finance` or `id:…`. Sorted.
    pub members: Vec<String>,
}

impl Audience {
    /// Who may decide about a checkpoint; nobody where a rule approved it.
    pub fn of(checkpoint: &Checkpoint) -> Option<Self> {
        let requirement = checkpoint.requirement.as_ref()?;
        let approvers = &requirement.approvers;
        let mut members: Vec<String> = Vec::new();
        members.extend(approvers.groups.iter().cloned().map(|name| Who::Group(name).to_string()));
        members.extend(approvers.users.iter().cloned().map(|email| Who::User(email).to_string()));
        members.extend(approvers.roles.iter().map(|role| Who::Role(*role).to_string()));
        let seats = requirement.seats.iter().filter(|seat| seat.who != Who::Any);
        members.extend(seats.map(|seat| seat.who.to_string()));
        members.extend(checkpoint.escalated_to.iter().map(ToString::to_string));
        members.extend(checkpoint.delegations.iter().map(|(_, to)| by_id(*to)));
        members.sort_unstable();
        members.dedup();
        let digest = Sha256::digest(members.join("\n").as_bytes());
        let name = data_encoding::BASE64URL_NOPAD.encode(digest.get(..9).unwrap_or_default());
        Some(Self { name, members })
    }
}

/// How a person is named by id.
pub fn by_id(user: uuid::Uuid) -> String {
    format!("id:{user}")
}
