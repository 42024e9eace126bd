//! Programs' ways in.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, Condition, EntityTrait, JoinType, PaginatorTrait, QueryFilter, QuerySelect,
    QueryTrait, Select,
};
use secrecy::SecretString;
use uuid::Uuid;

use super::{
    Result, Store, Tx, bulk,
    fixed::Fixed,
    page::{OrderBy, Page, Slice},
    scoped::{by_id, ids_of_workspace, of_workspace},
    secret,
    shared::Shared,
    ways_in::Notice,
};
use crate::domain::{
    access::{Actor, Credential, Scope, TokenAccess, Viewer},
    api_token::{Owner, Restrictions, Right},
    id::{ApiTokenId, ServiceAccountId, UserId, WorkspaceId},
    role::{Role, Roles},
};

#[derive(Debug, Clone)]
pub struct ApiToken {
    pub id: ApiTokenId,
    pub workspace: WorkspaceId,
    pub name: String,
    /// Nothing for a row that an older version could have left: such a token does not work.
    pub owner: Option<Owner>,
    pub rights: Vec<Right>,
    pub restrictions: Restrictions,
    pub created_by: Option<UserId>,
    pub created_at: DateTime<Utc>,
    pub expires_at: Option<DateTime<Utc>>,
    pub revoked_at: Option<DateTime<Utc>>,
    pub last_used_at: Option<DateTime<Utc>>,
}

fn owner(user: Option<Uuid>, service_account: Option<Uuid>) -> Option<Owner> {
    let user = user.map(|id| Owner::User(UserId(id)));
    user.or(service_account.map(|id| Owner::ServiceAccount(ServiceAccountId(id))))
}

/// What this version cannot read restricts to nothing at all.
fn restrictions(text: Option<&str>) -> Restrictions {
    let nothing = || Restrictions {
        operation_types: Some(Vec::new()),
        workflows: Some(Vec::new()),
        agents: Some(Vec::new()),
        queues: Some(Vec::new()),
    };
    text.map(|text| serde_json::from_str(text).unwrap_or_else(|_| nothing())).unwrap_or_default()
}

fn rights(text: &str) -> Vec<Right> {
    serde_json::from_str(text).unwrap_or_default()
}

impl From<entity::api_token::Model> for ApiToken {
    fn from(row: entity::api_token::Model) -> Self {
        Self {
            id: ApiTokenId(row.id),
            workspace: WorkspaceId(row.workspace_id),
            owner: owner(row.user_id, row.service_account_id),
            rights: rights(&row.rights),
            restrictions: restrictions(row.restrictions.as_deref()),
            name: row.name,
            created_by: row.created_by.map(UserId),
            created_at: row.created_at,
            expires_at: row.expires_at,
            revoked_at: row.revoked_at,
            last_used_at: row.last_used_at,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sort {
    CreatedAt,
    Name,
}

impl Sort {
    pub fn name(self) -> &'static str {
        match self {
            Sort::CreatedAt => "api_token.created_at",
            Sort::Name => "api_token.name",
        }
    }
}

/// A token with one of its roles and one of its person's: its hash, id, workspace and name, when it expires and when it
/// was last used, the person and the service account, its restrictions, its rights and the two roles.
type Row = (
    Vec<u8>,
    Uuid,
    Uuid,
    String,
    Option<DateTime<Utc>>,
    Option<DateTime<Utc>>,
    Option<Uuid>,
    Option<Uuid>,
    Option<String>,
    String,
    Option<String>,
    Option<String>,
);

/// The rights of a token that is not revoked and whose owner is not disabled, and when it was last used.
type Found = (Viewer, Option<DateTime<Utc>>);

/// Lookups of tokens by their hash.
pub(super) type Lookups = Shared<Vec<u8>, Found>;

impl Store {
    /// The rights of a token that is neither revoked nor expired, and when it was last used: one statement, or a part
    /// of one where a statement is a round trip.
    pub async fn viewer_of_token(&self, token: &SecretString, now: DateTime<Utc>) -> Result<Option<Found>> {
        let hash = secret::hash(token);
        let found = if self.0.inline.is_some() {
            self.viewers_by_hash(vec![hash.clone()]).await?.remove(&hash)
        } else {
            let store = self.clone();
            let serve = || async move { store.0.tokens.serve(|hashes| store.viewers_by_hash(hashes)).await };
            self.0.tokens.get(hash, serve).await?
        };
        Ok(found.filter(|(viewer, _)| viewer.expires_at.is_none_or(|at| at > now)))
    }

    async fn viewers_by_hash(&self, hashes: Vec<Vec<u8>>) -> Result<HashMap<Vec<u8>, Found>> {
        static BY_HASH: Fixed = Fixed::new();
        let hashes = bulk::padded(hashes);
        let values = hashes.iter().map(|hash| hash.clone().into()).collect();
        let statement = BY_HASH.statement(self.0.backend, values, || by_hash(&hashes).build(self.0.backend));
        let rows: Vec<Row> = self.find_columns_by(statement).await?;
        let mut found: HashMap<Vec<u8>, (Found, Roles)> = HashMap::new();
        for (hash, id, workspace, name, expires_at, last_used_at, user, account, restricted, held, role, own) in rows {
            let (id, Some(owner)) = (ApiTokenId(id), owner(user, account)) else { continue };
            let ((viewer, _), of_person) = found.entry(hash).or_insert_with(|| {
                let restricted = restricted.is_some();
                let viewer = Viewer {
                    workspace: WorkspaceId(workspace),
                    actor: Actor::ApiToken(id),
                    credential: Credential::ApiToken(id),
                    roles: Roles::default(),
                    display_name: name,
                    expires_at,
                    held: false,
                    token: Some(TokenAccess { owner, rights: rights(&held), restricted }),
                };
                ((viewer, last_used_at), Roles::default())
            });
            let with = |roles: Roles, one: Option<String>| {
                roles.iter().chain(one.and_then(|role| role.parse::<Role>().ok())).collect::<Roles>()
            };
            viewer.roles = with(viewer.roles, role);
            *of_person = with(*of_person, own);
        }
        Ok(found.into_iter().map(|(hash, (found, of_person))| (hash, bound_by_person(found, of_person))).collect())
    }

    pub async fn api_tokens(&self, scope: Scope, sort: Sort, descending: bool, page: &Page) -> Result<Slice<ApiToken>> {
        use entity::api_token::Column;
        let column = match sort {
            Sort::CreatedAt => Column::CreatedAt,
            Sort::Name => Column::Name,
        };
        let order = OrderBy { name: sort.name(), column, id: Column::Id, descending };
        let slice = self.page(of_workspace::<entity::api_token::Entity>(scope), order, page).await?;
        Ok(slice.map(ApiToken::from))
    }

    /// The tokens that were made, used or revoked after a time.
    pub async fn api_tokens_changed_after(&self, scope: Scope, time: DateTime<Utc>) -> Result<Vec<ApiToken>> {
        use entity::api_token::Column;
        let changed = Condition::any()
            .add(Column::CreatedAt.gt(time))
            .add(Column::LastUsedAt.gt(time))
            .add(Column::RevokedAt.gt(time));
        let query = of_workspace::<entity::api_token::Entity>(scope).filter(changed);
        Ok(query.all(&self.0.background).await?.into_iter().map(ApiToken::from).collect())
    }

    pub async fn count_api_tokens(&self, scope: Scope) -> Result<u64> {
        Ok(of_workspace::<entity::api_token::Entity>(scope).count(self.read()).await?)
    }

    pub async fn api_tokens_by_id(&self, scope: Scope, ids: &[ApiTokenId]) -> Result<HashMap<ApiTokenId, ApiToken>> {
        let query = by_id::<entity::api_token::Entity>(scope, ids.iter().map(|id| id.0));
        Ok(self.find(query).await?.into_iter().map(|row| (ApiTokenId(row.id), ApiToken::from(row))).collect())
    }

    pub async fn api_token(&self, scope: Scope, id: ApiTokenId) -> Result<Option<ApiToken>> {
        Ok(self.api_tokens_by_id(scope, &[id]).await?.remove(&id))
    }

    pub async fn roles_of_api_tokens(&self, scope: Scope, ids: &[ApiTokenId]) -> Result<HashMap<ApiTokenId, Roles>> {
        use entity::api_token_role::{Column, Entity};
        let query = Entity::find()
            .filter(Column::ApiTokenId.is_in(ids.iter().map(|id| id.0)))
            .filter(Column::ApiTokenId.in_subquery(ids_of_workspace::<entity::api_token::Entity>(scope)));
        let mut roles: HashMap<ApiTokenId, Vec<Role>> = HashMap::new();
        for row in self.find(query).await? {
            roles.entry(ApiTokenId(row.api_token_id)).or_default().extend(row.role.parse::<Role>().ok());
        }
        Ok(roles.into_iter().map(|(id, roles)| (id, roles.into_iter().collect())).collect())
    }
}

/// A token of a person never has more than the person's own rights.
fn bound_by_person((mut viewer, last_used_at): Found, of_person: Roles) -> Found {
    if let Some(token) = viewer.token.as_mut().filter(|token| matches!(token.owner, Owner::User(_))) {
        viewer.roles = viewer.roles.both(of_person);
        token.rights.retain(|right| match right {
            Right::EmergencyStop => of_person.allow(Role::Approver),
        });
    }
    (viewer, last_used_at)
}

fn by_hash(hashes: &[Vec<u8>]) -> Select<entity::api_token::Entity> {
    use entity::{api_token, api_token_role, service_account, user, user_role};
    let roles = api_token::Entity::belongs_to(api_token_role::Entity)
        .from(api_token::Column::Id)
        .to(api_token_role::Column::ApiTokenId);
    let person = api_token::Entity::belongs_to(user::Entity).from(api_token::Column::UserId).to(user::Column::Id);
    let roles_of_person =
        api_token::Entity::belongs_to(user_role::Entity).from(api_token::Column::UserId).to(user_role::Column::UserId);
    let account = api_token::Entity::belongs_to(service_account::Entity)
        .from(api_token::Column::ServiceAccountId)
        .to(service_account::Column::Id);
    api_token::Entity::find()
        .select_only()
        .columns([
            api_token::Column::SecretHash,
            api_token::Column::Id,
            api_token::Column::WorkspaceId,
            api_token::Column::Name,
            api_token::Column::ExpiresAt,
            api_token::Column::LastUsedAt,
            api_token::Column::UserId,
            api_token::Column::ServiceAccountId,
            api_token::Column::Restrictions,
            api_token::Column::Rights,
        ])
        .column(api_token_role::Column::Role)
        .column(user_role::Column::Role)
        .join(JoinType::LeftJoin, roles.into())
        .join(JoinType::LeftJoin, person.into())
        .join(JoinType::LeftJoin, roles_of_person.into())
        .join(JoinType::LeftJoin, account.into())
        .filter(api_token::Column::SecretHash.is_in(hashes.iter().cloned()))
        .filter(user::Column::DisabledAt.is_null())
        .filter(service_account::Column::DisabledAt.is_null())
        .filter(api_token::Column::RevokedAt.is_null())
}

impl Tx {
    pub async fn insert_api_token(&mut self, token: &ApiToken, secret: &SecretString, roles: Roles) -> Result<()> {
        let (user, account) = match token.owner {
            Some(Owner::User(id)) => (Some(id.0), None),
            Some(Owner::ServiceAccount(id)) => (None, Some(id.0)),
            None => (None, None),
        };
        let restrictions = (!token.restrictions.is_empty()).then(|| serde_json::json!(token.restrictions).to_string());
        let row = entity::api_token::ActiveModel {
            id: Set(token.id.0),
            workspace_id: Set(token.workspace.0),
            name: Set(token.name.clone()),
            secret_hash: Set(secret::hash(secret)),
            created_by: Set(token.created_by.map(|id| id.0)),
            created_at: Set(token.created_at),
            expires_at: Set(token.expires_at),
            revoked_at: Set(None),
            last_used_at: Set(None),
            user_id: Set(user),
            service_account_id: Set(account),
            restrictions: Set(restrictions),
            rights: Set(serde_json::json!(token.rights).to_string()),
        };
        entity::api_token::Entity::insert(row).exec_without_returning(&self.db).await?;
        // Whoever has nothing but a right has no role.
        let rows = roles.iter().map(|role| entity::api_token_role::ActiveModel {
            api_token_id: Set(token.id.0),
            role: Set(role.as_str().to_owned()),
        });
        if !roles.is_empty() {
            entity::api_token_role::Entity::insert_many(rows).exec_without_returning(&self.db).await?;
        }
        self.notice(Notice::ApiTokens(token.workspace));
        Ok(())
    }

    /// Revokes a token; tells whether it was in use.
    pub async fn revoke_api_token(&mut self, scope: Scope, id: ApiTokenId) -> Result<bool> {
        use entity::api_token::{ActiveModel, Column, Entity};
        let update = Entity::update_many()
            .set(ActiveModel { revoked_at: Set(Some(self.now())), ..Default::default() })
            .filter(Column::Id.eq(id.0))
            .filter(Column::WorkspaceId.eq(scope.workspace().0))
            .filter(Column::RevokedAt.is_null());
        let revoked = update.exec(&self.db).await?.rows_affected == 1;
        if revoked {
            self.notice(Notice::ApiTokens(scope.workspace()));
        }
        Ok(revoked)
    }

    /// Notes that a token is used.
    pub async fn touch_api_token(&mut self, workspace: WorkspaceId, id: ApiTokenId) -> Result<()> {
        let row =
            entity::api_token::ActiveModel { id: Set(id.0), last_used_at: Set(Some(self.now())), ..Default::default() };
        entity::api_token::Entity::update(row).exec(&self.db).await?;
        self.notice(Notice::ApiTokens(workspace));
        Ok(())
    }
}
