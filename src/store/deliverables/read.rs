//! Finding deliverables.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use sea_orm::{
    ColumnTrait, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder, QuerySelect, QueryTrait, Select,
    sea_query::{ExprTrait, SelectStatement},
};
use uuid::Uuid;

use super::rows::{Deliverable, Version};
use crate::{
    domain::{
        access::Scope,
        deliverable::{Status, Type},
        id::{AgentId, DeliverableId, ExecutionId},
    },
    store::{
        Result, Store, grouped, micros,
        page::{Cursor, Key, OrderBy, Page, Slice},
        scoped::{by_id, of_workspace},
        search,
        together::{MOST_PARTS, together},
    },
};

/// Which deliverables a list shows.
#[derive(Debug, Clone, Default)]
pub struct Filter {
    pub execution: Option<ExecutionId>,
    pub agent: Option<AgentId>,
    pub types: Vec<Type>,
    pub statuses: Vec<Status>,
    /// Part of the name.
    pub search: Option<String>,
    /// Made at or after this time, and before the other.
    pub from: Option<DateTime<Utc>>,
    pub until: Option<DateTime<Utc>>,
}

/// The orders of lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sort {
    Age,
    Change,
}

impl Sort {
    pub fn name(self) -> &'static str {
        match self {
            Sort::Age => "deliverable.age",
            Sort::Change => "deliverable.change.number",
        }
    }
}

/// The order of a deliverable's versions.
pub const BY_NUMBER: &str = "deliverable_version.number";

/// How many deliverables there are of each kind.
#[derive(Debug, Clone, Default)]
pub struct Counts {
    pub by_status: HashMap<Status, u64>,
    pub by_type: HashMap<Type, u64>,
}

/// The ids of these that belong to the workspace, for what belongs to them. Not all of the workspace's: there may be
/// many, and SQLite would list them.
pub(super) fn own(scope: Scope, ids: impl IntoIterator<Item = DeliverableId>) -> SelectStatement {
    let query = by_id::<entity::deliverable::Entity>(scope, ids.into_iter().map(|id| id.0));
    QueryTrait::into_query(query.select_only().column(entity::deliverable::Column::Id))
}

fn filtered(scope: Scope, filter: &Filter) -> Select<entity::deliverable::Entity> {
    use entity::deliverable::{Column, Entity};
    let mut query = of_workspace::<Entity>(scope);
    if let Some(execution) = filter.execution {
        query = query.filter(Column::ExecutionId.eq(execution.0));
    }
    if let Some(agent) = filter.agent {
        query = query.filter(Column::AgentId.eq(agent.0));
    }
    match filter.types.as_slice() {
        [] => {}
        [one] => query = query.filter(Column::Type.eq(one.as_str())),
        many => query = query.filter(Column::Type.is_in(many.iter().map(|of| of.as_str()))),
    }
    match filter.statuses.as_slice() {
        [] => {}
        [one] => query = query.filter(Column::Status.eq(one.as_str())),
        many => query = query.filter(Column::Status.is_in(many.iter().map(|status| status.as_str()))),
    }
    if let Some(text) = &filter.search {
        query = query.filter(Column::FoldedName.like(search::containing(text)));
    }
    if let Some(from) = filter.from {
        query = query.filter(Column::CreatedAt.gte(micros::from_time(from)));
    }
    if let Some(until) = filter.until {
        query = query.filter(Column::CreatedAt.lt(micros::from_time(until)));
    }
    query
}

impl Store {
    pub async fn deliverables(
        &self,
        scope: Scope,
        filter: &Filter,
        sort: Sort,
        descending: bool,
        page: &Page,
    ) -> Result<Slice<Deliverable>> {
        use entity::deliverable::Column;
        let column = match sort {
            Sort::Age => Column::Id,
            Sort::Change => Column::UpdatedAt,
        };
        let order = OrderBy { name: sort.name(), column, id: Column::Id, descending };
        Ok(self.page(filtered(scope, filter), order, page).await?.map(Deliverable::from))
    }

    pub async fn count_deliverables(&self, scope: Scope, filter: &Filter) -> Result<u64> {
        Ok(filtered(scope, filter).count(self.read()).await?)
    }

    /// How many there are of each status and type, in one statement.
    pub async fn deliverable_counts(&self, scope: Scope, filter: &Filter) -> Result<Counts> {
        use entity::deliverable::Column;
        let query = filtered(scope, filter)
            .select_only()
            .column(Column::Status)
            .column(Column::Type)
            .column_as(Column::Id.count(), "count")
            .group_by(Column::Status)
            .group_by(Column::Type);
        let rows: Vec<(String, String, i64)> = query.into_tuple().all(self.read()).await?;
        let mut counts = Counts::default();
        for (status, of, count) in rows {
            let count = count.unsigned_abs();
            if let Ok(status) = status.parse() {
                *counts.by_status.entry(status).or_default() += count;
            }
            if let Ok(of) = of.parse() {
                *counts.by_type.entry(of).or_default() += count;
            }
        }
        Ok(counts)
    }

    pub async fn deliverables_by_id(
        &self,
        scope: Scope,
        ids: &[DeliverableId],
    ) -> Result<HashMap<DeliverableId, Deliverable>> {
        let query = by_id::<entity::deliverable::Entity>(scope, ids.iter().map(|id| id.0));
        let rows = query.all(self.read()).await?.into_iter().map(Deliverable::from);
        Ok(rows.map(|row| (row.id, row)).collect())
    }

    pub async fn deliverable(&self, scope: Scope, id: DeliverableId) -> Result<Option<Deliverable>> {
        Ok(self.deliverables_by_id(scope, &[id]).await?.remove(&id))
    }

    /// The first deliverables of each of these executions, each list up to a limit and oldest first.
    pub async fn first_deliverables(
        &self,
        scope: Scope,
        executions: &[ExecutionId],
        limit: u64,
    ) -> Result<HashMap<ExecutionId, Vec<Deliverable>>> {
        use entity::deliverable::{Column, Entity};
        let mut found = Vec::new();
        for chunk in executions.chunks(MOST_PARTS) {
            let parts = chunk.iter().map(|execution| {
                let filter = Filter { execution: Some(*execution), ..Filter::default() };
                let query = filtered(scope, &filter).select_only().column(Column::Id);
                QueryTrait::into_query(query.order_by_asc(Column::Id).limit(limit))
            });
            let Some(first) = together(parts, "id") else { continue };
            let query = Entity::find().filter(Column::Id.in_subquery(first)).order_by_asc(Column::Id);
            found.extend(query.all(self.read()).await?.into_iter().map(Deliverable::from));
        }
        Ok(grouped(found.into_iter().map(|row| (row.execution, row))))
    }

    /// Where a deliverable stands in lists by age.
    pub fn deliverable_cursor(deliverable: &Deliverable) -> Cursor {
        Cursor::new(Sort::Age.name(), Key::Id(deliverable.id.0), deliverable.id.0)
    }

    /// What a step has made under a name and nobody has archived: the newest of it.
    pub async fn kept_output(
        &self,
        scope: Scope,
        execution: ExecutionId,
        step: usize,
        name: &str,
    ) -> Result<Option<DeliverableId>> {
        use entity::deliverable::{Column, Entity};
        let query = of_workspace::<Entity>(scope)
            .filter(Column::ExecutionId.eq(execution.0))
            .filter(Column::Step.eq(i32::try_from(step).unwrap_or(i32::MAX)))
            .filter(Column::Name.eq(name))
            .filter(Column::Status.ne(Status::Archived.as_str()))
            .order_by_desc(Column::Id);
        Ok(query.one(self.read()).await?.map(|row| DeliverableId(row.id)))
    }

    /// Particular versions of deliverables.
    pub async fn versions(
        &self,
        scope: Scope,
        wanted: &[(DeliverableId, i32)],
    ) -> Result<HashMap<(DeliverableId, i32), Version>> {
        use entity::deliverable_version::{Column, Entity};
        let mut found = HashMap::new();
        for chunk in wanted.chunks(MOST_PARTS) {
            let mut any = sea_orm::Condition::any();
            for (id, number) in chunk {
                any = any.add(Column::DeliverableId.eq(id.0).and(Column::Number.eq(*number)));
            }
            let own = own(scope, chunk.iter().map(|(id, _)| *id));
            let query = Entity::find().filter(any).filter(Column::DeliverableId.in_subquery(own));
            let rows = query.all(self.read()).await?.into_iter().map(Version::from);
            found.extend(rows.map(|version| ((version.deliverable, version.number), version)));
        }
        Ok(found)
    }

    pub async fn version(&self, scope: Scope, id: DeliverableId, number: i32) -> Result<Option<Version>> {
        Ok(self.versions(scope, &[(id, number)]).await?.remove(&(id, number)))
    }

    /// The versions of a deliverable, newest first.
    pub async fn page_of_versions(&self, scope: Scope, id: DeliverableId, page: &Page) -> Result<Slice<Version>> {
        use entity::deliverable_version::{Column, Entity};
        let query = Entity::find().filter(Column::DeliverableId.in_subquery(own(scope, [id])));
        let order = OrderBy { name: BY_NUMBER, column: Column::Number, id: Column::DeliverableId, descending: true };
        Ok(self.page(query, order, page).await?.map(Version::from))
    }

    /// Where a version stands among the others.
    pub fn version_cursor(version: &Version) -> Cursor {
        Cursor::new(BY_NUMBER, Key::Number(version.number.into()), version.deliverable.0)
    }

    /// The newest versions of many deliverables, each list up to a limit and newest first.
    pub async fn newest_versions(
        &self,
        scope: Scope,
        ids: &[DeliverableId],
        limit: i32,
    ) -> Result<HashMap<DeliverableId, Vec<Version>>> {
        use entity::{
            deliverable,
            deliverable_version::{Column, Entity},
        };
        // Versions have no gap: the newest are those above a number.
        let newest = by_id::<deliverable::Entity>(scope, ids.iter().map(|id| id.0))
            .select_only()
            .columns([deliverable::Column::Id, deliverable::Column::Version]);
        let newest: Vec<(Uuid, i32)> = newest.into_tuple().all(self.read()).await?;
        let mut any = sea_orm::Condition::any();
        for (id, version) in &newest {
            any = any.add(Column::DeliverableId.eq(*id).and(Column::Number.gt(version.saturating_sub(limit))));
        }
        if newest.is_empty() {
            return Ok(HashMap::new());
        }
        let query = Entity::find().filter(any).order_by_asc(Column::DeliverableId).order_by_desc(Column::Number);
        let rows = query.all(self.read()).await?.into_iter().map(Version::from);
        Ok(grouped(rows.map(|version| (version.deliverable, version))))
    }
}
