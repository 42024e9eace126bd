//! People's accounts.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use sea_orm::{
    ActiveValue::Set,
    ColumnTrait, Condition, EntityTrait, PaginatorTrait, QueryFilter, QuerySelect, Select,
    sea_query::{LockType, Query},
};
use uuid::Uuid;

use super::{
    Result, Store, Tx,
    page::{Cursor, Key, OrderBy, Page, Slice},
    scoped::{by_id, ids_of_workspace, of_workspace},
    search,
};
use crate::domain::{
    access::Scope,
    email::Email,
    id::{GroupId, UserId, WorkspaceId},
    role::{Role, Roles},
};

#[derive(Debug, Clone)]
pub struct User {
    pub id: UserId,
    pub workspace: WorkspaceId,
    pub email: String,
    pub display_name: String,
    pub created_at: DateTime<Utc>,
    pub disabled_at: Option<DateTime<Utc>>,
    /// Since when nothing personal is left of it.
    pub erased_at: Option<DateTime<Utc>>,
    pub last_sign_in_at: Option<DateTime<Utc>>,
}

impl From<entity::user::Model> for User {
    fn from(row: entity::user::Model) -> Self {
        Self {
            id: UserId(row.id),
            workspace: WorkspaceId(row.workspace_id),
            email: row.email,
            display_name: row.display_name,
            created_at: row.created_at,
            disabled_at: row.disabled_at,
            erased_at: row.erased_at,
            last_sign_in_at: row.last_sign_in_at,
        }
    }
}

/// An account with what is needed to sign in to it.
#[derive(Debug, Clone)]
pub struct Account {
    pub user: User,
    pub workspace_slug: String,
    pub password_hash: Option<String>,
}

/// Which users a list shows.
#[derive(Debug, Clone, Default)]
pub struct Filter {
    pub role: Option<Role>,
    pub group: Option<GroupId>,
    pub disabled: Option<bool>,
    /// Part of the name or the address, in any case.
    pub text: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sort {
    CreatedAt,
    DisplayName,
    Email,
}

impl Sort {
    pub fn name(self) -> &'static str {
        match self {
            Sort::CreatedAt => "user.created_at",
            Sort::DisplayName => "user.display_name",
            Sort::Email => "user.email",
        }
    }

    /// Where a user stands in this order.
    pub fn cursor(self, user: &User) -> Cursor {
        let key = match self {
            Sort::CreatedAt => Key::Time(user.created_at),
            Sort::DisplayName => Key::Text(user.display_name.clone()),
            Sort::Email => Key::Text(user.email.clone()),
        };
        Cursor::new(self.name(), key, user.id.0)
    }
}

fn filtered(scope: Scope, filter: &Filter) -> Select<entity::user::Entity> {
    use entity::user::Column;
    let mut query = of_workspace::<entity::user::Entity>(scope);
    if let Some(role) = filter.role {
        let holders = Query::select()
            .column(entity::user_role::Column::UserId)
            .from(entity::user_role::Entity)
            .and_where(entity::user_role::Column::Role.eq(role.as_str()))
            .to_owned();
        query = query.filter(Column::Id.in_subquery(holders));
    }
    if let Some(group) = filter.group {
        let members = Query::select()
            .column(entity::group_member::Column::UserId)
            .from(entity::group_member::Entity)
            .and_where(entity::group_member::Column::GroupId.eq(group.0))
            .to_owned();
        query = query.filter(Column::Id.in_subquery(members));
    }
    if let Some(disabled) = filter.disabled {
        query = query.filter(search::has_happened(Column::DisabledAt, disabled));
    }
    if let Some(text) = &filter.text {
        let pattern = search::containing(text);
        // Addresses are kept in small letters.
        let matches = Condition::any().add(Column::FoldedName.like(pattern.clone())).add(Column::Email.like(pattern));
        query = query.filter(matches);
    }
    query
}

impl Store {
    pub async fn users(
        &self,
        scope: Scope,
        filter: &Filter,
        sort: Sort,
        descending: bool,
        page: &Page,
    ) -> Result<Slice<User>> {
        use entity::user::Column;
        let column = match sort {
            Sort::CreatedAt => Column::CreatedAt,
            Sort::DisplayName => Column::DisplayName,
            Sort::Email => Column::Email,
        };
        let order = OrderBy { name: sort.name(), column, id: Column::Id, descending };
        let slice = self.page(filtered(scope, filter), order, page).await?;
        Ok(slice.map(User::from))
    }

    pub async fn count_users(&self, scope: Scope, filter: &Filter) -> Result<u64> {
        Ok(filtered(scope, filter).count(self.read()).await?)
    }

    pub async fn users_by_id(&self, scope: Scope, ids: &[UserId]) -> Result<HashMap<UserId, User>> {
        let query = by_id::<entity::user::Entity>(scope, ids.iter().map(|id| id.0));
        Ok(self.find(query).await?.into_iter().map(|row| (UserId(row.id), User::from(row))).collect())
    }

    pub async fn user(&self, scope: Scope, id: UserId) -> Result<Option<User>> {
        Ok(self.users_by_id(scope, &[id]).await?.remove(&id))
    }

    pub async fn roles_of_users(&self, scope: Scope, ids: &[UserId]) -> Result<HashMap<UserId, Roles>> {
        use entity::user_role::{Column, Entity};
        let query = Entity::find()
            .filter(Column::UserId.is_in(ids.iter().map(|id| id.0)))
            .filter(Column::UserId.in_subquery(ids_of_workspace::<entity::user::Entity>(scope)));
        let mut roles: HashMap<UserId, Vec<Role>> = HashMap::new();
        for row in self.find(query).await? {
            roles.entry(UserId(row.user_id)).or_default().extend(row.role.parse::<Role>().ok());
        }
        Ok(roles.into_iter().map(|(id, roles)| (id, roles.into_iter().collect())).collect())
    }

    /// The accounts with this address, before it is known which workspace is meant.
    pub async fn accounts_by_email(&self, email: &Email, workspace_slug: Option<&str>) -> Result<Vec<Account>> {
        use entity::user::{Column, Entity};
        // More would only serve to make us hash passwords.
        const MOST_WORKSPACES: usize = 8;
        let rows = Entity::find().filter(Column::Email.eq(email.as_str())).all(self.read()).await?;
        let workspaces = entity::workspace::Entity::find()
            .filter(entity::workspace::Column::Id.is_in(rows.iter().map(|row| row.workspace_id)))
            .all(self.read())
            .await?;
        let slugs: HashMap<Uuid, String> = workspaces.into_iter().map(|row| (row.id, row.slug)).collect();
        let accounts = rows.into_iter().filter_map(|row| {
            let workspace_slug = slugs.get(&row.workspace_id)?.clone();
            let password_hash = row.password_hash.clone();
            Some(Account { user: row.into(), workspace_slug, password_hash })
        });
        let wanted = accounts.filter(|account| workspace_slug.is_none_or(|slug| slug == account.workspace_slug));
        Ok(wanted.take(MOST_WORKSPACES).collect())
    }

    pub async fn password_hash(&self, scope: Scope, id: UserId) -> Result<Option<String>> {
        let query = by_id::<entity::user::Entity>(scope, [id.0]);
        Ok(self.find_one(query).await?.and_then(|row| row.password_hash))
    }

    pub async fn user_by_email(&self, scope: Scope, email: &Email) -> Result<Option<User>> {
        let query = of_workspace::<entity::user::Entity>(scope).filter(entity::user::Column::Email.eq(email.as_str()));
        Ok(self.find_one(query).await?.map(User::from))
    }
}

/// A user whom nobody else can change at the moment.
#[derive(Debug)]
pub struct Held {
    pub user: User,
    pub roles: Roles,
    pub password_hash: Option<String>,
    /// When the provider issued the token that the roles come from.
    pub roles_issued_at: Option<DateTime<Utc>>,
}

/// What of a user can be changed.
#[derive(Debug, Default)]
pub struct Change {
    pub display_name: Option<String>,
    pub email: Option<Email>,
    pub password_hash: Option<String>,
    pub roles_issued_at: Option<DateTime<Utc>>,
    pub disabled_at: Option<Option<DateTime<Utc>>>,
    pub last_sign_in_at: Option<DateTime<Utc>>,
}

impl Tx {
    pub async fn insert_user(&self, user: &User, roles: Roles) -> Result<()> {
        let row = entity::user::ActiveModel {
            id: Set(user.id.0),
            workspace_id: Set(user.workspace.0),
            email: Set(user.email.clone()),
            display_name: Set(user.display_name.clone()),
            folded_name: Set(search::fold(&user.display_name)),
            password_hash: Set(None),
            roles_issued_at: Set(None),
            created_at: Set(user.created_at),
            disabled_at: Set(None),
            erased_at: Set(None),
            last_sign_in_at: Set(None),
        };
        entity::user::Entity::insert(row).exec_without_returning(&self.db).await?;
        self.insert_user_roles(user.id, roles).await
    }

    /// Changes a user of the workspace; tells whether there is one.
    pub async fn update_user(&self, scope: Scope, id: UserId, change: Change) -> Result<bool> {
        use entity::user::{ActiveModel, Column, Entity};
        let mut row =
            ActiveModel { last_sign_in_at: change.last_sign_in_at.map(Some).into_active(), ..Default::default() };
        if let Some(name) = change.display_name {
            row.folded_name = Set(search::fold(&name));
            row.display_name = Set(name);
        }
        if let Some(email) = change.email {
            row.email = Set(email.as_str().to_owned());
        }
        if let Some(hash) = change.password_hash {
            row.password_hash = Set(Some(hash));
        }
        if let Some(issued_at) = change.roles_issued_at {
            row.roles_issued_at = Set(Some(issued_at));
        }
        if let Some(disabled_at) = change.disabled_at {
            row.disabled_at = Set(disabled_at);
        }
        let update = Entity::update_many()
            .set(row)
            .filter(Column::Id.eq(id.0))
            .filter(Column::WorkspaceId.eq(scope.workspace().0));
        Ok(update.exec(&self.db).await?.rows_affected == 1)
    }

    /// A user as they are now, held until the end of the transaction: of two changes at once, the second sees what
    /// the first has done.
    pub async fn hold_user(&self, scope: Scope, id: UserId) -> Result<Option<Held>> {
        use entity::{user, user_role};
        let Some(row) = self.hold::<user::Entity>(scope, id.0).await? else {
            return Ok(None);
        };
        let roles = user_role::Entity::find().filter(user_role::Column::UserId.eq(id.0)).all(&self.db).await?;
        Ok(Some(Held {
            password_hash: row.password_hash.clone(),
            roles_issued_at: row.roles_issued_at,
            roles: roles.iter().filter_map(|row| row.role.parse::<Role>().ok()).collect(),
            user: row.into(),
        }))
    }

    /// Replaces the roles of a user that is known to be in the workspace.
    pub async fn replace_user_roles(&self, user: &User, roles: Roles) -> Result<()> {
        use entity::user_role::{Column, Entity};
        Entity::delete_many().filter(Column::UserId.eq(user.id.0)).exec(&self.db).await?;
        self.insert_user_roles(user.id, roles).await
    }

    /// How many enabled admins the workspace has: the last one must stay. Holds the workspace, because two admins
    /// who go at once would each count the other.
    pub async fn count_admins(&self, scope: Scope) -> Result<u64> {
        let workspace = entity::workspace::Entity::find_by_id(scope.workspace().0).lock(LockType::NoKeyUpdate);
        workspace.one(&self.db).await?;
        let filter = Filter { role: Some(Role::Admin), disabled: Some(false), ..Filter::default() };
        Ok(filtered(scope, &filter).count(&self.db).await?)
    }

    async fn insert_user_roles(&self, id: UserId, roles: Roles) -> Result<()> {
        let rows = roles
            .iter()
            .map(|role| entity::user_role::ActiveModel { user_id: Set(id.0), role: Set(role.as_str().to_owned()) });
        entity::user_role::Entity::insert_many(rows).exec_without_returning(&self.db).await?;
        Ok(())
    }
}

/// `Some` sets a column, `None` leaves it alone.
trait IntoActive<T: Into<sea_orm::Value>> {
    fn into_active(self) -> sea_orm::ActiveValue<T>;
}

impl<T: Into<sea_orm::Value>> IntoActive<T> for Option<T> {
    fn into_active(self) -> sea_orm::ActiveValue<T> {
        self.map_or(sea_orm::ActiveValue::NotSet, Set)
    }
}
