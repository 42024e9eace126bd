//! The server's own keys, made on first use and shared by all processes on one database.

use chrono::{DateTime, Utc};
use rand::Rng;
use sea_orm::{ActiveValue::Set, EntityTrait, TryInsertResult, sea_query::OnConflict};

use super::{Error, Result, Store};

impl Store {
    /// The 32-byte key for a purpose. Two processes that start together agree on one.
    pub async fn server_key(&self, purpose: &str, now: DateTime<Utc>) -> Result<Vec<u8>> {
        if let Some(key) = self.find_server_key(purpose).await? {
            return Ok(key);
        }
        let mut secret = vec![0_u8; 32];
        rand::rng().fill_bytes(&mut secret);
        let tx = self.begin(now).await?;
        let row = entity::server_key::ActiveModel {
            purpose: Set(purpose.to_owned()),
            secret: Set(secret),
            created_at: Set(now),
        };
        let _: TryInsertResult<_> = entity::server_key::Entity::insert(row)
            .on_conflict(OnConflict::column(entity::server_key::Column::Purpose).do_nothing().to_owned())
            .try_insert()
            .exec_without_returning(&tx.db)
            .await?;
        tx.commit().await?;
        let missing = || Error::Unexpected("a server key vanished while it was made".to_owned());
        self.find_server_key(purpose).await?.ok_or_else(missing)
    }

    async fn find_server_key(&self, purpose: &str) -> Result<Option<Vec<u8>>> {
        let row = entity::server_key::Entity::find_by_id(purpose).one(self.read()).await?;
        Ok(row.map(|row| row.secret))
    }
}
