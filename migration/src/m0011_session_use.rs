//! Sessions know whether anything of their latest refresh has been used: until then, its answer may have been lost.

use sea_orm_migration::{
    prelude::*,
    schema::{boolean, integer},
};

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        // Nobody knows about the sessions that there are: they stay as strict as they were.
        let columns = [integer("generation").default(0).to_owned(), boolean("used").default(true).to_owned()];
        // SQLite adds one column at a time.
        for column in columns {
            manager.alter_table(Table::alter().table("session").add_column(column).to_owned()).await?;
        }
        Ok(())
    }
}
