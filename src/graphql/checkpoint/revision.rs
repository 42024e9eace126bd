//! Revisions of a proposal, and what differs between them.

use async_graphql::{Context, Object, SimpleObject};
use chrono::{DateTime, Utc};

use super::{
    proposal::{Proposal, contents},
    words::RevisionCause,
};
use crate::{
    domain::checkpoint::{self, Change, differences},
    graphql::{audit::Actor, error::Result, json::Json},
};

/// What was proposed at one time. Nothing changes it: whoever proposes something else makes the next one.
pub struct ProposalRevision(pub checkpoint::Revision);

/// What was proposed at one time. Nothing changes it: whoever proposes something else makes the next one.
#[Object]
impl ProposalRevision {
    /// The number. The first is 1.
    async fn number(&self) -> i32 {
        i32::try_from(self.0.number).unwrap_or(i32::MAX)
    }

    /// Why there is another one; null for the first.
    async fn cause(&self) -> Option<RevisionCause> {
        self.0.cause.map(RevisionCause::from)
    }

    /// Who made it.
    async fn by(&self) -> Actor {
        Actor(self.0.by)
    }

    /// When.
    async fn at(&self) -> DateTime<Utc> {
        self.0.at
    }

    /// The digest of exactly this, which a decision about it carries.
    async fn digest(&self) -> &str {
        &self.0.digest
    }

    /// What was proposed.
    async fn proposal(&self) -> Proposal {
        Proposal(self.0.proposal.clone())
    }
}

/// A field that differs between two values. Lists are compared by what is in them, things with an `id` or a `key` by that:
/// what has only moved is not told.
#[derive(Debug, Clone, SimpleObject)]
pub struct FieldChange {
    /// Where, as a JSON pointer such as `/parameters/amount`. What was taken out of a list is told with the place that it
    /// had, everything else with the one it has now.
    path: String,
    /// What was there; null also if nothing was.
    before: Option<Json>,
    /// What is there; null also if nothing is any more.
    after: Option<Json>,
}

impl From<Change> for FieldChange {
    fn from(change: Change) -> Self {
        Self { path: change.path, before: change.before.map(Json), after: change.after.map(Json) }
    }
}

/// What differs between two revisions, in the words of the type `Proposal`.
pub async fn difference(
    ctx: &Context<'_>,
    from: &checkpoint::Revision,
    to: &checkpoint::Revision,
) -> Result<Vec<FieldChange>> {
    let (before, after) = futures_util::try_join!(contents(ctx, &from.proposal), contents(ctx, &to.proposal))?;
    let changes = differences(&from.proposal.shown(&before), &to.proposal.shown(&after));
    let named = changes.into_iter().map(|change| Change { path: name(&change.path), ..change });
    Ok(named.map(FieldChange::from).collect())
}

/// Expressions and digests have shorter names for two of the fields.
fn name(path: &str) -> String {
    for (short, long) in [("/params", "/parameters"), ("/estimatedCost", "/estimatedCostMicros")] {
        if let Some(rest) = path.strip_prefix(short).filter(|rest| rest.is_empty() || rest.starts_with('/')) {
            return format!("{long}{rest}");
        }
    }
    path.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_named_as_in_the_api() {
        for (short, long) in [
            ("/params", "/parameters"),
            ("/params/a/b", "/parameters/a/b"),
            ("/estimatedCost", "/estimatedCostMicros"),
            ("/paramsX", "/paramsX"),
            ("/items/0/data", "/items/0/data"),
        ] {
            assert_eq!(name(short), long);
        }
    }
}
