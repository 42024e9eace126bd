//! From rows to deliverables.

use chrono::{DateTime, Utc};

use crate::{
    domain::{
        access::Actor,
        deliverable::{Status, Storage, Type},
        id::{AgentId, CheckpointId, DeliverableId, ExecutionId, WorkspaceId},
    },
    store::{actor, micros},
};

/// A deliverable without its content.
#[derive(Debug, Clone, PartialEq)]
pub struct Deliverable {
    pub id: DeliverableId,
    pub workspace: WorkspaceId,
    pub execution: ExecutionId,
    pub step: Option<usize>,
    pub agent: Option<AgentId>,
    pub checkpoint: Option<CheckpointId>,
    pub name: String,
    pub description: String,
    pub r#type: Type,
    pub status: Status,
    /// What restoring makes of it.
    pub status_before: Option<Status>,
    /// The newest one.
    pub version: i32,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
    pub archived_at: Option<DateTime<Utc>>,
    /// When retention deleted all content.
    pub content_deleted_at: Option<DateTime<Utc>>,
    pub actor: Actor,
}

impl From<entity::deliverable::Model> for Deliverable {
    fn from(row: entity::deliverable::Model) -> Self {
        Self {
            id: DeliverableId(row.id),
            workspace: WorkspaceId(row.workspace_id),
            execution: ExecutionId(row.execution_id),
            step: row.step.and_then(|step| usize::try_from(step).ok()),
            agent: row.agent_id.map(AgentId),
            checkpoint: row.checkpoint_id.map(CheckpointId),
            name: row.name,
            description: row.description,
            // The database's checks know these words.
            r#type: row.r#type.parse().unwrap_or(Type::Other),
            status: row.status.parse().unwrap_or(Status::Archived),
            status_before: row.status_before.and_then(|status| status.parse().ok()),
            version: row.version,
            created_at: micros::to_time(row.created_at),
            updated_at: micros::to_time(row.updated_at),
            archived_at: row.archived_at.map(micros::to_time),
            content_deleted_at: row.content_deleted_at.map(micros::to_time),
            actor: actor::read(&row.actor_kind, row.actor_id),
        }
    }
}

/// One content of a deliverable, without its bytes.
#[derive(Debug, Clone, PartialEq)]
pub struct Version {
    pub deliverable: DeliverableId,
    pub number: i32,
    pub storage: Storage,
    pub mime_type: String,
    /// Nothing for what is elsewhere, like the hashes.
    pub size: Option<u64>,
    pub sha256: Option<String>,
    pub crc32: Option<u32>,
    pub object_key: Option<String>,
    pub url: Option<String>,
    /// JSON.
    pub metadata: Option<String>,
    pub created_at: DateTime<Utc>,
    pub actor: Actor,
}

impl From<entity::deliverable_version::Model> for Version {
    fn from(row: entity::deliverable_version::Model) -> Self {
        Self {
            deliverable: DeliverableId(row.deliverable_id),
            number: row.number,
            storage: row.storage.parse().unwrap_or(Storage::External),
            mime_type: row.mime_type,
            size: row.size.map(i64::unsigned_abs),
            sha256: row.sha256,
            crc32: row.crc32.and_then(|crc32| u32::try_from(crc32).ok()),
            object_key: row.object_key,
            url: row.url,
            metadata: row.metadata,
            created_at: micros::to_time(row.created_at),
            actor: actor::read(&row.actor_kind, row.actor_id),
        }
    }
}

/// What is known of content before it is written.
#[derive(Debug, Clone)]
pub struct NewVersion {
    pub mime_type: String,
    pub content: Content,
}

/// Content on its way to a version.
#[derive(Debug, Clone)]
pub enum Content {
    Inline {
        body: Vec<u8>,
        sha256: String,
        crc32: u32,
    },
    /// A file that has been written, and is loose until then.
    File {
        key: String,
        size: u64,
        sha256: String,
        crc32: u32,
    },
    External {
        url: String,
        metadata: Option<String>,
    },
}

impl Content {
    /// How many bytes it takes here.
    pub fn size(&self) -> u64 {
        match self {
            Content::Inline { body, .. } => body.len() as u64,
            Content::File { size, .. } => *size,
            Content::External { .. } => 0,
        }
    }
}

/// A deliverable that does not exist yet.
#[derive(Debug, Clone)]
pub struct NewDeliverable {
    pub step: Option<usize>,
    pub agent: Option<AgentId>,
    pub checkpoint: Option<CheckpointId>,
    pub name: String,
    pub description: String,
    pub r#type: Type,
}

/// Another version of a deliverable, or its first one.
#[derive(Debug, Clone)]
pub struct Put {
    pub deliverable: DeliverableId,
    /// Nothing for one that exists.
    pub new: Option<NewDeliverable>,
    pub version: NewVersion,
}
