//! JSON values in the notation of GraphQL documents.

use serde_json::Value;

use super::schema::{Schema, Type};

/// A value as it stands in a document. Enums have no quotes there.
pub fn literal(value: &Value, wanted: &Type, schema: &Schema) -> String {
    match (value, wanted) {
        (value, Type::NonNull(inner)) => literal(value, inner, schema),
        (Value::String(text), Type::Named(name))
            if schema.types.get(name).is_some_and(|found| found.values.contains(text)) =>
        {
            text.clone()
        }
        (Value::Array(items), wanted) => {
            let inner = if let Type::List(inner) = wanted { inner } else { wanted };
            format!("[{}]", items.iter().map(|item| literal(item, inner, schema)).collect::<Vec<_>>().join(", "))
        }
        (Value::Object(fields), wanted) => {
            let inputs = schema.types.get(wanted.named()).map(|found| found.inputs.as_slice()).unwrap_or_default();
            let kind = |name: &str| inputs.iter().find(|(input, _)| input == name).map_or(wanted, |(_, kind)| kind);
            let fields = fields.iter().map(|(name, value)| format!("{name}: {}", literal(value, kind(name), schema)));
            format!("{{{}}}", fields.collect::<Vec<_>>().join(", "))
        }
        (value, _) => value.to_string(),
    }
}
