//! Which account belongs to which person at an outside identity provider.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use sea_orm::{ActiveValue::Set, ColumnTrait, Condition, EntityTrait, QueryFilter, QueryOrder, Select};

use super::{
    Result, Store, Tx, grouped,
    users::{Held, User},
};
use crate::domain::{access::Scope, id::UserId};

/// A provider's lasting name for a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutsideIdentity {
    /// Who says it.
    pub issuer: String,
    /// Whom it means.
    pub subject: String,
}

/// An identity that opens an account.
#[derive(Debug, Clone)]
pub struct Linked {
    pub user: UserId,
    pub identity: OutsideIdentity,
    pub linked_at: DateTime<Utc>,
}

/// The account that an identity opens.
#[derive(Debug, Clone)]
pub struct Opened {
    pub user: User,
    /// Whether the identity only reads, because somebody else linked it to an account in use.
    pub held: bool,
}

impl From<entity::outside_identity::Model> for Linked {
    fn from(row: entity::outside_identity::Model) -> Self {
        let identity = OutsideIdentity { issuer: row.issuer, subject: row.subject };
        Self { user: UserId(row.user_id), identity, linked_at: row.linked_at }
    }
}

fn of_workspace(scope: Scope) -> Select<entity::outside_identity::Entity> {
    use entity::outside_identity::{Column, Entity};
    Entity::find().filter(Column::WorkspaceId.eq(scope.workspace().0))
}

fn named(identity: &OutsideIdentity) -> Condition {
    use entity::outside_identity::Column;
    Condition::all().add(Column::Issuer.eq(&identity.issuer)).add(Column::Subject.eq(&identity.subject))
}

impl Store {
    /// The account that an identity opens.
    pub async fn user_by_identity(&self, scope: Scope, identity: &OutsideIdentity) -> Result<Option<Opened>> {
        match self.find_one(of_workspace(scope).filter(named(identity))).await? {
            Some(row) => {
                let user = self.user(scope, UserId(row.user_id)).await?;
                Ok(user.map(|user| Opened { user, held: row.held }))
            }
            None => Ok(None),
        }
    }

    /// The identities of people, oldest first.
    pub async fn identities_of(&self, scope: Scope, users: &[UserId]) -> Result<HashMap<UserId, Vec<Linked>>> {
        use entity::outside_identity::Column;
        let query = of_workspace(scope)
            .filter(Column::UserId.is_in(users.iter().map(|id| id.0)))
            .order_by_asc(Column::LinkedAt)
            .order_by_asc(Column::Subject);
        let rows = self.find(query).await?;
        Ok(grouped(rows.into_iter().map(|row| (UserId(row.user_id), Linked::from(row)))))
    }
}

impl Tx {
    /// Lets an identity open the account of a user who is held. Fails as a duplicate if it opens one already.
    pub async fn link_identity(&self, user: &User, identity: &OutsideIdentity, held: bool) -> Result<()> {
        let row = entity::outside_identity::ActiveModel {
            workspace_id: Set(user.workspace.0),
            issuer: Set(identity.issuer.clone()),
            subject: Set(identity.subject.clone()),
            user_id: Set(user.id.0),
            linked_at: Set(self.now()),
            held: Set(held),
        };
        entity::outside_identity::Entity::insert(row).exec_without_returning(&self.db).await?;
        Ok(())
    }

    /// Who has an identity now.
    pub async fn owner_of_identity(&self, scope: Scope, identity: &OutsideIdentity) -> Result<Option<UserId>> {
        let row = of_workspace(scope).filter(named(identity)).one(&self.db).await?;
        Ok(row.map(|row| UserId(row.user_id)))
    }

    /// How many identities a held user has.
    pub async fn count_identities(&self, held: &Held) -> Result<usize> {
        use entity::outside_identity::{Column, Entity};
        let rows = Entity::find().filter(Column::UserId.eq(held.user.id.0)).all(&self.db).await?;
        Ok(rows.len())
    }

    /// Takes an identity from a held user; tells whether they had it.
    pub async fn unlink_identity(&self, held: &Held, identity: &OutsideIdentity) -> Result<bool> {
        use entity::outside_identity::{Column, Entity};
        let delete = Entity::delete_many().filter(Column::UserId.eq(held.user.id.0)).filter(named(identity));
        Ok(delete.exec(&self.db).await?.rows_affected > 0)
    }
}
