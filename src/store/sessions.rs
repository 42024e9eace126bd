//! Signed-in browsers and devices.

use chrono::{DateTime, Utc};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, Condition, EntityTrait, JoinType, QueryFilter, QueryOrder, QuerySelect,
    RelationBuilder,
};
use secrecy::SecretString;
use uuid::Uuid;

use super::{Result, Store, Tx, secret};
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
    pub address: Option<String>,
    pub user_agent: Option<String>,
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
            address: row.address,
            user_agent: row.user_agent,
        }
    }
}

/// How a refresh token fits the session that it names.
#[derive(Debug)]
pub enum Refresh {
    /// The one that is good now.
    Current(Session),
    /// The one before it, replaced at the given time: a race of two tabs, or a thief.
    Previous(Session, DateTime<Utc>),
    Unknown,
}

/// The user of a session with one of their roles: the workspace, the id and the name.
type Row = (Uuid, Uuid, String, Option<String>);

fn join(relation: RelationBuilder<impl EntityTrait, impl EntityTrait>) -> sea_orm::RelationDef {
    relation.into()
}

impl Store {
    /// The rights of a session that is neither ended nor expired, of a user who is not disabled: one statement.
    pub async fn viewer_of_session(&self, id: SessionId, now: DateTime<Utc>) -> Result<Option<Viewer>> {
        use entity::{session, user, user_role};
        let query = session::Entity::find()
            .select_only()
            .column(session::Column::WorkspaceId)
            .column(session::Column::UserId)
            .column(user::Column::DisplayName)
            .column(user_role::Column::Role)
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
        let Some((workspace, user, display_name, _)) = rows.first() else { return Ok(None) };
        Ok(Some(Viewer {
            workspace: WorkspaceId(*workspace),
            actor: Actor::User(UserId(*user)),
            credential: Credential::Session(id),
            roles: rows.iter().filter_map(|(.., role)| role.as_deref()?.parse::<Role>().ok()).collect(),
            display_name: display_name.clone(),
            expires_at: None,
        }))
    }

    /// A person's sessions that are good now, newest first.
    pub async fn sessions(&self, scope: Scope, user: UserId, now: DateTime<Utc>) -> Result<Vec<Session>> {
        use entity::session::{Column, Entity};
        let query = Entity::find()
            .filter(Column::WorkspaceId.eq(scope.workspace().0))
            .filter(Column::UserId.eq(user.0))
            .filter(Column::EndedAt.is_null())
            .filter(Column::ExpiresAt.gt(now))
            .order_by_desc(Column::CreatedAt);
        Ok(query.all(self.read()).await?.into_iter().map(Session::from).collect())
    }
}

impl Tx {
    pub async fn insert_session(&self, session: &Session, refresh: &SecretString) -> Result<()> {
        let row = entity::session::ActiveModel {
            id: Set(session.id.0),
            workspace_id: Set(session.workspace.0),
            user_id: Set(session.user.0),
            refresh_hash: Set(secret::hash(refresh)),
            previous_hash: Set(None),
            rotated_at: Set(session.last_used_at),
            created_at: Set(session.created_at),
            expires_at: Set(session.expires_at),
            ended_at: Set(None),
            address: Set(session.address.clone()),
            user_agent: Set(session.user_agent.clone()),
        };
        entity::session::Entity::insert(row).exec_without_returning(&self.db).await?;
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
            Some(row) if row.refresh_hash == hash => Refresh::Current(row.into()),
            Some(row) => {
                let rotated_at = row.rotated_at;
                Refresh::Previous(row.into(), rotated_at)
            }
        })
    }

    /// Replaces the refresh token and prolongs the session.
    pub async fn rotate_session(
        &self,
        session: SessionId,
        old: &SecretString,
        new: &SecretString,
        expires_at: DateTime<Utc>,
    ) -> Result<()> {
        let row = entity::session::ActiveModel {
            id: Set(session.0),
            refresh_hash: Set(secret::hash(new)),
            previous_hash: Set(Some(secret::hash(old))),
            rotated_at: Set(self.now()),
            expires_at: Set(expires_at),
            ..Default::default()
        };
        entity::session::Entity::update(row).exec(&self.db).await?;
        Ok(())
    }

    /// Deletes sessions that ended or expired before a time.
    pub async fn forget_sessions(&self, before: DateTime<Utc>) -> Result<()> {
        use entity::session::{Column, Entity};
        let over = Condition::any().add(Column::EndedAt.lt(before)).add(Column::ExpiresAt.lt(before));
        Entity::delete_many().filter(over).exec(&self.db).await?;
        Ok(())
    }

    /// Ends sessions of a person: one, or all but the given one. Gives those that were open.
    pub async fn end_sessions(&self, user: UserId, which: Which) -> Result<Vec<SessionId>> {
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
