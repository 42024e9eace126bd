//! Pages of the journal, oldest first.

use std::sync::Arc;

use async_graphql::Context;

use crate::{
    domain::{access::Scope, id::ExecutionId},
    graphql::{
        caller::ContextExt,
        connection::{PageArgs, Rows, Total},
        error::Result,
        loaders::FirstLines,
        log::JOURNAL,
    },
    store::journal::{Entry, JournalFilter},
};

/// One page of an execution's lines, all of them or only those of some kinds.
pub async fn page_of_journal<N: From<Arc<Entry>>>(
    ctx: &Context<'_>,
    scope: Scope,
    execution: ExecutionId,
    kinds: Vec<&'static str>,
    args: PageArgs,
) -> Result<(Rows<N>, Total)> {
    let page = JOURNAL.page(&args, false)?;
    let filter = JournalFilter { execution: Some(execution), workflow: None, kinds };
    let store = ctx.engine().store();
    let lines: Vec<Arc<Entry>> = if page.is_first() {
        // The first page, which a list of executions asks of each of them: read for all of them at once.
        let first = FirstLines { execution, kinds: filter.kinds.clone(), size: page.size };
        ctx.loaders()?.load(first).await?.unwrap_or_default()
    } else {
        store.journal(scope, &filter, page.range()).await?.into_iter().map(Arc::new).collect()
    };
    let rows = page.rows(lines, |line| line.position, N::from);
    let total = Total::new(ctx, filter, move |store, filter| async move { store.count_journal(scope, &filter).await });
    Ok((rows, total))
}
