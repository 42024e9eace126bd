//! Groups of approvers.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use sea_orm::{
    ActiveValue::Set,
    ColumnTrait, EntityTrait, FromQueryResult, PaginatorTrait, QueryFilter, QueryOrder, QuerySelect, Select,
    sea_query::{Expr, ExprTrait, OnConflict, Order, Query, SelectStatement, WindowStatement},
};

use super::{
    Result, Store, Tx,
    page::{OrderBy, Page, Slice},
    scoped::{by_id, ids_of_workspace, of_workspace},
    search,
    users::User,
};
use crate::domain::{
    access::Scope,
    id::{GroupId, UserId, WorkspaceId},
};

#[derive(Debug, Clone)]
pub struct Group {
    pub id: GroupId,
    pub workspace: WorkspaceId,
    pub name: String,
    pub description: String,
    pub created_at: DateTime<Utc>,
}

impl From<entity::group::Model> for Group {
    fn from(row: entity::group::Model) -> Self {
        Self {
            id: GroupId(row.id),
            workspace: WorkspaceId(row.workspace_id),
            name: row.name,
            description: row.description,
            created_at: row.created_at,
        }
    }
}

/// Which groups a list shows.
#[derive(Debug, Clone, Default)]
pub struct Filter {
    /// Part of the name, in any case.
    pub text: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sort {
    CreatedAt,
    Name,
}

impl Sort {
    pub fn name(self) -> &'static str {
        match self {
            Sort::CreatedAt => "group.created_at",
            Sort::Name => "group.name",
        }
    }
}

#[derive(FromQueryResult)]
struct Counted {
    group_id: uuid::Uuid,
    members: i64,
}

#[derive(FromQueryResult)]
struct MemberRow {
    group_id: uuid::Uuid,
    user_id: uuid::Uuid,
}

fn filtered(scope: Scope, filter: &Filter) -> Select<entity::group::Entity> {
    let query = of_workspace(scope);
    match &filter.text {
        Some(text) => query.filter(entity::group::Column::FoldedName.like(search::containing(text))),
        None => query,
    }
}

/// The people of many groups, numbered by name within each group.
fn first_members_ranked(scope: Scope, groups: &[GroupId]) -> SelectStatement {
    use entity::{group_member, user};
    let rank = WindowStatement::partition_by((group_member::Entity, group_member::Column::GroupId))
        .order_by((user::Entity, user::Column::DisplayName), Order::Asc)
        .order_by((user::Entity, user::Column::Id), Order::Asc)
        .to_owned();
    Query::select()
        .expr_as(Expr::col((group_member::Entity, group_member::Column::GroupId)), "group_id")
        .expr_as(Expr::col((group_member::Entity, group_member::Column::UserId)), "user_id")
        .expr_window_as(Expr::cust("row_number()"), rank, "rank")
        .from(group_member::Entity)
        .inner_join(
            user::Entity,
            Expr::col((user::Entity, user::Column::Id)).equals((group_member::Entity, group_member::Column::UserId)),
        )
        .and_where(Expr::col((user::Entity, user::Column::WorkspaceId)).eq(scope.workspace().0))
        .and_where(Expr::col((group_member::Entity, group_member::Column::GroupId)).is_in(groups.iter().map(|id| id.0)))
        .to_owned()
}

impl Store {
    pub async fn groups(
        &self,
        scope: Scope,
        filter: &Filter,
        sort: Sort,
        descending: bool,
        page: &Page,
    ) -> Result<Slice<Group>> {
        use entity::group::Column;
        let column = match sort {
            Sort::CreatedAt => Column::CreatedAt,
            Sort::Name => Column::Name,
        };
        let order = OrderBy { name: sort.name(), column, id: Column::Id, descending };
        let slice = self.page(filtered(scope, filter), order, page).await?;
        Ok(slice.map(Group::from))
    }

    pub async fn count_groups(&self, scope: Scope, filter: &Filter) -> Result<u64> {
        Ok(filtered(scope, filter).count(self.read()).await?)
    }

    pub async fn groups_by_id(&self, scope: Scope, ids: &[GroupId]) -> Result<HashMap<GroupId, Group>> {
        let query = by_id::<entity::group::Entity>(scope, ids.iter().map(|id| id.0));
        Ok(self.find(query).await?.into_iter().map(|row| (GroupId(row.id), Group::from(row))).collect())
    }

    pub async fn group(&self, scope: Scope, id: GroupId) -> Result<Option<Group>> {
        Ok(self.groups_by_id(scope, &[id]).await?.remove(&id))
    }

    /// The groups of many users in one statement, each list by name.
    pub async fn groups_of_users(&self, scope: Scope, users: &[UserId]) -> Result<HashMap<UserId, Vec<Group>>> {
        use entity::group_member::{Column, Entity};
        let query = Entity::find()
            .select_only()
            .column(Column::UserId)
            .column(Column::GroupId)
            .filter(Column::UserId.is_in(users.iter().map(|id| id.0)));
        let rows: Vec<(uuid::Uuid, uuid::Uuid)> = self.find_columns(query).await?;
        let ids: Vec<GroupId> = rows.iter().map(|(_, group)| GroupId(*group)).collect();
        let groups = self.groups_by_id(scope, &ids).await?;
        let mut by_user: HashMap<UserId, Vec<Group>> = HashMap::new();
        for (user, group) in rows {
            by_user.entry(UserId(user)).or_default().extend(groups.get(&GroupId(group)).cloned());
        }
        for groups in by_user.values_mut() {
            groups.sort_by(|a, b| a.name.cmp(&b.name));
        }
        Ok(by_user)
    }

    /// The first `size` people of each of many groups by name, and one more where there are more.
    pub async fn first_members(
        &self,
        scope: Scope,
        groups: &[GroupId],
        size: u64,
    ) -> Result<HashMap<GroupId, Vec<User>>> {
        let ranked = first_members_ranked(scope, groups);
        let (group_id, user_id, rank) = (Expr::col("group_id"), Expr::col("user_id"), Expr::col("rank"));
        let query = Query::select()
            .expr_as(group_id, "group_id")
            .expr_as(user_id, "user_id")
            .from_subquery(ranked, "ranked")
            .and_where(rank.clone().lte(size + 1))
            .order_by_expr(rank, Order::Asc)
            .to_owned();
        let rows = MemberRow::find_by_statement(self.0.backend.build(&query)).all(self.read()).await?;
        let ids: Vec<UserId> = rows.iter().map(|row| UserId(row.user_id)).collect();
        let users = self.users_by_id(scope, &ids).await?;
        let mut members: HashMap<GroupId, Vec<User>> = HashMap::new();
        for row in rows {
            members.entry(GroupId(row.group_id)).or_default().extend(users.get(&UserId(row.user_id)).cloned());
        }
        Ok(members)
    }

    /// How many people each of many groups has.
    pub async fn count_members(&self, scope: Scope, groups: &[GroupId]) -> Result<HashMap<GroupId, u64>> {
        use entity::group_member::{Column, Entity};
        let rows = Entity::find()
            .select_only()
            .column(Column::GroupId)
            .column_as(Column::UserId.count(), "members")
            .filter(Column::GroupId.is_in(groups.iter().map(|id| id.0)))
            .filter(Column::GroupId.in_subquery(ids_of_workspace::<entity::group::Entity>(scope)))
            .group_by(Column::GroupId)
            .order_by_asc(Column::GroupId)
            .into_model::<Counted>()
            .all(self.read())
            .await?;
        Ok(rows.into_iter().map(|row| (GroupId(row.group_id), row.members.unsigned_abs())).collect())
    }
}

impl Tx {
    pub async fn insert_group(&self, group: &Group) -> Result<()> {
        let row = entity::group::ActiveModel {
            id: Set(group.id.0),
            workspace_id: Set(group.workspace.0),
            name: Set(group.name.clone()),
            folded_name: Set(search::fold(&group.name)),
            description: Set(group.description.clone()),
            created_at: Set(group.created_at),
        };
        entity::group::Entity::insert(row).exec_without_returning(&self.db).await?;
        Ok(())
    }

    /// A group as it is now, held until the end of the transaction: nobody deletes it meanwhile.
    pub async fn hold_group(&self, scope: Scope, id: GroupId) -> Result<Option<Group>> {
        Ok(self.hold::<entity::group::Entity>(scope, id.0).await?.map(Group::from))
    }

    pub async fn update_group(&self, group: &Group) -> Result<()> {
        let row = entity::group::ActiveModel {
            id: Set(group.id.0),
            name: Set(group.name.clone()),
            folded_name: Set(search::fold(&group.name)),
            description: Set(group.description.clone()),
            ..Default::default()
        };
        entity::group::Entity::update(row).exec(&self.db).await?;
        Ok(())
    }

    pub async fn delete_group(&self, group: &Group) -> Result<()> {
        entity::group::Entity::delete_by_id(group.id.0).exec(&self.db).await?;
        Ok(())
    }

    /// Adds people who are known to be in the workspace; who is in already stays.
    pub async fn add_members(&self, group: &Group, users: &[UserId]) -> Result<()> {
        use entity::group_member::{ActiveModel, Column, Entity};
        if users.is_empty() {
            return Ok(());
        }
        let rows = users.iter().map(|user| ActiveModel {
            group_id: Set(group.id.0),
            user_id: Set(user.0),
            added_at: Set(self.now()),
        });
        let keep = OnConflict::columns([Column::GroupId, Column::UserId]).do_nothing().to_owned();
        Entity::insert_many(rows).on_conflict(keep).try_insert().exec_without_returning(&self.db).await?;
        Ok(())
    }

    pub async fn remove_members(&self, group: &Group, users: &[UserId]) -> Result<()> {
        use entity::group_member::{Column, Entity};
        let delete = Entity::delete_many()
            .filter(Column::GroupId.eq(group.id.0))
            .filter(Column::UserId.is_in(users.iter().map(|id| id.0)));
        delete.exec(&self.db).await?;
        Ok(())
    }
}
