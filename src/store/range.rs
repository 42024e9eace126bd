//! Parts of a log. Its lines are numbered by position, which never changes.

use sea_orm::{ColumnTrait, EntityTrait, Order, QueryFilter, QueryOrder, QuerySelect, QueryTrait, Select};

/// Which part of a log is wanted, by position.
#[derive(Debug, Clone, Copy)]
pub struct Range {
    pub above: Option<i64>,
    pub below: Option<i64>,
    pub newest_first: bool,
    pub limit: u64,
}

impl Range {
    /// What of a query's lines is in this part, in order.
    pub(super) fn of<E: EntityTrait>(self, query: Select<E>, position: E::Column) -> Select<E> {
        let direction = if self.newest_first { Order::Desc } else { Order::Asc };
        query
            .apply_if(self.above, |query, above| query.filter(position.gt(above)))
            .apply_if(self.below, |query, below| query.filter(position.lt(below)))
            .order_by(position, direction)
            .limit(self.limit)
    }
}
