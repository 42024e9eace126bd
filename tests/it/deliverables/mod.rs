//! Deliverables: what executions leave behind.

mod bad_input;
mod bucket;
mod content;
mod crash;
mod create;
mod events;
mod steps;
mod upload;
mod versions;
mod zip;

use countersign::domain::{agent::Kind, id::ExecutionId, role::Role};
use reqwest::{Response, header::HeaderMap};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::support::{Database, TestApp, at, text};

pub const FIELDS: &str = "id name description type status versionNumber stepKey createdAt updatedAt archivedAt
    agent { name } execution { id status } createdBy { kind displayName }
    version { number storage mimeType size sha256 externalUrl metadata }";

/// A server, and a caller who may hand in.
pub struct Rig {
    pub app: TestApp,
    pub token: String,
}

impl Rig {
    pub async fn new(database: Database) -> Self {
        let app = TestApp::start(database).await;
        let token = app.token(Role::Operator).await;
        Self { app, token }
    }

    pub async fn graphql(&self, query: &str, variables: Value) -> Value {
        self.app.graphql(&self.token, query, variables).await
    }

    /// What a mutation of deliverables answers.
    pub async fn mutate(&self, mutation: &str, input: Value) -> Value {
        let upload = if mutation == "createDeliverable" || mutation == "addDeliverableVersion" {
            "upload { deliverableId url token expiresAt }"
        } else {
            ""
        };
        let kind = format!("{}{}Input", mutation[..1].to_uppercase(), &mutation[1..]);
        let query = format!(
            "mutation($input: {kind}!) {{ it: {mutation}(input: $input) {{
                deliverable {{ {FIELDS} }} {upload} userErrors {{ code message path }} }} }}"
        );
        let answer = self.graphql(&query, json!({"input": input})).await;
        assert_eq!(answer["errors"], Value::Null, "{answer}");
        at(&answer, "/data/it").clone()
    }

    /// A mutation that succeeds.
    #[track_caller]
    pub fn change(&self, mutation: &str, input: Value) -> impl Future<Output = Value> {
        let caller = std::panic::Location::caller();
        async move {
            let answer = self.mutate(mutation, input).await;
            assert_eq!(answer["userErrors"], json!([]), "{caller}");
            answer["deliverable"].clone()
        }
    }

    /// The code, the message and the place of the one thing that is wrong.
    pub async fn refused(&self, mutation: &str, input: Value) -> (String, String, String) {
        let answer = self.mutate(mutation, input).await;
        let errors = answer["userErrors"].as_array().expect("a list");
        assert_eq!(errors.len(), 1, "{answer}");
        let path: Vec<&str> = errors[0]["path"].as_array().expect("a path").iter().filter_map(Value::as_str).collect();
        (text(&errors[0], "/code").to_owned(), text(&errors[0], "/message").to_owned(), path.join("."))
    }

    /// Hands in a text that stands alone.
    pub async fn text(&self, name: &str, content: &str) -> Value {
        self.change("createDeliverable", json!({"name": name, "content": {"text": content}})).await
    }

    /// Begins an upload.
    pub async fn begin(&self, input: Value) -> Value {
        let answer = self.mutate("createDeliverable", input).await;
        assert_eq!(answer["userErrors"], json!([]), "{answer}");
        assert_eq!(answer["deliverable"], Value::Null, "nothing is there yet");
        answer["upload"].clone()
    }

    pub async fn put(&self, upload: &Value, body: impl Into<reqwest::Body>) -> Response {
        let request = self.app.http.put(text(upload, "/url")).bearer_auth(text(upload, "/token"));
        request.body(body).send().await.expect("an answer")
    }

    /// Uploads something large, which stands alone.
    pub async fn upload(&self, name: &str, content: Vec<u8>) -> String {
        let upload = self.begin(json!({"name": name, "content": {"upload": {}}})).await;
        let response = self.put(&upload, content).await;
        assert_eq!(response.status(), 201, "{}", response.text().await.expect("a body"));
        text(&upload, "/deliverableId").to_owned()
    }

    pub async fn find(&self, id: &str) -> Value {
        let query = format!("query($id: ID!) {{ deliverable(id: $id) {{ {FIELDS} }} }}");
        at(&self.graphql(&query, json!({"id": id})).await, "/data/deliverable").clone()
    }

    pub async fn get(&self, path: &str) -> Response {
        self.get_with(path, HeaderMap::new()).await
    }

    pub async fn get_with(&self, path: &str, headers: HeaderMap) -> Response {
        let request = self.app.http.get(self.app.url(path)).bearer_auth(&self.token);
        request.headers(headers).send().await.expect("an answer")
    }

    pub async fn content(&self, id: &str) -> Vec<u8> {
        let response = self.get(&format!("/deliverables/{id}/content")).await;
        assert_eq!(response.status(), 200);
        response.bytes().await.expect("a body").to_vec()
    }

    /// An execution that waits for a worker, in the queue `q`.
    pub async fn execution(&self) -> ExecutionId {
        self.app.agent("Writer", Kind::Worker, json!({"queue": "q"})).await;
        let steps = json!([{"key": "write", "agent": "Writer"}]);
        let workflow = self.app.workflow(json!({"name": "Write", "steps": steps})).await;
        self.app.start_execution(workflow, json!({})).await
    }

    /// The files that are kept, complete or not.
    pub fn files(&self) -> Vec<std::path::PathBuf> {
        files_under(&self.app.database.folder.path().join("files"))
    }
}

pub fn files_under(folder: &std::path::Path) -> Vec<std::path::PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let paths = entries.map(|entry| entry.expect("an entry").path());
    paths.flat_map(|path| if path.is_dir() { files_under(&path) } else { vec![path] }).collect()
}

pub fn sha256(content: &[u8]) -> String {
    Sha256::digest(content).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Content that no other test has, and that does not repeat.
pub fn noise(length: usize) -> Vec<u8> {
    let mut state = 88_172_645_463_325_252_u64;
    let next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state.to_le_bytes()[3]
    };
    std::iter::repeat_with(next).take(length).collect()
}

impl Rig {
    /// Waits until so many files are there. Files are not events: all that can be done is to look.
    pub async fn until_files(&self, count: usize) {
        let look = async {
            while self.files().len() != count {
                tokio::task::yield_now().await;
            }
        };
        let waited = tokio::time::timeout(crate::support::PATIENCE, look).await;
        assert!(waited.is_ok(), "waited in vain for {count} files: {:?}", self.files());
    }
}
