//! Adding to the audit log: each entry gets its place in its workspace's chain.

use std::collections::{BTreeMap, HashMap};

use rand::Rng;
use sea_orm::{
    ActiveValue::{NotSet, Set},
    ColumnTrait, DbBackend, EntityTrait, IntoActiveModel, QueryFilter, QuerySelect, QueryTrait, Statement,
    sea_query::OnConflict,
};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::{
    domain::{
        access::Actor,
        audit::{BEGINNING, Commitment, Entry, Of, Part, Personal, Record, commitment},
        id::{AuditEntryId, NodeId, UserId, WorkspaceId},
    },
    store::{Result, actor, journal::chunks, session::Session, tail},
};

/// Serialises the appends of all processes, so that positions become visible in their order and each chain has one
/// end. It is taken after every other lock, so nobody who holds it waits for anybody.
const AUDIT_LOCK: i64 = 0x636f_756e_7465_7201;
pub(in crate::store) const AUDIT_CHANNEL: &str = "countersign_audit";

const SALT_LENGTH: usize = 32;

/// Writes entries at the end of a transaction; gives the position of the last one, for after the commit.
pub(in crate::store) async fn write(db: &impl Session, entries: Vec<Entry>) -> Result<i64> {
    lock(db).await?;
    // Under the lock: whoever was erased before is seen to be.
    let people = People::of(db, &entries).await?;
    let mut heads = heads(db, entries.iter().map(|entry| entry.workspace.0)).await?;
    let (mut rows, mut values) = (Vec::with_capacity(entries.len()), Vec::new());
    for entry in entries {
        let workspace = entry.workspace.0;
        let head = heads.entry(workspace).or_insert_with(|| beginning(workspace));
        let (record, own) = people.record(entry, head);
        values.extend(own);
        head.sequence = record.sequence;
        head.hash = record.hash();
        head.seal = None;
        rows.push(row(record, head.hash.clone()));
    }
    for chunk in chunks(rows) {
        db.run(entity::audit_entry::Entity::insert_many(chunk).build(db.backend())).await?;
    }
    for chunk in chunks(values.into_iter().map(IntoActiveModel::into_active_model)) {
        db.run(entity::audit_value::Entity::insert_many(chunk).build(db.backend())).await?;
    }
    put_heads(db, heads.into_values()).await?;
    if db.backend() == DbBackend::Postgres {
        db.run(Statement::from_string(DbBackend::Postgres, format!("NOTIFY {AUDIT_CHANNEL}"))).await?;
    }
    tail::latest_audit_position(db).await
}

/// Keeps everybody else from writing to the audit log until the transaction ends. SQLite has one writer anyway.
pub(super) async fn lock(db: &impl Session) -> Result<()> {
    if db.backend() == DbBackend::Postgres {
        let lock = format!("SELECT pg_advisory_xact_lock({AUDIT_LOCK})");
        db.run(Statement::from_string(DbBackend::Postgres, lock)).await?;
    }
    Ok(())
}

/// The end of a chain that has not begun.
pub(super) fn beginning(workspace: Uuid) -> entity::audit_head::Model {
    entity::audit_head::Model {
        workspace_id: workspace,
        sequence: 0,
        hash: BEGINNING.to_owned(),
        signed: 0,
        seal: None,
    }
}

async fn heads(
    db: &impl Session,
    workspaces: impl Iterator<Item = Uuid>,
) -> Result<HashMap<Uuid, entity::audit_head::Model>> {
    use entity::audit_head::{Column, Entity};
    let workspaces: std::collections::HashSet<Uuid> = workspaces.collect();
    let query = Entity::find().filter(Column::WorkspaceId.is_in(workspaces));
    let rows = db.models::<Entity>(query.build(db.backend())).await?;
    Ok(rows.into_iter().map(|row| (row.workspace_id, row)).collect())
}

pub(super) async fn put_heads(
    db: &impl Session,
    heads: impl IntoIterator<Item = entity::audit_head::Model>,
) -> Result<()> {
    use entity::audit_head::{Column, Entity};
    let moved = OnConflict::column(Column::WorkspaceId)
        .update_columns([Column::Sequence, Column::Hash, Column::Seal])
        .to_owned();
    for chunk in chunks(heads.into_iter().map(IntoActiveModel::into_active_model)) {
        db.run(Entity::insert_many(chunk).on_conflict(moved.clone()).build(db.backend())).await?;
    }
    Ok(())
}

fn row(record: Record, hash: String) -> entity::audit_entry::ActiveModel {
    entity::audit_entry::ActiveModel {
        position: NotSet,
        id: Set(record.id.0),
        workspace_id: Set(record.workspace.0),
        at: Set(record.at),
        actor_kind: Set(record.actor_kind),
        actor_id: Set(record.actor_id),
        action: Set(record.action),
        subject: Set(record.subject),
        details: Set(record.details),
        sequence: Set(Some(record.sequence)),
        previous: Set(Some(record.previous)),
        hash: Set(Some(hash)),
        person_id: Set(record.person.map(|id| id.0)),
        on_behalf_of: Set(record.on_behalf_of.map(|id| id.0)),
        execution_id: Set(record.execution.map(|id| id.0)),
        digest: Set(record.digest),
        before: Set(record.before),
        after: Set(record.after),
        personal: Set(Some(json!(record.personal))),
        seal: Set(record.seal),
    }
}

/// What a stored entry says. An entry without a place has the number 0.
pub(super) fn record(row: &entity::audit_entry::Model) -> Record {
    let personal = row.personal.clone().and_then(|personal| serde_json::from_value(personal).ok());
    Record {
        workspace: WorkspaceId(row.workspace_id),
        sequence: row.sequence.unwrap_or_default(),
        previous: row.previous.clone().unwrap_or_default(),
        id: AuditEntryId(row.id),
        at: row.at,
        actor_kind: row.actor_kind.clone(),
        actor_id: row.actor_id,
        person: row.person_id.map(UserId),
        on_behalf_of: row.on_behalf_of.map(UserId),
        action: row.action.clone(),
        subject: row.subject.clone(),
        execution: row.execution_id.map(crate::domain::id::ExecutionId),
        digest: row.digest.clone(),
        details: row.details.clone(),
        before: row.before.clone(),
        after: row.after.clone(),
        personal: personal.unwrap_or_default(),
        seal: row.seal.clone(),
    }
}

/// The commitment to a stored value.
pub(super) fn promise(value: &entity::audit_value::Model) -> Commitment {
    let parsed: Value = serde_json::from_str(&value.value).unwrap_or_default();
    Commitment { of: value.person_id.map(|id| UserId(id).to_string()), sha256: commitment(&value.salt, &parsed) }
}

/// Who the people and tokens of some entries are at the moment.
struct People {
    /// By id: the name and the address, or nothing if they have been erased.
    users: HashMap<Uuid, Option<Value>>,
    /// By id: the name, and the person whose it is.
    tokens: HashMap<Uuid, (String, Option<Uuid>)>,
}

impl People {
    async fn of(db: &impl Session, entries: &[Entry]) -> Result<Self> {
        use entity::{api_token, user};
        let (mut users, mut tokens) = (Vec::new(), Vec::new());
        for entry in entries {
            match entry.actor {
                Actor::User(id) => users.push(id.0),
                Actor::ApiToken(id) => tokens.push(id.0),
                Actor::System => {}
            }
            users.extend(entry.on_behalf_of.map(|id| id.0));
            users.extend(subject_user(entry).map(|id| id.0));
        }
        let mut people = Self { users: HashMap::new(), tokens: HashMap::new() };
        if !tokens.is_empty() {
            let query = api_token::Entity::find()
                .select_only()
                .columns([api_token::Column::Id, api_token::Column::Name, api_token::Column::UserId])
                .filter(api_token::Column::Id.is_in(tokens));
            let known: Vec<(Uuid, String, Option<Uuid>)> = db.tuples(query.build(db.backend())).await?;
            users.extend(known.iter().filter_map(|(_, _, owner)| *owner));
            people.tokens = known.into_iter().map(|(id, name, owner)| (id, (name, owner))).collect();
        }
        if !users.is_empty() {
            let query = user::Entity::find().filter(user::Column::Id.is_in(users));
            let known = db.models::<user::Entity>(query.build(db.backend())).await?;
            let named = known.into_iter().map(|user| {
                let named = json!({"name": user.display_name, "email": user.email});
                (user.id, Some(named).filter(|_| user.erased_at.is_none()))
            });
            people.users = named.collect();
        }
        Ok(people)
    }

    fn is_erased(&self, user: UserId) -> bool {
        self.users.get(&user.0).is_some_and(Option::is_none)
    }

    /// The person behind an actor.
    fn behind(&self, actor: Actor) -> Option<UserId> {
        match actor {
            Actor::User(id) => Some(id),
            Actor::ApiToken(id) => self.tokens.get(&id.0).and_then(|(_, owner)| *owner).map(UserId),
            Actor::System => None,
        }
    }

    /// An entry in the place after `head`, and its personal values.
    fn record(&self, entry: Entry, head: &entity::audit_head::Model) -> (Record, Vec<entity::audit_value::Model>) {
        let id = AuditEntryId::new(entry.at);
        let person = self.behind(entry.actor);
        let mut personal = BTreeMap::new();
        let mut values = Vec::new();
        for (part, of, value) in self.personal(&entry, person) {
            let mut salt = vec![0_u8; SALT_LENGTH];
            rand::rng().fill_bytes(&mut salt);
            let value = entity::audit_value::Model {
                entry_id: id.0,
                part: part.as_str().to_owned(),
                person_id: of.map(|id| id.0),
                salt,
                value: value.to_string(),
            };
            personal.insert(value.part.clone(), promise(&value));
            values.push(value);
        }
        let (actor_kind, actor_id) = actor::columns(entry.actor);
        let record = Record {
            workspace: entry.workspace,
            sequence: head.sequence + 1,
            previous: head.hash.clone(),
            id,
            at: entry.at,
            actor_kind,
            actor_id,
            person,
            on_behalf_of: entry.on_behalf_of,
            action: entry.action.as_str().to_owned(),
            subject: entry.subject.map(|id| id.to_string()),
            execution: entry.execution,
            digest: entry.digest,
            details: entry.details,
            before: entry.before,
            after: entry.after,
            personal,
            seal: head.seal.clone(),
        };
        (record, values)
    }

    /// Everything personal of an entry, and whose it is.
    fn personal(&self, entry: &Entry, person: Option<UserId>) -> Vec<(Part, Option<UserId>, Value)> {
        let mut parts = Vec::new();
        let known = |id: UserId| self.users.get(&id.0).cloned().flatten();
        // What a token does is nobody's once its maker has been erased.
        let person = person.filter(|id| matches!(entry.actor, Actor::User(_)) || !self.is_erased(*id));
        let actor = match entry.actor {
            Actor::User(id) => known(id),
            Actor::ApiToken(id) => self.tokens.get(&id.0).map(|(name, _)| json!({"name": name})),
            Actor::System => None,
        };
        parts.extend(actor.map(|value| (Part::Actor, person, value)));
        if let Some((id, value)) = entry.on_behalf_of.and_then(|id| Some((id, known(id)?))) {
            parts.push((Part::OnBehalfOf, Some(id), value));
        }
        let subject = subject_user(entry);
        if let Some((id, value)) = subject.and_then(|id| Some((id, known(id)?))) {
            parts.push((Part::Subject, Some(id), value));
        }
        let mut origin = serde_json::Map::new();
        for (name, text) in [("address", &entry.origin.address), ("userAgent", &entry.origin.user_agent)] {
            if let Some(text) = text {
                origin.insert(name.to_owned(), text.as_str().into());
            }
        }
        if !origin.is_empty() {
            // Who could not sign in is perhaps who they said they are.
            parts.push((Part::Origin, person.or(subject), origin.into()));
        }
        for Personal { part, of, value } in &entry.personal {
            let of = match of {
                Of::Actor => person,
                Of::User(id) => Some(*id),
                Of::Nobody => None,
            };
            parts.push((*part, of, value.clone()));
        }
        // Nothing of somebody who has just been erased comes back.
        parts.retain(|(_, of, _)| of.is_none_or(|id| !self.is_erased(id)));
        parts
    }
}

/// The person to whom it was done.
fn subject_user(entry: &Entry) -> Option<UserId> {
    match entry.subject {
        Some(NodeId::UserId(id)) => Some(id),
        _ => None,
    }
}
