//! `countersign bench`: what the server does on this machine, beside what the machine itself can do.
//!
//! Everything is measured from outside, as a user would: a server of its own on a fresh database, reached over HTTP and
//! WebSocket. The floor is measured in the same run, because times on their own say more about the machine than about us.

#![expect(clippy::disallowed_methods, reason = "a benchmark looks at the real clock and starts programs of its own")]

mod client;
mod floor;
mod large;
mod multiply;
mod parked;
mod process;
mod reads;
mod report;
mod resume;
mod rig;
mod sequence;
mod streams;
mod workers;

use std::path::PathBuf;

pub use report::{Figure, Report};
use rig::{Place, Rig};

/// What goes wrong stops the run: it is for people who look at it.
pub type Result<T> = std::result::Result<T, Box<dyn std::error::Error + Send + Sync>>;

/// What is measured, and how much of it.
#[derive(Debug, Clone)]
pub struct Options {
    /// Where databases are made and removed.
    pub folder: PathBuf,
    /// An empty PostgreSQL database; absent: SQLite alone.
    pub postgres: Option<String>,
    /// Which workloads, such as `w1`; all when empty.
    pub only: Vec<String>,
    /// A hundredth of everything, to see whether it runs.
    pub quick: bool,
}

impl Options {
    fn wants(&self, workload: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|wanted| wanted.eq_ignore_ascii_case(workload))
    }

    fn scaled(&self, full: usize) -> usize {
        if self.quick { (full / 100).max(10) } else { full }
    }
}

/// Runs everything that was asked for, printing each figure as soon as it is known.
pub async fn run(options: &Options) -> Result<Report> {
    let mut report = Report::new();
    let folder = options.folder.join("sqlite");
    std::fs::create_dir_all(&folder)?;
    on(options, Place::Sqlite(folder), &mut report).await?;
    if let Some(url) = &options.postgres {
        let folder = options.folder.join("postgres");
        std::fs::create_dir_all(&folder)?;
        on(options, Place::Postgres { url: url.clone(), folder }, &mut report).await?;
    }
    Ok(report)
}

async fn on(options: &Options, place: Place, report: &mut Report) -> Result<()> {
    report.database(place.name());
    floor::measure(&place, options, report).await?;
    let mut rig = Rig::start(place).await?;
    if options.wants("w1") {
        sequence::measure(&rig, options, report).await?;
    }
    if options.wants("w6") {
        workers::measure(&rig, options, report).await?;
    }
    if options.wants("w7") {
        large::measure(&mut rig, options, report).await?;
    }
    if options.wants("w2") {
        resume::measure(&rig, "w2", options, report).await?;
    }
    if options.wants("w3") {
        parked::measure(&mut rig, options, report).await?;
        resume::measure(&rig, "w2+w3", options, report).await?;
    }
    if options.wants("w4") {
        // What it needs for the sockets shows in a process that has done nothing else.
        rig.restart().await?;
        streams::measure(&rig, options, report).await?;
    }
    let place = rig.place.clone();
    rig.stop().await?;
    // What follows multiplies everything that is there, so nothing else may be.
    if options.wants("w4") {
        let mut rig = Rig::start(place.apart("replay").await?).await?;
        streams::replay(&mut rig, options, report).await?;
        rig.stop().await?;
    }
    if options.wants("w5") {
        let mut rig = Rig::start(place.apart("reads").await?).await?;
        reads::measure(&mut rig, options, report).await?;
        rig.stop().await?;
    }
    Ok(())
}
