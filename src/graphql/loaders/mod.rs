//! Batched lookups: a page of fifty costs one statement a kind, not fifty.

mod checkpoint;
mod deliverable;
mod execution;
mod library;
mod lookups;
mod memory;

use std::{collections::HashMap, sync::Arc};

use async_graphql::dataloader::{DataLoader, Loader, NoCache};

use crate::{
    domain::{
        access::Scope,
        id::{ApiTokenId, GroupId, ServiceAccountId, UserId},
        role::Roles,
    },
    engine::Engine,
    store::{
        self, Store, api_tokens::ApiToken, grouped, groups::Group, outside_identities::Linked,
        service_accounts::ServiceAccount, sessions::Session, users::User,
    },
};

pub use checkpoint::{AbsenceOf, CheckpointsOf, KeptFrom};
pub use deliverable::{DeliverableVersionOf, FirstDeliverables, HeadOf, NewestDeliverableVersions};
pub use execution::{FirstContinuations, FirstLines, JournalOf, PlanOf, ProgressOf, StepRunsOf, UsualDurationsOf};
pub use library::{AgentNamed, DocumentOf, DraftOf, NewestVersions, ShapeOf, SpecOf, VersionOf};
pub use lookups::Lookups;
pub use memory::{CasesOf, InsightOf, ReviewOf};

type Result<T> = std::result::Result<T, Arc<store::Error>>;

/// The rows of one workspace.
pub struct Rows {
    engine: Engine,
    store: Store,
    scope: Scope,
}

/// The loaders of one request. They do not cache: a mutation's payload shows what the mutation did.
pub struct Loaders(DataLoader<Rows, NoCache>);

impl Loaders {
    pub fn new(engine: Engine, scope: Scope, lookups: Lookups) -> Self {
        let store = engine.store().clone();
        Self(DataLoader::new(Rows { engine, store, scope }, lookups, lookups::NoDelay))
    }

    /// What belongs to a key, if anything does.
    pub async fn load<K>(&self, key: K) -> super::error::Result<Option<<Rows as Loader<K>>::Value>>
    where
        K: Send + Sync + std::hash::Hash + Eq + Clone + 'static,
        Rows: Loader<K, Error = Arc<store::Error>>,
    {
        self.0.load_one(key).await.map_err(failed)
    }

    /// What belongs to many keys.
    pub async fn load_many<K>(
        &self,
        keys: impl IntoIterator<Item = K>,
    ) -> super::error::Result<HashMap<K, <Rows as Loader<K>>::Value>>
    where
        K: Send + Sync + std::hash::Hash + Eq + Clone + 'static,
        Rows: Loader<K, Error = Arc<store::Error>>,
    {
        self.0.load_many(keys).await.map_err(failed)
    }
}

fn failed(error: Arc<store::Error>) -> super::error::Fault {
    super::error::Fault::of_store(&error, "a lookup failed")
}

/// The roles of a user or token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct RolesOf<T>(pub T);

/// The groups of a user.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct GroupsOf(pub UserId);

/// The sessions of a user that are good now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct SessionsOf(pub UserId);

/// The identities that open a user's account.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct IdentitiesOf(pub UserId);

/// How many people a group has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct MemberCount(pub GroupId);

/// The first so many people of a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct FirstMembers {
    pub group: GroupId,
    pub size: u64,
}

impl Loader<GroupId> for Rows {
    type Value = Group;
    type Error = Arc<store::Error>;

    async fn load(&self, keys: &[GroupId]) -> Result<HashMap<GroupId, Group>> {
        Ok(self.store.groups_by_id(self.scope, keys).await?)
    }
}

impl Loader<UserId> for Rows {
    type Value = User;
    type Error = Arc<store::Error>;

    async fn load(&self, keys: &[UserId]) -> Result<HashMap<UserId, User>> {
        Ok(self.store.users_by_id(self.scope, keys).await?)
    }
}

impl Loader<RolesOf<UserId>> for Rows {
    type Value = Roles;
    type Error = Arc<store::Error>;

    async fn load(&self, keys: &[RolesOf<UserId>]) -> Result<HashMap<RolesOf<UserId>, Roles>> {
        let ids: Vec<UserId> = keys.iter().map(|key| key.0).collect();
        let roles = self.store.roles_of_users(self.scope, &ids).await?;
        Ok(roles.into_iter().map(|(id, roles)| (RolesOf(id), roles)).collect())
    }
}

impl Loader<GroupsOf> for Rows {
    type Value = Vec<Group>;
    type Error = Arc<store::Error>;

    async fn load(&self, keys: &[GroupsOf]) -> Result<HashMap<GroupsOf, Vec<Group>>> {
        let ids: Vec<UserId> = keys.iter().map(|key| key.0).collect();
        let groups = self.store.groups_of_users(self.scope, &ids).await?;
        Ok(groups.into_iter().map(|(id, groups)| (GroupsOf(id), groups)).collect())
    }
}

impl Loader<SessionsOf> for Rows {
    type Value = Vec<Session>;
    type Error = Arc<store::Error>;

    async fn load(&self, keys: &[SessionsOf]) -> Result<HashMap<SessionsOf, Vec<Session>>> {
        let ids: Vec<UserId> = keys.iter().map(|key| key.0).collect();
        let sessions = self.store.sessions_of(self.scope, &ids, self.engine.clock().now()).await?;
        Ok(sessions.into_iter().map(|(id, sessions)| (SessionsOf(id), sessions)).collect())
    }
}

impl Loader<IdentitiesOf> for Rows {
    type Value = Vec<Linked>;
    type Error = Arc<store::Error>;

    async fn load(&self, keys: &[IdentitiesOf]) -> Result<HashMap<IdentitiesOf, Vec<Linked>>> {
        let ids: Vec<UserId> = keys.iter().map(|key| key.0).collect();
        let identities = self.store.identities_of(self.scope, &ids).await?;
        Ok(identities.into_iter().map(|(id, identities)| (IdentitiesOf(id), identities)).collect())
    }
}

impl Loader<MemberCount> for Rows {
    type Value = u64;
    type Error = Arc<store::Error>;

    async fn load(&self, keys: &[MemberCount]) -> Result<HashMap<MemberCount, u64>> {
        let ids: Vec<GroupId> = keys.iter().map(|key| key.0).collect();
        let counts = self.store.count_members(self.scope, &ids).await?;
        Ok(counts.into_iter().map(|(id, count)| (MemberCount(id), count)).collect())
    }
}

impl Loader<FirstMembers> for Rows {
    type Value = Arc<Vec<User>>;
    type Error = Arc<store::Error>;

    async fn load(&self, keys: &[FirstMembers]) -> Result<HashMap<FirstMembers, Arc<Vec<User>>>> {
        let mut found = HashMap::new();
        for (size, groups) in grouped(keys.iter().map(|key| (key.size, key.group))) {
            let members = self.store.first_members(self.scope, &groups, size).await?;
            found.extend(members.into_iter().map(|(group, users)| (FirstMembers { group, size }, Arc::new(users))));
        }
        Ok(found)
    }
}

impl Loader<ServiceAccountId> for Rows {
    type Value = ServiceAccount;
    type Error = Arc<store::Error>;

    async fn load(&self, keys: &[ServiceAccountId]) -> Result<HashMap<ServiceAccountId, ServiceAccount>> {
        Ok(self.store.service_accounts_by_id(self.scope, keys).await?)
    }
}

impl Loader<ApiTokenId> for Rows {
    type Value = ApiToken;
    type Error = Arc<store::Error>;

    async fn load(&self, keys: &[ApiTokenId]) -> Result<HashMap<ApiTokenId, ApiToken>> {
        Ok(self.store.api_tokens_by_id(self.scope, keys).await?)
    }
}

impl Loader<RolesOf<ApiTokenId>> for Rows {
    type Value = Roles;
    type Error = Arc<store::Error>;

    async fn load(&self, keys: &[RolesOf<ApiTokenId>]) -> Result<HashMap<RolesOf<ApiTokenId>, Roles>> {
        let ids: Vec<ApiTokenId> = keys.iter().map(|key| key.0).collect();
        let roles = self.store.roles_of_api_tokens(self.scope, &ids).await?;
        Ok(roles.into_iter().map(|(id, roles)| (RolesOf(id), roles)).collect())
    }
}
