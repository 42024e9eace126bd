//! All that an execution made, as one ZIP.

use std::sync::Arc;

use bytes::Bytes;
use futures_util::{StreamExt, TryStreamExt, stream};

use super::content::Chunks;
use crate::{
    domain::{
        access::Scope,
        deliverable::{
            Names, Status,
            zip::{self, Entry},
        },
        id::ExecutionId,
    },
    engine::{Engine, Error, Result},
    store::{
        deliverables::{Filter, Sort, Version},
        page::Page,
    },
};

const BATCH: u64 = 100;

/// A ZIP that has not been read yet.
pub struct Archive {
    pub length: u64,
    pub chunks: Chunks,
}

/// A file of the ZIP, and where its bytes come from.
#[derive(Clone)]
enum Source {
    Version(Box<Version>),
    Text(Bytes),
}

impl Engine {
    /// The newest versions of all that an execution made and nobody has archived; nothing if there is no such
    /// execution. Only names and sizes are in memory.
    pub async fn archive(&self, scope: Scope, execution: ExecutionId) -> Result<Option<Archive>> {
        if self.store().execution(scope, execution).await?.is_none() {
            return Ok(None);
        }
        let filter =
            Filter { execution: Some(execution), statuses: vec![Status::Draft, Status::Final], ..Filter::default() };
        let (mut entries, mut sources, mut names) = (Vec::new(), Vec::new(), Names::default());
        let mut page = Page::first(BATCH);
        loop {
            let slice = self.store().deliverables(scope, &filter, Sort::Age, false, &page).await?;
            let newest: Vec<_> = slice.rows.iter().map(|(_, row)| (row.id, row.version)).collect();
            let mut versions = self.store().versions(scope, &newest).await?;
            for (_, row) in &slice.rows {
                let Some(version) = versions.remove(&(row.id, row.version)) else { continue };
                if let Some((entry, source)) = file_of(&mut names, &row.name, version) {
                    entries.push(entry);
                    sources.push(source);
                }
            }
            page.after = slice.rows.last().map(|(cursor, _)| cursor.clone());
            if !slice.has_next {
                break;
            }
        }
        let length = zip::length(&entries);
        let end = stream::once({
            let entries = Arc::new(entries.clone());
            async move { Ok(Bytes::from(zip::directory(&entries))) }
        });
        let engine = self.clone();
        let files = stream::iter(entries.into_iter().zip(sources)).then(move |(entry, source)| {
            let engine = engine.clone();
            async move {
                let header = stream::iter([Ok(Bytes::from(entry.header()))]);
                Result::Ok(header.chain(engine.bytes_of(scope, source).await?))
            }
        });
        Ok(Some(Archive { length, chunks: files.try_flatten().chain(end).boxed() }))
    }

    async fn bytes_of(&self, scope: Scope, source: Source) -> Result<Chunks> {
        match source {
            Source::Text(text) => Ok(stream::iter([Ok(text)]).boxed()),
            Source::Version(version) => {
                let gone = || Error::Internal("content was deleted while it was read".to_owned());
                let size = version.size.unwrap_or(0);
                self.open_content(scope, &version, 0..size).await?.ok_or_else(gone)
            }
        }
    }
}

/// How a version stands in the ZIP. What is elsewhere is a file that leads there.
fn file_of(names: &mut Names, name: &str, version: Version) -> Option<(Entry, Source)> {
    let at = version.created_at;
    if let Some(url) = &version.url {
        let text = format!("[InternetShortcut]\r\nURL={url}\r\n");
        let entry = Entry {
            name: names.unique(&format!("{name}.url")),
            size: text.len() as u64,
            crc32: crc32fast::hash(text.as_bytes()),
            at,
        };
        return Some((entry, Source::Text(text.into())));
    }
    let (size, crc32) = (version.size?, version.crc32?);
    Some((Entry { name: names.unique(name), size, crc32, at }, Source::Version(Box::new(version))))
}
