//! Erasing what is personal, and leaving the chain as it is.

use sea_orm::{
    ActiveValue::Set, ColumnTrait, Condition, ConnectionTrait, DbBackend, EntityTrait, QueryFilter, Statement,
};

use super::write::lock;
use crate::{
    domain::{access::Scope, id::UserId},
    store::{Result, Store, Tx},
};

/// What an account is called of which nothing personal is left.
const NOBODY: &str = "Erased";

impl Tx {
    /// Erases everything personal of an account that is known to be in the workspace. Gives how many values of the
    /// audit log were erased.
    pub async fn erase_person(&self, scope: Scope, user: UserId) -> Result<u64> {
        use entity::{
            audit_value, group_member, out_of_office, outside_identity, session, sign_in_link, user as account,
        };
        session::Entity::delete_many().filter(session::Column::UserId.eq(user.0)).exec(&self.db).await?;
        sign_in_link::Entity::delete_many().filter(sign_in_link::Column::UserId.eq(user.0)).exec(&self.db).await?;
        group_member::Entity::delete_many().filter(group_member::Column::UserId.eq(user.0)).exec(&self.db).await?;
        let identities = outside_identity::Entity::delete_many().filter(outside_identity::Column::UserId.eq(user.0));
        identities.exec(&self.db).await?;
        let absences = Condition::any()
            .add(out_of_office::Column::UserId.eq(user.0))
            .add(out_of_office::Column::DelegateId.eq(user.0));
        out_of_office::Entity::delete_many().filter(absences).exec(&self.db).await?;
        let nobody = account::ActiveModel {
            // Nobody has such an address (RFC 2606), and no two accounts have the same.
            email: Set(format!("{user}@erased.invalid")),
            display_name: Set(NOBODY.to_owned()),
            password_hash: Set(None),
            last_sign_in_at: Set(None),
            disabled_at: Set(Some(self.now())),
            erased_at: Set(Some(self.now())),
            ..Default::default()
        };
        account::Entity::update_many()
            .set(nobody)
            .filter(account::Column::Id.eq(user.0))
            .filter(account::Column::WorkspaceId.eq(scope.workspace().0))
            .exec(&self.db)
            .await?;
        // Under the lock of the log, which comes last: what others are writing is there, or sees that nobody is left.
        lock(&self.db).await?;
        let values = audit_value::Entity::delete_many().filter(audit_value::Column::PersonId.eq(user.0));
        Ok(values.exec(&self.db).await?.rows_affected)
    }
}

impl Store {
    /// Makes SQLite forget what was erased also in its log of writes. What was deleted in the file is overwritten
    /// already; PostgreSQL's own vacuum does it there.
    pub async fn scrub(&self) -> Result<()> {
        if self.0.backend == DbBackend::Sqlite {
            let checkpoint = Statement::from_string(DbBackend::Sqlite, "PRAGMA wal_checkpoint(TRUNCATE)");
            let answer = self.0.write.query_one_raw(checkpoint).await?;
            let busy = answer.and_then(|row| row.try_get_by_index::<i64>(0).ok());
            if busy != Some(0) {
                tracing::warn!("what was erased is still in SQLite's log of writes: somebody reads at the moment");
            }
        }
        Ok(())
    }
}
