//! API tokens belong to a person or to a service account, and can be restricted.

use std::collections::HashMap;

use sea_orm_migration::{
    prelude::*,
    schema::{string, string_null, uuid, uuid_null},
    sea_orm::{
        ConnectionTrait,
        prelude::{DateTimeUtc, Uuid},
    },
};

use crate::columns::{index, owned_by, time, time_null};

const TABLE: &str = "service_account";

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let table = Table::create()
            .table(TABLE)
            .col(uuid("id").primary_key())
            .col(uuid("workspace_id"))
            .col(string("name"))
            .col(time("created_at"))
            .col(time_null("disabled_at"))
            .foreign_key(&mut owned_by("workspace", "workspace_id"))
            .to_owned();
        manager.create_table(table).await?;
        manager
            .create_index(index("service_account_name", TABLE, &["workspace_id", "name"]).unique().to_owned())
            .await?;
        manager.create_index(index("service_account_by_age", TABLE, &["workspace_id", "created_at", "id"])).await?;
        let columns = [
            uuid_null("user_id"),
            uuid_null("service_account_id"),
            // JSON in text columns, as for agents: null does not restrict.
            string_null("restrictions"),
            string("rights").default("[]").to_owned(),
        ];
        // SQLite adds one column at a time.
        for column in columns {
            manager.alter_table(Table::alter().table("api_token").add_column(column).to_owned()).await?;
        }
        give_owners(manager.get_connection()).await
    }
}

/// A token that a person made is that person's, as approvals have always counted it. Every other one becomes a token of
/// the service account with its name: tokens of the same name are one identity from now on.
async fn give_owners(db: &SchemaManagerConnection<'_>) -> Result<(), DbErr> {
    let made = Query::update()
        .table("api_token")
        .value("user_id", Expr::col("created_by"))
        .and_where(Expr::col("created_by").is_not_null())
        .to_owned();
    db.execute(&made).await?;
    let others = Query::select()
        .columns(["id", "workspace_id", "name", "created_at"])
        .from("api_token")
        .and_where(Expr::col("created_by").is_null())
        .order_by("created_at", Order::Asc)
        .order_by("id", Order::Asc)
        .to_owned();
    let mut accounts: HashMap<(Uuid, String), Uuid> = HashMap::new();
    for row in db.query_all(&others).await? {
        let (token, workspace): (Uuid, Uuid) = (row.try_get("", "id")?, row.try_get("", "workspace_id")?);
        let (name, created_at): (String, DateTimeUtc) = (row.try_get("", "name")?, row.try_get("", "created_at")?);
        let account = match accounts.get(&(workspace, name.clone())) {
            Some(account) => *account,
            None => {
                // Ids are unique within their kind: the account takes that of its first token. What that token decided
                // before is then the account's own.
                let insert = Query::insert()
                    .into_table(TABLE)
                    .columns(["id", "workspace_id", "name", "created_at"])
                    .values_panic([token.into(), workspace.into(), name.clone().into(), created_at.into()])
                    .to_owned();
                db.execute(&insert).await?;
                accounts.insert((workspace, name), token);
                token
            }
        };
        let update = Query::update()
            .table("api_token")
            .value("service_account_id", account)
            .and_where(Expr::col("id").eq(token))
            .to_owned();
        db.execute(&update).await?;
    }
    Ok(())
}
