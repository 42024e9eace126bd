//! Noticing what was committed, by this process or another one on the same database.

use std::time::Duration;

use sea_orm::{
    EntityTrait, QueryOrder, QuerySelect, QueryTrait,
    sqlx::postgres::{PgListener, PgPoolOptions},
};

use super::{
    Result, Store,
    audit::AUDIT_CHANNEL,
    journal::{self, JOURNAL_CHANNEL},
    move_up,
    session::Session,
    ways_in::{Notice, WAYS_IN_CHANNEL},
};
use crate::config::DatabaseUrl;

/// How often an SQLite file is looked at for what another process, such as the command line, wrote to it.
/// Writes of this process are noticed at once.
const SQLITE_INTERVAL: Duration = Duration::from_millis(500);
const RECONNECT_DELAY: Duration = Duration::from_secs(1);

/// What a notification is about.
enum Heard {
    /// The audit log or the journal, which have grown.
    Log,
    /// The journal, up to there.
    Journal(i64),
    WayIn(Notice),
}

/// Keeps [`Store::audit_head`] and [`Store::journal_head`] true, and tells of ways in that others changed. Runs until it
/// is dropped.
pub struct Tail(Store);

impl Tail {
    pub fn new(store: Store) -> Self {
        Self(store)
    }

    pub async fn run(self) {
        match &self.0.0.url {
            DatabaseUrl::Sqlite(_) => self.look_again_and_again().await,
            DatabaseUrl::Postgres(url) => loop {
                if let Err(error) = self.listen(url).await {
                    tracing::warn!(%error, "cannot listen for what others write; trying again");
                }
                tokio::time::sleep(RECONNECT_DELAY).await;
            },
        }
    }

    async fn look_again_and_again(&self) {
        let mut head = self.0.audit_head();
        loop {
            tokio::time::sleep(SQLITE_INTERVAL).await;
            if self.0.check_files().is_err() {
                // It has been logged. What is read from a file that is gone is old.
                continue;
            }
            if let Err(error) = self.0.refresh_heads().await {
                tracing::warn!(%error, "could not look for what others wrote; trying again");
            }
            // Another process may have changed ways in: it never does without an entry in the audit log.
            if head.has_changed().unwrap_or_default() {
                head.mark_unchanged();
                self.0.tell_of_way_in(Notice::Any);
            }
        }
    }

    /// A listener of its own pool: it holds its connection for ever.
    async fn listen(&self, url: &str) -> Result<()> {
        let pool = PgPoolOptions::new().max_connections(1).connect(url).await?;
        let mut listener = PgListener::connect_with(&pool).await?;
        listener.listen_all([AUDIT_CHANNEL, JOURNAL_CHANNEL, WAYS_IN_CHANNEL]).await?;
        let mut heard = None;
        loop {
            match &heard {
                Some(Heard::WayIn(notice)) => self.0.tell_of_way_in(*notice),
                Some(Heard::Journal(head)) => self.0.move_journal_head(*head),
                // A look that fails is repeated soon: no other notification may come.
                Some(Heard::Log) => self.0.refresh_heads().await?,
                // At first, and after a lost connection: what was notified meanwhile is found by looking.
                None => {
                    self.0.refresh_heads().await?;
                    self.0.tell_of_way_in(Notice::Any);
                }
            }
            heard = listener.try_recv().await?.map(|notification| match notification.channel() {
                WAYS_IN_CHANNEL => Heard::WayIn(Notice::read(notification.payload())),
                JOURNAL_CHANNEL => notification.payload().parse().map_or(Heard::Log, Heard::Journal),
                _ => Heard::Log,
            });
        }
    }
}

impl Store {
    pub(super) async fn refresh_heads(&self) -> Result<()> {
        self.refresh_audit_head().await?;
        self.move_journal_head(journal::latest_position(&self.0.background).await?);
        Ok(())
    }

    pub(super) async fn refresh_audit_head(&self) -> Result<()> {
        self.note_audit_position(self.current_audit_position().await?);
        Ok(())
    }

    /// Takes note of a position of the audit log that somebody saw.
    pub fn note_audit_position(&self, position: i64) {
        move_up(&self.0.audit_head, position);
    }

    /// Up to where the audit log is written now.
    pub async fn current_audit_position(&self) -> Result<i64> {
        latest_audit_position(&self.0.background).await
    }
}

pub(super) async fn latest_audit_position(db: &impl Session) -> Result<i64> {
    use entity::audit_entry::{Column, Entity};
    let query = Entity::find().select_only().column(Column::Position).order_by_desc(Column::Position).limit(1);
    Ok(db.tuple(query.build(db.backend())).await?.unwrap_or(0))
}
