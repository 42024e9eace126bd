//! Changes of the rules themselves, which another person approves before the server makes them.
//!
//! What is to be changed is the proposal of a checkpoint: its parameters are exactly what is written once it is approved.

use serde_json::{Value, json};

use super::{
    ask_people::Asking,
    update_agent::{check_updatable, hold_agent},
    update_workflow::{check_base, check_changeable, hold_workflow, save_version},
};
use crate::{
    domain::{
        access::Scope,
        agent::{RiskLevel, Spec},
        audit::Action,
        checkpoint::{Contents, Kind, Proposal, Status, Subject},
        deliverable::unified,
        execution::Data,
        id::{AgentId, CheckpointId, WorkflowId},
        json::Json,
        refusal::{Code, Refusal},
    },
    engine::{Engine, Error, Origin, Result, commands::Document, memory::BacktestRange},
    store::{Tx, agents::Agent, checkpoints::CheckpointRow, workflows::Workflow},
};

/// How often what was approved and is not made yet is looked for: after a crash, or an outage of the database.
const EVERY: std::time::Duration = std::time::Duration::from_secs(10);

/// What became of a change.
#[derive(Debug)]
pub enum Reviewed<T> {
    Done(T),
    /// It is made once somebody else has approved it.
    Waits(Box<CheckpointRow>),
}

/// A change that people are asked about.
struct Proposed {
    subject: Subject,
    operation_type: &'static str,
    description: String,
    /// Exactly what is written.
    parameters: Value,
    /// The text before and after, and what helps to decide.
    before: String,
    after: String,
    backtest: Option<Value>,
}

impl Engine {
    pub(super) async fn review_policy(
        &self,
        scope: Scope,
        before: &str,
        document: &str,
        base_version: Option<i32>,
    ) -> Result<CheckpointRow> {
        let backtest = self.backtest_policy(scope, document, BacktestRange::default()).await?;
        let backtest = match backtest {
            Ok(backtest) => {
                let result = backtest.finish().await?;
                Some(json!({
                    "proposals": result.proposals, "asked": result.asked, "autoApproved": result.auto_approved,
                    "proceeded": result.proceeded, "noLongerAsked": result.no_longer_asked,
                    "newlyAsked": result.newly_asked, "contradicted": result.contradicted,
                }))
            }
            Err(_) => None,
        };
        let base = base_version.map_or_else(|| "the built-in policy".to_owned(), |number| format!("version {number}"));
        self.ask_for_review(
            scope,
            Proposed {
                subject: Subject::Policy,
                operation_type: "policy_change",
                description: format!("Change the policy, from {base}"),
                parameters: json!({"baseVersion": base_version, "document": document}),
                before: before.to_owned(),
                after: document.to_owned(),
                backtest,
            },
        )
        .await
    }

    pub(super) async fn review_agent(
        &self,
        scope: Scope,
        agent: &Agent,
        before: &Spec,
        after: &Spec,
    ) -> Result<CheckpointRow> {
        let (from, to) = (before.risk_level, after.risk_level);
        let specification = Json::parse(&after.to_text()).map_err(|error| Error::Internal(error.to_string()))?;
        self.ask_for_review(
            scope,
            Proposed {
                subject: Subject::Agent,
                operation_type: "agent_change",
                description: format!("Change the risk level of the agent {} from {from} to {to}", agent.name),
                parameters: json!({
                    "agent": agent.id.to_string(), "baseVersion": agent.version,
                    "specification": specification.to_value(),
                }),
                before: pretty(&before.to_text()),
                after: pretty(&after.to_text()),
                backtest: None,
            },
        )
        .await
    }

    pub(super) async fn review_workflow(
        &self,
        scope: Scope,
        workflow: &Workflow,
        before: &Json,
        after: &Json,
    ) -> Result<CheckpointRow> {
        self.ask_for_review(
            scope,
            Proposed {
                subject: Subject::Workflow,
                operation_type: "workflow_change",
                description: format!("Change the gates of the workflow {}", workflow.name),
                parameters: json!({
                    "workflow": workflow.id.to_string(), "baseVersion": workflow.latest_version,
                    "document": after.to_value(),
                }),
                before: pretty(before.text()),
                after: pretty(after.text()),
                backtest: None,
            },
        )
        .await
    }

    async fn ask_for_review(&self, scope: Scope, proposed: Proposed) -> Result<CheckpointRow> {
        let unfit = |error: &dyn ToString| Error::Internal(format!("a change cannot be kept: {}", error.to_string()));
        let diff = unified(&proposed.before, &proposed.after, ("before", "after")).text;
        let mut helps = json!({ "diff": diff });
        if let Some(backtest) = proposed.backtest {
            helps["backtest"] = backtest;
        }
        let contents = Contents {
            parameters: Json::from_value(&proposed.parameters).map_err(|error| unfit(&error))?,
            supporting_data: Some(Json::from_value(&helps).map_err(|error| unfit(&error))?),
            items: None,
        };
        let proposal = Proposal {
            operation_type: proposed.operation_type.to_owned(),
            description: proposed.description,
            parameters: Data::Inline(Json::object([])),
            risk_level: RiskLevel::High,
            reasoning: None,
            confidence: None,
            estimated_cost: None,
            supporting_data: None,
            alternatives: vec!["Everything stays as it is.".to_owned()],
            items: None,
            item_count: None,
            questions: Vec::new(),
            answered: Vec::new(),
            runs: None,
            changes: Some(proposed.subject),
        };
        let row = self.ask(scope, Asking::default(), Kind::External, proposal, contents).await?;
        let tx = self.begin(&Origin::default()).await?;
        tx.insert_reviewed_change(scope, row.id).await?;
        tx.commit().await?;
        Ok(row)
    }

    /// Makes a change that was approved, once. One that cannot be made any more is noted with the reason.
    pub(super) async fn make_reviewed_change(&self, scope: Scope, id: CheckpointId) -> Result<()> {
        let scope = Scope::system(scope.workspace());
        let loaded = self.execution_of_checkpoint(scope, id).await?;
        let approved = loaded.state.checkpoint(id.0).filter(|found| found.status == Status::Approved);
        let Some((revision, subject)) = approved.and_then(|found| Some((found.current()?, found.proposal()?.changes?)))
        else {
            return Ok(());
        };
        let contents = self.contents_of(scope.workspace(), &revision.proposal).await?;
        let made = if revision.proposal.digest(&contents) == revision.digest {
            self.try_reviewed_change(scope, id, subject, &contents.parameters.to_value()).await
        } else {
            Err(Refusal::new(Code::Conflict, "what was approved has been changed in the database").into())
        };
        let problem = match made {
            Ok(()) => return Ok(()),
            Err(Error::Refused(refusals)) => {
                refusals.iter().map(|refusal| refusal.message.to_string()).collect::<Vec<_>>().join("; ")
            }
            Err(error) => return Err(error),
        };
        let mut tx = self.begin(&Origin::default()).await?;
        if tx.finish_reviewed_change(id, Some(problem.clone())).await? {
            let details = json!({"changes": subject.as_str(), "problem": problem});
            tx.audit(scope, Action::ReviewedChangeFailed, Some(id.into()), details);
            tx.commit().await?;
        }
        Ok(())
    }

    async fn try_reviewed_change(
        &self,
        scope: Scope,
        id: CheckpointId,
        subject: Subject,
        parameters: &Value,
    ) -> Result<()> {
        let mut tx = self.begin(&Origin::default()).await?;
        // Other servers may be at it as well.
        if !tx.finish_reviewed_change(id, None).await? {
            return Ok(());
        }
        let details = json!({"changes": subject.as_str()});
        tx.audit(scope, Action::ReviewedChangeMade, Some(id.into()), details);
        let number = parameters["baseVersion"].as_i64().and_then(|number| i32::try_from(number).ok());
        let text = |name: &str| parameters[name].as_str().unwrap_or_default();
        match subject {
            Subject::Policy => self.save_reviewed_policy(tx, scope, text("document").to_owned(), number).await,
            Subject::Agent => {
                let agent: AgentId = text("agent").parse().map_err(|error| Error::Internal(format!("{error}")))?;
                let spec = Spec::from_text(&parameters["specification"].to_string());
                let spec = spec.map_err(|error| Error::Internal(error.to_string()))?;
                let (before, spec_before) = hold_agent(&tx, scope, agent).await?;
                check_updatable(&before, number.unwrap_or_default())?;
                self.save_agent(tx, scope, before, &spec_before, &spec).await.map(drop)
            }
            Subject::Workflow => {
                let workflow: WorkflowId =
                    text("workflow").parse().map_err(|error| Error::Internal(format!("{error}")))?;
                self.save_reviewed_workflow(tx, scope, workflow, parameters["document"].clone(), number).await
            }
        }
    }

    async fn save_reviewed_workflow(
        &self,
        tx: Tx,
        scope: Scope,
        id: WorkflowId,
        document: Value,
        base_version: Option<i32>,
    ) -> Result<()> {
        let invalid = |message: String| Error::from(Refusal::invalid("definition", message));
        let checked = self.check_document(scope, &Document::Definition(document), false).await?;
        let checked = checked.map_err(|problem| invalid(problem.message))?;
        let heading = checked.savable().map_err(|problems| {
            invalid(problems.into_iter().map(|problem| problem.message).collect::<Vec<_>>().join("; "))
        })?;
        let before = hold_workflow(&tx, scope, id).await?;
        check_changeable(&before)?;
        check_base(&before, base_version)?;
        let next = before.latest_version.unwrap_or(0).saturating_add(1);
        let version = super::create_workflow::version_of(&tx, scope, id, next, &checked);
        save_version(tx, scope, before, version, heading, &["input", "definition", "name"]).await.map(drop)
    }
}

/// JSON with a line for each field, so that lines can be compared.
fn pretty(text: &str) -> String {
    let value: Option<Value> = serde_json::from_str(text).ok();
    let lines = value.and_then(|value| serde_json::to_string_pretty(&value).ok());
    lines.map_or_else(|| text.to_owned(), |lines| lines + "\n")
}

/// Makes what was approved and is not made yet, for as long as the server runs.
pub async fn run(engine: Engine) {
    loop {
        if let Err(error) = make_approved_changes(&engine).await {
            tracing::warn!(error = error.explain(), "cannot make approved changes; trying again");
        }
        tokio::time::sleep(EVERY).await;
    }
}

/// Makes what was approved and is not made yet.
pub async fn make_approved_changes(engine: &Engine) -> Result<()> {
    for (workspace, id) in engine.store().changes_to_make().await? {
        engine.make_reviewed_change(Scope::system(workspace), id).await?;
    }
    Ok(())
}
