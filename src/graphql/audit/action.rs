//! What can happen.

use async_graphql::Enum;

use crate::domain::audit::Action;

/// What happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
#[graphql(remote = "Action")]
pub enum AuditAction {
    /// A workspace was made.
    WorkspaceCreated,
    /// A workspace was renamed, or keeps things for another time.
    WorkspaceUpdated,
    /// Somebody got an account.
    UserInvited,
    /// Somebody came from the outside identity provider for the first time.
    UserProvisioned,
    /// Somebody changed their profile.
    UserUpdated,
    /// Somebody's roles were changed.
    UserRolesChanged,
    /// Somebody was locked out.
    UserDisabled,
    /// Somebody was let in again.
    UserEnabled,
    /// Somebody set a password.
    UserPasswordChanged,
    /// An identity of the outside identity provider opens somebody's account from now on.
    IdentityLinked,
    /// An identity of the outside identity provider no longer opens somebody's account.
    IdentityUnlinked,
    /// A one-time sign-in link was made.
    SignInLinkCreated,
    /// A person took back a sign-in link that was made for their account.
    SignInLinkWithdrawn,
    /// Somebody signed in.
    SignedIn,
    /// Somebody tried to sign in with a wrong password.
    SignInRefused,
    /// A session was ended.
    SignedOut,
    /// A session was ended because an old refresh token came back, which only a thief or a copy can have.
    RefreshTokenReused,
    /// A group was made.
    GroupCreated,
    /// A group was renamed or described.
    GroupUpdated,
    /// A group was deleted.
    GroupDeleted,
    /// People joined a group.
    GroupMembersAdded,
    /// People left a group.
    GroupMembersRemoved,
    /// An API token was made.
    ApiTokenCreated,
    /// An API token was taken back.
    ApiTokenRevoked,
    /// A service account was made.
    ServiceAccountCreated,
    /// A service account was renamed.
    ServiceAccountRenamed,
    /// A service account was disabled: its tokens stopped working.
    ServiceAccountDisabled,
    /// A service account was enabled again.
    ServiceAccountEnabled,
    /// An agent was added to the library.
    AgentCreated,
    /// An agent got a new version.
    AgentUpdated,
    /// An agent was archived.
    AgentArchived,
    /// An agent came back from the archive.
    AgentUnarchived,
    /// A workflow was made, with its first version or as a draft.
    WorkflowCreated,
    /// A workflow got a new version.
    WorkflowUpdated,
    /// A workflow's draft was saved.
    WorkflowDraftSaved,
    /// A workflow's draft was thrown away.
    WorkflowDraftDiscarded,
    /// A workflow got a new version with an earlier one's document.
    WorkflowVersionRestored,
    /// A workflow was archived.
    WorkflowArchived,
    /// A workflow came back from the archive.
    WorkflowUnarchived,
    /// A secret was given a value.
    SecretSet,
    /// A secret was deleted.
    SecretDeleted,
    /// Somebody let another person decide in their place for a time.
    OutOfOfficeSet,
    /// Somebody decides for themselves again.
    OutOfOfficeEnded,
    /// Another policy is in force.
    PolicyChanged,
    /// From then on nothing was approved without people.
    EmergencyStopSet,
    /// Rules may approve again.
    EmergencyStopLifted,
    /// A deliverable was frozen.
    DeliverableFinalized,
    /// A deliverable was put away.
    DeliverableArchived,
    /// A deliverable that was put away is back.
    DeliverableRestored,
    /// The content of a deliverable that was put away long ago was deleted.
    DeliverableContentDeleted,
    /// People agreed with an auto-approval rule often enough: it approves from now on.
    RulePromoted,
    /// People agreed with an auto-approval rule too seldom: it does not approve any more.
    RuleDemoted,
    /// Somebody approved a checkpoint, as it was, with other parameters or some of its items. Others may have to, too.
    CheckpointApproved,
    /// Somebody rejected a checkpoint.
    CheckpointRejected,
    /// Somebody answered the questions of a clarification.
    ClarificationAnswered,
    /// A rule approved a checkpoint; the details say which and why.
    CheckpointAutoApproved,
    /// Somebody said that a rule should not have approved something.
    AutoApprovalOverridden,
    /// Nobody decided in time.
    CheckpointTimedOut,
    /// Others were asked as well.
    CheckpointEscalated,
    /// Nobody needed the decision any more.
    CheckpointCancelled,
    /// Somebody took a checkpoint, gave it to somebody, or gave it back.
    CheckpointAssigned,
    /// Somebody let another person decide about a checkpoint in their place.
    CheckpointDelegated,
    /// A change of the policy, an agent or a workflow was made after people had approved it.
    ReviewedChangeMade,
    /// A change that people had approved could not be made.
    ReviewedChangeFailed,
    /// Something else is asked of people than before: the proposal or the policy has changed.
    CheckpointReassessed,
    /// An admin gave a checkpoint to others.
    CheckpointReassigned,
    /// An approval counts no longer, because its maker may not approve any more.
    ApprovalLapsed,
    /// Something else was proposed.
    CheckpointRevised,
    /// Somebody said something about a checkpoint.
    CheckpointCommented,
    /// Somebody asked about a checkpoint.
    CheckpointAsked,
    /// A question about a checkpoint was answered.
    CheckpointAnswered,
    /// Everything personal of somebody was erased.
    UserDataErased,
}
