//! What commands about checkpoints share: who somebody is, what they may do, and what a proposal says.

mod assess;
mod contents;
mod mine;
mod people;
mod right;
mod stuck;
mod viewer;

pub use mine::Standing;
pub use people::Person;
