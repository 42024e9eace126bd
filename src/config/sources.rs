//! Where settings come from: a flag beats a variable, a variable beats the file, the file beats the default.

use std::{collections::BTreeMap, fmt, path::PathBuf};

use clap::{Arg, ArgMatches, Command};

use super::{
    caution::without_passwords,
    table::{Setting, Settings, TABLE},
    values::{DatabaseUrl, FileStorage},
};

pub(super) const VARIABLE_PREFIX: &str = "COUNTERSIGN_";
const FILE_FLAG: &str = "config";
const FILE_VARIABLE: &str = "COUNTERSIGN_CONFIG";
/// Variables with our prefix that are not settings of the server: the test suite's own.
const OTHER_VARIABLES: &str = "COUNTERSIGN_TEST_";

/// Where a value came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    Default,
    File(PathBuf),
    Variable(String),
    Flag(String),
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Source::Default => f.write_str("default"),
            Source::File(path) => write!(f, "file {}", path.display()),
            Source::Variable(name) => write!(f, "variable {name}"),
            Source::Flag(name) => write!(f, "flag {name}"),
        }
    }
}

/// Settings that cannot be used: every problem at once.
#[derive(Debug, thiserror::Error)]
#[error("{}", .0.join("\n"))]
pub struct Error(pub Vec<String>);

/// The settings and where each came from.
#[derive(Debug)]
pub struct Loaded {
    pub settings: Settings,
    /// The text and the source of each setting that has a value.
    pub explained: BTreeMap<&'static str, (String, Source)>,
}

/// Adds a flag for each setting to a command.
pub fn augment(command: Command) -> Command {
    let file = Arg::new(FILE_FLAG).long(FILE_FLAG).value_name("FILE").global(true);
    let command = command.arg(file.help(format!("TOML file with settings [env: {FILE_VARIABLE}]")));
    TABLE.iter().fold(command, |command, setting| {
        let default = setting.default.map(|text| format!(" [default: {text}]")).unwrap_or_default();
        let help = format!("{}{default} [env: {}]", setting.help.trim(), setting.variable());
        let flag = Arg::new(setting.name).long(setting.name).value_name("VALUE").global(true);
        // What is on or off is switched on by its name alone.
        let switch = matches!(setting.default, Some("true" | "false"));
        let flag = if switch { flag.num_args(0..=1).default_missing_value("true") } else { flag };
        command.arg(flag.help(help).help_heading("Settings").hide_short_help(true))
    })
}

/// Reads all sources. `variables` are the process's environment.
pub fn load(flags: &ArgMatches, variables: impl Iterator<Item = (String, String)>) -> Result<Loaded, Error> {
    let variables: BTreeMap<String, String> = variables.filter(|(name, _)| name.starts_with(VARIABLE_PREFIX)).collect();
    let mut problems = unknown_variables(&variables);

    let path = flags.get_one::<String>(FILE_FLAG).or_else(|| variables.get(FILE_VARIABLE)).map(PathBuf::from);
    let file = match path.as_ref().map(read_file).transpose() {
        Ok(file) => file.unwrap_or_default(),
        Err(error) => {
            problems.push(error);
            BTreeMap::new()
        }
    };

    let mut settings = Settings::default();
    let mut explained = BTreeMap::new();
    for setting in TABLE {
        let flag =
            flags.get_one::<String>(setting.name).map(|text| (text, Source::Flag(format!("--{}", setting.name))));
        let variable = || variables.get(&setting.variable()).map(|text| (text, Source::Variable(setting.variable())));
        let in_file = || file.get(setting.name).zip(path.clone()).map(|(text, path)| (text, Source::File(path)));
        match flag.or_else(variable).or_else(in_file) {
            Some((text, source)) => {
                if let Err(expected) = (setting.parse)(&mut settings, text) {
                    problems.push(wrong_value(setting, text, &source, &expected));
                }
                explained.insert(setting.name, (text.clone(), source));
            }
            None => {
                if let Some(text) = setting.default {
                    explained.insert(setting.name, (text.to_owned(), Source::Default));
                }
            }
        }
    }
    problems.extend(contradictions(&settings));
    if problems.is_empty() { Ok(Loaded { settings, explained }) } else { Err(Error(problems)) }
}

fn wrong_value(setting: &Setting, text: &str, source: &Source, expected: &str) -> String {
    let shown = if setting.secret { "•••".to_owned() } else { without_passwords(text) };
    format!("setting `{}` from {source} has the value `{shown}`: {expected}", setting.name)
}

fn unknown_variables(variables: &BTreeMap<String, String>) -> Vec<String> {
    let known = |name: &str| {
        name == FILE_VARIABLE
            || name.starts_with(OTHER_VARIABLES)
            || TABLE.iter().any(|setting| setting.variable() == name)
    };
    let unknown = variables.keys().filter(|name| !known(name));
    unknown.map(|name| format!("variable `{name}` is not a setting{}", did_you_mean(name, Setting::variable))).collect()
}

fn read_file(path: &PathBuf) -> Result<BTreeMap<String, String>, String> {
    let shown = path.display();
    let text = std::fs::read_to_string(path).map_err(|error| format!("cannot read settings from {shown}: {error}"))?;
    let table: toml::Table = text.parse().map_err(|error| format!("{shown} is not TOML: {error}"))?;
    let mut values = BTreeMap::new();
    let mut problems = Vec::new();
    for (name, value) in table {
        if !TABLE.iter().any(|setting| setting.name == name) {
            let hint = did_you_mean(&name, |setting| setting.name.to_owned());
            problems.push(format!("{shown}: `{name}` is not a setting{hint}"));
        } else if let Some(text) = as_text(&value) {
            values.insert(name, text);
        } else {
            problems.push(format!("{shown}: `{name}` must be a text, a number, true or false, or a list of these"));
        }
    }
    if problems.is_empty() { Ok(values) } else { Err(problems.join("\n")) }
}

fn as_text(value: &toml::Value) -> Option<String> {
    match value {
        toml::Value::String(text) => Some(text.clone()),
        toml::Value::Integer(number) => Some(number.to_string()),
        toml::Value::Float(number) => Some(number.to_string()),
        toml::Value::Boolean(flag) => Some(flag.to_string()),
        toml::Value::Array(items) => {
            let texts: Option<Vec<String>> = items.iter().map(as_text).collect();
            texts.map(|texts| texts.join(","))
        }
        toml::Value::Datetime(_) | toml::Value::Table(_) => None,
    }
}

/// The setting whose name is nearest, if any is near.
fn did_you_mean(wrong: &str, name_of: impl Fn(&Setting) -> String) -> String {
    let names = TABLE.iter().map(name_of).map(|name| (strsim::damerau_levenshtein(wrong, &name), name));
    match names.min_by_key(|(distance, _)| *distance) {
        Some((distance, name)) if distance <= 3 => format!(": did you mean `{name}`?"),
        _ => ": `countersign config check` lists them all".to_owned(),
    }
}

/// Settings that are each valid but do not fit together.
fn contradictions(settings: &Settings) -> Vec<String> {
    let mut problems = Vec::new();
    let oidc = [settings.oidc_issuer.is_some(), settings.oidc_audience.is_some(), settings.oidc_jwks_url.is_some()];
    if oidc.contains(&true) && oidc.contains(&false) {
        problems.push("`oidc-issuer`, `oidc-audience` and `oidc-jwks-url` belong together: give all three".to_owned());
    }
    for (name, value) in [
        ("database-connections", settings.database_connections as usize),
        ("sign-in-attempts", settings.sign_in_attempts as usize),
        ("max-batch", settings.max_batch),
        ("max-connections", settings.max_connections),
        ("max-running-steps", settings.max_running_steps),
        ("max-value-bytes", settings.max_value_bytes),
    ] {
        if value == 0 {
            problems.push(format!("setting `{name}` must be at least 1"));
        }
    }
    for (name, rate, burst) in [
        ("rate-limit", settings.rate_limit, settings.rate_limit_burst),
        ("anonymous-rate-limit", settings.anonymous_rate_limit, settings.anonymous_rate_limit_burst),
    ] {
        // A whole batch counts at once: one that is larger than the burst would never be allowed.
        if rate > 0 && (burst as usize) < settings.max_batch {
            problems.push(format!(
                "setting `{name}-burst` is {burst}: it must be at least `max-batch`, which is {}",
                settings.max_batch
            ));
        }
    }
    problems
}

impl Settings {
    /// Whether only this machine can reach the server.
    pub fn is_on_loopback(&self) -> bool {
        self.listen.ip().to_canonical().is_loopback()
    }

    /// Where these settings keep files.
    pub fn files(&self) -> FileStorage {
        let own = || FileStorage::Folder(format!("{}/files", self.data_dir.trim_end_matches('/')));
        self.file_storage.clone().unwrap_or_else(own)
    }

    /// The database that these settings mean.
    pub fn database(&self) -> DatabaseUrl {
        self.database_url
            .clone()
            .unwrap_or_else(|| DatabaseUrl::Sqlite(format!("{}/countersign.db", self.data_dir.trim_end_matches('/'))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load_from(arguments: &[&str], variables: &[(&str, &str)]) -> Result<Loaded, Error> {
        let command = augment(Command::new("countersign").no_binary_name(true));
        let flags = command.try_get_matches_from(arguments).expect("known flags");
        load(&flags, variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())))
    }

    #[test]
    fn every_default_is_valid_and_every_name_its_own() {
        let settings = Settings::default();
        assert_eq!(settings.listen.port(), 8080);
        let names: std::collections::BTreeSet<_> = TABLE.iter().map(|setting| setting.name).collect();
        assert_eq!(names.len(), TABLE.len());
    }

    #[test]
    fn a_flag_beats_a_variable_beats_the_file() {
        let file = tempfile::NamedTempFile::new().expect("a file");
        std::fs::write(&file, "max-depth = 1\nmax-batch = 2\nmax-aliases = 3\ntrusted-proxies = ['10.0.0.0/8']")
            .expect("written");
        let path = file.path().to_str().expect("a path");
        let loaded = load_from(
            &["--config", path, "--max-depth", "30"],
            &[("COUNTERSIGN_MAX_DEPTH", "20"), ("COUNTERSIGN_MAX_BATCH", "21"), ("HOME", "/")],
        )
        .expect("valid settings");
        let settings = loaded.settings;
        assert_eq!((settings.max_depth, settings.max_batch, settings.max_aliases), (30, 21, 3));
        assert_eq!(settings.trusted_proxies.0.len(), 1);
        assert_eq!(loaded.explained["max-batch"].1, Source::Variable("COUNTERSIGN_MAX_BATCH".to_owned()));
        assert_eq!(loaded.explained["listen"].1, Source::Default);
    }

    #[test]
    fn a_switch_needs_no_value() {
        let switched = |arguments: &[&str]| load_from(arguments, &[]).expect("valid settings").settings;
        assert!(switched(&["--demo", "--max-depth", "30"]).demo);
        assert!(!switched(&["--demo", "false"]).demo);
        assert!(!switched(&["--introspection=false"]).introspection);
        assert!(!switched(&[]).demo);
    }

    #[test]
    fn all_problems_are_told_at_once_and_secrets_stay_hidden() {
        let error = load_from(
            &["--listen", "nowhere", "--oidc-issuer", "https://id.example.com"],
            &[("COUNTERSIGN_LISTN", "x"), ("COUNTERSIGN_DATABASE_URL", "mysql://root:hunter2@db/x")],
        )
        .expect_err("four problems");
        let text = error.to_string();
        assert!(text.contains("`COUNTERSIGN_LISTN` is not a setting: did you mean `COUNTERSIGN_LISTEN`?"), "{text}");
        assert!(text.contains("`listen` from flag --listen has the value `nowhere`: expected an address"), "{text}");
        assert!(text.contains("`database-url`") && !text.contains("hunter2"), "{text}");
        assert!(text.contains("belong together"), "{text}");
    }

    #[test]
    fn an_unknown_key_in_the_file_is_an_error() {
        let file = tempfile::NamedTempFile::new().expect("a file");
        std::fs::write(&file, "listne = '127.0.0.1:1'").expect("written");
        let error = load_from(&["--config", file.path().to_str().expect("a path")], &[]).expect_err("a typo");
        assert!(error.to_string().contains("`listne` is not a setting: did you mean `listen`?"), "{error}");
    }
}
