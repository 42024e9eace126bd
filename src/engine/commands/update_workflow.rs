//! Changing a workflow: its next version, or its draft.

use serde_json::{Value, json};

use super::{
    create_workflow::{draft_of, version_of},
    workflow_document::{Checked, Document, SavedWorkflow, check_name, taken},
};
use crate::{
    domain::{
        access::Scope,
        audit::{Action, digest_of},
        id::WorkflowId,
        json::Json,
        refusal::{Code, Refusal},
        workflow::Heading,
    },
    engine::{Engine, Origin, Result},
    store::{Tx, workflow_versions::WorkflowVersion, workflows::Workflow},
};

#[derive(Debug)]
pub struct UpdateWorkflow {
    pub workflow: WorkflowId,
    /// The version that the change was made from, `None` if there was none: whoever comes second must look again.
    pub base_version: Option<i32>,
    pub document: Document,
    /// Whether only the draft is replaced, whatever the document's problems.
    pub draft: bool,
}

impl Engine {
    pub async fn update_workflow(
        &self,
        scope: Scope,
        command: UpdateWorkflow,
        origin: &Origin,
    ) -> Result<SavedWorkflow> {
        self.permit_workflow(scope, "workflowId", command.workflow).await?;
        self.permit_document(scope, &command.document).await?;
        let checked = match self.check_document(scope, &command.document, command.draft).await? {
            Ok(checked) => checked,
            Err(problem) => return Ok(SavedWorkflow::Invalid(vec![problem])),
        };
        let tx = self.begin(origin).await?;
        let before = hold_workflow(&tx, scope, command.workflow).await?;
        check_changeable(&before)?;
        check_base(&before, command.base_version)?;
        let heading = match checked.savable() {
            Ok(heading) => heading,
            Err(problems) => return Ok(SavedWorkflow::Invalid(problems)),
        };
        let place = ["input", command.document.field(), "name"];
        check_name(&place, &heading.name, Some(&before.name))?;
        if !command.draft
            && let Some(before_document) = self.reviewed_gates(&tx, &before, &checked.json).await?
        {
            drop(tx);
            let row = self.review_workflow(scope, &before, &before_document, &checked.json).await?;
            return Ok(SavedWorkflow::InReview(Box::new(row)));
        }
        let workflow = if command.draft {
            save_draft(tx, scope, before, &checked, heading, &place).await?
        } else {
            let number = before.latest_version.unwrap_or(0).saturating_add(1);
            let version = version_of(&tx, scope, before.id, number, &checked);
            save_version(tx, scope, before, version, heading, &place).await?
        };
        Ok(SavedWorkflow::Saved { workflow, problems: checked.problems })
    }
}

async fn save_draft(
    mut tx: Tx,
    scope: Scope,
    before: Workflow,
    checked: &Checked,
    heading: Heading,
    place: &[&'static str],
) -> Result<Workflow> {
    if tx.workflow_draft(before.id).await?.is_some_and(|draft| draft.document == checked.json) {
        return Ok(before);
    }
    // A draft renames nothing that can be run already.
    let workflow = match before.latest_version {
        None => renamed(&tx, before, heading),
        Some(_) => Workflow { updated_at: tx.now(), ..before },
    };
    write(&tx, &workflow, place).await?;
    tx.put_workflow_draft(&draft_of(&tx, scope, workflow.id, checked)).await?;
    tx.audit(scope, Action::WorkflowDraftSaved, Some(workflow.id.into()), json!({"name": workflow.name}));
    tx.commit().await?;
    Ok(workflow)
}

pub(super) async fn save_version(
    mut tx: Tx,
    scope: Scope,
    before: Workflow,
    version: WorkflowVersion,
    heading: Heading,
    place: &[&'static str],
) -> Result<Workflow> {
    let id = before.id;
    let had_draft = tx.delete_workflow_draft(id).await?;
    if is_latest(&tx, &before, &version).await? {
        if had_draft {
            tx.audit(scope, Action::WorkflowDraftDiscarded, Some(id.into()), json!({"name": before.name}));
            tx.commit().await?;
        }
        return Ok(before);
    }
    let shown = |number: i32, document: &Json| json!({"version": number, "digest": digest_of(document.text())});
    let mut old = Value::Null;
    if let Some(number) = before.latest_version
        && let Some(document) = tx.workflow_document(id, number).await?
    {
        old = shown(number, &document);
    }
    let renamed_from = (before.name != heading.name).then(|| before.name.clone());
    let workflow = Workflow { latest_version: Some(version.info.number), ..renamed(&tx, before, heading) };
    write(&tx, &workflow, place).await?;
    tx.insert_workflow_version(&version).await?;
    let details = json!({"name": workflow.name, "version": version.info.number, "renamedFrom": renamed_from});
    let entry = tx.audit(scope, Action::WorkflowUpdated, Some(id.into()), details);
    entry.changing(old, shown(version.info.number, &version.document));
    tx.commit().await?;
    Ok(workflow)
}

pub(super) fn renamed(tx: &Tx, before: Workflow, heading: Heading) -> Workflow {
    Workflow { name: heading.name, description: heading.description, updated_at: tx.now(), ..before }
}

/// Writes a workflow whose name may have changed, by what is at this place of the input.
pub(super) async fn write(tx: &Tx, workflow: &Workflow, place: &[&'static str]) -> Result<()> {
    match tx.update_workflow(workflow).await {
        Err(error) if error.is_duplicate_of("workflow") => Err(taken(place, &workflow.name)),
        updated => Ok(updated?),
    }
}

/// Whether a version would say exactly what the latest one says.
pub(super) async fn is_latest(tx: &Tx, workflow: &Workflow, version: &WorkflowVersion) -> Result<bool> {
    let Some(number) = workflow.latest_version else {
        return Ok(false);
    };
    let latest = tx.workflow_document(workflow.id, number).await?;
    Ok(latest.is_some_and(|document| document.text() == version.document.text()))
}

/// The workflow that a command names, as it is now.
pub(super) async fn hold_workflow(tx: &Tx, scope: Scope, id: WorkflowId) -> Result<Workflow> {
    Ok(tx.hold_workflow(scope, id).await?.ok_or_else(|| unknown(id))?)
}

pub(super) fn unknown(id: WorkflowId) -> Refusal {
    Refusal::at("workflowId", Code::NotFound, format!("there is no workflow `{id}` in this workspace"))
}

pub(super) fn check_changeable(workflow: &Workflow) -> Result<()> {
    if workflow.archived_at.is_none() {
        return Ok(());
    }
    let message = format!("the workflow `{}` is archived: bring it back with unarchiveWorkflow first", workflow.name);
    Err(Refusal::at("workflowId", Code::Conflict, message).into())
}

impl Engine {
    /// The document before a change of gates that people must review; nothing for any other change.
    pub(super) async fn reviewed_gates(&self, tx: &Tx, before: &Workflow, after: &Json) -> Result<Option<Json>> {
        if !self.settings().review_changes {
            return Ok(None);
        }
        let Some(number) = before.latest_version else {
            self.check_first_gates(after)?;
            return Ok(None);
        };
        let document = tx.workflow_document(before.id, number).await?;
        Ok(document.filter(|document| changes_gates(&document.to_value(), &after.to_value())))
    }

    /// Where changes are reviewed, a first version has no step that never asks: there is nothing yet to compare it with.
    pub(super) fn check_first_gates(&self, document: &Json) -> Result<()> {
        let document = document.to_value();
        let ungated = gates(&document).into_iter().find(|(_, _, gate)| gate == NEVER);
        match ungated.filter(|_| self.settings().review_changes) {
            None => Ok(()),
            Some((key, ..)) => {
                let message = format!(
                    "the step `{key}` says `gate: NEVER`, which is reviewed on this server: save the workflow without \
                     it, then change it"
                );
                Err(Refusal::new(Code::NotAllowed, message).into())
            }
        }
    }
}

const NEVER: &str = "NEVER";

/// The steps of a document: key, agent and gate.
fn gates(document: &Value) -> Vec<(&str, &str, String)> {
    let steps = document.get("steps").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    steps
        .iter()
        .map(|step| {
            let named = |field: &str| step.get(field).and_then(Value::as_str).unwrap_or_default();
            let gate = match named("gate") {
                "" => "POLICY".to_owned(),
                gate => gate.to_uppercase(),
            };
            (named("key"), named("agent"), gate)
        })
        .collect()
}

/// Whether a step asks otherwise than before, or one never asks that is new or has another agent.
fn changes_gates(before: &Value, after: &Value) -> bool {
    let before = gates(before);
    gates(after).into_iter().any(|(key, agent, gate)| {
        match before.iter().find(|(known, its, _)| *known == key && *its == agent) {
            Some((.., known)) => *known != gate,
            None => gate == NEVER,
        }
    })
}

/// Whether a change was made from the latest version.
pub(super) fn check_base(workflow: &Workflow, base: Option<i32>) -> Result<()> {
    if workflow.latest_version == base {
        return Ok(());
    }
    let given = base.map_or_else(|| "absent".to_owned(), |base| base.to_string());
    let message = match workflow.latest_version {
        Some(current) => format!(
            "`baseVersion` is {given}, but the workflow is at version {current}: look at that one and make the change again"
        ),
        None => format!("`baseVersion` is {given}, but the workflow has no version yet: leave it out"),
    };
    Err(Refusal::at("baseVersion", Code::Conflict, message).into())
}
