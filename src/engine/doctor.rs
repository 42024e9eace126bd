//! Proves that what queries read is what the journal says, and mends it where it is not.

use super::{
    Engine, Result,
    audit::contents::{self, Rows},
    rollups::Recount,
};
use crate::{
    domain::access::Scope,
    domain::{
        execution::{Data, PayloadHash, State, wake_at},
        id::{ExecutionId, WorkflowId},
    },
    store::journal::{Entry, Owner, Projection, project},
};

const BATCH: u64 = 500;
/// A running server may change an execution between two looks at it.
const LOOKS: usize = 5;
const LONGEST_LEASE: chrono::TimeDelta = chrono::TimeDelta::hours(1);

/// What was looked at, and what was found.
#[derive(Debug, Default)]
pub struct Report {
    pub executions: u64,
    pub events: u64,
    /// Each with where it was found.
    pub problems: Vec<String>,
    pub repaired: u64,
    /// Whether the rollups were derived anew.
    pub recounted: bool,
}

impl Engine {
    /// Looks at the whole journal. With `repair`, rows that do not match are derived anew.
    pub async fn examine(&self, repair: bool) -> Result<Report> {
        let mut report = Report::default();
        let extent = self.store().journal_extent().await?;
        if extent.entries != extent.last {
            let problem =
                format!("the journal has {} lines, but its last one is number {}", extent.entries, extent.last);
            report.problems.push(problem);
        }
        report.events = extent.entries.unsigned_abs();
        for workspace in self.store().workspaces().await? {
            let gone = contents::without_execution(self.store(), workspace.id).await?;
            report.problems.extend(gone.into_iter().map(|problem| format!("{}: {problem}", workspace.slug)));
        }
        let mut rollups = Recount::begin(self).await?;
        let mut after = None;
        loop {
            let ids = self.store().execution_ids(after, BATCH).await?;
            let Some(last) = ids.last() else { break };
            after = Some(*last);
            for id in ids {
                report.executions += 1;
                let problems = self.examine_execution(id, repair, &mut report.repaired, &mut rollups).await?;
                report.problems.extend(problems.into_iter().map(|problem| format!("{id}: {problem}")));
            }
        }
        let differences = rollups.differences();
        if repair && !differences.is_empty() {
            self.recount().await?;
            report.recounted = true;
        }
        report.problems.extend(differences);
        Ok(report)
    }

    async fn examine_execution(
        &self,
        id: ExecutionId,
        repair: bool,
        repaired: &mut u64,
        rollups: &mut Recount,
    ) -> Result<Vec<String>> {
        let (mut found, mut decisions) = (Vec::new(), Vec::new());
        for look in 0..LOOKS {
            let history = self.store().history(id).await?;
            let derived = match self.derive(id, &history).await? {
                Ok((derived, broken)) => {
                    found = broken;
                    derived
                }
                Err(problem) => {
                    rollups.give_up();
                    return Ok(vec![problem]);
                }
            };
            if look == 0 {
                rollups.add(&history);
                if let Some(first) = history.first() {
                    decisions = contents::check_execution(self.store(), first.workspace, id, Rows::Unchecked).await?;
                }
            }
            found.extend(decisions.iter().cloned());
            let Some(there) = self.store().projection(id).await? else {
                return Ok(vec!["the execution has no row".to_owned()]);
            };
            let differences = there.differences(&derived);
            if differences.is_empty() {
                return Ok(found);
            }
            found.extend(differences);
            // A lease that is lost with its row lasts as long as any; its holder's next sign of life says better.
            let lease_until = self.clock().now() + LONGEST_LEASE;
            let derived = derived.lease_until(lease_until).with_leases_of(&there);
            if repair && self.store().replace_projection(derived).await? {
                *repaired += 1;
                return Ok(found);
            }
        }
        Ok(found)
    }

    /// The rows that an execution's journal gives and what is wrong with stored values, or with the journal itself.
    async fn derive(
        &self,
        id: ExecutionId,
        history: &[Entry],
    ) -> Result<std::result::Result<(Projection, Vec<String>), String>> {
        for (number, entry) in history.iter().enumerate() {
            if entry.seq != Some(number as u64 + 1) {
                return Ok(Err(format!("the event after number {number} has the number {:?}", entry.seq)));
            }
            if let Err(unknown) = &entry.event {
                return Ok(Err(unknown.error.clone()));
            }
        }
        let Some(first) = history.first() else { return Ok(Err("the execution has no journal".to_owned())) };
        let owner = Owner { execution: id, workspace: first.workspace, actor: first.actor };
        let events = history.iter().filter_map(|entry| Some((entry.at, entry.event.as_ref().ok()?)));
        let Some(state) = State::fold(events) else {
            return Ok(Err("the journal does not begin at its beginning".to_owned()));
        };
        let plan = self.plan(Scope::system(owner.workspace), WorkflowId(state.workflow), state.version).await?;
        let mut broken = Vec::new();
        for hash in stored_values(&state) {
            if let Some(problem) = self.store().payload_problem(owner.workspace, hash).await? {
                broken.push(format!("the stored value {hash} {problem}"));
            }
        }
        Ok(Ok((project(owner, None, &state, wake_at(&state, plan.definition())), broken)))
    }
}

fn stored_values(state: &State) -> Vec<PayloadHash> {
    let of_steps = state.steps.iter().flat_map(|step| [step.output.as_ref(), step.computed.as_ref()]).flatten();
    std::iter::once(&state.input)
        .chain(of_steps)
        .filter_map(|data| match data {
            Data::Stored { hash, .. } => Some(*hash),
            Data::Inline(_) => None,
        })
        .collect()
}
