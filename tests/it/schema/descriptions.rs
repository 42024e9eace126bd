//! Every element of the schema says what it is.

use countersign::domain::role::Role;

use super::walk::{Schema, list};
use crate::support::{Database, TestApp, text};

#[tokio::test]
async fn every_element_has_a_description() {
    let app = TestApp::start(Database::Sqlite).await;
    let schema = Schema::of(&app, &app.token(Role::Admin).await).await;
    let mut missing = Vec::new();
    let mut look = |element: &serde_json::Value, place: String| {
        if element["description"].as_str().is_none_or(|description| description.trim().is_empty()) {
            missing.push(place);
        }
    };
    for found in schema.types() {
        let name = text(found, "/name");
        // The specification describes its own scalars.
        if ["ID", "Int", "Float", "String", "Boolean"].contains(&name) {
            continue;
        }
        look(found, name.to_owned());
        for field in list(found, "fields") {
            let place = format!("{name}.{}", text(field, "/name"));
            look(field, place.clone());
            for argument in list(field, "args") {
                look(argument, format!("{place}({})", text(argument, "/name")));
            }
        }
        for part in list(found, "inputFields").iter().chain(list(found, "enumValues")) {
            look(part, format!("{name}.{}", text(part, "/name")));
        }
    }
    assert!(missing.is_empty(), "without description: {missing:#?}");
}
