//! People who decide when whoever looks around does not.

use super::cast::Cast;
use crate::{
    domain::{
        access::Scope,
        checkpoint::{Kind, Status, Verdict},
    },
    engine::{Engine, Error, Origin, Result, commands::DecideCheckpoint},
    store::{
        checkpoints::{CheckpointRow, Filter, Sort},
        page::Page,
    },
};

/// How many of the oldest are looked at: somebody may have made rules by which a colleague may not decide some of them.
const LOOKED_AT: u64 = 10;

/// Decides about the oldest checkpoint that one of the colleagues may decide about. Tells whether there was one.
pub async fn decide_oldest(engine: &Engine, cast: &Cast) -> Result<bool> {
    let waiting = Filter { statuses: vec![Status::Pending], ..Filter::default() };
    let oldest = engine.store().checkpoints(cast.desk, &waiting, Sort::Age, false, &Page::first(LOOKED_AT)).await?;
    for (_, row) in oldest.rows {
        // One rejection ends what needs several approvals, or answers that only whoever looks around would know.
        let (verdict, comment) = match row.kind {
            Kind::Step | Kind::External if row.approvals_needed <= 1 => (Verdict::Approve, "Fine with me."),
            _ => (Verdict::Reject, "Nobody could tell in time. Please ask again if it is still needed."),
        };
        for who in [cast.tomas, cast.mina] {
            match decide(engine, who, &row, verdict, comment).await {
                Ok(()) => return Ok(true),
                // Not theirs to decide, or somebody was faster.
                Err(Error::Refused(_)) => {}
                Err(error) => return Err(error),
            }
        }
    }
    Ok(false)
}

/// Decides about what the row says.
pub async fn decide(engine: &Engine, who: Scope, row: &CheckpointRow, verdict: Verdict, comment: &str) -> Result<()> {
    let command = DecideCheckpoint {
        checkpoint: row.id,
        digest: row.digest.clone(),
        verdict,
        comment: Some(comment.to_owned()),
        modified_parameters: None,
        items: None,
        answers: None,
    };
    engine.decide_checkpoint(who, command, &Origin::default()).await?;
    Ok(())
}
