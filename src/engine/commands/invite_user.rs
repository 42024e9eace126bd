//! Giving somebody an account.

use secrecy::SecretString;
use serde_json::json;

use super::{
    change_user_roles::check_roles,
    idempotent::{Creation, lost_to_twin},
};
use crate::{
    domain::{
        access::{Actor, Scope},
        audit::Action,
        email::Email,
        id::UserId,
        name,
        refusal::{Code, Refusal},
        role::{Role, Roles},
    },
    engine::{Engine, Error, Origin, Result, error::Problems},
    store::users::User,
};

#[derive(Debug, Clone)]
pub struct InviteUser {
    pub email: String,
    /// The address's first part when absent.
    pub display_name: Option<String>,
    pub roles: Roles,
    pub idempotency_key: Option<String>,
}

#[derive(Debug)]
pub struct InvitedUser {
    pub user: User,
    /// `None` on a retry, because it was shown once, and for API tokens, which open no way into an account.
    pub link: Option<SecretString>,
}

impl Engine {
    pub async fn invite_user(&self, scope: Scope, command: InviteUser, origin: &Origin) -> Result<InvitedUser> {
        let result = self.invite_user_once(scope, &command, origin).await;
        if lost_to_twin(&result) { self.invite_user_once(scope, &command, origin).await } else { result }
    }

    async fn invite_user_once(&self, scope: Scope, command: &InviteUser, origin: &Origin) -> Result<InvitedUser> {
        let mut problems = Problems::default();
        let email = problems.take(Email::parse(&command.email).map_err(|message| Refusal::invalid("email", message)));
        let given = command.display_name.as_deref();
        let default = command.email.split('@').next().unwrap_or_default();
        let display_name = match given {
            Some(text) => problems.take(name::check_seen("displayName", text, 100)),
            None => name::check_seen("displayName", default, 100).ok().or_else(|| Some("?".to_owned())),
        };
        problems.take(check_roles(command.roles));
        problems.check()?;
        let (Some(email), Some(display_name)) = (email, display_name) else {
            return Err(Error::Internal("a checked invitation has no address".to_owned()));
        };

        let roles: Vec<&str> = command.roles.iter().map(Role::as_str).collect();
        let content = json!([email.as_str(), display_name, roles]).to_string();
        let creation = Creation::new(scope, "inviteUser", command.idempotency_key.as_deref(), content)?;
        let mut tx = self.begin(origin).await?;
        let id = UserId::new(tx.now());
        if let Some(made) = creation.claim(&tx, id).await? {
            drop(tx);
            let id: UserId = made.parse().map_err(|error| Error::Internal(format!("{error}")))?;
            let gone = || Refusal::new(Code::NotFound, "the invited user has been removed since");
            return Ok(InvitedUser { user: self.store().user(scope, id).await?.ok_or_else(gone)?, link: None });
        }
        let taken = || {
            let message = format!("`{}` has an account in this workspace already", email.as_str());
            Error::from(Refusal::at("email", Code::AlreadyExists, message))
        };
        if self.store().user_by_email(scope, &email).await?.is_some() {
            return Err(taken());
        }
        let user = User {
            id,
            workspace: scope.workspace(),
            email: email.as_str().to_owned(),
            display_name,
            created_at: tx.now(),
            disabled_at: None,
            erased_at: None,
            last_sign_in_at: None,
        };
        match tx.insert_user(&user, command.roles).await {
            Err(error) if error.is_duplicate_of("user_account") => return Err(taken()),
            inserted => inserted?,
        }
        let link = match scope.actor() {
            Actor::ApiToken(_) => None,
            Actor::User(_) | Actor::System => Some(self.add_sign_in_link(&mut tx, scope, &user, false).await?),
        };
        tx.audit(scope, Action::UserInvited, Some(user.id.into()), json!({"roles": roles}));
        tx.commit().await?;
        Ok(InvitedUser { user, link })
    }
}
