//! What figures cost on a long journal, beside what a plain scan of it costs.
//!
//! `cargo bench --bench analytics` prints one table for a million lines over a month and one for a million within an
//! hour; `-- 100000` takes so many lines instead. With a URL as an argument, `postgres://…` or `sqlite://FILE`, it runs
//! there, over a month or as many days as `--days=365` says: an empty database is filled first, and one that was filled
//! before is asked as it is. `--fill` only fills it.
#![expect(clippy::disallowed_methods, reason = "a benchmark looks at the real clock")]
#![expect(clippy::panic, reason = "a benchmark that cannot run stops")]

use std::{
    net::SocketAddr,
    time::{Duration, Instant},
};

use chrono::{DateTime, NaiveTime, SecondsFormat, TimeDelta, Utc};
use countersign::{
    app::App,
    clock::Clock,
    config::{DatabaseUrl, Settings},
    domain::{
        access::Scope,
        agent::{Kind, RiskLevel},
        analytics::Slot,
        checkpoint::Verdict,
        execution::{Mode, Status},
        id::{AgentId, ExecutionId, WorkflowId},
        json::Json,
        role::{Role, Roles},
    },
    engine::{
        Engine, Origin,
        commands::{
            AgentFields, BelongsTo, CreateAgent, CreateApiToken, CreateWorkflow, CreateWorkspace, DecideCheckpoint,
            Document, InviteUser, Limits, SavePolicy, SavedWorkflow, StartExecution,
        },
    },
    store::journal::lines as lines_of,
};
use rand::{RngExt, SeedableRng, rngs::StdRng};
use sea_orm::{
    ColumnTrait, ConnectionTrait, DatabaseConnection, EntityTrait, IntoActiveModel, QueryFilter, QueryOrder, Statement,
};
use secrecy::ExposeSecret;
use serde_json::{Value, json};
use uuid::Uuid;

const LINES: usize = 1_000_000;
const SLUG: &str = "bench";
const WORKFLOWS: usize = 20;
const PEOPLE: usize = 20;
const ROWS_AT_ONCE: usize = 1_000;

fn main() {
    countersign::telemetry::install_crypto();
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let arguments: Vec<String> = std::env::args().collect();
    let lines = arguments.iter().find_map(|argument| argument.parse().ok()).unwrap_or(LINES);
    let days = arguments.iter().find_map(|argument| argument.strip_prefix("--days=")?.parse().ok()).unwrap_or(30);
    let url = arguments.iter().find_map(|argument| argument.parse::<DatabaseUrl>().ok());
    let fill = arguments.iter().any(|argument| argument == "--fill");
    match url {
        Some(url) => runtime.block_on(run(url, lines, TimeDelta::days(days), fill)),
        None => {
            for over in [TimeDelta::days(30), TimeDelta::hours(1)] {
                let folder = tempfile::tempdir().expect("a folder");
                let url = DatabaseUrl::Sqlite(format!("{}/bench.db", folder.path().display()));
                runtime.block_on(run(url, lines, over, fill));
            }
        }
    }
}

async fn run(url: DatabaseUrl, lines: usize, over: TimeDelta, fill: bool) {
    let settings = Settings {
        listen: SocketAddr::from(([127, 0, 0, 1], 0)),
        database_url: Some(url.clone()),
        ..Settings::default()
    };
    let app = App::start(settings, Clock::system()).await.unwrap_or_else(|error| panic!("{error}"));
    let (engine, tasks, address) = (app.engine().clone(), app.tasks().clone(), app.address());
    let running = tokio::spawn(app.run());
    let filled = engine.store().workspace_by_slug(SLUG).await.expect("a lookup");
    let bench = match &filled {
        Some(workspace) => Bench::find(engine, address, &url, Scope::system(workspace.id)).await,
        None => Bench::prepare(engine, address, &url).await,
    };
    let began = Instant::now();
    if filled.is_none() {
        bench.write(lines, over).await;
    }
    let written = bench.count("SELECT count(*) AS n FROM journal").await;
    println!("\n{written} lines of the journal over {} hours, written in {:.0?}", over.num_hours(), began.elapsed());
    let began = Instant::now();
    while bench.engine.store().roll_up().await.expect("counted") > 0 {}
    println!("{:<58}{:>10.0?}", "counted anew, as after an upgrade, in", began.elapsed());
    let began = Instant::now();
    bench.engine.store().add_up_fortnights(Slot::of(Utc::now())).await.expect("added up");
    println!("{:<58}{:>10.0?}", "fortnights added up, as after an upgrade, in", began.elapsed());
    bench.database.execute_unprepared("ANALYZE").await.expect("statistics");
    println!("{:<58}{:>10}", "rows of rollups", bench.count("SELECT count(*) AS n FROM rollup").await);

    if !fill {
        let scan = "SELECT count(*) AS n FROM (SELECT kind, at / 86400000000 AS day, count(*) FROM journal GROUP BY kind, day) AS counted";
        bench.line("a plain scan: lines by kind and day, no percentiles", async || _ = bench.count(scan).await).await;
        bench.ask_for_everything(over).await;
    }
    tasks.stop();
    running.await.expect("stopped");
}

fn range(from: DateTime<Utc>, until: Option<DateTime<Utc>>) -> String {
    let time = |at: DateTime<Utc>| at.to_rfc3339_opts(SecondsFormat::Secs, true);
    let until = until.map(|until| format!("until: \"{}\", ", time(until))).unwrap_or_default();
    format!("from: \"{}\", {until}timeZone: \"America/New_York\"", time(from))
}

struct Bench {
    engine: Engine,
    address: SocketAddr,
    token: String,
    http: reqwest::Client,
    database: DatabaseConnection,
    agents: Vec<AgentId>,
    workflows: Vec<WorkflowId>,
    people: Vec<Uuid>,
    /// An execution that was really run.
    model: ExecutionId,
}

impl Bench {
    async fn prepare(engine: Engine, address: SocketAddr, url: &DatabaseUrl) -> Self {
        let workspace = CreateWorkspace { slug: SLUG.to_owned(), name: "Bench".to_owned() };
        let scope = Scope::system(engine.create_workspace(workspace).await.expect("a workspace").id);
        let policy = "{version: '1.0', checkpoints: [{name: Rule 0, trigger: {operation_type: pay}, action: {}}]}";
        let command = SavePolicy { document: policy.to_owned(), base_version: None };
        engine.save_policy(scope, command, &Origin::default()).await.expect("a policy");
        let (mut agents, mut workflows, mut people) = (Vec::new(), Vec::new(), Vec::new());
        for number in 0..PEOPLE {
            let command = InviteUser {
                email: format!("p{number}@example.com"),
                display_name: None,
                roles: Roles::from(Role::Approver),
                idempotency_key: None,
            };
            let invited = engine.invite_user(scope, command, &Origin::default()).await.expect("a person");
            people.push(invited.user.id.0);
        }
        for number in 0..WORKFLOWS {
            let name = format!("Pay {number}");
            let fields = AgentFields {
                config: Some(json!({"output": "/input"})),
                operation_type: Some(Some("pay".to_owned())),
                risk_level: Some(Some(RiskLevel::High)),
                ..AgentFields::default()
            };
            let command = CreateAgent { name: name.clone(), kind: Kind::Transform, fields, idempotency_key: None };
            agents.push(engine.create_agent(scope, command, &Origin::default()).await.expect("an agent").id);
            let definition = json!({"name": format!("W{number}"), "steps": [{"key": "pay", "agent": name}]});
            let document = Document::Definition(definition);
            let command = CreateWorkflow { document, draft: false, idempotency_key: None };
            match engine.create_workflow(scope, command, &Origin::default()).await.expect("an answer") {
                SavedWorkflow::Saved { workflow, .. } => workflows.push(workflow.id),
                other => panic!("{other:?}"),
            }
        }
        let model = run_one(&engine, scope, workflows[0], people[0]).await;
        let filled = Self::find(engine, address, url, scope).await;
        Self { agents, workflows, people, model, ..filled }
    }

    /// What is asked of a database that is filled already, with the first workflow and the first agent alone.
    async fn find(engine: Engine, address: SocketAddr, url: &DatabaseUrl, scope: Scope) -> Self {
        let command = CreateApiToken {
            name: "bench".to_owned(),
            roles: Roles::from(Role::Admin),
            rights: Vec::new(),
            limits: Limits::default(),
            belongs_to: BelongsTo::Caller,
            expires_at: None,
            idempotency_key: None,
        };
        let token = engine.create_api_token(scope, command, &Origin::default()).await.expect("a token");
        let token = token.secret.expect("shown once").expose_secret().to_owned();
        let url = match url {
            DatabaseUrl::Sqlite(path) => format!("sqlite://{path}"),
            DatabaseUrl::Postgres(url) => url.clone(),
        };
        let database = sea_orm::Database::connect(url).await.expect("a connection");
        let own = entity::workflow::Column::Name.eq("W0");
        let workflow = entity::workflow::Entity::find().filter(own).one(&database).await.expect("a lookup");
        let own = entity::agent::Column::Name.eq("Pay 0");
        let agent = entity::agent::Entity::find().filter(own).one(&database).await.expect("a lookup");
        Self {
            engine,
            address,
            token,
            http: reqwest::Client::new(),
            database,
            agents: vec![AgentId(agent.expect("the first agent").id)],
            workflows: vec![WorkflowId(workflow.expect("the first workflow").id)],
            people: Vec::new(),
            model: ExecutionId(Uuid::nil()),
        }
    }

    /// Copies of the model, each with its own workflow, agent, rule, person and times. Nothing of them is counted yet.
    async fn write(&self, lines: usize, over: TimeDelta) {
        use entity::{execution, journal, rollup_backlog};
        let own = journal::Column::ExecutionId.eq(self.model.0);
        let model = journal::Entity::find().filter(own).order_by_asc(journal::Column::Position);
        let model: Vec<journal::Model> = model.all(&self.database).await.expect("the model's journal");
        let lines_of_row = |row: &journal::Model| {
            let lines = lines_of(row).expect("texts");
            let first = row.seq.map(|seq| seq - i64::from(row.lines) + 1);
            let line = |(seq, (kind, data)): (i64, (String, String))| {
                let seq = first.map(|first| first + seq);
                (journal::Model { seq, lines: 1, kind: kind.clone(), ..row.clone() }, kind, data)
            };
            (0..).zip(lines).map(line).collect::<Vec<_>>()
        };
        let model: Vec<(journal::Model, String, String)> = model.iter().flat_map(lines_of_row).collect();
        let row = execution::Entity::find_by_id(self.model.0).one(&self.database).await.expect("a row").expect("one");
        let mut random = StdRng::seed_from_u64(1);
        let mut position = self.count("SELECT max(position) AS n FROM journal").await;
        let now = Utc::now().timestamp_micros();
        let range = over.num_microseconds().expect("short");
        let (mut executions, mut journal) = (Vec::new(), Vec::new());
        let mut written = 0;
        while written < lines {
            let number = random.random_range(0..WORKFLOWS);
            let id = Uuid::from_u128(u128::try_from(written).expect("a number") + 1);
            let (workflow, agent) = (self.workflows[number].0, self.agents[number].0);
            let person = self.people[(number + random.random_range(0..4)) % PEOPLE];
            // Most decide in minutes, some in hours.
            let scale = |part: f64| (part * 30e6 * 10f64.powf(part * 2.0)) as i64;
            let begin = now - random.random_range(0..range);
            let waited = scale(random.random::<f64>()).min(now - begin);
            let worked = random.random_range(1_000..5_000_000);
            let mut at = begin;
            for (line, kind, data) in &model {
                at += match kind.as_str() {
                    "checkpoint.decided" => waited,
                    "step.completed" => worked.min(now - at),
                    _ => 0,
                };
                let data = data.replace(&self.workflows[0].0.to_string(), &workflow.to_string());
                let data = data.replace(&self.agents[0].0.to_string(), &agent.to_string());
                let data = data.replace(&self.people[0].to_string(), &person.to_string());
                let data = data.replace("Rule 0", &format!("Rule {}", number % 10));
                position += 1;
                written += 1;
                journal.push(
                    journal::Model { position, execution_id: id, at, data, packed: None, ..line.clone() }
                        .into_active_model(),
                );
            }
            executions.push(execution::Model { id, workflow_id: workflow, ..row.clone() }.into_active_model());
            if journal.len() >= ROWS_AT_ONCE || written >= lines {
                execution::Entity::insert_many(executions.drain(..))
                    .exec_without_returning(&self.database)
                    .await
                    .expect("executions");
                journal::Entity::insert_many(journal.drain(..))
                    .exec_without_returning(&self.database)
                    .await
                    .expect("a journal");
            }
        }
        let backlog = "INSERT INTO rollup_backlog (execution_id, seq) SELECT id, seq FROM execution";
        self.database.execute_unprepared(backlog).await.expect("a backlog");
        // What was counted of the model as it ran is counted again.
        rollup_backlog::Entity::delete_by_id(self.model.0).exec(&self.database).await.expect("counted");
        self.database.execute_unprepared("ANALYZE").await.expect("statistics");
    }

    async fn count(&self, query: &str) -> i64 {
        let statement = Statement::from_string(self.database.get_database_backend(), query.to_owned());
        let row = self.database.query_one_raw(statement).await.expect("an answer").expect("a row");
        row.try_get("", "n").expect("a number")
    }

    /// What all parts cost, one by one and together.
    async fn ask_for_everything(&self, over: TimeDelta) {
        let now = Utc::now();
        let until_now = range(now - over, None);
        // As many quarters beside whole days as there can be.
        let noon = now.date_naive().and_time(NaiveTime::MIN).and_utc() - TimeDelta::hours(12);
        let from = noon - (over - TimeDelta::days(2)).max(TimeDelta::days(1));
        let at_noon = range(from, Some(noon));
        let took = "{ count mean p50 p95 p99 }";
        let figures =
            format!("figures {{ outcomes {{ asked approvalRate }} timeToDecision {took} timeWaited {took} }}");
        let people = format!("figures {{ decided timeToDecision {took} timeWaited {took} }}");
        let by_workflow = format!("byWorkflow {{ workflow {{ name }} {figures} }}");
        let by_rule = format!("byRule {{ rule {figures} }}");
        let by_person = format!("byPerson {{ displayName {people} }}");
        let by_group = format!("byGroup {{ group {{ name }} {people} }}");
        let series = "series { from outcomes { asked approved modified rejected timedOut autoApproved } }";
        let agents =
            format!("agents {{ agent {{ name }} attempts errorRate duration {took} usage {{ tokens costMicros }} }}");
        let executions =
            format!("executions {{ ended byOutcome {{ reason count }} duration {took} series {{ ended }} }}");
        let usage = "usage { totals { tokens } series { usage { costMicros } } byWorkflow { usage { tokens } } }";
        let all = format!(
            "checkpoints {{ {series} {by_workflow} {by_rule} {by_person} {by_group} }} {agents} {executions} {usage}"
        );
        let parts = [
            ("checkpoints over time", format!("checkpoints {{ {series} }}")),
            ("checkpoints by workflow and by rule", format!("checkpoints {{ {by_workflow} {by_rule} }}")),
            ("checkpoints by person and by group", format!("checkpoints {{ {by_person} {by_group} }}")),
            ("agents", agents),
            ("executions", executions),
            ("usage", usage.to_owned()),
            ("all of these at once", all),
        ];
        let of_workflow = format!("filter: {{workflowId: \"{}\"}}", self.workflows[0]);
        let of_agent = format!("filter: {{agentId: \"{}\"}}", self.agents[0]);
        for (of_what, range, filter) in [
            ("", &until_now, ""),
            (", from noon to noon", &at_noon, ""),
            (", of one workflow", &until_now, of_workflow.as_str()),
            (", of one agent", &until_now, of_agent.as_str()),
        ] {
            for (what, parts) in &parts {
                let query = format!("{{ analytics({range}, {filter}) {{ {parts} }} }}");
                self.line(&format!("{what}{of_what}"), async || self.ask(&query).await).await;
            }
        }
    }

    async fn ask(&self, query: &str) {
        let request = self.http.post(format!("http://{}/graphql", self.address)).bearer_auth(&self.token);
        let response = request.json(&json!({ "query": query })).send().await.expect("an answer");
        let answer: Value = response.json().await.expect("JSON");
        assert_eq!(answer["errors"], Value::Null, "{answer}");
    }

    async fn line(&self, what: &str, work: impl AsyncFn()) {
        let mut times = Vec::new();
        for _ in 0..9 {
            let began = Instant::now();
            work().await;
            times.push(began.elapsed());
        }
        times.sort_unstable();
        let (median, most): (Duration, Duration) = (times[4], times[8]);
        println!("{what:<58}{median:>10.1?}   at most {most:.1?}");
    }
}

/// A whole execution with an approval, through the engine.
async fn run_one(engine: &Engine, scope: Scope, workflow: WorkflowId, person: Uuid) -> ExecutionId {
    let command = StartExecution {
        workflow,
        version: None,
        input: Json::parse(r#"{"amount":1}"#).expect("JSON"),
        mode: Mode::Live,
        correlation_id: None,
        idempotency_key: None,
    };
    let id = engine.start_execution(scope, command).await.expect("an execution").id;
    let mut head = engine.store().journal_head();
    let row = loop {
        head.borrow_and_update();
        let found = engine.store().checkpoints_of(scope, &[id]).await.expect("checkpoints");
        if let Some(row) = found.get(&id).and_then(|rows| rows.first()) {
            break row.clone();
        }
        head.changed().await.expect("the store lives");
    };
    let command = DecideCheckpoint {
        checkpoint: row.id,
        digest: row.digest,
        verdict: Verdict::Approve,
        comment: None,
        modified_parameters: None,
        items: None,
        answers: None,
    };
    let who = Scope::as_user(scope.workspace(), countersign::domain::id::UserId(person));
    engine.decide_checkpoint(who, command, &Origin::default()).await.expect("approved");
    loop {
        head.borrow_and_update();
        let statuses = engine.store().statuses(&[id]).await.expect("statuses");
        if statuses.iter().all(|(_, status)| *status == Status::Completed) {
            return id;
        }
        head.changed().await.expect("the store lives");
    }
}
