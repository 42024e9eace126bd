//! Everything that can be wrong with a workflow before it runs, found at once.
//!
//! Each cause is told once: what follows from a step that could not be read, or from an agent that does not exist, is
//! left out.

mod draft;
mod flow;
mod order;
mod sources;
#[cfg(test)]
mod tests;

use std::collections::HashMap;

use serde_json::Value;

use super::{Definition, Graph, read};
use crate::domain::{
    document::{Place, Problem, ProblemCode, Problems},
    schema,
};
use draft::Draft;

/// What a check needs to know of an agent.
#[derive(Debug, Clone, Default)]
pub struct AgentShape {
    pub input_schema: Option<Value>,
    pub output_schema: Option<Value>,
    /// Whether it must not be used any more.
    pub archived: bool,
}

/// The agents of the library by name.
pub type Library = HashMap<String, AgentShape>;

/// Checks a document against the library. There is a definition as far as the document could be read, and the
/// document can be saved if there are no problems.
pub fn validate(document: &Value, library: &Library) -> (Option<Definition>, Vec<Problem>) {
    let mut problems = Problems::default();
    let definition = read(document, &mut problems);
    let mut found = problems.into_vec();
    if let Some(readable) = definition.clone().or_else(|| read_without_name(document)) {
        let draft = Draft::new(document, &readable, library);
        check(&draft, &mut found);
    }
    order::sort(document, &mut found);
    (definition, found)
}

/// The rest of a document is checked even if it has no name yet.
fn read_without_name(document: &Value) -> Option<Definition> {
    let mut fields = document.as_object()?.clone();
    fields.insert("name".to_owned(), Value::from("?"));
    read(&Value::Object(fields), &mut Problems::default())
}

fn check(draft: &Draft<'_>, found: &mut Vec<Problem>) {
    let mut problems = Problems::default();
    Graph::of(&draft.definition.steps, &mut problems);
    found.extend(problems.into_vec().into_iter().filter_map(|problem| draft.moved(problem)));
    check_schemas(draft, found);
    check_defaults(draft, found);
    for position in 0..draft.definition.steps.len() {
        check_agent(draft, position, found);
        check_reach(draft, position, found);
        let origins = sources::check(draft, position, found);
        flow::check(draft, position, &origins, found);
    }
}

fn check_schemas(draft: &Draft<'_>, found: &mut Vec<Problem>) {
    let mut note = |schema: Option<&Value>, place: Place| {
        if let Some(Err(message)) = schema.map(schema::check) {
            found.push(place.problem(ProblemCode::BadSchema, message));
        }
    };
    note(draft.definition.input_schema.as_ref(), Place::default().child("inputSchema"));
    for (position, step) in draft.definition.steps.iter().enumerate() {
        note(step.output_schema.as_ref(), draft.place(position).child("outputSchema"));
    }
}

/// A default must be a value that the input's schema allows.
fn check_defaults(draft: &Draft<'_>, found: &mut Vec<Problem>) {
    let Some(schema) = draft.input_schema().and_then(|schema| schema::Schema::compile(schema).ok()) else { return };
    for (name, value) in &draft.definition.defaults {
        if let Some(message) = flow::broken_by_field(&schema, name, value) {
            let place = Place::default().child("defaults").child(name);
            found.push(place.problem(ProblemCode::SchemaMismatch, format!("breaks the inputSchema: {message}")));
        }
    }
}

fn check_agent(draft: &Draft<'_>, position: usize, found: &mut Vec<Problem>) {
    let name = &draft.definition.steps[position].agent;
    let place = draft.place(position).child("agent");
    match draft.library.get(name) {
        Some(agent) if agent.archived => {
            let message = format!("the agent `{name}` is archived: use another one, or unarchive it");
            found.push(place.problem(ProblemCode::InvalidValue, message));
        }
        Some(_) => {}
        None => {
            let usable = draft.library.iter().filter(|(_, agent)| !agent.archived).map(|(name, _)| name.as_str());
            let hint = nearest(name, usable).map(|near| format!(": did you mean `{near}`?")).unwrap_or_default();
            let message = format!("there is no agent `{name}`{hint}");
            found.push(place.problem(ProblemCode::UnknownAgent, message));
        }
    }
}

/// A step never runs if it waits for one that never runs.
fn check_reach(draft: &Draft<'_>, position: usize, found: &mut Vec<Problem>) {
    if draft.is_stuck(position) {
        return;
    }
    if let Some(stuck) = draft.before(position).iter().find(|other| draft.is_stuck(**other)) {
        let key = &draft.definition.steps[*stuck].key;
        let message = format!("this step never runs: it waits for `{key}`, which never runs");
        found.push(draft.place(position).child("needs").problem(ProblemCode::Unreachable, message));
    }
}

/// The name that was probably meant.
fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let distance = |other: &str| strsim::damerau_levenshtein(&name.to_lowercase(), &other.to_lowercase());
    let near = known.map(|other| (distance(other), other)).min()?;
    let allowed = (name.chars().count() / 3).clamp(1, 3);
    (near.0 <= allowed).then_some(near.1)
}
