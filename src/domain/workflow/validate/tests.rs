use serde_json::{Value, json};

use super::*;

fn library() -> Library {
    let agent = |input: Value, output: Value| AgentShape {
        input_schema: Some(input).filter(|schema| !schema.is_null()),
        output_schema: Some(output).filter(|schema| !schema.is_null()),
        archived: false,
    };
    let ticket = json!({"type": "object", "additionalProperties": false, "required": ["id", "title"], "properties": {
        "id": {"type": "string"}, "title": {"type": "string"},
        "tags": {"type": "array", "items": {"type": "object", "properties": {"name": {"type": "string"}},
            "additionalProperties": false}},
    }});
    let classified = json!({"type": "object", "required": ["score"], "properties": {"score": {"type": "number"}}});
    Library::from([
        ("Any".to_owned(), agent(json!(null), json!(null))),
        (
            "Fetch".to_owned(),
            agent(json!({"required": ["url"], "properties": {"url": {"type": "string"}}}), ticket.clone()),
        ),
        ("Classify".to_owned(), agent(ticket, classified)),
        (
            "Report".to_owned(),
            agent(
                json!({"required": ["score", "owner"], "properties": {
                    "score": {"type": "integer"}, "owner": {"type": "string"}, "id": {"type": "integer"}}}),
                json!(null),
            ),
        ),
        ("List".to_owned(), agent(json!({"type": "array"}), json!(null))),
        ("Old".to_owned(), AgentShape { archived: true, ..AgentShape::default() }),
    ])
}

fn found(document: Value) -> Vec<(String, ProblemCode, String)> {
    let (_, problems) = validate(&document, &library());
    problems.into_iter().map(|problem| (problem.path, problem.code, problem.message)).collect()
}

fn with_steps(steps: Value) -> Value {
    json!({"name": "Test", "steps": steps})
}

#[track_caller]
fn tells(document: Value, expected: &[(&str, ProblemCode, &str)]) {
    let expected: Vec<(String, ProblemCode, String)> =
        expected.iter().map(|(path, code, message)| ((*path).to_owned(), *code, (*message).to_owned())).collect();
    assert_eq!(found(document), expected);
}

#[test]
fn a_good_workflow_has_no_problems() {
    let document = json!({
        "name": "Triage",
        "inputSchema": {"type": "object", "additionalProperties": false, "required": ["url"],
            "properties": {"url": {"type": "string"}, "owner": {"type": "string"}}},
        "defaults": {"owner": "nobody"},
        "steps": [
            {"key": "fetch", "agent": "Fetch"},
            {"key": "classify", "agent": "Classify", "input": {
                "id": "steps.fetch.id", "title": "/steps/fetch/title", "tags": "steps.fetch.tags.filter(t, has(t.name))"}},
            {"key": "report", "agent": "Report", "when": "steps.classify.score > 0.5 && has(input.owner)", "input": {
                "score": "int(steps.classify.score)", "owner": "/context/owner", "id": 7}},
            {"key": "log", "agent": "Any", "needs": ["fetch"], "when": "input.?other.orValue(1) == 1"},
        ],
    });
    tells(document, &[]);
}

#[test]
fn agents_must_exist() {
    tells(
        with_steps(
            json!([{"key": "a", "agent": "fetsch"}, {"key": "b", "agent": "Nobody"}, {"key": "c", "agent": "Old"}]),
        ),
        &[
            ("/steps/0/agent", ProblemCode::UnknownAgent, "there is no agent `fetsch`: did you mean `Fetch`?"),
            ("/steps/1/agent", ProblemCode::UnknownAgent, "there is no agent `Nobody`"),
            (
                "/steps/2/agent",
                ProblemCode::InvalidValue,
                "the agent `Old` is archived: use another one, or unarchive it",
            ),
        ],
    );
}

#[test]
fn steps_that_never_run_are_told() {
    tells(
        with_steps(json!([
            {"key": "a", "agent": "Any", "needs": ["b"]},
            {"key": "b", "agent": "Any", "needs": ["a"]},
            {"key": "c", "agent": "Any", "needs": ["b"]},
            {"key": "d", "agent": "Any", "needs": [], "when": "1 > 2"},
        ])),
        &[
            ("/steps/0/needs", ProblemCode::Cycle, "these steps wait for each other: a → b → a"),
            ("/steps/2/needs", ProblemCode::Unreachable, "this step never runs: it waits for `a`, which never runs"),
            ("/steps/3/when", ProblemCode::Unreachable, "this step never runs: its condition is always false"),
        ],
    );
    tells(
        with_steps(json!([
            {"key": "a", "agent": "Any", "needs": ["x"]},
            {"key": "b", "agent": "Any", "needs": ["a"]},
        ])),
        &[
            ("/steps/0/needs/0", ProblemCode::UnknownStep, "there is no step with the key `x`"),
            ("/steps/1/needs", ProblemCode::Unreachable, "this step never runs: it waits for `a`, which never runs"),
        ],
    );
}

#[test]
fn expressions_name_only_what_exists() {
    tells(
        with_steps(json!([
            {"key": "a", "agent": "Any", "when": "inptu.x && fetch.id == 1", "input": {
                "x": "1 +", "y": "sice(input)", "z": "steps.a.x", "w": "/foo/bar"}},
            {"key": "b", "agent": "Any", "needs": [], "input": {
                "x": "steps.a.id", "y": "steps.c.id", "z": "/steps/a/id", "v": "a.x", "u": "1 / 0"}},
        ])),
        &[
            ("/steps/0/when", ProblemCode::BadExpression, "there is no variable `inptu`: did you mean `input`?"),
            ("/steps/0/input/x", ProblemCode::BadExpression, "column 4: mismatched input the end"),
            (
                "/steps/0/input/y",
                ProblemCode::BadExpression,
                "column 5: there is no function `sice`: did you mean `size`?",
            ),
            ("/steps/0/input/z", ProblemCode::BadExpression, "a step cannot use its own output"),
            (
                "/steps/0/input/w",
                ProblemCode::BadExpression,
                "there is nothing at `/foo`: there are `input`, `context` and `steps`",
            ),
            (
                "/steps/1/input/x",
                ProblemCode::BadExpression,
                "`a` need not be done when this step runs: add it to `needs` to use its output",
            ),
            ("/steps/1/input/y", ProblemCode::UnknownStep, "there is no step with the key `c`: did you mean `a`?"),
            (
                "/steps/1/input/z",
                ProblemCode::BadExpression,
                "`a` need not be done when this step runs: add it to `needs` to use its output",
            ),
            ("/steps/1/input/v", ProblemCode::BadExpression, "there is no variable `a`: did you mean `steps.a`?"),
            ("/steps/1/input/u", ProblemCode::BadExpression, "1 / 0: a division by zero"),
        ],
    );
}

#[test]
fn sources_must_be_able_to_exist() {
    let document = json!({
        "name": "Test",
        "inputSchema": {"additionalProperties": false, "properties": {"url": {"type": "string"}}},
        "steps": [
            {"key": "fetch", "agent": "Fetch", "input": {"url": "input.ulr"}},
            {"key": "next", "agent": "Any", "when": "steps.fetch.titel != ''", "input": {
                "a": "/steps/fetch/id/x", "b": "steps.fetch.tags[0].nam", "c": "context.nothing",
                "d": "has(steps.fetch.other)", "e": "steps.fetch.?other", "f": "/context/tags", "g": "/input/x"}},
        ],
    });
    tells(
        document,
        &[
            (
                "/steps/0/input/url",
                ProblemCode::BadExpression,
                "`input.ulr` cannot exist: the inputSchema has no `ulr` there, did you mean `url`?",
            ),
            (
                "/steps/1/when",
                ProblemCode::BadExpression,
                "`steps.fetch.titel` cannot exist: the output schema of `fetch` has no `titel` there, did you mean `title`?",
            ),
            (
                "/steps/1/input/a",
                ProblemCode::BadExpression,
                "`/steps/fetch/id/x` cannot exist: the output schema of `fetch` has no `x` there",
            ),
            (
                "/steps/1/input/b",
                ProblemCode::BadExpression,
                "`steps.fetch.tags.0.nam` cannot exist: the output schema of `fetch` has no `nam` there, did you mean `name`?",
            ),
            (
                "/steps/1/input/c",
                ProblemCode::BadExpression,
                "`context.nothing` cannot exist: neither the input nor a step before this one has a field `nothing`",
            ),
            (
                "/steps/1/input/g",
                ProblemCode::BadExpression,
                "`/input/x` cannot exist: the inputSchema has no `x` there",
            ),
        ],
    );
}

#[test]
fn mapped_fields_must_fit() {
    let document = with_steps(json!([
        {"key": "fetch", "agent": "Fetch", "input": {"url": 7}},
        {"key": "classify", "agent": "Classify", "input": {
            "id": "steps.fetch.tags", "extra": 1, "tags": "[1, 2]"}},
        {"key": "list", "agent": "List"},
    ]));
    let (_, problems) = validate(&document, &library());
    let shown: Vec<(&str, &str, Vec<&str>)> = problems
        .iter()
        .map(|p| (p.path.as_str(), p.message.as_str(), p.fields.iter().map(String::as_str).collect()))
        .collect();
    assert_eq!(
        shown,
        [
            ("/steps/0/input/url", r#"the value is not of type "string": 7"#, vec!["url"]),
            ("/steps/1/input", "`Classify` needs `title`: add to the mapping", vec!["title"]),
            ("/steps/1/input/id", "`steps.fetch.tags` is array, but must be string", vec!["id"]),
            ("/steps/1/input/extra", "`Classify` takes no field `extra`", vec!["extra"]),
            ("/steps/1/input/tags", r#"the value is not of type "object": 1"#, vec!["tags"]),
            ("/steps/2/agent", "this agent takes array, but the input of a step is always an object", vec![]),
        ]
    );
    assert!(problems.iter().all(|problem| problem.code == ProblemCode::SchemaMismatch));
}

#[test]
fn the_merged_context_must_fit() {
    let document = |input_schema: Value| {
        json!({"name": "Test", "inputSchema": input_schema, "steps": [
            {"key": "fetch", "agent": "Fetch", "input": {"url": "input.url"}},
            {"key": "classify", "agent": "Classify"},
            {"key": "report", "agent": "Report"},
        ]})
    };
    let closed = json!({"type": "object", "additionalProperties": false, "properties": {"url": {"type": "string"}}});
    let (_, problems) = validate(&document(closed), &library());
    let [problem] = problems.as_slice() else { panic!("one problem, not {problems:?}") };
    assert_eq!((problem.path.as_str(), problem.code), ("/steps/2/input", ProblemCode::SchemaMismatch));
    assert_eq!(problem.fields, ["owner", "id"]);
    assert_eq!(
        problem.message,
        "what comes before does not fit `Report`: `owner` is required, but is not promised; `id` is string, but must be integer; map by hand"
    );
    // Nothing is known about the input, so nobody can say that `owner` is not in it.
    let (_, problems) = validate(&document(Value::Null), &library());
    assert_eq!(problems.iter().flat_map(|problem| problem.fields.clone()).collect::<Vec<_>>(), ["id"]);
}

#[test]
fn schemas_and_defaults_are_checked() {
    tells(
        json!({
            "name": "Test",
            "inputSchema": {"properties": {"n": {"type": "integer"}}, "additionalProperties": false},
            "defaults": {"n": "one", "m": 1},
            "steps": [{"key": "a", "agent": "Any", "outputSchema": {"type": "nothing"}}],
        }),
        &[
            (
                "/defaults/n",
                ProblemCode::SchemaMismatch,
                r#"breaks the inputSchema: the value is not of type "integer": "one""#,
            ),
            ("/defaults/m", ProblemCode::SchemaMismatch, "breaks the inputSchema: there is no field `m`"),
            (
                "/steps/0/outputSchema",
                ProblemCode::BadSchema,
                "at `/type`: the value is not valid under any of the schemas listed in the 'anyOf' keyword",
            ),
        ],
    );
    let codes: Vec<ProblemCode> =
        found(json!({"name": "T", "inputSchema": {"$ref": "http://x/y"}, "steps": [{"key": "a", "agent": "Any"}]}))
            .into_iter()
            .map(|(_, code, _)| code)
            .collect();
    assert_eq!(codes, [ProblemCode::BadSchema]);
}

#[test]
fn a_step_that_cannot_be_read_causes_no_noise() {
    let found = found(json!({"steps": [
        {"key": "broken"},
        {"key": "next", "agent": "Nobody", "input": {"x": "steps.broken.id"}, "needs": ["broken"]},
        {"key": "last", "agent": "Any", "needs": ["next"], "when": "x"},
    ]}));
    let places: Vec<(&str, ProblemCode)> = found.iter().map(|(path, code, _)| (path.as_str(), *code)).collect();
    assert_eq!(
        places,
        [
            ("/steps/0/agent", ProblemCode::Missing),
            ("/steps/1/agent", ProblemCode::UnknownAgent),
            ("/steps/2/when", ProblemCode::BadExpression),
            ("/name", ProblemCode::Missing),
        ]
    );
}
