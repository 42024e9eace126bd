//! `countersign bench`, a hundredth of it: what it asks the server for must not go out of date.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::support::{at, command, text};

#[tokio::test]
async fn every_workload_runs_to_its_end_and_is_written_down() {
    let folder = tempfile::tempdir().expect("a folder");
    let ran =
        command(folder.path()).args(["bench", "--quick", "--json", "figures.json"]).output().await.expect("it runs");
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    let written = std::fs::read(folder.path().join("figures.json")).expect("a file");
    let report: Value = serde_json::from_slice(&written).expect("JSON");
    let figures = at(&report, "/figures").as_array().expect("a list");
    let workloads: BTreeSet<&str> = figures.iter().map(|figure| text(figure, "/workload")).collect();
    let expected = BTreeSet::from(["floor", "w1", "w2", "w2+w3", "w3", "w4", "w5", "w6", "w7"]);
    assert_eq!(workloads, expected);
    for figure in figures {
        assert!(at(figure, "/value").as_f64().is_some_and(f64::is_finite), "{figure}");
    }
}
