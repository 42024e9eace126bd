//! From a bearer token to a caller with rights.

use chrono::Duration;
use secrecy::{ExposeSecret, SecretString};
use serde_json::json;

use super::{access_token::AccessToken, provider::Bearer};
use crate::{
    config::RolesFollow,
    domain::{
        access::{Actor, Credential, Scope, Viewer},
        audit::{Action, Of, Part},
        email::Email,
        id::{ApiTokenId, UserId, WorkspaceId},
        name,
        role::{Role, Roles},
    },
    engine::{Engine, Error, Origin, Result},
    store::{
        self,
        outside_identities::Opened,
        secret::Kind,
        users::{Change, User},
    },
};

/// Last use is worth a write once a minute, not with each request.
const TOUCH_EVERY: Duration = Duration::minutes(1);

/// Why a token does not let its bearer in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rejected {
    /// It is unknown, has expired or was revoked, or its owner is locked out.
    Token,
    /// Another account has the address that it names.
    NotLinked,
    /// It names an address that its bearer has not shown to own.
    AddressNotVerified,
    /// It names no usable address, which a new account needs.
    NoAddress,
    /// It names no role of ours.
    NoRole,
    /// It names a workspace that does not exist.
    NoWorkspace,
}

impl Rejected {
    /// What its bearer can do. Short enough for the reason of a WebSocket's close frame.
    pub fn explain(self) -> &'static str {
        match self {
            Rejected::Token => "the token is unknown, has expired or was revoked: sign in again",
            Rejected::NotLinked => {
                "an account has this address and is not linked: sign in to it and use `linkIdentity`, or ask an admin"
            }
            Rejected::AddressNotVerified => {
                "the identity provider has not verified your e-mail address: verify it there"
            }
            Rejected::NoAddress => {
                "the identity provider's token has no valid `email` claim, which a new account needs"
            }
            Rejected::NoRole => "the identity provider's token names no role: ask an admin to give you one there",
            Rejected::NoWorkspace => "the identity provider's token names a workspace that does not exist",
        }
    }
}

impl Engine {
    /// Who the bearer of a token is. Looks it up each time: what was ended does not work any more.
    pub async fn authenticate(&self, token: &SecretString) -> Result<std::result::Result<Viewer, Rejected>> {
        let text = token.expose_secret();
        if text.starts_with(Kind::ApiToken.prefix()) {
            Ok(self.viewer_of_api_token(token).await?.ok_or(Rejected::Token))
        } else if let Some(token) = self.0.access_tokens.read(text, self.clock().now()) {
            Ok(self.viewer_of_session(token).await?.ok_or(Rejected::Token))
        } else {
            self.viewer_of_outside_token(text).await
        }
    }

    async fn viewer_of_session(&self, token: AccessToken) -> Result<Option<Viewer>> {
        let AccessToken { session, generation, expires_at } = token;
        let Some((viewer, latest)) = self.store().viewer_of_session(session, self.clock().now()).await? else {
            return Ok(None);
        };
        // Written once after each refresh: its answer has arrived, so whoever comes with what it replaced did not miss it.
        if latest.number == generation && !latest.used {
            let tx = self.store().begin(self.clock().now()).await?;
            tx.use_generation(session, generation).await?;
            tx.commit().await?;
        }
        Ok(Some(Viewer { expires_at: Some(expires_at), ..viewer }))
    }

    async fn viewer_of_api_token(&self, token: &SecretString) -> Result<Option<Viewer>> {
        let now = self.clock().now();
        let Some((viewer, last_used_at)) = self.store().viewer_of_token(token, now).await? else {
            return Ok(None);
        };
        if let Credential::ApiToken(id) = viewer.credential
            && last_used_at.is_none_or(|at| now - at >= TOUCH_EVERY)
        {
            self.touch(viewer.workspace, id).await?;
        }
        Ok(Some(viewer))
    }

    async fn touch(&self, workspace: WorkspaceId, id: ApiTokenId) -> Result<()> {
        let mut tx = self.store().begin(self.clock().now()).await?;
        tx.touch_api_token(workspace, id).await?;
        Ok(tx.commit().await?)
    }

    /// Who the bearer of the provider's token is. The identity that it proves decides, never its address: anybody who
    /// gets a provider to write an address into a token would own the account with that address.
    async fn viewer_of_outside_token(&self, token: &str) -> Result<std::result::Result<Viewer, Rejected>> {
        let Some(bearer) = self.bearer(token).await else {
            return Ok(Err(Rejected::Token));
        };
        let Some(workspace) = self.store().workspace_by_slug(&bearer.workspace_slug).await? else {
            return Ok(Err(Rejected::NoWorkspace));
        };
        let scope = Scope::system(workspace.id);
        let Opened { user, held } = match self.store().user_by_identity(scope, &bearer.identity).await? {
            Some(opened) => opened,
            None => match self.provision(scope, &bearer).await? {
                Ok(opened) => opened,
                Err(rejected) => return Ok(Err(rejected)),
            },
        };
        if user.disabled_at.is_some() {
            return Ok(Err(Rejected::Token));
        }
        let roles = match self.settings().oidc_roles {
            RolesFollow::FirstSignIn => self.roles_of(scope, &user).await?,
            RolesFollow::Always if bearer.roles.is_empty() => return Ok(Err(Rejected::NoRole)),
            RolesFollow::Always => self.follow_roles(scope, &user, &bearer).await?,
        };
        let viewer = Viewer {
            workspace: workspace.id,
            actor: Actor::User(user.id),
            credential: Credential::Outside,
            roles,
            display_name: user.display_name,
            expires_at: Some(bearer.expires_at),
            held: false,
            token: None,
        };
        Ok(Ok(viewer.hold_if(held)))
    }

    /// What a token of the provider says, if it is one and good.
    pub(in crate::engine) async fn bearer(&self, token: &str) -> Option<Bearer> {
        let provider = self.0.provider.as_ref().filter(|provider| provider.claims(token))?;
        provider.identify(token, self.clock().now()).await
    }

    /// A new account for somebody whose identity opens none yet.
    async fn provision(&self, scope: Scope, bearer: &Bearer) -> Result<std::result::Result<Opened, Rejected>> {
        let Some(email) = bearer.email.as_deref().and_then(|text| Email::parse(text).ok()) else {
            tracing::warn!("a token of the identity provider has no usable `email` claim; its bearer is turned away");
            return Ok(Err(Rejected::NoAddress));
        };
        let made = if self.store().user_by_email(scope, &email).await?.is_some() {
            None
        } else if bearer.roles.is_empty() {
            return Ok(Err(Rejected::NoRole));
        } else if bearer.email_verified == Some(false) {
            return Ok(Err(Rejected::AddressNotVerified));
        } else {
            match self.create_account(scope, bearer, &email).await {
                Err(Error::Store(store::Error::Duplicate(_))) => None,
                made => Some(Opened { user: made?, held: false }),
            }
        };
        let opened = match made {
            // Somebody's first requests come together: another one may have made the account meanwhile.
            None => self.store().user_by_identity(scope, &bearer.identity).await?,
            made => made,
        };
        if opened.is_none() {
            tracing::warn!("a token of the identity provider names the address of an account that it is not linked to");
        }
        Ok(opened.ok_or(Rejected::NotLinked))
    }

    async fn create_account(&self, scope: Scope, bearer: &Bearer, email: &Email) -> Result<User> {
        let mut tx = self.begin(&Origin::default()).await?;
        let user = User {
            id: UserId::new(tx.now()),
            workspace: scope.workspace(),
            display_name: shown_name(bearer).unwrap_or_else(|| email.as_str().to_owned()),
            email: email.as_str().to_owned(),
            created_at: tx.now(),
            disabled_at: None,
            erased_at: None,
            last_sign_in_at: None,
        };
        tx.insert_user(&user, bearer.roles).await?;
        tx.link_identity(&user, &bearer.identity, false).await?;
        let change = Change { roles_issued_at: bearer.issued_at, ..Change::default() };
        tx.update_user(scope, user.id, change).await?;
        let details = json!({"issuer": bearer.identity.issuer, "roles": names(bearer.roles)});
        let entry = tx.audit(scope, Action::UserProvisioned, Some(user.id.into()), details);
        entry.personal(Part::After, Of::User(user.id), json!({"subject": bearer.identity.subject}));
        tx.commit().await?;
        Ok(user)
    }

    async fn roles_of(&self, scope: Scope, user: &User) -> Result<Roles> {
        Ok(self.store().roles_of_users(scope, &[user.id]).await?.remove(&user.id).unwrap_or_default())
    }

    /// The provider decides about roles: the account follows the newest token, and so do the bearers of older ones.
    async fn follow_roles(&self, scope: Scope, user: &User, bearer: &Bearer) -> Result<Roles> {
        let stored = self.roles_of(scope, user).await?;
        if stored == bearer.roles {
            return Ok(stored);
        }
        let mut tx = self.begin(&Origin::default()).await?;
        let Some(held) = tx.hold_user(scope, user.id).await? else {
            return Ok(Roles::default());
        };
        if held.roles == bearer.roles || bearer.issued_at < held.roles_issued_at {
            return Ok(held.roles);
        }
        tx.replace_user_roles(user, bearer.roles).await?;
        let change = Change { roles_issued_at: bearer.issued_at, ..Change::default() };
        tx.update_user(scope, user.id, change).await?;
        let entry = tx.audit(scope, Action::UserRolesChanged, Some(user.id.into()), json!({}));
        entry.changing(json!({"roles": names(held.roles)}), json!({"roles": names(bearer.roles)}));
        tx.commit().await?;
        Ok(bearer.roles)
    }
}

fn names(roles: Roles) -> Vec<&'static str> {
    roles.iter().map(Role::as_str).collect()
}

/// The name in a token, if it is one that people can be shown.
fn shown_name(bearer: &Bearer) -> Option<String> {
    name::check_seen("name", bearer.name.as_deref()?, 100).ok()
}
