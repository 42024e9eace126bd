//! Backups of the embedded database.

use std::path::Path;

use crate::{
    clock::Clock,
    config::{DatabaseUrl, FileStorage, Settings},
    store,
};

pub async fn back_up(to: &Path, settings: &Settings) -> Result<(), String> {
    let database = sqlite(settings, "back it up with `pg_dump --format=custom --file=FILE DATABASE-URL`")?;
    let made = store::back_up(Path::new(&database), to).map_err(|error| error.to_string())?;
    println!("{} has all of {database}: {} bytes, checked.", to.display(), made.bytes);
    println!("{}", files(settings, "Not in it", "copy it now: it has at least what the backup refers to"));
    Ok(())
}

pub async fn restore(from: &Path, force: bool, settings: &Settings) -> Result<(), String> {
    let tool = "restore it with `pg_restore --clean --if-exists --dbname=DATABASE-URL FILE`, while no server runs";
    let database = sqlite(settings, tool)?;
    let restored = store::restore(from, Path::new(&database), force, Clock::system().now());
    let restored = restored.map_err(|error| error.to_string())?;
    println!("{database} is what {} was.", from.display());
    if let Some(kept) = restored.kept {
        println!("What was there before is in {}; delete it when you do not need it.", kept.display());
    }
    println!("{}", files(settings, "Not brought back", "copy what you backed up of it to where it was"));
    Ok(())
}

fn sqlite(settings: &Settings, tool: &str) -> Result<String, String> {
    match settings.database() {
        DatabaseUrl::Sqlite(path) => Ok(path),
        DatabaseUrl::Postgres(_) => Err(format!("the database is a PostgreSQL: {tool}")),
    }
}

/// What the database does not hold.
fn files(settings: &Settings, what: &str, advice: &str) -> String {
    match settings.files() {
        FileStorage::Folder(folder) => {
            format!("{what}: large content of deliverables, which are files in the folder {folder}; {advice}.")
        }
        FileStorage::S3 { bucket, .. } => {
            format!("{what}: large content of deliverables, which are files in the bucket {bucket}.")
        }
    }
}
