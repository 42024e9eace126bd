//! Moving executions along.
//!
//! There is one way to change an execution, [`Engine::change`]: load its state, ask the domain which events a command
//! causes and which steps come next, append all of it, and only then do what the events mean.

mod agents;
mod at_once;
mod begin;
mod change;
mod durations;
mod inspect;
mod load;
mod places;
mod queue;
mod running;
pub mod values;
mod world;

use std::{
    num::NonZeroUsize,
    sync::{Arc, OnceLock},
    time::Duration,
};

use super::{Engine, remembered::Remembered, writer::Writer};
use crate::{
    config::Settings,
    domain::id::{WorkflowId, WorkspaceId},
    store::{Store, servers::Server, workflows::Workflow},
    tasks::Tasks,
};

pub use agents::Prepared;
pub use begin::Begun;
pub use change::Change;
pub(crate) use change::{policy_changed, unknown};
pub use durations::UsualDurations;
pub use inspect::{Inspected, StepDetails};
pub use load::Loaded;
pub use places::{Place, Places};
pub use running::{Alive, Running};
pub use values::Packed;
pub use world::{judge, most_at_once};

/// A change of a workflow by another process is seen after this; one by this process at once.
const FRESH: Duration = Duration::from_secs(1);
const MOST_WORKFLOWS: NonZeroUsize = NonZeroUsize::new(4096).expect("not zero");

/// What a process that drives executions has beside the database.
pub struct Driving {
    pub server: Server,
    pub tasks: Tasks,
    /// Whether what is started begins by itself.
    pub begins: bool,
    pub running: Arc<Running>,
}

/// What all commands about executions share.
pub struct Executions {
    pub writer: Writer,
    pub places: Arc<Places>,
    pub queue: queue::Queue,
    pub loaded: load::Cache,
    pub agents: agents::Cache,
    /// The workflows that are started again and again.
    pub workflows: Remembered<(WorkspaceId, WorkflowId), Workflow>,
    pub policies: super::policy::Cache,
    pub policy_file: super::policy::file::File,
    pub timer: super::drivers::Timer,
    /// Whoever claims tasks, taking turns.
    pub claims: super::commands::Claims,
    driving: OnceLock<Driving>,
}

impl Executions {
    pub fn new(store: Store, settings: &Settings) -> Self {
        Self {
            writer: Writer::start(store),
            places: Places::new(settings.max_running_steps),
            queue: queue::Queue::default(),
            loaded: load::Cache::default(),
            agents: agents::Cache::default(),
            workflows: Remembered::new(MOST_WORKFLOWS, FRESH),
            policies: super::policy::Cache::default(),
            policy_file: super::policy::file::File::default(),
            timer: super::drivers::Timer::default(),
            claims: Default::default(),
            driving: OnceLock::new(),
        }
    }

    /// Nothing in a process that only looks, such as the command line.
    pub fn driving(&self) -> Option<&Driving> {
        self.driving.get()
    }

    pub fn set_driving(&self, driving: Driving) {
        // Only the first counts: a process drives once.
        let _ = self.driving.set(driving);
    }
}

impl Engine {
    /// Tells other servers that this one is gone, at the end of its time.
    pub async fn leave(&self) {
        if let Some(driving) = self.executions().driving() {
            driving.server.leave().await;
        }
    }

    pub(crate) fn executions(&self) -> &Executions {
        &self.0.executions
    }
}
