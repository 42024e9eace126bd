//! Figures about what happened: what events tell, how long things took, and the buckets of time that they fall into.

mod amounts;
mod balance;
mod buckets;
mod facts;
mod parts;
mod quarters;
mod sketch;
mod slots;
mod telling;
mod words;

pub use amounts::Amounts;
pub use balance::Balance;
pub use buckets::{Bucket, MOST_BUCKETS, Span, buckets};
pub use facts::{Fact, facts};
pub use parts::{Length, Part};
pub use quarters::{in_quarter, quarters};
pub use sketch::Sketch;
pub use slots::{Covered, Slot};
pub use words::{Attempted, Measure, Outcome};
