//! A new API token, shown once.

use chrono::{DateTime, Utc};
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
        id::ApiTokenId,
        name,
        refusal::{Code, Refusal},
        role::{Role, Roles},
        time,
    },
    engine::{Engine, Error, Origin, Result, error::Problems},
    store::{api_tokens::ApiToken, secret},
};

#[derive(Debug, Clone)]
pub struct CreateApiToken {
    pub name: String,
    pub roles: Roles,
    pub expires_at: Option<DateTime<Utc>>,
    pub idempotency_key: Option<String>,
}

#[derive(Debug)]
pub struct CreatedApiToken {
    pub token: ApiToken,
    /// `None` on a retry: it was shown once.
    pub secret: Option<SecretString>,
}

impl Engine {
    pub async fn create_api_token(
        &self,
        scope: Scope,
        command: CreateApiToken,
        origin: &Origin,
    ) -> Result<CreatedApiToken> {
        let result = self.create_api_token_once(scope, &command, origin).await;
        if lost_to_twin(&result) { self.create_api_token_once(scope, &command, origin).await } else { result }
    }

    async fn create_api_token_once(
        &self,
        scope: Scope,
        command: &CreateApiToken,
        origin: &Origin,
    ) -> Result<CreatedApiToken> {
        let mut problems = Problems::default();
        let name = problems.take(name::check("name", &command.name, 100)).unwrap_or_default();
        problems.take(check_roles(command.roles));
        if let Some(at) = command.expires_at.filter(|at| *at <= self.clock().now()) {
            problems.note(Refusal::invalid("expiresAt", format!("`expiresAt` is {at}: it must be in the future")));
        }
        problems.take(command.expires_at.map(|at| time::check("expiresAt", at)).transpose());
        problems.check()?;

        let roles: Vec<&str> = command.roles.iter().map(Role::as_str).collect();
        let content = json!([name, roles, command.expires_at]).to_string();
        let creation = Creation::new(scope, "createApiToken", command.idempotency_key.as_deref(), content)?;
        let mut tx = self.begin(origin).await?;
        let id = ApiTokenId::new(tx.now());
        if let Some(made) = creation.claim(&tx, id).await? {
            drop(tx);
            let id: ApiTokenId = made.parse().map_err(|error| Error::Internal(format!("{error}")))?;
            let gone = || Refusal::new(Code::NotFound, "the token that this key made is gone");
            return Ok(CreatedApiToken {
                token: self.store().api_token(scope, id).await?.ok_or_else(gone)?,
                secret: None,
            });
        }
        let token = ApiToken {
            id,
            workspace: scope.workspace(),
            name,
            created_by: match scope.actor() {
                Actor::User(id) => Some(id),
                Actor::ApiToken(_) | Actor::System => None,
            },
            created_at: tx.now(),
            expires_at: command.expires_at,
            revoked_at: None,
            last_used_at: None,
        };
        let secret = secret::generate(secret::Kind::ApiToken);
        tx.insert_api_token(&token, &secret, command.roles).await?;
        let details = json!({"name": token.name, "roles": roles, "expiresAt": token.expires_at});
        tx.audit(scope, Action::ApiTokenCreated, Some(token.id.into()), details);
        tx.commit().await?;
        Ok(CreatedApiToken { token, secret: Some(secret) })
    }
}
