//! Root fields as the specification wants them.
//!
//! The GraphQL library executes a mutation's root field once for each time it is selected, and lets a subscription
//! have several. Here selections of the same mutation field are merged, so that it is executed once, or refused where
//! a directive may leave one of them out. A subscription with more or less than one root field is refused.

use std::collections::{HashMap, HashSet};

use async_graphql::{
    Name, Positioned, ServerError,
    parser::types::{
        DocumentOperations, ExecutableDocument, Field, OperationDefinition, OperationType, Selection, SelectionSet,
        TypeCondition,
    },
};

use super::error::{Code, request_error};

/// Brings the root fields of mutations and subscriptions into order.
pub fn settle(document: &mut ExecutableDocument) -> Result<(), ServerError> {
    let before = used_fragments(document);
    let fragments = document.fragments.clone();
    let flatten = |operation: &mut OperationDefinition| -> Result<(), ServerError> {
        let root = match operation.ty {
            OperationType::Query => return Ok(()),
            OperationType::Mutation => "Mutation",
            OperationType::Subscription => "Subscription",
        };
        let mut flat = Vec::new();
        let lookup = |name: &Name| fragments.get(name).map(|fragment| &fragment.node);
        let open = |name: &Name| lookup(name).map(|found| (&found.type_condition.node, &found.selection_set.node));
        flatten_into(&mut flat, &operation.selection_set.node, root, &open);
        operation.selection_set.node.items = match operation.ty {
            OperationType::Subscription => merge(only_one(flat)?, &open)?,
            OperationType::Mutation | OperationType::Query => merge(flat, &open)?,
        };
        Ok(())
    };
    match &mut document.operations {
        DocumentOperations::Single(operation) => flatten(&mut operation.node)?,
        DocumentOperations::Multiple(operations) => {
            for operation in operations.values_mut() {
                flatten(&mut operation.node)?;
            }
        }
    }
    // What was used only by what has been opened would now be refused as unused.
    let after = used_fragments(document);
    document.fragments.retain(|name, _| !before.contains(name) || after.contains(name));
    Ok(())
}

/// Opens fragments on the root type. What cannot be opened stays, for the validation to judge.
fn flatten_into<'a>(
    flat: &mut Vec<Positioned<Selection>>,
    set: &'a SelectionSet,
    root: &str,
    open: &impl Fn(&Name) -> Option<(&'a TypeCondition, &'a SelectionSet)>,
) {
    for item in &set.items {
        let inner = match &item.node {
            Selection::FragmentSpread(spread) if spread.node.directives.is_empty() => {
                open(&spread.node.fragment_name.node).filter(|(on, _)| on.on.node == root).map(|(_, set)| set)
            }
            Selection::InlineFragment(fragment) if fragment.node.directives.is_empty() => {
                let on = fragment.node.type_condition.as_ref();
                on.is_none_or(|on| on.node.on.node == root).then_some(&fragment.node.selection_set.node)
            }
            _ => None,
        };
        match inner {
            Some(inner) => flatten_into(flat, inner, root, open),
            None => flat.push(item.clone()),
        }
    }
}

fn merge<'a>(
    flat: Vec<Positioned<Selection>>,
    open: &impl Fn(&Name) -> Option<(&'a TypeCondition, &'a SelectionSet)>,
) -> Result<Vec<Positioned<Selection>>, ServerError> {
    let mut merged: Vec<Positioned<Selection>> = Vec::with_capacity(flat.len());
    // Where each key stands; `None` is within a fragment that stayed.
    let mut places: HashMap<Name, Option<usize>> = HashMap::new();
    for item in flat {
        if let Selection::Field(field) = &item.node {
            let key = &field.node.response_key().node;
            match places.get(key).map(|place| place.and_then(|place| merged.get_mut(place))) {
                None => {
                    places.insert(key.clone(), Some(merged.len()));
                    merged.push(item);
                }
                Some(Some(Positioned { node: Selection::Field(twin), .. })) if mergeable(&twin.node, &field.node) => {
                    twin.node.selection_set.node.items.extend(field.node.selection_set.node.items.iter().cloned());
                }
                Some(_) => return Err(twice(key)),
            }
        } else {
            let mut keys = Vec::new();
            collect_keys(&mut keys, &item.node, open);
            for key in keys {
                if places.insert(key.clone(), None).is_some() {
                    return Err(twice(key));
                }
            }
            merged.push(item);
        }
    }
    Ok(merged)
}

fn twice(key: &Name) -> ServerError {
    let message = format!(
        "the mutation selects `{key}` twice, with different arguments or with directives: use aliases to do it twice"
    );
    request_error(Code::ValidationFailed, message)
}

/// The keys of all fields of a selection, fragments opened.
fn collect_keys<'a: 'b, 'b>(
    keys: &mut Vec<&'b Name>,
    selection: &'b Selection,
    open: &impl Fn(&Name) -> Option<(&'a TypeCondition, &'a SelectionSet)>,
) {
    let set = match selection {
        Selection::Field(field) => return keys.push(&field.node.response_key().node),
        Selection::InlineFragment(fragment) => Some(&fragment.node.selection_set.node),
        Selection::FragmentSpread(spread) => open(&spread.node.fragment_name.node).map(|(_, set)| set),
    };
    for item in set.iter().flat_map(|set| &set.items) {
        collect_keys(keys, &item.node, open);
    }
}

fn mergeable(one: &Field, other: &Field) -> bool {
    let plain = one.directives.is_empty() && other.directives.is_empty();
    let value = |field: &Field, name: &str| field.get_argument(name).map(|value| value.node.clone());
    let same_arguments = one.arguments.len() == other.arguments.len()
        && one.arguments.iter().all(|(name, value_of_one)| value(other, &name.node) == Some(value_of_one.node.clone()));
    plain && one.name.node == other.name.node && same_arguments
}

fn only_one(flat: Vec<Positioned<Selection>>) -> Result<Vec<Positioned<Selection>>, ServerError> {
    if flat.iter().any(|item| !item.node.directives().is_empty()) {
        let message = "the root field of a subscription takes no directives, nor does a fragment around it";
        return Err(request_error(Code::ValidationFailed, message));
    }
    let keys: HashSet<&str> = flat
        .iter()
        .map(|item| match &item.node {
            Selection::Field(field) => field.node.response_key().node.as_str(),
            Selection::FragmentSpread(_) | Selection::InlineFragment(_) => "",
        })
        .collect();
    if keys.len() > 1 {
        return Err(request_error(Code::ValidationFailed, "a subscription must have exactly one root field"));
    }
    Ok(flat)
}

fn used_fragments(document: &ExecutableDocument) -> HashSet<Name> {
    let mut used = HashSet::new();
    let mut open: Vec<&SelectionSet> =
        document.operations.iter().map(|(_, operation)| &operation.node.selection_set.node).collect();
    while let Some(set) = open.pop() {
        for item in &set.items {
            match &item.node {
                Selection::Field(field) => open.push(&field.node.selection_set.node),
                Selection::InlineFragment(fragment) => open.push(&fragment.node.selection_set.node),
                Selection::FragmentSpread(spread) => {
                    let name = &spread.node.fragment_name.node;
                    if used.insert(name.clone())
                        && let Some(fragment) = document.fragments.get(name)
                    {
                        open.push(&fragment.node.selection_set.node);
                    }
                }
            }
        }
    }
    used
}
