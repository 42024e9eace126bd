//! Pages of the journal, oldest first.

use std::sync::Arc;

use async_graphql::Context;

use super::cursor::{decode_cursor, encode_cursor};
use crate::{
    domain::{access::Scope, id::ExecutionId},
    graphql::{
        caller::ContextExt,
        connection::{PageArgs, Rows, Total, bad_cursor},
        error::Result,
        loaders::FirstLines,
    },
    store::{
        Range,
        journal::{Entry, JournalFilter},
    },
};

/// One page of an execution's lines, all of them or only those of some kinds.
pub async fn page_of_journal<N: From<Arc<Entry>>>(
    ctx: &Context<'_>,
    scope: Scope,
    execution: ExecutionId,
    kinds: Vec<&'static str>,
    args: PageArgs,
) -> Result<(Rows<N>, Total)> {
    let (size, from_end) = args.size()?;
    let position = |name: &str, text: &Option<String>| match text {
        None => Ok(None),
        Some(text) => decode_cursor(text).map(Some).ok_or_else(|| bad_cursor(name)),
    };
    let (above, below) = (position("after", &args.after)?, position("before", &args.before)?);
    let filter = JournalFilter { execution: Some(execution), workflow: None, kinds };
    let store = ctx.engine().store().clone();
    let mut lines: Vec<Arc<Entry>> = if above.is_none() && below.is_none() && !from_end {
        // The first page, which a list of executions asks of each of them: read for all of them at once.
        let first = FirstLines { execution, kinds: filter.kinds.clone(), size };
        ctx.loaders()?.load(first).await?.unwrap_or_default()
    } else {
        let range = Range { above, below, newest_first: from_end, limit: size + 1 };
        store.journal(scope, &filter, range).await?.into_iter().map(Arc::new).collect()
    };
    let more = lines.len() as u64 > size;
    lines.truncate(usize::try_from(size).unwrap_or(usize::MAX));
    if from_end {
        lines.reverse();
    }
    let rows = Rows {
        edges: lines.into_iter().map(|line| (encode_cursor(line.position), N::from(line))).collect(),
        has_previous: if from_end { more } else { above.is_some() },
        has_next: if from_end { below.is_some() } else { more },
    };
    let total = Total::new(move || {
        let (store, filter) = (store.clone(), filter.clone());
        async move { store.count_journal(scope, &filter).await }
    });
    Ok((rows, total))
}
