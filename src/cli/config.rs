//! Explaining the settings.

use super::arguments::ConfigCommand;
use crate::config::{Loaded, Setting, Source, TABLE, without_passwords};

pub fn run(command: &ConfigCommand, loaded: &Loaded) -> Result<(), String> {
    let ConfigCommand::Check { markdown } = command;
    if *markdown {
        print!("{}", markdown_table());
        return Ok(());
    }
    for setting in TABLE {
        let (value, source) = match loaded.explained.get(setting.name) {
            Some((text, source)) if setting.secret && !text.is_empty() => ("•••".to_owned(), source.clone()),
            Some((text, source)) => (format!("\"{}\"", without_passwords(text)), source.clone()),
            None => ("not set".to_owned(), Source::Default),
        };
        println!("{} = {value}  ({source})\n    {}", setting.name, setting.help.trim());
    }
    println!("\nThe settings are valid.");
    for warning in loaded.settings.warnings() {
        println!("Warning: {warning}.");
    }
    Ok(())
}

/// The table of settings as the README shows it.
pub fn markdown_table() -> String {
    let row = |setting: &Setting| {
        let default = setting.default.filter(|text| !text.is_empty()).map(|text| format!("`{text}`"));
        let default = default.unwrap_or_else(|| "none".to_owned());
        format!("| `{}` | `{}` | {default} | {} |\n", setting.name, setting.variable(), setting.help.trim())
    };
    let rows: String = TABLE.iter().map(row).collect();
    format!(
        "| setting (flag `--…`, key in the file) | variable | default | meaning |\n| --- | --- | --- | --- |\n{rows}"
    )
}
