//! The schema as data, and operations made from it.

use std::{collections::HashMap, fmt::Write};

use serde_json::{Value, json};

use crate::support::{TestApp, at, text};

const INTROSPECTION: &str = "{ __schema { queryType { name } mutationType { name } subscriptionType { name } types {
    kind name description
    fields(includeDeprecated: true) { name description args { name description type { ...T } } type { ...T } }
    inputFields { name description type { ...T } }
    enumValues(includeDeprecated: true) { name description }
    possibleTypes { name }
} } }
fragment T on __Type { kind name ofType { kind name ofType { kind name ofType { kind name } } } }";

pub struct Schema {
    whole: Value,
    /// Where each type stands among all of them.
    places: HashMap<String, usize>,
}

impl Schema {
    pub async fn of(app: &TestApp, token: &str) -> Self {
        let answer = app.graphql(token, INTROSPECTION, json!({})).await;
        let whole = at(&answer, "/data/__schema").clone();
        let places = list(&whole, "types").iter().enumerate();
        let places = places.map(|(place, found)| (text(found, "/name").to_owned(), place)).collect();
        Self { whole, places }
    }

    pub fn types(&self) -> impl Iterator<Item = &Value> {
        let ours = |found: &&Value| !text(found, "/name").starts_with("__");
        at(&self.whole, "/types").as_array().expect("types").iter().filter(ours)
    }

    pub fn find(&self, name: &str) -> &Value {
        self.places.get(name).map_or_else(|| panic!("no type {name}"), |place| &list(&self.whole, "types")[*place])
    }

    /// The fields of a root type: `queryType`, `mutationType` or `subscriptionType`.
    pub fn roots(&self, kind: &str) -> &[Value] {
        let name = text(&self.whole, &format!("/{kind}/name"));
        list(self.find(name), "fields")
    }

    /// A field with its arguments and everything that can be selected of it down to a depth.
    pub fn field(&self, field: &Value, id: &str, depth: usize) -> String {
        self.field_within(field, id, depth, &[])
    }

    fn field_within(&self, field: &Value, id: &str, depth: usize, within: &[&str]) -> String {
        let arguments: Vec<String> = list(field, "args")
            .iter()
            .filter_map(|argument| {
                // Pages within pages would be too much to ask for.
                let small = (text(argument, "/name") == "first").then(|| "1".to_owned());
                let value = small.or_else(|| self.argument(at(argument, "/type"), id))?;
                Some(format!("{}: {value}", text(argument, "/name")))
            })
            .collect();
        let arguments = if arguments.is_empty() { String::new() } else { format!("({})", arguments.join(", ")) };
        let selection = self.selection(named(at(field, "/type")), id, depth, within);
        format!("{}{arguments}{selection}", text(field, "/name"))
    }

    /// A value for an argument: always for ids and what is required, otherwise nothing.
    fn argument(&self, of: &Value, id: &str) -> Option<String> {
        let required = text(of, "/kind") == "NON_NULL";
        let inner = if required { at(of, "/ofType") } else { of };
        match text(inner, "/kind") {
            "LIST" => Some(format!("[{}]", self.argument(at(inner, "/ofType"), id)?)),
            "INPUT_OBJECT" => {
                let fields: Vec<String> = list(self.find(text(inner, "/name")), "inputFields")
                    .iter()
                    .filter_map(|field| {
                        Some(format!("{}: {}", text(field, "/name"), self.argument(at(field, "/type"), id)?))
                    })
                    .collect();
                (required || !fields.is_empty()).then(|| format!("{{{}}}", fields.join(", ")))
            }
            "ENUM" if required => {
                Some(text(&list(self.find(text(inner, "/name")), "enumValues")[0], "/name").to_owned())
            }
            _ => match text(inner, "/name") {
                "ID" => Some(format!("\"{id}\"")),
                _ if !required => None,
                "Int" => Some("1".to_owned()),
                "Float" => Some("1.5".to_owned()),
                "JSON" => Some("{}".to_owned()),
                "Boolean" => Some("true".to_owned()),
                "DateTime" => Some("\"2099-01-01T00:00:00Z\"".to_owned()),
                "String" => Some("\"somebody@example.com\"".to_owned()),
                other => panic!("the walk does not know how to make a value of {other}"),
            },
        }
    }

    /// Every field down to a depth, through interfaces as well. A type within itself shows only what it is.
    fn selection(&self, name: &str, id: &str, depth: usize, within: &[&str]) -> String {
        let found = self.find(name);
        if !matches!(text(found, "/kind"), "OBJECT" | "INTERFACE" | "UNION") {
            return String::new();
        }
        let mut selection = String::from(" { __typename");
        if depth > 0 {
            self.fields(&mut selection, name, &[], id, depth, within);
            let common: Vec<&str> = list(found, "fields").iter().map(|field| text(field, "/name")).collect();
            for possible in list(found, "possibleTypes") {
                let name = text(possible, "/name");
                write!(selection, " ... on {name} {{ __typename").expect("written");
                // One level less: what is behind an interface can be reached otherwise, and they are many.
                self.fields(&mut selection, name, &common, id, (depth - 1).max(1), within);
                selection.push_str(" }");
            }
        }
        selection + " }"
    }

    /// The fields of a type but for those that are selected already. The edges of a page are its nodes once more.
    fn fields(&self, selection: &mut String, of: &str, except: &[&str], id: &str, depth: usize, within: &[&str]) {
        let fields = list(self.find(of), "fields");
        let is_page = fields.iter().any(|field| text(field, "/name") == "nodes");
        let depth = if within.contains(&of) { 1 } else { depth };
        let within: Vec<&str> = within.iter().copied().chain([of]).collect();
        for field in fields {
            let name = text(field, "/name");
            let again = except.contains(&name) || (is_page && name == "edges");
            if !again {
                write!(selection, " {}", self.field_within(field, id, depth - 1, &within)).expect("written");
            }
        }
    }
}

/// The list under a name, empty when it is null.
pub fn list<'a>(value: &'a Value, name: &str) -> &'a [Value] {
    value[name].as_array().map_or(&[], Vec::as_slice)
}

/// The name inside lists and non-nulls.
fn named(of: &Value) -> &str {
    match of["name"].as_str() {
        Some(name) => name,
        None => named(at(of, "/ofType")),
    }
}
