//! Checkpoints, where executions wait for people, and the policies that say when.

use sea_orm_migration::{
    prelude::*,
    schema::{
        big_integer, big_integer_null, boolean, double_null, integer, integer_null, string, string_null, text,
        text_null, uuid, uuid_null,
    },
    sea_orm::DbBackend,
};

use crate::columns::{ACTOR_KINDS, index, owned_by, time, time_null, word};

#[derive(DeriveMigrationName)]
pub struct Migration;

const STEP_STATUSES: [&str; 9] =
    ["PENDING", "AWAITING_APPROVAL", "SCHEDULED", "RUNNING", "RETRYING", "COMPLETED", "FAILED", "SKIPPED", "CANCELLED"];
const KINDS: [&str; 7] = ["STEP", "PLAN", "TOOL_CALL", "CHANGE_SET", "CLARIFICATION", "MILESTONE", "EXTERNAL"];
const STATUSES: [&str; 7] = ["PENDING", "APPROVED", "REJECTED", "TIMED_OUT", "AUTO_APPROVED", "CANCELLED", "EXPIRED"];
const RISKS: [&str; 4] = ["LOW", "MEDIUM", "HIGH", "CRITICAL"];
const SOURCES: [&str; 2] = ["API", "FILE"];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let backend = manager.get_database_backend();
        allow_steps_to_wait(manager, backend).await?;
        // Workflows that the server keeps for itself, such as the one of requests that stand alone.
        let mut hidden = boolean("hidden");
        hidden.default(false);
        manager.alter_table(Table::alter().table("workflow").add_column(hidden).to_owned()).await?;
        for mut table in [checkpoint(), audience(), policy_version(), workspace_policy(), out_of_office()] {
            if backend == DbBackend::Sqlite {
                table.extra("WITHOUT ROWID");
            }
            manager.create_table(table).await?;
        }
        for index in indexes() {
            manager.create_index(index).await?;
        }
        Ok(())
    }
}

/// Adds states to a table's check, which SQLite can only do by making the table anew. Nothing refers to its rows.
async fn allow_steps_to_wait(manager: &SchemaManager<'_>, backend: DbBackend) -> Result<(), DbErr> {
    let db = manager.get_connection();
    let words: Vec<String> = STEP_STATUSES.iter().map(|status| format!("'{status}'")).collect();
    let check = format!("CHECK (status IN ({}))", words.join(", "));
    if backend == DbBackend::Postgres {
        db.execute_unprepared("ALTER TABLE step_run DROP CONSTRAINT step_run_status_check").await?;
        db.execute_unprepared(&format!("ALTER TABLE step_run ADD CONSTRAINT step_run_status_check {check}")).await?;
        return Ok(());
    }
    let mut table = step_run();
    table.extra("WITHOUT ROWID");
    manager.create_table(table).await?;
    db.execute_unprepared("INSERT INTO step_run_next SELECT * FROM step_run").await?;
    db.execute_unprepared("DROP TABLE step_run").await?;
    db.execute_unprepared("ALTER TABLE step_run_next RENAME TO step_run").await?;
    let mut by_server = index("step_run_by_server", "step_run", &["server_id"]);
    by_server.cond_where(Expr::col("server_id").is_not_null());
    manager.create_index(by_server).await
}

/// With the columns in the same order as before.
fn step_run() -> TableCreateStatement {
    Table::create()
        .table("step_run_next")
        .col(uuid("execution_id"))
        .col(integer("step"))
        .col(word("status", STEP_STATUSES))
        .col(integer("attempt"))
        .col(uuid_null("agent_id"))
        .col(integer("agent_version"))
        .col(uuid_null("server_id"))
        .col(big_integer_null("started_at"))
        .col(big_integer_null("finished_at"))
        .col(big_integer_null("retry_at"))
        .col(big_integer_null("finished_seq"))
        .col(big_integer("llm_calls"))
        .col(big_integer("tokens"))
        .col(big_integer("cost_micros"))
        .primary_key(Index::create().col("execution_id").col("step"))
        .foreign_key(&mut owned_by("execution", "execution_id"))
        .to_owned()
}

/// Times are microseconds since 1970, as in all hot tables.
fn checkpoint() -> TableCreateStatement {
    Table::create()
        .table("checkpoint")
        .col(uuid("id").primary_key())
        .col(uuid("workspace_id"))
        .col(uuid("execution_id"))
        .col(uuid("workflow_id"))
        .col(integer_null("step"))
        .col(uuid_null("agent_id"))
        .col(word("kind", KINDS))
        .col(word("status", STATUSES))
        .col(boolean("test"))
        .col(string("operation_type"))
        .col(text("description"))
        .col(word("risk_level", RISKS))
        // From 0, the most urgent: lists by risk are walked in its order.
        .col(integer("risk_order"))
        .col(double_null("confidence"))
        .col(big_integer_null("estimated_cost"))
        .col(integer_null("items"))
        .col(string_null("rule"))
        .col(integer_null("policy"))
        // Who may decide, by a name that many checkpoints share.
        .col(string_null("audience"))
        .col(integer("approvals"))
        .col(integer("approvals_needed"))
        .col(uuid_null("assignee_id"))
        .col(integer("revision"))
        .col(string("digest"))
        .col(big_integer("requested_at"))
        .col(big_integer_null("deadline"))
        // The same, with those that wait for ever at the end.
        .col(big_integer("deadline_order"))
        .col(big_integer_null("escalated_at"))
        .col(integer("reminders"))
        .col(big_integer_null("resolved_at"))
        .foreign_key(&mut owned_by("workspace", "workspace_id"))
        .foreign_key(&mut owned_by("execution", "execution_id"))
        .to_owned()
}

/// Who may decide, once for all checkpoints of which that is true.
fn audience() -> TableCreateStatement {
    Table::create()
        .table("audience")
        .col(uuid("workspace_id"))
        .col(string("name"))
        .col(text("members"))
        .col(text("barred"))
        .primary_key(Index::create().col("workspace_id").col("name"))
        .foreign_key(&mut owned_by("workspace", "workspace_id"))
        .to_owned()
}

fn policy_version() -> TableCreateStatement {
    Table::create()
        .table("policy_version")
        .col(uuid("workspace_id"))
        .col(integer("number"))
        .col(text("document"))
        .col(word("source", SOURCES))
        .col(time("created_at"))
        .col(word("actor_kind", ACTOR_KINDS))
        .col(uuid_null("actor_id"))
        .primary_key(Index::create().col("workspace_id").col("number"))
        .foreign_key(&mut owned_by("workspace", "workspace_id"))
        .to_owned()
}

/// Which policy is in force, and whether nothing may be approved without people.
fn workspace_policy() -> TableCreateStatement {
    Table::create()
        .table("workspace_policy")
        .col(uuid("workspace_id").primary_key())
        .col(integer_null("version"))
        .col(boolean("emergency_stop"))
        .col(text_null("stop_reason"))
        .col(time_null("stopped_at"))
        // Grows with every change: what was decided by an older one is decided again.
        .col(big_integer("epoch"))
        .foreign_key(&mut owned_by("workspace", "workspace_id"))
        .to_owned()
}

fn out_of_office() -> TableCreateStatement {
    Table::create()
        .table("out_of_office")
        .col(uuid("user_id").primary_key())
        .col(uuid("delegate_id"))
        .col(time("starts_at"))
        .col(time("ends_at"))
        .foreign_key(&mut owned_by("user_account", "user_id"))
        .foreign_key(&mut owned_by("user_account", "delegate_id"))
        .to_owned()
}

fn indexes() -> Vec<IndexCreateStatement> {
    let waiting = || Expr::col("status").eq("PENDING");
    // The state is a column of each, although it is always the same: so SQLite counts within the index. What somebody is
    // asked to decide is found by who may decide, whatever else waits.
    let pending = [
        index("checkpoint_by_risk", "checkpoint", &["workspace_id", "status", "risk_order", "id"]),
        index("checkpoint_by_deadline", "checkpoint", &["workspace_id", "status", "deadline_order", "id"]),
        index("checkpoint_by_workflow", "checkpoint", &["workspace_id", "status", "workflow_id", "id"]),
        index("checkpoint_mine_by_age", "checkpoint", &["workspace_id", "status", "audience", "id"]),
        index("checkpoint_mine_by_risk", "checkpoint", &["workspace_id", "status", "audience", "risk_order", "id"]),
        index(
            "checkpoint_mine_by_deadline",
            "checkpoint",
            &["workspace_id", "status", "audience", "deadline_order", "id"],
        ),
    ];
    let mut all: Vec<IndexCreateStatement> = Vec::new();
    for mut index in pending {
        index.cond_where(waiting());
        all.push(index);
    }
    let mut assigned = index("checkpoint_by_assignee", "checkpoint", &["workspace_id", "assignee_id", "id"]);
    assigned.cond_where(waiting().and(Expr::col("assignee_id").is_not_null()));
    all.push(assigned);
    all.push(index("checkpoint_all_by_age", "checkpoint", &["workspace_id", "id"]));
    all.push(index("checkpoint_by_status", "checkpoint", &["workspace_id", "status", "id"]));
    all.push(index("checkpoint_by_execution", "checkpoint", &["execution_id", "id"]));
    all.push(index("out_of_office_by_delegate", "out_of_office", &["delegate_id"]));
    all
}
