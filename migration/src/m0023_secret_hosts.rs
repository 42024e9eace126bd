//! To which hosts a secret may be sent, and by which agents. Secrets from before have neither until the server has
//! started once.

use sea_orm_migration::{prelude::*, schema::text_null};

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for column in ["hosts", "agents"] {
            let table = Table::alter().table("secret").add_column(text_null(column)).to_owned();
            manager.alter_table(table).await?;
        }
        Ok(())
    }
}
