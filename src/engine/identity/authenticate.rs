//! From a bearer token to a caller with rights.

use chrono::Duration;
use secrecy::{ExposeSecret, SecretString};
use serde_json::json;

use super::{access_token::AccessToken, provider::Identity};
use crate::{
    domain::{
        access::{Actor, Credential, Scope, Viewer},
        audit::Action,
        email::Email,
        id::{ApiTokenId, UserId, WorkspaceId},
        name,
        role::{Role, Roles},
    },
    engine::{Engine, Error, Origin, Result},
    store::{
        self,
        secret::Kind,
        users::{Change, Held, User},
    },
};

/// Last use is worth a write once a minute, not with each request.
const TOUCH_EVERY: Duration = Duration::minutes(1);

/// A token that is not, or no longer, good.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rejected;

impl Engine {
    /// Who the bearer of a token is. Looks it up each time: what was ended does not work any more.
    pub async fn authenticate(&self, token: &SecretString) -> Result<std::result::Result<Viewer, Rejected>> {
        let text = token.expose_secret();
        let viewer = if text.starts_with(Kind::ApiToken.prefix()) {
            self.viewer_of_api_token(token).await?
        } else if let Some(token) = self.0.access_tokens.read(text, self.clock().now()) {
            self.viewer_of_session(token).await?
        } else {
            self.viewer_of_outside_token(text).await?
        };
        Ok(viewer.ok_or(Rejected))
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

    async fn viewer_of_outside_token(&self, token: &str) -> Result<Option<Viewer>> {
        let Some(provider) = self.0.provider.as_ref().filter(|provider| provider.claims(token)) else {
            return Ok(None);
        };
        let Some(identity) = provider.identify(token, self.clock().now()).await else {
            return Ok(None);
        };
        if identity.roles.is_empty() {
            return Ok(None);
        }
        let Some(workspace) = self.store().workspace_by_slug(&identity.workspace_slug).await? else {
            return Ok(None);
        };
        let scope = Scope::system(workspace.id);
        let mut user = self.store().user_by_outside_subject(scope, &identity.subject).await?;
        if user.is_none() {
            user = match self.provision(scope, &identity).await {
                // Somebody's first two requests came together, and the other one made the account.
                Err(Error::Store(store::Error::Duplicate(_))) => {
                    self.store().user_by_outside_subject(scope, &identity.subject).await?
                }
                provisioned => provisioned?,
            };
        }
        let Some(user) = user.filter(|user| user.disabled_at.is_none()) else {
            return Ok(None);
        };
        let roles = self.follow_roles(scope, &user, &identity).await?;
        Ok(Some(Viewer {
            workspace: workspace.id,
            actor: Actor::User(user.id),
            credential: Credential::Outside,
            roles,
            display_name: user.display_name,
            expires_at: Some(identity.expires_at),
        }))
    }

    /// The account of somebody who comes for the first time: the one that waits for their address, or a new one.
    async fn provision(&self, scope: Scope, identity: &Identity) -> Result<Option<User>> {
        let Some(email) = identity.email.as_deref().and_then(|text| Email::parse(text).ok()) else {
            tracing::warn!("a token of the identity provider has no usable `email` claim; its bearer is turned away");
            return Ok(None);
        };
        let mut tx = self.begin(&Origin::default()).await?;
        let invited = match self.store().user_by_email(scope, &email).await? {
            Some(user) => tx.hold_user(scope, user.id).await?,
            None => None,
        };
        // Somebody's first requests come together: another one may have been here meanwhile.
        if let Some(user) = self.store().user_by_outside_subject(scope, &identity.subject).await? {
            return Ok(Some(user));
        }
        // Anybody can claim an address: it opens an account only if the provider has checked it, and once.
        let waits = |held: &Held| held.outside_subject.is_none() && held.user.disabled_at.is_none();
        if invited.as_ref().is_some_and(|held| !identity.email_verified || !waits(held)) {
            tracing::warn!("a token of the identity provider names the address of an account that is not its bearer's");
            return Ok(None);
        }
        let user = match invited {
            Some(Held { user, .. }) => {
                let change = Change { outside_subject: Some(identity.subject.clone()), ..Change::default() };
                tx.update_user(scope, user.id, change).await?;
                user
            }
            None => {
                let user = User {
                    id: UserId::new(tx.now()),
                    workspace: scope.workspace(),
                    display_name: shown_name(identity).unwrap_or_else(|| email.as_str().to_owned()),
                    email: email.as_str().to_owned(),
                    created_at: tx.now(),
                    disabled_at: None,
                    erased_at: None,
                    last_sign_in_at: None,
                };
                tx.insert_user(&user, identity.roles, Some(&identity.subject)).await?;
                let change = Change { roles_issued_at: identity.issued_at, ..Change::default() };
                tx.update_user(scope, user.id, change).await?;
                user
            }
        };
        tx.audit(scope, Action::UserProvisioned, Some(user.id.into()), json!({}));
        tx.commit().await?;
        Ok(Some(user))
    }

    /// The provider decides about roles: the account follows the newest token, and so do the bearers of older ones.
    async fn follow_roles(&self, scope: Scope, user: &User, identity: &Identity) -> Result<Roles> {
        let stored = self.store().roles_of_users(scope, &[user.id]).await?.remove(&user.id).unwrap_or_default();
        if stored == identity.roles {
            return Ok(stored);
        }
        let mut tx = self.begin(&Origin::default()).await?;
        let Some(held) = tx.hold_user(scope, user.id).await? else {
            return Ok(Roles::default());
        };
        if held.roles == identity.roles || identity.issued_at < held.roles_issued_at {
            return Ok(held.roles);
        }
        tx.replace_user_roles(user, identity.roles).await?;
        let change = Change { roles_issued_at: identity.issued_at, ..Change::default() };
        tx.update_user(scope, user.id, change).await?;
        let names = |roles: Roles| json!({"roles": roles.iter().map(Role::as_str).collect::<Vec<_>>()});
        let entry = tx.audit(scope, Action::UserRolesChanged, Some(user.id.into()), json!({}));
        entry.changing(names(held.roles), names(identity.roles));
        tx.commit().await?;
        Ok(identity.roles)
    }
}

/// The name in a token, if it is one that people can be shown.
fn shown_name(identity: &Identity) -> Option<String> {
    name::check("name", identity.name.as_deref()?, 100).ok()
}
