//! The catalogue of operation types: how risky each is at least, who may request it, and what becomes of others.

use std::collections::HashMap;

use super::{
    facts::{Asker, Requester},
    requirement::Approvers,
    rule::Rule,
};
use crate::domain::agent::RiskLevel;

/// What a policy says about operation types.
#[derive(Debug, Clone, Default)]
pub struct OperationTypes {
    /// Nothing where the policy has no such section.
    pub unknown: Option<Unknown>,
    /// By the name as it is compared.
    pub types: HashMap<String, OperationType>,
}

/// What becomes of an operation type that is not in the catalogue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unknown {
    /// People are asked, unless a rule that names it approves.
    Ask,
    /// A caller may not request it; a step asks people.
    Refuse,
    /// The rules decide, as about any other.
    Allow,
}

/// One kind of action.
#[derive(Debug, Clone)]
pub struct OperationType {
    /// As it is written.
    pub name: String,
    pub minimum_risk: Option<RiskLevel>,
    /// Where in the list it is.
    pub position: usize,
    /// Nothing: anybody who may request anything.
    pub requesters: Option<Approvers>,
}

/// What somebody wants to do, as far as the catalogue looks at it.
pub struct Wanted<'a> {
    /// As it was given.
    pub name: &'a str,
    /// As it is compared.
    pub comparable: &'a str,
    pub asked_by: Asker,
    pub requester: &'a Requester,
}

/// Why the catalogue lets no rule approve something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Objection {
    pub message: String,
    /// Whether a rule may approve all the same that names the operation type.
    pub unless_named: bool,
}

impl Objection {
    /// Whether it keeps a rule that has matched from approving.
    pub fn concerns(&self, rule: &Rule) -> bool {
        !(self.unless_named && rule.names_operations())
    }
}

impl OperationTypes {
    pub fn minimum_risk(&self, comparable: &str) -> Option<RiskLevel> {
        self.types.get(comparable)?.minimum_risk
    }

    pub fn names_requesters(&self) -> bool {
        self.types.values().any(|known| known.requesters.is_some())
    }

    /// Whether it can keep a step from going on.
    pub fn may_object(&self, comparable: &str) -> bool {
        match (self.types.get(comparable), self.unknown) {
            (Some(known), _) => known.requesters.is_some(),
            (None, Some(Unknown::Ask | Unknown::Refuse)) => true,
            (None, Some(Unknown::Allow) | None) => false,
        }
    }

    /// Why no rule may approve.
    pub fn objections(&self, wanted: &Wanted<'_>) -> Vec<Objection> {
        let mut objections: Vec<Objection> = Vec::new();
        objections.extend(self.wrong_requester(wanted).map(|message| Objection { message, unless_named: false }));
        objections.extend(self.unknown_type(wanted));
        objections
    }

    /// Those because of which people are asked even if no rule has anything to say.
    pub fn insisting(&self, objections: &[Objection]) -> Vec<Objection> {
        if self.unknown.is_some() { objections.to_vec() } else { Vec::new() }
    }

    /// Why a caller may not even ask.
    pub fn refusal(&self, wanted: &Wanted<'_>) -> Option<String> {
        if wanted.asked_by != Asker::Caller {
            return None;
        }
        let unknown = self.unknown_type(wanted).filter(|objection| !objection.unless_named);
        self.wrong_requester(wanted).or(unknown.map(|objection| objection.message))
    }

    fn wrong_requester(&self, wanted: &Wanted<'_>) -> Option<String> {
        let known = self.types.get(wanted.comparable)?;
        let requesters = known.requesters.as_ref()?;
        if wanted.requester.who.is_among(requesters) {
            return None;
        }
        let who = match wanted.asked_by {
            Asker::Caller => "you are",
            Asker::Step | Asker::Computation => "who started this execution is",
        };
        Some(format!("{who} not among those who may request `{}`: {requesters}", known.name))
    }

    fn unknown_type(&self, wanted: &Wanted<'_>) -> Option<Objection> {
        // Callers say themselves what they want to do, so a name is only believed if the policy knows it.
        let doubted = match wanted.asked_by {
            Asker::Caller => true,
            Asker::Step => self.unknown.is_some(),
            Asker::Computation => false,
        };
        if !doubted || self.types.contains_key(wanted.comparable) {
            return None;
        }
        let unless_named = match self.unknown.unwrap_or(Unknown::Ask) {
            Unknown::Allow => return None,
            Unknown::Ask => true,
            Unknown::Refuse => false,
        };
        let message = format!("`{}` is not among the policy's operation types", wanted.name);
        Some(Objection { message, unless_named })
    }
}
