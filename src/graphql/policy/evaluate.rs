//! What a policy would say.

use async_graphql::{Context, Enum, ID, InputObject, Object, SimpleObject};
use chrono::{DateTime, Utc};

use super::PolicyProblem;
use crate::{
    domain::{
        id::ExecutionId,
        json,
        policy::{self, ConditionReport, Outcome, RuleReport},
        role::Role,
        time, workflow,
    },
    engine::commands::EvaluatePolicy,
    graphql::{
        agent::RiskLevel,
        caller::ContextExt,
        checkpoint::{ApprovalReason, ApprovalRequirement},
        error::{Fault, Result, argument_id, outcome},
        json::{Json, read},
    },
};

/// What evaluating a policy costs, compared to reading a field.
const EVALUATION_COST: usize = 50;

/// A proposal, and what is around it.
#[derive(InputObject)]
pub struct EvaluatePolicyInput {
    /// A policy that is not in force, in YAML or JSON; the one that is in force when absent.
    document: Option<String>,
    /// What kind of action it is, such as `refund`.
    operation_type: String,
    /// How much harm it can do.
    #[graphql(default_with = "RiskLevel::Medium")]
    risk_level: RiskLevel,
    /// How sure the agent is, from 0 to 1.
    confidence: Option<f64>,
    /// What the action is to be done with: an object.
    parameters: Json,
    /// The execution's input, for conditions that name `input`.
    input: Option<Json>,
    /// The merged context, for conditions that name `context`.
    context: Option<Json>,
    /// What the step says itself.
    #[graphql(default_with = "EvaluatedGate::Policy")]
    gate: EvaluatedGate,
    /// At which time, for business hours: now when absent.
    at: Option<DateTime<Utc>>,
    /// What it is to be done with one by one: a list of objects.
    items: Option<Json>,
    /// Whether a step wants it, or a program that calls `requestApproval`.
    #[graphql(default_with = "EvaluatedKind::Step")]
    kind: EvaluatedKind,
    /// Evaluates it as if whoever started this execution wanted it: gradual rollouts and the catalogue of operation types
    /// depend on who that is. The caller when absent.
    execution_id: Option<ID>,
}

/// Where a proposal comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
pub enum EvaluatedKind {
    /// A step of a workflow. It goes on where no rule has anything to say.
    Step,
    /// A step that only computes, as agents of the kind TRANSFORM do.
    Computation,
    /// A program that asks with `requestApproval`. It says itself what kind of action it is.
    Request,
}

/// What a step says about being asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
pub enum EvaluatedGate {
    /// The policy decides.
    Policy,
    /// It always asks.
    Always,
}

/// What would happen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
pub enum PolicyOutcome {
    /// No rule has anything to say: it would be done.
    Proceed,
    /// A rule would approve it.
    AutoApprove,
    /// People would be asked.
    Ask,
    /// The request would be refused: the catalogue of operation types does not allow it.
    Refuse,
}

/// What was found about one condition of a rule.
#[derive(SimpleObject)]
pub struct PolicyConditionResult {
    /// Which condition, as policies name it: `risk_level`, `data_threshold`, …
    condition: String,
    /// Where the value was looked for.
    field: Option<String>,
    /// How it was compared.
    operator: Option<String>,
    /// What the rule names; an expression as its text.
    expected: Json,
    /// What was found; null if nothing was, or if it is too large to show.
    actual: Option<Json>,
    /// Whether it held.
    held: bool,
    /// What else there is to say, such as why a value could not be judged.
    note: Option<String>,
}

impl From<&ConditionReport> for PolicyConditionResult {
    fn from(report: &ConditionReport) -> Self {
        Self {
            condition: report.condition.as_str().to_owned(),
            field: report.field.as_deref().map(str::to_owned),
            operator: report.operator.map(|operator| operator.as_str().to_owned()),
            expected: Json::from(&report.expected),
            actual: report.actual.as_ref().map(Json::from),
            held: report.held,
            note: report.note.clone(),
        }
    }
}

/// What was found about one rule.
#[derive(SimpleObject)]
pub struct PolicyRuleResult {
    /// The rule's name.
    name: String,
    /// Its priority, if it has one.
    priority: Option<f64>,
    /// Whether it takes part: the document lets it, and it is not in the shadow.
    enabled: bool,
    /// Whether it only says what it would do, and people decide.
    shadow: bool,
    /// Whether all its conditions held.
    matched: bool,
    /// Whether it is the one that counts.
    applied: bool,
    /// Its conditions, each with what was found.
    conditions: Vec<PolicyConditionResult>,
    /// Why a rule that matched and would approve may not.
    blocked: Vec<ApprovalReason>,
}

impl From<&RuleReport> for PolicyRuleResult {
    fn from(report: &RuleReport) -> Self {
        Self {
            name: report.name.to_string(),
            priority: report.priority.map(|priority| priority as f64),
            enabled: report.enabled,
            shadow: report.shadow,
            matched: report.matched,
            applied: report.applied,
            conditions: report.conditions.iter().map(PolicyConditionResult::from).collect(),
            blocked: report.blocked.iter().map(ApprovalReason::from).collect(),
        }
    }
}

/// What a policy says about a proposal, and why.
#[derive(Default, SimpleObject)]
pub struct PolicyEvaluation {
    /// What would happen; null if the policy that was given has problems.
    outcome: Option<PolicyOutcome>,
    /// How risky it counts: what was given, or what the catalogue of operation types says at least.
    risk_level: Option<RiskLevel>,
    /// The rule that decides.
    rule: Option<String>,
    /// Why.
    reasons: Vec<ApprovalReason>,
    /// Who would have to approve.
    requirement: Option<ApprovalRequirement>,
    /// Every checkpoint rule, in the order in which they are looked at.
    checkpoint_rules: Vec<PolicyRuleResult>,
    /// Every auto-approval rule, in the order of the document.
    auto_approval_rules: Vec<PolicyRuleResult>,
    /// The version that was asked; null for one that was given, or is built in.
    policy_version: Option<i32>,
    /// Whether approvals without people are stopped.
    emergency_stop: bool,
    /// What is wrong with the policy that was given.
    problems: Vec<PolicyProblem>,
}

fn value(field: &'static str, given: Option<&Json>) -> Result<json::Json> {
    match given.map(|given| read(field, given)) {
        Some(Ok(json)) => Ok(json),
        Some(Err(error)) => Err(Fault::BadInput(error.message)),
        None => Ok(json::Json::object([])),
    }
}

#[derive(Default)]
pub struct EvaluationQuery;

#[Object]
impl EvaluationQuery {
    /// What a policy would say about a proposal: which rule matches, which conditions hold, what would happen.
    #[graphql(complexity = "child_complexity.saturating_add(EVALUATION_COST)")]
    async fn evaluate_policy(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The proposal, and what is around it.")] input: EvaluatePolicyInput,
    ) -> Result<PolicyEvaluation> {
        let scope = ctx.require(Role::Viewer)?;
        let command = EvaluatePolicy {
            document: input.document,
            operation_type: input.operation_type,
            risk_level: input.risk_level.into(),
            confidence: input.confidence,
            parameters: value("parameters", Some(&input.parameters))?,
            input: value("input", input.input.as_ref())?,
            context: value("context", input.context.as_ref())?,
            gate: match input.gate {
                EvaluatedGate::Policy => workflow::Gate::Policy,
                EvaluatedGate::Always => workflow::Gate::Always,
            },
            items: input.items.as_ref().map(|items| value("items", Some(items))).transpose()?,
            asked_by: match input.kind {
                EvaluatedKind::Step => policy::Asker::Step,
                EvaluatedKind::Computation => policy::Asker::Computation,
                EvaluatedKind::Request => policy::Asker::Caller,
            },
            at: input.at.map(|at| time::check("at", at)).transpose()?,
            execution: input.execution_id.map(|id| argument_id::<ExecutionId>("executionId", &id)).transpose()?,
        };
        let evaluated = match outcome(ctx.engine().evaluate_policy(scope, command).await)? {
            Ok(Ok(evaluated)) => evaluated,
            Ok(Err(problems)) => {
                let problems = problems.into_iter().map(PolicyProblem::from).collect();
                return Ok(PolicyEvaluation { problems, ..Default::default() });
            }
            Err(errors) => return Err(Fault::BadInput(errors.into_iter().map(|error| error.message).collect())),
        };
        let evaluation = evaluated.evaluation;
        let mut shown = PolicyEvaluation {
            checkpoint_rules: evaluation.checkpoints.iter().map(PolicyRuleResult::from).collect(),
            auto_approval_rules: evaluation.auto_approvals.iter().map(PolicyRuleResult::from).collect(),
            risk_level: Some(evaluated.risk_level.into()),
            policy_version: evaluated.version,
            emergency_stop: evaluated.emergency_stop,
            ..Default::default()
        };
        let reasons = |reasons: &[policy::Reason]| reasons.iter().map(ApprovalReason::from).collect();
        if let Some(why) = evaluation.refused {
            shown.outcome = Some(PolicyOutcome::Refuse);
            shown.reasons = vec![ApprovalReason::from(&policy::Reason::new(None, policy::Aspect::OperationTypes, why))];
            return Ok(shown);
        }
        match evaluation.outcome {
            Outcome::Proceed => shown.outcome = Some(PolicyOutcome::Proceed),
            Outcome::AutoApproved(approval) => {
                shown.outcome = Some(PolicyOutcome::AutoApprove);
                shown.reasons = reasons(&approval.reasons);
                shown.rule = Some(approval.rule);
            }
            Outcome::Ask(requirement) => {
                shown.outcome = Some(PolicyOutcome::Ask);
                shown.reasons = reasons(&requirement.reasons);
                shown.rule.clone_from(&requirement.rule);
                shown.requirement = Some(ApprovalRequirement(*requirement));
            }
        }
        Ok(shown)
    }
}
