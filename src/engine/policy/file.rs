//! A policy that the operator mounts as a file: the policy of every workspace.

use std::{
    collections::HashSet,
    sync::{Mutex, MutexGuard},
    time::Duration,
};

use tokio::sync::watch;

use crate::{
    domain::{access::Scope, document::Problem, id::WorkspaceId, policy::Policy},
    engine::{Engine, Error, Result},
};

/// A change is noticed after this. A file that a symbolic link leads to is read as well, so its content is compared
/// and not its time.
const EVERY: Duration = Duration::from_secs(1);

/// What is known of the operator's file.
#[derive(Default)]
pub struct File {
    known: Mutex<Known>,
    /// Why the file is not in force.
    problem: watch::Sender<Option<String>>,
}

#[derive(Default)]
struct Known {
    /// What the file said when it was last looked at.
    seen: Option<std::result::Result<String, String>>,
    /// The last text that could be read as a policy.
    good: Option<String>,
    /// The workspaces in which the last good one is in force.
    applied: HashSet<WorkspaceId>,
}

impl File {
    fn lock(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Why the file is not in force, if it is not.
    pub fn problem(&self) -> watch::Receiver<Option<String>> {
        self.problem.subscribe()
    }

    /// Takes what the file says now.
    fn take(&self, path: &str, now: std::result::Result<String, String>) {
        let mut known = self.lock();
        if known.seen.as_ref() == Some(&now) {
            return;
        }
        let read = now.clone().and_then(check);
        known.seen = Some(now);
        match read {
            Ok(text) => {
                tracing::info!(path, "the policy file is in force");
                self.problem.send_replace(None);
                if known.good.as_ref() != Some(&text) {
                    known.good = Some(text);
                    known.applied.clear();
                }
            }
            Err(problem) => {
                tracing::error!(path, problem, "the policy file cannot be used: what was in force stays");
                self.problem.send_replace(Some(problem));
            }
        }
    }
}

fn check(text: String) -> std::result::Result<String, String> {
    match Policy::read(&text) {
        Ok(_) => Ok(text),
        Err(problems) => Err(told(&problems)),
    }
}

fn told(problems: &[Problem]) -> String {
    problems.iter().map(Problem::told).collect::<Vec<_>>().join("\n")
}

/// Follows the file for as long as the server runs.
pub async fn run(engine: Engine) {
    loop {
        if let Err(error) = look(&engine).await {
            tracing::warn!(error = error.explain(), "cannot put the policy file in force; trying again");
        }
        tokio::time::sleep(EVERY).await;
    }
}

/// Reads the file, or says why it cannot be used.
pub async fn read(path: &str) -> std::result::Result<String, String> {
    let text = tokio::fs::read_to_string(path).await.map_err(|error| format!("cannot read `{path}`: {error}"));
    text.and_then(check).map_err(|problem| format!("the policy file `{path}` cannot be used: {problem}"))
}

/// Puts the file in force in every workspace, before anything runs. Without one that can be used, the server does not
/// start.
pub async fn start(engine: &Engine) -> Result<()> {
    look(engine).await?;
    engine.policy_of_file().await.map(drop)
}

/// Reads the file, if the operator has given one, and puts it in force wherever it is not.
pub async fn look(engine: &Engine) -> Result<()> {
    let Some(path) = engine.settings().policy.clone() else { return Ok(()) };
    let text = tokio::fs::read_to_string(&path).await.map_err(|error| format!("cannot read `{path}`: {error}"));
    let file = &engine.executions().policy_file;
    file.take(&path, text);
    let good = file.lock().good.clone();
    let Some(good) = good else { return Ok(()) };
    for workspace in engine.store().workspaces().await? {
        if !file.lock().applied.contains(&workspace.id) {
            let scope = Scope::system(workspace.id);
            engine.apply_policy_file(scope, good.clone()).await?;
            // The same file is for all workspaces, so it cannot fit the people of each.
            let found = engine.check_policy(scope, &good).await?;
            let found = [found.errors, found.warnings].concat();
            if !found.is_empty() {
                tracing::warn!(
                    workspace = workspace.slug,
                    findings = told(&found),
                    "the policy file may not work here"
                );
            }
            file.lock().applied.insert(workspace.id);
        }
    }
    Ok(())
}

impl Engine {
    /// What the operator's file says: the policy of every workspace, also of one that is being made. Without a file that
    /// could be used at least once, nothing may go on: the policy that is built in may be more generous.
    pub(in crate::engine) async fn policy_of_file(&self) -> Result<Option<String>> {
        let Some(path) = &self.settings().policy else { return Ok(None) };
        let good = self.executions().policy_file.lock().good.clone();
        match good {
            Some(good) => Ok(Some(good)),
            None => Ok(Some(read(path).await.map_err(Error::Internal)?)),
        }
    }
}
