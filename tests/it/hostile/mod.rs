//! Input that is made to hurt: refused quickly and clearly, while everybody else is served.

mod answers;
mod bodies;
mod documents;
mod frames;
mod fuzz;
mod introspection;
mod names;
mod parallel;
mod slow;
mod values;
mod work;

use std::time::Duration;

/// Much longer than anything here takes, on a machine that is busy with something else.
const BOUND: Duration = Duration::from_secs(30);
