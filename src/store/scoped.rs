//! Rows that belong to a workspace: they are only found by saying for which.

use sea_orm::{
    ColumnTrait, EntityTrait, QueryFilter, QuerySelect, QueryTrait, Select,
    sea_query::{LockType, SelectStatement},
};
use uuid::Uuid;

use super::{Result, Tx};
use crate::domain::access::Scope;

/// A table of such rows.
pub trait Scoped: EntityTrait {
    const ID: Self::Column;
    const WORKSPACE: Self::Column;
}

macro_rules! scoped {
    ($($table:ident),*) => {
        $(impl Scoped for entity::$table::Entity {
            const ID: Self::Column = entity::$table::Column::Id;
            const WORKSPACE: Self::Column = entity::$table::Column::WorkspaceId;
        })*
    };
}

scoped!(
    agent,
    api_token,
    audit_entry,
    checkpoint,
    deliverable,
    execution,
    group,
    learning_case,
    secret,
    service_account,
    user,
    workflow
);

pub fn of_workspace<E: Scoped>(scope: Scope) -> Select<E> {
    E::find().filter(E::WORKSPACE.eq(scope.workspace().0))
}

pub fn by_id<E: Scoped>(scope: Scope, ids: impl IntoIterator<Item = Uuid>) -> Select<E> {
    of_workspace(scope).filter(E::ID.is_in(ids))
}

/// The ids of the workspace's rows, for what belongs to them.
pub fn ids_of_workspace<E: Scoped>(scope: Scope) -> SelectStatement {
    QueryTrait::into_query(of_workspace::<E>(scope).select_only().column(E::ID))
}

impl Tx {
    /// A row as it is now, held until the end of the transaction: of two changes at once, the second sees what the
    /// first has done, and nobody deletes it meanwhile.
    pub(super) async fn hold<E: Scoped>(&self, scope: Scope, id: Uuid) -> Result<Option<E::Model>> {
        Ok(by_id::<E>(scope, [id]).lock(LockType::NoKeyUpdate).one(&self.db).await?)
    }
}
