//! The database's shape, forward only: a migration that has been released is never edited.

pub use sea_orm_migration::MigratorTrait;
use sea_orm_migration::prelude::*;

mod columns;
mod m0001_identity;
mod m0002_library;
mod m0003_execution;
mod m0004_secret;
mod m0005_checkpoint;
mod m0006_people;
mod m0007_audit_chain;
mod m0008_deliverable;
mod m0009_memory;
mod m0010_rollup;
mod m0011_session_use;
mod m0012_packed_journal;
mod m0013_journal_owner;
mod m0014_rollup_of_fortnights;
mod m0015_owned_lines;
mod m0016_fortnights_of_one_workflow;
mod m0017_blocks_of_lines;
mod m0018_folded_groups;
mod m0019_audit_witness;
mod m0020_service_account;
mod m0021_outside_identity;
mod m0022_reviewed_change;
mod m0023_secret_hosts;
mod m0024_held_ways_in;

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
            Box::new(m0006_people::Migration),
            Box::new(m0007_audit_chain::Migration),
            Box::new(m0008_deliverable::Migration),
            Box::new(m0009_memory::Migration),
            Box::new(m0010_rollup::Migration),
            Box::new(m0011_session_use::Migration),
            Box::new(m0012_packed_journal::Migration),
            Box::new(m0013_journal_owner::Migration),
            Box::new(m0014_rollup_of_fortnights::Migration),
            Box::new(m0015_owned_lines::Migration),
            Box::new(m0016_fortnights_of_one_workflow::Migration),
            Box::new(m0017_blocks_of_lines::Migration),
            Box::new(m0018_folded_groups::Migration),
            Box::new(m0019_audit_witness::Migration),
            Box::new(m0020_service_account::Migration),
            Box::new(m0021_outside_identity::Migration),
            Box::new(m0022_reviewed_change::Migration),
            Box::new(m0023_secret_hosts::Migration),
            Box::new(m0024_held_ways_in::Migration),
        ]
    }
}
