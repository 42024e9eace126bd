//! An agent's specification as JSON, which is how its versions are kept.

use serde_json::{Map, Value, json};

use super::{Config, Http, Kind, RiskLevel, Spec, Transform, Worker, read_config};
use crate::domain::{document::Problems, json::Json};

/// Why a stored text is not a specification.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not an agent's specification: {0}")]
pub struct Unreadable(String);

impl Config {
    /// The config as its author could have written it, with the defaults filled in.
    pub fn to_value(&self) -> Value {
        match self {
            Config::Http(Http { url, method, headers, max_concurrency }) => {
                let headers: Map<String, Value> =
                    headers.iter().map(|(name, text)| (name.clone(), Value::from(text.as_str()))).collect();
                let config = json!({"url": url, "method": method.as_str(), "headers": headers});
                with_max_concurrency(config, *max_concurrency)
            }
            Config::Worker(Worker { queue, max_concurrency }) => {
                with_max_concurrency(json!({ "queue": queue }), *max_concurrency)
            }
            Config::Transform(Transform::Value(source)) => json!({"output": source.to_value()}),
            Config::Transform(Transform::Fields(fields)) => {
                let fields: Map<String, Value> =
                    fields.iter().map(|(name, source)| (name.clone(), source.to_value())).collect();
                json!({ "fields": fields })
            }
        }
    }
}

fn with_max_concurrency(mut config: Value, max_concurrency: Option<u32>) -> Value {
    if let Some(number) = max_concurrency {
        config["maxConcurrency"] = number.into();
    }
    config
}

impl Spec {
    pub fn kind(&self) -> Kind {
        self.config.kind()
    }

    /// What kind of action it does: what its author says, or what its kind stands for.
    pub fn operation_type(&self) -> String {
        self.operation_type.clone().unwrap_or_else(|| self.kind().default_operation().to_owned())
    }

    pub fn to_text(&self) -> String {
        let mut spec = json!({
            "kind": self.kind().as_str(),
            "description": self.description,
            "config": self.config.to_value(),
            "riskLevel": self.risk_level.as_str(),
        });
        let optional = [
            ("operationType", self.operation_type.as_deref().map(Value::from)),
            ("inputSchema", self.input_schema.clone()),
            ("outputSchema", self.output_schema.clone()),
        ];
        for (name, value) in optional {
            if let Some(value) = value {
                spec[name] = value;
            }
        }
        spec.to_string()
    }

    /// Reads what [`Spec::to_text`] wrote, perhaps in an older version of the server.
    pub fn from_text(text: &str) -> Result<Self, Unreadable> {
        let unreadable = |reason: &dyn ToString| Unreadable(reason.to_string());
        let value = Json::parse(text).map_err(|error| unreadable(&error))?.to_value();
        let word = |name: &str| value.get(name).and_then(Value::as_str);
        let missing = |name: &str| Unreadable(format!("`{name}` is missing or unknown"));
        let kind: Kind = word("kind").and_then(|text| text.parse().ok()).ok_or_else(|| missing("kind"))?;
        let risk_level: RiskLevel =
            word("riskLevel").and_then(|text| text.parse().ok()).ok_or_else(|| missing("riskLevel"))?;
        let mut problems = Problems::default();
        let config = read_config(kind, value.get("config").unwrap_or(&Value::Null), &mut problems);
        let problem = || problems.into_vec().into_iter().next().map_or_else(String::new, |problem| problem.message);
        Ok(Self {
            description: word("description").unwrap_or_default().to_owned(),
            // What was saved under the rules of its time is still run.
            config: config.ok_or_else(|| Unreadable(problem()))?,
            input_schema: value.get("inputSchema").cloned(),
            output_schema: value.get("outputSchema").cloned(),
            operation_type: word("operationType").map(str::to_owned),
            risk_level,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn specifications_come_back_as_they_were() {
        let configs = [
            (
                Kind::Http,
                json!({"url": "https://a/b", "method": "GET", "headers": {"Z": "1", "A": "2"}, "maxConcurrency": 3}),
            ),
            (Kind::Worker, json!({"queue": "gpu"})),
            (Kind::Transform, json!({"output": "/input/a"})),
            (Kind::Transform, json!({"fields": {"z": "input.a", "a": [1], "n": null}})),
        ];
        let schema: Value =
            serde_json::from_str(r#"{"maximum":123456789012345678901234567890,"a":1.0}"#).expect("JSON");
        for (kind, config) in configs {
            let mut problems = Problems::default();
            let read = read_config(kind, &config, &mut problems).expect("a config");
            assert!(problems.is_empty());
            assert_eq!(read.to_value(), config);
            let spec = Spec {
                description: "Größe".to_owned(),
                config: read,
                input_schema: Some(schema.clone()),
                output_schema: Some(Value::Bool(true)),
                operation_type: None,
                risk_level: RiskLevel::High,
            };
            let text = spec.to_text();
            assert_eq!(Spec::from_text(&text), Ok(spec.clone()));
            assert!(text.contains(r#"{"maximum":123456789012345678901234567890,"a":1.0}"#), "{text}");
        }
    }

    #[test]
    fn what_cannot_be_read_is_explained() {
        for text in ["", "{}", r#"{"kind":"LLM"}"#, r#"{"kind":"HTTP","riskLevel":"LOW","config":{}}"#] {
            assert!(Spec::from_text(text).is_err(), "{text}");
        }
    }
}
