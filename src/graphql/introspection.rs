//! What questions about the schema cost.
//!
//! Types lead to types: from an interface to its fifty types, from each of them back to the interface, and each level
//! multiplies the answer. So how long an answer would be is worked out on the schema itself before anything is
//! resolved, each part of the question for each part of the schema once.

use std::{collections::HashMap, sync::LazyLock};

use async_graphql::{
    ServerError, Value as Argument,
    parser::types::{ExecutableDocument, Field, OperationType, Selection, SelectionSet},
};
use futures_util::FutureExt;
use serde_json::Value;

use super::{
    error::{Code, request_error},
    schema,
};

/// So many times everything that there is to know may be asked for at once. Tools ask for it once.
const MOST_TIMES: usize = 2;

/// What is written around a value and its name.
const SIGNS: usize = 4;

/// Everything that can be asked, as tools ask it.
const EVERYTHING: &str = "{
    __schema {
        description queryType { kind name } mutationType { kind name } subscriptionType { kind name }
        types { ...FullType }
        directives { name description isRepeatable locations args(includeDeprecated: true) { ...InputValue } }
    }
}
fragment FullType on __Type {
    kind name description specifiedByURL isOneOf
    fields(includeDeprecated: true) {
        name description args(includeDeprecated: true) { ...InputValue } type { ...TypeRef } isDeprecated deprecationReason
    }
    inputFields(includeDeprecated: true) { ...InputValue }
    interfaces { ...TypeRef }
    enumValues(includeDeprecated: true) { name description isDeprecated deprecationReason }
    possibleTypes { ...TypeRef }
}
fragment InputValue on __InputValue {
    name description type { ...TypeRef } defaultValue isDeprecated deprecationReason
}
fragment TypeRef on __Type {
    kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name } } } } }
}";

/// The schema as its introspection tells it.
struct Catalogue {
    schema: Value,
    /// Where each type is in the list of all.
    types: HashMap<String, usize>,
    /// How long the answer about everything is.
    bytes: usize,
}

static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(|| {
    // Nothing in it waits for anything.
    let response = schema::without_data().execute(EVERYTHING).now_or_never();
    let mut answer = response.and_then(|response| response.data.into_json().ok()).unwrap_or_default();
    let schema = answer.get_mut("__schema").map(Value::take).unwrap_or_default();
    let list = schema.get("types").and_then(Value::as_array);
    let name = |(at, of): (usize, &Value)| Some((of.get("name")?.as_str()?.to_owned(), at));
    let types = list.into_iter().flatten().enumerate().filter_map(name).collect();
    Catalogue { bytes: schema.to_string().len(), types, schema }
});

impl Catalogue {
    fn all_types(&self) -> &[Value] {
        self.schema.get("types").and_then(Value::as_array).map_or(&[], Vec::as_slice)
    }

    /// All that is known of a type, where only its name stands.
    fn whole<'a>(&'a self, node: &'a Value) -> &'a Value {
        let name = node.get("kind").and_then(|_| node.get("name")).and_then(Value::as_str);
        name.and_then(|name| self.types.get(name)).and_then(|at| self.all_types().get(*at)).unwrap_or(node)
    }
}

/// Whether a document asks about the schema.
pub fn is_asked(document: &ExecutableDocument) -> bool {
    let operations = document.operations.iter().map(|(_, operation)| &operation.node.selection_set.node);
    let fragments = document.fragments.values().map(|fragment| &fragment.node.selection_set.node);
    let mut open: Vec<&SelectionSet> = operations.chain(fragments).collect();
    // Such a field stands at the top, of the operation or of a fragment.
    while let Some(set) = open.pop() {
        for item in &set.items {
            match &item.node {
                Selection::Field(field) if matches!(field.node.name.node.as_str(), "__schema" | "__type") => {
                    return true;
                }
                Selection::InlineFragment(fragment) => open.push(&fragment.node.selection_set.node),
                Selection::Field(_) | Selection::FragmentSpread(_) => {}
            }
        }
    }
    false
}

/// Refuses a document whose answer about the schema would be very long. Fragments must not contain themselves.
pub fn check(document: &ExecutableDocument) -> Result<(), ServerError> {
    if !is_asked(document) {
        return Ok(());
    }
    let catalogue = &*CATALOGUE;
    let most = catalogue.bytes.saturating_mul(MOST_TIMES);
    // A type that a variable names may be any: looking at all of them costs more than the answer about one.
    let left = most.saturating_mul(4);
    let mut costs = Costs { document, catalogue, most, left, known: HashMap::new() };
    let mut sum = 0_usize;
    for (_, operation) in document.operations.iter().filter(|(_, operation)| operation.node.ty == OperationType::Query)
    {
        let cost = costs.of_root(&operation.node.selection_set.node);
        sum = sum.saturating_add(cost.unwrap_or(usize::MAX));
    }
    if sum <= most {
        return Ok(());
    }
    let message = format!(
        "the query is too complex: its introspection would give more than {most} bytes, \
         {MOST_TIMES} times all there is to know about the schema: ask for fewer lists within lists"
    );
    Err(request_error(Code::QueryTooComplex, message))
}

/// The answer would be too long.
struct TooLong;

struct Costs<'a> {
    document: &'a ExecutableDocument,
    catalogue: &'a Catalogue,
    most: usize,
    /// How much may still be looked at.
    left: usize,
    /// The bytes of what a selection gives of a part of the schema, by where both are in memory.
    known: HashMap<(*const SelectionSet, *const Value), usize>,
}

impl<'a> Costs<'a> {
    fn of_root(&mut self, set: &'a SelectionSet) -> Result<usize, TooLong> {
        let mut sum = 0_usize;
        for item in &set.items {
            let cost = match &item.node {
                Selection::Field(field) => match field.node.name.node.as_str() {
                    "__schema" => self.of_set(&field.node.selection_set.node, &self.catalogue.schema)?,
                    "__type" => self.of_type(&field.node)?,
                    _ => 0,
                },
                Selection::InlineFragment(fragment) => self.of_root(&fragment.node.selection_set.node)?,
                Selection::FragmentSpread(spread) => match self.fragment(&spread.node.fragment_name.node) {
                    Some(set) => self.of_root(set)?,
                    None => 0,
                },
            };
            sum = self.within(sum.saturating_add(cost))?;
        }
        Ok(sum)
    }

    fn of_type(&mut self, field: &'a Field) -> Result<usize, TooLong> {
        let set = &field.selection_set.node;
        let named = field.get_argument("name").and_then(|name| name.node.clone().into_const());
        let types = self.catalogue.all_types();
        match named {
            Some(Argument::String(name)) => match self.catalogue.types.get(&name).and_then(|at| types.get(*at)) {
                Some(found) => self.of_set(set, found),
                None => Ok(0),
            },
            _ => types.iter().try_fold(0, |most, of| Ok(self.of_set(set, of)?.max(most))),
        }
    }

    fn of_set(&mut self, set: &'a SelectionSet, node: &'a Value) -> Result<usize, TooLong> {
        let node = self.catalogue.whole(node);
        let key = (std::ptr::from_ref(set), std::ptr::from_ref(node));
        if let Some(cost) = self.known.get(&key) {
            return Ok(*cost);
        }
        let mut sum = SIGNS;
        for item in &set.items {
            let cost = match &item.node {
                Selection::Field(field) => {
                    let name = field.node.response_key().node.len() + SIGNS;
                    self.left = self.left.checked_sub(name).ok_or(TooLong)?;
                    let value = node.get(field.node.name.node.as_str()).unwrap_or(&Value::Null);
                    self.of_value(&field.node.selection_set.node, value)?.saturating_add(name)
                }
                Selection::InlineFragment(fragment) => self.of_set(&fragment.node.selection_set.node, node)?,
                Selection::FragmentSpread(spread) => match self.fragment(&spread.node.fragment_name.node) {
                    Some(set) => self.of_set(set, node)?,
                    None => 0,
                },
            };
            sum = self.within(sum.saturating_add(cost))?;
        }
        self.known.insert(key, sum);
        Ok(sum)
    }

    fn of_value(&mut self, set: &'a SelectionSet, value: &'a Value) -> Result<usize, TooLong> {
        match value {
            Value::Object(_) => self.of_set(set, value),
            Value::Array(items) => items.iter().try_fold(SIGNS, |sum: usize, item| {
                let cost = self.of_value(set, item)?;
                self.within(sum.saturating_add(cost).saturating_add(1))
            }),
            Value::String(text) => Ok(text.len() + SIGNS),
            Value::Null | Value::Bool(_) | Value::Number(_) => Ok(SIGNS),
        }
    }

    fn fragment(&self, name: &str) -> Option<&'a SelectionSet> {
        self.document.fragments.get(name).map(|fragment| &fragment.node.selection_set.node)
    }

    fn within(&self, bytes: usize) -> Result<usize, TooLong> {
        if bytes > self.most { Err(TooLong) } else { Ok(bytes) }
    }
}

#[cfg(test)]
mod tests {
    use async_graphql::parser::parse_query;

    use super::*;

    fn is_fine(query: &str) -> bool {
        check(&parse_query(query).expect("a document")).is_ok()
    }

    #[test]
    fn everything_may_be_asked_once() {
        assert!(CATALOGUE.bytes > 100_000 && CATALOGUE.types.len() > 100, "{} bytes", CATALOGUE.bytes);
        assert!(is_fine(EVERYTHING));
        let twice = EVERYTHING.replace(
            "types { ...FullType }",
            "types { ...FullType } a: types { ...FullType } b: types { ...FullType }",
        );
        assert!(!is_fine(&twice));
    }

    #[test]
    fn levels_are_multiplied_by_the_lists_that_there_are() {
        let nested = |times: usize| format!("{}name{}", "possibleTypes{interfaces{".repeat(times), "}}".repeat(times));
        assert!(is_fine(&format!("{{__type(name:\"ExecutionEvent\"){{{}}}}}", nested(1))));
        for times in 3..7 {
            assert!(!is_fine(&format!("{{__type(name:\"ExecutionEvent\"){{{}}}}}", nested(times))), "{times}");
            assert!(!is_fine(&format!(
                "query($n:String!){{...f}} fragment f on Query{{__type(name:$n){{{}}}}}",
                nested(times)
            )));
            assert!(is_fine(&format!("{{__type(name:\"Checkpoint\"){{enumValues{{name}} {}}}}}", "ofType{name}")));
        }
    }
}
