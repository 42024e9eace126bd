//! What was learned from decisions: cases in which people wanted something else, and what they say about rules.

use sea_orm_migration::{
    prelude::*,
    schema::{big_integer, big_integer_null, boolean, double, integer, string, text, text_null, uuid, uuid_null},
    sea_orm::DbBackend,
};

use crate::columns::{index, owned_by, time, word};

const LESSONS: [&str; 4] = ["MODIFIED", "NARROWED", "REJECTED", "OVERRIDDEN"];
const RISKS: [&str; 4] = ["LOW", "MEDIUM", "HIGH", "CRITICAL"];
const MODES: [&str; 2] = ["LIVE", "SHADOW"];

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        // SQLite adds one column at a time.
        for column in [boolean("modified").default(false).to_owned(), big_integer_null("overridden_at")] {
            manager.alter_table(Table::alter().table("checkpoint").add_column(column).to_owned()).await?;
        }
        for mut table in [learning_case(), rule_evidence(), rule_mode()] {
            if manager.get_database_backend() == DbBackend::Sqlite {
                table.extra("WITHOUT ROWID");
            }
            manager.create_table(table).await?;
        }
        let mut decided = index("checkpoint_decided", "checkpoint", &["workspace_id", "operation_type", "resolved_at"]);
        decided.cond_where(Expr::col("resolved_at").is_not_null());
        for index in [
            decided,
            index("learning_case_by_age", "learning_case", &["workspace_id", "id"]),
            index("learning_case_by_operation", "learning_case", &["workspace_id", "operation_type", "id"]),
            index("rule_evidence_by_rule", "rule_evidence", &["workspace_id", "fingerprint", "at"]),
            index("rule_evidence_by_execution", "rule_evidence", &["execution_id"]),
            index("learning_case_by_execution", "learning_case", &["execution_id"]),
        ] {
            manager.create_index(index).await?;
        }
        Ok(())
    }
}

/// Times are microseconds since 1970, as in all tables that are derived from the journal.
fn learning_case() -> TableCreateStatement {
    Table::create()
        .table("learning_case")
        // That of its checkpoint.
        .col(uuid("id").primary_key())
        .col(uuid("workspace_id"))
        .col(uuid("execution_id"))
        .col(uuid("workflow_id"))
        .col(uuid_null("agent_id"))
        .col(word("kind", LESSONS))
        .col(boolean("test"))
        .col(string("operation_type"))
        .col(word("risk_level", RISKS))
        .col(uuid("person_id"))
        .col(text_null("reason"))
        .col(text("changes"))
        .col(integer("proposed_revision"))
        .col(integer("decided_revision"))
        .col(big_integer("at"))
        .foreign_key(&mut owned_by("workspace", "workspace_id"))
        .foreign_key(&mut owned_by("execution", "execution_id"))
        .to_owned()
}

/// Whether people agreed with a rule that would have approved, or did.
fn rule_evidence() -> TableCreateStatement {
    Table::create()
        .table("rule_evidence")
        .col(uuid("checkpoint_id"))
        .col(string("rule"))
        .col(uuid("workspace_id"))
        .col(uuid("execution_id"))
        .col(string("fingerprint"))
        .col(boolean("agreed"))
        .col(big_integer("at"))
        .primary_key(Index::create().col("checkpoint_id").col("rule"))
        .foreign_key(&mut owned_by("workspace", "workspace_id"))
        .foreign_key(&mut owned_by("execution", "execution_id"))
        .to_owned()
}

/// Rules that have earned or lost the right to approve, whatever their document says.
fn rule_mode() -> TableCreateStatement {
    Table::create()
        .table("rule_mode")
        .col(uuid("workspace_id"))
        .col(string("fingerprint"))
        .col(string("rule"))
        .col(word("mode", MODES))
        // What the document said then: whoever changes that means it.
        .col(word("declared", MODES))
        .col(double("agreement"))
        .col(integer("decisions"))
        .col(time("since"))
        .primary_key(Index::create().col("workspace_id").col("fingerprint").col("rule"))
        .foreign_key(&mut owned_by("workspace", "workspace_id"))
        .to_owned()
}
