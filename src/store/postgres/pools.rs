//! How many connections there is room for.
//!
//! A pool that may open more than PostgreSQL gives stands still: a request with a place in it waits for a new
//! connection, beside free ones. So the pools are made as large as there is room, and leave some for what must go on.

use sea_orm::sqlx::{self, Connection, PgConnection, postgres::PgConnectOptions};

use crate::store::Result;

/// For the journal, what listens, the server's lock, and what is made once.
const BESIDE_POOLS: u32 = 4;

/// What PostgreSQL still gives to this user, this one included. Superusers are bound by nothing but the whole.
const ROOM: &str = "
    SELECT greatest(0, 1 + least(
        current_setting('max_connections')::int
            - CASE WHEN rolsuper THEN 0 ELSE current_setting('superuser_reserved_connections')::int END
            - CASE WHEN rolsuper THEN 0 ELSE coalesce(current_setting('reserved_connections', true), '0')::int END
            - (SELECT count(*)::int FROM pg_stat_activity WHERE backend_type = 'client backend'),
        CASE WHEN NOT rolsuper AND rolconnlimit >= 0 THEN
            rolconnlimit - (SELECT count(*)::int FROM pg_stat_activity WHERE usename = current_user) END,
        CASE WHEN NOT rolsuper AND datconnlimit >= 0 THEN
            datconnlimit - (SELECT count(*)::int FROM pg_stat_activity WHERE datname = current_database()) END
    ))
    FROM pg_roles, pg_database WHERE rolname = current_user AND datname = current_database()";

/// How large each pool is.
#[derive(Debug, PartialEq, Eq)]
pub struct Pools {
    pub read: u32,
    pub write: u32,
}

impl Pools {
    /// The pools that the settings ask for, or as much of them as there is room for.
    pub async fn fitting(options: &PgConnectOptions, wanted: u32) -> Result<Self> {
        let mut connection = PgConnection::connect_with(options).await?;
        let room: i32 = sqlx::query_scalar(ROOM).fetch_one(&mut connection).await?;
        // The database notices by itself, if it has to.
        let _ = connection.close().await;
        let pools = Self::within(room.unsigned_abs(), wanted);
        if pools.read < wanted {
            tracing::warn!(
                room,
                read = pools.read,
                write = pools.write,
                "PostgreSQL has room for fewer connections than `database-connections` asks for"
            );
        }
        Ok(pools)
    }

    /// Half as many for writing as for reading.
    fn within(room: u32, wanted: u32) -> Self {
        let all = room.saturating_sub(BESIDE_POOLS);
        let write = wanted.div_ceil(2).min(all / 3).max(1);
        let read = wanted.min(all.saturating_sub(write)).max(1);
        Self { read, write }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pools_leave_room_for_what_must_go_on() {
        assert_eq!(Pools::within(300, 16), Pools { read: 16, write: 8 });
        assert_eq!(Pools::within(28, 16), Pools { read: 16, write: 8 });
        assert_eq!(Pools::within(12, 16), Pools { read: 6, write: 2 });
        assert_eq!(Pools::within(6, 16), Pools { read: 1, write: 1 });
        assert_eq!(Pools::within(0, 16), Pools { read: 1, write: 1 });
    }
}
