//! The audit log as a chain, with personal values beside it that can be erased.
//!
//! What is there already is chained by the server when it starts: the database cannot hash.

use sea_orm_migration::{
    prelude::*,
    schema::{big_integer, big_integer_null, binary, json_null, string, string_null, text, uuid, uuid_null},
    sea_orm::DbBackend,
};

use crate::columns::{index, owned_by, time_null};

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let backend = manager.get_database_backend();
        for column in [
            big_integer_null("sequence"),
            string_null("previous"),
            string_null("hash"),
            uuid_null("person_id"),
            uuid_null("on_behalf_of"),
            uuid_null("execution_id"),
            string_null("digest"),
            json_null("before"),
            json_null("after"),
            json_null("personal"),
        ] {
            manager.alter_table(Table::alter().table("audit_entry").add_column(column).to_owned()).await?;
        }
        let erased_at = time_null("erased_at");
        manager.alter_table(Table::alter().table("user_account").add_column(erased_at).to_owned()).await?;
        for mut table in [audit_value(), audit_head(), audit_signature()] {
            if backend == DbBackend::Sqlite {
                table.extra("WITHOUT ROWID");
            }
            manager.create_table(table).await?;
        }
        move_addresses(manager, backend).await?;
        for index in indexes() {
            manager.create_index(index).await?;
        }
        Ok(())
    }
}

/// An address is somebody's: the person's who acted, or who made the token that did.
async fn move_addresses(manager: &SchemaManager<'_>, backend: DbBackend) -> Result<(), DbErr> {
    let (salt, value) = match backend {
        DbBackend::Postgres => (
            "uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())",
            "json_build_object('address', address)::text",
        ),
        _ => ("randomblob(32)", "json_object('address', address)"),
    };
    let person = "CASE actor_kind WHEN 'USER' THEN actor_id WHEN 'API_TOKEN' THEN \
        (SELECT created_by FROM api_token WHERE api_token.id = actor_id) END";
    let statement = format!(
        "INSERT INTO audit_value (entry_id, part, person_id, salt, value) \
         SELECT id, 'origin', {person}, {salt}, {value} FROM audit_entry WHERE address IS NOT NULL"
    );
    let db = manager.get_connection();
    db.execute_unprepared(&statement).await?;
    db.execute_unprepared("ALTER TABLE audit_entry DROP COLUMN address").await?;
    Ok(())
}

fn audit_value() -> TableCreateStatement {
    Table::create()
        .table("audit_value")
        .col(uuid("entry_id"))
        .col(string("part"))
        .col(uuid_null("person_id"))
        .col(binary("salt"))
        .col(text("value"))
        .primary_key(Index::create().col("entry_id").col("part"))
        .foreign_key(&mut owned_by("audit_entry", "entry_id"))
        .to_owned()
}

fn audit_head() -> TableCreateStatement {
    Table::create()
        .table("audit_head")
        .col(uuid("workspace_id").primary_key())
        .col(big_integer("sequence"))
        .col(string("hash"))
        .col(big_integer("signed"))
        .foreign_key(&mut owned_by("workspace", "workspace_id"))
        .to_owned()
}

fn audit_signature() -> TableCreateStatement {
    Table::create()
        .table("audit_signature")
        .col(uuid("workspace_id"))
        .col(big_integer("sequence"))
        .col(string("hash"))
        .col(string("at"))
        .col(string("key"))
        .col(string("signature"))
        .primary_key(Index::create().col("workspace_id").col("sequence"))
        .foreign_key(&mut owned_by("workspace", "workspace_id"))
        .to_owned()
}

fn indexes() -> Vec<IndexCreateStatement> {
    let mut chain = index("audit_entry_chain", "audit_entry", &["workspace_id", "sequence"]);
    chain.unique();
    let mut indexes = vec![chain, index("audit_entry_by_time", "audit_entry", &["workspace_id", "at"])];
    // The filters of lists.
    for (name, column) in [
        ("audit_entry_by_actor", "actor_id"),
        ("audit_entry_by_person", "person_id"),
        ("audit_entry_by_subject", "subject"),
        ("audit_entry_by_execution", "execution_id"),
    ] {
        let mut filter = index(name, "audit_entry", &["workspace_id", column, "position"]);
        filter.cond_where(Expr::col(column).is_not_null());
        indexes.push(filter);
    }
    // What an erasure deletes.
    let mut of_person = index("audit_value_by_person", "audit_value", &["person_id"]);
    of_person.cond_where(Expr::col("person_id").is_not_null());
    indexes.push(of_person);
    indexes
}
