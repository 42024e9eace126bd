//! What callers say of an agent, and what it comes to.

use serde_json::{Value, json};

use crate::{
    domain::{
        agent::{Config, Kind, RiskLevel, Spec, read_config},
        document,
        json::Json,
        name, operation_type,
        refusal::Refusal,
        schema,
    },
    engine::{Result, error::Problems},
};

const LONGEST_DESCRIPTION: usize = 2_000;
/// The most bytes of a config or a schema.
const LARGEST_VALUE: usize = 256 * 1024;

/// The changeable part of an agent. What is `None` stays as it is, or gets its default; `Some(None)` is taken away.
#[derive(Debug, Clone, Default)]
pub struct AgentFields {
    pub description: Option<Option<String>>,
    pub config: Option<Value>,
    pub input_schema: Option<Option<Value>>,
    pub output_schema: Option<Option<Value>>,
    pub operation_type: Option<Option<String>>,
    pub risk_level: Option<Option<RiskLevel>>,
}

impl AgentFields {
    /// A new agent's specification, or everything that is wrong, with the problems that were found before.
    pub(super) fn make(&self, kind: Kind, mut problems: Problems) -> Result<Spec> {
        let config = self.config.clone().unwrap_or_else(|| json!({}));
        let config = take_config(kind, &config, &mut problems);
        let made = config.map(|config| Spec {
            description: String::new(),
            config,
            input_schema: None,
            output_schema: None,
            operation_type: None,
            risk_level: kind.default_risk(),
        });
        self.finish(made, problems)
    }

    /// An agent's next specification, or everything that is wrong.
    pub(super) fn change(&self, before: &Spec) -> Result<Spec> {
        let mut problems = Problems::default();
        let config = match &self.config {
            Some(config) => take_config(before.kind(), config, &mut problems),
            None => Some(before.config.clone()),
        };
        self.finish(config.map(|config| Spec { config, ..before.clone() }), problems)
    }

    /// Without a specification to change, the rest is looked at all the same: callers see all problems at once.
    fn finish(&self, spec: Option<Spec>, mut problems: Problems) -> Result<Spec> {
        let description = self.description.as_ref().map(|text| {
            let text = text.as_deref().unwrap_or_default();
            problems.take(name::check_text("description", text, LONGEST_DESCRIPTION))
        });
        let input_schema = take_schema("inputSchema", self.input_schema.as_ref(), &mut problems);
        let output_schema = take_schema("outputSchema", self.output_schema.as_ref(), &mut problems);
        let operation_type = self.operation_type.as_ref().map(|word| {
            let word = word.as_deref()?;
            problems.take(operation_type::check("operationType", word))
        });
        problems.check()?;
        let missing = || Refusal::invalid("config", "`config` cannot be read");
        let spec = spec.ok_or_else(missing)?;
        let kind = spec.kind();
        Ok(Spec {
            description: description.map_or(spec.description, Option::unwrap_or_default),
            config: spec.config,
            input_schema: input_schema.unwrap_or(spec.input_schema),
            output_schema: output_schema.unwrap_or(spec.output_schema),
            operation_type: operation_type.unwrap_or(spec.operation_type),
            risk_level: self.risk_level.map_or(spec.risk_level, |level| level.unwrap_or(kind.default_risk())),
        })
    }
}

fn take_config(kind: Kind, config: &Value, problems: &mut Problems) -> Option<Config> {
    problems.take(check_value("config", config))?;
    let mut found = document::Problems::default();
    let read = read_config(kind, config, &mut found);
    let found = found.into_vec();
    for problem in &found {
        problems.note(Refusal::of_problem("config", problem));
    }
    read.filter(|_| found.is_empty())
}

fn take_schema(field: &'static str, schema: Option<&Option<Value>>, problems: &mut Problems) -> Option<Option<Value>> {
    let schema = schema?;
    if let Some(schema) = schema {
        let checked = check_value(field, schema);
        problems.take(checked.and_then(|()| schema::check(schema).map_err(|reason| Refusal::invalid(field, reason))));
    }
    Some(schema.clone())
}

/// Whether a value can be kept.
fn check_value(field: &'static str, value: &Value) -> std::result::Result<(), Refusal> {
    match Json::from_value(value) {
        Ok(json) if json.size() > LARGEST_VALUE => {
            let message = format!("`{field}` has {} bytes: at most {LARGEST_VALUE} are allowed", json.size());
            Err(Refusal::invalid(field, message))
        }
        Ok(_) => Ok(()),
        Err(error) => Err(Refusal::invalid(field, format!("`{field}` cannot be kept: {error}"))),
    }
}
