//! How a step describes what it is about to do, for those who decide about it.

use serde_json::Value;

use super::definition::Source;
use crate::domain::{
    agent::{
        RiskLevel,
        template::{Part, Template},
    },
    document::{Object, Place, Problem, ProblemCode, Problems, wrong_type},
    expression::{Error, Expression, Scope},
    json::{Json, pointer_segments},
    operation_type,
    refusal::Refusal,
};

/// The longest list of alternatives.
const MOST_ALTERNATIVES: usize = 20;
/// What expressions can name here: the step's own input, the context and the outputs of the steps before it.
pub const VARIABLES: [&str; 3] = ["input", "context", "steps"];

/// What a step's document says about its proposal.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ProposalTemplate {
    /// In place of the agent's.
    pub operation_type: Option<String>,
    /// If it is higher than the agent's.
    pub risk_level: Option<RiskLevel>,
    /// Texts with `{{ … }}` in them.
    pub description: Option<String>,
    pub reasoning: Option<String>,
    pub alternatives: Vec<String>,
    pub confidence: Option<Source>,
    pub estimated_cost: Option<Source>,
    pub supporting_data: Option<Source>,
    /// An expression that gives the items.
    pub items_from: Option<String>,
}

/// Reads the fields `proposal` and `itemsFrom` of a step.
pub fn read_proposal(step: &mut Object<'_>, problems: &mut Problems) -> ProposalTemplate {
    let items_from = step.text("itemsFrom", problems).map(str::to_owned);
    let place = step.place("proposal");
    let mut template = ProposalTemplate { items_from, ..ProposalTemplate::default() };
    let Some(mut object) = step.get("proposal").and_then(|value| Object::open(value, place, problems)) else {
        return template;
    };
    let levels: Vec<(&'static str, RiskLevel)> = RiskLevel::ALL.iter().map(|level| (level.as_str(), *level)).collect();
    template.risk_level = object.word("riskLevel", &levels, problems);
    template.operation_type = object.text("operationType", problems).and_then(|text| {
        let note = |refusal: Refusal| {
            problems.add(object.place("operationType").problem(ProblemCode::InvalidValue, refusal.message))
        };
        operation_type::check("operationType", text).map_err(note).ok()
    });
    template.description = object.text("description", problems).map(str::to_owned);
    template.reasoning = object.text("reasoning", problems).map(str::to_owned);
    template.alternatives = read_alternatives(&mut object, problems);
    template.confidence = object.get("confidence").map(Source::read);
    template.estimated_cost = object.get("estimatedCostMicros").map(Source::read);
    template.supporting_data = object.get("supportingData").map(Source::read);
    object.close(problems);
    template
}

fn short(text: &str) -> String {
    text.chars().take(64).collect()
}

fn read_alternatives(object: &mut Object<'_>, problems: &mut Problems) -> Vec<String> {
    let place = object.place("alternatives");
    let Some(items) = object.read("alternatives", "a list of texts", problems, Value::as_array) else {
        return Vec::new();
    };
    if items.len() > MOST_ALTERNATIVES {
        let message = format!("there are {} alternatives: at most {MOST_ALTERNATIVES} are allowed", items.len());
        problems.add(place.problem(ProblemCode::TooMany, message));
    }
    let mut texts = Vec::new();
    for (number, item) in items.iter().enumerate() {
        match item.as_str() {
            Some(text) => texts.push(text.to_owned()),
            None => problems.add(wrong_type(&place.child(number), "a text", item)),
        }
    }
    texts
}

/// A template whose expressions have been read.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ProposalPlan {
    description: Option<Text>,
    reasoning: Option<Text>,
    alternatives: Vec<Text>,
    confidence: Option<Expression>,
    estimated_cost: Option<Expression>,
    supporting_data: Option<Expression>,
    items_from: Option<Expression>,
}

#[derive(Debug, Clone, PartialEq)]
struct Text(Vec<Piece>);

#[derive(Debug, Clone, PartialEq)]
enum Piece {
    Plain(String),
    Computed(Expression),
}

/// What a step says about its proposal, with the values of one execution.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Described {
    pub description: Option<String>,
    pub reasoning: Option<String>,
    pub alternatives: Vec<String>,
    pub confidence: Option<f64>,
    pub estimated_cost: Option<u64>,
    pub supporting_data: Option<Json>,
    /// The items, and where in the step's input they are if they were not computed.
    pub items: Option<(Json, Option<Vec<String>>)>,
}

impl ProposalPlan {
    /// Reads all expressions of a template. `place` is the step's.
    pub fn compile(template: &ProposalTemplate, place: &Place, problems: &mut Problems) -> Self {
        let within = place.child("proposal");
        let mut note = |problem: Problem| problems.add(problem);
        let mut text = |name: &str, text: &Option<String>| {
            let place = within.child(name);
            text.as_ref().and_then(|text| compile_text(text, &place).map_err(&mut note).ok())
        };
        let (description, reasoning) =
            (text("description", &template.description), text("reasoning", &template.reasoning));
        let places = (0..template.alternatives.len()).map(|number| within.child("alternatives").child(number));
        let alternatives = template.alternatives.iter().zip(places);
        let alternatives = alternatives.filter_map(|(text, place)| compile_text(text, &place).map_err(&mut note).ok());
        let alternatives = alternatives.collect();
        let mut source = |name: &str, source: &Option<Source>| {
            let place = within.child(name);
            source.as_ref().and_then(|source| compile_source(source, &place).map_err(&mut note).ok())
        };
        let confidence = source("confidence", &template.confidence);
        let estimated_cost = source("estimatedCostMicros", &template.estimated_cost);
        let supporting_data = source("supportingData", &template.supporting_data);
        let items_from = template.items_from.as_ref();
        let items_from =
            items_from.and_then(|text| compile_expression(text, &place.child("itemsFrom")).map_err(&mut note).ok());
        Self { description, reasoning, alternatives, confidence, estimated_cost, supporting_data, items_from }
    }

    /// All expressions, for those who check what they name.
    pub fn expressions(&self) -> impl Iterator<Item = &Expression> {
        let texts = self.description.iter().chain(&self.reasoning).chain(&self.alternatives);
        let in_texts = texts.flat_map(|text| &text.0).filter_map(|piece| match piece {
            Piece::Computed(expression) => Some(expression),
            Piece::Plain(_) => None,
        });
        let whole = [&self.confidence, &self.estimated_cost, &self.supporting_data, &self.items_from];
        in_texts.chain(whole.into_iter().flatten())
    }

    /// Puts the values in.
    pub fn describe(&self, scope: &Scope) -> Result<Described, Error> {
        let text = |text: &Option<Text>| text.as_ref().map(|text| text.render(scope)).transpose();
        let value = |expression: &Option<Expression>| {
            expression.as_ref().map(|expression| expression.evaluate(scope)).transpose()
        };
        let present = |value: Option<Json>| value.filter(|value| value.text() != "null");
        let confidence = match present(value(&self.confidence)?) {
            Some(value) => Some(as_confidence(&value)?),
            None => None,
        };
        let estimated_cost = match present(value(&self.estimated_cost)?) {
            Some(value) => Some(as_cost(&value)?),
            None => None,
        };
        let items = match (&self.items_from, present(value(&self.items_from)?)) {
            (Some(expression), Some(items)) => {
                let path = expression.path().and_then(|path| match path {
                    [root, rest @ ..] if root == VARIABLES[0] => Some(rest.to_vec()),
                    _ => None,
                });
                Some((items, path))
            }
            _ => None,
        };
        Ok(Described {
            description: text(&self.description)?,
            reasoning: text(&self.reasoning)?,
            alternatives: self.alternatives.iter().map(|text| text.render(scope)).collect::<Result<_, _>>()?,
            confidence,
            estimated_cost,
            supporting_data: present(value(&self.supporting_data)?),
            items,
        })
    }
}

fn as_confidence(value: &Json) -> Result<f64, Error> {
    let number = value.to_value().as_f64().filter(|number| (0.0..=1.0).contains(number));
    number.ok_or_else(|| {
        Error::new("proposal.confidence", format!("`{}` is not a number from 0 to 1", short(value.text())))
    })
}

fn as_cost(value: &Json) -> Result<u64, Error> {
    let number = value.to_value();
    let number = number.as_u64().or_else(|| {
        // Arithmetic on decimals gives decimals.
        number
            .as_f64()
            .filter(|number| number.fract() == 0.0 && (0.0..9e15).contains(number))
            .map(|number| number as u64)
    });
    number.ok_or_else(|| {
        let message = format!("`{}` is not a whole number of millionths", short(value.text()));
        Error::new("proposal.estimatedCostMicros", message)
    })
}

impl Text {
    fn render(&self, scope: &Scope) -> Result<String, Error> {
        let mut rendered = String::new();
        for piece in &self.0 {
            match piece {
                Piece::Plain(text) => rendered.push_str(text),
                Piece::Computed(expression) => match expression.evaluate(scope)?.to_value() {
                    Value::String(text) => rendered.push_str(&text),
                    other => rendered.push_str(&other.to_string()),
                },
            }
        }
        Ok(rendered)
    }
}

fn compile_text(text: &str, place: &Place) -> Result<Text, Problem> {
    let bad = |message: String| place.problem(ProblemCode::BadExpression, message);
    let template = Template::parse(text).map_err(bad)?;
    let pieces = template.parts().iter().map(|part| match part {
        Part::Text(text) => Ok(Piece::Plain(text.clone())),
        Part::Expression(text) => compile_expression(text, place).map(Piece::Computed),
        Part::Secret(_) => Err(bad("a secret cannot be shown".to_owned())),
    });
    pieces.collect::<Result<_, _>>().map(Text)
}

fn compile_source(source: &Source, place: &Place) -> Result<Expression, Problem> {
    match source {
        Source::Expression(text) => compile_expression(text, place),
        // A pointer and a constant are expressions, too: one way to evaluate them.
        Source::Path(text) => {
            let bad = || place.problem(ProblemCode::BadExpression, format!("`{text}` is not a JSON pointer"));
            let segments = pointer_segments(text).ok_or_else(bad)?;
            let (root, rest) = segments.split_first().ok_or_else(bad)?;
            let members = rest.iter().map(|name| match name.parse::<usize>() {
                Ok(number) => format!("[{number}]"),
                Err(_) => format!("[{}]", Value::from(name.as_str())),
            });
            compile_expression(&format!("{root}{}", members.collect::<String>()), place)
        }
        Source::Constant(value) => compile_expression(&value.to_string(), place),
    }
}

fn compile_expression(text: &str, place: &Place) -> Result<Expression, Problem> {
    let bad = |message: String| place.problem(ProblemCode::BadExpression, message);
    let expression = Expression::parse(text).map_err(bad)?;
    if let Some(unknown) = expression.roots().find(|root| !VARIABLES.contains(root)) {
        let known = "there are `input` (the step's own), `context` and `steps`";
        return Err(bad(format!("there is no variable `{unknown}`: {known}")));
    }
    Ok(expression)
}
