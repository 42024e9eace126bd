//! Documents that are small to send and large to work through.

use std::time::Instant;

use serde_json::{Value, json};

use super::BOUND;
use crate::support::{Database, TestApp};

fn nested(levels: usize) -> String {
    format!("{}a{}", "{ a ".repeat(levels - 1) + "{ ", " }".repeat(levels))
}

/// `f0` spreads `f1` spreads `f2` …, `times` times each.
fn chain(length: usize, times: usize) -> String {
    let fragment = |n: usize| format!("fragment f{n} on Query{{{}}}", format!("...f{} ", n + 1).repeat(times));
    let fragments: String = (0..length).map(fragment).collect();
    format!("{fragments}fragment f{length} on Query{{__typename}}")
}

/// So many words that are all different.
fn words(count: usize) -> String {
    (0..count).map(|n| format!("a{n} ")).collect()
}

/// A name, a document, and the code with which it is refused, or `ok`.
pub fn documents() -> Vec<(&'static str, String, &'static str)> {
    let aliases: String = (0..1_000).map(|n| format!("a{n}:__typename ")).collect();
    let page = "{ groups(first: 100) { nodes { members(first: 100) { nodes { groups { members(first: 100) { nodes { id } } } } } } } }";
    let fragments = [
        ("aliases within a fragment", format!("{{...f}} fragment f on Query {{{aliases}}}"), "TOO_MANY_ALIASES"),
        ("40 fragments that double", format!("{{...f0}}{}", chain(40, 2)), "QUERY_TOO_COMPLEX"),
        ("such fragments, unused", format!("{{__typename}}{}", chain(40, 2)), "GRAPHQL_VALIDATION_FAILED"),
        (
            "fragments that contain each other",
            "{...a} fragment a on Query{...b ...b} fragment b on Query{...a ...a}".to_owned(),
            "GRAPHQL_VALIDATION_FAILED",
        ),
        ("a chain of 1,000 fragments", format!("{{...f0}}{}", chain(1_000, 1)), "QUERY_TOO_DEEP"),
        ("such a chain, unused", format!("{{__typename}}{}", chain(1_000, 1)), "QUERY_TOO_DEEP"),
        ("such a chain of a mutation", format!("mutation{{...f0}}{}", chain(1_000, 1)), "QUERY_TOO_DEEP"),
        ("a chain of 5,000 fragments", format!("{{...f0}}{}", chain(5_000, 1)), "QUERY_TOO_LONG"),
    ];
    let directives = [
        ("1,000 directives", format!("{{__typename{}}}", " @skip(if:false)".repeat(1_000)), "TOO_MANY_DIRECTIVES"),
        ("10,000 directives", format!("{{__typename{}}}", " @skip(if:false)".repeat(10_000)), "QUERY_TOO_LONG"),
        ("directives of an operation", format!("query{}{{__typename}}", " @a".repeat(1_000)), "TOO_MANY_DIRECTIVES"),
        (
            "directives of a spread",
            format!("{{...f{}}} fragment f on Query{{__typename}}", " @a".repeat(1_000)),
            "TOO_MANY_DIRECTIVES",
        ),
        (
            "directives of a fragment",
            format!("{{...f}} fragment f on Query{}{{__typename}}", " @a".repeat(1_000)),
            "TOO_MANY_DIRECTIVES",
        ),
        (
            "directives of a variable",
            format!("query($a:Int{}){{__typename}}", " @a".repeat(1_000)),
            "TOO_MANY_DIRECTIVES",
        ),
    ];
    let many = [
        ("1,000 aliases", format!("{{{aliases}}}"), "TOO_MANY_ALIASES"),
        ("100,000 times the same field", format!("{{{}}}", "a ".repeat(100_000)), "QUERY_TOO_LONG"),
        ("9,000 times the same field", format!("{{{}}}", "__typename ".repeat(9_000)), "ok"),
        ("9,000 times the same mutation", format!("mutation{{{}}}", "__typename ".repeat(9_000)), "ok"),
        ("9,000 fields that are none", format!("{{{}}}", words(9_000)), "GRAPHQL_VALIDATION_FAILED"),
        ("9,000 mutations that are none", format!("mutation{{{}}}", words(9_000)), "GRAPHQL_VALIDATION_FAILED"),
        (
            "2,000 variables",
            format!("query({}){{__typename}}", words(2_000).replace('a', "$a").replace(' ', ":Int ")),
            "GRAPHQL_VALIDATION_FAILED",
        ),
        (
            "1,500 operations",
            words(1_500).replace('a', "query a").replace(' ', "{__typename}").replace("query{__typename}", "query "),
            "BAD_REQUEST",
        ),
        ("a page of pages of pages", page.to_owned(), "QUERY_TOO_COMPLEX"),
        ("120,000 comments", format!("{{__typename}}{}", "#\n".repeat(120_000)), "ok"),
        ("300 KB", format!("{{{}}}", " ".repeat(300_000)), "QUERY_TOO_LONG"),
    ];
    let nested = [
        ("50 levels", nested(50), "QUERY_TOO_DEEP"),
        ("1,000 levels", nested(1_000), "QUERY_TOO_DEEP"),
        ("300 KB of brackets", "[".repeat(300_000), "QUERY_TOO_LONG"),
        ("240 KB of brackets", "[".repeat(240_000), "QUERY_TOO_DEEP"),
        ("240 KB of fields", "{a".repeat(120_000), "QUERY_TOO_DEEP"),
        ("brackets as a value", format!("{{a(b:{}", "[".repeat(240_000)), "QUERY_TOO_DEEP"),
        ("objects as a value", format!("{{a(b:{}", "{a:".repeat(80_000)), "QUERY_TOO_DEEP"),
        ("brackets as a type", format!("query($a:{}Int", "[".repeat(240_000)), "QUERY_TOO_DEEP"),
        ("brackets as a default", format!("query($a:Int={}", "[".repeat(240_000)), "QUERY_TOO_DEEP"),
        (
            "brackets behind a text that does not end",
            format!("{{a(b:[\"\"\"x\" {}", "[".repeat(240_000)),
            "GRAPHQL_PARSE_FAILED",
        ),
        ("brackets behind a comment", format!("{{a #{{\r(b:{}", "[".repeat(240_000)), "QUERY_TOO_DEEP"),
    ];
    let broken = [
        ("texts that do not end", "{a(b:\"\\\"\"\"".repeat(20_000), "GRAPHQL_PARSE_FAILED"),
        ("240,000 quotes", "\"".repeat(240_000), "QUERY_TOO_LONG"),
        ("escaped quotes", "\\\"\"\"".repeat(60_000), "GRAPHQL_PARSE_FAILED"),
        ("half a surrogate", "{ node(id: \"\\ud800\") { id } }".to_owned(), "GRAPHQL_PARSE_FAILED"),
        (
            "a number of 200,000 digits",
            format!("{{ users(first: {}) {{ totalCount }} }}", "9".repeat(200_000)),
            "GRAPHQL_VALIDATION_FAILED",
        ),
        ("a long line", format!("{{ a(b: \"{}\") ? }}", "x".repeat(200_000)), "GRAPHQL_PARSE_FAILED"),
        ("nothing", String::new(), "GRAPHQL_PARSE_FAILED"),
        ("a NUL", "{ __typename \0 }".to_owned(), "GRAPHQL_PARSE_FAILED"),
    ];
    fragments.into_iter().chain(directives).chain(many).chain(nested).chain(broken).collect()
}

#[tokio::test]
async fn every_document_gets_an_answer() {
    let app = TestApp::start(Database::Sqlite).await;
    let mut wrong = Vec::new();
    for (name, query, expected) in documents() {
        let began = Instant::now();
        let answer = app.anonymous(&query, json!({})).await;
        let took = began.elapsed();
        println!("{took:>10.1?}  {name}  {} bytes", answer.to_string().len());
        let given = answer.pointer("/errors/0/extensions/code").and_then(Value::as_str).unwrap_or("ok");
        let short = answer.to_string().len() < 20_000;
        if given != expected || took > BOUND || !short {
            let shown: String = answer.to_string().chars().take(300).collect();
            wrong.push(format!("{name}: expected `{expected}`, got after {took:?} {shown}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
