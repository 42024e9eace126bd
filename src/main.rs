//! The command line.

use std::process::ExitCode;

fn main() -> ExitCode {
    countersign::cli::main()
}
