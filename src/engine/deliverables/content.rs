//! The bytes of a version, wherever they are.

use std::ops::Range;

use bytes::Bytes;
use futures_util::{StreamExt, TryStreamExt, stream, stream::BoxStream};

use crate::{
    domain::{
        access::Scope,
        deliverable::{HEAD, Storage},
        id::DeliverableId,
    },
    engine::{Engine, Error, Result},
    store::deliverables::{Deliverable, Version},
};

/// Content, piece by piece.
pub type Chunks = BoxStream<'static, Result<Bytes>>;

impl Engine {
    /// A version of a deliverable, the newest one unless another is named.
    pub async fn find_version(
        &self,
        scope: Scope,
        id: DeliverableId,
        number: Option<i32>,
    ) -> Result<Option<(Deliverable, Version)>> {
        let Some(deliverable) = self.store().deliverable(scope, id).await? else { return Ok(None) };
        let number = number.unwrap_or(deliverable.version);
        Ok(self.store().version(scope, id, number).await?.map(|version| (deliverable, version)))
    }

    /// A part of a version's content; nothing if there is none here, because it is elsewhere or was deleted.
    pub async fn open_content(&self, scope: Scope, version: &Version, range: Range<u64>) -> Result<Option<Chunks>> {
        match version.storage {
            Storage::External => Ok(None),
            Storage::Inline => {
                let Some(body) = self.store().body(scope, version.deliverable, version.number).await? else {
                    return Ok(None);
                };
                let bounds = usize::try_from(range.start).ok().zip(usize::try_from(range.end).ok());
                let part = bounds.and_then(|(start, end)| body.get(start..end)).map(Bytes::copy_from_slice);
                let part = part.ok_or_else(|| Error::Internal("content is shorter than its row says".to_owned()))?;
                Ok(Some(stream::iter([Ok(part)]).boxed()))
            }
            Storage::File => match &version.object_key {
                None => Ok(None),
                // A bucket refuses a range of nothing.
                Some(_) if range.is_empty() => Ok(Some(stream::empty().boxed())),
                Some(key) => Ok(Some(self.files().read(key, range).await?.boxed())),
            },
        }
    }

    /// The first bytes of a file, and no more.
    pub async fn head_of_file(&self, scope: Scope, version: &Version) -> Result<Option<Vec<u8>>> {
        let end = version.size.unwrap_or(0).min(HEAD as u64);
        self.collect_content(scope, version, end).await
    }

    /// The first bytes of a version's content, in memory.
    pub(super) async fn collect_content(&self, scope: Scope, version: &Version, end: u64) -> Result<Option<Vec<u8>>> {
        let Some(chunks) = self.open_content(scope, version, 0..end).await? else { return Ok(None) };
        let join = |mut all: Vec<u8>, chunk: Bytes| async move {
            all.extend_from_slice(&chunk);
            Ok(all)
        };
        Ok(Some(chunks.try_fold(Vec::new(), join).await?))
    }
}
