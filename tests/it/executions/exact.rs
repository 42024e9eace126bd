//! Values come out as they went in, to the letter.

use countersign::domain::{
    agent::Kind,
    execution::{CompletionReason, Data, Event},
};
use rstest::rstest;
use serde_json::json;

use crate::support::{
    Database, Service, TestApp,
    flows::{allow_loopback, starting},
};

/// Everything that is easily lost.
fn delicate() -> String {
    let deep = format!("{}7{}", "[".repeat(100), "]".repeat(100));
    let objects = format!("{}null{}", r#"{"d":"#.repeat(100), "}".repeat(100));
    format!(
        concat!(
            r#"{{"z":1,"big":123456789012345678901234567890,"negative":-98765432109876543210,"one":1.0,"#,
            r#""tenth":0.1000,"zero":-0.0,"power":1E5,"tiny":1e-400,"huge":1e400,"object":{{}},"list":[],"text":"","#,
            r#""nothing":null,"no":false,"emoji":"👩‍🚀🏳️‍🌈","rtl":"‏שלום עולם","combining":"e\u0301é","#,
            r#""quotes":"\"\\\/\b\f\n\r\t","separators":"\u2028\u2029","ключ":1,"":"empty key","a b":[[],{{}},""],"#,
            r#""a":2,"deep":{},"objects":{}}}"#
        ),
        deep, objects
    )
}

#[rstest]
#[tokio::test]
async fn values_pass_through_every_kind_of_step_unchanged(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let app = TestApp::start_with(database, allow_loopback).await;
    let value = delicate();
    let service = Service::start(|call, _| (200, call.body.clone())).await;
    app.agent("Echo", Kind::Http, service.config()).await;
    app.agent(
        "Wrap",
        Kind::Transform,
        json!({"fields": {"all": "input", "big": "/input/big", "power": "input.power"}}),
    )
    .await;
    app.agent("Worker", Kind::Worker, json!({"queue": "q"})).await;
    let workflow = app
        .workflow(json!({"name": "Through", "steps": [
            {"key": "echo", "agent": "Echo", "input": {"x": "/input"}},
            {"key": "wrap", "agent": "Wrap", "input": {
                "all": "steps.echo.x", "big": "/steps/echo/x/big", "power": "/steps/echo/x/power"
            }},
            {"key": "work", "agent": "Worker", "input": {
                "all": "/steps/wrap/all/all", "big": "/steps/wrap/big", "power": "steps.wrap.power",
                "listed": "[steps.wrap.all.all.tenth, steps.wrap.big]"
            }},
            {"key": "last", "agent": "Echo", "input": {"x": "/steps/work"}},
        ]}))
        .await;
    let command = starting(workflow, &value);
    let id = app.engine.start_execution(app.scope(), command).await.expect("an execution").id;
    let task = app.claim_next("q").await;
    assert_eq!(
        task.input.text(),
        format!(
            r#"{{"all":{value},"big":123456789012345678901234567890,"power":1E5,"listed":[0.1000,123456789012345678901234567890]}}"#
        )
    );
    app.complete(&task, &value).await.expect("completed");
    app.ends(id, CompletionReason::Success).await;
    let bodies: Vec<String> = service.calls().into_iter().map(|call| call.body).collect();
    assert_eq!(bodies, [format!(r#"{{"x":{value}}}"#), format!(r#"{{"x":{value}}}"#)]);
    let outputs: Vec<String> = app
        .events(id)
        .await
        .into_iter()
        .filter_map(|event| match event {
            Event::StepCompleted { output: Data::Inline(output), .. } => Some(output.text().to_owned()),
            _ => None,
        })
        .collect();
    assert_eq!(outputs.len(), 4);
    assert_eq!(outputs[2], value);
    app.assert_sound().await;
}

#[tokio::test]
async fn a_step_may_give_anything_that_is_json() {
    let app = TestApp::start_with(Database::Sqlite, allow_loopback).await;
    for (number, output) in ["null", "\"\"", "[]", "{}", "0", "-0.0", "false", "\"é\"", "1E5"].into_iter().enumerate()
    {
        let service = Service::start(move |call, _| {
            (200, if call.step == "first" { output.to_owned() } else { "{}".to_owned() })
        })
        .await;
        let name = format!("Caller {number}");
        app.agent(&name, Kind::Http, service.config()).await;
        let workflow = app
            .workflow(json!({"name": format!("Any {number}"), "steps": [
                {"key": "first", "agent": name},
                {"key": "second", "agent": name, "input": {"copied": "/steps/first", "named": "steps.first"}},
            ]}))
            .await;
        let id = app.start_execution(workflow, json!({})).await;
        app.ends(id, CompletionReason::Success).await;
        assert_eq!(service.calls()[1].body, format!(r#"{{"copied":{output},"named":{output}}}"#));
    }
    app.assert_sound().await;
}
