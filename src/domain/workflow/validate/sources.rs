//! Conditions and mappings: do they parse, and can what they name exist?

use super::{draft::Draft, nearest};
use crate::domain::{
    document::{Place, Problem, ProblemCode, Problems},
    expression::{Expression, Reference, Scope},
    mapping::Origin,
    schema::{Presence, Shape},
    workflow::{
        Keep,
        plan::{CONTEXT, INPUT, STEPS},
        proposal::ProposalPlan,
    },
};

/// A field of a mapping: where it comes from, unless that has a problem already.
pub struct Field<'a> {
    pub target: &'a str,
    pub origin: Option<Origin>,
}

/// Checks a step's condition and mapping. Without a mapping there are no fields.
pub fn check<'a>(draft: &Draft<'a>, position: usize, found: &mut Vec<Problem>) -> Option<Vec<Field<'a>>> {
    let step = &draft.definition.steps[position];
    let place = draft.place(position);
    if let Some(when) = &step.when {
        check_when(draft, position, when, &place.child("when"), found);
    }
    check_proposal(draft, position, &place, found);
    check_kept(draft, position, &place, found);
    let fields = step.input.as_ref()?;
    let field = |(target, source)| {
        let place = place.child(INPUT).child(target);
        let origin = Origin::read(source)
            .map_err(|message| found.push(place.problem(ProblemCode::BadExpression, message)))
            .ok()
            .filter(|origin| check_origin(draft, position, origin, &place, found));
        Field { target, origin: origin.map(constant) }
    };
    Some(fields.iter().map(|(target, source)| (target.as_str(), source)).map(field).collect())
}

/// What a step says about its proposal. There, `input` is the step's own, of which little is known beforehand.
fn check_proposal(draft: &Draft<'_>, position: usize, place: &Place, found: &mut Vec<Problem>) {
    let mut problems = Problems::default();
    let plan = ProposalPlan::compile(&draft.definition.steps[position].proposal, place, &mut problems);
    found.extend(problems.into_vec());
    for expression in plan.expressions() {
        let outside = |reference: &&Reference| reference.path.first().is_none_or(|root| root != INPUT);
        let references: Vec<Reference> = expression.references().iter().filter(outside).cloned().collect();
        check_references(draft, position, &references, false, &place.child("proposal"), found);
    }
}

/// What a step keeps of its output, of which its schema may say what can be there.
fn check_kept(draft: &Draft<'_>, position: usize, place: &Place, found: &mut Vec<Problem>) {
    let mut problems = Problems::default();
    let kept = Keep::compile(&draft.definition.steps[position].deliverables, place, &mut problems);
    found.extend(problems.into_vec());
    let Some(schema) = draft.output_schema(position) else { return };
    let names = Names { draft, position, pointer: false };
    for keep in &kept {
        let mut references = keep.expression().references().iter();
        let wrong = references.find_map(|named| names.members(named, Shape::of(schema), 1, "the output schema").err());
        if let Some(message) = wrong {
            let place = keep.template.place(place).child("from");
            found.push(place.problem(ProblemCode::BadExpression, message));
        }
    }
}

fn check_when(draft: &Draft<'_>, position: usize, when: &str, place: &Place, found: &mut Vec<Problem>) {
    let expression = match Expression::parse(when) {
        Ok(expression) => expression,
        Err(message) => return found.push(place.problem(ProblemCode::BadExpression, message)),
    };
    if !check_references(draft, position, expression.references(), false, place, found) {
        return;
    }
    if expression.references().is_empty() {
        match expression.holds(&Scope::default()) {
            Ok(true) => {}
            Ok(false) => {
                let message = "this step never runs: its condition is always false";
                found.push(place.problem(ProblemCode::Unreachable, message));
            }
            Err(error) => found.push(place.problem(ProblemCode::BadExpression, error.message)),
        }
    }
}

fn check_origin(draft: &Draft<'_>, position: usize, origin: &Origin, place: &Place, found: &mut Vec<Problem>) -> bool {
    match origin {
        Origin::Constant(_) => true,
        Origin::Pointer { segments, .. } => {
            let reference = Reference { path: segments.clone(), optional: false };
            check_references(draft, position, &[reference], true, place, found)
        }
        Origin::Expression(expression) => {
            if !check_references(draft, position, expression.references(), false, place, found) {
                return false;
            }
            match expression.references().is_empty().then(|| expression.evaluate(&Scope::default())) {
                Some(Err(error)) => {
                    found.push(place.problem(ProblemCode::BadExpression, error.message));
                    false
                }
                _ => true,
            }
        }
    }
}

/// An expression that names nothing is always the same.
fn constant(origin: Origin) -> Origin {
    let value = match &origin {
        Origin::Expression(expression) if expression.references().is_empty() => {
            expression.evaluate(&Scope::default()).ok()
        }
        _ => None,
    };
    value.map_or(origin, Origin::Constant)
}

/// Notes the first reference to something that cannot exist.
fn check_references(
    draft: &Draft<'_>,
    position: usize,
    references: &[Reference],
    pointer: bool,
    place: &Place,
    found: &mut Vec<Problem>,
) -> bool {
    let wrong = references.iter().find_map(|reference| {
        let names = Names { draft, position, pointer };
        names.check(reference).err()
    });
    match wrong {
        Some((code, message)) => {
            found.push(place.problem(code, message));
            false
        }
        None => true,
    }
}

/// Looks up what a source names.
struct Names<'a, 'b> {
    draft: &'b Draft<'a>,
    position: usize,
    /// Whether it is written as a pointer, so that it is shown like one.
    pointer: bool,
}

impl Names<'_, '_> {
    fn check(&self, reference: &Reference) -> Result<(), (ProblemCode, String)> {
        let [root, rest @ ..] = reference.path.as_slice() else { return Ok(()) };
        let missing = |message: String| (ProblemCode::BadExpression, message);
        match root.as_str() {
            INPUT => match (self.draft.input_schema(), rest) {
                (Some(schema), [first, ..]) if !self.draft.definition.defaults.contains_key(first) => {
                    self.members(reference, Shape::of(schema), 1, "the inputSchema").map_err(missing)
                }
                _ => Ok(()),
            },
            CONTEXT => self.context(reference).map_err(missing),
            STEPS => self.step(reference),
            unknown => Err(missing(self.unknown(unknown))),
        }
    }

    fn unknown(&self, name: &str) -> String {
        let hint = match self.draft.position(name) {
            Some(_) => format!("did you mean `{}`?", self.shown(&[STEPS.to_owned(), name.to_owned()])),
            None => match nearest(name, [INPUT, CONTEXT, STEPS].into_iter()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => "there are `input`, `context` and `steps`".to_owned(),
            },
        };
        let kind = if self.pointer { "nothing at" } else { "no variable" };
        format!("there is {kind} `{}`: {hint}", self.shown(&[name.to_owned()]))
    }

    fn step(&self, reference: &Reference) -> Result<(), (ProblemCode, String)> {
        let Some(key) = reference.path.get(1) else { return Ok(()) };
        if self.draft.is_unread(key) {
            return Ok(());
        }
        let Some(other) = self.draft.position(key) else {
            let keys = self.draft.definition.steps.iter().map(|step| step.key.as_str());
            let hint = nearest(key, keys).map(|near| format!(": did you mean `{near}`?")).unwrap_or_default();
            return Err((ProblemCode::UnknownStep, format!("there is no step with the key `{key}`{hint}")));
        };
        if other == self.position {
            return Err((ProblemCode::BadExpression, "a step cannot use its own output".to_owned()));
        }
        if !self.draft.before(self.position).contains(&other) {
            let message = format!("`{key}` need not be done when this step runs: add it to `needs` to use its output");
            return Err((ProblemCode::BadExpression, message));
        }
        match self.draft.output_schema(other) {
            Some(schema) => {
                let of = format!("the output schema of `{key}`");
                self.members(reference, Shape::of(schema), 2, &of)
                    .map_err(|message| (ProblemCode::BadExpression, message))
            }
            None => Ok(()),
        }
    }

    /// A field of the context cannot exist only if nobody who adds to it can have it.
    fn context(&self, reference: &Reference) -> Result<(), String> {
        let Some(field) = reference.path.get(1).filter(|_| !reference.optional) else { return Ok(()) };
        if self.draft.definition.defaults.contains_key(field) {
            return Ok(());
        }
        let outputs = self.draft.before(self.position).iter().map(|other| self.draft.output_schema(*other));
        let all_exclude = std::iter::once(self.draft.input_schema())
            .chain(outputs)
            .all(|schema| schema.is_some_and(|schema| matches!(Shape::of(schema).member(field), Presence::Impossible)));
        if all_exclude {
            return Err(format!(
                "`{}` cannot exist: neither the input nor a step before this one has a field `{field}`",
                self.shown(&reference.path)
            ));
        }
        Ok(())
    }

    /// Follows a path through a schema, as far as that says something.
    fn members(&self, reference: &Reference, shape: Shape<'_>, from: usize, of: &str) -> Result<(), String> {
        if reference.optional {
            return Ok(());
        }
        let mut shape = shape;
        for (number, name) in reference.path.iter().enumerate().skip(from) {
            match shape.member(name) {
                Presence::Promised(member) | Presence::Declared(member) => shape = member,
                Presence::Unmentioned { .. } => return Ok(()),
                Presence::Impossible => {
                    let hint = nearest(name, shape.properties().into_iter())
                        .map(|near| format!(", did you mean `{near}`?"))
                        .unwrap_or_default();
                    let path = self.shown(&reference.path[..=number]);
                    return Err(format!("`{path}` cannot exist: {of} has no `{name}` there{hint}"));
                }
            }
        }
        Ok(())
    }

    fn shown(&self, path: &[String]) -> String {
        if self.pointer { format!("/{}", path.join("/")) } else { path.join(".") }
    }
}
