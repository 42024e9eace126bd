//! Content in the input of mutations, and what comes of it.

use async_graphql::{ID, InputObject, SimpleObject};
use base64::{Engine as _, prelude::BASE64_STANDARD};
use chrono::{DateTime, Utc};

use super::Deliverable;
use crate::{
    domain::refusal::Refusal,
    engine::commands::{Given, Handed, StartedUpload},
    graphql::{
        error::UserError,
        json::{self, Json},
    },
};

/// Content: exactly one of these.
#[derive(InputObject)]
pub struct DeliverableContentInput {
    /// A text: at most 1 MiB.
    text: Option<String>,
    /// Bytes in base64: at most 1 MiB of them.
    base64: Option<String>,
    /// It is elsewhere.
    external: Option<ExternalContentInput>,
    /// It is sent afterwards, and may be large.
    upload: Option<UploadContentInput>,
}

/// Content that is elsewhere, such as a pull request.
#[derive(InputObject)]
pub struct ExternalContentInput {
    /// Its address: `https://…` or `http://…`.
    url: String,
    /// What else is known of it: at most 64 KiB.
    metadata: Option<Json>,
}

/// Content that is sent afterwards. What is said of it here must then be so.
#[derive(InputObject)]
pub struct UploadContentInput {
    /// How many bytes it has: a whole number.
    size: Option<f64>,
    /// Its SHA-256 in hexadecimal.
    sha256: Option<String>,
}

impl DeliverableContentInput {
    pub fn read(self) -> Result<Given, UserError> {
        let invalid = |message: &str| UserError::from(Refusal::invalid("content", message.to_owned()));
        match (self.text, self.base64, self.external, self.upload) {
            (Some(text), None, None, None) => Ok(Given::Body(text.into_bytes())),
            (None, Some(text), None, None) => {
                let bytes = BASE64_STANDARD.decode(text);
                Ok(Given::Body(bytes.map_err(|_| invalid("`base64` is not base64 with its padding"))?))
            }
            (None, None, Some(external), None) => {
                let metadata = external.metadata.map(|value| json::read("metadata", &value)).transpose()?;
                Ok(Given::External { url: external.url, metadata })
            }
            (None, None, None, Some(upload)) => {
                let size = match upload.size {
                    Some(size) if size.fract() != 0.0 || !(0.0..9e15).contains(&size) => {
                        return Err(invalid("`size` must be a whole number of bytes"));
                    }
                    size => size.map(|size| size as u64),
                };
                Ok(Given::Upload { size, sha256: upload.sha256 })
            }
            _ => Err(invalid("give exactly one of `text`, `base64`, `external` and `upload`")),
        }
    }
}

/// Where content can be sent: `PUT` it to `url` with the header `Authorization: Bearer TOKEN`.
#[derive(SimpleObject)]
pub struct DeliverableUpload {
    /// What the deliverable is found by once its content is there.
    deliverable_id: ID,
    /// Where to send the content.
    url: String,
    /// Good for this one upload only.
    token: String,
    /// Until when it can be begun.
    expires_at: DateTime<Utc>,
}

impl From<StartedUpload> for DeliverableUpload {
    fn from(started: StartedUpload) -> Self {
        let StartedUpload { deliverable, url, token, expires_at } = started;
        Self { deliverable_id: deliverable.to_string().into(), url, token, expires_at }
    }
}

/// A deliverable, or where its content can be sent.
pub fn split(handed: Handed) -> (Option<Deliverable>, Option<DeliverableUpload>) {
    match handed {
        Handed::Deliverable(made) => (Some(made.into()), None),
        Handed::Upload(started) => (None, Some(started.into())),
    }
}
