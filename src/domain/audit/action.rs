//! What can happen, as the audit log names it.

use std::str::FromStr;

macro_rules! actions {
    ($($(#[$doc:meta])* $name:ident = $text:literal;)*) => {
        /// What happened.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Action {
            $($(#[$doc])* $name,)*
        }

        impl Action {
            pub const ALL: &'static [Action] = &[$(Action::$name,)*];

            /// The text in the database: never renamed.
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Action::$name => $text,)*
                }
            }
        }

        impl FromStr for Action {
            type Err = ();

            fn from_str(text: &str) -> Result<Self, ()> {
                match text {
                    $($text => Ok(Action::$name),)*
                    _ => Err(()),
                }
            }
        }
    };
}

actions! {
    WorkspaceCreated = "workspace.created";
    WorkspaceUpdated = "workspace.updated";
    UserInvited = "user.invited";
    UserProvisioned = "user.provisioned";
    UserUpdated = "user.updated";
    UserRolesChanged = "user.roles_changed";
    UserDisabled = "user.disabled";
    UserEnabled = "user.enabled";
    UserPasswordChanged = "user.password_changed";
    IdentityLinked = "user.identity_linked";
    IdentityUnlinked = "user.identity_unlinked";
    SignInLinkCreated = "sign_in_link.created";
    SignInLinkWithdrawn = "sign_in_link.withdrawn";
    SignedIn = "session.started";
    SignInRefused = "session.refused";
    SignedOut = "session.ended";
    RefreshTokenReused = "session.refresh_token_reused";
    GroupCreated = "group.created";
    GroupUpdated = "group.updated";
    GroupDeleted = "group.deleted";
    GroupMembersAdded = "group.members_added";
    GroupMembersRemoved = "group.members_removed";
    ApiTokenCreated = "api_token.created";
    ApiTokenRevoked = "api_token.revoked";
    ServiceAccountCreated = "service_account.created";
    ServiceAccountRenamed = "service_account.renamed";
    ServiceAccountDisabled = "service_account.disabled";
    ServiceAccountEnabled = "service_account.enabled";
    AgentCreated = "agent.created";
    AgentUpdated = "agent.updated";
    AgentArchived = "agent.archived";
    AgentUnarchived = "agent.unarchived";
    WorkflowCreated = "workflow.created";
    WorkflowUpdated = "workflow.updated";
    WorkflowDraftSaved = "workflow.draft_saved";
    WorkflowDraftDiscarded = "workflow.draft_discarded";
    WorkflowVersionRestored = "workflow.version_restored";
    WorkflowArchived = "workflow.archived";
    WorkflowUnarchived = "workflow.unarchived";
    SecretSet = "secret.set";
    SecretDeleted = "secret.deleted";
    OutOfOfficeSet = "user.out_of_office_set";
    OutOfOfficeEnded = "user.out_of_office_ended";
    PolicyChanged = "policy.changed";
    EmergencyStopSet = "policy.emergency_stop_set";
    EmergencyStopLifted = "policy.emergency_stop_lifted";
    /// People agreed with a rule often enough: it approves from now on.
    RulePromoted = "policy.rule_promoted";
    /// People agreed with a rule too seldom: it does not approve any more.
    RuleDemoted = "policy.rule_demoted";
    CheckpointApproved = "checkpoint.approved";
    CheckpointRejected = "checkpoint.rejected";
    ClarificationAnswered = "checkpoint.clarified";
    CheckpointAutoApproved = "checkpoint.auto_approved";
    AutoApprovalOverridden = "checkpoint.overridden";
    CheckpointTimedOut = "checkpoint.timed_out";
    CheckpointEscalated = "checkpoint.escalated";
    CheckpointCancelled = "checkpoint.cancelled";
    CheckpointAssigned = "checkpoint.assigned";
    CheckpointDelegated = "checkpoint.delegated";
    ReviewedChangeMade = "reviewed_change.made";
    ReviewedChangeFailed = "reviewed_change.failed";
    CheckpointReassessed = "checkpoint.reassessed";
    CheckpointReassigned = "checkpoint.reassigned";
    ApprovalLapsed = "checkpoint.approval_lapsed";
    CheckpointRevised = "checkpoint.revised";
    CheckpointCommented = "checkpoint.commented";
    CheckpointAsked = "checkpoint.asked";
    CheckpointAnswered = "checkpoint.answered";
    UserDataErased = "user.data_erased";
    DeliverableFinalized = "deliverable.finalized";
    DeliverableArchived = "deliverable.archived";
    DeliverableRestored = "deliverable.restored";
    DeliverableContentDeleted = "deliverable.content_deleted";
}

impl Action {
    /// Whether it changes what its subject may do, so that the subject's open connections must end.
    pub fn changes_access(self) -> bool {
        matches!(
            self,
            Action::UserRolesChanged
                | Action::UserDisabled
                | Action::UserDataErased
                | Action::IdentityUnlinked
                | Action::SignedOut
                | Action::RefreshTokenReused
                | Action::ApiTokenRevoked
                | Action::ServiceAccountDisabled
        )
    }
}
