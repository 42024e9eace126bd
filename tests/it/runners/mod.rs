//! What does the work of a step, against real servers.

mod http_addresses;
mod http_answers;
mod http_redirects;
mod http_requests;

use std::{net::SocketAddr, time::Duration};

use axum::Router;
use chrono::Utc;
use countersign::{
    config::Settings,
    domain::{
        agent::{self, Method},
        id::ExecutionId,
        json::Json,
    },
    engine::{
        runners::{
            Failure,
            http::{Call, HttpRunner},
        },
        secrets::Secrets,
    },
};

use crate::support::PATIENCE;

/// Somebody's server, on a port of its own until the test ends.
async fn serve(router: Router) -> SocketAddr {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    tokio::spawn(async move { axum::serve(listener, router).await });
    address
}

/// A runner that may call this machine.
fn runner() -> HttpRunner {
    runner_with(|settings| settings.http_allow = "127.0.0.0/8".parse().expect("a network"))
}

fn runner_with(change: impl FnOnce(&mut Settings)) -> HttpRunner {
    countersign::telemetry::install_crypto();
    let mut settings = Settings::default();
    change(&mut settings);
    HttpRunner::new(&settings).expect("a runner")
}

fn agent(method: Method, url: String) -> agent::Http {
    agent::Http { url, method, headers: Vec::new(), max_concurrency: None }
}

fn with_header(mut agent: agent::Http, name: &str, value: &str) -> agent::Http {
    agent.headers.push((name.to_owned(), value.to_owned()));
    agent
}

/// Runs a step without secrets.
async fn run(runner: &HttpRunner, agent: &agent::Http, input: &str) -> Result<Json, Failure> {
    run_with(runner, agent, input, &Secrets::default(), PATIENCE).await
}

async fn run_with(
    runner: &HttpRunner,
    agent: &agent::Http,
    input: &str,
    secrets: &Secrets,
    timeout: Duration,
) -> Result<Json, Failure> {
    let input = Json::parse(input).expect("JSON");
    let call = Call {
        input: &input,
        idempotency_key: "key-1",
        execution: ExecutionId::new(Utc::now()),
        step: "fetch",
        secrets,
        timeout,
    };
    runner.run(agent, call).await
}
