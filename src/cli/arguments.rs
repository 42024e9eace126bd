//! What can be typed.

use std::path::PathBuf;

use chrono::{DateTime, Utc};
use clap::{CommandFactory, Parser, Subcommand};

use crate::{
    app::DEFAULT_WORKSPACE,
    config::Duration,
    domain::{audit::Expected, role::Role},
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
    Create {
        /// What it may do: viewer, operator, author, approver or admin; can be given several times
        #[arg(long = "role", required = true, value_name = "ROLE")]
        roles: Vec<Role>,
        /// What it is for
        #[arg(long)]
        name: String,
        /// The workspace's slug
        #[arg(long, default_value = DEFAULT_WORKSPACE, value_name = "SLUG")]
        workspace: String,
        /// How long it works, as in 30d; without it, for ever
        #[arg(long, value_name = "DURATION")]
        expires_in: Option<Duration>,
    },
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
