//! Lines of the journal and steps are written in the transaction that writes their execution. PostgreSQL need not look
//! for the execution of each of them, which takes a third of the time that it takes to write them: it only has to forget
//! them together with their execution. An execution belongs to a workflow, and that to a workspace.
//!
//! SQLite can only forget a key by writing the whole table anew, and looks quickly.

use sea_orm_migration::{prelude::*, sea_orm::DbBackend};

#[derive(DeriveMigrationName)]
pub struct Migration;

const FORGET: &str = "
    CREATE FUNCTION forget_with_execution() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        DELETE FROM journal USING gone WHERE journal.execution_id = gone.id;
        DELETE FROM step_run USING gone WHERE step_run.execution_id = gone.id;
        RETURN NULL;
    END $$;
    CREATE TRIGGER forget_with_execution AFTER DELETE ON execution REFERENCING OLD TABLE AS gone
        FOR EACH STATEMENT EXECUTE FUNCTION forget_with_execution();
";

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        if manager.get_database_backend() != DbBackend::Postgres {
            return Ok(());
        }
        for (table, key) in [
            ("journal", "journal_execution_id_fkey"),
            ("step_run", "step_run_execution_id_fkey"),
            ("execution", "execution_workspace_id_fkey"),
        ] {
            manager.alter_table(Table::alter().table(table).drop_foreign_key(key).to_owned()).await?;
        }
        manager.get_connection().execute_unprepared(FORGET).await.map(|_| ())
    }
}
