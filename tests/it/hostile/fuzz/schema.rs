//! The schema as introspection tells it.

use std::collections::HashMap;

use serde_json::{Value, json};

use crate::support::{TestApp, at, text};

const INTROSPECTION: &str = "{ __schema { queryType { name } mutationType { name } subscriptionType { name } types {
    kind name enumValues { name } possibleTypes { name }
    fields { name args { name type { ...T } } type { ...T } } inputFields { name type { ...T } } } } }
    fragment T on __Type { kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name } } } } }";

#[derive(Debug, Clone)]
pub enum Type {
    Named(String),
    List(Box<Type>),
    NonNull(Box<Type>),
}

impl Type {
    fn read(value: &Value) -> Self {
        let inner = || Box::new(Self::read(at(value, "/ofType")));
        match text(value, "/kind") {
            "NON_NULL" => Type::NonNull(inner()),
            "LIST" => Type::List(inner()),
            _ => Type::Named(text(value, "/name").to_owned()),
        }
    }

    pub fn named(&self) -> &str {
        match self {
            Type::Named(name) => name,
            Type::List(inner) | Type::NonNull(inner) => inner.named(),
        }
    }
}

impl std::fmt::Display for Type {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Type::Named(name) => f.write_str(name),
            Type::List(inner) => write!(f, "[{inner}]"),
            Type::NonNull(inner) => write!(f, "{inner}!"),
        }
    }
}

#[derive(Debug)]
pub struct Field {
    pub name: String,
    pub arguments: Vec<(String, Type)>,
    pub returns: Type,
}

#[derive(Debug, Default)]
pub struct Definition {
    pub fields: Vec<Field>,
    pub inputs: Vec<(String, Type)>,
    pub values: Vec<String>,
    pub possible: Vec<String>,
}

#[derive(Debug)]
pub struct Schema {
    pub types: HashMap<String, Definition>,
    /// The root types' names by the operation's keyword.
    pub roots: [(&'static str, String); 3],
}

impl Schema {
    pub async fn read(app: &TestApp) -> Self {
        let answer = app.anonymous(INTROSPECTION, json!({})).await;
        let schema = at(&answer, "/data/__schema");
        let root = |pointer: &str| text(schema, pointer).to_owned();
        let types = list(schema, "/types").iter().map(|kind| (text(kind, "/name").to_owned(), definition(kind)));
        Self {
            types: types.collect(),
            roots: [
                ("query", root("/queryType/name")),
                ("mutation", root("/mutationType/name")),
                ("subscription", root("/subscriptionType/name")),
            ],
        }
    }
}

fn definition(kind: &Value) -> Definition {
    let names = |pointer: &str| list(kind, pointer).iter().map(|value| text(value, "/name").to_owned()).collect();
    let typed = |values: &[Value]| -> Vec<(String, Type)> {
        values.iter().map(|value| (text(value, "/name").to_owned(), Type::read(at(value, "/type")))).collect()
    };
    let field = |value: &Value| Field {
        name: text(value, "/name").to_owned(),
        arguments: typed(list(value, "/args")),
        returns: Type::read(at(value, "/type")),
    };
    Definition {
        fields: list(kind, "/fields").iter().map(field).collect(),
        inputs: typed(list(kind, "/inputFields")),
        values: names("/enumValues"),
        possible: names("/possibleTypes"),
    }
}

fn list<'a>(value: &'a Value, pointer: &str) -> &'a [Value] {
    at(value, pointer).as_array().map_or(&[], Vec::as_slice)
}
