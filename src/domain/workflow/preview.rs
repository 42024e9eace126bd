//! What a workflow would do with a sample, without doing it.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use super::{Definition, Plan, Values, with_defaults};
use crate::domain::{json::Json, schema::sample, transform::Transformation};

/// Why a step is passed over, in a preview as in an execution.
pub const WHEN_IS_FALSE: &str = "its `when` is false";
pub const NOTHING_NEEDED: &str = "everything that it needs was skipped";

/// The same for a step that names the output of one that gave none.
pub fn without_output(key: &str, error: &str) -> String {
    format!("the step `{key}` gave no output: {error}")
}

/// What a preview is made from.
#[derive(Debug, Clone)]
pub struct Sample {
    /// The execution's input, without the workflow's defaults. None: one is made up.
    pub input: Option<Json>,
    /// Outputs of steps by their keys, as far as somebody made them up.
    pub outputs: HashMap<String, Json>,
}

/// What is known of a step's agent.
#[derive(Debug, Clone, Default)]
pub struct StepAgent {
    /// What the agent's output looks like; the step's own schema comes first.
    pub output_schema: Option<Value>,
    /// Computed for real, because it touches nothing.
    pub transform: Option<Transformation>,
}

/// What a workflow would do with a sample.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Preview {
    /// The execution's input, the workflow's defaults included.
    pub input: Json,
    /// In the order in which they would run.
    pub steps: Vec<StepPreview>,
}

/// One step of a preview.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StepPreview {
    pub position: usize,
    pub key: String,
    pub outcome: Outcome,
    /// What the step would get, if it runs.
    pub input: Option<Json>,
    /// What the steps after it would see of it, and where that comes from.
    pub output: Option<(Json, OutputSource)>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    Runs,
    /// Why it is passed over.
    Skipped {
        because: String,
    },
    /// The step cannot run with this sample.
    Fails {
        error: String,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OutputSource {
    /// It was given with the sample.
    Given,
    /// It was computed.
    Computed,
    /// It was made up from a schema.
    MadeUp,
}

/// Goes through the steps in the order in which they would run. `agents` are by the position of the step. After a step
/// that fails, the preview goes on with a made-up output, so that all that is wrong can be seen at once.
pub fn preview(plan: &Plan, agents: &[StepAgent], sample: &Sample) -> Preview {
    let input = sample_input(plan.definition(), sample.input.as_ref());
    let mut values = Values::new(input.clone(), plan.steps().len());
    let unknown = StepAgent::default();
    let mut skipped = HashSet::new();
    let mut previews = Vec::with_capacity(plan.steps().len());
    for position in plan.graph().order().iter().copied() {
        let agent = agents.get(position).unwrap_or(&unknown);
        let step = preview_step(plan, position, agent, sample, &values, &skipped);
        if matches!(step.outcome, Outcome::Skipped { .. }) {
            skipped.insert(position);
        }
        if let Some(output) = values.outputs.get_mut(position) {
            *output = step.output.as_ref().map(|(output, _)| output.clone());
        }
        previews.push(step);
    }
    Preview { input, steps: previews }
}

/// What was given, or else what the schema of the input might describe; a default is better than anything made up.
fn sample_input(definition: &Definition, given: Option<&Json>) -> Json {
    let mut made_up = match (given, &definition.input_schema) {
        (None, Some(schema)) => sample(schema),
        _ => Value::Null,
    };
    if let Value::Object(fields) = &mut made_up {
        fields.retain(|name, _| !definition.defaults.contains_key(name));
    }
    let input = given.cloned().or_else(|| Json::from_value(&made_up).ok()).filter(|input| input.text() != "null");
    with_defaults(&definition.defaults, &input.unwrap_or_else(|| Json::object([])))
}

fn preview_step(
    plan: &Plan,
    position: usize,
    agent: &StepAgent,
    sample: &Sample,
    values: &Values,
    skipped: &HashSet<usize>,
) -> StepPreview {
    let step = &plan.steps()[position];
    let preview = |outcome, input, output| StepPreview { position, key: step.key.clone(), outcome, input, output };
    let needs = plan.graph().needs(position);
    if !needs.is_empty() && needs.iter().all(|need| skipped.contains(need)) {
        return preview(Outcome::Skipped { because: NOTHING_NEEDED.to_owned() }, None, None);
    }
    let input = match plan.when(position, values) {
        Ok(true) => plan.compute(position, values).and_then(|computed| plan.input(position, &computed, values)),
        Ok(false) => {
            return preview(Outcome::Skipped { because: WHEN_IS_FALSE.to_owned() }, None, None);
        }
        Err(error) => Err(error),
    };
    let schema = step.output_schema.as_ref().or(agent.output_schema.as_ref());
    let supposed = supposed_output(&step.key, schema, sample);
    let input = match input {
        Ok(input) => input,
        Err(error) => {
            let absent = plan.refers_to(position).into_iter().find(|other| skipped.contains(other));
            return match absent.and_then(|other| plan.steps().get(other)) {
                Some(other) => {
                    preview(Outcome::Skipped { because: without_output(&other.key, &error.to_string()) }, None, None)
                }
                None => preview(Outcome::Fails { error: error.to_string() }, None, supposed),
            };
        }
    };
    match (&supposed, &agent.transform) {
        (Some((_, OutputSource::Given)), _) | (_, None) => preview(Outcome::Runs, Some(input), supposed),
        (_, Some(transform)) => match transform.run(&input) {
            Ok(output) => preview(Outcome::Runs, Some(input), Some((output, OutputSource::Computed))),
            Err(error) => preview(Outcome::Fails { error: error.to_string() }, Some(input), supposed),
        },
    }
}

fn supposed_output(key: &str, schema: Option<&Value>, given: &Sample) -> Option<(Json, OutputSource)> {
    match given.outputs.get(key) {
        Some(output) => Some((output.clone(), OutputSource::Given)),
        None => {
            let made_up = schema.map_or_else(|| Value::Object(serde_json::Map::new()), sample);
            Some((Json::from_value(&made_up).ok()?, OutputSource::MadeUp))
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::domain::{
        agent::Transform,
        document::{Place, Problems},
        workflow::{Source, read},
    };

    fn json(text: &str) -> Json {
        Json::parse(text).expect("valid")
    }

    #[test]
    fn every_step_is_shown_as_it_would_be() {
        let document = json!({"name": "Test", "defaults": {"limit": 5}, "steps": [
            {"key": "fetch", "agent": "A", "outputSchema": {"properties": {"id": {"type": "string"}}}},
            {"key": "double", "agent": "B", "input": {"n": "input.limit * 2", "id": "/steps/fetch/id"}},
            {"key": "rare", "agent": "A", "when": "steps.double > 100"},
            {"key": "after", "agent": "A"},
            {"key": "broken", "agent": "A", "input": {"x": "steps.given.nothing"}, "needs": ["given", "rare"]},
            {"key": "given", "agent": "A", "needs": []},
            {"key": "last", "agent": "A", "needs": ["broken"], "input": {"g": "steps.given.x"}},
        ]});
        let definition = read(&document, &mut Problems::default()).expect("a definition");
        let plan = Plan::compile(definition).expect("a plan");
        let double = Transform::Value(Source::Expression("input.n * 10".to_owned()));
        let mut agents = vec![StepAgent::default(); 7];
        agents[1].transform = Some(Transformation::compile(&double, &Place::default()).expect("a transform"));
        let outputs = HashMap::from([("given".to_owned(), json(r#"{"x":1.50}"#))]);
        let preview = preview(&plan, &agents, &Sample { input: Some(json("{}")), outputs });
        let shown: Vec<String> = preview
            .steps
            .iter()
            .map(|step| {
                let outcome = match &step.outcome {
                    Outcome::Runs => "runs".to_owned(),
                    Outcome::Skipped { because } => format!("skipped: {because}"),
                    Outcome::Fails { error } => format!("fails: {error}"),
                };
                let input = step.input.as_ref().map_or("-", Json::text);
                let output = step.output.as_ref().map_or("-".to_owned(), |(json, from)| format!("{json:?} {from:?}"));
                format!("{} {outcome}; {input}; {output}", step.key)
            })
            .collect();
        assert_eq!(
            shown,
            [
                r#"fetch runs; {"limit":5}; {"id":"text"} MadeUp"#,
                r#"double runs; {"n":10,"id":"text"}; 100 Computed"#,
                "rare skipped: its `when` is false; -; -",
                "after skipped: everything that it needs was skipped; -; -",
                r#"given runs; {"limit":5}; {"x":1.50} Given"#,
                "broken fails: `steps.given.nothing`: no such key `nothing` in `steps.given`; -; {} MadeUp",
                r#"last runs; {"g":1.50}; {} MadeUp"#,
            ]
        );
    }

    #[test]
    fn without_an_input_one_is_made_up() {
        let document = json!({
            "name": "Test",
            "inputSchema": {"properties": {
                "order": {"type": "string", "examples": ["A-1"]},
                "amount": {"type": "number", "exclusiveMinimum": 0},
                "limit": {"type": "integer", "examples": [7]},
            }},
            "defaults": {"limit": 5},
            "steps": [{"key": "pay", "agent": "A", "input": {"order": "/input/order", "limit": "/input/limit"}}],
        });
        let plan = Plan::compile(read(&document, &mut Problems::default()).expect("a definition")).expect("a plan");
        let previewed = |input: Option<Json>| preview(&plan, &[], &Sample { input, outputs: HashMap::new() });
        let made_up = previewed(None);
        assert_eq!(made_up.input.text(), r#"{"order":"A-1","amount":1,"limit":5}"#);
        assert_eq!(made_up.steps[0].input, Some(json(r#"{"order":"A-1","limit":5}"#)));
        let given = previewed(Some(json(r#"{"limit":9}"#)));
        assert_eq!(given.input.text(), r#"{"limit":9}"#);
        assert!(matches!(given.steps[0].outcome, Outcome::Fails { .. }));
    }
}
