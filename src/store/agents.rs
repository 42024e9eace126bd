//! The library of agents.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, Condition, EntityTrait, JoinType, PaginatorTrait, QueryFilter, QuerySelect,
    RelationDef, Select, sea_query::ExprTrait,
};
use sha2::{Digest as _, Sha256};

use super::{
    Error, Result, Store, Tx, actor,
    page::{OrderBy, Page, Slice},
    scoped::{by_id, of_workspace},
    search,
};
use crate::domain::{
    access::{Actor, Scope},
    agent::{Kind, Spec},
    id::{AgentId, WorkspaceId},
    workflow::AgentShape,
};

/// An agent without what it is at its version.
#[derive(Debug, Clone)]
pub struct Agent {
    pub id: AgentId,
    pub workspace: WorkspaceId,
    pub name: String,
    pub kind: Kind,
    /// The newest version.
    pub version: i32,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
    pub archived_at: Option<DateTime<Utc>>,
}

/// An agent at its newest version, as workflows use it.
#[derive(Debug, Clone)]
pub struct AgentRecord {
    pub id: AgentId,
    pub name: String,
    pub version: i32,
    /// Whether it must not be used any more.
    pub archived: bool,
    pub spec: Spec,
    /// The SHA-256 of the specification as it is stored.
    pub digest: String,
}

/// What an agent is at one version.
#[derive(Debug, Clone)]
pub struct Specified {
    pub spec: Spec,
    /// The SHA-256 of the specification as it is stored.
    pub digest: String,
}

impl From<AgentRecord> for AgentShape {
    fn from(record: AgentRecord) -> Self {
        Self {
            input_schema: record.spec.input_schema,
            output_schema: record.spec.output_schema,
            archived: record.archived,
        }
    }
}

impl TryFrom<entity::agent::Model> for Agent {
    type Error = Error;

    fn try_from(row: entity::agent::Model) -> Result<Self> {
        let unknown = |()| Error::Unexpected(format!("an agent of the unknown kind `{}`", row.kind));
        Ok(Self {
            id: AgentId(row.id),
            workspace: WorkspaceId(row.workspace_id),
            kind: row.kind.parse().map_err(unknown)?,
            name: row.name,
            version: row.version,
            created_at: row.created_at,
            updated_at: row.updated_at,
            archived_at: row.archived_at,
        })
    }
}

/// Which agents a list shows.
#[derive(Debug, Clone, Default)]
pub struct Filter {
    pub kind: Option<Kind>,
    pub archived: Option<bool>,
    /// Part of the name, in any case.
    pub search: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sort {
    CreatedAt,
    Name,
    UpdatedAt,
}

impl Sort {
    pub fn name(self) -> &'static str {
        match self {
            Sort::CreatedAt => "agent.created_at",
            Sort::Name => "agent.name",
            Sort::UpdatedAt => "agent.updated_at",
        }
    }
}

fn filtered(scope: Scope, filter: &Filter) -> Select<entity::agent::Entity> {
    use entity::agent::Column;
    let mut query = of_workspace(scope);
    if let Some(kind) = filter.kind {
        query = query.filter(Column::Kind.eq(kind.as_str()));
    }
    if let Some(archived) = filter.archived {
        query = query.filter(search::has_happened(Column::ArchivedAt, archived));
    }
    if let Some(text) = &filter.search {
        query = query.filter(Column::FoldedName.like(search::containing(text)));
    }
    query
}

/// From an agent to all of its versions.
fn versions() -> RelationDef {
    use entity::{agent, agent_version};
    agent::Entity::belongs_to(agent_version::Entity).from(agent::Column::Id).to(agent_version::Column::AgentId).into()
}

/// Agents, each with its newest version.
fn newest_versions(scope: Scope) -> Select<entity::agent::Entity> {
    use entity::{agent, agent_version};
    let newest = agent_version::Column::Version.into_expr().equals((agent::Entity, agent::Column::Version));
    of_workspace::<agent::Entity>(scope).join(JoinType::InnerJoin, versions()).filter(newest)
}

fn record((agent, version): (entity::agent::Model, entity::agent_version::Model)) -> Result<AgentRecord> {
    Ok(AgentRecord {
        id: AgentId(agent.id),
        name: agent.name,
        version: agent.version,
        archived: agent.archived_at.is_some(),
        spec: read_spec(&version.spec)?,
        digest: digest_of(&version.spec),
    })
}

fn read_spec(text: &str) -> Result<Spec> {
    Spec::from_text(text).map_err(|error| Error::Unexpected(error.to_string()))
}

fn digest_of(text: &str) -> String {
    data_encoding::HEXLOWER.encode(&Sha256::digest(text.as_bytes()))
}

impl Store {
    pub async fn agents(
        &self,
        scope: Scope,
        filter: &Filter,
        sort: Sort,
        descending: bool,
        page: &Page,
    ) -> Result<Slice<Agent>> {
        use entity::agent::Column;
        let column = match sort {
            Sort::CreatedAt => Column::CreatedAt,
            Sort::Name => Column::Name,
            Sort::UpdatedAt => Column::UpdatedAt,
        };
        let order = OrderBy { name: sort.name(), column, id: Column::Id, descending };
        let slice = self.page(filtered(scope, filter), order, page).await?;
        slice.try_map(Agent::try_from)
    }

    pub async fn count_agents(&self, scope: Scope, filter: &Filter) -> Result<u64> {
        Ok(filtered(scope, filter).count(self.read()).await?)
    }

    pub async fn agents_by_id(&self, scope: Scope, ids: &[AgentId]) -> Result<HashMap<AgentId, Agent>> {
        let query = by_id::<entity::agent::Entity>(scope, ids.iter().map(|id| id.0));
        let agents = self.find(query).await?.into_iter().map(Agent::try_from);
        agents.map(|agent| agent.map(|agent| (agent.id, agent))).collect()
    }

    pub async fn agent(&self, scope: Scope, id: AgentId) -> Result<Option<Agent>> {
        Ok(self.agents_by_id(scope, &[id]).await?.remove(&id))
    }

    /// Who has written an agent's versions.
    pub async fn authors_of_agents(&self, scope: Scope, ids: &[AgentId]) -> Result<HashMap<AgentId, Vec<Actor>>> {
        use entity::agent_version::{Column, Entity};
        if ids.is_empty() {
            return Ok(HashMap::new());
        }
        let known = self.agents_by_id(scope, ids).await?;
        let query = Entity::find()
            .select_only()
            .columns([Column::AgentId, Column::ActorKind, Column::ActorId])
            .filter(Column::AgentId.is_in(known.keys().map(|id| id.0)))
            .distinct();
        let rows: Vec<(uuid::Uuid, String, Option<uuid::Uuid>)> = query.into_tuple().all(self.read()).await?;
        let mut authors: HashMap<AgentId, Vec<Actor>> = HashMap::new();
        for (agent, kind, id) in rows {
            authors.entry(AgentId(agent)).or_default().push(actor::read(&kind, id));
        }
        Ok(authors)
    }

    pub async fn agent_by_name(&self, scope: Scope, name: &str) -> Result<Option<Agent>> {
        let query = of_workspace::<entity::agent::Entity>(scope).filter(entity::agent::Column::Name.eq(name));
        self.find_one(query).await?.map(Agent::try_from).transpose()
    }

    /// The agents with these names, archived ones included.
    pub async fn agents_named(&self, scope: Scope, names: &[String]) -> Result<HashMap<String, Agent>> {
        let query = of_workspace::<entity::agent::Entity>(scope).filter(entity::agent::Column::Name.is_in(names));
        let agents = self.find(query).await?.into_iter().map(Agent::try_from);
        agents.map(|agent| agent.map(|agent| (agent.name.clone(), agent))).collect()
    }

    /// The agents with these names at their newest versions, archived ones included.
    pub async fn agents_by_name(
        &self,
        scope: Scope,
        names: impl IntoIterator<Item = impl Into<String>>,
    ) -> Result<HashMap<String, AgentRecord>> {
        let names: Vec<String> = names.into_iter().map(Into::into).collect();
        if names.is_empty() {
            return Ok(HashMap::new());
        }
        let query = newest_versions(scope).filter(entity::agent::Column::Name.is_in(names));
        let rows = self.find_pairs(query.select_also(entity::agent_version::Entity)).await?;
        rows.into_iter().map(|row| record(row).map(|record| (record.name.clone(), record))).collect()
    }

    /// All agents that are not archived, at their newest versions.
    pub async fn active_agents(&self, scope: Scope) -> Result<Vec<AgentRecord>> {
        let query = newest_versions(scope).filter(entity::agent::Column::ArchivedAt.is_null());
        let rows = self.find_pairs(query.select_also(entity::agent_version::Entity)).await?;
        rows.into_iter().map(record).collect()
    }

    /// What many agents are at these versions.
    pub async fn agent_specs(
        &self,
        scope: Scope,
        versions: &[(AgentId, i32)],
    ) -> Result<HashMap<(AgentId, i32), Specified>> {
        use entity::agent_version::{Column, Entity};
        let wanted = versions.iter().fold(Condition::any(), |any, (agent, version)| {
            any.add(Column::AgentId.eq(agent.0).and(Column::Version.eq(*version)))
        });
        if wanted.is_empty() {
            return Ok(HashMap::new());
        }
        let query = Entity::find()
            .join(JoinType::InnerJoin, self::versions().rev())
            .filter(entity::agent::Column::WorkspaceId.eq(scope.workspace().0))
            .filter(wanted);
        let rows = self.find(query).await?.into_iter();
        rows.map(|row| {
            let specified = Specified { spec: read_spec(&row.spec)?, digest: digest_of(&row.spec) };
            Ok(((AgentId(row.agent_id), row.version), specified))
        })
        .collect()
    }

    /// What an agent is, or was, at a version.
    pub async fn agent_at(&self, scope: Scope, id: AgentId, version: i32) -> Result<Option<Specified>> {
        Ok(self.agent_specs(scope, &[(id, version)]).await?.remove(&(id, version)))
    }
}

impl Tx {
    /// An agent as it is now, held until the end of the transaction: of two changes at once, the second sees what the
    /// first has done.
    pub async fn hold_agent(&self, scope: Scope, id: AgentId) -> Result<Option<(Agent, Spec)>> {
        let Some(row) = self.hold::<entity::agent::Entity>(scope, id.0).await? else {
            return Ok(None);
        };
        let agent = Agent::try_from(row)?;
        let version = entity::agent_version::Entity::find_by_id((id.0, agent.version)).one(&self.db).await?;
        let spec = read_spec(version.as_ref().map_or("", |version| version.spec.as_str()))?;
        Ok(Some((agent, spec)))
    }

    pub async fn insert_agent(&self, agent: &Agent) -> Result<()> {
        let row = entity::agent::ActiveModel {
            id: Set(agent.id.0),
            workspace_id: Set(agent.workspace.0),
            name: Set(agent.name.clone()),
            folded_name: Set(search::fold(&agent.name)),
            kind: Set(agent.kind.as_str().to_owned()),
            version: Set(agent.version),
            created_at: Set(agent.created_at),
            updated_at: Set(agent.updated_at),
            archived_at: Set(agent.archived_at),
        };
        entity::agent::Entity::insert(row).exec_without_returning(&self.db).await?;
        Ok(())
    }

    /// Writes what of an agent can change. Its name and kind cannot.
    pub async fn update_agent(&self, agent: &Agent) -> Result<()> {
        let row = entity::agent::ActiveModel {
            id: Set(agent.id.0),
            version: Set(agent.version),
            updated_at: Set(agent.updated_at),
            archived_at: Set(agent.archived_at),
            ..Default::default()
        };
        entity::agent::Entity::update(row).exec(&self.db).await?;
        Ok(())
    }

    /// Keeps what an agent is at its version.
    pub async fn insert_agent_version(&self, agent: &Agent, spec: &Spec, actor: Actor) -> Result<()> {
        let (actor_kind, actor_id) = actor::columns(actor);
        let row = entity::agent_version::ActiveModel {
            agent_id: Set(agent.id.0),
            version: Set(agent.version),
            spec: Set(spec.to_text()),
            created_at: Set(self.now()),
            actor_kind: Set(actor_kind),
            actor_id: Set(actor_id),
        };
        entity::agent_version::Entity::insert(row).exec_without_returning(&self.db).await?;
        Ok(())
    }
}
