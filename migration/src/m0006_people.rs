//! People: names that are found in any script, and how old the provider's word about their roles is.

use sea_orm_migration::{
    prelude::*,
    schema::string,
    sea_orm::{ConnectionTrait, prelude::Uuid},
};

use crate::columns::time_null;

const TABLE: &str = "user_account";

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        // SQLite adds one column at a time.
        for column in [string("folded_name").default("").to_owned(), time_null("roles_issued_at")] {
            manager.alter_table(Table::alter().table(TABLE).add_column(column).to_owned()).await?;
        }
        fold_names(manager.get_connection()).await
    }
}

/// The databases' own functions disagree beyond ASCII, so names are folded here.
async fn fold_names(db: &SchemaManagerConnection<'_>) -> Result<(), DbErr> {
    let names = Query::select().columns(["id", "display_name"]).from(TABLE).to_owned();
    for row in db.query_all(&names).await? {
        let (id, name): (Uuid, String) = (row.try_get("", "id")?, row.try_get("", "display_name")?);
        let update = Query::update()
            .table(TABLE)
            .value("folded_name", name.to_lowercase())
            .and_where(Expr::col("id").eq(id))
            .to_owned();
        db.execute(&update).await?;
    }
    Ok(())
}
