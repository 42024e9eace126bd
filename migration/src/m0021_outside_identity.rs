//! Outside identities have a table of their own: an account can have several, each by issuer and subject.

use sea_orm_migration::{
    prelude::*,
    schema::{string, uuid},
    sea_orm::{
        ConnectionTrait,
        prelude::{DateTimeUtc, Uuid},
    },
};

use crate::columns::{index, owned_by, time};

const ACCOUNTS: &str = "user_account";
const TABLE: &str = "outside_identity";

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let table = Table::create()
            .table(TABLE)
            .col(uuid("workspace_id"))
            .col(string("issuer"))
            .col(string("subject"))
            .col(uuid("user_id"))
            .col(time("linked_at"))
            .primary_key(Index::create().col("workspace_id").col("issuer").col("subject"))
            .foreign_key(&mut owned_by("workspace", "workspace_id"))
            .foreign_key(&mut owned_by(ACCOUNTS, "user_id"))
            .to_owned();
        manager.create_table(table).await?;
        manager.create_index(index("outside_identity_by_user", TABLE, &["user_id"])).await?;
        let db = manager.get_connection();
        copy(db).await?;
        // SQLite drops no column that an index still names.
        manager.drop_index(Index::drop().name("user_account_outside_subject").table(ACCOUNTS).to_owned()).await?;
        db.execute_unprepared("ALTER TABLE user_account DROP COLUMN outside_subject").await?;
        Ok(())
    }
}

/// Until now an account had one text: the issuer, a space and the subject. An issuer is a URL and has no spaces.
async fn copy(db: &SchemaManagerConnection<'_>) -> Result<(), DbErr> {
    let linked = Query::select()
        .columns(["id", "workspace_id", "outside_subject", "created_at"])
        .from(ACCOUNTS)
        .and_where(Expr::col("outside_subject").is_not_null())
        .to_owned();
    for row in db.query_all(&linked).await? {
        let (user, workspace): (Uuid, Uuid) = (row.try_get("", "id")?, row.try_get("", "workspace_id")?);
        let (text, at): (String, DateTimeUtc) = (row.try_get("", "outside_subject")?, row.try_get("", "created_at")?);
        let Some((issuer, subject)) = text.split_once(' ') else { continue };
        let insert = Query::insert()
            .into_table(TABLE)
            .columns(["workspace_id", "issuer", "subject", "user_id", "linked_at"])
            .values_panic([workspace.into(), issuer.into(), subject.into(), user.into(), at.into()])
            .to_owned();
        db.execute(&insert).await?;
    }
    Ok(())
}
