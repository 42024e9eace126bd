//! The computed fields of a step's input, as they are kept.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::MapAccess, de::Visitor};

use crate::domain::json::Json;

/// Fields and their values in the order in which they were written. As JSON, an object.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Computed(Vec<(String, Json)>);

impl Computed {
    pub fn push(&mut self, target: &str, value: Json) {
        self.0.push((target.to_owned(), value));
    }

    pub fn get(&self, target: &str) -> Option<&Json> {
        self.0.iter().find(|(name, _)| name == target).map(|(_, value)| value)
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn fields(&self) -> &[(String, Json)] {
        &self.0
    }

    /// As one value, to be stored.
    pub fn to_json(&self) -> Json {
        Json::object(self.0.iter().map(|(target, value)| (target.as_str(), value.raw())))
    }

    /// From one value that was stored.
    pub fn from_json(value: &Json) -> Self {
        let fields = value.fields().unwrap_or_default();
        Self(fields.into_iter().map(|(target, value)| (target, value.into())).collect())
    }
}

impl Serialize for Computed {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(target, value)| (target, value)))
    }
}

impl<'de> Deserialize<'de> for Computed {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Fields;

        impl<'de> Visitor<'de> for Fields {
            type Value = Computed;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Computed, A::Error> {
                let mut fields = Vec::new();
                while let Some(field) = map.next_entry()? {
                    fields.push(field);
                }
                Ok(Computed(fields))
            }
        }

        deserializer.deserialize_map(Fields)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_keep_their_order_and_digits() {
        let text = r#"{"z":1.0,"a":[123456789012345678901234567890]}"#;
        let computed: Computed = serde_json::from_str(text).expect("JSON");
        assert_eq!(computed.get("z").map(Json::text), Some("1.0"));
        assert_eq!(serde_json::to_string(&computed).expect("JSON"), text);
        assert_eq!(computed.to_json().text(), text);
        assert_eq!(Computed::from_json(&computed.to_json()), computed);
    }
}
