//! Why people are asked, and whom.

use async_graphql::{Object, SimpleObject};

use super::words::{ExcludedPerson, TimeoutAction};
use crate::{
    domain::policy,
    graphql::{json::Json, user::Role},
};

/// One reason why people are asked, or why nobody needed to be.
#[derive(SimpleObject)]
pub struct ApprovalReason {
    /// The policy's rule that it comes from; null if it is the step's own.
    rule: Option<String>,
    /// What of the rule it is, as policies name it: `risk_level`, `data_threshold`, …
    condition: String,
    /// Which field of the parameters was looked at.
    field: Option<String>,
    /// How it was compared.
    operator: Option<String>,
    /// What it was compared with; null also if that is too large to keep.
    threshold: Option<Json>,
    /// What was found; null also if that is too large to keep.
    value: Option<Json>,
    /// All of it as a sentence.
    message: String,
}

impl From<&policy::Reason> for ApprovalReason {
    fn from(reason: &policy::Reason) -> Self {
        Self {
            rule: reason.rule.clone(),
            condition: reason.condition.as_str().to_owned(),
            field: reason.field.clone(),
            operator: reason.operator.clone(),
            threshold: reason.threshold.as_ref().map(Json::from),
            value: reason.value.as_ref().map(Json::from),
            message: reason.message.clone(),
        }
    }
}

/// So many approvals of the same kind of people. Everybody fills one seat at most.
#[derive(SimpleObject)]
pub struct ApprovalSeat {
    /// How many.
    count: i32,
    /// Of whom: `any` of the approvers, or `group:NAME`, `role:ROLE`, `user:ADDRESS`, `service_account:NAME`.
    who: String,
}

impl From<&policy::Seat> for ApprovalSeat {
    fn from(seat: &policy::Seat) -> Self {
        Self { count: i32::try_from(seat.count).unwrap_or(i32::MAX), who: seat.who.to_string() }
    }
}

/// What another rule asks for as well.
pub struct AdditionalApproval(policy::Part);

/// What another rule asks for as well.
#[Object]
impl AdditionalApproval {
    /// The policy's rule that asks; null if no rule does.
    async fn rule(&self) -> Option<&str> {
        self.0.rule.as_deref()
    }

    /// How many of whom must approve.
    async fn seats(&self) -> Vec<ApprovalSeat> {
        self.0.seats.iter().map(ApprovalSeat::from).collect()
    }
}

/// Who must approve and by when, as the policy says. It is looked at again with each revision and decision, and never
/// becomes less.
pub struct ApprovalRequirement(pub policy::Requirement);

/// Who must approve and by when, as the policy says. It is looked at again with each revision and decision, and never
/// becomes less.
#[Object]
impl ApprovalRequirement {
    /// The policy's rule that asks; null if no rule does, and the step or the caller does.
    async fn rule(&self) -> Option<&str> {
        self.0.rule.as_deref()
    }

    /// How many of whom must approve.
    async fn seats(&self) -> Vec<ApprovalSeat> {
        self.0.seats.iter().map(ApprovalSeat::from).collect()
    }

    /// What other rules ask for as well, since the proposal or the policy has changed. A person fills one seat at most
    /// in each.
    async fn also(&self) -> Vec<AdditionalApproval> {
        self.0.also.iter().cloned().map(AdditionalApproval).collect()
    }

    /// The names of groups whose people are among the approvers.
    async fn groups(&self) -> &[String] {
        &self.0.approvers.groups
    }

    /// The addresses of people who are among the approvers.
    async fn users(&self) -> Vec<&str> {
        self.0.approvers.users.iter().map(|email| email.as_str()).collect()
    }

    /// Whoever has one of these roles is among the approvers.
    async fn roles(&self) -> Vec<Role> {
        self.0.approvers.roles.iter().copied().map(Role::from).collect()
    }

    /// Who may not decide all the same.
    async fn exclude(&self) -> Vec<ExcludedPerson> {
        self.0.exclude.iter().copied().map(ExcludedPerson::from).collect()
    }

    /// Whether whoever started the execution may not decide.
    async fn separation_of_duties(&self) -> bool {
        self.0.separation_of_duties
    }

    /// After how long nobody has decided in time; null: it waits for ever.
    async fn timeout_seconds(&self) -> Option<f64> {
        self.0.timeout.map(|timeout| timeout.after_seconds as f64)
    }

    /// What happens then.
    async fn on_timeout(&self) -> Option<TimeoutAction> {
        self.0.timeout.map(|timeout| timeout.then.into())
    }

    /// After how long others are asked as well; null: never, or at the timeout.
    async fn escalate_after_seconds(&self) -> Option<f64> {
        self.0.escalation.as_ref()?.after_seconds.map(|seconds| seconds as f64)
    }

    /// Who is asked then: `user:ADDRESS` or `group:NAME`.
    async fn escalate_to(&self) -> Vec<String> {
        let escalation = self.0.escalation.iter();
        escalation.flat_map(|escalation| &escalation.to).map(ToString::to_string).collect()
    }

    /// How often those who can decide are reminded.
    async fn reminder_seconds(&self) -> Option<f64> {
        self.0.reminder_seconds.map(|seconds| seconds as f64)
    }

    /// How people are told.
    async fn channels(&self) -> &[String] {
        &self.0.notification.channels
    }

    /// Who else is told: `user:ADDRESS` or `group:NAME`.
    async fn recipients(&self) -> Vec<String> {
        self.0.notification.recipients.iter().map(ToString::to_string).collect()
    }
}
