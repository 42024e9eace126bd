//! A server of our own in a process of its own, so that what it costs is its own, too.

use std::{path::Path, process::Stdio, time::Duration};

use tokio::{
    io::{AsyncBufReadExt, BufReader},
    process::{Child, Command},
};

use super::Result;

const PATIENCE: Duration = Duration::from_secs(60);

pub struct Server {
    child: Child,
    pub address: String,
}

/// This program with the settings of a fresh server, and with nothing of the caller's own settings.
pub fn command(database: &str, folder: &Path) -> Result<Command> {
    let mut command = Command::new(std::env::current_exe()?);
    command.env_clear().env("COUNTERSIGN_DATABASE_URL", database).env("COUNTERSIGN_DATA_DIR", folder);
    command.env("COUNTERSIGN_LOG", "warn").kill_on_drop(true);
    Ok(command)
}

impl Server {
    pub async fn start(database: &str, folder: &Path) -> Result<Self> {
        let mut child = command(database, folder)?
            .args(["serve", "--listen", "127.0.0.1:0", "--http-allow", "127.0.0.0/8"])
            // One token stands for many people.
            .args(["--max-sockets-per-user", "20000", "--max-subscriptions-per-user", "20000"])
            .stdout(Stdio::piped())
            .spawn()?;
        let output = child.stdout.take().ok_or("the server has no output")?;
        let mut lines = BufReader::new(output).lines();
        let listening = async {
            while let Some(line) = lines.next_line().await? {
                if let Some((_, address)) = line.split_once("listening on http://") {
                    return Ok(address.trim().to_owned());
                }
            }
            Err("the server stopped before it listened".into())
        };
        let address: Result<String> = tokio::time::timeout(PATIENCE, listening).await?;
        let address = address?;
        // Whatever else it says is of no interest, but somebody has to take it.
        crate::tasks::spawn_detached(async move { while let Ok(Some(_)) = lines.next_line().await {} });
        Ok(Self { child, address })
    }

    fn read(&self, file: &str) -> Result<String> {
        let id = self.child.id().ok_or("the server has stopped")?;
        Ok(std::fs::read_to_string(format!("/proc/{id}/{file}"))?)
    }

    /// Bytes in memory, now or at most.
    fn memory(&self, field: &str) -> Result<f64> {
        let status = self.read("status")?;
        let line = status.lines().find(|line| line.starts_with(field)).ok_or("no such field")?;
        let kibibytes: f64 = line.split_whitespace().nth(1).ok_or("no number")?.parse()?;
        Ok(kibibytes * 1024.0)
    }

    pub fn resident(&self) -> Result<f64> {
        self.memory("VmRSS:")
    }

    pub fn peak(&self) -> Result<f64> {
        self.memory("VmHWM:")
    }

    /// From here on the peak is counted anew.
    pub fn forget_peak(&self) -> Result<()> {
        let id = self.child.id().ok_or("the server has stopped")?;
        Ok(std::fs::write(format!("/proc/{id}/clear_refs"), "5")?)
    }

    /// Seconds of CPU until now.
    pub fn cpu(&self) -> Result<f64> {
        let text = self.read("stat")?;
        let fields: Vec<&str> = text.rsplit(") ").next().unwrap_or_default().split(' ').collect();
        let ticks = |field: usize| -> Result<f64> { Ok(fields.get(field).ok_or("too few fields")?.parse::<f64>()?) };
        // Linux counts a hundred ticks a second for programs, whatever it does inside.
        Ok((ticks(11)? + ticks(12)?) / 100.0)
    }

    pub async fn stop(&mut self) -> Result<()> {
        let id = self.child.id().ok_or("the server has stopped")?;
        Command::new("kill").arg(id.to_string()).status().await?;
        tokio::time::timeout(PATIENCE, self.child.wait()).await??;
        Ok(())
    }
}
