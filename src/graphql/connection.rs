//! Relay connections over keyset pages.

use std::sync::Arc;

use async_graphql::{Context, Enum, SimpleObject};
use futures_util::future::BoxFuture;

use super::{
    caller::ContextExt,
    error::{Fault, Result},
};
use crate::store::{
    self, Store,
    page::{Cursor, Page, Slice},
};

const DEFAULT_SIZE: u64 = 50;
pub const LARGEST_PAGE: u64 = 100;
/// The arguments that a page's cost depends on.
pub const SIZE_ARGUMENTS: [&str; 2] = ["first", "last"];

/// The four arguments of every connection.
#[derive(Debug, Clone, Default)]
pub struct PageArgs {
    pub first: Option<i32>,
    pub after: Option<String>,
    pub last: Option<i32>,
    pub before: Option<String>,
}

impl PageArgs {
    /// The size that was asked for, and whether it counts from the end.
    pub fn size(&self) -> Result<(u64, bool)> {
        let check = |name: &str, size: i32| match u64::try_from(size) {
            Ok(size) if (1..=LARGEST_PAGE).contains(&size) => Ok(size),
            _ => Err(Fault::BadInput(format!("`{name}` is {size}: give 1 to {LARGEST_PAGE}"))),
        };
        match (self.first, self.last) {
            (Some(_), Some(_)) => Err(Fault::BadInput("give `first` or `last`, not both".to_owned())),
            (None, Some(last)) => Ok((check("last", last)?, true)),
            (Some(first), None) => Ok((check("first", first)?, false)),
            (None, None) => Ok((DEFAULT_SIZE, false)),
        }
    }

    /// The page of a list in the given order.
    pub fn page(&self, order: &str) -> Result<Page> {
        let (size, from_end) = self.size()?;
        let (after, before) = self.bounds(|text| Cursor::decode(text, order))?;
        Ok(Page { size, from_end, after, before })
    }

    /// What `after` and `before` stand for.
    pub fn bounds<T>(&self, decode: impl Fn(&str) -> Option<T>) -> Result<(Option<T>, Option<T>)> {
        let bound = |name: &str, cursor: &Option<String>| {
            cursor.as_deref().map(|text| decode(text).ok_or_else(|| bad_cursor(name))).transpose()
        };
        Ok((bound("after", &self.after)?, bound("before", &self.before)?))
    }
}

fn bad_cursor(name: &str) -> Fault {
    Fault::BadInput(format!(
        "`{name}` is not a cursor of this list: use one from its `pageInfo` or `edges`, in the same order"
    ))
}

/// The same for a stream.
pub fn bad_stream_cursor(name: &str) -> Fault {
    Fault::BadInput(format!("`{name}` is not a cursor of this stream: use the `cursor` of one of its events"))
}

/// What a page of a list costs: its rows, each with what is asked of a row.
pub fn page_cost(first: Option<i32>, last: Option<i32>, child: usize) -> usize {
    let size = first.or(last).map_or(DEFAULT_SIZE, |size| u64::try_from(size).unwrap_or(1)).min(LARGEST_PAGE);
    child.saturating_mul(usize::try_from(size).unwrap_or(usize::MAX)).saturating_add(1)
}

/// Which way a list is ordered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
pub enum OrderDirection {
    /// Smallest, oldest or first in the alphabet first.
    Asc,
    /// Largest, newest or last in the alphabet first.
    Desc,
}

/// Where a page lies in its list.
#[derive(Debug, Clone, SimpleObject)]
pub struct PageInfo {
    /// Whether there are rows before this page.
    pub has_previous_page: bool,
    /// Whether there are rows after this page.
    pub has_next_page: bool,
    /// The first row's cursor: `before` it comes the previous page.
    pub start_cursor: Option<String>,
    /// The last row's cursor: `after` it comes the next page.
    pub end_cursor: Option<String>,
}

/// A page's rows, each with its cursor.
pub struct Rows<N> {
    pub edges: Vec<(String, N)>,
    pub has_previous: bool,
    pub has_next: bool,
}

impl<N> Rows<N> {
    pub fn page_info(&self) -> PageInfo {
        PageInfo {
            has_previous_page: self.has_previous,
            has_next_page: self.has_next,
            start_cursor: self.edges.first().map(|(cursor, _)| cursor.clone()),
            end_cursor: self.edges.last().map(|(cursor, _)| cursor.clone()),
        }
    }
}

impl<N> From<Slice<N>> for Rows<N> {
    fn from(slice: Slice<N>) -> Self {
        let edges = slice.rows.into_iter().map(|(cursor, node)| (cursor.encode(), node)).collect();
        Self { edges, has_previous: slice.has_previous, has_next: slice.has_next }
    }
}

/// Counts a whole list, only if somebody asks.
#[derive(Clone)]
pub struct Total(Arc<dyn Fn() -> BoxFuture<'static, store::Result<u64>> + Send + Sync>);

impl Total {
    /// What `count` finds in the store for what is counted, such as a filter.
    pub fn new<Q, F>(ctx: &Context<'_>, counted: Q, count: impl Fn(Store, Q) -> F + Send + Sync + 'static) -> Self
    where
        Q: Clone + Send + Sync + 'static,
        F: Future<Output = store::Result<u64>> + Send + 'static,
    {
        let store = ctx.engine().store().clone();
        Self(Arc::new(move || Box::pin(count(store.clone(), counted.clone()))))
    }

    pub async fn count(&self) -> Result<i32> {
        Ok(i32::try_from((self.0)().await?).unwrap_or(i32::MAX))
    }
}

/// Defines the connection and edge types of a node type.
macro_rules! connection {
    ($(#[$doc:meta])* $connection:ident, $(#[$edge_doc:meta])* $edge:ident, $node:ty) => {
        $(#[$doc])*
        pub struct $connection {
            rows: $crate::graphql::connection::Rows<$node>,
            total: $crate::graphql::connection::Total,
        }

        impl $connection {
            pub fn new(
                rows: impl Into<$crate::graphql::connection::Rows<$node>>,
                total: $crate::graphql::connection::Total,
            ) -> Self {
                Self { rows: rows.into(), total }
            }
        }

        $(#[$doc])*
        #[async_graphql::Object]
        impl $connection {
            /// The rows of this page, each with its cursor.
            async fn edges(&self) -> Vec<$edge> {
                self.rows.edges.iter().map(|(cursor, node)| $edge { cursor: cursor.clone(), node: node.clone() }).collect()
            }

            /// The rows of this page.
            async fn nodes(&self) -> Vec<$node> {
                self.rows.edges.iter().map(|(_, node)| node.clone()).collect()
            }

            /// Where this page lies in the list.
            async fn page_info(&self) -> $crate::graphql::connection::PageInfo {
                self.rows.page_info()
            }

            /// How many rows the whole list has, over all pages.
            async fn total_count(&self) -> $crate::graphql::error::Result<i32> {
                self.total.count().await
            }
        }

        $(#[$edge_doc])*
        #[derive(async_graphql::SimpleObject)]
        pub struct $edge {
            /// Where the row stands: give it as `after` or `before` to go on from here.
            cursor: String,
            /// The row.
            node: $node,
        }
    };
}
pub(super) use connection;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_out_of_bounds_are_refused() {
        for (first, last) in
            [(Some(0), None), (Some(-1), None), (Some(101), None), (None, Some(101)), (Some(1), Some(1))]
        {
            assert!(PageArgs { first, last, ..PageArgs::default() }.size().is_err(), "{first:?} {last:?}");
        }
    }

    #[test]
    fn a_cursor_belongs_to_its_order() {
        let args = PageArgs { after: Some("bm9uc2Vuc2U".to_owned()), ..PageArgs::default() };
        assert!(args.page("user.email").is_err());
    }

    #[test]
    fn costs_do_not_overflow() {
        assert_eq!(page_cost(Some(i32::MAX), None, usize::MAX), usize::MAX);
        assert_eq!(page_cost(Some(-5), None, 3), 4);
    }
}
