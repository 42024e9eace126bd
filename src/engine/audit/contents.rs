//! Proves that what people decided on is still what the journal says.
//!
//! The audit log has the digests of what was seen and approved; the journal has the contents. Somebody who changes one
//! without the other is found by computing the digests again, and by comparing the decisions of both, each way.

use std::collections::{HashMap, HashSet};

use chrono::{DateTime, Utc};

use crate::{
    domain::{
        access::Scope,
        audit::{ACTIONS_OF_JOURNAL, Told, checkpoints, disagreements},
        checkpoint::{Contents, Event as CheckpointEvent, Proposal},
        execution::{Data, Event},
        id::{CheckpointId, ExecutionId, NodeId, WorkspaceId},
        json::Json,
    },
    store::{Result, Store, audit::AuditEntry, journal::Entry},
};

const BATCH: u64 = 200;
/// A running server may write between two looks.
const LOOKS: usize = 5;
/// Who has more problems needs a person, not a longer list.
const MOST_PROBLEMS: usize = 100;

/// What was looked at, and what was found.
#[derive(Debug, Default)]
pub struct Findings {
    pub checkpoints: u64,
    pub decisions: u64,
    /// Not more than a hundred.
    pub problems: Vec<String>,
}

/// Compares all decisions of a workspace's journal with its audit log, in constant memory.
pub async fn check(store: &Store, workspace: WorkspaceId) -> Result<Findings> {
    let mut findings = Findings::default();
    let mut after = None;
    loop {
        let ids = store.execution_ids_of(workspace, after, BATCH).await?;
        let Some(last) = ids.last() else { break };
        after = Some(*last);
        let mut wrong = HashSet::new();
        for (id, problems) in look(store, workspace, &ids, Rows::Checked, &mut findings).await? {
            if !problems.is_empty() {
                wrong.insert(id);
            }
        }
        for id in wrong {
            let problems = check_execution(store, workspace, id, Rows::Checked).await?;
            findings.problems.extend(problems.into_iter().map(|problem| format!("{id}: {problem}")));
        }
        if findings.problems.len() >= MOST_PROBLEMS {
            findings.problems.truncate(MOST_PROBLEMS);
            return Ok(findings);
        }
    }
    findings.problems.extend(without_execution(store, workspace).await?);
    Ok(findings)
}

/// Whether the rows that queries read are compared as well.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rows {
    Checked,
    /// Somebody else does.
    Unchecked,
}

/// What is wrong with the decisions of one execution.
pub async fn check_execution(
    store: &Store,
    workspace: WorkspaceId,
    id: ExecutionId,
    rows: Rows,
) -> Result<Vec<String>> {
    let mut found = Vec::new();
    for _ in 0..LOOKS {
        let looked = look(store, workspace, &[id], rows, &mut Findings::default()).await?;
        found = looked.into_values().flatten().collect();
        if found.is_empty() {
            break;
        }
    }
    Ok(found)
}

/// Decisions of the audit log whose execution is gone.
pub async fn without_execution(store: &Store, workspace: WorkspaceId) -> Result<Vec<String>> {
    let scope = Scope::system(workspace);
    let limit = MOST_PROBLEMS as u64;
    let entries = store.audit_entries_without_execution(scope, &ACTIONS_OF_JOURNAL, limit).await?;
    let gone = entries.into_iter().map(|entry| {
        let what = entry.action.map(|action| action.as_str()).unwrap_or_default();
        format!("entry {} of the audit log says `{what}`, and its execution is gone", entry.sequence)
    });
    Ok(gone.collect())
}

async fn look(
    store: &Store,
    workspace: WorkspaceId,
    ids: &[ExecutionId],
    compared: Rows,
    findings: &mut Findings,
) -> Result<HashMap<ExecutionId, Vec<String>>> {
    let scope = Scope::system(workspace);
    let events = store.events_of(scope, ids, CheckpointEvent::KINDS).await?;
    let mut entries = store.audit_entries_of_executions(scope, ids, &ACTIONS_OF_JOURNAL).await?;
    let mut rows = store.checkpoint_states(scope, ids).await?;
    let mut found: HashMap<ExecutionId, Vec<String>> = HashMap::new();
    for id in ids {
        let lines = events.get(id).map(Vec::as_slice).unwrap_or_default();
        let mut problems: Vec<String> = lines
            .iter()
            .filter_map(|line| line.event.as_ref().err())
            .map(|unknown| format!("a line `{}` of the journal cannot be read: {}", unknown.kind, unknown.error))
            .collect();
        let happened: Vec<(DateTime<Utc>, &CheckpointEvent)> = lines.iter().filter_map(of_checkpoint).collect();
        let told = entries.remove(id).unwrap_or_default().into_iter().filter_map(told).collect::<Vec<_>>();
        findings.decisions += told.len() as u64;
        problems.extend(disagreements(&happened, told));
        for (_, event) in &happened {
            if let Some((checkpoint, number, proposal, digest)) = revision(event) {
                let problem = digest_problem(store, workspace, proposal, digest).await?;
                let place = CheckpointId(checkpoint);
                problems.extend(problem.map(|problem| format!("{place}: revision {number} {problem}")));
            }
        }
        if compared == Rows::Unchecked {
            found.insert(*id, problems);
            continue;
        }
        let mut there: HashMap<_, _> = rows.remove(id).unwrap_or_default().into_iter().collect();
        for checkpoint in checkpoints(&happened) {
            findings.checkpoints += 1;
            let digest = checkpoint.current().map(|current| current.digest.as_str()).unwrap_or_default();
            let derived = (checkpoint.status.as_str(), digest);
            let place = CheckpointId(checkpoint.id);
            match there.remove(&checkpoint.id) {
                Some((status, digest)) if (status.as_str(), digest.as_str()) == derived => {}
                Some((status, digest)) => problems.push(format!(
                    "{place}: its row says {status} with the digest {digest}, and the journal {} with {}",
                    derived.0, derived.1
                )),
                None => problems.push(format!("{place}: it has no row")),
            }
        }
        problems.extend(there.into_keys().map(|id| format!("{}: the journal does not have it", CheckpointId(id))));
        found.insert(*id, problems);
    }
    Ok(found)
}

fn of_checkpoint(line: &Entry) -> Option<(DateTime<Utc>, &CheckpointEvent)> {
    match &line.event {
        Ok(Event::Checkpoint(event)) => Some((line.at, event)),
        _ => None,
    }
}

fn told(entry: AuditEntry) -> Option<Told> {
    let Some(NodeId::CheckpointId(checkpoint)) = entry.subject else { return None };
    Some(Told {
        sequence: entry.sequence,
        action: entry.action?,
        checkpoint: checkpoint.0,
        at: entry.at,
        actor: entry.actor,
        on_behalf_of: entry.on_behalf_of,
        digest: entry.digest,
        details: entry.details,
        after: entry.after,
        written: entry.values.get(&crate::domain::audit::Part::Details).cloned(),
    })
}

/// The proposal that an event brings, with its number and digest.
fn revision(event: &CheckpointEvent) -> Option<(uuid::Uuid, u32, &Proposal, &str)> {
    match event {
        CheckpointEvent::Requested(first) => Some((first.checkpoint, 1, &first.proposal, &first.digest)),
        CheckpointEvent::AutoApproved(first) => Some((first.checkpoint, 1, &first.proposal, &first.digest)),
        CheckpointEvent::Revised(next) => Some((next.checkpoint, next.number, &next.proposal, &next.digest)),
        _ => None,
    }
}

/// Whether a proposal is still what its digest stands for.
async fn digest_problem(
    store: &Store,
    workspace: WorkspaceId,
    proposal: &Proposal,
    digest: &str,
) -> Result<Option<String>> {
    let parameters = match value(store, workspace, &proposal.parameters).await? {
        Ok(json) => json,
        Err(problem) => return Ok(Some(problem)),
    };
    let mut others = [None, None];
    for (place, data) in others.iter_mut().zip([&proposal.supporting_data, &proposal.items]) {
        if let Some(data) = data {
            match value(store, workspace, data).await? {
                Ok(json) => *place = Some(json),
                Err(problem) => return Ok(Some(problem)),
            }
        }
    }
    let [supporting_data, items] = others;
    let own = proposal.digest(&Contents { parameters, supporting_data, items });
    Ok((own != digest).then(|| format!("is not what was proposed: its digest is {own}, and was {digest}")))
}

/// A value of the journal, or what is wrong with it.
async fn value(store: &Store, workspace: WorkspaceId, data: &Data) -> Result<std::result::Result<Json, String>> {
    let hash = match data {
        Data::Inline(json) => return Ok(Ok(json.clone())),
        Data::Stored { hash, .. } => *hash,
    };
    if let Some(problem) = store.payload_problem(workspace, hash).await? {
        return Ok(Err(format!("has a stored value {hash} that {problem}")));
    }
    let mut found = store.payloads(Scope::system(workspace), &[hash]).await?;
    Ok(found.remove(&hash).ok_or_else(|| format!("has a stored value {hash} that is missing")))
}
