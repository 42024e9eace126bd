//! Everybody else is served while somebody attacks.

use std::{
    sync::atomic::{AtomicBool, Ordering},
    time::{Duration, Instant},
};

use countersign::domain::role::Role;
use futures_util::future::{join, join_all};
use serde_json::json;

use super::documents::documents;
use crate::support::{Database, Raw, TestApp, text};

const ATTACKERS: usize = 20;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ordinary_requests_are_answered_during_an_attack() {
    let app = TestApp::start(Database::Sqlite).await;
    let token = app.token(Role::Viewer).await;
    let over = AtomicBool::new(false);
    // They hold connections open, each with a request that does not end.
    let mut silent = Vec::new();
    for _ in 0..ATTACKERS {
        let mut raw = Raw::connect(&app).await;
        raw.send(
            "POST /graphql HTTP/1.1\r\nhost: test\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{",
        )
        .await;
        silent.push(raw);
    }
    let documents = documents();
    let attack = async {
        let app = &app;
        let attacker = |n: usize| {
            let mine: Vec<&str> =
                documents.iter().skip(n).step_by(ATTACKERS).map(|(_, query, _)| query.as_str()).collect();
            async move {
                for query in mine {
                    let response = app.post(None, query, json!({})).await;
                    assert!(response.status().as_u16() < 500, "{}", response.status());
                }
            }
        };
        join_all((0..ATTACKERS).map(attacker)).await;
        over.store(true, Ordering::Relaxed);
    };
    let ordinary = async {
        let mut slowest = Duration::ZERO;
        let mut count = 0;
        while !over.load(Ordering::Relaxed) {
            let began = Instant::now();
            let answer = app.graphql(&token, "{ viewer { displayName workspace { slug } } }", json!({})).await;
            assert_eq!(text(&answer, "/data/viewer/displayName"), "test VIEWER");
            slowest = slowest.max(began.elapsed());
            count += 1;
        }
        (count, slowest)
    };
    let began = Instant::now();
    let ((), (count, slowest)) = join(attack, ordinary).await;
    println!("{count} ordinary requests in the {:?} of the attack, the slowest in {slowest:?}", began.elapsed());
    assert!(count > 0);
}
