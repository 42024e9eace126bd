//! Telling that ways in, which are sessions and API tokens, have begun, been used or ended.
//!
//! The rows have the truth, with the times of what happened to them. A notice only says whose rows are worth a look, so
//! one that is lost costs nothing but a look at all of them.

use sea_orm::{DbBackend, Statement};
use tokio::sync::broadcast;

use super::{Result, Store, session::Session};
use crate::domain::id::{NodeId, UserId, WorkspaceId};

pub(super) const WAYS_IN_CHANNEL: &str = "countersign_ways_in";

/// Whose ways in have changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Notice {
    /// This person's sessions.
    Sessions(UserId),
    /// This workspace's API tokens.
    ApiTokens(WorkspaceId),
    /// Perhaps anybody's: not everything was heard.
    Any,
}

impl Notice {
    /// As other processes hear it.
    fn payload(self) -> String {
        match self {
            Notice::Sessions(user) => user.to_string(),
            Notice::ApiTokens(workspace) => workspace.to_string(),
            Notice::Any => String::new(),
        }
    }

    pub(super) fn read(payload: &str) -> Self {
        match payload.parse() {
            Ok(NodeId::UserId(user)) => Notice::Sessions(user),
            Ok(NodeId::WorkspaceId(workspace)) => Notice::ApiTokens(workspace),
            // Of a newer version.
            _ => Notice::Any,
        }
    }
}

impl Store {
    /// Hears of ways in that change, whichever process changes them. Who is too slow misses some and looks at all.
    pub fn ways_in(&self) -> broadcast::Receiver<Notice> {
        self.0.ways_in.subscribe()
    }

    pub(super) fn tell_of_way_in(&self, notice: Notice) {
        // Nobody listening is not an error.
        let _ = self.0.ways_in.send(notice);
    }
}

/// Tells all processes with the commit. On SQLite there is one, which is told after it.
pub(super) async fn announce(db: &impl Session, notices: &[Notice]) -> Result<()> {
    if db.backend() == DbBackend::Postgres {
        for notice in notices {
            let values = [WAYS_IN_CHANNEL.into(), notice.payload().into()];
            let notify = "SELECT pg_notify($1, $2)";
            db.run(Statement::from_sql_and_values(DbBackend::Postgres, notify, values)).await?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    #[test]
    fn other_processes_hear_what_was_said() {
        let id = Uuid::from_u128(42);
        for notice in [Notice::Sessions(UserId(id)), Notice::ApiTokens(WorkspaceId(id)), Notice::Any] {
            assert_eq!(Notice::read(&notice.payload()), notice);
        }
        assert_eq!(Notice::read("something newer"), Notice::Any);
    }
}
