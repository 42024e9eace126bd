//! The kinds of values that settings have, each with a message that says what would be right.

use std::{fmt, str::FromStr};

use base64::{Engine, prelude::BASE64_STANDARD};
use secrecy::{ExposeSecret, SecretSlice};

/// A length of time with a unit, as in `30s`, `5m`, `12h` or `14d`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Duration(pub std::time::Duration);

impl Duration {
    pub fn as_chrono(self) -> chrono::Duration {
        chrono::Duration::from_std(self.0).unwrap_or(chrono::Duration::MAX)
    }
}

impl FromStr for Duration {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || "expected a number and a unit, as in `500ms`, `30s`, `5m`, `12h` or `14d`".to_owned();
        let digits = text.find(|c: char| !c.is_ascii_digit()).ok_or_else(wrong)?;
        let (number, unit) = text.split_at(digits);
        let number: u64 = number.parse().map_err(|_| wrong())?;
        let millis: u64 = match unit {
            "ms" => 1,
            "s" => 1_000,
            "m" => 60_000,
            "h" => 3_600_000,
            "d" => 86_400_000,
            _ => return Err(wrong()),
        };
        // A century: further away nothing can be added to a date without overflowing.
        let total = number.checked_mul(millis).filter(|total| *total <= 36_500 * 86_400_000).ok_or_else(wrong)?;
        Ok(Self(std::time::Duration::from_millis(total)))
    }
}

/// Several values with commas between them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct List<T>(pub Vec<T>);

impl<T: FromStr<Err: fmt::Display>> FromStr for List<T> {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
        let parse = |part: &str| part.parse().map_err(|error| format!("`{part}`: {error}"));
        parts.map(parse).collect::<Result<_, _>>().map(List)
    }
}

/// How log lines look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogFormat {
    Text,
    Json,
}

impl FromStr for LogFormat {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "text" => Ok(LogFormat::Text),
            "json" => Ok(LogFormat::Json),
            _ => Err("expected `text` or `json`".to_owned()),
        }
    }
}

/// When the roles of an account follow what the identity provider says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RolesFollow {
    /// When the account is made: from then on, admins decide here.
    FirstSignIn,
    /// With every token: the provider decides, whatever is set here.
    Always,
}

impl FromStr for RolesFollow {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "first-sign-in" => Ok(RolesFollow::FirstSignIn),
            "always" => Ok(RolesFollow::Always),
            _ => Err("expected `first-sign-in` or `always`".to_owned()),
        }
    }
}

/// How thoroughly the embedded database is looked at when the server starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DatabaseCheck {
    Off,
    Quick,
    Full,
}

impl FromStr for DatabaseCheck {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "off" => Ok(DatabaseCheck::Off),
            "quick" => Ok(DatabaseCheck::Quick),
            "full" => Ok(DatabaseCheck::Full),
            _ => Err("expected `off`, `quick` or `full`".to_owned()),
        }
    }
}

/// A key of 32 bytes.
#[derive(Debug, Clone)]
pub struct SecretKey(SecretSlice<u8>);

impl SecretKey {
    pub fn bytes(&self) -> &[u8] {
        self.0.expose_secret()
    }
}

impl FromStr for SecretKey {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let bytes = BASE64_STANDARD.decode(text.trim()).ok().filter(|bytes| bytes.len() == 32);
        let wrong = || "expected 32 bytes in base64, as `openssl rand -base64 32` prints them".to_owned();
        bytes.map(|bytes| Self(bytes.into())).ok_or_else(wrong)
    }
}

/// Where the database is.
#[derive(Clone, PartialEq, Eq)]
pub enum DatabaseUrl {
    Sqlite(String),
    Postgres(String),
}

impl FromStr for DatabaseUrl {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if let Some(path) = text.strip_prefix("sqlite://").filter(|path| !path.is_empty()) {
            Ok(DatabaseUrl::Sqlite(path.to_owned()))
        } else if text.starts_with("postgres://") || text.starts_with("postgresql://") {
            Ok(DatabaseUrl::Postgres(text.to_owned()))
        } else {
            Err("expected `sqlite://PATH` or `postgres://USER:PASSWORD@HOST:PORT/DATABASE`".to_owned())
        }
    }
}

/// Where files are kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileStorage {
    Folder(String),
    S3 { bucket: String, prefix: String },
}

impl FromStr for FileStorage {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if let Some(folder) = text.strip_prefix("file://").filter(|folder| folder.starts_with('/')) {
            return Ok(FileStorage::Folder(folder.to_owned()));
        }
        let (bucket, prefix) = match text.strip_prefix("s3://") {
            Some(rest) => rest.split_once('/').unwrap_or((rest, "")),
            None => ("", ""),
        };
        if bucket.is_empty() {
            return Err("expected `file:///FOLDER` or `s3://BUCKET/PREFIX`".to_owned());
        }
        Ok(FileStorage::S3 { bucket: bucket.to_owned(), prefix: prefix.trim_matches('/').to_owned() })
    }
}

/// A place outside the database that sees the signed heads of the audit log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WitnessPlace {
    /// Lines are added to a file.
    File(String),
    /// Heads are posted to a URL.
    Webhook(url::Url),
    /// Each head is an object.
    S3 { bucket: String, prefix: String },
    /// Another server keeps them.
    Countersign(url::Url),
}

const COUNTERSIGN: &str = "countersign+";

impl FromStr for WitnessPlace {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || {
            "expected `file:///FILE`, `https://…` for a webhook, `s3://BUCKET/PREFIX` or `countersign+https://HOST`"
                .to_owned()
        };
        let web = |text: &str| {
            let url: url::Url = text.parse().map_err(|_| wrong())?;
            // What is in a URL is shown: a password belongs in `audit-witness-token`.
            let plain = url.username().is_empty() && url.password().is_none();
            if matches!(url.scheme(), "http" | "https") && plain { Ok(url) } else { Err(wrong()) }
        };
        if let Some(url) = text.strip_prefix(COUNTERSIGN) {
            return web(url).map(WitnessPlace::Countersign);
        }
        if text.starts_with("http://") || text.starts_with("https://") {
            return web(text).map(WitnessPlace::Webhook);
        }
        match text.parse() {
            Ok(FileStorage::Folder(file)) => Ok(WitnessPlace::File(file)),
            Ok(FileStorage::S3 { bucket, prefix }) => Ok(WitnessPlace::S3 { bucket, prefix }),
            Err(_) => Err(wrong()),
        }
    }
}

impl fmt::Display for WitnessPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WitnessPlace::File(path) => write!(f, "file://{path}"),
            WitnessPlace::Webhook(url) => write!(f, "{url}"),
            WitnessPlace::S3 { bucket, prefix } => write!(f, "s3://{bucket}/{prefix}"),
            WitnessPlace::Countersign(url) => write!(f, "{COUNTERSIGN}{url}"),
        }
    }
}

/// The URL may hold a password.
impl fmt::Debug for DatabaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DatabaseUrl::Sqlite(path) => write!(f, "sqlite://{path}"),
            DatabaseUrl::Postgres(_) => f.write_str("postgres://…"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_units() {
        assert_eq!("90s".parse(), Ok(Duration(std::time::Duration::from_secs(90))));
        assert_eq!("14d".parse(), Ok(Duration(std::time::Duration::from_secs(14 * 86_400))));
        for text in ["", "90", "s", "1.5h", "-1s", "99999999999d", "18446744073709551615ms"] {
            assert!(text.parse::<Duration>().is_err(), "{text}");
        }
    }

    #[test]
    fn keys_are_32_bytes() {
        let key: SecretKey = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=".parse().expect("a key");
        assert_eq!((key.bytes().len(), key.bytes()[31]), (32, 31));
        assert!(!format!("{key:?}").contains("31"));
        for text in ["", "AAEC", "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8", "not base64"] {
            assert!(text.parse::<SecretKey>().is_err(), "{text}");
        }
    }

    #[test]
    fn files_are_in_a_folder_or_a_bucket() {
        assert_eq!("file:///srv/files".parse(), Ok(FileStorage::Folder("/srv/files".to_owned())));
        let bucket = |prefix: &str| FileStorage::S3 { bucket: "b".to_owned(), prefix: prefix.to_owned() };
        assert_eq!("s3://b".parse(), Ok(bucket("")));
        assert_eq!("s3://b/a/c/".parse(), Ok(bucket("a/c")));
        for text in ["", "files", "file://files", "s3://", "s3:///x", "https://b"] {
            assert!(text.parse::<FileStorage>().is_err(), "{text}");
        }
    }

    #[test]
    fn witnesses_are_files_urls_buckets_or_servers() {
        for text in
            ["file:///srv/heads.jsonl", "https://hooks.example.com/x", "s3://b/a", "countersign+https://b.example/"]
        {
            assert_eq!(text.parse::<WitnessPlace>().map(|place| place.to_string()), Ok(text.to_owned()));
        }
        for text in
            ["", "heads.jsonl", "file://x", "ftp://x", "countersign+file:///x", "https://a:b@example.com", "s3://"]
        {
            assert!(text.parse::<WitnessPlace>().is_err(), "{text}");
        }
    }

    #[test]
    fn lists_name_the_part_that_is_wrong() {
        assert_eq!("1, 2,".parse(), Ok(List(vec![1, 2])));
        assert_eq!("1,x".parse::<List<u8>>(), Err("`x`: invalid digit found in string".to_owned()));
    }
}
