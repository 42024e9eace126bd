//! What callers can ask for, one verb a file: the command, its checks, and what it writes.

mod change_group_members;
mod change_password;
mod change_user_roles;
mod create_api_token;
mod create_group;
mod create_sign_in_link;
mod create_workspace;
mod delete_group;
mod delete_secret;
mod disable_user;
mod idempotent;
mod invite_user;
mod redeem_sign_in_link;
mod refresh_session;
mod rename_workspace;
mod revoke_api_token;
mod set_secret;
mod sign_in;
mod sign_out;
mod start_session;
mod update_group;
mod update_profile;

pub use change_group_members::ChangeGroupMembers;
pub use change_password::ChangePassword;
pub use change_user_roles::ChangeUserRoles;
pub use create_api_token::{CreateApiToken, CreatedApiToken};
pub use create_group::CreateGroup;
pub use create_workspace::CreateWorkspace;
pub use invite_user::{InviteUser, InvitedUser};
pub use set_secret::SetSecret;
pub use sign_in::SignIn;
pub use sign_out::SignOut;
pub use start_session::StartedSession;
pub use update_group::UpdateGroup;
