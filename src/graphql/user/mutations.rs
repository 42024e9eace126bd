//! Managing people.

use async_graphql::{Context, ID, InputObject, Object, SimpleObject};
use secrecy::ExposeSecret;

use super::{Role, User, collect_roles};
use crate::{
    domain::{id::UserId, role},
    engine::commands::{ChangeUserRoles, InviteUser},
    graphql::{
        caller::ContextExt,
        error::{Result, UserError, outcome, parse_id},
    },
    store::users,
};

/// Whom to invite.
#[derive(InputObject)]
pub struct InviteUserInput {
    /// The person's e-mail address, unique in the workspace.
    email: String,
    /// The name that people see; the first part of the address when absent.
    display_name: Option<String>,
    /// What the person may do: at least one role.
    roles: Vec<Role>,
    /// Makes a retry safe: the same key gives the same user.
    idempotency_key: Option<String>,
}

/// The invited user, or what was wrong.
#[derive(Default, SimpleObject)]
pub struct InviteUserPayload {
    /// The new user.
    user: Option<User>,
    /// The one-time sign-in link to hand over. Shown once: a retry does not show it again.
    sign_in_link: Option<String>,
    /// What the caller can fix.
    user_errors: Vec<UserError>,
}

/// Who needs a new link.
#[derive(InputObject)]
pub struct CreateSignInLinkInput {
    /// The user.
    user_id: ID,
}

/// A one-time link, or what was wrong.
#[derive(Default, SimpleObject)]
pub struct CreateSignInLinkPayload {
    /// The user that the link is for.
    user: Option<User>,
    /// The one-time sign-in link to hand over. Shown once; earlier links of this user stop working.
    sign_in_link: Option<String>,
    /// What the caller can fix.
    user_errors: Vec<UserError>,
}

/// What somebody may do from now on.
#[derive(InputObject)]
pub struct ChangeUserRolesInput {
    /// The user.
    user_id: ID,
    /// All roles that the user has after the change: at least one.
    roles: Vec<Role>,
}

/// Which user to lock out.
#[derive(InputObject)]
pub struct DisableUserInput {
    /// The user.
    user_id: ID,
}

/// Which user to let in again.
#[derive(InputObject)]
pub struct EnableUserInput {
    /// The user.
    user_id: ID,
}

/// Which session to end.
#[derive(InputObject)]
pub struct EndSessionInput {
    /// The session.
    session_id: ID,
}

/// Whose sessions to end.
#[derive(InputObject)]
pub struct EndSessionsInput {
    /// The user.
    user_id: ID,
}

/// Whose sessions were ended, or what was wrong.
#[derive(Default, SimpleObject)]
pub struct EndSessionsPayload {
    /// The user without sessions.
    user: Option<User>,
    /// How many sessions were open.
    ended: Option<u64>,
    /// What the caller can fix.
    user_errors: Vec<UserError>,
}

/// Whose personal data to erase.
#[derive(InputObject)]
pub struct ErasePersonalDataInput {
    /// The user.
    user_id: ID,
}

/// What was erased, or what was wrong.
#[derive(Default, SimpleObject)]
pub struct ErasePersonalDataPayload {
    /// What is left of the account: an id without a name, which nobody can use.
    user: Option<User>,
    /// How many personal values of the audit log were erased.
    erased_values: Option<u64>,
    /// What the caller can fix.
    user_errors: Vec<UserError>,
}

/// Defines a payload with a user.
macro_rules! user_payload {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Default, SimpleObject)]
        pub struct $name {
            /// The user after the change.
            user: Option<User>,
            /// What the caller can fix.
            user_errors: Vec<UserError>,
        }

        impl From<std::result::Result<users::User, Vec<UserError>>> for $name {
            fn from(result: std::result::Result<users::User, Vec<UserError>>) -> Self {
                match result {
                    Ok(user) => Self { user: Some(User(user)), user_errors: Vec::new() },
                    Err(user_errors) => Self { user: None, user_errors },
                }
            }
        }
    };
}

user_payload! {
    /// The user with the new roles, or what was wrong.
    ChangeUserRolesPayload
}
user_payload! {
    /// The user who is locked out, or what was wrong.
    DisableUserPayload
}
user_payload! {
    /// The user who is let in again, or what was wrong.
    EnableUserPayload
}

user_payload! {
    /// The user whose session was ended, or what was wrong.
    EndSessionPayload
}

#[derive(Default)]
pub struct UserMutation;

#[Object]
impl UserMutation {
    /// Gives somebody an account and a one-time link to sign in with. An API token is given no link: an admin who has signed
    /// in makes one with `createSignInLink`. Needs the role ADMIN.
    async fn invite_user(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The arguments.")] input: InviteUserInput,
    ) -> Result<InviteUserPayload> {
        let scope = ctx.require(role::Role::Admin)?;
        let command = InviteUser {
            email: input.email,
            display_name: input.display_name,
            roles: collect_roles(input.roles),
            idempotency_key: input.idempotency_key,
        };
        let engine = ctx.engine();
        Ok(match outcome(engine.invite_user(scope, command, &ctx.caller().origin).await)? {
            Ok(invited) => InviteUserPayload {
                user: Some(User(invited.user)),
                sign_in_link: invited.link.map(|link| engine.sign_in_url(link.expose_secret())),
                user_errors: Vec::new(),
            },
            Err(user_errors) => InviteUserPayload { user_errors, ..Default::default() },
        })
    }

    /// Makes a new one-time link for somebody who has an account. Of an account in use, it opens a session that only
    /// reads, and its person is told. API tokens cannot make links. Needs the role ADMIN.
    async fn create_sign_in_link(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The arguments.")] input: CreateSignInLinkInput,
    ) -> Result<CreateSignInLinkPayload> {
        let scope = ctx.require(role::Role::Admin)?;
        let user = match parse_id::<UserId>("userId", &input.user_id) {
            Ok(id) => id,
            Err(error) => return Ok(CreateSignInLinkPayload { user_errors: vec![error], ..Default::default() }),
        };
        let engine = ctx.engine();
        Ok(match outcome(engine.create_sign_in_link(scope, user, &ctx.caller().origin).await)? {
            Ok((user, link)) => CreateSignInLinkPayload {
                user: Some(User(user)),
                sign_in_link: Some(engine.sign_in_url(link.expose_secret())),
                user_errors: Vec::new(),
            },
            Err(user_errors) => CreateSignInLinkPayload { user_errors, ..Default::default() },
        })
    }

    /// Changes what somebody may do. Their open connections end and can be opened again with the new rights.
    /// Needs the role ADMIN.
    async fn change_user_roles(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The arguments.")] input: ChangeUserRolesInput,
    ) -> Result<ChangeUserRolesPayload> {
        let scope = ctx.require(role::Role::Admin)?;
        let user = match parse_id("userId", &input.user_id) {
            Ok(id) => id,
            Err(error) => return Ok(Err(vec![error]).into()),
        };
        let command = ChangeUserRoles { user, roles: collect_roles(input.roles) };
        Ok(outcome(ctx.engine().change_user_roles(scope, command, &ctx.caller().origin).await)?.into())
    }

    /// Locks somebody out at once: sessions, links and open connections end. Needs the role ADMIN.
    async fn disable_user(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The arguments.")] input: DisableUserInput,
    ) -> Result<DisableUserPayload> {
        let scope = ctx.require(role::Role::Admin)?;
        let user = match parse_id("userId", &input.user_id) {
            Ok(id) => id,
            Err(error) => return Ok(Err(vec![error]).into()),
        };
        Ok(outcome(ctx.engine().disable_user(scope, user, &ctx.caller().origin).await)?.into())
    }

    /// Lets somebody in again who was locked out. Needs the role ADMIN.
    async fn enable_user(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The arguments.")] input: EnableUserInput,
    ) -> Result<EnableUserPayload> {
        let scope = ctx.require(role::Role::Admin)?;
        let user = match parse_id("userId", &input.user_id) {
            Ok(id) => id,
            Err(error) => return Ok(Err(vec![error]).into()),
        };
        Ok(outcome(ctx.engine().enable_user(scope, user, &ctx.caller().origin).await)?.into())
    }

    /// Ends one session of anybody in the workspace at once, open connections included. Needs the role ADMIN.
    async fn end_session(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The arguments.")] input: EndSessionInput,
    ) -> Result<EndSessionPayload> {
        let scope = ctx.require(role::Role::Admin)?;
        let session = match parse_id("sessionId", &input.session_id) {
            Ok(id) => id,
            Err(error) => return Ok(Err(vec![error]).into()),
        };
        Ok(outcome(ctx.engine().end_session(scope, session, &ctx.caller().origin).await)?.into())
    }

    /// Ends all sessions of somebody at once, open connections included. They can sign in again. Needs the role ADMIN.
    async fn end_sessions(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The arguments.")] input: EndSessionsInput,
    ) -> Result<EndSessionsPayload> {
        let scope = ctx.require(role::Role::Admin)?;
        let user = match parse_id("userId", &input.user_id) {
            Ok(id) => id,
            Err(error) => return Ok(EndSessionsPayload { user_errors: vec![error], ..Default::default() }),
        };
        Ok(match outcome(ctx.engine().end_sessions(scope, user, &ctx.caller().origin).await)? {
            Ok((user, ended)) => {
                EndSessionsPayload { user: Some(User(user)), ended: u64::try_from(ended).ok(), user_errors: Vec::new() }
            }
            Err(user_errors) => EndSessionsPayload { user_errors, ..Default::default() },
        })
    }

    /// Erases everything personal of somebody, for ever: name, addresses, sessions, and all of theirs in the audit log,
    /// which still proves that nothing else was changed. They are locked out at once. Needs the role ADMIN.
    async fn erase_personal_data(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The arguments.")] input: ErasePersonalDataInput,
    ) -> Result<ErasePersonalDataPayload> {
        let scope = ctx.require(role::Role::Admin)?;
        let user = match parse_id("userId", &input.user_id) {
            Ok(id) => id,
            Err(error) => return Ok(ErasePersonalDataPayload { user_errors: vec![error], ..Default::default() }),
        };
        Ok(match outcome(ctx.engine().erase_personal_data(scope, user, &ctx.caller().origin).await)? {
            Ok(erased) => ErasePersonalDataPayload {
                user: Some(User(erased.user)),
                erased_values: Some(erased.values),
                user_errors: Vec::new(),
            },
            Err(user_errors) => ErasePersonalDataPayload { user_errors, ..Default::default() },
        })
    }
}
