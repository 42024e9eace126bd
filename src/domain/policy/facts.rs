//! What a policy is asked about.

use std::cell::OnceCell;

use chrono::{DateTime, Utc};
use indexmap::IndexMap;
use serde_json::value::RawValue;
use uuid::Uuid;

use super::{quorum::Approver, rollout};
use crate::domain::{agent::RiskLevel, expression::Scope, json::Json, operation_type, workflow::Gate};

/// The variables that a rule's `condition` can name.
pub const PROPOSAL: &str = "proposal";
pub const INPUT: &str = "input";
pub const CONTEXT: &str = "context";
pub const VARIABLES: [&str; 3] = [PROPOSAL, INPUT, CONTEXT];

/// A proposal and everything around it that rules look at.
#[derive(Debug, Clone)]
pub struct Facts<'a> {
    pub operation_type: &'a str,
    pub risk: RiskLevel,
    /// How sure the agent is, from 0 to 1, if it says so.
    pub confidence: Option<f64>,
    /// What the operation is to be done with.
    pub params: &'a Json,
    /// The whole proposal, as expressions see it: an object with `operationType`, `params`, `riskLevel` and so on.
    pub proposal: &'a Json,
    /// The execution's input.
    pub input: &'a Json,
    /// The merged context, as the step sees it.
    pub context: &'a Json,
    /// What it is to be done with one by one: a list.
    pub items: Option<&'a Json>,
    pub asked_by: Asker,
    pub requester: &'a Requester,
    /// What the step says itself. A step that never asks is not to be evaluated; here it counts as one that leaves it
    /// to the policy.
    pub gate: Gate,
    pub now: DateTime<Utc>,
    /// The switch outside the document: while it is on, nothing is approved without people.
    pub emergency_stop: bool,
}

/// Who says what kind of action a proposal is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asker {
    /// A program that asks for approval of whatever it wants to do.
    Caller,
    /// A step: the library says what its agent does.
    Step,
    /// A step that only computes: nothing happens outside of the execution, whatever it is called.
    Computation,
}

/// Who wants it to be done: who asks, or who started the execution.
#[derive(Debug, Clone, Default)]
pub struct Requester {
    /// The same for a person and for all their tokens. Nil for the server itself.
    pub identity: Uuid,
    /// Only filled in where a policy says who may request what.
    pub who: Approver,
}

/// The facts during one evaluation. What one rule has taken apart stays so for the next.
pub struct Sight<'a> {
    pub facts: &'a Facts<'a>,
    pub params: Source<'a>,
    pub input: Source<'a>,
    pub context: Source<'a>,
    risk: OnceCell<Json>,
    operation_type: OnceCell<(String, Json)>,
    rollout_key: OnceCell<rollout::Key>,
    scope: OnceCell<Scope>,
}

impl<'a> Sight<'a> {
    pub fn new(facts: &'a Facts<'a>) -> Self {
        Self {
            facts,
            params: Source::new(facts.params),
            input: Source::new(facts.input),
            context: Source::new(facts.context),
            risk: OnceCell::new(),
            operation_type: OnceCell::new(),
            rollout_key: OnceCell::new(),
            scope: OnceCell::new(),
        }
    }

    /// The risk level as a JSON value.
    pub fn risk(&self) -> &Json {
        self.risk.get_or_init(|| Json::string(self.facts.risk.as_str()))
    }

    /// The operation type as it is compared, and as a JSON value as it is.
    pub fn operation_type(&self) -> &(String, Json) {
        let given = self.facts.operation_type;
        self.operation_type.get_or_init(|| (operation_type::comparable(given), Json::string(given)))
    }

    /// What gradual rollouts are drawn by: who wants what. Most rules have none, so it is only computed when needed.
    pub fn rollout_key(&self) -> &rollout::Key {
        self.rollout_key.get_or_init(|| {
            let (operation_type, facts) = (&self.operation_type().0, self.facts);
            rollout::Key::new(facts.requester.identity, operation_type, facts.params, facts.items)
        })
    }

    /// How sure the agent is, if it says so; what is not a number from 0 to 1 comes as an error.
    pub fn confidence(&self) -> Option<Result<Json, Json>> {
        let confidence = self.facts.confidence?;
        let json = serde_json::Number::from_f64(confidence)
            .and_then(|number| Json::trusted(number.to_string()).ok())
            .unwrap_or_else(|| Json::string(&confidence.to_string()));
        Some(if (0.0..=1.0).contains(&confidence) { Ok(json) } else { Err(json) })
    }

    /// What expressions can name.
    pub fn scope(&self) -> &Scope {
        self.scope.get_or_init(|| {
            Scope::default()
                .with(PROPOSAL, self.facts.proposal.clone())
                .with(INPUT, self.facts.input.clone())
                .with(CONTEXT, self.facts.context.clone())
        })
    }
}

/// A value whose fields are looked up several times.
pub struct Source<'a> {
    json: &'a Json,
    fields: OnceCell<Option<IndexMap<String, &'a RawValue>>>,
}

impl<'a> Source<'a> {
    pub fn new(json: &'a Json) -> Self {
        Self { json, fields: OnceCell::new() }
    }

    pub fn raw(&self) -> &'a RawValue {
        self.json.raw()
    }

    /// The fields, if it is an object.
    pub fn fields(&self) -> Option<&IndexMap<String, &'a RawValue>> {
        self.fields.get_or_init(|| self.json.fields()).as_ref()
    }
}
