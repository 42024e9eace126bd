//! What people did with similar proposals.

use std::sync::Arc;

use async_graphql::{Object, SimpleObject};

use super::LearningCase;
use crate::{
    engine::memory::{FieldInsight, Insight},
    graphql::json::Json,
};

/// What people did with one field.
#[derive(SimpleObject)]
pub struct FieldHabit {
    /// Where in the parameters, as a JSON pointer such as `/amount`.
    path: String,
    /// In how many cases they changed it.
    changed: i32,
    /// Of how many that they decided.
    of: i32,
    /// By how much, if it is a number: the median of the changes as a part of what was proposed, such as -0.1.
    median_change: Option<f64>,
    /// What they mostly put there, if it is mostly the same.
    usual_value: Option<Json>,
}

impl From<&FieldInsight> for FieldHabit {
    fn from(field: &FieldInsight) -> Self {
        Self {
            path: field.path.clone(),
            changed: small(field.changed),
            of: small(field.of),
            median_change: field.median_change,
            usual_value: field.usual_value.clone().map(Json),
        }
    }
}

fn small(number: u32) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}

/// What people did lately with proposals of the same operation type: the last 100 that they decided.
pub struct OperationInsight(pub Arc<Insight>);

/// What people did lately with proposals of the same operation type: the last 100 that they decided. Tests do not count.
#[Object]
impl OperationInsight {
    /// In plain words, such as `people changed `amount` in 7 of 10 such cases, median -10%`.
    async fn sentences(&self) -> Vec<String> {
        self.0.sentences()
    }

    /// How many they decided.
    async fn decided(&self) -> i32 {
        small(self.0.decided)
    }

    /// How many of them they approved as they were.
    async fn approved(&self) -> i32 {
        small(self.0.approved)
    }

    /// How many they approved with other parameters, or only some of the items.
    async fn modified(&self) -> i32 {
        small(self.0.modified)
    }

    /// How many they rejected.
    async fn rejected(&self) -> i32 {
        small(self.0.rejected)
    }

    /// What they changed, the most frequent first.
    async fn fields(&self) -> Vec<FieldHabit> {
        self.0.fields.iter().map(FieldHabit::from).collect()
    }

    /// The newest cases in which they wanted something else.
    #[graphql(complexity = "child_complexity.saturating_mul(usize::try_from(first.max(1)).unwrap_or(1))")]
    async fn cases(&self, #[graphql(desc = "How many: at most 100.", default = 5)] first: i32) -> Vec<LearningCase> {
        let first = usize::try_from(first).unwrap_or(0);
        self.0.cases.iter().take(first).cloned().map(LearningCase).collect()
    }
}
