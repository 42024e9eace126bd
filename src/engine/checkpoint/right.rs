//! Who may decide about a checkpoint.

use std::collections::HashMap;

use uuid::Uuid;

use super::Person;
use crate::{
    domain::{
        access::{Actor, Scope},
        checkpoint::{Audience, Checkpoint, Seated},
        id::{AgentId, UserId},
        policy::{Approver, Requirement},
        refusal::{Code, Refusal},
        role::Role,
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

    /// Why a person cannot decide in somebody's place, if so.
    pub(crate) async fn right_to_stand_in(
        &self,
        scope: Scope,
        loaded: &Loaded,
        checkpoint: &Checkpoint,
        person: &Person,
    ) -> Result<std::result::Result<(), Refusal>> {
        if !person.may_approve() {
            let message = format!("deciding needs the role {}, which that person does not have", Role::Approver);
            return Ok(Err(Refusal::new(Code::NotAllowed, message)));
        }
        let circumstances = self.circumstances(scope, person, &[(loaded.owner.actor, checkpoint)]).await?;
        let Some(requirement) = &checkpoint.requirement else { return Ok(Ok(())) };
        let excluded = circumstances.excluded(loaded.owner.actor, checkpoint, requirement);
        let why = excluded.into_iter().find(|(id, _)| *id == person.id);
        Ok(why.map_or(Ok(()), |_| {
            let message = "the policy keeps that person from deciding: they started this execution or own the agent";
            Err(Refusal::new(Code::NotAllowed, message))
        }))
    }

    /// The people whom the policy keeps from deciding a checkpoint.
    pub(super) async fn kept_out(&self, scope: Scope, starter: Actor, checkpoint: &Checkpoint) -> Result<Vec<Uuid>> {
        let Some(requirement) = &checkpoint.requirement else { return Ok(Vec::new()) };
        let anyone = Person { actor: Actor::System, id: Uuid::nil(), approver: Approver::default() };
        let circumstances = self.circumstances(scope, &anyone, &[(starter, checkpoint)]).await?;
        let excluded = circumstances.excluded(starter, checkpoint, requirement);
        Ok(excluded.into_iter().map(|(id, _)| id).collect())
    }

    /// The decisions on a checkpoint that still count, with the seats that they can fill now, and those that do not,
    /// with the reason.
    pub(super) async fn standing_decisions(
        &self,
        scope: Scope,
        starter: Actor,
        checkpoint: &Checkpoint,
    ) -> Result<(Vec<Seated>, Vec<(Uuid, String)>)> {
        let (mut seated, mut lapsed) = (Vec::new(), Vec::new());
        let Some(requirement) = &checkpoint.requirement else { return Ok((seated, lapsed)) };
        for made in checkpoint.live_decisions().map(|decision| &decision.made) {
            let maker = self.who(scope, made.by).await?;
            let principal = match made.on_behalf_of {
                Some(id) => self.person(scope, UserId(id)).await?,
                None => maker.clone(),
            };
            let standing = match (maker, principal) {
                (Some(maker), Some(principal)) if maker.may_approve() && principal.may_approve() => {
                    let circumstances = self.circumstances(scope, &maker, &[(starter, checkpoint)]).await?;
                    let excluded = circumstances.excluded(starter, checkpoint, requirement);
                    let barred = excluded.iter().any(|(id, _)| *id == maker.id || *id == principal.id);
                    let seats = seats_of(checkpoint, requirement, &principal);
                    let lost = seats.is_empty() && !made.seats.is_empty();
                    if barred || lost {
                        Err("the approver is no longer among those who may approve it")
                    } else {
                        Ok(seats)
                    }
                }
                (Some(_), Some(_)) => Err("the approver no longer has the role APPROVER"),
                (None, _) | (_, None) => Err("the approver's account is disabled, or the API token revoked"),
            };
            match standing {
                Ok(seats) => seated.push(Seated { decision: made.decision, seats }),
                Err(why) => lapsed.push((made.decision, why.to_owned())),
            }
        }
        Ok((seated, lapsed))
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
            if !lent.is_empty() && principal.may_approve() && !excluded.iter().any(|(id, _)| *id == principal.id) {
                return Ok(Right { seats: lent, on_behalf_of: Some(principal.id) });
            }
        }
        let members = Audience::of(checkpoint, starter).map(|audience| audience.members).unwrap_or_default();
        let message = match &person.approver.service_account {
            // Its roles do not count here, which has to be said to whoever gave it the role APPROVER.
            Some(name) => format!("the service account `{name}` is not named by the rule: {}", members.join(", ")),
            None => format!("you are not among those who may decide this: {}", members.join(", ")),
        };
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

/// The seats that somebody can fill by themselves.
fn seats_of(checkpoint: &Checkpoint, requirement: &Requirement, person: &Person) -> Vec<usize> {
    person.approver.seats(requirement, &checkpoint.escalated_to)
}
