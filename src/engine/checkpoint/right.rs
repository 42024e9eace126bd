//! Who may decide about a checkpoint.

use uuid::Uuid;

use super::Person;
use crate::{
    domain::{
        access::Scope,
        checkpoint::{Audience, Checkpoint},
        id::{AgentId, UserId},
        policy::{Excluded, Requirement},
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

impl Engine {
    /// The right of a person to decide, their own or that of somebody who lets them, or why they have none.
    pub(crate) async fn right_to_decide(
        &self,
        scope: Scope,
        loaded: &Loaded,
        checkpoint: &Checkpoint,
        person: &Person,
    ) -> Result<std::result::Result<Right, Refusal>> {
        let Some(requirement) = &checkpoint.requirement else {
            return Ok(Err(Refusal::new(Code::NotAllowed, "nobody is asked about this checkpoint")));
        };
        let excluded = self.excluded(scope, loaded, checkpoint, requirement).await?;
        if let Some((_, why)) = excluded.iter().find(|(id, _)| *id == person.id) {
            return Ok(Err(Refusal::new(Code::NotAllowed, format!("{why}: somebody else must decide"))));
        }
        let own = seats_of(checkpoint, requirement, person);
        // Whoever is asked and can take no seat can still reject.
        if !own.is_empty() || person.approver.is_asked(requirement) {
            return Ok(Ok(Right { seats: own, on_behalf_of: None }));
        }
        for principal in self.principals(scope, checkpoint, person).await? {
            let lent = seats_of(checkpoint, requirement, &principal);
            if !lent.is_empty() && !excluded.iter().any(|(id, _)| *id == principal.id) {
                return Ok(Ok(Right { seats: lent, on_behalf_of: Some(principal.id) }));
            }
        }
        let members = Audience::of(checkpoint).map(|audience| audience.members).unwrap_or_default();
        let message = format!("you are not among those who may decide this: {}", members.join(", "));
        Ok(Err(Refusal::new(Code::NotAllowed, message)))
    }

    /// People who may not decide, each with why.
    async fn excluded(
        &self,
        scope: Scope,
        loaded: &Loaded,
        checkpoint: &Checkpoint,
        requirement: &Requirement,
    ) -> Result<Vec<(Uuid, &'static str)>> {
        let mut excluded = Vec::new();
        if requirement.separation_of_duties || requirement.exclude.contains(&Excluded::Requester) {
            let started = self.identity(scope, loaded.owner.actor).await?;
            excluded.extend(started.map(|id| (id, "you started this execution")));
        }
        if let Some(agent) = checkpoint.agent.filter(|_| requirement.exclude.contains(&Excluded::AgentOwner)) {
            for author in self.store().agent_authors(scope, AgentId(agent)).await? {
                let owner = self.identity(scope, author).await?;
                excluded.extend(owner.map(|id| (id, "you own the agent")));
            }
        }
        Ok(excluded)
    }

    /// Those in whose place a person may decide now.
    async fn principals(&self, scope: Scope, checkpoint: &Checkpoint, person: &Person) -> Result<Vec<Person>> {
        let delegated = checkpoint.delegations.iter().filter(|(_, to)| *to == person.id).map(|(from, _)| UserId(*from));
        let mut principals: Vec<UserId> = delegated.collect();
        principals.extend(self.store().absent_principals(scope, UserId(person.id), self.clock().now()).await?);
        let mut people = Vec::new();
        for principal in principals {
            people.extend(self.person(scope, principal).await?);
        }
        Ok(people)
    }
}

/// The seats that somebody can fill by themselves. Whoever it was escalated to can stand in for anybody.
fn seats_of(checkpoint: &Checkpoint, requirement: &Requirement, person: &Person) -> Vec<usize> {
    let approver = &person.approver;
    let stands_in = checkpoint.escalated_to.iter().any(|contact| approver.is_meant(contact));
    if stands_in { (0..requirement.seats.len()).collect() } else { approver.seats(requirement) }
}
