//! Page sizes that are left out.
//!
//! The GraphQL library works out what a query costs before it executes it, and there it takes a variable without a
//! value for an error, which the specification does not. For the size of a page, absent and null mean the same: here
//! null is put in.

use std::collections::HashSet;

use async_graphql::{
    Name, Value, Variables,
    parser::types::{ExecutableDocument, OperationDefinition, Selection, SelectionSet},
};

use super::connection::SIZE_ARGUMENTS;

/// Gives a value to the variables of page sizes that have none. `chosen` is the operation to be executed; the
/// document's others are worked out, too.
pub fn settle(variables: &mut Variables, document: &ExecutableDocument, chosen: &OperationDefinition) {
    for name in size_variables(document) {
        let definition = chosen.variable_definitions.iter().find(|definition| definition.node.name.node == name);
        let default = definition.map_or(Some(&Value::Null), |definition| definition.node.default_value());
        if let Some(default) = default {
            variables.entry(name).or_insert_with(|| default.clone());
        }
    }
}

/// The variables that stand for the size of a page somewhere.
fn size_variables(document: &ExecutableDocument) -> HashSet<Name> {
    let operations = document.operations.iter().map(|(_, operation)| &operation.node.selection_set.node);
    let fragments = document.fragments.values().map(|fragment| &fragment.node.selection_set.node);
    let mut open: Vec<&SelectionSet> = operations.chain(fragments).collect();
    let mut found = HashSet::new();
    while let Some(set) = open.pop() {
        for item in &set.items {
            match &item.node {
                Selection::Field(field) => {
                    let values = SIZE_ARGUMENTS.iter().filter_map(|name| field.node.get_argument(name));
                    found.extend(values.filter_map(|value| value.node.clone().into_const_with(Err).err()));
                    open.push(&field.node.selection_set.node);
                }
                Selection::InlineFragment(fragment) => open.push(&fragment.node.selection_set.node),
                Selection::FragmentSpread(_) => {}
            }
        }
    }
    found
}
