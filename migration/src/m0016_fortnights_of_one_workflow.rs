//! Fortnights are also added up by workflow and agent. Those that an earlier version added up are forgotten, and the server
//! adds them up anew from their days and quarters when it starts.

use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        // The rows that say that a fortnight is added up are among them.
        let fortnights = Expr::col("resolution").is_in(["FORTNIGHT", "FORTNIGHT_TOTAL"]);
        let forget = Query::delete().from_table("rollup").and_where(fortnights).to_owned();
        manager.get_connection().execute(&forget).await?;
        Ok(())
    }
}
