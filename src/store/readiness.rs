//! Whether the database takes writes, which is more than that it answers.

use std::time::Duration;

use sea_orm::ConnectionTrait;

use super::{Error, Result, Store};

/// A health check has to answer soon.
const PATIENCE: Duration = Duration::from_secs(1);

impl Store {
    /// Writes something that changes nothing. A full disk, a lock that somebody holds, a standby and a deleted file show
    /// only then.
    pub async fn check_writing(&self) -> Result<()> {
        let late = || Error::Unavailable(format!("nothing could be written within {} s", PATIENCE.as_secs()));
        tokio::time::timeout(PATIENCE, self.write_nothing()).await.map_err(|_| late())?
    }

    async fn write_nothing(&self) -> Result<()> {
        self.0.background.execute_unprepared("SELECT 1").await?;
        let Some(server) = self.0.server.get() else { return Ok(()) };
        match &self.0.inline {
            Some(inline) => inline.write_nothing(*server, PATIENCE).await,
            None => {
                // A row that says the same as before is a new version of it, on the disk and in the log.
                let update = format!("UPDATE server SET started_at = started_at WHERE number = {server}");
                self.0.write.execute_unprepared(&update).await?;
                Ok(())
            }
        }
    }
}
