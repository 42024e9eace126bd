//! The command line: `serve`, and what an operator needs beside it.

mod arguments;
mod audit;
mod backup;
mod bench;
mod config;
mod doctor;
mod operator;
mod process;
mod serve;

use std::process::ExitCode;

use clap::FromArgMatches;

use self::arguments::{Arguments, Command};

pub use config::markdown_table as settings_table;

/// Runs the command that the process was started with.
pub fn main() -> ExitCode {
    process::keep_files_private();
    let matches = arguments::command().get_matches();
    let arguments = match Arguments::from_arg_matches(&matches) {
        Ok(arguments) => arguments,
        Err(error) => error.exit(),
    };
    match run(arguments.command, &matches) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("countersign: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(command: Command, matches: &clap::ArgMatches) -> Result<ExitCode, String> {
    if let Command::Schema = command {
        print!("{}", crate::graphql::sdl());
        return Ok(ExitCode::SUCCESS);
    }
    // Flags of settings are global: the innermost command has them all.
    let mut flags = matches;
    while let Some((_, inner)) = flags.subcommand() {
        flags = inner;
    }
    #[expect(clippy::disallowed_methods, reason = "the settings are read here, once")]
    let loaded = crate::config::load(flags, std::env::vars()).map_err(|error| error.to_string())?;
    if let Command::Config(command) = &command {
        return config::run(command, &loaded).map(|()| ExitCode::SUCCESS);
    }
    crate::telemetry::install_crypto();
    let runtime = tokio::runtime::Runtime::new().map_err(|error| format!("cannot start: {error}"))?;
    runtime.block_on(async {
        let done = match command {
            Command::Audit(command) => return Box::pin(audit::run(command, loaded.settings)).await,
            Command::Bench { only, quick, postgres, json } => {
                Box::pin(bench::run(only, quick, postgres, json, &loaded.settings)).await
            }
            Command::Backup { file } => backup::back_up(&file, &loaded.settings).await,
            Command::Restore { file, force } => backup::restore(&file, force, &loaded.settings).await,
            Command::Serve => Box::pin(serve::run(loaded.settings)).await,
            Command::Doctor { repair } => doctor::run(repair, loaded.settings).await,
            Command::Token(command) => Box::pin(operator::token(command, loaded.settings)).await,
            Command::User(command) => Box::pin(operator::user(command, loaded.settings)).await,
            Command::Workspace(command) => Box::pin(operator::workspace(command, loaded.settings)).await,
            Command::EmergencyStop { switch, reason, workspace } => {
                Box::pin(operator::emergency_stop(switch == "on", reason.as_deref(), workspace, loaded.settings)).await
            }
            Command::Schema | Command::Config(_) => Ok(()),
        };
        done.map(|()| ExitCode::SUCCESS)
    })
}
