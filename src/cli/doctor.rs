//! Looking whether everything that is derived from the journal matches it.

use crate::{clock::Clock, config::Settings, engine::Engine, store::Store};

/// Who has more problems needs a person, not a longer list.
const SHOWN: usize = 20;

pub async fn run(repair: bool, settings: Settings) -> Result<(), String> {
    let store = Store::open(&settings).await.map_err(|error| error.to_string())?;
    let engine = Engine::new(store, Clock::system(), settings).await.map_err(|error| error.explain())?;
    let report = engine.examine(repair).await.map_err(|error| error.explain())?;
    engine.store().close().await;
    println!("{} executions, {} events in the journal", report.executions, report.events);
    for problem in report.problems.iter().take(SHOWN) {
        println!("  {problem}");
    }
    if report.problems.len() > SHOWN {
        println!("  … and {} more", report.problems.len() - SHOWN);
    }
    match (report.problems.len(), report.repaired) {
        (0, _) => {
            println!("Everything matches the journal.");
            Ok(())
        }
        (_, repaired) if repair => {
            let rollups = if report.recounted { ", and the figures of analytics" } else { "" };
            println!("{repaired} executions were derived anew{rollups}; look again to see what is left.");
            Ok(())
        }
        (count, _) => {
            Err(format!("{count} problems: `countersign doctor --repair` derives rows anew from the journal"))
        }
    }
}
