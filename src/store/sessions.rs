//! Signed-in browsers and devices.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, Condition, EntityTrait, JoinType, QueryFilter, QueryOrder, QuerySelect,
    RelationBuilder,
};
use secrecy::SecretString;
use uuid::Uuid;

use super::{Result, Store, Tx, grouped, secret, ways_in::Notice};
use crate::domain::{
    access::{Actor, Credential, Scope, Viewer},
    id::{SessionId, UserId, WorkspaceId},
    role::Role,
};

#[derive(Debug, Clone)]
pub struct Session {
    pub id: SessionId,
    pub workspace: WorkspaceId,
    pub user: UserId,
    pub created_at: DateTime<Utc>,
    pub last_used_at: DateTime<Utc>,
    pub expires_at: DateTime<Utc>,
    pub ended_at: Option<DateTime<Utc>>,
    pub address: Option<String>,
    pub user_agent: Option<String>,
    /// Until when it only reads, if somebody else made the link that opened it.
    pub held: bool,
}

impl From<entity::session::Model> for Session {
    fn from(row: entity::session::Model) -> Self {
        Self {
            id: SessionId(row.id),
            workspace: WorkspaceId(row.workspace_id),
            user: UserId(row.user_id),
            created_at: row.created_at,
            last_used_at: row.rotated_at,
            expires_at: row.expires_at,
            ended_at: row.ended_at,
            address: row.address,
            user_agent: row.user_agent,
            held: row.held,
        }
    }
}

/// Where a session stands with its refresh tokens, each of which replaces the one before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Generation {
    pub number: i32,
    /// Whether anything that came with it has been used.
    pub used: bool,
}

/// How a refresh token fits the session that it names.
#[derive(Debug)]
pub enum Refresh {
    /// The one that is good now.
    Current(Session, Generation),
    /// The one before it: a race of two tabs, an answer that was lost, or a thief.
    Previous(Session, Generation, Replaced),
    Unknown,
}

/// What became of a refresh token.
#[derive(Debug)]
pub struct Replaced {
    pub at: DateTime<Utc>,
    /// The hash of the one that is good now.
    pub by: Vec<u8>,
}

/// The user of a session with one of their roles: the workspace, the id and the name; and the session's generation, and
/// whether it only reads.
type Row = (Uuid, Uuid, String, Option<String>, i32, bool, bool);

fn join(relation: RelationBuilder<impl EntityTrait, impl EntityTrait>) -> sea_orm::RelationDef {
    relation.into()
}

impl Store {
    /// The rights of a session that is neither ended nor expired, of a user who is not disabled: one statement.
    pub async fn viewer_of_session(&self, id: SessionId, now: DateTime<Utc>) -> Result<Option<(Viewer, Generation)>> {
        use entity::{session, user, user_role};
        let query = session::Entity::find()
            .select_only()
            .column(session::Column::WorkspaceId)
            .column(session::Column::UserId)
            .column(user::Column::DisplayName)
            .column(user_role::Column::Role)
            .column(session::Column::Generation)
            .column(session::Column::Used)
            .column(session::Column::Held)
            .join(
                JoinType::InnerJoin,
                join(session::Entity::belongs_to(user::Entity).from(session::Column::UserId).to(user::Column::Id)),
            )
            .join(
                JoinType::LeftJoin,
                join(
                    session::Entity::belongs_to(user_role::Entity)
                        .from(session::Column::UserId)
                        .to(user_role::Column::UserId),
                ),
            )
            .filter(session::Column::Id.eq(id.0))
            .filter(session::Column::EndedAt.is_null())
            .filter(session::Column::ExpiresAt.gt(now))
            .filter(user::Column::DisabledAt.is_null());
        let rows: Vec<Row> = self.find_columns(query).await?;
        let Some((workspace, user, display_name, _, number, used, held)) = rows.first() else { return Ok(None) };
        let viewer = Viewer {
            workspace: WorkspaceId(*workspace),
            actor: Actor::User(UserId(*user)),
            credential: Credential::Session(id),
            roles: rows.iter().filter_map(|(.., role, _, _, _)| role.as_deref()?.parse::<Role>().ok()).collect(),
            display_name: display_name.clone(),
            expires_at: None,
            held: false,
            token: None,
        };
        let viewer = viewer.hold_if(*held);
        Ok(Some((viewer, Generation { number: *number, used: *used })))
    }

    /// A person's sessions that are good now, newest first.
    pub async fn sessions(&self, scope: Scope, user: UserId, now: DateTime<Utc>) -> Result<Vec<Session>> {
        Ok(self.sessions_of(scope, &[user], now).await?.remove(&user).unwrap_or_default())
    }

    /// People's sessions that are good now, newest first.
    pub async fn sessions_of(
        &self,
        scope: Scope,
        users: &[UserId],
        now: DateTime<Utc>,
    ) -> Result<HashMap<UserId, Vec<Session>>> {
        use entity::session::{Column, Entity};
        let query = Entity::find()
            .filter(Column::WorkspaceId.eq(scope.workspace().0))
            .filter(Column::UserId.is_in(users.iter().map(|id| id.0)))
            .filter(Column::EndedAt.is_null())
            .filter(Column::ExpiresAt.gt(now))
            .order_by_desc(Column::CreatedAt);
        let rows = self.find(query).await?;
        Ok(grouped(rows.into_iter().map(|row| (UserId(row.user_id), Session::from(row)))))
    }

    /// A person's sessions that began, were renewed or ended after a time.
    pub async fn sessions_changed_after(
        &self,
        scope: Scope,
        user: UserId,
        time: DateTime<Utc>,
    ) -> Result<Vec<Session>> {
        use entity::session::{Column, Entity};
        let query = Entity::find()
            .filter(Column::WorkspaceId.eq(scope.workspace().0))
            .filter(Column::UserId.eq(user.0))
            .filter(Condition::any().add(Column::RotatedAt.gt(time)).add(Column::EndedAt.gt(time)));
        Ok(query.all(&self.0.background).await?.into_iter().map(Session::from).collect())
    }
}

impl Tx {
    pub async fn insert_session(&mut self, session: &Session, refresh: &SecretString) -> Result<()> {
        let row = entity::session::ActiveModel {
            id: Set(session.id.0),
            workspace_id: Set(session.workspace.0),
            user_id: Set(session.user.0),
            refresh_hash: Set(secret::hash(refresh)),
            previous_hash: Set(None),
            rotated_at: Set(session.last_used_at),
            generation: Set(0),
            // There is no token before the first that anybody could come back with.
            used: Set(true),
            created_at: Set(session.created_at),
            expires_at: Set(session.expires_at),
            ended_at: Set(None),
            address: Set(session.address.clone()),
            user_agent: Set(session.user_agent.clone()),
            held: Set(session.held),
        };
        entity::session::Entity::insert(row).exec_without_returning(&self.db).await?;
        self.notice(Notice::Sessions(session.user));
        Ok(())
    }

    /// Finds the session of a refresh token and holds it: of two tabs that refresh together, the second sees what
    /// the first has done.
    pub async fn find_refresh(&self, refresh: &SecretString) -> Result<Refresh> {
        use entity::session::{Column, Entity};
        let hash = secret::hash(refresh);
        let query = Entity::find()
            .filter(
                Condition::any().add(Column::RefreshHash.eq(hash.clone())).add(Column::PreviousHash.eq(hash.clone())),
            )
            .filter(Column::EndedAt.is_null())
            .filter(Column::ExpiresAt.gt(self.now()))
            .lock_exclusive();
        Ok(match query.one(&self.db).await? {
            None => Refresh::Unknown,
            Some(row) => {
                let generation = Generation { number: row.generation, used: row.used };
                let replaced = Replaced { at: row.rotated_at, by: row.refresh_hash.clone() };
                let session = Session::from(row);
                if replaced.by == hash {
                    Refresh::Current(session, generation)
                } else {
                    Refresh::Previous(session, generation, replaced)
                }
            }
        })
    }

    /// A session that has not ended, held until the end of the transaction, and which of its tokens is good now.
    pub async fn hold_session(&self, id: SessionId) -> Result<Option<(Session, Generation)>> {
        use entity::session::{Column, Entity};
        let query = Entity::find_by_id(id.0)
            .filter(Column::EndedAt.is_null())
            .filter(Column::ExpiresAt.gt(self.now()))
            .lock_exclusive();
        let row = query.one(&self.db).await?;
        Ok(row
            .map(|row| (Generation { number: row.generation, used: row.used }, row))
            .map(|(latest, row)| (row.into(), latest)))
    }

    /// Replaces the refresh token and begins a generation that nobody has used yet; prolongs the session.
    pub async fn rotate_session(
        &mut self,
        session: &Session,
        generation: i32,
        old: &SecretString,
        new: &SecretString,
    ) -> Result<()> {
        let row = entity::session::ActiveModel {
            id: Set(session.id.0),
            refresh_hash: Set(secret::hash(new)),
            previous_hash: Set(Some(secret::hash(old))),
            rotated_at: Set(self.now()),
            generation: Set(generation),
            used: Set(false),
            expires_at: Set(session.expires_at),
            ..Default::default()
        };
        entity::session::Entity::update(row).exec(&self.db).await?;
        self.notice(Notice::Sessions(session.user));
        Ok(())
    }

    /// Notes that the latest answer was asked for once more: the time in which tabs may race begins again.
    pub async fn repeat_rotation(&mut self, session: &Session) -> Result<()> {
        let row =
            entity::session::ActiveModel { id: Set(session.id.0), rotated_at: Set(self.now()), ..Default::default() };
        entity::session::Entity::update(row).exec(&self.db).await?;
        self.notice(Notice::Sessions(session.user));
        Ok(())
    }

    /// Notes that something of a generation has been used, unless there is a newer one already.
    pub async fn use_generation(&self, session: SessionId, generation: i32) -> Result<()> {
        use entity::session::{ActiveModel, Column, Entity};
        let used = ActiveModel { used: Set(true), ..Default::default() };
        let row = Condition::all().add(Column::Id.eq(session.0)).add(Column::Generation.eq(generation));
        Entity::update_many().set(used).filter(row).exec(&self.db).await?;
        Ok(())
    }

    /// Lets a session do what its account may: its person has shown who they are.
    pub async fn release_session(&self, session: SessionId) -> Result<()> {
        let row = entity::session::ActiveModel { id: Set(session.0), held: Set(false), ..Default::default() };
        entity::session::Entity::update(row).exec(&self.db).await?;
        Ok(())
    }

    /// Whose session this is, if it belongs to the workspace and has not ended.
    pub async fn owner_of_session(&self, scope: Scope, id: SessionId) -> Result<Option<UserId>> {
        use entity::session::{Column, Entity};
        let query = Entity::find_by_id(id.0)
            .filter(Column::WorkspaceId.eq(scope.workspace().0))
            .filter(Column::EndedAt.is_null())
            .filter(Column::ExpiresAt.gt(self.now()));
        Ok(query.one(&self.db).await?.map(|row| UserId(row.user_id)))
    }

    /// Deletes sessions that ended or expired before a time.
    pub async fn forget_sessions(&self, before: DateTime<Utc>) -> Result<()> {
        use entity::session::{Column, Entity};
        let over = Condition::any().add(Column::EndedAt.lt(before)).add(Column::ExpiresAt.lt(before));
        Entity::delete_many().filter(over).exec(&self.db).await?;
        Ok(())
    }

    /// Ends sessions of a person: one, or all but the given one. Gives those that were open.
    pub async fn end_sessions(&mut self, user: UserId, which: Which) -> Result<Vec<SessionId>> {
        use entity::session::{ActiveModel, Column, Entity};
        let mut open = Condition::all().add(Column::UserId.eq(user.0)).add(Column::EndedAt.is_null());
        match which {
            Which::One(id) => open = open.add(Column::Id.eq(id.0)),
            Which::AllBut(id) => open = open.add(Column::Id.ne(id.0)),
            Which::All => {}
        }
        let query = Entity::find().select_only().column(Column::Id).filter(open.clone());
        let ended: Vec<Uuid> = query.into_tuple().all(&self.db).await?;
        let end = ActiveModel { ended_at: Set(Some(self.now())), ..Default::default() };
        Entity::update_many().set(end).filter(open).exec(&self.db).await?;
        if !ended.is_empty() {
            self.notice(Notice::Sessions(user));
        }
        Ok(ended.into_iter().map(SessionId).collect())
    }
}

/// Which of a person's sessions.
#[derive(Debug, Clone, Copy)]
pub enum Which {
    One(SessionId),
    AllBut(SessionId),
    All,
}
