//! The content of a deliverable as its maker gives it: at once, later, or as an address.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{
    domain::{
        access::Scope,
        deliverable::{self, LARGEST_INLINE, Type},
        id::DeliverableId,
        json::Json,
        refusal::Refusal,
    },
    engine::{
        Engine, Error, Result,
        deliverables::{Link, Measured},
        error::Problems,
    },
    store::{
        Tx,
        deliverables::{Content, Deliverable, NewVersion, Upload},
    },
};

/// The largest metadata of what is elsewhere, in bytes.
const LARGEST_METADATA: usize = 64 * 1024;
/// What an address leads to is not known.
const UNKNOWN: &str = "application/octet-stream";

/// Content as its maker gives it.
#[derive(Debug, Clone)]
pub enum Given {
    /// All of it, at once.
    Body(Vec<u8>),
    /// It is elsewhere.
    External { url: String, metadata: Option<Json> },
    /// It follows, with this length and hash if they are given.
    Upload { size: Option<u64>, sha256: Option<String> },
}

/// What came of it: a deliverable, or the way to send its content.
#[derive(Debug, Clone)]
pub enum Handed {
    Deliverable(Deliverable),
    Upload(StartedUpload),
}

/// Where content can be sent.
#[derive(Debug, Clone)]
pub struct StartedUpload {
    /// What the deliverable will be called by, once its content is there.
    pub deliverable: DeliverableId,
    pub url: String,
    pub token: String,
    pub expires_at: DateTime<Utc>,
}

/// What will be made of content that is expected.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Intent {
    /// Nothing for another version of something.
    pub new: Option<IntendedDeliverable>,
    pub mime_type: Option<String>,
    pub size: Option<u64>,
    pub sha256: Option<String>,
    /// The version that the new one follows, if its maker says so.
    pub base_version: Option<i32>,
}

/// The same of a deliverable that does not exist yet.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct IntendedDeliverable {
    pub name: String,
    pub description: String,
    pub r#type: Option<Type>,
    /// Nothing for one that stands alone.
    pub execution: Option<Uuid>,
    pub step: Option<usize>,
    pub agent: Option<Uuid>,
    pub checkpoint: Option<Uuid>,
}

impl Intent {
    pub fn parse(text: &str) -> Result<Self> {
        serde_json::from_str(text).map_err(|error| Error::Internal(format!("an upload cannot be read: {error}")))
    }
}

/// Content that was checked.
pub(super) enum Checked {
    Now(NewVersion),
    Later { size: Option<u64>, sha256: Option<String> },
}

impl Engine {
    pub(super) fn check_given(
        &self,
        given: Given,
        mime_type: Option<&str>,
        problems: &mut Problems,
    ) -> Option<Checked> {
        match given {
            Given::Body(body) => {
                if body.len() > LARGEST_INLINE {
                    let message = format!(
                        "the content has {} bytes: at most {LARGEST_INLINE} can be given here, use `upload` for more",
                        body.len()
                    );
                    problems.note(Refusal::invalid("content", message));
                    return None;
                }
                let measured = Measured::of(&body);
                let mime_type = mime_type.unwrap_or(measured.mime_type).to_owned();
                let content = Content::Inline { body, sha256: measured.sha256, crc32: measured.crc32 };
                Some(Checked::Now(NewVersion { mime_type, content }))
            }
            Given::External { url, metadata } => {
                let url = problems.take(deliverable::check_url("url", &url))?;
                if let Some(size) = metadata.as_ref().map(Json::size).filter(|size| *size > LARGEST_METADATA) {
                    let message = format!("`metadata` has {size} bytes: at most {LARGEST_METADATA} are allowed");
                    problems.note(Refusal::invalid("metadata", message));
                }
                let metadata = metadata.map(|json| json.text().to_owned());
                let mime_type = mime_type.unwrap_or(UNKNOWN).to_owned();
                Some(Checked::Now(NewVersion { mime_type, content: Content::External { url, metadata } }))
            }
            Given::Upload { size, sha256 } => {
                let most = self.settings().max_upload_bytes;
                if let Some(size) = size.filter(|size| *size > most) {
                    let message = format!("`size` is {size}: at most {most} bytes are allowed");
                    problems.note(Refusal::invalid("size", message));
                }
                let sha256 = sha256.and_then(|hash| problems.take(deliverable::check_hash("sha256", &hash)));
                Some(Checked::Later { size, sha256 })
            }
        }
    }

    /// Notes that content will come.
    pub(super) async fn expect_upload(
        &self,
        tx: &Tx,
        scope: Scope,
        deliverable: DeliverableId,
        intent: &Intent,
    ) -> Result<StartedUpload> {
        self.check_pending_uploads(tx, scope).await?;
        self.check_stored_bytes(scope.workspace(), intent.size.unwrap_or(1)).await?;
        let intent = serde_json::to_string(intent).map_err(|error| Error::Internal(error.to_string()))?;
        let upload = Upload {
            id: Uuid::new_v4(),
            workspace: scope.workspace(),
            deliverable,
            intent,
            actor: scope.actor(),
            expires_at: tx.now() + self.settings().upload_ttl.as_chrono(),
        };
        tx.insert_upload(&upload).await?;
        self.started_upload(&upload)
    }

    /// Where the content of an upload can be sent.
    pub(super) fn started_upload(&self, upload: &Upload) -> Result<StartedUpload> {
        let Upload { id, deliverable, expires_at, .. } = upload;
        Ok(StartedUpload {
            deliverable: *deliverable,
            url: format!("{}/deliverables/{deliverable}/content", self.public_url()),
            token: self.links().sign(Link::Upload { upload: *id }, *expires_at)?,
            expires_at: *expires_at,
        })
    }
}
