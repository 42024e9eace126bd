//! What the server tells about itself.

pub mod mask;
