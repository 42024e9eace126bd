//! The database's shape, forward only: a migration that has been released is never edited.

pub use sea_orm_migration::MigratorTrait;
use sea_orm_migration::prelude::*;

mod columns;
mod m0001_identity;
mod m0002_library;
mod m0003_execution;
mod m0004_secret;
mod m0005_checkpoint;
mod m0008_deliverable;

pub struct Migrator;

#[async_trait::async_trait]
impl MigratorTrait for Migrator {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        vec![
            Box::new(m0001_identity::Migration),
            Box::new(m0002_library::Migration),
            Box::new(m0003_execution::Migration),
            Box::new(m0004_secret::Migration),
            Box::new(m0005_checkpoint::Migration),
            Box::new(m0008_deliverable::Migration),
        ]
    }
}
