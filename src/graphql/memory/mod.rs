//! What people decided, put to work: cases to learn from, policies tried on the past, rules that earn their right.

mod backtest;
mod insight;
mod learning_case;
mod standing;
mod suggestion;

pub use backtest::{BacktestQuery, BacktestSubscription};
pub use insight::OperationInsight;
pub use learning_case::{LearningCase, LearningCaseQuery};
pub use standing::AutoApprovalRule;
pub use suggestion::SuggestionQuery;
