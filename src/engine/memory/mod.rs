//! What people decided, put to work.

mod backtest;
mod insight;
mod lines;
mod past;
mod review;
mod suggest;

pub use backtest::{Backtest, BacktestCase, BacktestRange, BacktestRule, Backtesting, Verdict, WouldBe};
pub use insight::{FieldInsight, Insight};
pub use past::Actual;
pub use review::AutoRuleStanding;
pub use suggest::{Suggestion, Suggestions};
