//! Journals that earlier versions wrote are kept for ever, and must always add up to the same.

use std::path::Path;

use chrono::{DateTime, Utc};
use countersign::domain::execution::{Event, State};
use serde_json::Value;

use crate::support::text;

/// Each file is one execution: a line for each numbered event, and a first line with what they add up to.
#[test]
fn recorded_histories_add_up_as_they_did() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/histories");
    let mut replayed = 0;
    for file in std::fs::read_dir(&folder).expect("the recorded histories") {
        let path = file.expect("a file").path();
        let recorded = std::fs::read_to_string(&path).expect("text");
        let mut lines = recorded.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
        let expected = lines.next().expect("what it adds up to");
        let events: Vec<(DateTime<Utc>, Event)> = lines
            .map(|line| {
                let at = text(&line, "/at").parse().expect("a time");
                (at, Event::read(text(&line, "/kind"), &line["data"].to_string()).expect("a known event"))
            })
            .collect();
        let state = State::fold(events.iter().map(|(at, event)| (*at, event))).expect("a beginning");
        let steps: Vec<&str> = state.steps.iter().map(|step| step.status.as_str()).collect();
        let mut found = serde_json::json!({
            "status": state.status.as_str(),
            "reason": state.finish.as_ref().map(|finish| finish.reason.as_str()),
            "steps": steps,
            "attempts": state.steps.iter().map(|step| step.attempt).collect::<Vec<_>>(),
            "tokens": state.usage.tokens,
        });
        let checkpoints: Vec<&str> = state.checkpoints.iter().map(|checkpoint| checkpoint.status.as_str()).collect();
        if !checkpoints.is_empty() {
            found["checkpoints"] = checkpoints.into();
        }
        assert_eq!(found, expected, "{}", path.display());
        replayed += 1;
    }
    assert!(replayed >= 7, "only {replayed} histories");
}
