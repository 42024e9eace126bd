//! The files of deliverables: in a folder, or in a bucket.

use std::{ops::Range, path::PathBuf, sync::Arc};

use bytes::Bytes;
use futures_util::{Stream, TryStreamExt};
use object_store::{
    GetOptions, ObjectStore, ObjectStoreExt, WriteMultipart, aws::AmazonS3Builder, local::LocalFileSystem, path::Path,
};
use secrecy::ExposeSecret;
use tokio::sync::OnceCell;
use uuid::Uuid;

use crate::{
    config::{FileStorage, Settings},
    domain::id::{DeliverableId, WorkspaceId},
    engine::{Error, Result},
};

/// S3 takes no smaller parts than 5 MiB, and no more than 10,000 of them.
const PART_OF_OBJECT: usize = 8 * 1024 * 1024;
const PART_OF_FILE: usize = 1024 * 1024;
/// How many parts are in memory at a time.
const PARTS_AT_ONCE: usize = 2;

/// Where files are kept.
pub struct Files {
    place: FileStorage,
    settings: Settings,
    /// Opened when the first file is needed.
    store: OnceCell<Arc<dyn ObjectStore>>,
}

fn failed(what: &str, error: &object_store::Error) -> Error {
    Error::Internal(format!("cannot {what}: {error}"))
}

/// A bucket of the service that the settings describe.
pub fn open_bucket(settings: &Settings, bucket: &str) -> Result<Arc<dyn ObjectStore>> {
    // One by one: not every S3-compatible service deletes many at once.
    let mut builder =
        AmazonS3Builder::new().with_bucket_name(bucket).with_region(&settings.s3_region).with_disable_bulk_delete(true);
    if let Some(endpoint) = &settings.s3_endpoint {
        let http = endpoint.scheme() == "http";
        builder = builder.with_endpoint(endpoint.as_str().trim_end_matches('/')).with_allow_http(http);
    }
    if let Some(key) = &settings.s3_access_key_id {
        builder = builder.with_access_key_id(key);
    }
    if let Some(secret) = &settings.s3_secret_access_key {
        builder = builder.with_secret_access_key(secret.expose_secret());
    }
    Ok(Arc::new(builder.build().map_err(|error| failed("open the bucket", &error))?))
}

impl Files {
    pub fn new(settings: &Settings) -> Self {
        Self { place: settings.files(), settings: settings.clone(), store: OnceCell::new() }
    }

    /// The name of a file that no other has: whatever becomes of it, it is written once.
    pub fn new_key(workspace: WorkspaceId, deliverable: DeliverableId) -> String {
        format!("{}/{}/{}", workspace.0.simple(), deliverable.0.simple(), Uuid::new_v4().simple())
    }

    async fn store(&self) -> Result<&Arc<dyn ObjectStore>> {
        self.store.get_or_try_init(|| async { self.open() }).await
    }

    fn open(&self) -> Result<Arc<dyn ObjectStore>> {
        match &self.place {
            FileStorage::Folder(folder) => {
                let made = create_private(folder);
                made.map_err(|error| Error::Internal(format!("cannot create the folder {folder}: {error}")))?;
                let folder = LocalFileSystem::new_with_prefix(folder).map_err(|error| failed("open files", &error))?;
                // What was acknowledged survives a power cut.
                Ok(Arc::new(folder.with_fsync(true).with_automatic_cleanup(true)))
            }
            FileStorage::S3 { bucket, .. } => open_bucket(&self.settings, bucket),
        }
    }

    fn path(&self, key: &str) -> Path {
        match &self.place {
            FileStorage::S3 { prefix, .. } if !prefix.is_empty() => Path::from(format!("{prefix}/{key}")),
            FileStorage::S3 { .. } | FileStorage::Folder(_) => Path::from(key),
        }
    }

    /// Begins a file. It is there under its name once it is complete.
    pub async fn write(&self, key: &str) -> Result<Writing> {
        let upload = self.store().await?.put_multipart(&self.path(key)).await;
        let upload = upload.map_err(|error| failed("begin a file", &error))?;
        let part = match &self.place {
            FileStorage::Folder(_) => PART_OF_FILE,
            FileStorage::S3 { .. } => PART_OF_OBJECT,
        };
        Ok(Writing(WriteMultipart::new_with_chunk_size(upload, part)))
    }

    /// A part of a file, piece by piece.
    pub async fn read(&self, key: &str, range: Range<u64>) -> Result<impl Stream<Item = Result<Bytes>> + Send + use<>> {
        let options = GetOptions::new().with_range(Some(range));
        let found = self.store().await?.get_opts(&self.path(key), options).await;
        let found = found.map_err(|error| failed("read a file", &error))?;
        Ok(found.into_stream().map_err(|error| failed("read a file", &error)))
    }

    /// Deletes a file, whether it is there or not, and what is left of one that was never complete.
    pub async fn delete(&self, key: &str) -> Result<()> {
        let path = self.path(key);
        match self.store().await?.delete(&path).await {
            Ok(()) | Err(object_store::Error::NotFound { .. }) => {}
            Err(error) => return Err(failed("delete a file", &error)),
        }
        // A bucket shows nothing of what was never complete, and its own rules clean that up.
        if let FileStorage::Folder(folder) = &self.place {
            remove_staged(PathBuf::from(folder).join(format!("{key}#1"))).await?;
        }
        Ok(())
    }
}

/// Only the owner may look inside.
fn create_private(folder: &str) -> std::io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// A file that is being written has `#1` behind its name until it is complete, and a folder of its own.
async fn remove_staged(path: PathBuf) -> Result<()> {
    match tokio::fs::remove_file(&path).await {
        Ok(()) => {
            // Not empty: another version's file is there.
            for folder in path.ancestors().skip(1).take(2) {
                if tokio::fs::remove_dir(folder).await.is_err() {
                    break;
                }
            }
            Ok(())
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(Error::Internal(format!("cannot delete an incomplete file: {error}"))),
    }
}

/// A file on its way.
pub struct Writing(WriteMultipart);

impl Writing {
    /// Takes more, once there is room for it.
    pub async fn write(&mut self, bytes: Bytes) -> Result<()> {
        self.0.wait_for_capacity(PARTS_AT_ONCE).await.map_err(|error| failed("write a file", &error))?;
        self.0.put(bytes);
        Ok(())
    }

    pub async fn finish(self) -> Result<()> {
        self.0.finish().await.map_err(|error| failed("complete a file", &error))?;
        Ok(())
    }

    pub async fn abort(self) {
        if let Err(error) = self.0.abort().await {
            tracing::warn!(%error, "cannot give up a file; it is deleted later");
        }
    }
}
