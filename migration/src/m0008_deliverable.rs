//! Deliverables: what executions leave behind.

use sea_orm_migration::{
    prelude::*,
    schema::{
        big_integer, big_integer_null, binary, integer, integer_null, string, string_null, text, text_null, uuid,
        uuid_null,
    },
    sea_orm::DbBackend,
};

use crate::columns::{ACTOR_KINDS, index, owned_by, word};

#[derive(DeriveMigrationName)]
pub struct Migration;

const TYPES: [&str; 5] = ["DOCUMENT", "CODE", "DATA", "MEDIA", "OTHER"];
const STATUSES: [&str; 3] = ["DRAFT", "FINAL", "ARCHIVED"];
const STORAGES: [&str; 3] = ["INLINE", "FILE", "EXTERNAL"];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let backend = manager.get_database_backend();
        let retention = integer_null("deliverable_retention_days");
        manager.alter_table(Table::alter().table("workspace").add_column(retention).to_owned()).await?;
        for mut table in [deliverable(), version(), upload(), loose_object()] {
            if backend == DbBackend::Sqlite {
                table.extra("WITHOUT ROWID");
            }
            manager.create_table(table).await?;
        }
        // Its rows are large, which a table without row numbers does not like.
        manager.create_table(body()).await?;
        for index in indexes() {
            manager.create_index(index).await?;
        }
        Ok(())
    }
}

/// Times are microseconds since 1970, as in all hot tables.
fn deliverable() -> TableCreateStatement {
    Table::create()
        .table("deliverable")
        .col(uuid("id").primary_key())
        .col(uuid("workspace_id"))
        .col(uuid("execution_id"))
        .col(integer_null("step"))
        .col(uuid_null("agent_id"))
        .col(uuid_null("checkpoint_id"))
        .col(string("name"))
        // The name as searches see it.
        .col(string("folded_name"))
        .col(text("description"))
        .col(word("type", TYPES))
        .col(word("status", STATUSES))
        // What restoring makes of it.
        .col(word_null("status_before", STATUSES))
        // The newest one.
        .col(integer("version"))
        .col(big_integer("created_at"))
        .col(big_integer("updated_at"))
        .col(big_integer_null("archived_at"))
        .col(big_integer_null("content_deleted_at"))
        .col(word("actor_kind", ACTOR_KINDS))
        .col(uuid_null("actor_id"))
        .foreign_key(&mut owned_by("workspace", "workspace_id"))
        .foreign_key(&mut owned_by("execution", "execution_id"))
        .to_owned()
}

fn word_null(name: &'static str, words: impl IntoIterator<Item = &'static str>) -> ColumnDef {
    let mut column = string_null(name);
    column.check(Expr::col(name).is_in(words));
    column
}

fn version() -> TableCreateStatement {
    Table::create()
        .table("deliverable_version")
        .col(uuid("deliverable_id"))
        .col(integer("number"))
        .col(word("storage", STORAGES))
        .col(string("mime_type"))
        .col(big_integer_null("size"))
        .col(string_null("sha256"))
        // What a ZIP needs to know before the content.
        .col(big_integer_null("crc32"))
        .col(string_null("object_key"))
        .col(text_null("url"))
        .col(text_null("metadata"))
        .col(big_integer("created_at"))
        .col(word("actor_kind", ACTOR_KINDS))
        .col(uuid_null("actor_id"))
        .primary_key(Index::create().col("deliverable_id").col("number"))
        .foreign_key(&mut owned_by("deliverable", "deliverable_id"))
        .to_owned()
}

fn body() -> TableCreateStatement {
    Table::create()
        .table("deliverable_body")
        .col(uuid("deliverable_id"))
        .col(integer("number"))
        .col(binary("body"))
        .primary_key(Index::create().col("deliverable_id").col("number"))
        .foreign_key(&mut owned_by("deliverable", "deliverable_id"))
        .to_owned()
}

/// Content that is expected, and what will be made of it.
fn upload() -> TableCreateStatement {
    Table::create()
        .table("deliverable_upload")
        .col(uuid("id").primary_key())
        .col(uuid("workspace_id"))
        .col(uuid("deliverable_id"))
        .col(text("intent"))
        .col(word("actor_kind", ACTOR_KINDS))
        .col(uuid_null("actor_id"))
        .col(big_integer("expires_at"))
        .foreign_key(&mut owned_by("workspace", "workspace_id"))
        .to_owned()
}

/// Files that no version refers to: not yet, or not any more.
fn loose_object() -> TableCreateStatement {
    Table::create()
        .table("loose_object")
        .col(string("object_key").primary_key())
        .col(big_integer("expires_at"))
        .to_owned()
}

fn indexes() -> Vec<IndexCreateStatement> {
    let mut archived = index("deliverable_archived", "deliverable", &["workspace_id", "archived_at"]);
    archived.cond_where(Expr::col("archived_at").is_not_null().and(Expr::col("content_deleted_at").is_null()));
    let mut by_agent = index("deliverable_by_agent", "deliverable", &["workspace_id", "agent_id", "id"]);
    by_agent.cond_where(Expr::col("agent_id").is_not_null());
    vec![
        index("deliverable_by_age", "deliverable", &["workspace_id", "id"]),
        index("deliverable_by_change", "deliverable", &["workspace_id", "updated_at", "id"]),
        index("deliverable_by_status", "deliverable", &["workspace_id", "status", "id"]),
        index("deliverable_by_type", "deliverable", &["workspace_id", "type", "id"]),
        index("deliverable_by_execution", "deliverable", &["execution_id", "id"]),
        by_agent,
        archived,
        index("deliverable_upload_by_deliverable", "deliverable_upload", &["deliverable_id"]),
        index("deliverable_upload_due", "deliverable_upload", &["expires_at"]),
        index("loose_object_due", "loose_object", &["expires_at"]),
    ]
}
