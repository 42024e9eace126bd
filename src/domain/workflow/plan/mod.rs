//! A workflow that is ready to run: every expression read, every step in order.

#[cfg(test)]
mod tests;

use super::{
    Graph,
    computed::Computed,
    definition::{DEFAULT_EXECUTION_TIMEOUT, Definition, Limits, OnError, Step},
    keep::Keep,
    proposal::{Described, ProposalPlan},
    values::Values,
};
use crate::domain::{
    document::{Place, Problem, ProblemCode, Problems},
    expression::{Error, Expression, Scope},
    json::Json,
    mapping::{Origin, Variables},
};

/// A definition with its graph and its expressions. Values go in, conditions and inputs come out; nothing is kept.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    definition: Definition,
    graph: Graph,
    steps: Vec<Sources>,
}

/// What a step's condition and input are made from.
#[derive(Debug, Clone, PartialEq)]
struct Sources {
    when: Option<Expression>,
    input: Option<Vec<(String, Origin)>>,
    proposal: ProposalPlan,
    kept: Vec<Keep>,
    /// The steps before it, directly or not, in the order of the graph. Their outputs are all that it sees, so it
    /// sees the same whatever else happens to be done already.
    before: Vec<usize>,
}

impl Plan {
    /// Reads everything that is written in a definition, or tells all that cannot be read.
    pub fn compile(definition: Definition) -> Result<Self, Vec<Problem>> {
        let mut problems = Problems::default();
        let graph = Graph::of(&definition.steps, &mut problems);
        let mut steps: Vec<Sources> = definition
            .steps
            .iter()
            .enumerate()
            .map(|(position, step)| read_sources(step, &place_of(position), &mut problems))
            .collect();
        let Some(graph) = graph.filter(|_| problems.is_empty()) else { return Err(problems.into_vec()) };
        for (position, sources) in steps.iter_mut().enumerate() {
            let ancestors = graph.ancestors(position);
            sources.before = graph.order().iter().copied().filter(|other| ancestors.contains(other)).collect();
        }
        Ok(Self { definition, graph, steps })
    }

    /// The plan of a request that stands alone: it has no steps.
    pub fn empty() -> Self {
        let definition = Definition {
            name: String::new(),
            description: String::new(),
            input_schema: None,
            defaults: serde_json::Map::new(),
            limits: Limits { timeout: DEFAULT_EXECUTION_TIMEOUT },
            on_error: OnError::Stop,
            steps: Vec::new(),
        };
        Self { definition, graph: Graph::empty(), steps: Vec::new() }
    }

    pub fn definition(&self) -> &Definition {
        &self.definition
    }

    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    pub fn steps(&self) -> &[Step] {
        &self.definition.steps
    }

    /// The position of the step with a key.
    pub fn position(&self, key: &str) -> Option<usize> {
        self.definition.steps.iter().position(|step| step.key == key)
    }

    /// The input's fields with those of all outputs merged in, in the order of the graph; the later ones win.
    pub fn context(&self, values: &Values) -> Json {
        let outputs = self.graph.order().iter().filter_map(|position| values.output(*position));
        Json::merged(std::iter::once(&values.input).chain(outputs))
    }

    /// The same as a step sees it: with the outputs of the steps before it.
    pub fn context_of(&self, step: usize, values: &Values) -> Json {
        let outputs = self.steps[step].before.iter().filter_map(|position| values.output(*position));
        Json::merged(std::iter::once(&values.input).chain(outputs))
    }

    /// Whether a step runs, once all that it needs is done.
    pub fn when(&self, step: usize, values: &Values) -> Result<bool, Error> {
        match &self.steps[step].when {
            Some(when) => {
                let sight = self.sight(step, values, when.names(CONTEXT));
                when.holds(&sight.scope).map_err(|error| self.explain(error, values))
            }
            None => Ok(true),
        }
    }

    /// Evaluates the fields of a step's input that are computed, not copied. Only these need to be kept: the rest of
    /// the input is the same whenever it is put together from the same values.
    pub fn compute(&self, step: usize, values: &Values) -> Result<Computed, Error> {
        let fields: Vec<&(String, Origin)> =
            self.steps[step].input.iter().flatten().filter(|(_, origin)| origin.is_computed()).collect();
        if fields.is_empty() {
            return Ok(Computed::default());
        }
        let sight = self.sight(step, values, fields.iter().any(|(_, origin)| names_context(origin)));
        let mut computed = Computed::default();
        for (target, origin) in fields {
            let value = origin.value(&sight).map_err(|error| self.explain(error, values))?;
            computed.push(target, value);
        }
        Ok(computed)
    }

    /// A step's whole input: the fields of its mapping in the order in which they are written, or else the context.
    pub fn input(&self, step: usize, computed: &Computed, values: &Values) -> Result<Json, Error> {
        let Some(fields) = &self.steps[step].input else { return Ok(self.context_of(step, values)) };
        let copied = || fields.iter().filter(|(_, origin)| !origin.is_computed());
        let sight = self.sight(step, values, copied().any(|(_, origin)| names_context(origin)));
        let mut made: Vec<(&str, Json)> = Vec::with_capacity(fields.len());
        for (target, origin) in fields {
            let value = if origin.is_computed() {
                computed.get(target).cloned().ok_or_else(|| Error::new(target, "has not been computed"))?
            } else {
                origin.value(&sight).map_err(|error| self.explain(error, values))?
            };
            made.push((target, value));
        }
        Ok(Json::object(made.iter().map(|(target, value)| (*target, value.raw()))))
    }

    /// What a step says about what it is about to do with its input.
    pub fn describe(&self, step: usize, input: &Json, values: &Values) -> Result<Described, Error> {
        let proposal = &self.steps[step].proposal;
        let sight = self.sight(step, values, proposal.expressions().any(|expression| expression.names(CONTEXT)));
        proposal.describe(&sight.scope.with(INPUT, input.clone()))
    }

    /// What is kept of a step's output.
    pub fn kept(&self, step: usize) -> &[Keep] {
        self.steps.get(step).map_or(&[], |sources| sources.kept.as_slice())
    }

    /// The steps whose output a step's condition or mapping names.
    pub fn refers_to(&self, step: usize) -> Vec<usize> {
        let sources = &self.steps[step];
        let when = sources.when.iter().flat_map(Expression::references).map(|reference| reference.path.as_slice());
        let input = sources.input.iter().flatten().flat_map(|(_, origin)| origin.paths());
        let mut named: Vec<usize> = Vec::new();
        for path in when.chain(input) {
            if let [root, key, ..] = path
                && root == STEPS
                && let Some(position) = self.position(key)
                && !named.contains(&position)
            {
                named.push(position);
            }
        }
        named
    }

    fn sight<'a>(&'a self, step: usize, values: &'a Values, with_context: bool) -> Sight<'a> {
        let before = self.steps[step].before.iter();
        let outputs: Vec<(&str, &Json)> = before
            .filter_map(|position| Some((self.steps()[*position].key.as_str(), values.output(*position)?)))
            .collect();
        let fields = outputs.iter().map(|(key, output)| (*key, (*output).clone()));
        let mut scope = Scope::default().with(INPUT, values.input.clone()).with_object(STEPS, fields);
        let context = with_context.then(|| self.context_of(step, values));
        if let Some(context) = &context {
            scope = scope.with(CONTEXT, context.clone());
        }
        Sight { input: &values.input, outputs, scope, context }
    }

    /// Says that a step has no output where that is why an expression found nothing.
    fn explain(&self, mut error: Error, values: &Values) -> Error {
        let silent = self.steps().iter().enumerate().find(|(position, step)| {
            values.output(*position).is_none()
                && (error.message == format!("no such key `{}` in `{STEPS}`", step.key)
                    || error.message == format!("no such field `{}` in `/{STEPS}`", step.key))
        });
        if let Some((_, step)) = silent {
            error.message = format!("the step `{}` has no output: it has not run, was skipped or has failed", step.key);
        }
        error
    }
}

pub const INPUT: &str = "input";
pub const CONTEXT: &str = "context";
pub const STEPS: &str = "steps";

/// What a step's sources can reach.
struct Sight<'a> {
    input: &'a Json,
    outputs: Vec<(&'a str, &'a Json)>,
    scope: Scope,
    context: Option<Json>,
}

impl Variables for Sight<'_> {
    fn scope(&self) -> &Scope {
        &self.scope
    }

    fn start(&self, segments: &[String]) -> Option<(Json, usize)> {
        match segments {
            [root, ..] if root == INPUT => Some((self.input.clone(), 1)),
            [root, ..] if root == CONTEXT => Some((self.context.clone()?, 1)),
            [root, key, ..] if root == STEPS => {
                self.outputs.iter().find(|(other, _)| other == key).map(|(_, output)| ((*output).clone(), 2))
            }
            [root] if root == STEPS => {
                Some((Json::object(self.outputs.iter().map(|(key, output)| (*key, output.raw()))), 1))
            }
            _ => None,
        }
    }
}

fn names_context(origin: &Origin) -> bool {
    origin.paths().iter().any(|path| path.first().is_some_and(|root| root == CONTEXT))
}

fn place_of(position: usize) -> Place {
    Place::default().child("steps").child(position)
}

fn read_sources(step: &Step, place: &Place, problems: &mut Problems) -> Sources {
    let mut note = |place: Place, message: String| problems.add(place.problem(ProblemCode::BadExpression, message));
    let when = step
        .when
        .as_ref()
        .and_then(|text| Expression::parse(text).map_err(|message| note(place.child("when"), message)).ok());
    let input = step.input.as_ref().map(|fields| {
        fields
            .iter()
            .filter_map(|(target, source)| {
                let origin = Origin::read(source).map_err(|message| note(place.child("input").child(target), message));
                Some((target.clone(), origin.ok()?))
            })
            .collect()
    });
    let proposal = ProposalPlan::compile(&step.proposal, place, problems);
    let kept = Keep::compile(&step.deliverables, place, problems);
    Sources { when, input, proposal, kept, before: Vec::new() }
}
