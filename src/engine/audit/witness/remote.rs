//! Witnesses that are reached over HTTP: whatever takes a head, and other Countersign servers.

use secrecy::{ExposeSecret, SecretString};
use serde_json::{Value, json};

use crate::domain::audit::{Seen, Signature};

const PAGE: usize = 500;
const LONGEST_ANSWER: usize = 200;

const WITNESS: &str = "mutation WitnessAuditHead($input: WitnessAuditHeadInput!) { \
    witnessAuditHead(input: $input) { fork userErrors { message } } }";
const SEEN: &str = "query WitnessedAuditHeads($workspace: String!, $from: Int!, $first: Int!) { \
    witnessedAuditHeads(ofWorkspace: $workspace, fromSequence: $from, first: $first) { \
    slug workspace sequence hash at publicKey intervalSeconds signature } }";

/// Where requests go, and with which token.
pub struct Remote {
    pub client: reqwest::Client,
    pub url: url::Url,
    pub token: Option<SecretString>,
}

impl Remote {
    /// Posts a head to a webhook.
    pub async fn post(&self, seen: &Seen) -> Result<(), String> {
        self.send(self.url.clone(), &json!(seen)).await.map(|_| ())
    }

    /// Lets another server keep a head.
    pub async fn witness(&self, seen: &Seen) -> Result<(), String> {
        let Signature { workspace, sequence, hash, at, key, interval, signature } = &seen.head;
        let input = json!({
            "slug": seen.slug, "workspace": workspace, "sequence": sequence, "hash": hash, "at": at, "publicKey": key,
            "intervalSeconds": interval, "signature": signature,
        });
        let answer = self.ask(WITNESS, json!({"input": input})).await?;
        let payload = &answer["witnessAuditHead"];
        match payload["userErrors"].get(0) {
            Some(error) => Err(format!("it refused the head: {}", error["message"].as_str().unwrap_or_default())),
            None if payload["fork"] == true => {
                tracing::error!(place = %self.url, sequence, "a witness knows another head of the audit log with this number");
                Ok(())
            }
            None => Ok(()),
        }
    }

    /// What another server has seen of a workspace's chain.
    pub async fn seen(&self, workspace: &str) -> Result<Vec<Seen>, String> {
        let mut all: Vec<Seen> = Vec::new();
        loop {
            // From the last one on: two heads may have one number, and a page may end between them.
            let from = all.last().map_or(0, |last| last.head.sequence);
            let variables = json!({"workspace": workspace, "from": from, "first": PAGE});
            let answer = self.ask(SEEN, variables).await?;
            let page = answer["witnessedAuditHeads"].as_array().cloned().unwrap_or_default();
            let full = page.len() == PAGE;
            let fresh: Vec<Seen> = page.iter().filter_map(read).filter(|seen| !all.contains(seen)).collect();
            if fresh.is_empty() || !full {
                all.extend(fresh);
                return Ok(all);
            }
            all.extend(fresh);
        }
    }

    async fn ask(&self, query: &str, variables: Value) -> Result<Value, String> {
        let mut url = self.url.clone();
        url.set_path(&format!("{}/graphql", self.url.path().trim_end_matches('/').trim_end_matches("/graphql")));
        let text = self.send(url, &json!({"query": query, "variables": variables})).await?;
        let answer: Value =
            serde_json::from_str(&text).map_err(|_| "it answered with something that is no JSON".to_owned())?;
        match answer["errors"].get(0) {
            Some(error) => Err(format!("it answered: {}", error["message"].as_str().unwrap_or_default())),
            None => Ok(answer["data"].clone()),
        }
    }

    async fn send(&self, url: url::Url, body: &Value) -> Result<String, String> {
        let request = self.client.post(url).json(body);
        let request = match &self.token {
            Some(token) => request.bearer_auth(token.expose_secret()),
            None => request,
        };
        let response = request.send().await.map_err(|error| format!("cannot be reached: {}", error.without_url()))?;
        let status = response.status();
        let text = response.text().await.map_err(|error| format!("did not answer: {}", error.without_url()))?;
        if status.is_success() {
            return Ok(text);
        }
        let shown: String = text.chars().take(LONGEST_ANSWER).collect();
        Err(format!("it answered with the status {status}: {shown}"))
    }
}

fn read(head: &Value) -> Option<Seen> {
    let text = |name: &str| head[name].as_str().map(str::to_owned);
    Some(Seen {
        slug: text("slug").unwrap_or_default(),
        head: Signature {
            workspace: text("workspace")?,
            sequence: head["sequence"].as_i64()?,
            hash: text("hash")?,
            at: text("at")?,
            key: text("publicKey")?,
            interval: head["intervalSeconds"].as_u64(),
            signature: text("signature")?,
        },
    })
}
