//! Content that comes in from outside, of any size, without being in memory.

use bytes::{Bytes, BytesMut};
use futures_util::{Stream, StreamExt};

use super::{
    files::{Files, Writing},
    measure::{Measured, Measuring},
};
use crate::{
    domain::{
        access::Scope,
        deliverable::LARGEST_INLINE,
        refusal::{Code, Refusal},
    },
    engine::{Engine, Error, Origin, Result, commands::Intent},
    store::deliverables::{Content, Deliverable, Upload},
};

/// Why content was not taken.
#[derive(Debug)]
pub enum Failed {
    TooLarge {
        most: u64,
    },
    /// Its length or its hash is not the one that was announced.
    Wrong(String),
    /// It ended before it was complete.
    Interrupted,
    TooSlow,
    /// It was not wanted any more.
    Refused(Refusal),
    /// Our own fault.
    Ours(Error),
}

impl From<Error> for Failed {
    fn from(error: Error) -> Self {
        match error {
            Error::Refused(mut refusals) if !refusals.is_empty() => Failed::Refused(refusals.remove(0)),
            error => Failed::Ours(error),
        }
    }
}

impl From<crate::store::Error> for Failed {
    fn from(error: crate::store::Error) -> Self {
        Failed::Ours(error.into())
    }
}

/// Content that is being taken: in memory as long as it is small, then in a file.
struct Taking {
    measuring: Measuring,
    small: BytesMut,
    file: Option<(String, Writing)>,
}

impl Engine {
    /// An upload that has not been used and has not expired.
    pub async fn expected_upload(&self, id: uuid::Uuid) -> Result<Upload> {
        let now = self.clock().now();
        let found = self.store().upload(id).await?.filter(|upload| upload.expires_at > now);
        let message = "the upload has expired, or its content has been taken: ask for a new one";
        Ok(found.ok_or_else(|| Refusal::new(Code::Expired, message))?)
    }

    /// Takes the content that an upload expects, and makes a version of it. `announced` is the length that its sender
    /// says it has.
    pub async fn receive<S, E>(
        &self,
        upload: Upload,
        announced: Option<u64>,
        body: S,
    ) -> std::result::Result<Deliverable, Failed>
    where
        S: Stream<Item = std::result::Result<Bytes, E>> + Send + Unpin,
    {
        let intent = Intent::parse(&upload.intent)?;
        let most = self.settings().max_upload_bytes;
        if announced.is_some_and(|length| length > most) {
            return Err(Failed::TooLarge { most });
        }
        if let Some(length) = announced {
            check_length(&intent, length)?;
        }
        // From here on it has its whole time again, and nobody takes it away before.
        let until = self.clock().now() + self.settings().upload_ttl.as_chrono();
        let tx = self.begin(&Origin::default()).await?;
        if !tx.prolong_upload(upload.id, until).await? {
            return Err(Failed::Refused(Refusal::new(Code::Expired, "the content has been taken already")));
        }
        tx.commit().await?;
        let mut taking = Taking { measuring: Measuring::default(), small: BytesMut::new(), file: None };
        let whole =
            tokio::time::timeout(self.settings().upload_ttl.0, self.take_all(&upload, &intent, &mut taking, body));
        let taken = whole.await.unwrap_or(Err(Failed::TooSlow));
        let Taking { measuring, small, file } = taking;
        let measured = measuring.finish();
        let checked = taken.and_then(|()| check(&intent, &measured));
        let key = file.as_ref().map(|(key, _)| key.clone());
        let result = match (checked, file) {
            (Ok(()), Some((key, writing))) => match writing.finish().await {
                Ok(()) => self.finish_upload(&upload, intent, file_content(key, &measured), &measured).await,
                Err(error) => Err(Failed::Ours(error)),
            },
            (Ok(()), None) => {
                let Measured { sha256, crc32, .. } = measured.clone();
                let content = Content::Inline { body: small.to_vec(), sha256, crc32 };
                self.finish_upload(&upload, intent, content, &measured).await
            }
            (Err(failed), Some((_, writing))) => {
                writing.abort().await;
                Err(failed)
            }
            (Err(failed), None) => Err(failed),
        };
        match (&result, key) {
            // It is not known whether the version was written: if it was not, the file is deleted later.
            (Ok(_) | Err(Failed::Ours(_)), _) | (_, None) => {}
            (Err(_), Some(key)) => self.give_up_file(&key).await,
        }
        result
    }

    async fn take_all<S, E>(
        &self,
        upload: &Upload,
        intent: &Intent,
        taking: &mut Taking,
        mut body: S,
    ) -> std::result::Result<(), Failed>
    where
        S: Stream<Item = std::result::Result<Bytes, E>> + Send + Unpin,
    {
        let most = intent.size.unwrap_or(u64::MAX).min(self.settings().max_upload_bytes);
        loop {
            let next = tokio::time::timeout(self.settings().request_timeout.0, body.next()).await;
            let bytes = match next.map_err(|_| Failed::TooSlow)? {
                Some(Ok(bytes)) => bytes,
                Some(Err(_)) => return Err(Failed::Interrupted),
                None => return Ok(()),
            };
            taking.measuring.update(&bytes);
            if taking.measuring.size() > most {
                return Err(match intent.size {
                    Some(size) if size <= most => Failed::Wrong(format!("the content is longer than {size} bytes")),
                    _ => Failed::TooLarge { most },
                });
            }
            match &mut taking.file {
                Some((_, writing)) => writing.write(bytes).await?,
                None if taking.small.len() + bytes.len() <= LARGEST_INLINE => taking.small.extend_from_slice(&bytes),
                None => {
                    let (key, mut writing) = self.begin_file(upload).await?;
                    let first = std::mem::take(&mut taking.small).freeze();
                    writing.write(first).await?;
                    writing.write(bytes).await?;
                    taking.file = Some((key, writing));
                }
            }
        }
    }

    /// Notes that there will be a file, then begins it.
    async fn begin_file(&self, upload: &Upload) -> Result<(String, Writing)> {
        let key = Files::new_key(upload.workspace, upload.deliverable);
        self.note_file(&key).await?;
        Ok((key.clone(), self.files().write(&key).await?))
    }

    /// Notes a file before it is written: if nothing comes of it, it is deleted after a while.
    pub(super) async fn note_file(&self, key: &str) -> Result<()> {
        let tx = self.begin(&Origin::default()).await?;
        // Twice the time that writing it may take.
        let until = tx.now() + self.settings().upload_ttl.as_chrono() * 2;
        tx.insert_loose_object(key, until).await?;
        Ok(tx.commit().await?)
    }

    /// Deletes a file of which nothing comes; if that fails now, somebody does it later.
    pub(super) async fn give_up_file(&self, key: &str) {
        let delete = async {
            self.files().delete(key).await?;
            let tx = self.begin(&Origin::default()).await?;
            tx.forget_loose_object(key).await?;
            Result::Ok(tx.commit().await?)
        };
        if let Err(error) = delete.await {
            tracing::warn!(error = error.explain(), "cannot delete a file of which nothing comes; it is done later");
        }
    }

    async fn finish_upload(
        &self,
        upload: &Upload,
        intent: Intent,
        content: Content,
        measured: &Measured,
    ) -> std::result::Result<Deliverable, Failed> {
        let made = self.take_upload(upload, intent, content, measured).await?;
        let scope = Scope::system(upload.workspace);
        let gone = || Error::Internal(format!("{made} is not there after it was made"));
        Ok(self.store().deliverable(scope, made).await?.ok_or_else(gone)?)
    }
}

pub(super) fn file_content(key: String, measured: &Measured) -> Content {
    let Measured { size, sha256, crc32, .. } = measured.clone();
    Content::File { key, size, sha256, crc32 }
}

fn check_length(intent: &Intent, length: u64) -> std::result::Result<(), Failed> {
    match intent.size {
        Some(size) if size != length => {
            Err(Failed::Wrong(format!("the content has {length} bytes: the upload was asked for with {size}")))
        }
        Some(_) | None => Ok(()),
    }
}

fn check(intent: &Intent, measured: &Measured) -> std::result::Result<(), Failed> {
    check_length(intent, measured.size)?;
    match &intent.sha256 {
        Some(sha256) if *sha256 != measured.sha256 => Err(Failed::Wrong(format!(
            "the content has the SHA-256 {}: the upload was asked for with {sha256}",
            measured.sha256
        ))),
        Some(_) | None => Ok(()),
    }
}
