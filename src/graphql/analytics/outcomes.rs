//! What happened to checkpoints, in counts and rates.

use async_graphql::Object;

use super::int;
use crate::domain::analytics::Outcome;

/// What happened to checkpoints. Each is counted when it happened: one that is asked for today may end tomorrow.
#[derive(Debug, Clone, Default)]
pub struct CheckpointOutcomes(Vec<(Outcome, u64)>);

impl CheckpointOutcomes {
    /// Takes in what is called so; other words are not about checkpoints.
    pub fn add(&mut self, word: &str, count: u64) {
        if let Ok(outcome) = word.parse() {
            self.0.push((outcome, count));
        }
    }

    pub fn count(&self, wanted: &[Outcome]) -> u64 {
        self.0.iter().filter(|(outcome, _)| wanted.contains(outcome)).map(|(_, count)| count).sum()
    }

    /// One count as a part of another; nothing of nothing.
    fn rate(&self, part: &[Outcome], whole: &[Outcome]) -> Option<f64> {
        let whole = self.count(whole);
        (whole > 0).then(|| self.count(part) as f64 / whole as f64)
    }
}

use Outcome::{Answered, Approved, Asked, AutoApproved, Cancelled, Modified, Overridden, Rejected, TimedOut};

/// How a proposal can end that people were asked about.
const JUDGED: &[Outcome] = &[Approved, Modified, Rejected, TimedOut];

/// What happened to checkpoints. Each is counted when it happened: one that is asked for today may end tomorrow.
#[Object]
impl CheckpointOutcomes {
    /// How often people were asked.
    async fn asked(&self) -> i32 {
        int(self.count(&[Asked]))
    }

    /// How many people approved, as proposed or modified.
    async fn approved(&self) -> i32 {
        int(self.count(&[Approved, Modified]))
    }

    /// How many of these they approved with other parameters, or only some items of.
    async fn modified(&self) -> i32 {
        int(self.count(&[Modified]))
    }

    /// How many people rejected.
    async fn rejected(&self) -> i32 {
        int(self.count(&[Rejected]))
    }

    /// How many ended because nobody decided in time, whatever the policy made of that.
    async fn timed_out(&self) -> i32 {
        int(self.count(&[TimedOut]))
    }

    /// How many had questions that people answered.
    async fn answered(&self) -> i32 {
        int(self.count(&[Answered]))
    }

    /// How many ended because nobody needed the answer any more.
    async fn cancelled(&self) -> i32 {
        int(self.count(&[Cancelled]))
    }

    /// How many a rule approved: nobody was asked.
    async fn auto_approved(&self) -> i32 {
        int(self.count(&[AutoApproved]))
    }

    /// How many approvals by a rule somebody objected to afterwards.
    async fn overridden(&self) -> i32 {
        int(self.count(&[Overridden]))
    }

    /// The part of those approved, modified or not, among those that were approved, rejected or timed out: from 0 to 1,
    /// as all rates. Null where there were none.
    async fn approval_rate(&self) -> Option<f64> {
        self.rate(&[Approved, Modified], JUDGED)
    }

    /// The part of those modified among the same.
    async fn modification_rate(&self) -> Option<f64> {
        self.rate(&[Modified], JUDGED)
    }

    /// The part of those rejected among the same.
    async fn rejection_rate(&self) -> Option<f64> {
        self.rate(&[Rejected], JUDGED)
    }

    /// The part of those timed out among the same.
    async fn timeout_rate(&self) -> Option<f64> {
        self.rate(&[TimedOut], JUDGED)
    }

    /// The part of those that a rule approved, among these and those that people were asked about.
    async fn auto_approval_rate(&self) -> Option<f64> {
        self.rate(&[AutoApproved], &[AutoApproved, Asked])
    }

    /// The part of those that somebody objected to, among those that a rule approved.
    async fn override_rate(&self) -> Option<f64> {
        self.rate(&[Overridden], &[AutoApproved])
    }
}
