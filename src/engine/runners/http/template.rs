//! Fills in the `{{ … }}` of URLs and headers.
//!
//! Whatever is put into a URL stays one segment of its path or one part of its query: every character that could mean
//! something there is percent-encoded.

use secrecy::ExposeSecret;
use url::Url;

use super::{Failure, FailureCode, bad_input};
use crate::{
    domain::{
        agent::{
            http::{UrlTemplate, check_header_text, header_value, percent_encoded},
            template::Part,
        },
        json::Json,
    },
    engine::secrets::{Secrets, Unusable},
};

/// What the HTTP library can send.
const LONGEST_URL: usize = 65_534;

/// Where inserted values come from.
pub struct Values<'a> {
    pub evaluate: &'a dyn Fn(&str) -> Result<Json, String>,
    pub secrets: &'a Secrets,
}

impl Values<'_> {
    /// An agent's URL for one call.
    pub fn url(&self, text: &str) -> Result<Url, Failure> {
        let template = UrlTemplate::parse(text).map_err(|message| bad_input(format!("the URL: {message}")))?;
        let mut filled = Filled::default();
        for part in template.rest.parts() {
            match part {
                Part::Text(text) => filled.literal(text)?,
                Part::Expression(expression) => filled.insert(expression, &self.expression(expression)?),
                Part::Secret(name) => filled.insert("secret", &self.secret("the URL", name)?),
            }
        }
        let rest = filled.finish()?;
        let url = Url::parse(&format!("{}{rest}", template.origin.as_str().trim_end_matches('/')))
            .map_err(|error| bad_input(format!("the URL is not valid: {error}")))?;
        let length = url.as_str().len();
        if length > LONGEST_URL {
            return Err(bad_input(format!("the URL has {length} bytes: at most {LONGEST_URL} can be sent")));
        }
        if url.origin() != template.origin.origin() {
            return Err(bad_input("the URL leads to another host than the agent's".to_owned()));
        }
        Ok(url)
    }

    /// A header's value for one call.
    pub fn header(&self, name: &str, text: &str) -> Result<String, Failure> {
        let wrong = |message: String| bad_input(format!("the header `{name}`: {message}"));
        let mut value = String::new();
        for part in header_value(text).map_err(wrong)?.parts() {
            match part {
                Part::Text(text) => value.push_str(text),
                Part::Expression(expression) => value.push_str(&self.expression(expression)?),
                Part::Secret(secret) => value.push_str(&self.secret(&format!("the header `{name}`"), secret)?),
            }
        }
        check_header_text(&value).map_err(wrong)?;
        Ok(value)
    }

    fn expression(&self, expression: &str) -> Result<String, Failure> {
        let failure = |message: String| Failure::new(FailureCode::Expression, message);
        let value = (self.evaluate)(expression)
            .map_err(|error| failure(format!("`{{{{ {expression} }}}}` has no value: {error}")))?;
        as_text(&value).map_err(|kind| {
            failure(format!(
                "`{{{{ {expression} }}}}` gives {kind}: only a text, a number, true or false can be put here"
            ))
        })
    }

    /// The value of a secret, or why there is none. Failures are read by everybody, so they say where the secret stands
    /// in the agent's configuration instead of what it is called.
    fn secret(&self, place: &str, name: &str) -> Result<String, Failure> {
        let why = match self.secrets.get(name) {
            Ok(value) => return Ok(value.expose_secret().to_owned()),
            Err(Unusable::Missing) => "which is not set in this workspace: an admin can set it",
            Err(Unusable::Sealed) => "which cannot be opened, because the server's key has changed: set it again",
            Err(Unusable::Unbound) => "which is not for any host yet: an admin must say to which hosts it may be sent",
            Err(Unusable::OtherHost) => "which may not be sent to this host: an admin can allow it",
            Err(Unusable::OtherAgent) => "which is for other agents: an admin can allow it for this one",
        };
        Err(Failure::new(FailureCode::Secret, format!("{place} needs a secret {why}")))
    }
}

/// A value as it is put into a text, or the kind of value that cannot be.
fn as_text(value: &Json) -> Result<String, &'static str> {
    match value.text() {
        "null" => Err("null"),
        text if text.starts_with('{') => Err("an object"),
        text if text.starts_with('[') => Err("a list"),
        text if text.starts_with('"') => serde_json::from_str(text).map_err(|_| "a text that cannot be read"),
        text => Ok(text.to_owned()),
    }
}

/// Path and query on the way.
#[derive(Default)]
struct Filled {
    text: String,
    /// Where the path's last segment begins.
    segment: usize,
    /// What was put into that segment.
    inserted: Vec<String>,
    in_query: bool,
}

impl Filled {
    fn literal(&mut self, text: &str) -> Result<(), Failure> {
        for character in text.chars() {
            if !self.in_query && (character == '/' || character == '?') {
                self.close_segment()?;
                self.in_query = character == '?';
                self.segment = self.text.len() + 1;
            }
            self.text.push(character);
        }
        Ok(())
    }

    fn insert(&mut self, expression: &str, value: &str) {
        self.text.push_str(&percent_encoded(value));
        self.inserted.push(expression.to_owned());
    }

    /// A segment that is empty or goes up would turn the path into another one.
    fn close_segment(&mut self) -> Result<(), Failure> {
        let inserted = std::mem::take(&mut self.inserted);
        let segment = self.text[self.segment..].to_ascii_lowercase().replace("%2e", ".");
        if !self.in_query && !inserted.is_empty() && ["", ".", ".."].contains(&segment.as_str()) {
            let inserted = inserted.join("` and `");
            return Err(bad_input(format!(
                "`{inserted}` makes the part `{segment}` of the URL's path: it must be neither empty nor `.` or `..`"
            )));
        }
        Ok(())
    }

    fn finish(mut self) -> Result<String, Failure> {
        self.close_segment()?;
        Ok(self.text)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::domain::agent::http::evaluate;

    fn with_values<T>(input: &Value, use_values: impl FnOnce(&Values<'_>) -> T) -> T {
        let input = Json::from_value(input).expect("valid");
        let mut secrets = Secrets::default();
        secrets.insert("KEY", Ok("s3cr/t?".into()));
        secrets.insert("OLD", Err(Unusable::Sealed));
        secrets.insert("FAR", Err(Unusable::OtherHost));
        use_values(&Values { evaluate: &|expression| evaluate(expression, &input), secrets: &secrets })
    }

    fn url(text: &str, input: &Value) -> Result<String, Failure> {
        with_values(input, |values| values.url(text)).map(String::from)
    }

    fn header(text: &str, input: &Value) -> Result<String, Failure> {
        with_values(input, |values| values.header("X-A", text))
    }

    #[test]
    fn values_stay_in_their_place() {
        let hostile = "a/../b?c=d&e#f@evil.example\\ %2F+é\n";
        let encoded = "a%2F..%2Fb%3Fc%3Dd%26e%23f%40evil.example%5C%20%252F%2B%C3%A9%0A";
        assert_eq!(
            url("https://example.com/x/{{ input.v }}/y?q={{ input.v }}&z=1", &json!({"v": hostile})),
            Ok(format!("https://example.com/x/{encoded}/y?q={encoded}&z=1"))
        );
        assert_eq!(
            url("https://example.com?k={{ secret.KEY }}", &json!({})).expect("a URL"),
            "https://example.com/?k=s3cr%2Ft%3F"
        );
        assert_eq!(url("https://example.com:8443", &json!({})).expect("a URL"), "https://example.com:8443/");
    }

    #[test]
    fn numbers_and_booleans_are_put_in_exactly() {
        let input: Value =
            serde_json::from_str(r#"{"n": 123456789012345678901234567890, "f": 1.50, "b": true}"#).expect("JSON");
        assert_eq!(
            url("https://example.com/{{ input.n }}/{{ input.f }}/{{ input.b }}", &input).expect("a URL"),
            "https://example.com/123456789012345678901234567890/1.50/true"
        );
    }

    #[test]
    fn the_path_keeps_its_shape() {
        for (text, value) in [
            ("https://example.com/a/{{ input.v }}/b", ""),
            ("https://example.com/a/{{ input.v }}/b", "."),
            ("https://example.com/a/{{ input.v }}/b", ".."),
            ("https://example.com/a/{{ input.v }}", ".."),
            ("https://example.com/a/{{ input.v }}?x=1", ".."),
            ("https://example.com/a/.{{ input.v }}", "."),
            ("https://example.com/a/%2E{{ input.v }}", "."),
            ("https://example.com/a/{{ input.v }}{{ input.v }}", "."),
            ("https://example.com/{{ input.v }}", ""),
        ] {
            let failure = url(text, &json!({"v": value})).expect_err(text);
            assert_eq!((failure.code, failure.retryable), (FailureCode::BadInput, false), "{text}");
            assert!(failure.message.contains("`input.v"), "{}", failure.message);
        }
        assert!(url("https://example.com/a{{ input.v }}?q={{ input.v }}", &json!({"v": ""})).is_ok());
        assert!(url("https://example.com/a?q=/{{ input.v }}/", &json!({"v": ".."})).is_ok(), "a query has no segments");
    }

    #[test]
    fn only_texts_numbers_and_booleans_are_put_in() {
        for (value, kind) in [(json!(null), "null"), (json!({}), "an object"), (json!([1]), "a list")] {
            let failure = header("{{ input.v }}", &json!({"v": value})).expect_err(kind);
            assert_eq!(failure.code, FailureCode::Expression);
            assert!(failure.message.contains(&format!("`{{{{ input.v }}}}` gives {kind}")), "{}", failure.message);
        }
        let failure = header("{{ input.w }}", &json!({})).expect_err("nothing there");
        assert_eq!(failure.message, "`{{ input.w }}` has no value: `input.w`: no such key `w` in `input`");
    }

    #[test]
    fn a_header_stays_one_line() {
        assert_eq!(header("Bearer {{ secret.KEY }}", &json!({})), Ok("Bearer s3cr/t?".to_owned()));
        let failure = header("{{ input.v }}", &json!({"v": "a\r\nX-B: 1"})).expect_err("two lines");
        assert_eq!(failure.code, FailureCode::BadInput);
        assert!(failure.message.contains("header `X-A`") && failure.message.contains("U+000D"), "{}", failure.message);
    }

    #[test]
    fn a_secret_that_cannot_be_had_is_told_by_its_place() {
        for (name, reason) in [("NONE", "is not set"), ("OLD", "cannot be opened"), ("FAR", "may not be sent")] {
            let failure = header(&format!("{{{{ secret.{name} }}}}"), &json!({})).expect_err(name);
            assert_eq!((failure.code, failure.retryable), (FailureCode::Secret, false));
            assert!(failure.message.contains(reason), "{}", failure.message);
            assert!(failure.message.contains("header `X-A`") && !failure.message.contains(name), "{}", failure.message);
        }
    }

    #[test]
    fn a_url_too_long_to_be_sent_is_refused() {
        let failure = url("https://example.com/{{ input.v }}", &json!({"v": "a".repeat(70_000)})).expect_err("long");
        assert!(failure.message.starts_with("the URL has 70020 bytes"), "{}", failure.message);
    }
}
