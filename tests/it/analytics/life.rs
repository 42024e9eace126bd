//! A workspace in which all kinds of things happen at random.

use chrono::TimeDelta;
use countersign::{
    domain::{
        access::Scope,
        agent::{Kind, RiskLevel},
        checkpoint::{self, Status, Verdict},
        execution::{Mode, Usage},
        id::{ExecutionId, WorkflowId},
        json::Json,
        role::Role,
    },
    engine::{
        Origin,
        commands::{
            AgentFields, Asking, CompleteTask, DecideCheckpoint, FailTask, RequestApproval, RequestClarification,
            StartExecution,
        },
    },
    store::{checkpoints, page::Page},
};
use rand::{Rng, RngExt, SeedableRng, rngs::StdRng, seq::IndexedRandom};
use serde_json::json;

use crate::support::{
    TestApp,
    policies::{approving, rejecting},
    worker::{completing, failing},
};

const POLICY: &str = "
version: '1.0'
checkpoints:
  - name: Payments
    trigger: { operation_type: pay }
    action: { approvers: { groups: [finance] }, timeout_seconds: 20000, on_timeout: cancel }
  - name: Two of them
    trigger: { operation_type: ship }
    action: { require_approval_count: 2, timeout_seconds: 40000, on_timeout: approve }
  - name: Refunds
    trigger: { operation_type: refund }
    action: { timeout_seconds: 3000, on_timeout: escalate, escalation: { enabled: true, after_seconds: 2000, escalate_to: [zoe@example.com] } }
auto_approval:
  enabled: true
  rules:
    - name: Small
      conditions: { operation_type: small }
      action: { auto_approve: true }
";

/// Those who live there.
pub struct Life<'a> {
    app: &'a TestApp,
    random: StdRng,
    people: Vec<Scope>,
    workflows: Vec<WorkflowId>,
    executions: Vec<ExecutionId>,
}

impl<'a> Life<'a> {
    pub async fn begin(app: &'a TestApp, seed: u64) -> Self {
        app.policy(POLICY).await;
        let mut people = Vec::new();
        for (name, groups) in [
            ("ada", ["finance"].as_slice()),
            ("bob", &["finance", "night shift"]),
            ("eve", &["night shift"]),
            ("zoe", &[]),
        ] {
            people.push(app.approver(&format!("{name}@example.com"), &[Role::Approver, Role::Operator], groups).await);
        }
        for (name, risk) in [
            ("Prepare", RiskLevel::Low),
            ("Pay", RiskLevel::High),
            ("Ship", RiskLevel::High),
            ("Small", RiskLevel::High),
        ] {
            let fields = AgentFields {
                config: Some(json!({"queue": "q"})),
                operation_type: Some(Some(name.to_lowercase())),
                risk_level: Some(Some(risk)),
                ..AgentFields::default()
            };
            app.agent_with(name, Kind::Worker, fields).await;
        }
        let step = |key: &str, agent: &str| json!({"key": key, "agent": agent, "timeoutSeconds": 86000, "retry": {"attempts": 3}});
        let mut workflows = Vec::new();
        for (name, steps) in [
            ("Payment", json!([step("prepare", "Prepare"), step("pay", "Pay")])),
            ("Shipment", json!([step("ship", "Ship")])),
            ("Both", json!([step("small", "Small"), step("pay", "Pay"), step("ship", "Ship")])),
        ] {
            workflows.push(app.workflow(json!({"name": name, "steps": steps})).await);
        }
        Self { app, random: StdRng::seed_from_u64(seed), people, workflows, executions: Vec::new() }
    }

    /// Lets so many things happen. What is refused did not.
    pub async fn go_on(&mut self, times: usize) {
        for _ in 0..times {
            match self.random.random_range(0..100) {
                0..22 => self.start().await,
                22..50 => self.work().await,
                50..75 => self.decide().await,
                75..79 => self.ask_from_outside().await,
                79..86 => self.control().await,
                _ => self.wait(),
            }
        }
    }

    fn wait(&mut self) {
        let seconds = match self.random.random_range(0..10) {
            0..6 => self.random.random_range(0..900),
            6..9 => self.random.random_range(900..10_000),
            _ => self.random.random_range(10_000..30_000),
        };
        self.app.clock.advance(TimeDelta::milliseconds(seconds * 1000 + self.random.random_range(0..1000)));
    }

    fn somebody(&mut self) -> Scope {
        *self.people.choose(&mut self.random).expect("people")
    }

    async fn start(&mut self) {
        let workflow = *self.workflows.choose(&mut self.random).expect("workflows");
        let command = StartExecution {
            workflow,
            version: None,
            input: Json::parse(r#"{"amount":1}"#).expect("JSON"),
            mode: if self.random.random_bool(0.1) { Mode::Test } else { Mode::Live },
            correlation_id: None,
            idempotency_key: None,
        };
        let started = self.app.engine.start_execution(self.app.scope(), command).await.expect("an execution");
        self.executions.push(started.id);
    }

    fn usage(&mut self) -> Usage {
        let mut amount = |most| self.random.random_range(0..most);
        Usage { llm_calls: amount(3), tokens: amount(5_000), cost_micros: amount(90_000) }
    }

    /// Some take long, some ask in between, some never come back.
    async fn work(&mut self) {
        let scope = self.app.scope();
        for task in self.app.claim("q", 3).await {
            if self.random.random_bool(0.5) {
                self.app.clock.advance(TimeDelta::milliseconds(self.random.random_range(0..20_000)));
            }
            let usage = self.usage();
            let asking = Asking { lease: Some(task.lease.clone()), ..Asking::default() };
            // Whose lease has run out meanwhile is refused.
            match self.random.random_range(0..20) {
                0..10 => drop(
                    self.app
                        .engine
                        .complete_task(scope, CompleteTask { usage, ..completing(&task, r#"{"amount":2}"#) })
                        .await,
                ),
                10..13 => drop(self.app.engine.fail_task(scope, FailTask { usage, ..failing(&task, true) }).await),
                13 => drop(self.app.engine.fail_task(scope, FailTask { usage, ..failing(&task, false) }).await),
                14..16 => drop(self.app.engine.request_approval(scope, request(asking)).await),
                16..18 => drop(self.app.engine.request_clarification(scope, question(asking)).await),
                18 => drop(self.app.engine.cancel_execution(scope, task.lease.execution, None).await),
                _ => {}
            }
        }
    }

    async fn decide(&mut self) {
        let filter = checkpoints::Filter { statuses: vec![Status::Pending], ..checkpoints::Filter::default() };
        let page = Page::first(100);
        let found =
            self.app.engine.store().checkpoints(self.app.scope(), &filter, checkpoints::Sort::Age, false, &page);
        let found = found.await.expect("checkpoints");
        let Some((_, row)) = found.rows.choose(&mut self.random) else { return };
        let other = format!(r#"{{"amount":{}}}"#, self.random.next_u32());
        let command = match (row.kind, self.random.random_range(0..10)) {
            (_, 0..2) => rejecting(row, "no"),
            (checkpoint::Kind::Clarification, _) => DecideCheckpoint {
                verdict: Verdict::Answer,
                answers: Some(Json::parse(r#"{"why":"because"}"#).expect("JSON")),
                ..approving(row)
            },
            (_, 2..5) => {
                DecideCheckpoint { modified_parameters: Some(Json::parse(&other).expect("JSON")), ..approving(row) }
            }
            _ => approving(row),
        };
        let who = self.somebody();
        drop(self.app.engine.decide_checkpoint(who, command, &Origin::default()).await);
    }

    async fn ask_from_outside(&mut self) {
        let who = self.somebody();
        let asking = Asking { test: self.random.random_bool(0.1), ..Asking::default() };
        self.app.engine.request_approval(who, request(asking)).await.expect("asked");
    }

    async fn control(&mut self) {
        let Some(id) = self.executions.choose(&mut self.random).copied() else { return };
        let (engine, scope) = (&self.app.engine, self.app.scope());
        match self.random.random_range(0..6) {
            0..2 => drop(engine.pause_execution(scope, id).await),
            2..5 => drop(engine.resume_execution(scope, id).await),
            _ => drop(engine.cancel_execution(scope, id, None).await),
        }
    }
}

fn request(asking: Asking) -> RequestApproval {
    RequestApproval {
        asking,
        operation_type: "refund".to_owned(),
        description: "Refund the order".to_owned(),
        parameters: Json::parse(r#"{"order":1}"#).expect("JSON"),
        risk_level: RiskLevel::Medium,
        reasoning: None,
        confidence: None,
        estimated_cost: None,
        supporting_data: None,
        alternatives: Vec::new(),
        items: None,
    }
}

fn question(asking: Asking) -> RequestClarification {
    let questions = vec![(Some("why".to_owned()), "Why?".to_owned(), None)];
    RequestClarification { asking, description: None, questions, supporting_data: None }
}
