//! Figures of those who decide.

use std::collections::BTreeMap;

use async_graphql::{Context, Object};
use uuid::Uuid;

use super::{durations::DurationFigures, int, outcomes::CheckpointOutcomes, ranked};
use crate::{
    domain::{
        access::Scope,
        analytics::{Amounts, Measure, Outcome},
        id::{ApiTokenId, ServiceAccountId, UserId},
    },
    graphql::{caller::ContextExt, error::Result, group::Group, user::User},
    store::{groups, rollups::Figure},
};

/// What somebody decided.
#[derive(Debug, Clone, Default)]
pub struct DecisionFigures {
    outcomes: CheckpointOutcomes,
    decided: Amounts,
    waited: Amounts,
}

impl DecisionFigures {
    fn add(&mut self, figure: &Figure) {
        if figure.measure == Measure::PersonDecision {
            self.outcomes.add(&figure.word, figure.amounts.count);
            self.decided.add(&figure.amounts);
        } else {
            self.waited.add(&figure.amounts);
        }
    }
}

/// What somebody decided.
#[Object]
impl DecisionFigures {
    /// How many decisions it were.
    async fn decided(&self) -> i32 {
        int(self.decided.count)
    }

    /// How many approved, as proposed or modified.
    async fn approved(&self) -> i32 {
        int(self.outcomes.count(&[Outcome::Approved, Outcome::Modified]))
    }

    /// How many of these with other parameters, or only some of the items.
    async fn modified(&self) -> i32 {
        int(self.outcomes.count(&[Outcome::Modified]))
    }

    /// How many rejected.
    async fn rejected(&self) -> i32 {
        int(self.outcomes.count(&[Outcome::Rejected]))
    }

    /// How many answered questions.
    async fn answered(&self) -> i32 {
        int(self.outcomes.count(&[Outcome::Answered]))
    }

    /// From when there was something to decide, the request or what has taken its place since, to the decision.
    async fn time_to_decision(&self) -> DurationFigures {
        (&self.decided).into()
    }

    /// How long the checkpoints waited as a whole whose end these decisions brought, once for each decision.
    async fn time_waited(&self) -> DurationFigures {
        (&self.waited).into()
    }
}

/// What one person decided.
pub struct PersonFigures {
    person: Uuid,
    figures: DecisionFigures,
}

/// What one person decided.
#[Object]
impl PersonFigures {
    /// The person; null for a service account.
    async fn user(&self, ctx: &Context<'_>) -> Result<Option<User>> {
        Ok(ctx.loaders()?.load(UserId(self.person)).await?.map(User))
    }

    /// The person's or the service account's name.
    async fn display_name(&self, ctx: &Context<'_>) -> Result<Option<String>> {
        let loaders = ctx.loaders()?;
        let (user, account, token) = futures_util::try_join!(
            loaders.load(UserId(self.person)),
            loaders.load(ServiceAccountId(self.person)),
            // What was decided before tokens had owners.
            loaders.load(ApiTokenId(self.person)),
        )?;
        let program = account.map(|account| account.name).or(token.map(|token| token.name));
        Ok(user.map(|user| user.display_name).or(program))
    }

    /// The person's figures.
    async fn figures(&self) -> &DecisionFigures {
        &self.figures
    }
}

/// What the members of one group decided.
pub struct GroupFigures {
    group: groups::Group,
    figures: DecisionFigures,
}

/// What the members of one group decided.
#[Object]
impl GroupFigures {
    /// The group.
    async fn group(&self) -> Group {
        Group(self.group.clone())
    }

    /// The figures of its members together.
    async fn figures(&self) -> &DecisionFigures {
        &self.figures
    }
}

pub fn by_person(figures: &[Figure], most: usize) -> Vec<PersonFigures> {
    let mut people: BTreeMap<Uuid, DecisionFigures> = BTreeMap::new();
    for figure in figures {
        if let Some(person) = figure.person {
            people.entry(person).or_default().add(figure);
        }
    }
    let lines = people.into_iter().map(|(person, figures)| PersonFigures { person, figures });
    ranked(lines, most, |line| line.figures.decided.count)
}

pub async fn by_group(ctx: &Context<'_>, scope: Scope, figures: &[Figure], most: usize) -> Result<Vec<GroupFigures>> {
    let mut people: Vec<UserId> = figures.iter().filter_map(|figure| figure.person.map(UserId)).collect();
    people.sort_unstable();
    people.dedup();
    let groups_of = ctx.engine().store().groups_of_users(scope, &people).await?;
    let mut groups: BTreeMap<(String, Uuid), GroupFigures> = BTreeMap::new();
    for figure in figures {
        let own = figure.person.and_then(|person| groups_of.get(&UserId(person)));
        for group in own.into_iter().flatten() {
            let line = groups.entry((group.name.clone(), group.id.0));
            let line = line.or_insert_with(|| GroupFigures { group: group.clone(), figures: Default::default() });
            line.figures.add(figure);
        }
    }
    Ok(ranked(groups.into_values(), most, |line| line.figures.decided.count))
}
