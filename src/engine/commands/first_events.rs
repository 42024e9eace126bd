//! The first events of an execution, written together.

use std::sync::Arc;

use chrono::{DateTime, Utc};

use super::idempotent::key_reused;
use crate::{
    domain::{
        analytics::facts,
        audit::{self, Caused},
        execution::{Event, wake_at},
    },
    engine::{Engine, Result, execution::Loaded},
    store::{
        executions::Execution,
        idempotency::Request,
        journal::{Append, Appended, project},
        payloads::Payload,
    },
};

pub(super) struct FirstEvents {
    /// The execution as it is after these events.
    pub loaded: Loaded,
    pub events: Vec<Event>,
    /// From which of them on the server has done by itself what comes next.
    pub by_server_from: Option<usize>,
    pub payloads: Vec<Payload>,
    /// The policy by which a rule has approved something: nothing is written once another one is in force.
    pub epoch: Option<i64>,
    pub creation: Option<Request>,
}

/// Which execution answers a request.
pub(super) enum Written {
    /// The one that was written just now, as it is then.
    Now(Box<Execution>),
    /// The one that an earlier request with the same key has made.
    Before(String),
    /// None: another policy is in force than the one by which a rule has approved something.
    PolicyChanged,
}

impl Engine {
    /// Writes them, and does what follows from that, also if the caller has gone away by then.
    pub(super) async fn write_first_events(
        &self,
        first: FirstEvents,
        now: DateTime<Utc>,
        then: impl FnOnce(&Engine, &Arc<Loaded>) + Send + 'static,
    ) -> Result<Written> {
        let FirstEvents { loaded, events, by_server_from, payloads, epoch, creation } = first;
        let owner = loaded.owner;
        let wake = wake_at(&loaded.state, loaded.plan.definition());
        let key = creation.as_ref().map(|request| request.key.clone());
        let caused = Caused {
            workspace: owner.workspace,
            execution: owner.execution,
            actor: owner.actor,
            origin: audit::Origin::default(),
            at: now,
        };
        let projection = project(owner, None, &loaded.state, wake);
        let execution = projection.execution();
        let append = Append {
            workspace: owner.workspace,
            execution: owner.execution,
            actor: owner.actor,
            at: now,
            expected: Some(0),
            audit: audit::of_events(None, &events, &caused),
            by_server_from,
            facts: facts(None, events.iter().map(|event| (now, event))),
            events,
            projection: Some(Box::new(projection)),
            payloads,
            lease: None,
            held: None,
            lapsed: None,
            epoch,
            creation,
            kept: Vec::new(),
        };
        let engine = self.clone();
        let written = move |appended| match appended {
            Appended::Done => {
                let loaded = Arc::new(loaded);
                engine.executions().loaded.put(Arc::clone(&loaded));
                wake.into_iter().for_each(|due| engine.executions().timer.expect(due));
                then(&engine, &loaded);
                Ok(Written::Now(Box::new(execution)))
            }
            Appended::Made(subject) => Ok(Written::Before(subject)),
            Appended::KeyReused => Err(key_reused(&key.unwrap_or_default()).into()),
            Appended::Conflict | Appended::Alive => {
                engine.forget_policy(owner.workspace);
                Ok(Written::PolicyChanged)
            }
        };
        self.executions().writer.append_then(append, written).await?
    }
}
