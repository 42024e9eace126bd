//! Agents and workflows, with everything that they have been.
//!
//! JSON is kept in text columns: the databases' own JSON types lose digits, key order or both.

use sea_orm_migration::{
    prelude::*,
    schema::{integer, integer_null, string, text, uuid, uuid_null},
};

use crate::columns::{ACTOR_KINDS, index, owned_by, time, time_null, word};

#[derive(DeriveMigrationName)]
pub struct Migration;

const AGENT_KINDS: [&str; 3] = ["HTTP", "WORKER", "TRANSFORM"];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for table in [agent(), agent_version(), workflow(), workflow_version(), workflow_draft()] {
            manager.create_table(table).await?;
        }
        for index in indexes() {
            manager.create_index(index).await?;
        }
        Ok(())
    }
}

fn agent() -> TableCreateStatement {
    Table::create()
        .table("agent")
        .col(uuid("id").primary_key())
        .col(uuid("workspace_id"))
        .col(string("name"))
        .col(string("folded_name"))
        .col(word("kind", AGENT_KINDS))
        .col(integer("version"))
        .col(time("created_at"))
        .col(time("updated_at"))
        .col(time_null("archived_at"))
        .foreign_key(&mut owned_by("workspace", "workspace_id"))
        .to_owned()
}

fn agent_version() -> TableCreateStatement {
    Table::create()
        .table("agent_version")
        .col(uuid("agent_id"))
        .col(integer("version"))
        .col(text("spec"))
        .col(time("created_at"))
        .col(word("actor_kind", ACTOR_KINDS))
        .col(uuid_null("actor_id"))
        .primary_key(Index::create().col("agent_id").col("version"))
        .foreign_key(&mut owned_by("agent", "agent_id"))
        .to_owned()
}

fn workflow() -> TableCreateStatement {
    Table::create()
        .table("workflow")
        .col(uuid("id").primary_key())
        .col(uuid("workspace_id"))
        .col(string("name"))
        .col(string("folded_name"))
        .col(text("description"))
        .col(integer_null("latest_version"))
        .col(time("created_at"))
        .col(time("updated_at"))
        .col(time_null("archived_at"))
        .foreign_key(&mut owned_by("workspace", "workspace_id"))
        .to_owned()
}

fn workflow_version() -> TableCreateStatement {
    Table::create()
        .table("workflow_version")
        .col(uuid("workflow_id"))
        .col(integer("version"))
        .col(text("document"))
        .col(integer_null("restored_from"))
        .col(time("created_at"))
        .col(word("actor_kind", ACTOR_KINDS))
        .col(uuid_null("actor_id"))
        .primary_key(Index::create().col("workflow_id").col("version"))
        .foreign_key(&mut owned_by("workflow", "workflow_id"))
        .to_owned()
}

/// Beside the workflow and not in it, so that lists do not read documents.
fn workflow_draft() -> TableCreateStatement {
    Table::create()
        .table("workflow_draft")
        .col(uuid("workflow_id").primary_key())
        .col(text("document"))
        .col(time("updated_at"))
        .col(word("actor_kind", ACTOR_KINDS))
        .col(uuid_null("actor_id"))
        .foreign_key(&mut owned_by("workflow", "workflow_id"))
        .to_owned()
}

fn indexes() -> Vec<IndexCreateStatement> {
    vec![
        // Names are unique, archived ones included: what was archived can come back. Also the lists' order by name.
        index("agent_name", "agent", &["workspace_id", "name"]).unique().to_owned(),
        index("workflow_name", "workflow", &["workspace_id", "name"]).unique().to_owned(),
        // The other orders that the API's lists offer.
        index("agent_by_age", "agent", &["workspace_id", "created_at", "id"]),
        index("agent_by_change", "agent", &["workspace_id", "updated_at", "id"]),
        index("workflow_by_age", "workflow", &["workspace_id", "created_at", "id"]),
        index("workflow_by_change", "workflow", &["workspace_id", "updated_at", "id"]),
    ]
}
