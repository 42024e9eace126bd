//! Retried creations find what the first try made.

use chrono::{DateTime, Utc};
use sea_orm::{ActiveValue::Set, ColumnTrait, EntityTrait, QueryFilter, QueryTrait};
use sha2::{Digest, Sha256};

use super::{Result, Store, Tx, session::Session};
use crate::domain::access::{Actor, Scope};

/// A creating request: who may retry it, what it is called and what it asks for.
#[derive(Debug, Clone)]
pub struct Request {
    pub scope: Scope,
    pub mutation: &'static str,
    pub key: String,
    /// Everything that makes two requests the same request.
    pub content: String,
}

/// What is known of a key.
#[derive(Debug, PartialEq, Eq)]
pub enum Known {
    /// The first time: [`Tx::remember`], then go on.
    New,
    /// A retry: this was made.
    Made(String),
    /// The key was used for something else.
    Mismatch,
}

impl Request {
    fn actor(&self) -> String {
        match self.scope.actor() {
            Actor::User(id) => id.to_string(),
            Actor::ApiToken(id) => id.to_string(),
            Actor::System => "system".to_owned(),
        }
    }

    fn fingerprint(&self) -> Vec<u8> {
        Sha256::digest(self.content.as_bytes()).to_vec()
    }
}

/// What is known of a request's key.
pub(super) async fn recall(db: &impl Session, request: &Request) -> Result<Known> {
    let id = (request.scope.workspace().0, request.actor(), request.mutation.to_owned(), request.key.clone());
    let query = entity::idempotency_key::Entity::find_by_id(id);
    let row = db.model::<entity::idempotency_key::Entity>(query.build(db.backend())).await?;
    Ok(match row {
        None => Known::New,
        Some(row) if row.fingerprint == request.fingerprint() => Known::Made(row.subject),
        Some(_) => Known::Mismatch,
    })
}

pub(super) async fn remember(db: &impl Session, request: &Request, subject: String, now: DateTime<Utc>) -> Result<()> {
    let row = entity::idempotency_key::ActiveModel {
        workspace_id: Set(request.scope.workspace().0),
        actor: Set(request.actor()),
        mutation: Set(request.mutation.to_owned()),
        key: Set(request.key.clone()),
        fingerprint: Set(request.fingerprint()),
        subject: Set(subject),
        created_at: Set(now),
    };
    db.run(entity::idempotency_key::Entity::insert(row).build(db.backend())).await?;
    Ok(())
}

impl Store {
    /// What is known of a request's key now. Whoever goes on to create asks again when it writes.
    pub async fn recall(&self, request: &Request) -> Result<Known> {
        recall(self.read(), request).await
    }
}

impl Tx {
    pub async fn recall(&self, request: &Request) -> Result<Known> {
        recall(&self.db, request).await
    }

    pub async fn remember(&self, request: &Request, subject: String) -> Result<()> {
        remember(&self.db, request, subject, self.now()).await
    }

    /// Deletes keys made before a time.
    pub async fn forget_idempotency_keys(&self, before: DateTime<Utc>) -> Result<()> {
        use entity::idempotency_key::{Column, Entity};
        Entity::delete_many().filter(Column::CreatedAt.lt(before)).exec(&self.db).await?;
        Ok(())
    }
}
