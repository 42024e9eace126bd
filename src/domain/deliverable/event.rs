//! What happens to a deliverable, as its execution's journal records it.
//!
//! These are comments: no decision of an execution depends on them, and they come also after its end. The journal is
//! kept for ever: fields are added, never renamed or removed.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// Which deliverable, as it was then.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct About {
    pub deliverable: Uuid,
    pub name: String,
    /// The newest version.
    pub version: i32,
    /// The step that made it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<usize>,
}

/// One thing that happened to a deliverable.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Event {
    /// It is there, with its first version.
    #[serde(rename = "deliverable.created")]
    Created(About),
    /// It has another version, or is called something else.
    #[serde(rename = "deliverable.updated")]
    Updated(About),
    /// Its newest version is frozen.
    #[serde(rename = "deliverable.finalized")]
    Finalized(About),
    /// Nobody needs it now.
    #[serde(rename = "deliverable.archived")]
    Archived(About),
    /// It is needed again.
    #[serde(rename = "deliverable.restored")]
    Restored(About),
}

impl Event {
    /// All kinds, as the journal names them.
    pub const KINDS: &'static [&'static str] = &[
        "deliverable.created",
        "deliverable.updated",
        "deliverable.finalized",
        "deliverable.archived",
        "deliverable.restored",
    ];

    pub fn kind(&self) -> &'static str {
        match self {
            Event::Created(_) => "deliverable.created",
            Event::Updated(_) => "deliverable.updated",
            Event::Finalized(_) => "deliverable.finalized",
            Event::Archived(_) => "deliverable.archived",
            Event::Restored(_) => "deliverable.restored",
        }
    }

    pub fn about(&self) -> &About {
        match self {
            Event::Created(about)
            | Event::Updated(about)
            | Event::Finalized(about)
            | Event::Archived(about)
            | Event::Restored(about) => about,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::execution;

    #[test]
    fn events_survive_the_journal() {
        let about = || About { deliverable: Uuid::from_u128(7), name: "a \"b\"".to_owned(), version: 2, step: Some(1) };
        let all = [
            Event::Created(About { step: None, ..about() }),
            Event::Updated(about()),
            Event::Finalized(about()),
            Event::Archived(about()),
            Event::Restored(about()),
        ];
        assert_eq!(all.each_ref().map(Event::kind).as_slice(), Event::KINDS, "one of each kind");
        for event in all {
            let event = execution::Event::Deliverable(event);
            assert_eq!(execution::Event::read(event.kind(), &event.data()), Ok(event.clone()));
            assert!(event.is_comment() && execution::Event::is_kind_of_comment(event.kind()));
        }
    }
}
