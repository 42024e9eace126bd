//! Who may decide about a checkpoint.

use std::collections::HashMap;

use uuid::Uuid;

use super::Person;
use crate::{
    domain::{
        access::{Actor, Scope},
        checkpoint::{Audience, Checkpoint},
        id::{AgentId, UserId},
        policy::Requirement,
        refusal::{Code, Refusal},
    },
    engine::{Engine, Result, execution::Loaded},
};

/// The right to decide.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Right {
    /// Which seats of the quorum the decision can fill.
    pub seats: Vec<usize>,
    /// In whose place.
    pub on_behalf_of: Option<Uuid>,
}

/// What a person's right depends on beside the checkpoint itself.
struct Circumstances {
    /// Those in whose place the person decides now, whatever it is about.
    absent: Vec<UserId>,
    /// They, and whoever let the person decide one checkpoint.
    principals: HashMap<UserId, Person>,
    /// Who may not decide where a policy keeps them from it: whoever started an execution or wrote an agent.
    identities: HashMap<Actor, Uuid>,
    authors: HashMap<AgentId, Vec<Actor>>,
}

impl Engine {
    /// The right of a person to decide, their own or that of somebody who lets them, or why they have none.
    pub(crate) async fn right_to_decide(
        &self,
        scope: Scope,
        loaded: &Loaded,
        checkpoint: &Checkpoint,
        person: &Person,
    ) -> Result<std::result::Result<Right, Refusal>> {
        let asked = [(loaded.owner.actor, checkpoint)];
        let circumstances = self.circumstances(scope, person, &asked).await?;
        Ok(circumstances.right(person, loaded.owner.actor, checkpoint))
    }

    /// The same for many checkpoints, each with whoever started its execution, in as many statements as for one.
    pub(super) async fn rights_to_decide(
        &self,
        scope: Scope,
        person: &Person,
        asked: &[(Actor, &Checkpoint)],
    ) -> Result<Vec<std::result::Result<Right, Refusal>>> {
        let circumstances = self.circumstances(scope, person, asked).await?;
        Ok(asked.iter().map(|(starter, checkpoint)| circumstances.right(person, *starter, checkpoint)).collect())
    }

    async fn circumstances(
        &self,
        scope: Scope,
        person: &Person,
        asked: &[(Actor, &Checkpoint)],
    ) -> Result<Circumstances> {
        let absent = self.store().absent_principals(scope, UserId(person.id), self.clock().now()).await?;
        let delegated = asked.iter().flat_map(|(_, checkpoint)| delegators(checkpoint, person));
        let mut principals: Vec<UserId> = absent.iter().copied().chain(delegated).collect();
        principals.sort_unstable();
        principals.dedup();
        let requirement = |checkpoint: &Checkpoint, holds: fn(&Requirement) -> bool| {
            checkpoint.requirement.as_ref().is_some_and(holds)
        };
        let starters = asked.iter().filter(|(_, checkpoint)| requirement(checkpoint, Requirement::bars_starter));
        let mut actors: Vec<Actor> = starters.map(|(starter, _)| *starter).collect();
        let owned = asked.iter().filter(|(_, checkpoint)| requirement(checkpoint, Requirement::bars_agent_owner));
        let mut agents: Vec<AgentId> = owned.filter_map(|(_, checkpoint)| checkpoint.agent.map(AgentId)).collect();
        agents.sort_unstable();
        agents.dedup();
        let authors = self.store().authors_of_agents(scope, &agents).await?;
        actors.extend(authors.values().flatten());
        Ok(Circumstances {
            absent,
            principals: self.people(scope, &principals).await?,
            identities: self.identities(scope, actors).await?,
            authors,
        })
    }
}

impl Circumstances {
    fn right(&self, person: &Person, starter: Actor, checkpoint: &Checkpoint) -> std::result::Result<Right, Refusal> {
        let Some(requirement) = &checkpoint.requirement else {
            return Err(Refusal::new(Code::NotAllowed, "nobody is asked about this checkpoint"));
        };
        let excluded = self.excluded(starter, checkpoint, requirement);
        if let Some((_, why)) = excluded.iter().find(|(id, _)| *id == person.id) {
            return Err(Refusal::new(Code::NotAllowed, format!("{why}: somebody else must decide")));
        }
        let own = seats_of(checkpoint, requirement, person);
        // Whoever is asked and can take no seat can still reject.
        if !own.is_empty() || person.approver.is_asked(requirement) {
            return Ok(Right { seats: own, on_behalf_of: None });
        }
        let principals = delegators(checkpoint, person).chain(self.absent.iter().copied());
        for principal in principals.filter_map(|id| self.principals.get(&id)) {
            let lent = seats_of(checkpoint, requirement, principal);
            if !lent.is_empty() && !excluded.iter().any(|(id, _)| *id == principal.id) {
                return Ok(Right { seats: lent, on_behalf_of: Some(principal.id) });
            }
        }
        let members = Audience::of(checkpoint, starter).map(|audience| audience.members).unwrap_or_default();
        let message = format!("you are not among those who may decide this: {}", members.join(", "));
        Err(Refusal::new(Code::NotAllowed, message))
    }

    /// People who may not decide, each with why.
    fn excluded(
        &self,
        starter: Actor,
        checkpoint: &Checkpoint,
        requirement: &Requirement,
    ) -> Vec<(Uuid, &'static str)> {
        let mut excluded = Vec::new();
        if requirement.bars_starter() {
            excluded.extend(self.identities.get(&starter).map(|id| (*id, "you started this execution")));
        }
        if requirement.bars_agent_owner() {
            let authors = checkpoint.agent.and_then(|agent| self.authors.get(&AgentId(agent)));
            let owners = authors.into_iter().flatten().filter_map(|author| self.identities.get(author));
            excluded.extend(owners.map(|id| (*id, "you own the agent")));
        }
        excluded
    }
}

/// Those who let a person decide this checkpoint in their place.
fn delegators(checkpoint: &Checkpoint, person: &Person) -> impl Iterator<Item = UserId> {
    let (delegations, person) = (checkpoint.delegations.iter(), person.id);
    delegations.filter(move |(_, to)| *to == person).map(|(from, _)| UserId(*from))
}

/// The seats that somebody can fill by themselves. Whoever it was escalated to can stand in for anybody.
fn seats_of(checkpoint: &Checkpoint, requirement: &Requirement, person: &Person) -> Vec<usize> {
    let approver = &person.approver;
    let stands_in = checkpoint.escalated_to.iter().any(|contact| approver.is_meant(contact));
    if stands_in { (0..requirement.seats.len()).collect() } else { approver.seats(requirement) }
}
