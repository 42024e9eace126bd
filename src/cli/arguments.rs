//! What can be typed.

use std::path::PathBuf;

use chrono::{DateTime, Utc};
use clap::{Args, CommandFactory, Parser, Subcommand};

use crate::{
    app::DEFAULT_WORKSPACE,
    config::Duration,
    domain::{api_token::Right, audit::Expected, role::Role},
};

/// Runs AI-agent workflows and stops before every risky action until the right person has countersigned it.
#[derive(Parser)]
#[command(name = "countersign", version, after_help = "Every setting has a flag: see `countersign serve --help`.")]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand)]
pub enum Command {
    /// Start the server
    Serve,
    /// Print the GraphQL schema
    Schema,
    /// Prove that everything derived from the journal matches it
    Doctor {
        /// Derive what does not match anew
        #[arg(long)]
        repair: bool,
    },
    /// Write a copy of the SQLite database to a file, while the server runs or not
    Backup {
        /// The file, which must not be there yet
        file: PathBuf,
    },
    /// Put a backup in the place of the SQLite database, while no server runs
    Restore {
        /// The backup
        file: PathBuf,
        /// Replace a database that is there; it is kept beside the new one
        #[arg(long)]
        force: bool,
    },
    /// Measure what the server does on this machine, beside what the machine can do
    Bench {
        /// Which workloads, such as `w1,w2`; all when absent
        #[arg(long, value_delimiter = ',')]
        only: Vec<String>,
        /// A hundredth of everything, to see whether it runs
        #[arg(long)]
        quick: bool,
        /// An empty PostgreSQL database to measure on as well
        #[arg(long)]
        postgres: Option<String>,
        /// Write all figures to this file
        #[arg(long)]
        json: Option<PathBuf>,
    },
    /// Prove that nobody changed the audit log, or take it along
    #[command(subcommand)]
    Audit(AuditCommand),
    /// Look at the settings
    #[command(subcommand)]
    Config(ConfigCommand),
    /// Manage API tokens of programs
    #[command(subcommand)]
    Token(TokenCommand),
    /// Manage people's accounts
    #[command(subcommand)]
    User(UserCommand),
    /// Manage workspaces
    #[command(subcommand)]
    Workspace(WorkspaceCommand),
    /// Stop all approvals without people at once, or allow them again
    EmergencyStop {
        /// `on`: from the next proposal on, people are asked; `off`: rules may approve again
        #[arg(value_parser = ["on", "off"])]
        switch: String,
        /// Why, for the audit log
        #[arg(long)]
        reason: Option<String>,
        /// The workspace's slug; without it, all workspaces
        #[arg(long, value_name = "SLUG")]
        workspace: Option<String>,
    },
}

#[derive(Subcommand)]
pub enum AuditCommand {
    /// Check the log of the database, or of an export: names the first entry that was changed, removed or inserted.
    /// Exits with 0 if all is sound, with 1 if not, and with 2 if it could not be checked
    Verify {
        /// An export, or `-` for standard input; without it, the database of the settings, which is only read
        file: Option<PathBuf>,
        /// The workspace's slug; without it, all workspaces of the database
        #[arg(long, value_name = "SLUG", conflicts_with = "file")]
        workspace: Option<String>,
        /// A public key that you trust, in hexadecimal, or a file with one: only its signatures are accepted; can be
        /// given several times
        #[arg(long = "key", value_name = "HEX|FILE")]
        keys: Vec<String>,
        /// A head that an earlier check printed: the log must still have that entry
        #[arg(long, value_name = "SEQUENCE:HASH")]
        expect: Option<Expected>,
        /// A place that has seen signed heads of the log: a file, `s3://BUCKET/PREFIX` or `countersign+https://HOST`;
        /// the log must still have them all. Can be given several times
        #[arg(long = "witness", value_name = "PLACE")]
        witnesses: Vec<String>,
    },
    /// Sign entries that the server does not sign by itself, because they have been without a signature for too long.
    /// What they say must hold all the same; look at them first. Needs the server's `audit-key`, if it has one
    Sign {
        /// The workspace's slug
        #[arg(long, default_value = DEFAULT_WORKSPACE, value_name = "SLUG")]
        workspace: String,
    },
    /// Write the log as JSON Lines to standard output; the database is only read
    Export {
        /// The workspace's slug
        #[arg(long, default_value = DEFAULT_WORKSPACE, value_name = "SLUG")]
        workspace: String,
        /// From the first entry of this time on, as in 2026-01-31T00:00:00Z
        #[arg(long, value_name = "TIME")]
        from: Option<DateTime<Utc>>,
        /// Up to the last entry before this time
        #[arg(long, value_name = "TIME")]
        until: Option<DateTime<Utc>>,
    },
    /// Print the public keys that sign the log: keep them where nobody can change them
    Keys,
}

#[derive(Subcommand)]
pub enum ConfigCommand {
    /// Check all settings and explain each: its value, where it comes from, what it means
    Check {
        /// Print the table of settings for the documentation instead
        #[arg(long)]
        markdown: bool,
    },
}

#[derive(Subcommand)]
pub enum TokenCommand {
    /// Make a token and print it: it cannot be shown again
    Create(Box<NewToken>),
    /// List the tokens of a workspace
    List {
        /// The workspace's slug
        #[arg(long, default_value = DEFAULT_WORKSPACE, value_name = "SLUG")]
        workspace: String,
    },
    /// Take a token back, by its id
    Revoke {
        /// The id, as `token list` shows it
        id: String,
        /// The workspace's slug
        #[arg(long, default_value = DEFAULT_WORKSPACE, value_name = "SLUG")]
        workspace: String,
    },
}

#[derive(Args)]
pub struct NewToken {
    /// What it may do: viewer, operator, author, approver or admin; can be given several times
    #[arg(long = "role", required_unless_present = "rights", value_name = "ROLE")]
    pub roles: Vec<Role>,
    /// What it is for
    #[arg(long)]
    pub name: String,
    /// The service account that it belongs to, which is made if it is not there; without it, the one with the
    /// token's name
    #[arg(long, value_name = "NAME", conflicts_with = "user")]
    pub service_account: Option<String>,
    /// The person that it belongs to instead, whose rights it never exceeds
    #[arg(long, value_name = "EMAIL")]
    pub user: Option<String>,
    /// A right beside its roles: emergency-stop, to stop all approvals without people
    #[arg(long = "right", value_name = "RIGHT")]
    pub rights: Vec<Right>,
    /// An operation type that it may request and decide; can be given several times; without it, all of them
    #[arg(long = "operation-type", value_name = "NAME")]
    pub operation_types: Option<Vec<String>>,
    /// A workflow whose executions it may start, control, work on and decide; can be given several times
    #[arg(long = "workflow", value_name = "NAME")]
    pub workflows: Option<Vec<String>>,
    /// An agent that it may run, work for and change; can be given several times
    #[arg(long = "agent", value_name = "NAME")]
    pub agents: Option<Vec<String>>,
    /// A queue whose tasks it may take; can be given several times
    #[arg(long = "queue", value_name = "NAME")]
    pub queues: Option<Vec<String>>,
    /// The workspace's slug
    #[arg(long, default_value = DEFAULT_WORKSPACE, value_name = "SLUG")]
    pub workspace: String,
    /// How long it works, as in 30d; without it, for ever
    #[arg(long, value_name = "DURATION")]
    pub expires_in: Option<Duration>,
}

#[derive(Subcommand)]
pub enum UserCommand {
    /// Give somebody an account, or a new link if they have one, and print the one-time sign-in link
    Invite {
        /// The e-mail address
        #[arg(long)]
        email: String,
        /// What a new account may do; can be given several times
        #[arg(long = "role", value_name = "ROLE")]
        roles: Vec<Role>,
        /// The name that people see
        #[arg(long)]
        name: Option<String>,
        /// The workspace's slug
        #[arg(long, default_value = DEFAULT_WORKSPACE, value_name = "SLUG")]
        workspace: String,
    },
    /// List the people of a workspace
    List {
        /// The workspace's slug
        #[arg(long, default_value = DEFAULT_WORKSPACE, value_name = "SLUG")]
        workspace: String,
    },
    /// Lock somebody out at once
    Disable {
        /// The e-mail address
        #[arg(long)]
        email: String,
        /// The workspace's slug
        #[arg(long, default_value = DEFAULT_WORKSPACE, value_name = "SLUG")]
        workspace: String,
    },
    /// Erase everything personal of somebody, for ever; the audit log still proves that nothing else was changed
    Erase {
        /// The e-mail address
        #[arg(long)]
        email: String,
        /// The workspace's slug
        #[arg(long, default_value = DEFAULT_WORKSPACE, value_name = "SLUG")]
        workspace: String,
    },
    /// Let somebody in again
    Enable {
        /// The e-mail address
        #[arg(long)]
        email: String,
        /// The workspace's slug
        #[arg(long, default_value = DEFAULT_WORKSPACE, value_name = "SLUG")]
        workspace: String,
    },
}

#[derive(Subcommand)]
pub enum WorkspaceCommand {
    /// Make a workspace
    Create {
        /// The short name in URLs and commands
        #[arg(long)]
        slug: String,
        /// The name that people see
        #[arg(long)]
        name: String,
    },
    /// List all workspaces
    List,
}

/// The whole command line, with a flag for every setting.
pub fn command() -> clap::Command {
    crate::config::augment(Arguments::command())
}
