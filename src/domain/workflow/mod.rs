//! Workflows: named graphs of steps, as people write them.

mod agents;
mod compare;
mod computed;
mod definition;
mod graph;
mod keep;
mod plan;
mod preview;
mod proposal;
mod read;
mod validate;
mod values;

pub use agents::agents_in;
pub use compare::{Change, ChangeKind, compare};
pub use computed::Computed;
pub use definition::{
    DEFAULT_EXECUTION_TIMEOUT, DEFAULT_STEP_TIMEOUT, Definition, Gate, Heading, Limits, OnError, OnReject, Position,
    Retry, Source, Step,
};
pub use graph::Graph;
pub use keep::Keep;
pub use plan::Plan;
pub use preview::{
    NOTHING_NEEDED, Outcome, OutputSource, Preview, Sample, StepAgent, StepPreview, WHEN_IS_FALSE, preview,
    without_output,
};
pub use proposal::{Described, ProposalTemplate};
pub use read::{read, read_heading};
pub use validate::{AgentShape, Library, validate};
pub use values::{Values, with_defaults};
