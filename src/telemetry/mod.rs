//! What the server tells about itself.

pub mod mask;
pub mod metrics;
mod process;
