//! The demo (`--demo`): people, agents, workflows, a policy and two weeks of a past in an empty database, and those who
//! keep it moving: a simulated worker, colleagues, and somebody who starts executions.
//!
//! It does nothing that programs outside could not do: whatever happens goes through the engine's commands. It needs no
//! network. The past is played with a clock of its own ([`past_clock`]), before anything else begins to move.

mod cast;
mod colleagues;
mod hands;
mod history;
mod library;
mod past_clock;
mod producer;
mod reactions;
mod requests;
mod samples;
mod scenes;
mod work;
mod worker;

use chrono::TimeDelta;

use crate::{
    engine::{Engine, Result, drivers},
    tasks::Tasks,
};
use cast::Cast;
use history::History;
use past_clock::PastClock;

/// The address and the name of whoever looks around with one click.
pub use cast::ROBIN as VISITOR;

/// When the workspace was made.
const DAYS_BEFORE: TimeDelta = TimeDelta::days(15);

/// A database in which the demo plays.
pub struct Demo {
    engine: Engine,
    /// Nothing if the past has been played before.
    history: Option<History>,
    cast: Cast,
}

impl Demo {
    /// Makes the workspace and its people, before anybody else does. Nothing if there is other content.
    pub async fn open(engine: &Engine, workspace: &str) -> Result<Option<Self>> {
        let present = engine.clock().now();
        let clock = PastClock::new(present - DAYS_BEFORE, present);
        let then = Engine::new(engine.store().clone(), clock.clock(), engine.settings().clone()).await?;
        let Some(workspace) = cast::workspace(&then, workspace).await? else { return Ok(None) };
        let scope = crate::domain::access::Scope::system(workspace.id);
        if history::is_over(engine, scope, scenes::scenes(present).len()).await? {
            let cast = Cast::assemble(engine, workspace.id).await?;
            return Ok(Some(Self { engine: engine.clone(), history: None, cast }));
        }
        let cast = Cast::assemble(&then, workspace.id).await?;
        let history = Some(History { engine: then, clock, cast });
        Ok(Some(Self { engine: engine.clone(), history, cast }))
    }

    /// Plays the past if it has not been played, then starts to drive, and keeps things moving. To be called once the
    /// engine has entered as a server and before it drives: what is due in the past must not be noticed in the present.
    pub async fn run(self, tasks: Tasks) {
        let is_new = self.history.is_some();
        if let Some(history) = &self.history {
            drivers::lend(&self.engine, &history.engine);
            let began = std::time::Instant::now();
            let played = self.play(history).await;
            // Its past is older than entries may be without a signature.
            if let Err(error) = self.engine.sign_audit_log(1).await {
                tracing::warn!(error = error.explain(), "cannot sign the audit log; trying again later");
            }
            match played {
                Ok(()) => tracing::info!(seconds = began.elapsed().as_secs_f32(), "the demo is ready"),
                Err(error) => tracing::error!(error = error.explain(), "the demo's past is not complete"),
            }
        }
        drivers::drive(&self.engine, &tasks);
        let Self { engine, cast, .. } = self;
        tasks.spawn_endless(worker::run(engine.clone(), cast));
        tasks.spawn_endless(reactions::run(engine.clone(), cast));
        tasks.spawn_endless(producer::run(engine, cast, is_new));
    }

    async fn play(&self, history: &History) -> Result<()> {
        self.cast.join_groups(&history.engine).await?;
        library::fill(&history.engine, &self.cast).await?;
        history.play(scenes::scenes(self.engine.clock().now())).await
    }
}
