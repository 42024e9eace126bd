//! What a workflow keeps of a step's output, as deliverables.

use base64::{Engine as _, prelude::BASE64_STANDARD};
use serde_json::Value;

use crate::domain::{
    deliverable::{self, Type},
    document::{Object, Place, ProblemCode, Problems},
    expression::{Error, Expression, Scope},
    json::Json,
    name,
};

/// The only variable that its expressions see.
pub const OUTPUT: &str = "output";
const MOST: usize = 20;
const LONGEST_DESCRIPTION: usize = 2_000;

/// How a text stands for content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    Text,
    Base64,
}

/// One thing that is kept, as a step's document says.
#[derive(Debug, Clone, PartialEq)]
pub struct KeepTemplate {
    /// Its place in the list, of which some may not have been readable.
    pub number: usize,
    pub name: String,
    pub description: String,
    pub r#type: Option<Type>,
    pub mime_type: Option<String>,
    /// An expression over the output; absent: all of it.
    pub from: Option<String>,
    pub encoding: Encoding,
}

impl KeepTemplate {
    /// Where it stands in a document. `step` is the step's place.
    pub fn place(&self, step: &Place) -> Place {
        step.child("deliverables").child(self.number)
    }
}

/// Reads the field `deliverables` of a step.
pub fn read_deliverables(step: &mut Object<'_>, problems: &mut Problems) -> Vec<KeepTemplate> {
    let place = step.place("deliverables");
    let Some(items) = step.read("deliverables", "a list of what to keep", problems, Value::as_array) else {
        return Vec::new();
    };
    if items.len() > MOST {
        let message = format!("there are {} deliverables: at most {MOST} are allowed", items.len());
        problems.add(place.problem(ProblemCode::TooMany, message));
    }
    let mut kept: Vec<KeepTemplate> = Vec::new();
    for (number, item) in items.iter().enumerate().take(MOST) {
        let place = place.child(number);
        let Some(template) = read_one(item, number, place.clone(), problems) else { continue };
        if kept.iter().any(|other| other.name == template.name) {
            let message = format!("two deliverables of this step are called `{}`", template.name);
            problems.add(place.child("name").problem(ProblemCode::Duplicate, message));
        }
        kept.push(template);
    }
    kept
}

fn read_one(value: &Value, number: usize, place: Place, problems: &mut Problems) -> Option<KeepTemplate> {
    let mut object = Object::open(value, place, problems)?;
    let invalid = |place: Place, message: String| place.problem(ProblemCode::InvalidValue, message);
    let name = object.required_text("name", problems).and_then(|text| {
        let checked = deliverable::check_name("name", text);
        checked.map_err(|refusal| problems.add(invalid(object.place("name"), refusal.message.into()))).ok()
    });
    let description = object.text("description", problems).unwrap_or_default();
    if let Err(refusal) = name::check_text("description", description, LONGEST_DESCRIPTION) {
        problems.add(invalid(object.place("description"), refusal.message.into()));
    }
    let types: Vec<(&'static str, Type)> = Type::ALL.iter().map(|of| (of.as_str(), *of)).collect();
    let of = object.word("type", &types, problems);
    let mime_type = object.text("mimeType", problems).and_then(|text| {
        let checked = deliverable::check_mime_type("mimeType", text);
        checked.map_err(|refusal| problems.add(invalid(object.place("mimeType"), refusal.message.into()))).ok()
    });
    let from = object.text("from", problems).map(str::to_owned);
    let encodings = [("TEXT", Encoding::Text), ("BASE64", Encoding::Base64)];
    let encoding = object.word("encoding", &encodings, problems).unwrap_or(Encoding::Text);
    object.close(problems);
    let description = description.to_owned();
    Some(KeepTemplate { number, name: name?, description, r#type: of, mime_type, from, encoding })
}

/// One thing that is kept, its expression read.
#[derive(Debug, Clone, PartialEq)]
pub struct Keep {
    pub template: KeepTemplate,
    from: Expression,
}

impl Keep {
    /// Reads the expressions of all that a step keeps. `place` is the step's.
    pub fn compile(templates: &[KeepTemplate], place: &Place, problems: &mut Problems) -> Vec<Self> {
        let mut kept = Vec::with_capacity(templates.len());
        for template in templates {
            match read_expression(template.from.as_deref().unwrap_or(OUTPUT)) {
                Ok(from) => kept.push(Self { template: template.clone(), from }),
                Err(message) => {
                    let place = template.place(place).child("from");
                    problems.add(place.problem(ProblemCode::BadExpression, message));
                }
            }
        }
        kept
    }

    pub fn expression(&self) -> &Expression {
        &self.from
    }

    /// The content that an output gives; nothing where it is null. A text is itself, anything else its JSON.
    pub fn content(&self, output: &Json) -> Result<Option<Vec<u8>>, Error> {
        let value = self.from.evaluate(&Scope::default().with(OUTPUT, output.clone()))?;
        if value.text() == "null" {
            return Ok(None);
        }
        let text = match value.text().starts_with('"').then(|| value.to_value()) {
            Some(Value::String(text)) => text,
            _ => value.text().to_owned(),
        };
        match self.template.encoding {
            Encoding::Text => Ok(Some(text.into_bytes())),
            Encoding::Base64 => {
                let wrong = |_| Error::new(&self.template.name, "is not base64 with its padding");
                BASE64_STANDARD.decode(text.trim()).map(Some).map_err(wrong)
            }
        }
    }
}

fn read_expression(text: &str) -> Result<Expression, String> {
    let expression = Expression::parse(text)?;
    if let Some(unknown) = expression.roots().find(|root| *root != OUTPUT) {
        return Err(format!("there is no variable `{unknown}`: there is `{OUTPUT}`, the step's own"));
    }
    Ok(expression)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn keep(from: Option<&str>, encoding: Encoding) -> Keep {
        let template = KeepTemplate {
            number: 0,
            name: "x".to_owned(),
            description: String::new(),
            r#type: None,
            mime_type: None,
            from: from.map(str::to_owned),
            encoding,
        };
        let mut problems = Problems::default();
        let kept = Keep::compile(&[template], &Place::default(), &mut problems);
        kept.into_iter().next().unwrap_or_else(|| panic!("{problems:?}"))
    }

    #[test]
    fn a_text_is_kept_as_it_is_and_the_rest_as_json() {
        let output = Json::parse(r#"{"t":"a\nb","n":1.50,"none":null,"b":"AAE="}"#).expect("JSON");
        let content = |from: Option<&str>, encoding| keep(from, encoding).content(&output);
        assert_eq!(content(Some("output.t"), Encoding::Text), Ok(Some(b"a\nb".to_vec())));
        assert_eq!(content(Some("output.n"), Encoding::Text), Ok(Some(b"1.50".to_vec())));
        assert_eq!(content(None, Encoding::Text), Ok(Some(output.text().as_bytes().to_vec())));
        assert_eq!(content(Some("output.none"), Encoding::Text), Ok(None));
        assert_eq!(content(Some("output.b"), Encoding::Base64), Ok(Some(vec![0, 1])));
        assert!(content(Some("output.t"), Encoding::Base64).is_err());
        assert!(content(Some("output.missing"), Encoding::Text).is_err());
    }

    #[test]
    fn every_problem_has_its_place() {
        let mut problems = Problems::default();
        let document = json!({"deliverables": [
            {"name": "a/b", "type": "BOOK", "mimeType": "x", "frm": 1},
            {"name": "a"}, {"name": "a", "encoding": "HEX"}, 7,
        ]});
        let mut object = Object::open(&document, Place::default(), &mut problems).expect("an object");
        read_deliverables(&mut object, &mut problems);
        let paths: Vec<String> = problems.into_vec().into_iter().map(|problem| problem.path).collect();
        for path in ["/0/name", "/0/type", "/0/mimeType", "/0/frm", "/2/name", "/2/encoding", "/3"] {
            assert!(paths.contains(&format!("/deliverables{path}")), "{path} in {paths:?}");
        }
        let mut problems = Problems::default();
        let template = KeepTemplate { from: Some("input.x".to_owned()), ..keep(None, Encoding::Text).template };
        assert!(Keep::compile(&[template], &Place::default(), &mut problems).is_empty());
        assert!(!problems.is_empty());
    }
}
