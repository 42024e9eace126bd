//! Executions: the journal of all that happened, and what is derived from it.

use sea_orm_migration::{
    prelude::*,
    schema::{big_integer, big_integer_null, binary, double_null, integer, string, string_null, text, uuid, uuid_null},
    sea_orm::DbBackend,
};

#[derive(DeriveMigrationName)]
pub struct Migration;

const STATUSES: [&str; 9] = [
    "QUEUED",
    "PLANNING",
    "AWAITING_APPROVAL",
    "RUNNING",
    "PAUSED",
    "COMPLETED",
    "FAILED",
    "CANCELLED",
    "LIMIT_REACHED",
];
const STEP_STATUSES: [&str; 7] = ["SCHEDULED", "RUNNING", "RETRYING", "COMPLETED", "FAILED", "SKIPPED", "CANCELLED"];
const MODES: [&str; 2] = ["LIVE", "TEST"];
const ORIGIN_KINDS: [&str; 3] = ["RETRY", "RESUME", "FORK"];
const TASK_STATES: [&str; 3] = ["AVAILABLE", "CLAIMED", "HELD"];
const KEYED: [&str; 3] = ["execution", "step_run", "task"];
const ACTOR_KINDS: [&str; 3] = ["USER", "API_TOKEN", "SYSTEM"];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let backend = manager.get_database_backend();
        for mut table in [server(), payload(), execution(), journal(backend), step_run(), task()] {
            // Rows that are found by their own key alone are kept in its order, without a second tree.
            if backend == DbBackend::Sqlite
                && KEYED.iter().any(|name| table.get_table_name() == Some(&(*name).into_table_ref()))
            {
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

fn word(name: &'static str, words: impl IntoIterator<Item = &'static str>) -> ColumnDef {
    let mut column = string(name);
    column.check(Expr::col(name).is_in(words));
    column
}

fn word_null(name: &'static str, words: impl IntoIterator<Item = &'static str>) -> ColumnDef {
    let mut column = string_null(name);
    column.check(Expr::col(name).is_in(words));
    column
}

/// Times of the hot tables are microseconds since 1970: half the bytes of a text, and nothing to parse.
fn micros(name: &'static str) -> ColumnDef {
    big_integer(name)
}

fn micros_null(name: &'static str) -> ColumnDef {
    big_integer_null(name)
}

fn owned_by(table: &'static str, column: &'static str) -> ForeignKeyCreateStatement {
    ForeignKey::create().from_col(column).to(table, "id").on_delete(ForeignKeyAction::Cascade).to_owned()
}

/// One process that serves, for as long as it lives.
fn server() -> TableCreateStatement {
    Table::create()
        .table("server")
        .col(integer("number").auto_increment().primary_key())
        .col(uuid("id").unique_key())
        .col(micros("started_at"))
        .to_owned()
}

fn payload() -> TableCreateStatement {
    Table::create()
        .table("payload")
        .col(uuid("workspace_id"))
        .col(binary("hash"))
        .col(big_integer("bytes"))
        .col(binary("body"))
        .col(micros("created_at"))
        .primary_key(Index::create().col("workspace_id").col("hash"))
        .foreign_key(&mut owned_by("workspace", "workspace_id"))
        .to_owned()
}

fn execution() -> TableCreateStatement {
    Table::create()
        .table("execution")
        .col(uuid("id").primary_key())
        .col(uuid("workspace_id"))
        .col(uuid("workflow_id"))
        .col(integer("workflow_version"))
        .col(word("mode", MODES))
        .col(word("status", STATUSES))
        .col(string_null("completion_reason"))
        .col(big_integer("seq"))
        .col(integer("steps_total"))
        .col(integer("steps_done"))
        .col(string_null("correlation_id"))
        .col(uuid_null("origin_id"))
        .col(word_null("origin_kind", ORIGIN_KINDS))
        .col(string_null("origin_step"))
        .col(word("actor_kind", ACTOR_KINDS))
        .col(uuid_null("actor_id"))
        .col(micros("created_at"))
        .col(micros_null("started_at"))
        .col(micros_null("finished_at"))
        .col(big_integer("ran_for"))
        .col(micros_null("running_since"))
        .col(micros_null("wake_at"))
        .col(big_integer("llm_calls"))
        .col(big_integer("tokens"))
        .col(big_integer("cost_micros"))
        .foreign_key(&mut owned_by("workspace", "workspace_id"))
        .foreign_key(&mut owned_by("workflow", "workflow_id"))
        .to_owned()
}

fn journal(backend: DbBackend) -> TableCreateStatement {
    // SQLite's `integer` has 64 bits, and only under that name it is the row's own number.
    let mut position = if backend == DbBackend::Sqlite { integer("position") } else { big_integer("position") };
    Table::create()
        .table("journal")
        .col(position.primary_key())
        .col(uuid("workspace_id"))
        .col(uuid("execution_id"))
        // Comments, such as log lines, have no number.
        .col(big_integer_null("seq"))
        .col(micros("at"))
        .col(string("kind"))
        .col(word("actor_kind", ACTOR_KINDS))
        .col(uuid_null("actor_id"))
        .col(text("data"))
        .foreign_key(&mut owned_by("workspace", "workspace_id"))
        .foreign_key(&mut owned_by("execution", "execution_id"))
        .to_owned()
}

fn step_run() -> TableCreateStatement {
    Table::create()
        .table("step_run")
        .col(uuid("execution_id"))
        .col(integer("step"))
        .col(word("status", STEP_STATUSES))
        .col(integer("attempt"))
        .col(uuid_null("agent_id"))
        .col(integer("agent_version"))
        .col(uuid_null("server_id"))
        .col(micros_null("started_at"))
        .col(micros_null("finished_at"))
        .col(micros_null("retry_at"))
        .col(big_integer_null("finished_seq"))
        .col(big_integer("llm_calls"))
        .col(big_integer("tokens"))
        .col(big_integer("cost_micros"))
        .primary_key(Index::create().col("execution_id").col("step"))
        .foreign_key(&mut owned_by("execution", "execution_id"))
        .to_owned()
}

/// Only work that waits or is in somebody's hands: a finished task is gone.
fn task() -> TableCreateStatement {
    Table::create()
        .table("task")
        .col(uuid("id").primary_key())
        .col(uuid("workspace_id"))
        .col(uuid("execution_id"))
        .col(integer("step"))
        .col(integer("attempt"))
        .col(uuid("agent_id"))
        // Nothing for work that servers do themselves.
        .col(string_null("queue"))
        .col(word("state", TASK_STATES))
        .col(micros("available_at"))
        .col(uuid_null("lease_id"))
        .col(micros_null("lease_until"))
        .col(string_null("worker_id"))
        .col(double_null("progress"))
        .foreign_key(&mut owned_by("workspace", "workspace_id"))
        .foreign_key(&mut owned_by("execution", "execution_id"))
        .to_owned()
}

fn indexes() -> Vec<IndexCreateStatement> {
    let index = |name: &'static str, table: &'static str, columns: &[&'static str]| {
        let mut index = Index::create();
        index.name(name).table(table);
        for column in columns {
            index.col(*column);
        }
        index
    };
    let mut unique = vec![
        index("journal_by_execution", "journal", &["execution_id", "seq"]),
        index("task_by_step", "task", &["execution_id", "step"]),
    ];
    for index in &mut unique {
        index.unique();
    }
    let set = |name: &'static str| Expr::col(name).is_not_null();
    let mut partial = vec![
        // Comments of an execution, in their order.
        (index("journal_comments", "journal", &["execution_id", "position"]), Expr::col("seq").is_null()),
        // What waits for a place, fairly among workspaces.
        (index("execution_queued", "execution", &["workspace_id", "id"]), Expr::col("status").eq("QUEUED")),
        (index("execution_due", "execution", &["wake_at"]), set("wake_at")),
        (
            index("execution_by_correlation", "execution", &["workspace_id", "correlation_id", "id"]),
            set("correlation_id"),
        ),
        (index("execution_by_origin", "execution", &["origin_id"]), set("origin_id")),
        (index("step_run_by_server", "step_run", &["server_id"]), set("server_id")),
        (index("task_leased", "task", &["lease_until"]), set("lease_until")),
        // Work that servers do themselves, oldest first.
        (
            index("task_of_servers", "task", &["available_at", "id"]),
            Expr::col("queue").is_null().and(Expr::col("state").eq("AVAILABLE")),
        ),
    ];
    for (index, condition) in &mut partial {
        index.cond_where(condition.clone());
    }
    let plain = [
        index("journal_by_workspace", "journal", &["workspace_id", "position"]),
        // The orders and filters that the API's lists offer.
        index("execution_by_age", "execution", &["workspace_id", "id"]),
        index("execution_by_status", "execution", &["workspace_id", "status", "id"]),
        index("execution_by_workflow", "execution", &["workspace_id", "workflow_id", "id"]),
        index("task_by_queue", "task", &["workspace_id", "queue", "state", "available_at", "id"]),
        index("task_by_agent", "task", &["agent_id", "state"]),
    ];
    unique.into_iter().chain(partial.into_iter().map(|(index, _)| index)).chain(plain).collect()
}
