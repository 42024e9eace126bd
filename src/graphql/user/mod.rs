//! People's accounts.

mod identity;
mod mutations;
mod queries;

use async_graphql::{Context, Enum, ID, Object};
use chrono::{DateTime, Utc};

use super::{
    caller::ContextExt,
    checkpoint::OutOfOffice,
    connection::connection,
    error::Result,
    group::Group,
    loaders::{AbsenceOf, GroupsOf, IdentitiesOf, RolesOf, SessionsOf},
    session::Session,
};
use crate::{
    domain::{
        access::{Actor, MissingRole},
        role,
    },
    store::users,
};

pub use identity::{IdentityMutation, OutsideIdentity};
pub use mutations::UserMutation;
pub use queries::{UserFilter, UserOrder, UserQuery, page_of_users};

/// What a person or a program may do. A caller can have several roles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
#[graphql(remote = "role::Role")]
pub enum Role {
    /// Reads everything in the workspace. Every other role includes this.
    Viewer,
    /// Starts and stops executions.
    Operator,
    /// Writes agents and workflows.
    Author,
    /// Decides checkpoints.
    Approver,
    /// Manages people, tokens and settings, and may do all of the above.
    Admin,
}

/// The API's list of roles.
pub fn list_roles(roles: role::Roles) -> Vec<Role> {
    roles.iter().map(Role::from).collect()
}

/// The domain's set of roles.
pub fn collect_roles(roles: Vec<Role>) -> role::Roles {
    roles.into_iter().map(role::Role::from).collect()
}

/// Whether an account can be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
pub enum UserStatus {
    /// Has an account and has not signed in yet.
    Invited,
    /// Has signed in before and can again.
    Active,
    /// Is locked out.
    Disabled,
}

/// A person's account in this workspace. Somebody who works in two workspaces has an account in each.
#[derive(Clone)]
pub struct User(pub users::User);

/// A person's account in this workspace. Somebody who works in two workspaces has an account in each.
#[Object]
impl User {
    /// The user's global id.
    pub async fn id(&self) -> ID {
        self.0.id.to_string().into()
    }

    /// The e-mail address, in lower case.
    async fn email(&self) -> &str {
        &self.0.email
    }

    /// The name that people see.
    async fn display_name(&self) -> &str {
        &self.0.display_name
    }

    /// What this person may do.
    async fn roles(&self, ctx: &Context<'_>) -> Result<Vec<Role>> {
        let roles = ctx.loaders()?.load(RolesOf(self.0.id)).await?;
        Ok(list_roles(roles.unwrap_or_default()))
    }

    /// Whether the account can be used.
    async fn status(&self) -> UserStatus {
        match (self.0.disabled_at, self.0.last_sign_in_at) {
            (Some(_), _) => UserStatus::Disabled,
            (None, None) => UserStatus::Invited,
            (None, Some(_)) => UserStatus::Active,
        }
    }

    /// The groups that this person is in, by name.
    async fn groups(&self, ctx: &Context<'_>) -> Result<Vec<Group>> {
        let groups = ctx.loaders()?.load(GroupsOf(self.0.id)).await?;
        Ok(groups.unwrap_or_default().into_iter().map(Group).collect())
    }

    /// When somebody else decides in this person's place; null if nobody does or will.
    async fn out_of_office(&self, ctx: &Context<'_>) -> Result<Option<OutOfOffice>> {
        let now = ctx.engine().clock().now();
        let absence = ctx.loaders()?.load(AbsenceOf(self.0.id)).await?;
        Ok(absence.filter(|absence| absence.ends_at > now).map(OutOfOffice))
    }

    /// When the account was made.
    async fn created_at(&self) -> DateTime<Utc> {
        self.0.created_at
    }

    /// When this person last signed in here.
    async fn last_sign_in_at(&self) -> Option<DateTime<Utc>> {
        self.0.last_sign_in_at
    }

    /// The browsers and devices that this person is signed in with, newest first. Needs the role ADMIN; people see
    /// their own.
    async fn sessions(&self, ctx: &Context<'_>) -> Result<Option<Vec<Session>>> {
        self.require_admin_or_self(ctx)?;
        let sessions = ctx.loaders()?.load(SessionsOf(self.0.id)).await?;
        Ok(Some(sessions.unwrap_or_default().into_iter().map(Session).collect()))
    }

    /// The identities of the outside identity provider that open this account, oldest first. Needs the role ADMIN;
    /// people see their own.
    async fn identities(&self, ctx: &Context<'_>) -> Result<Option<Vec<OutsideIdentity>>> {
        self.require_admin_or_self(ctx)?;
        let identities = ctx.loaders()?.load(IdentitiesOf(self.0.id)).await?;
        Ok(Some(identities.unwrap_or_default().into_iter().map(OutsideIdentity).collect()))
    }
}

impl User {
    fn require_admin_or_self(&self, ctx: &Context<'_>) -> Result<()> {
        let viewer = ctx.viewer()?;
        if viewer.actor == Actor::User(self.0.id) || viewer.roles.allow(role::Role::Admin) {
            Ok(())
        } else {
            Err(MissingRole::new(role::Role::Admin).into())
        }
    }
}

connection! {
    /// A page of users.
    UserConnection,
    /// A user and where it stands in its list.
    UserEdge, User
}
