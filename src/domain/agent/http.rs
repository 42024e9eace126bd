//! What an agent that calls a URL must look like, so that its input can never choose whom it calls.

use std::collections::{BTreeSet, HashSet};

use url::Url;

use super::{
    Http,
    template::{Part, Template},
};
use crate::domain::{
    document::{Place, ProblemCode, Problems},
    expression::{Expression, Scope},
    json::Json,
};

/// The variable that an agent's expressions see.
const INPUT: &str = "input";

/// Set by us alone: what the called program trusts them to say.
const OURS: [&str; 3] = ["idempotency-key", "x-countersign-execution", "x-countersign-step"];

/// About the connection and the form of the message, which is not the agent's to decide.
const OF_THE_CONNECTION: [&str; 13] = [
    "accept-encoding",
    "connection",
    "content-encoding",
    "content-length",
    "expect",
    "host",
    "keep-alive",
    "proxy-authorization",
    "proxy-connection",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
];

/// A URL whose scheme, host and port are fixed and whose rest may have `{{ … }}` in it.
#[derive(Debug, Clone)]
pub struct UrlTemplate {
    pub origin: Url,
    /// Empty, or path and query from the first `/` or `?` on.
    pub rest: Template,
}

impl UrlTemplate {
    /// Reads a URL, or says what is wrong with it. Never repeats more of it than its beginning.
    pub fn parse(text: &str) -> Result<Self, String> {
        let (scheme, after) = text.split_once("://").unwrap_or_default();
        if !["http", "https"].contains(&scheme.to_ascii_lowercase().as_str()) {
            return Err("a URL starts with `http://` or `https://`".to_owned());
        }
        let (host, rest) = after.split_at(after.find(['/', '?', '#', '\\']).unwrap_or(after.len()));
        if host.contains("{{") {
            return Err("host and port must be fixed: write `{{ … }}` only behind the `/` that follows them".to_owned());
        }
        if host.contains('@') {
            return Err("a URL must not hold a name or password before an `@`: send it as a header, as in \
                        `Authorization: Bearer {{ secret.NAME }}`"
                .to_owned());
        }
        if host.contains(|c: char| c.is_whitespace() || c.is_control()) {
            return Err("the host has a space or a control character in it".to_owned());
        }
        let origin =
            Url::parse(&format!("{scheme}://{host}")).map_err(|error| format!("the host is not valid: {error}"))?;
        let rest = Template::parse(rest)?;
        for part in rest.parts() {
            if let Part::Text(text) = part {
                check_literal(text)?;
            }
        }
        Ok(Self { origin, rest })
    }
}

/// Refuses what would be dropped or turned into something else on the way.
fn check_literal(text: &str) -> Result<(), String> {
    match text.chars().find(|c| *c == '#' || *c == '\\' || c.is_whitespace() || c.is_control()) {
        Some('#') => Err("what follows `#` is never sent: leave it out, or write `%23`".to_owned()),
        Some('\\') => Err("a URL has no `\\`: use `/`, or write `%5C`".to_owned()),
        Some(_) => Err("a URL has no spaces and control characters: write a space as `%20`".to_owned()),
        None => Ok(()),
    }
}

impl Http {
    /// Whom a call goes to: scheme, host and port.
    pub fn origin(&self) -> Option<Url> {
        UrlTemplate::parse(&self.url).ok().map(|template| template.origin)
    }

    /// The same call with the names of its secrets left out.
    pub fn without_secret_names(&self) -> Self {
        let mask =
            |text: &String| Template::parse(text).map_or_else(|_| String::new(), |text| text.without_secret_names());
        let headers = self.headers.iter().map(|(name, value)| (name.clone(), mask(value))).collect();
        Self { url: mask(&self.url), headers, ..self.clone() }
    }

    /// The names of the secrets that a call needs.
    pub fn secrets(&self) -> BTreeSet<String> {
        let texts = self.headers.iter().map(|(_, value)| value).chain([&self.url]);
        let templates = texts.filter_map(|text| Template::parse(text).ok());
        templates.flat_map(|template| template.secrets().map(str::to_owned).collect::<Vec<_>>()).collect()
    }
}

/// Notes everything that is wrong with an agent's set-up.
pub fn check(http: &Http, place: &Place, problems: &mut Problems) {
    let url = place.child("url");
    match UrlTemplate::parse(&http.url) {
        Ok(template) => check_expressions(&template.rest, &url, problems),
        Err(message) => problems.add(url.problem(ProblemCode::InvalidValue, message)),
    }
    let mut names = HashSet::new();
    for (name, value) in &http.headers {
        let header = place.child("headers").child(name);
        if let Err(message) = check_header_name(name) {
            problems.add(header.problem(ProblemCode::InvalidValue, message));
        } else if !names.insert(name.to_ascii_lowercase()) {
            problems.add(header.problem(ProblemCode::Duplicate, format!("the header `{name}` is here twice")));
        }
        match header_value(value) {
            Ok(template) => check_expressions(&template, &header, problems),
            Err(message) => problems.add(header.problem(ProblemCode::InvalidValue, message)),
        }
    }
    if http.max_concurrency == Some(0) {
        let message = "`maxConcurrency` is 0: give at least 1, or leave it out";
        problems.add(place.child("maxConcurrency").problem(ProblemCode::InvalidValue, message));
    }
}

/// Whether an agent may send a header of this name.
pub fn check_header_name(name: &str) -> Result<(), String> {
    let lower = name.to_ascii_lowercase();
    let is_token = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    if name.is_empty() || name.len() > 200 || !name.bytes().all(is_token) {
        let shown: String = name.chars().take(64).collect();
        let shown = shown.escape_debug();
        Err(format!("`{shown}` is not the name of a header: use 1 to 200 letters, digits and hyphens"))
    } else if OURS.contains(&lower.as_str()) {
        Err(format!("the header `{name}` is set by the server and cannot be changed"))
    } else if OF_THE_CONNECTION.contains(&lower.as_str()) {
        Err(format!("the header `{name}` is about the connection and cannot be set"))
    } else {
        Ok(())
    }
}

/// A header's value, taken apart.
pub fn header_value(text: &str) -> Result<Template, String> {
    let template = Template::parse(text)?;
    for part in template.parts() {
        if let Part::Text(text) = part {
            check_header_text(text)?;
        }
    }
    Ok(template)
}

/// A header's value is one line: more would be a header of its own.
pub fn check_header_text(text: &str) -> Result<(), String> {
    match text.chars().find(|c| c.is_control()) {
        Some(control) => Err(format!(
            "a header's value has the control character U+{:04X}: it must be one line of text",
            u32::from(control)
        )),
        None => Ok(()),
    }
}

/// A text as one component of a URL: all but letters, digits and `-._~` is encoded.
pub fn percent_encoded(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            encoded.push_str(&format!("%{byte:02X}"));
        }
    }
    encoded
}

fn check_expressions(template: &Template, place: &Place, problems: &mut Problems) {
    for part in template.parts() {
        if let Part::Expression(text) = part
            && let Err(message) = read_expression(text)
        {
            problems.add(place.problem(ProblemCode::BadExpression, message));
        }
    }
}

/// Computes an expression on a step's input.
pub fn evaluate(expression: &str, input: &Json) -> Result<Json, String> {
    let scope = Scope::default().with(INPUT, input.clone());
    read_expression(expression)?.evaluate(&scope).map_err(|error| error.to_string())
}

/// An expression that sees only the input.
fn read_expression(text: &str) -> Result<Expression, String> {
    let expression = Expression::parse(text)?;
    let other = expression.roots().find(|root| *root != INPUT).map(str::to_owned);
    match other {
        Some(other) => Err(format!("`{other}` is not known here: an agent's expressions see only `{INPUT}`")),
        None => Ok(expression),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::agent::Method;

    fn problems_of(url: &str, headers: &[(&str, &str)]) -> Vec<(String, String)> {
        let headers = headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let http = Http { url: url.to_owned(), method: Method::Post, headers, max_concurrency: None };
        let mut problems = Problems::default();
        check(&http, &Place::default(), &mut problems);
        problems.into_vec().into_iter().map(|problem| (problem.path, problem.message)).collect()
    }

    #[test]
    fn good_urls_are_taken() {
        for url in [
            "https://example.com",
            "HTTP://example.com:8080/a/{{ input.id }}?q={{ input.q }}&k={{secret.KEY}}",
            "https://[2606:4700::1]/",
            "https://example.com?x={{ input.x }}",
            "https://exämple.com/ä",
        ] {
            assert_eq!(problems_of(url, &[("X-Key", "Bearer {{ secret.KEY }}")]), [], "{url}");
        }
    }

    #[test]
    fn input_cannot_choose_whom_to_call() {
        for (url, reason) in [
            ("example.com/x", "`http://` or `https://`"),
            ("ftp://example.com/", "`http://` or `https://`"),
            ("{{ input.url }}", "`http://` or `https://`"),
            ("{{ input.scheme }}://example.com/", "`http://` or `https://`"),
            ("https://{{ input.host }}/", "must be fixed"),
            ("https://example.com:{{ input.port }}/", "must be fixed"),
            ("https://example.com{{ input.path }}", "must be fixed"),
            ("https://{{ input.a }}@example.com/", "must be fixed"),
            ("https://ada:hunter2@example.com/", "Authorization"),
            ("https:///x", "host is not valid"),
            ("https://example.com:99999/", "host is not valid"),
            ("https://exa mple.com/", "space"),
            ("https://example.com\\{{ input.x }}", "`/`"),
            ("https://example.com/#{{ input.x }}", "never sent"),
            ("https://example.com/a\tb", "spaces"),
            ("https://example.com/{{ input.x", "no `}}`"),
            ("https://example.com/{{ steps.a }}", "is not known here"),
        ] {
            let found = problems_of(url, &[]);
            assert_eq!(found.len(), 1, "{url}: {found:?}");
            assert_eq!(found[0].0, "/url");
            assert!(found[0].1.contains(reason), "{url}: {}", found[0].1);
            assert!(!found[0].1.contains("hunter2"));
        }
    }

    #[test]
    fn headers_of_the_server_cannot_be_changed() {
        for (name, value, reason) in [
            ("Idempotency-Key", "1", "set by the server"),
            ("x-countersign-Step", "1", "set by the server"),
            ("HOST", "internal", "about the connection"),
            ("Transfer-Encoding", "chunked", "about the connection"),
            ("", "1", "not the name of a header"),
            ("a b", "1", "not the name of a header"),
            ("X-A\r\nX-B", "1", "not the name of a header"),
            ("X-A", "1\r\nX-B: 2", "U+000D"),
            ("X-A", "{{ }}", "is empty"),
        ] {
            let found = problems_of("https://example.com", &[(name, value)]);
            assert_eq!(found.len(), 1, "{name}: {found:?}");
            assert!(found[0].1.contains(reason), "{name}: {}", found[0].1);
        }
        let twice = problems_of("https://example.com", &[("X-A", "1"), ("x-a", "2")]);
        assert_eq!(twice, [("/headers/x-a".to_owned(), "the header `x-a` is here twice".to_owned())]);
    }

    #[test]
    fn the_secrets_of_a_call_are_known_beforehand() {
        let header = |value: &str| ("X".to_owned(), value.to_owned());
        let http = Http {
            url: "https://example.com/{{ secret.B }}".to_owned(),
            method: Method::Get,
            headers: vec![header("{{ secret.A }}{{ input.x }}"), header("{{ secret.B }}")],
            max_concurrency: None,
        };
        assert_eq!(http.secrets().into_iter().collect::<Vec<_>>(), ["A", "B"]);
    }

    #[test]
    fn expressions_see_the_input_alone() {
        let input = Json::parse(r#"{"a":{"b":[1.50,"x"]},"n":2}"#).expect("valid");
        assert_eq!(evaluate("input.a.b[0]", &input).expect("found").text(), "1.50");
        assert_eq!(evaluate("input.n * 2", &input).expect("computed").text(), "4");
        for wrong in ["", "a", "input.", "input..a", "input.c", "secret.NAME", "steps.x"] {
            assert!(evaluate(wrong, &input).is_err(), "{wrong}");
        }
    }
}
