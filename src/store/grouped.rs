//! Lists by key.

use std::{collections::HashMap, hash::Hash};

/// The values of each key, in the order in which they come.
pub fn grouped<K: Eq + Hash, V>(pairs: impl IntoIterator<Item = (K, V)>) -> HashMap<K, Vec<V>> {
    let mut groups: HashMap<K, Vec<V>> = HashMap::new();
    for (key, value) in pairs {
        groups.entry(key).or_default().push(value);
    }
    groups
}
