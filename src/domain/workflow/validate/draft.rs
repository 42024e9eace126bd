//! A definition that may still have problems, seen from its document.

use std::collections::{BTreeSet, HashSet};

use serde_json::Value;

use super::{AgentShape, Library};
use crate::domain::{
    document::{Place, Problem, ProblemCode},
    schema::Schema,
    workflow::{Definition, Graph},
};

pub struct Draft<'a> {
    pub definition: &'a Definition,
    pub library: &'a Library,
    /// For each step that could be read, its number in the document.
    numbers: Vec<usize>,
    /// The keys of the steps that could not be read.
    unread: HashSet<&'a str>,
    /// For each step, the ones before it, directly or not; in the order in which their outputs are merged.
    before: Vec<Vec<usize>>,
    /// The steps that wait for themselves, or for a step that does not exist.
    stuck: HashSet<usize>,
    input_schema: Option<&'a Value>,
    output_schemas: Vec<Option<&'a Value>>,
}

impl<'a> Draft<'a> {
    pub fn new(document: &'a Value, definition: &'a Definition, library: &'a Library) -> Self {
        let (numbers, unread) = match_steps(document, definition);
        let before = all_before(definition);
        let keys: HashSet<&str> = definition.steps.iter().map(|step| step.key.as_str()).collect();
        let stuck = definition.steps.iter().enumerate().filter(|(position, step)| {
            before[*position].contains(position)
                || step.needs.iter().any(|key| !keys.contains(key.as_str()) && !unread.contains(key.as_str()))
        });
        let stuck = stuck.map(|(position, _)| position).collect();
        let valid = |schema: &&'a Value| Schema::compile(schema).is_ok();
        let output_schemas = definition.steps.iter().map(|step| match &step.output_schema {
            Some(own) => Some(own).filter(valid),
            None => library.get(&step.agent).and_then(|agent| agent.output_schema.as_ref()).filter(valid),
        });
        Self {
            definition,
            library,
            numbers,
            unread,
            before,
            stuck,
            input_schema: definition.input_schema.as_ref().filter(valid),
            output_schemas: output_schemas.collect(),
        }
    }

    pub fn place(&self, position: usize) -> Place {
        Place::default().child("steps").child(self.numbers[position])
    }

    /// A problem that names a step by its position, at its place in the document. None if it only follows from a step
    /// that could not be read.
    pub fn moved(&self, mut problem: Problem) -> Option<Problem> {
        let mut segments = problem.path.split('/').skip(2);
        let position: usize = segments.next()?.parse().ok()?;
        let rest: Vec<&str> = segments.collect();
        if let (ProblemCode::UnknownStep, ["needs", number]) = (problem.code, rest.as_slice()) {
            let key = self.definition.steps.get(position)?.needs.get(number.parse::<usize>().ok()?)?;
            if self.unread.contains(key.as_str()) {
                return None;
            }
        }
        problem.path = format!("/steps/{}/{}", self.numbers.get(position)?, rest.join("/"));
        Some(problem)
    }

    pub fn agent(&self, position: usize) -> Option<&'a AgentShape> {
        self.library.get(&self.definition.steps[position].agent)
    }

    pub fn input_schema(&self) -> Option<&'a Value> {
        self.input_schema
    }

    /// What a step's output looks like, if that is known.
    pub fn output_schema(&self, position: usize) -> Option<&'a Value> {
        self.output_schemas[position]
    }

    pub fn before(&self, position: usize) -> &[usize] {
        &self.before[position]
    }

    pub fn is_stuck(&self, position: usize) -> bool {
        self.stuck.contains(&position)
    }

    pub fn position(&self, key: &str) -> Option<usize> {
        self.definition.steps.iter().position(|step| step.key == key)
    }

    /// Whether the document has a step with this key that could not be read.
    pub fn is_unread(&self, key: &str) -> bool {
        self.unread.contains(key)
    }
}

/// Finds the steps of the definition in the document. Those that could not be read are not in the definition.
fn match_steps<'a>(document: &'a Value, definition: &Definition) -> (Vec<usize>, HashSet<&'a str>) {
    let written = document.get("steps").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let mut numbers = Vec::with_capacity(definition.steps.len());
    let mut unread = HashSet::new();
    for (number, step) in written.iter().enumerate() {
        let key = step.get("key").and_then(Value::as_str);
        let next = definition.steps.get(numbers.len());
        let agent = step.get("agent").and_then(Value::as_str);
        if next.is_some_and(|next| key == Some(&next.key) && agent == Some(&next.agent)) {
            numbers.push(number);
        } else {
            unread.extend(key);
        }
    }
    // Every step of the definition was written somewhere; this only keeps a mistake above from hurting.
    numbers.resize(definition.steps.len(), written.len());
    (numbers, unread)
}

fn all_before(definition: &Definition) -> Vec<Vec<usize>> {
    let steps = &definition.steps;
    let graph = Graph::of(steps, &mut crate::domain::document::Problems::default());
    let order: Vec<usize> = graph.map_or_else(|| (0..steps.len()).collect(), |graph| graph.order().to_vec());
    let needs = |position: usize| {
        let keys = steps[position].needs.iter();
        keys.filter_map(|key| steps.iter().position(|step| step.key == *key))
    };
    (0..steps.len())
        .map(|start| {
            let mut found = BTreeSet::new();
            let mut open: Vec<usize> = needs(start).collect();
            while let Some(next) = open.pop() {
                if found.insert(next) {
                    open.extend(needs(next));
                }
            }
            order.iter().copied().filter(|position| found.contains(position)).collect()
        })
        .collect()
}
