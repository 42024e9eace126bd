//! Takes secrets out of what comes back: a server may repeat what it was sent, also on purpose.

use secrecy::ExposeSecret;
use serde_json::{Map, Value};

use super::{Secrets, forms};
use crate::domain::json::Json;

/// What stands in place of a secret wherever a text is shown.
pub(super) const MASK: &str = "•••";

/// A shorter secret is found in every other text by chance: in outputs it is taken out only where it stands alone.
const SHORTEST_WITHIN: usize = 4;

impl Secrets {
    /// A text without these secrets in it, in any form in which programs write them.
    pub fn redact(&self, text: &str) -> String {
        let forms = self.forms(|_| true);
        replaced(text, &forms)
    }

    /// An output without these secrets in it, neither in its values nor in its keys. One that has none stays as it is, to
    /// the last digit.
    pub fn redact_output(&self, output: Json) -> Json {
        let within = self.forms(|value| value.len() >= SHORTEST_WITHIN);
        let alone: Vec<&str> = self.values().collect();
        if alone.is_empty() {
            return output;
        }
        let Ok(mut value) = serde_json::from_str::<Value>(output.text()) else { return output };
        let clean = |text: &str| if alone.contains(&text) { MASK.to_owned() } else { replaced(text, &within) };
        if !walk(&mut value, &clean) {
            return output;
        }
        // What was short enough before can be longer now by a few characters, but never too deep.
        Json::from_value(&value).unwrap_or_else(|_| Json::null())
    }

    fn values(&self) -> impl Iterator<Item = &str> {
        self.0.values().filter_map(|value| value.as_ref().ok()).map(ExposeSecret::expose_secret)
    }

    /// The longest first: one may be the beginning of another, whose rest would stay.
    fn forms(&self, wanted: impl Fn(&str) -> bool) -> Vec<String> {
        let mut forms: Vec<String> = self.values().filter(|value| wanted(value)).flat_map(forms::of).collect();
        forms.sort_by_key(|form| std::cmp::Reverse(form.len()));
        forms
    }
}

fn replaced(text: &str, forms: &[String]) -> String {
    forms.iter().fold(text.to_owned(), |text, form| if text.contains(form) { text.replace(form, MASK) } else { text })
}

/// Cleans every text of a value; tells whether anything was changed.
fn walk(value: &mut Value, clean: &impl Fn(&str) -> String) -> bool {
    match value {
        Value::Null | Value::Bool(_) => false,
        Value::Number(number) => {
            let text = number.to_string();
            let cleaned = clean(&text);
            let changed = cleaned != text;
            if changed {
                *value = cleaned.into();
            }
            changed
        }
        Value::String(text) => {
            let cleaned = clean(text);
            let changed = cleaned != *text;
            *text = cleaned;
            changed
        }
        Value::Array(values) => {
            let mut changed = false;
            for value in values {
                changed |= walk(value, clean);
            }
            changed
        }
        Value::Object(fields) => {
            let mut changed = false;
            let mut cleaned = Map::with_capacity(fields.len());
            for (key, mut value) in std::mem::take(fields) {
                changed |= walk(&mut value, clean);
                let name = clean(&key);
                changed |= name != key;
                cleaned.insert(name, value);
            }
            *fields = cleaned;
            changed
        }
    }
}

#[cfg(test)]
mod tests {
    use base64::{
        Engine as _,
        prelude::{BASE64_STANDARD, BASE64_STANDARD_NO_PAD, BASE64_URL_SAFE, BASE64_URL_SAFE_NO_PAD},
    };

    use super::*;
    use crate::engine::secrets::Unusable;

    const VALUE: &str = "s3cr/t+k\"y? é>~";

    fn secrets(values: &[&str]) -> Secrets {
        let mut secrets = Secrets::default();
        for (number, value) in values.iter().enumerate() {
            secrets.insert(format!("S{number}"), Ok((*value).into()));
        }
        secrets
    }

    #[test]
    fn no_form_of_a_secret_is_left() {
        let mut secrets = secrets(&["p\"w /", "p\"w /and more"]);
        secrets.insert("NONE", Err(Unusable::Missing));
        let text = r#"a p"w / b {"x":"p\"w /and more"} c ?k=p%22w%20%2F"#;
        assert_eq!(secrets.redact(text), r#"a ••• b {"x":"•••"} c ?k=•••"#);
        assert!(!format!("{secrets:?}").contains("more"));
    }

    #[test]
    fn what_programs_make_of_a_secret_is_taken_out() {
        let hex: String = VALUE.bytes().map(|byte| format!("{byte:02x}")).collect();
        let forms = [
            VALUE.to_owned(),
            BASE64_STANDARD.encode(VALUE),
            BASE64_STANDARD_NO_PAD.encode(VALUE),
            BASE64_URL_SAFE.encode(VALUE),
            BASE64_URL_SAFE_NO_PAD.encode(VALUE),
            hex.to_uppercase(),
            hex,
            "s3cr%2Ft%2Bk%22y%3F%20%C3%A9%3E~".to_owned(),
            "s3cr%2ft%2bk%22y%3f+%c3%a9%3e%7e".to_owned(),
            r#"s3cr\/t+k\"y? é>~"#.to_owned(),
            r#"s3cr/t+k\"y? \u00e9>~"#.to_owned(),
            "s3cr/t+k&quot;y? é&gt;~".to_owned(),
        ];
        for form in forms {
            assert_eq!(secrets(&[VALUE]).redact(&format!("<{form}>")), "<•••>", "{form}");
        }
        // As the password of Basic authentication, behind names of any length.
        for user in ["a", "ab", "abc", "abcd"] {
            let encoded = BASE64_STANDARD.encode(format!("{user}:{VALUE}!"));
            let shown = secrets(&[VALUE]).redact(&encoded);
            assert!(shown.contains(MASK) && shown.len() < encoded.len() / 2 + MASK.len(), "{shown}");
        }
    }

    #[test]
    fn an_output_keeps_everything_else() {
        let redacted = |values: &[&str], text: &str| {
            secrets(values).redact_output(Json::parse(text).expect("JSON")).text().to_owned()
        };
        let text = r#"{"b":1.50,"a":[123456789012345678901234567890, "x"]}"#;
        assert_eq!(redacted(&["hunter22"], text), Json::parse(text).expect("JSON").text());
        assert_eq!(
            redacted(&["hunter22"], r#"{"hunter22":1.50,"a":["Bearer \u0068unter22",{"b":"aHVudGVyMjI="}]}"#),
            r#"{"•••":1.50,"a":["Bearer •••",{"b":"•••"}]}"#
        );
        assert_eq!(redacted(&["90210"], r#"{"a":90210,"b":7}"#), r#"{"a":"•••","b":7}"#);
        assert_eq!(redacted(&["1"], r#"{"a":1,"b":"1","c":"213"}"#), r#"{"a":"•••","b":"•••","c":"213"}"#);
    }
}
