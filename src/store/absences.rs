//! Who is away, and who decides in their place.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use sea_orm::{ActiveValue::Set, ColumnTrait, Condition, EntityTrait, QueryFilter, sea_query::OnConflict};

use super::{Result, Store, Tx};
use crate::domain::{access::Scope, id::UserId};

/// Somebody is away, and somebody else decides in their place.
#[derive(Debug, Clone, PartialEq)]
pub struct Absence {
    pub delegate: UserId,
    pub starts_at: DateTime<Utc>,
    pub ends_at: DateTime<Utc>,
}

impl From<entity::out_of_office::Model> for Absence {
    fn from(row: entity::out_of_office::Model) -> Self {
        Self { delegate: UserId(row.delegate_id), starts_at: row.starts_at, ends_at: row.ends_at }
    }
}

impl Store {
    /// Those in whose place a person decides at a time.
    pub async fn absent_principals(&self, scope: Scope, delegate: UserId, now: DateTime<Utc>) -> Result<Vec<UserId>> {
        use entity::out_of_office::{Column, Entity};
        let away = Condition::all().add(Column::StartsAt.lte(now)).add(Column::EndsAt.gt(now));
        let rows = self.find(Entity::find().filter(Column::DelegateId.eq(delegate.0)).filter(away)).await?;
        let ids: Vec<UserId> = rows.into_iter().map(|row| UserId(row.user_id)).collect();
        // Only people of the same workspace have accounts here.
        let known = self.users_by_id(scope, &ids).await?;
        Ok(ids.into_iter().filter(|id| known.contains_key(id)).collect())
    }

    /// Who is away or will be, of these people of the workspace.
    pub async fn absences(&self, scope: Scope, users: &[UserId]) -> Result<HashMap<UserId, Absence>> {
        use entity::out_of_office::{Column, Entity};
        let rows = self.find(Entity::find().filter(Column::UserId.is_in(users.iter().map(|id| id.0)))).await?;
        let found: Vec<UserId> = rows.iter().map(|row| UserId(row.user_id)).collect();
        let known = self.users_by_id(scope, &found).await?;
        let own = rows.into_iter().filter(|row| known.contains_key(&UserId(row.user_id)));
        Ok(own.map(|row| (UserId(row.user_id), Absence::from(row))).collect())
    }
}

impl Tx {
    /// Keeps who decides in a person's place, or that nobody does.
    pub async fn put_absence(&self, user: UserId, absence: Option<Absence>) -> Result<()> {
        use entity::out_of_office::{ActiveModel, Column, Entity};
        let Some(absence) = absence else {
            Entity::delete_by_id(user.0).exec(&self.db).await?;
            return Ok(());
        };
        let row = ActiveModel {
            user_id: Set(user.0),
            delegate_id: Set(absence.delegate.0),
            starts_at: Set(absence.starts_at),
            ends_at: Set(absence.ends_at),
        };
        let changing = [Column::DelegateId, Column::StartsAt, Column::EndsAt];
        let conflict = OnConflict::column(Column::UserId).update_columns(changing).to_owned();
        Entity::insert(row).on_conflict(conflict).exec_without_returning(&self.db).await?;
        Ok(())
    }
}
