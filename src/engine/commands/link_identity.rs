//! Letting an identity of the outside provider open an account, and taking that back.

use secrecy::{ExposeSecret, SecretString};
use serde_json::json;

use super::{
    change_user_roles::hold_user,
    take_over::{is_in_use, refuse_held, refuse_programs},
};
use crate::{
    domain::{
        access::{Actor, Credential, Scope, Viewer},
        audit::{Action, Of, Part},
        id::UserId,
        name,
        refusal::{Code, Refusal},
        role::Role,
    },
    engine::{Engine, Error, Origin, Result, error::Problems},
    store::{
        Tx,
        outside_identities::OutsideIdentity,
        users::{Held, User},
    },
};

/// More than any issuer or subject has.
const LONGEST_TEXT: usize = 2_000;
/// As long as OpenID Connect allows a subject to be.
const LONGEST_SUBJECT: usize = 255;

/// Which identity an admin links to whose account.
#[derive(Debug)]
pub struct LinkUserIdentity {
    pub user: UserId,
    pub issuer: String,
    pub subject: String,
}

/// Which identity opens an account no longer.
#[derive(Debug)]
pub struct UnlinkIdentity {
    /// Whose; the caller's own when absent.
    pub user: Option<UserId>,
    pub issuer: String,
    pub subject: String,
}

impl Engine {
    /// Links the caller's own account: the session shows that the account is theirs, the token that the identity is.
    pub async fn link_identity(&self, viewer: &Viewer, token: &SecretString, origin: &Origin) -> Result<User> {
        let user = own_account(viewer)?;
        refuse_held(viewer)?;
        self.issuer()?;
        self.0.attempts.from_address(origin)?;
        let Some(bearer) = self.bearer(token.expose_secret()).await else {
            let message = "`token` is no valid token of the identity provider: get a new one there";
            return Err(Refusal::at("token", Code::InvalidCredentials, message).into());
        };
        let workspace = self.store().workspace_by_slug(&bearer.workspace_slug).await?;
        if workspace.is_none_or(|workspace| workspace.id != viewer.workspace) {
            let message =
                format!("`token` is for the workspace `{}`: sign in to your account there", bearer.workspace_slug);
            return Err(Refusal::invalid("token", message).into());
        }
        let scope = Scope::own(viewer);
        let tx = self.begin(origin).await?;
        let held = hold_user(&tx, scope, user).await?;
        link(tx, scope, held, &bearer.identity, "token", false).await
    }

    /// Links somebody's account to an identity that an admin vouches for.
    pub async fn link_user_identity(&self, scope: Scope, command: LinkUserIdentity, origin: &Origin) -> Result<User> {
        refuse_programs(scope, "userId")?;
        let issuer = self.issuer()?;
        let mut problems = Problems::default();
        if command.issuer != issuer {
            let message = format!("`issuer` is `{}`: this server trusts `{issuer}`", command.issuer);
            problems.note(Refusal::invalid("issuer", message));
        }
        let length = command.subject.chars().count();
        if !(1..=LONGEST_SUBJECT).contains(&length) || command.subject.chars().any(char::is_control) {
            let message = format!(
                "`subject` has {length} characters: give the `sub` of the person's tokens, 1 to {LONGEST_SUBJECT} \
                 characters without control characters"
            );
            problems.note(Refusal::invalid("subject", message));
        }
        problems.check()?;
        let tx = self.begin(origin).await?;
        let held = hold_user(&tx, scope, command.user).await?;
        if held.user.erased_at.is_some() {
            let message = format!("the personal data of `{}` was erased: invite the person anew", held.user.id);
            return Err(Refusal::at("userId", Code::Conflict, message).into());
        }
        let identity = OutsideIdentity { issuer: command.issuer, subject: command.subject };
        let only_reads = scope.actor() != Actor::System && is_in_use(&tx, &held).await?;
        link(tx, scope, held, &identity, "admin", only_reads).await
    }

    /// Unlinks an identity from the caller's own account, or as an admin from anybody's. Its bearer's open connections
    /// end.
    pub async fn unlink_identity(&self, viewer: &Viewer, command: UnlinkIdentity, origin: &Origin) -> Result<User> {
        for (field, text) in [("issuer", &command.issuer), ("subject", &command.subject)] {
            name::check_text(field, text, LONGEST_TEXT)?;
        }
        let (scope, user) = match command.user {
            Some(user) if viewer.actor != Actor::User(user) => (viewer.require(Role::Admin)?, user),
            _ => {
                refuse_held(viewer)?;
                (Scope::own(viewer), own_account(viewer)?)
            }
        };
        let mut tx = self.begin(origin).await?;
        let held = hold_user(&tx, scope, user).await?;
        let own = scope.actor() == Actor::User(user);
        if own && held.password_hash.is_none() && tx.count_identities(&held).await? == 1 {
            let message = "this identity is your only way in: set a password first";
            return Err(Refusal::at("subject", Code::Conflict, message).into());
        }
        let identity = OutsideIdentity { issuer: command.issuer, subject: command.subject };
        if !tx.unlink_identity(&held, &identity).await? {
            let OutsideIdentity { issuer, subject } = identity;
            let message = format!("the identity `{subject}` of `{issuer}` is not linked to `{user}`");
            return Err(Refusal::at("subject", Code::NotFound, message).into());
        }
        note(&mut tx, scope, Action::IdentityUnlinked, user, &identity, json!({"issuer": identity.issuer}));
        tx.commit().await?;
        Ok(held.user)
    }

    fn issuer(&self) -> Result<&str> {
        let none = || Refusal::new(Code::Conflict, "this server trusts no identity provider: set `oidc-issuer`");
        Ok(self.0.provider.as_ref().map(crate::engine::identity::Provider::issuer).ok_or_else(none)?)
    }
}

/// The account of a caller who has signed in to it here. A token of the provider is no proof that an account is theirs
/// which it does not open yet, and whoever has copied one must not add a way in that lasts.
fn own_account(viewer: &Viewer) -> Result<UserId> {
    match (viewer.user(), viewer.credential) {
        (Some(user), Credential::Session(_)) => Ok(user),
        _ => {
            let message = "sign in to the account here, with a password or a link, and call this with that session";
            Err(Refusal::new(Code::Conflict, message).into())
        }
    }
}

async fn link(
    tx: Tx,
    scope: Scope,
    held: Held,
    identity: &OutsideIdentity,
    by: &'static str,
    only_reads: bool,
) -> Result<User> {
    let mut tx = tx;
    let user = held.user;
    let taken = || {
        let message = "the identity opens another account of this workspace: unlink it there first";
        Error::from(Refusal::new(Code::AlreadyExists, message))
    };
    match tx.owner_of_identity(scope, identity).await? {
        Some(owner) if owner == user.id => return Ok(user),
        Some(_) => return Err(taken()),
        None => {}
    }
    match tx.link_identity(&user, identity, only_reads).await {
        Err(error) if error.is_duplicate_of("outside_identity") => return Err(taken()),
        linked => linked?,
    }
    let mut details = json!({"issuer": identity.issuer, "by": by});
    if only_reads {
        details["held"] = json!(true);
    }
    note(&mut tx, scope, Action::IdentityLinked, user.id, identity, details);
    tx.commit().await?;
    Ok(user)
}

fn note(
    tx: &mut Tx,
    scope: Scope,
    action: Action,
    user: UserId,
    identity: &OutsideIdentity,
    details: serde_json::Value,
) {
    let part = if action == Action::IdentityLinked { Part::After } else { Part::Before };
    let entry = tx.audit(scope, action, Some(user.into()), details);
    entry.personal(part, Of::User(user), json!({"subject": identity.subject}));
}
