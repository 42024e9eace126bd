//! Texts with `{{ … }}` in them: an expression over the step's input, or the name of a secret.

use crate::domain::secret;

const SECRET: &str = "secret.";

/// A text, taken apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template(Vec<Part>);

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// Stands as it is.
    Text(String),
    /// Gives a value.
    Expression(String),
    /// Stands for the secret of this name. It is not part of an expression, so no expression can take it apart.
    Secret(String),
}

impl Template {
    /// Takes a text apart, or says what is wrong with it.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut parts = Vec::new();
        let mut rest = text;
        while let Some((before, inside)) = rest.split_once("{{") {
            if !before.is_empty() {
                parts.push(Part::Text(before.to_owned()));
            }
            let end = end_of_expression(inside).ok_or("a `{{` has no `}}` that closes it")?;
            parts.push(placeholder(inside[..end].trim())?);
            rest = &inside[end + 2..];
        }
        if !rest.is_empty() {
            parts.push(Part::Text(rest.to_owned()));
        }
        Ok(Self(parts))
    }

    pub fn parts(&self) -> &[Part] {
        &self.0
    }

    /// The text again, with `{{ secret.••• }}` in place of each secret's name.
    pub fn without_secret_names(&self) -> String {
        let shown = |part: &Part| match part {
            Part::Text(text) => text.clone(),
            Part::Expression(expression) => format!("{{{{ {expression} }}}}"),
            Part::Secret(_) => format!("{{{{ {SECRET}••• }}}}"),
        };
        self.0.iter().map(shown).collect()
    }

    /// The names of the secrets that it needs.
    pub fn secrets(&self) -> impl Iterator<Item = &str> {
        self.0.iter().filter_map(|part| match part {
            Part::Secret(name) => Some(name.as_str()),
            Part::Text(_) | Part::Expression(_) => None,
        })
    }
}

fn placeholder(inside: &str) -> Result<Part, String> {
    if inside.is_empty() {
        return Err("`{{ }}` is empty: write `{{ input.field }}` or `{{ secret.NAME }}`".to_owned());
    }
    match inside.strip_prefix(SECRET) {
        Some(name) if secret::is_name(name) => Ok(Part::Secret(name.to_owned())),
        Some(name) => {
            let shown: String = name.chars().take(64).collect();
            Err(format!("`{shown}` does not name a secret: {}, and nothing else within `{{{{ }}}}`", secret::NAME_RULE))
        }
        None => Ok(Part::Expression(inside.to_owned())),
    }
}

/// Where the `}}` is that closes an expression, and not one within its texts or after its own braces.
fn end_of_expression(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    let mut quote = None;
    let mut characters = text.char_indices();
    while let Some((at, character)) = characters.next() {
        match (quote, character) {
            (Some(_), '\\') => {
                characters.next();
            }
            (Some(open), _) if character == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(character),
            (None, '{') => depth += 1,
            (None, '}') if depth > 0 => depth -= 1,
            (None, '}') if text[at..].starts_with("}}") => return Some(at),
            (None, _) => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(text: &str) -> Vec<Part> {
        Template::parse(text).unwrap_or_else(|error| panic!("{text}: {error}")).0
    }

    fn text(text: &str) -> Part {
        Part::Text(text.to_owned())
    }

    fn expression(text: &str) -> Part {
        Part::Expression(text.to_owned())
    }

    #[test]
    fn texts_expressions_and_secrets_are_told_apart() {
        assert_eq!(parts(""), []);
        assert_eq!(parts("a } }} b"), [text("a } }} b")]);
        assert_eq!(
            parts("/{{input.a}}/b{{ secret.KEY }}"),
            [text("/"), expression("input.a"), text("/b"), Part::Secret("KEY".to_owned())]
        );
    }

    #[test]
    fn braces_and_texts_within_an_expression_do_not_close_it() {
        for inside in ["{'a': {'b': 1}}.a.b", "'}}' + \"}}\"", r"'it\'s }}'"] {
            assert_eq!(parts(&format!("{{{{{inside}}}}}!")), [expression(inside), text("!")]);
        }
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (wrong, reason) in [
            ("{{ input.a", "no `}}`"),
            ("{{ 'a }}", "no `}}`"),
            ("{{}}", "is empty"),
            ("{{ secret.a-b }}", "`a-b` does not name a secret"),
            ("{{ secret.A + 'x' }}", "does not name a secret"),
        ] {
            let error = Template::parse(wrong).expect_err(wrong);
            assert!(error.contains(reason), "{wrong}: {error}");
        }
    }
}
