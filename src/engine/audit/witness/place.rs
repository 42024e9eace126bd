//! A place outside the database: how it is told a head, and what it has seen.

use std::{fmt, sync::Arc};

use futures_util::{StreamExt, TryStreamExt, stream};
use object_store::{ObjectStore, ObjectStoreExt, path::Path};
use secrecy::{ExposeSecret, SecretString};
use tokio::io::AsyncWriteExt;

use super::remote;
use crate::{
    config::{Settings, WitnessPlace},
    domain::audit::Seen,
    engine::{Error, Result, deliverables::open_bucket},
};

const TIMEOUT: std::time::Duration = std::time::Duration::from_secs(10);
/// How many objects are read at the same time.
const AT_ONCE: usize = 16;

/// A place that heads are told to or read from.
pub struct Place {
    place: WitnessPlace,
    way: Way,
}

enum Way {
    File(String),
    Bucket { store: Arc<dyn ObjectStore>, prefix: String },
    Webhook(remote::Remote),
    Countersign(remote::Remote),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.place.fmt(f)
    }
}

type Told<T> = std::result::Result<T, String>;

impl Place {
    pub fn new(place: WitnessPlace, settings: &Settings) -> Result<Self> {
        let remote = |url: &url::Url| {
            let client = reqwest::Client::builder()
                .timeout(TIMEOUT)
                .redirect(reqwest::redirect::Policy::none())
                .build()
                .map_err(|error| Error::Internal(format!("cannot make an HTTP client: {error}")))?;
            Ok::<_, Error>(remote::Remote { client, url: url.clone(), token: token_for(url, settings) })
        };
        let way = match &place {
            WitnessPlace::File(path) => Way::File(path.clone()),
            WitnessPlace::S3 { bucket, prefix } => {
                Way::Bucket { store: open_bucket(settings, bucket)?, prefix: prefix.clone() }
            }
            WitnessPlace::Webhook(url) => Way::Webhook(remote(url)?),
            WitnessPlace::Countersign(url) => Way::Countersign(remote(url)?),
        };
        Ok(Self { place, way })
    }

    pub async fn tell(&self, seen: &Seen) -> Told<()> {
        match &self.way {
            Way::File(path) => append(path, seen).await.map_err(|error| format!("cannot write `{path}`: {error}")),
            Way::Bucket { store, prefix } => {
                let head = &seen.head;
                // The hash is in the name: a head never takes the place of another one with the same number.
                let short = head.hash.get(..16).unwrap_or_default();
                let name = format!("{}/{:012}-{short}.json", head.workspace, head.sequence);
                let path = Path::from(if prefix.is_empty() { name } else { format!("{prefix}/{name}") });
                let put = tokio::time::timeout(TIMEOUT, store.put(&path, seen.to_line().into())).await;
                match put {
                    Ok(Ok(_)) => Ok(()),
                    Ok(Err(error)) => Err(format!("cannot write the object: {error}")),
                    Err(_) => Err("the bucket does not answer in time".to_owned()),
                }
            }
            Way::Webhook(remote) => remote.post(seen).await,
            Way::Countersign(remote) => remote.witness(seen).await,
        }
    }

    /// Everything that it has seen; of one workspace, where the place can tell.
    pub async fn seen(&self, workspaces: &[String]) -> Told<Vec<Seen>> {
        match &self.way {
            Way::File(path) => {
                let text = tokio::fs::read_to_string(path).await;
                parse_lines(&text.map_err(|error| format!("cannot read `{path}`: {error}"))?)
            }
            Way::Bucket { store, prefix } => {
                let failed = |error: object_store::Error| format!("cannot read the bucket: {error}");
                let prefix = (!prefix.is_empty()).then(|| Path::from(prefix.as_str()));
                let names: Vec<Path> =
                    store.list(prefix.as_ref()).map_ok(|object| object.location).try_collect().await.map_err(failed)?;
                let objects = stream::iter(names).map(|name| async move {
                    let bytes = store.get(&name).await.map_err(failed)?.bytes().await.map_err(failed)?;
                    Seen::parse(&String::from_utf8_lossy(&bytes)).map_err(|error| format!("`{name}`: {error}"))
                });
                objects.buffer_unordered(AT_ONCE).try_collect().await
            }
            Way::Webhook(_) => {
                Err("a webhook cannot be asked: give the file in which its receiver keeps what was posted".to_owned())
            }
            Way::Countersign(remote) => {
                let mut seen = Vec::new();
                for workspace in workspaces {
                    seen.extend(remote.seen(workspace).await?);
                }
                Ok(seen)
            }
        }
    }
}

async fn append(path: &str, seen: &Seen) -> std::io::Result<()> {
    let mut file = tokio::fs::OpenOptions::new().create(true).append(true).open(path).await?;
    // In one piece, so that lines of several servers do not mix.
    file.write_all(format!("{}\n", seen.to_line()).as_bytes()).await?;
    file.sync_all().await
}

fn parse_lines(text: &str) -> Told<Vec<Seen>> {
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    lines.map(|(number, line)| Seen::parse(line).map_err(|error| format!("line {}: {error}", number + 1))).collect()
}

/// The token of the settings for a URL: its host's own, or else the one that is for all.
fn token_for(url: &url::Url, settings: &Settings) -> Option<SecretString> {
    let all = settings.audit_witness_token.as_ref()?.expose_secret();
    let host = url.host_str().unwrap_or_default();
    let with_port = url.port().map(|port| format!("{host}:{port}"));
    let named = |text: &str| text == host || with_port.as_deref() == Some(text);
    let places = settings.audit_witness.0.iter().filter_map(|place| match place {
        WitnessPlace::Webhook(url) | WitnessPlace::Countersign(url) => Some(url),
        WitnessPlace::File(_) | WitnessPlace::S3 { .. } => None,
    });
    let hosts: Vec<String> = places
        .chain([url])
        .flat_map(|url| {
            let host = url.host_str().unwrap_or_default().to_owned();
            [Some(host.clone()), url.port().map(|port| format!("{host}:{port}"))]
        })
        .flatten()
        .collect();
    // A token may have an equals sign, too: only what a place is called counts as a name.
    let parts = all.split(',').map(str::trim).filter(|part| !part.is_empty()).map(|part| match part.split_once('=') {
        Some((host, token)) if hosts.iter().any(|known| known == host) => (Some(host), token),
        _ => (None, part),
    });
    let own = parts.clone().find(|(host, _)| host.is_some_and(named));
    own.or_else(|| parts.clone().find(|(host, _)| host.is_none())).map(|(_, token)| token.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_goes_only_to_its_host() {
        let token = |tokens: &str, url: &str| {
            let settings = Settings {
                audit_witness: "https://a.example/x,countersign+https://b.example:8443".parse().expect("places"),
                audit_witness_token: Some(tokens.into()),
                ..Settings::default()
            };
            token_for(&url.parse().expect("a URL"), &settings).map(|token| token.expose_secret().to_owned())
        };
        let both = "a.example=one==,b.example:8443=two";
        assert_eq!(token(both, "https://a.example/x"), Some("one==".to_owned()));
        assert_eq!(token(both, "https://b.example:8443/"), Some("two".to_owned()));
        assert_eq!(token(both, "https://c.example/"), None);
        assert_eq!(token("b.example=two", "https://a.example/x"), None);
        assert_eq!(token("all=", "https://a.example/x"), Some("all=".to_owned()));
    }
}
