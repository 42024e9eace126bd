//! Questions about the schema that multiply their answer.

use rstest::rstest;
use serde_json::{Value, json};

use crate::support::{Database, TestApp, at, code, text};

/// What GraphiQL and code generators send: `getIntrospectionQuery` of graphql-js with everything that it can ask for.
const STANDARD: &str = "query IntrospectionQuery {
    __schema {
        description queryType { name kind } mutationType { name kind } subscriptionType { name kind }
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
    kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name
        ofType { kind name ofType { kind name ofType { kind name } } } } } } } }
}";

/// Goes from an interface to its types and back, so many times.
fn back_and_forth(times: usize) -> String {
    format!("{}name{}", "possibleTypes{interfaces{".repeat(times), "}}".repeat(times))
}

#[rstest]
#[case::by_name(format!("{{__type(name:\"ExecutionEvent\"){{{}}}}}", back_and_forth(3)))]
#[case::by_variable(format!("query($n:String=\"ExecutionEvent\"){{__type(name:$n){{{}}}}}", back_and_forth(3)))]
#[case::through_the_schema(format!("{{__schema{{types{{{}}}}}}}", back_and_forth(3)))]
#[case::through_a_fragment(format!("{{__type(name:\"ExecutionEvent\"){{...f}}}} fragment f on __Type{{{}}}", back_and_forth(3)))]
#[case::by_aliases(format!("{{__schema{{types{{{}}}}}}}", (0..90).map(|n| format!("a{n}:fields{{description}} ")).collect::<String>()))]
#[tokio::test]
async fn what_would_be_a_very_long_answer_is_refused(#[case] query: String) {
    let app = TestApp::start(Database::Sqlite).await;
    let answer = app.anonymous(&query, json!({})).await;
    let size = answer.to_string().len();
    assert_eq!((answer.get("data"), size < 1_000), (None, true), "{size} bytes");
    assert_eq!(code(&answer), "QUERY_TOO_COMPLEX");
    assert!(text(&answer, "/errors/0/message").contains("introspection"), "{answer}");
}

#[tokio::test]
async fn what_tools_ask_is_answered() {
    let app = TestApp::start(Database::Sqlite).await;
    let answer = app.anonymous(STANDARD, json!({})).await;
    assert_eq!(answer.get("errors"), None, "{:?}", answer.get("errors"));
    let types = at(&answer, "/data/__schema/types").as_array().map_or(0, Vec::len);
    assert!(types > 100, "{types} types");
    println!("{} bytes", answer.to_string().len());
    for query in [
        "{ __type(name: \"ExecutionEvent\") { kind possibleTypes { name interfaces { name } } } }",
        "{ __type(name: \"Query\") { fields { name args { name type { name ofType { name } } } type { name fields { name } } } } }",
        "{ __type(name: \"NoSuchType\") { possibleTypes { interfaces { possibleTypes { name } } } } }",
    ] {
        let answer = app.anonymous(query, json!({})).await;
        assert_eq!(answer.get("errors"), None, "{query}: {answer}");
        assert_ne!(answer.get("data"), None::<&Value>, "{query}");
    }
}
