//! Large values, once each and compressed.

use std::collections::HashMap;

use sea_orm::{ActiveValue::Set, ColumnTrait, EntityTrait, QueryFilter, QueryTrait, sea_query::OnConflict};
use sha2::{Digest, Sha256};

use super::{Error, Result, Store, journal::Append, micros, session::Session};
use crate::domain::{
    access::Scope,
    execution::{Data, LARGEST_INLINE, PayloadHash},
    id::WorkspaceId,
    json::Json,
};

/// Level 1 is as fast as the disk and already takes most of the air out of JSON.
const LEVEL: i32 = 1;

/// A value on its way to the payload table.
#[derive(Debug, Clone)]
pub struct Payload {
    hash: PayloadHash,
    bytes: u64,
    body: Vec<u8>,
}

/// How a value stands in the journal: itself, or a reference and what it refers to.
pub fn pack(json: Json) -> (Data, Option<Payload>) {
    if json.size() <= LARGEST_INLINE {
        return (Data::Inline(json), None);
    }
    let text = json.text().as_bytes();
    // Compressing into memory cannot fail; if it did, the value would simply stand in the journal.
    let Ok(body) = zstd::bulk::compress(text, LEVEL) else {
        return (Data::Inline(json), None);
    };
    let (hash, bytes) = (PayloadHash(Sha256::digest(text).into()), text.len() as u64);
    (Data::Stored { hash, bytes }, Some(Payload { hash, bytes, body }))
}

pub(super) async fn insert(db: &impl Session, accepted: &[&Append]) -> Result<()> {
    use entity::payload::{ActiveModel, Column, Entity};
    for append in accepted {
        for payload in &append.payloads {
            let row = ActiveModel {
                workspace_id: Set(append.workspace.0),
                hash: Set(payload.hash.0.to_vec()),
                bytes: Set(i64::try_from(payload.bytes).unwrap_or(i64::MAX)),
                body: Set(payload.body.clone()),
                created_at: Set(micros::from_time(append.at)),
            };
            let keep = OnConflict::columns([Column::WorkspaceId, Column::Hash]).do_nothing().to_owned();
            db.run(Entity::insert(row).on_conflict(keep).build(db.backend())).await?;
        }
    }
    Ok(())
}

impl Store {
    /// The values behind references.
    pub async fn payloads(&self, scope: Scope, hashes: &[PayloadHash]) -> Result<HashMap<PayloadHash, Json>> {
        use entity::payload::{Column, Entity};
        if hashes.is_empty() {
            return Ok(HashMap::new());
        }
        let query = Entity::find()
            .filter(Column::WorkspaceId.eq(scope.workspace().0))
            .filter(Column::Hash.is_in(hashes.iter().map(|hash| hash.0.to_vec())));
        let broken = |what| Error::Unexpected(format!("a stored value {what}"));
        query.all(self.read()).await?.into_iter().map(|row| unpack(row).map_err(broken)).collect()
    }

    /// What is wrong with a stored value, if anything is.
    pub async fn payload_problem(&self, workspace: WorkspaceId, hash: PayloadHash) -> Result<Option<&'static str>> {
        let row = entity::payload::Entity::find_by_id((workspace.0, hash.0.to_vec())).one(self.read()).await?;
        Ok(match row {
            Some(row) => unpack(row).err(),
            None => Some("is missing"),
        })
    }
}

/// The value of a row, or what is wrong with it.
fn unpack(row: entity::payload::Model) -> std::result::Result<(PayloadHash, Json), &'static str> {
    let size = usize::try_from(row.bytes).map_err(|_| "has no size")?;
    let text = zstd::bulk::decompress(&row.body, size).map_err(|_| "cannot be decompressed")?;
    let hash = PayloadHash(Sha256::digest(&text).into());
    if hash.0.as_slice() != row.hash.as_slice() {
        return Err("is not what its hash says");
    }
    let text = String::from_utf8(text).map_err(|_| "is not a text")?;
    Ok((hash, Json::trusted(text).map_err(|_| "is not JSON")?))
}
