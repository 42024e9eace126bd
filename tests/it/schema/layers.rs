//! Who may use whom: `domain ← store ← engine, realtime ← demo ← graphql ← http ← cli`.

use std::path::{Path, PathBuf};

/// What must not occur in the sources of a module, and why.
const RULES: &[(&str, &[&str])] = &[
    // Pure: no I/O, no clock, nobody else.
    (
        "domain",
        &[
            "crate::store",
            "crate::engine",
            "crate::realtime",
            "crate::graphql",
            "crate::http",
            "crate::config",
            "crate::clock",
            "crate::app",
            "crate::cli",
            "sea_orm",
            "entity::",
            "async_graphql",
            "axum",
            "tokio",
            "Utc::now",
            "Uuid::now_v7",
            "rand::",
        ],
    ),
    // The only user of SQL, and of nothing above it.
    (
        "store",
        &["crate::engine", "crate::realtime", "crate::graphql", "crate::http", "crate::cli", "async_graphql", "axum"],
    ),
    (
        "engine",
        &[
            "sea_orm",
            "entity::",
            "crate::realtime",
            "crate::graphql",
            "crate::http",
            "crate::cli",
            "async_graphql",
            "axum",
        ],
    ),
    (
        "realtime",
        &[
            "sea_orm",
            "entity::",
            "crate::engine",
            "crate::graphql",
            "crate::http",
            "crate::cli",
            "async_graphql",
            "axum",
        ],
    ),
    (
        "demo",
        &["sea_orm", "entity::", "crate::graphql", "crate::http", "crate::cli", "crate::app", "async_graphql", "axum"],
    ),
    ("graphql", &["sea_orm", "entity::", "crate::http", "crate::cli"]),
    ("http", &["sea_orm", "entity::", "crate::cli"]),
    ("cli", &["sea_orm", "entity::"]),
];

fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    entries
        .map(|entry| entry.expect("an entry").path())
        .flat_map(|path| if path.is_dir() { sources(&path) } else { vec![path] })
        .filter(|path| path.extension().is_some_and(|kind| kind == "rs"))
        .collect()
}

/// Whether a word stands in a line, not as the end of a longer one (`identity::` is not `entity::`).
fn mentions(line: &str, word: &str) -> bool {
    line.match_indices(word).any(|(at, _)| !line[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_'))
}

#[test]
fn dependencies_point_one_way() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut broken = Vec::new();
    for (module, forbidden) in RULES {
        for path in sources(&root.join(module)) {
            let source = std::fs::read_to_string(&path).expect("a source file");
            for (number, line) in source.lines().enumerate().filter(|(_, line)| !line.trim_start().starts_with("//")) {
                for word in forbidden.iter().filter(|word| mentions(line, word)) {
                    broken.push(format!("{}:{}: `{word}` in `{module}`", path.display(), number + 1));
                }
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}
