//! Keeps the figures of analytics whole: what was written before there were rollups is counted while the server runs, and
//! fortnights are added up when they are over.

use std::time::Duration;

use chrono::TimeDelta;

use super::{Engine, Result};
use crate::{
    domain::analytics::Slot,
    store::{
        journal::Entry,
        rollups::{Kept, Rollups},
    },
};

const TRY_AGAIN: Duration = Duration::from_secs(10);
/// What happens at the end of a fortnight is written by then. Something later is counted as well, and costs more.
const OVER_FOR: TimeDelta = TimeDelta::hours(1);

/// Counts what is not counted yet, and adds up fortnights, now and whenever one is over. Appends come in between.
pub async fn run(engine: Engine) {
    loop {
        // Looked up once: a fortnight that ends while others are added up is due at once, not after the next one.
        let now = Slot::of(engine.clock().now() - OVER_FOR);
        match engine.keep_figures(now).await {
            Ok(()) => engine.clock().sleep_until(now.whole_fortnight().until.begin() + OVER_FOR).await,
            Err(error) => {
                tracing::warn!(error = error.explain(), "cannot count the journal for analytics; trying again soon");
                tokio::time::sleep(TRY_AGAIN).await;
            }
        }
    }
}

impl Engine {
    /// Counts the backlog, and adds up the fortnights that end by then.
    async fn keep_figures(&self, until: Slot) -> Result<()> {
        self.count_backlog().await?;
        let fortnights = self.store().add_up_fortnights(until).await?;
        if fortnights > 0 {
            tracing::info!(fortnights, "fortnights are added up for analytics");
        }
        Ok(())
    }

    async fn count_backlog(&self) -> Result<()> {
        let mut executions = 0;
        loop {
            match self.store().roll_up().await? {
                0 => break,
                counted => executions += counted,
            }
        }
        if executions > 0 {
            tracing::info!(executions, "the journal is counted for analytics");
        }
        Ok(())
    }

    /// Derives all rollups anew from the journal. Servers go on meanwhile.
    pub(super) async fn recount(&self) -> Result<()> {
        self.store().forget_rollups().await?;
        self.keep_figures(Slot::of(self.clock().now() - OVER_FOR)).await
    }
}

/// The rollups as they are, and as the journal gives them.
pub(super) struct Recount {
    kept: Kept,
    derived: Rollups,
    /// What is wrong with the journal itself is a matter for people: figures from before it was are better than others.
    possible: bool,
}

impl Recount {
    pub async fn begin(engine: &Engine) -> Result<Self> {
        Ok(Self { kept: engine.store().rollups().await?, derived: Rollups::default(), possible: true })
    }

    pub fn add(&mut self, history: &[Entry]) {
        self.kept.derive(history, &mut self.derived);
    }

    pub fn give_up(&mut self) {
        self.possible = false;
    }

    pub fn differences(self) -> Vec<String> {
        if self.possible { self.kept.differences(self.derived) } else { Vec::new() }
    }
}
