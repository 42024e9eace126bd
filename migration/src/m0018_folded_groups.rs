//! Groups are found by part of their name, in any script.

use sea_orm_migration::{
    prelude::*,
    schema::string,
    sea_orm::{ConnectionTrait, prelude::Uuid},
};

const TABLE: &str = "approver_group";

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let column = string("folded_name").default("").to_owned();
        manager.alter_table(Table::alter().table(TABLE).add_column(column).to_owned()).await?;
        let db = manager.get_connection();
        let names = Query::select().columns(["id", "name"]).from(TABLE).to_owned();
        for row in db.query_all(&names).await? {
            let (id, name): (Uuid, String) = (row.try_get("", "id")?, row.try_get("", "name")?);
            // The databases' own functions disagree beyond ASCII.
            let folded = Query::update()
                .table(TABLE)
                .value("folded_name", name.to_lowercase())
                .and_where(Expr::col("id").eq(id))
                .to_owned();
            db.execute(&folded).await?;
        }
        Ok(())
    }
}
