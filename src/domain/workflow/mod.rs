//! Workflows: named graphs of steps, as people write them.

mod agents;
mod definition;
mod graph;
mod read;
mod validate;

pub use agents::agents_in;
pub use definition::{
    DEFAULT_EXECUTION_TIMEOUT, DEFAULT_STEP_TIMEOUT, Definition, Gate, Heading, Limits, OnError, Position, Retry,
    Source, Step,
};
pub use graph::Graph;
pub use read::{read, read_heading};
pub use validate::{AgentShape, Library, validate};
