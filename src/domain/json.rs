//! JSON values as their text, so that they are kept exactly: digits, key order, Unicode and empty values.
//!
//! A value that passes through unchanged is never taken apart. Only who looks inside parses, and only as deep as needed.

use std::{collections::HashSet, fmt, sync::Arc};

use indexmap::IndexMap;
use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{DeserializeSeed, Error as _, MapAccess, SeqAccess, Visitor},
};
use serde_json::{Value, value::RawValue};

/// How deep lists and objects may be within each other in a value that comes from outside or is computed. The parser
/// takes 127 levels: what puts such values into fields of another, as a mapping does, must still be readable.
pub const DEEPEST: usize = 120;

/// Why a text is not a value that can be kept.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Error(String);

/// A JSON value, kept as its text. Cheap to clone.
#[derive(Clone)]
// The box is shared, not what is in it: to share that, it would have to be copied first, and it may be large.
pub struct Json(Arc<Box<RawValue>>);

impl Json {
    /// Checks a text that came from outside: valid, no key twice in an object, no NUL in a text, not too deep.
    pub fn parse(text: &str) -> Result<Self, Error> {
        check(text)?;
        Self::trusted(text.trim().to_owned())
    }

    /// Checks bytes that came from outside.
    pub fn parse_bytes(bytes: &[u8]) -> Result<Self, Error> {
        Self::parse(std::str::from_utf8(bytes).map_err(not_utf8)?)
    }

    /// Checks bytes that came from outside and keeps them without a copy; gives them back with what is wrong with them.
    pub fn parse_vec(bytes: Vec<u8>) -> Result<Self, (Error, Vec<u8>)> {
        let text = String::from_utf8(bytes).map_err(|error| (not_utf8(error.utf8_error()), error.into_bytes()))?;
        if let Err(error) = check(&text) {
            return Err((error, text.into_bytes()));
        }
        let kept = if text.trim().len() == text.len() { text } else { text.trim().to_owned() };
        Self::trusted(kept).map_err(|error| (error, Vec::new()))
    }

    /// A text that was checked when it was stored.
    pub fn trusted(text: String) -> Result<Self, Error> {
        RawValue::from_string(text).map(|raw| Self(Arc::new(raw))).map_err(|error| Error(error.to_string()))
    }

    /// A value that was parsed already, checked like a text.
    pub fn from_value(value: &Value) -> Result<Self, Error> {
        Self::parse(&value.to_string())
    }

    /// A text of ours as a JSON value.
    pub fn string(text: &str) -> Self {
        Self::trusted(Value::from(text).to_string()).unwrap_or_else(|_| Self::null())
    }

    pub fn null() -> Self {
        Self(Arc::new(RawValue::NULL.to_owned()))
    }

    /// An object of these fields, in this order.
    pub fn object<'a>(fields: impl IntoIterator<Item = (&'a str, &'a RawValue)>) -> Self {
        let mut text = String::from("{");
        for (name, value) in fields {
            if text.len() > 1 {
                text.push(',');
            }
            text.push_str(&Value::from(name).to_string());
            text.push(':');
            text.push_str(value.get());
        }
        text.push('}');
        Self::trusted(text).unwrap_or_else(|_| Self::null())
    }

    /// The fields of several objects in one; the later ones win. What is not an object is left out.
    pub fn merged<'a>(values: impl IntoIterator<Item = &'a Json>) -> Self {
        let mut merged: IndexMap<String, &RawValue> = IndexMap::new();
        for value in values {
            merged.extend(value.fields().unwrap_or_default());
        }
        Self::object(merged.iter().map(|(name, value)| (name.as_str(), *value)))
    }

    pub fn text(&self) -> &str {
        self.0.get()
    }

    pub fn raw(&self) -> &RawValue {
        &self.0
    }

    pub fn size(&self) -> usize {
        self.text().len()
    }

    pub fn is_object(&self) -> bool {
        self.text().starts_with('{')
    }

    /// The whole value, taken apart.
    pub fn to_value(&self) -> Value {
        serde_json::from_str(self.text()).unwrap_or(Value::Null)
    }

    /// An object's fields, not taken apart further.
    pub fn fields(&self) -> Option<IndexMap<String, &RawValue>> {
        self.is_object().then(|| serde_json::from_str(self.text()).ok()).flatten()
    }

    /// A list's items, not taken apart further.
    pub fn items(&self) -> Option<Vec<&RawValue>> {
        self.text().starts_with('[').then(|| serde_json::from_str(self.text()).ok()).flatten()
    }

    /// The value at a JSON pointer's segments, taking apart only what lies on the way.
    pub fn at<'s>(&self, segments: impl IntoIterator<Item = &'s str>) -> Option<Json> {
        find(&self.0, segments).map(Json::from)
    }
}

/// Whether a text is a value that can be kept.
fn check(text: &str) -> Result<(), Error> {
    let mut reader = serde_json::Deserializer::from_str(text);
    let checked = Check { levels: DEEPEST }.deserialize(&mut reader).and_then(|()| reader.end());
    checked.map_err(|error| Error(error.to_string()))
}

fn not_utf8(error: std::str::Utf8Error) -> Error {
    Error(format!("not UTF-8: the byte at {} begins no character", error.valid_up_to()))
}

/// The value at a JSON pointer's segments within another one, not copied.
pub fn find<'a, 's>(within: &'a RawValue, segments: impl IntoIterator<Item = &'s str>) -> Option<&'a RawValue> {
    segments.into_iter().try_fold(within, |found, segment| {
        let text = found.get();
        if text.starts_with('{') {
            let mut fields: IndexMap<String, &RawValue> = serde_json::from_str(text).ok()?;
            fields.swap_remove(segment)
        } else if text.starts_with('[') {
            let items: Vec<&RawValue> = serde_json::from_str(text).ok()?;
            let plain = segment == "0" || !segment.starts_with(['0', '+']);
            items.get(segment.parse::<usize>().ok().filter(|_| plain)?).copied()
        } else {
            None
        }
    })
}

/// The segments of a JSON pointer; `None` if it does not start with a slash.
pub fn pointer_segments(pointer: &str) -> Option<Vec<String>> {
    let rest = pointer.strip_prefix('/')?;
    Some(rest.split('/').map(|segment| segment.replace("~1", "/").replace("~0", "~")).collect())
}

impl From<&RawValue> for Json {
    fn from(raw: &RawValue) -> Self {
        Self(Arc::new(raw.to_owned()))
    }
}

impl PartialEq for Json {
    fn eq(&self, other: &Self) -> bool {
        self.text() == other.text()
    }
}

impl Eq for Json {}

impl fmt::Debug for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

impl Serialize for Json {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self(Box::<RawValue>::deserialize(deserializer)?.into()))
    }
}

/// Walks through a value without keeping it.
#[derive(Clone, Copy)]
struct Check {
    /// How many levels may still follow.
    levels: usize,
}

impl Check {
    /// For what is within a list or an object.
    fn within<E: serde::de::Error>(self) -> Result<Self, E> {
        let levels = self.levels.checked_sub(1);
        let levels = levels.ok_or_else(|| E::custom(format_args!("nested deeper than {DEEPEST} levels")))?;
        Ok(Self { levels })
    }
}

impl<'de> DeserializeSeed<'de> for Check {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Check {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<(), E> {
        if text.contains('\0') {
            Err(E::custom("a text has the character NUL (\\u0000), which cannot be kept"))
        } else {
            Ok(())
        }
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        let within = self.within()?;
        while items.next_element_seed(within)?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<(), A::Error> {
        let within = self.within()?;
        let mut names: HashSet<String> = HashSet::new();
        while let Some(name) = fields.next_key::<String>()? {
            self.visit_str::<A::Error>(&name)?;
            if names.contains(&name) {
                let shown: String = name.chars().take(64).collect();
                return Err(A::Error::custom(format_args!("the key `{shown}` is twice in an object")));
            }
            names.insert(name);
            fields.next_value_seed(within)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const EXACT: &str =
        r#"{"z":123456789012345678901234567890,"a":[1.0,-0.0,0.1000,1E5,[],{}],"":"é","n":null,"t":true}"#;

    #[test]
    fn values_stay_as_they_are() {
        let value = Json::parse(EXACT).expect("valid");
        assert_eq!(value.text(), EXACT);
        assert_eq!(value.at(["a", "2"]).expect("a number").text(), "0.1000");
        assert_eq!(value.at(["z"]).expect("a number").text(), "123456789012345678901234567890");
        assert_eq!(value.at(["a", "6"]), None);
        assert_eq!(value.at(["t", "x"]), None);
        let text = serde_json::to_string(&[&value]).expect("JSON");
        assert_eq!(text, format!("[{EXACT}]"));
        assert_eq!(serde_json::from_str::<Vec<Json>>(&text).expect("JSON"), [value]);
    }

    #[test]
    fn what_cannot_be_kept_is_refused() {
        let deep = |levels: usize| format!("{}1{}", "[".repeat(levels), "]".repeat(levels));
        assert!(Json::parse(&deep(DEEPEST)).is_ok());
        assert_eq!(
            Json::parse(&deep(DEEPEST + 1)).map_err(|error| error.to_string()),
            Err("nested deeper than 120 levels at line 1 column 121".to_owned())
        );
        for (text, reason) in [
            (r#"{"a":"\u0000"}"#, "NUL"),
            (r#"{"a\u0000":1}"#, "NUL"),
            (r#"[{"a":1,"b":2,"a":3}]"#, "the key `a` is twice"),
            ("{", "EOF"),
            ("1 2", "trailing"),
            ("", "EOF"),
        ] {
            let error = Json::parse(text).expect_err(text).to_string();
            assert!(error.contains(reason), "{text}: {error}");
        }
        assert_eq!(
            Json::parse_bytes(b"\"\xff\"").expect_err("not UTF-8").to_string(),
            "not UTF-8: the byte at 1 begins no character"
        );
    }

    #[test]
    fn later_objects_win() {
        let values: Vec<Json> = [json!({"a": 1, "b": 2}), json!([1]), json!({"b": 3, "c": 4})]
            .iter()
            .map(|value| Json::from_value(value).expect("valid"))
            .collect();
        assert_eq!(Json::merged(&values).text(), r#"{"a":1,"b":3,"c":4}"#);
        assert_eq!(Json::merged([]).text(), "{}");
    }

    #[test]
    fn pointers_are_unescaped() {
        assert_eq!(pointer_segments("/a~1b/m~0n/0"), Some(vec!["a/b".to_owned(), "m~n".to_owned(), "0".to_owned()]));
        assert_eq!(pointer_segments("a"), None);
    }
}
