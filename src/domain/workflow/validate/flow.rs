//! Does what a step is given fit what its agent takes?

use serde_json::{Value, json};

use super::{draft::Draft, sources::Field};
use crate::domain::{
    document::{Problem, ProblemCode},
    json::pointer_segments,
    mapping::Origin,
    schema::{self, MisfitKind, Presence, Schema, Shape, Types},
    workflow::plan::{CONTEXT, INPUT, STEPS},
};

pub fn check(draft: &Draft<'_>, position: usize, fields: &Option<Vec<Field<'_>>>, found: &mut Vec<Problem>) {
    let Some(wanted) = draft.agent(position).and_then(|agent| agent.input_schema.as_ref()) else { return };
    let Ok(schema) = Schema::compile(wanted) else { return };
    let wanted = Shape::of(wanted);
    if !wanted.types().overlaps(Types::OBJECT) {
        let message = format!("this agent takes {}, but the input of a step is always an object", wanted.types());
        found.push(draft.place(position).child("agent").problem(ProblemCode::SchemaMismatch, message));
        return;
    }
    match fields {
        Some(fields) => check_mapping(draft, position, fields, wanted, &schema, found),
        None if draft.is_stuck(position) => {}
        None => check_context(draft, position, wanted, found),
    }
}

fn check_mapping(
    draft: &Draft<'_>,
    position: usize,
    fields: &[Field<'_>],
    wanted: Shape<'_>,
    schema: &Schema,
    found: &mut Vec<Problem>,
) {
    let place = draft.place(position).child(INPUT);
    let agent = &draft.definition.steps[position].agent;
    for field in fields {
        let Some(origin) = &field.origin else { continue };
        let message = match (wanted.member(field.target), origin) {
            (Presence::Impossible, _) => Some(format!("`{agent}` takes no field `{}`", field.target)),
            (_, Origin::Constant(value)) => broken_by_field(schema, field.target, &value.to_value()),
            (Presence::Promised(wanted) | Presence::Declared(wanted), origin) => {
                source_shape(draft, position, origin).and_then(|(shown, given)| misfits(&shown, given, wanted))
            }
            (Presence::Unmentioned { .. }, _) => None,
        };
        if let Some(message) = message {
            let mut problem = place.child(field.target).problem(ProblemCode::SchemaMismatch, message);
            problem.fields = vec![field.target.to_owned()];
            found.push(problem);
        }
    }
    let missing: Vec<String> = wanted
        .required()
        .into_iter()
        .filter(|name| !fields.iter().any(|field| field.target == *name))
        .map(str::to_owned)
        .collect();
    if !missing.is_empty() {
        let message = format!("`{agent}` needs {}: add to the mapping", quoted(&missing));
        let mut problem = place.problem(ProblemCode::SchemaMismatch, message);
        problem.fields = missing;
        found.push(problem);
    }
}

/// The shape of what a pointer or a plain path leads to, as far as it is known.
fn source_shape<'a>(draft: &Draft<'a>, position: usize, origin: &Origin) -> Option<(String, Shape<'a>)> {
    let (shown, path) = match origin {
        Origin::Pointer { text, segments } => (text.clone(), segments.as_slice()),
        Origin::Expression(expression) => (expression.text().to_owned(), expression.path()?),
        Origin::Constant(_) => return None,
    };
    let (start, rest) = match path {
        [root, rest @ ..] if root == INPUT => (Shape::of(draft.input_schema()?), rest),
        [root, key, rest @ ..] if root == STEPS => (Shape::of(draft.output_schema(draft.position(key)?)?), rest),
        [root, field, rest @ ..] if root == CONTEXT => (context_member(draft, position, field)?, rest),
        _ => return None,
    };
    let shape = rest.iter().try_fold(start, |shape, name| shape.member(name).shape())?;
    Some((shown, shape))
}

/// Without a mapping, a step gets the input and everything before it, merged.
fn check_context(draft: &Draft<'_>, position: usize, wanted: Shape<'_>, found: &mut Vec<Problem>) {
    let mut fields: Vec<String> = Vec::new();
    let mut reasons: Vec<String> = Vec::new();
    let mut note = |name: &str, reason: String| {
        if !fields.iter().any(|field| field == name) {
            fields.push(name.to_owned());
            reasons.push(reason);
        }
    };
    for name in wanted.required() {
        if let Some(reason) = missing_from_context(draft, position, name) {
            note(name, format!("`{name}` {reason}"));
        }
    }
    for name in wanted.properties() {
        let given = context_member(draft, position, name);
        let wanted = wanted.member(name).shape();
        if let Some(reason) = given.zip(wanted).and_then(|(given, wanted)| misfits(name, given, wanted)) {
            note(name, reason);
        }
    }
    if !fields.is_empty() {
        let agent = &draft.definition.steps[position].agent;
        let message = format!("what comes before does not fit `{agent}`: {}; map by hand", reasons.join("; "));
        let mut problem = draft.place(position).child(INPUT).problem(ProblemCode::SchemaMismatch, message);
        problem.fields = fields;
        found.push(problem);
    }
}

/// The schemas of what is merged, in order; unknown ones too.
fn contributions<'a>(draft: &Draft<'a>, position: usize) -> Vec<Option<&'a Value>> {
    let outputs = draft.before(position).iter().map(|other| draft.output_schema(*other));
    std::iter::once(draft.input_schema()).chain(outputs).collect()
}

fn missing_from_context(draft: &Draft<'_>, position: usize, name: &str) -> Option<String> {
    if draft.definition.defaults.contains_key(name) {
        return None;
    }
    let mut reason = None;
    for schema in contributions(draft, position) {
        let (kind, message) = schema::absence(Shape::of(schema?), name)?;
        if reason.is_none() || kind == MisfitKind::NotPromised {
            reason = Some(message);
        }
    }
    reason
}

/// The shape of a field of the context: that of the last one who has it, if everybody after it surely has not.
fn context_member<'a>(draft: &Draft<'a>, position: usize, name: &str) -> Option<Shape<'a>> {
    for schema in contributions(draft, position).into_iter().rev() {
        match Shape::of(schema?).member(name) {
            Presence::Promised(shape) | Presence::Declared(shape) => return Some(shape),
            Presence::Unmentioned { open: true } => return None,
            Presence::Unmentioned { open: false } | Presence::Impossible => {}
        }
    }
    None
}

fn misfits(shown: &str, given: Shape<'_>, wanted: Shape<'_>) -> Option<String> {
    let reasons: Vec<String> = schema::shapes_fit(given, wanted)
        .into_iter()
        .map(|misfit| format!("`{shown}{}` {}", misfit.path, misfit.message))
        .collect();
    (!reasons.is_empty()).then(|| reasons.join("; "))
}

/// What is wrong with an object's field of a certain value, whatever the other fields are.
pub fn broken_by_field(schema: &Schema, name: &str, value: &Value) -> Option<String> {
    let violations = schema.validate(&json!({name: value})).err()?;
    let excluded = matches!(Shape::of(schema.source()).member(name), Presence::Impossible);
    if excluded {
        return Some(format!("there is no field `{name}`"));
    }
    let about = violations.into_iter().find(|violation| {
        violation.untold
            || pointer_segments(&violation.instance)
                .is_some_and(|segments| segments.first().is_some_and(|first| first == name))
    })?;
    Some(format!("{}: {}", about.message, about.found))
}

fn quoted(names: &[String]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}
