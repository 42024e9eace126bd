//! Who may decide, in a form in which many checkpoints share it.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::state::Checkpoint;
use crate::domain::{access::Actor, policy::Who};

/// The people who may decide about checkpoints; of those that wait, who has yet to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Audience {
    /// The same for the same members.
    pub name: String,
    /// Each a group, a role, a person by address or by id, such as `group:finance` or `id:…`. Sorted.
    pub members: Vec<String>,
    /// Who may not, or has, although they are members.
    pub barred: Vec<Barred>,
}

/// Somebody who is not asked, although a member.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Barred {
    /// Whoever started the execution, as the person they are or whose token they used.
    Starter(Actor),
    /// Whoever wrote a version of the agent.
    AuthorsOf(Uuid),
    /// Somebody whose answer is there already, while others are waited for.
    Decided(Uuid),
}

impl Audience {
    /// Who may decide about a checkpoint of an execution that somebody started; nobody where a rule approved it.
    pub fn of(checkpoint: &Checkpoint, starter: Actor) -> Option<Self> {
        let requirement = checkpoint.requirement.as_ref()?;
        let mut members: Vec<String> = Vec::new();
        for part in requirement.parts() {
            members.extend(part.approvers.groups.into_iter().map(|name| Who::Group(name).to_string()));
            members.extend(part.approvers.users.into_iter().map(|email| Who::User(email).to_string()));
            members.extend(part.approvers.roles.into_iter().map(|role| Who::Role(role).to_string()));
            let seats = part.seats.iter().filter(|seat| seat.who != Who::Any);
            members.extend(seats.map(|seat| seat.who.to_string()));
        }
        members.extend(checkpoint.escalated_to.iter().map(ToString::to_string));
        members.extend(checkpoint.delegations.iter().map(|(_, to)| by_id(*to)));
        members.sort_unstable();
        members.dedup();
        let mut barred = Vec::new();
        if requirement.bars_starter() {
            barred.push(Barred::Starter(starter));
        }
        if requirement.bars_agent_owner() {
            barred.extend(checkpoint.agent.map(Barred::AuthorsOf));
        }
        if checkpoint.is_pending() {
            let made = checkpoint.live_decisions().map(|decision| &decision.made);
            let mut people: Vec<Uuid> =
                made.flat_map(|made| std::iter::once(made.person).chain(made.on_behalf_of)).collect();
            people.sort_unstable();
            people.dedup();
            barred.extend(people.into_iter().map(Barred::Decided));
        }
        let name = short_digest(&(&members, &barred));
        Some(Self { name, members, barred })
    }
}

fn short_digest(content: &impl Serialize) -> String {
    let digest = Sha256::digest(serde_json::to_vec(content).unwrap_or_default());
    data_encoding::BASE64URL_NOPAD.encode(digest.get(..9).unwrap_or_default())
}

/// How a person is named by id.
pub fn by_id(user: Uuid) -> String {
    format!("id:{user}")
}
