//! `countersign bench`.

use std::path::PathBuf;

use crate::{
    bench::{self, Options},
    config::Settings,
};

pub async fn run(
    only: Vec<String>,
    quick: bool,
    postgres: Option<String>,
    json: Option<PathBuf>,
    settings: &Settings,
) -> Result<(), String> {
    // On the disk on which the server would have its data, and nowhere near that.
    let folder = PathBuf::from(&settings.data_dir).join(format!("bench-{}", std::process::id()));
    let options = Options { folder: folder.clone(), postgres, only, quick };
    let measured = bench::run(&options).await.map_err(|error| error.to_string());
    // What is left over of a run that failed helps nobody either.
    let _ = std::fs::remove_dir_all(&folder);
    let report = measured?;
    if let Some(path) = json {
        let text = serde_json::to_string_pretty(&report).map_err(|error| error.to_string())?;
        std::fs::write(&path, text).map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    }
    Ok(())
}
