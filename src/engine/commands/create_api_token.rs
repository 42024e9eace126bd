//! A new API token, shown once.

use chrono::{DateTime, Utc};
use secrecy::SecretString;
use serde_json::json;

use super::{
    idempotent::{Creation, lost_to_twin},
    service_account::{self, LONGEST_NAME},
    token_restrictions::Limits,
};
use crate::{
    domain::{
        access::{Actor, Scope},
        api_token::{Owner, Right},
        audit::Action,
        id::{ApiTokenId, ServiceAccountId, UserId},
        name,
        refusal::{Code, Refusal},
        role::{Role, Roles},
        time,
    },
    engine::{Engine, Error, Origin, Result, error::Problems},
    store::{Tx, api_tokens::ApiToken, secret},
};

#[derive(Debug, Clone, Default)]
pub struct CreateApiToken {
    pub name: String,
    pub roles: Roles,
    pub rights: Vec<Right>,
    pub limits: Limits,
    pub belongs_to: BelongsTo,
    pub expires_at: Option<DateTime<Utc>>,
    pub idempotency_key: Option<String>,
}

/// Whose the new token is.
#[derive(Debug, Clone, Default)]
pub enum BelongsTo {
    /// The caller's own: the person's, or that of whoever the calling token belongs to. At the command line, it is for
    /// the service account with the token's name.
    #[default]
    Caller,
    User(UserId),
    ServiceAccount(ServiceAccountId),
    /// By its name; it is made if it is not there.
    ServiceAccountNamed(String),
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
        // Somebody else may have made the service account meanwhile.
        let taken = matches!(&result, Err(Error::Refused(refusals)) if refusals.iter().any(is_taken));
        if taken || lost_to_twin(&result) { self.create_api_token_once(scope, &command, origin).await } else { result }
    }

    async fn create_api_token_once(
        &self,
        scope: Scope,
        command: &CreateApiToken,
        origin: &Origin,
    ) -> Result<CreatedApiToken> {
        let mut problems = Problems::default();
        let name = problems.take(name::check_distinct("name", &command.name, 100)).unwrap_or_default();
        if command.roles.is_empty() && command.rights.is_empty() {
            let message = "`roles` is empty: give at least one role, or a right";
            problems.note(Refusal::invalid("roles", message));
        }
        if let Some(at) = command.expires_at.filter(|at| *at <= self.clock().now()) {
            problems.note(Refusal::invalid("expiresAt", format!("`expiresAt` is {at}: it must be in the future")));
        }
        problems.take(command.expires_at.map(|at| time::check("expiresAt", at)).transpose());
        let restrictions = self.read_limits(scope, &command.limits, &mut problems).await?;
        if !restrictions.is_empty() && command.roles.allow(Role::Admin) {
            let message = "a restricted token cannot have the role ADMIN, which may do everything: give it other roles";
            problems.note(Refusal::invalid("roles", message));
        }
        problems.check()?;

        let mut rights = command.rights.clone();
        rights.sort_unstable();
        rights.dedup();
        let roles: Vec<&str> = command.roles.iter().map(Role::as_str).collect();
        let belongs_to = format!("{:?}", command.belongs_to);
        let content = json!([name, roles, command.expires_at, belongs_to, rights, restrictions]).to_string();
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
        let (owner, owner_name) =
            self.owner(&mut tx, scope, &command.belongs_to, &name, command.roles, &rights).await?;
        let token = ApiToken {
            id,
            workspace: scope.workspace(),
            name,
            owner: Some(owner),
            rights,
            restrictions,
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
        let mut details = json!({"name": token.name, "roles": roles, "expiresAt": token.expires_at});
        match token.owner {
            // People are named by their id alone: their names can be erased.
            Some(Owner::User(user)) => details["user"] = user.to_string().into(),
            Some(Owner::ServiceAccount(account)) => {
                details["serviceAccount"] = json!({"id": account.to_string(), "name": owner_name});
            }
            None => {}
        }
        if !token.rights.is_empty() {
            details["rights"] = json!(token.rights);
        }
        if !token.restrictions.is_empty() {
            details["restrictions"] = command.limits.to_details();
        }
        tx.audit(scope, Action::ApiTokenCreated, Some(token.id.into()), details);
        tx.commit().await?;
        Ok(CreatedApiToken { token, secret: Some(secret) })
    }

    /// Whose the token becomes, and the name of the service account.
    async fn owner(
        &self,
        tx: &mut Tx,
        scope: Scope,
        belongs_to: &BelongsTo,
        token_name: &str,
        roles: Roles,
        rights: &[Right],
    ) -> Result<(Owner, Option<String>)> {
        let own = match (belongs_to, scope.actor()) {
            (BelongsTo::User(user), _) => Owner::User(*user),
            (BelongsTo::ServiceAccount(account), _) => Owner::ServiceAccount(*account),
            (BelongsTo::ServiceAccountNamed(name), _) => return find_or_make(self, tx, scope, name).await,
            (BelongsTo::Caller, Actor::System) => return find_or_make(self, tx, scope, token_name).await,
            (BelongsTo::Caller, Actor::User(user)) => Owner::User(user),
            (BelongsTo::Caller, Actor::ApiToken(id)) => {
                let caller = self.store().api_token(scope, id).await?.and_then(|token| token.owner);
                caller.ok_or_else(|| Error::Internal("the caller is gone".to_owned()))?
            }
        };
        match own {
            Owner::User(user) => {
                check_person(tx, scope, user, roles, rights).await?;
                Ok((own, None))
            }
            Owner::ServiceAccount(id) => {
                let account = tx.hold_service_account(scope, id).await?.ok_or_else(|| service_account::unknown(id))?;
                if account.disabled_at.is_some() {
                    return Err(disabled(&account.name).into());
                }
                Ok((own, Some(account.name)))
            }
        }
    }
}

/// The service account with a name, which is made if it is not there.
async fn find_or_make(engine: &Engine, tx: &mut Tx, scope: Scope, name: &str) -> Result<(Owner, Option<String>)> {
    let name = name::check("serviceAccount", name, LONGEST_NAME)?;
    let account = match engine.store().service_account_by_name(scope, &name).await? {
        Some(account) if account.disabled_at.is_some() => return Err(disabled(&name).into()),
        Some(account) => account,
        None => {
            let name = name::check_distinct("serviceAccount", &name, LONGEST_NAME)?;
            let id = ServiceAccountId::new(tx.now());
            service_account::insert(tx, scope, id, name).await?
        }
    };
    Ok((Owner::ServiceAccount(account.id), Some(account.name)))
}

/// A token of a person has no more rights than they have, so one that asks for more would not be what it says.
async fn check_person(tx: &Tx, scope: Scope, id: UserId, roles: Roles, rights: &[Right]) -> Result<()> {
    let unknown = || Refusal::at("userId", Code::NotFound, format!("there is no active user `{id}` in this workspace"));
    let held = tx.hold_user(scope, id).await?.filter(|held| held.user.disabled_at.is_none()).ok_or_else(unknown)?;
    if let Some(role) = roles.iter().find(|role| !held.roles.allow(*role)) {
        let message =
            format!("`roles` has {role}, which the person does not have: a token has no more rights than they");
        return Err(Refusal::invalid("roles", message).into());
    }
    if rights.contains(&Right::EmergencyStop) && !held.roles.allow(Role::Approver) {
        let message = "`rights` has EMERGENCY_STOP, which needs a person with the role APPROVER";
        return Err(Refusal::invalid("rights", message).into());
    }
    Ok(())
}

fn is_taken(refusal: &Refusal) -> bool {
    refusal.code == Code::AlreadyExists
}

fn disabled(name: &str) -> Refusal {
    let message = format!("the service account `{name}` is disabled: enable it first, or use another one");
    Refusal::at("serviceAccountId", Code::Conflict, message)
}
