//! JSON values, kept exactly: types, key order, and numbers of any size.
//!
//! The library's own conversions go through serde, which loses integers beyond 64 bits. These do not.

use async_graphql::{InputValueResult, Name, Scalar, ScalarType, Value, Variables};
use serde_json::Map;

use super::error::UserError;
use crate::domain::{json, refusal::Refusal};

/// Any JSON value. Numbers keep their digits and objects the order of their keys.
#[derive(Debug, Clone, PartialEq)]
pub struct Json(pub serde_json::Value);

/// Any JSON value. Numbers keep their digits and objects the order of their keys.
#[Scalar(name = "JSON")]
impl ScalarType for Json {
    fn parse(value: Value) -> InputValueResult<Self> {
        Ok(Self(into_json(value)))
    }

    fn to_value(&self) -> Value {
        from_json(self.0.clone())
    }
}

impl From<&json::Json> for Json {
    fn from(json: &json::Json) -> Self {
        Self(json.to_value())
    }
}

/// A value of a mutation's input, if it can be kept.
pub fn read(field: &'static str, value: &Json) -> Result<json::Json, UserError> {
    let unfit = |error| UserError::from(Refusal::invalid(field, format!("`{field}` cannot be kept: {error}")));
    json::Json::from_value(&value.0).map_err(unfit)
}

/// A request's variables.
pub fn variables(fields: Map<String, serde_json::Value>) -> Variables {
    let mut variables = Variables::default();
    variables.extend(fields.into_iter().map(|(name, value)| (Name::new(name), from_json(value))));
    variables
}

fn from_json(value: serde_json::Value) -> Value {
    match value {
        serde_json::Value::Null => Value::Null,
        serde_json::Value::Bool(value) => Value::Boolean(value),
        serde_json::Value::Number(number) => Value::Number(number),
        serde_json::Value::String(text) => Value::String(text),
        serde_json::Value::Array(items) => Value::List(items.into_iter().map(from_json).collect()),
        serde_json::Value::Object(fields) => {
            Value::Object(fields.into_iter().map(|(name, value)| (Name::new(name), from_json(value))).collect())
        }
    }
}

fn into_json(value: Value) -> serde_json::Value {
    match value {
        Value::Null => serde_json::Value::Null,
        Value::Boolean(value) => serde_json::Value::Bool(value),
        Value::Number(number) => serde_json::Value::Number(number),
        Value::String(text) => serde_json::Value::String(text),
        Value::Enum(name) => serde_json::Value::String(name.to_string()),
        // Neither a document nor variables can have one.
        Value::Binary(_) => serde_json::Value::Null,
        Value::List(items) => serde_json::Value::Array(items.into_iter().map(into_json).collect()),
        Value::Object(fields) => serde_json::Value::Object(
            fields.into_iter().map(|(name, value)| (name.to_string(), into_json(value))).collect(),
        ),
    }
}

#[cfg(test)]
mod tests {
    use async_graphql::{EmptyMutation, EmptySubscription, Object, Request, Schema};

    use super::*;

    struct Echo;

    #[Object]
    impl Echo {
        async fn echo(&self, value: Json) -> Json {
            value
        }
    }

    const EXACT: &str =
        r#"{"z":123456789012345678901234567890,"a":[1.0,-0.0,0.1000,[],{}],"":"\u0000é","n":null,"t":true}"#;

    #[tokio::test]
    async fn values_come_back_as_they_went_in() {
        let schema = Schema::new(Echo, EmptyMutation, EmptySubscription);
        let fields = serde_json::from_str(&format!(r#"{{"value":{EXACT}}}"#)).expect("an object");
        let by_variable = Request::new("query($value: JSON!) { echo(value: $value) }").variables(variables(fields));
        let literal = Request::new("{ echo(value: {z: 123456789012345678901234567890, a: [1.0, FOO]}) }");
        for (request, expected) in
            [(by_variable, EXACT), (literal, r#"{"z":123456789012345678901234567890,"a":[1.0,"FOO"]}"#)]
        {
            let response = schema.execute(request).await;
            let text = serde_json::to_string(&response.data).expect("JSON");
            assert_eq!(text, format!(r#"{{"echo":{expected}}}"#));
        }
    }
}
