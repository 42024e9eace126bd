//! What commands about checkpoints share: who somebody is, what they may do, and what a proposal says.

mod contents;
mod people;
mod right;

pub use people::Person;
