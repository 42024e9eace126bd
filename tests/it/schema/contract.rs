//! Files that must say what the code says.

#[test]
fn schema_graphql_is_up_to_date() {
    let file = include_str!("../../../schema.graphql");
    if countersign::graphql::sdl() != file {
        panic!("schema.graphql is out of date: run `make schema` and look at the difference");
    }
}

#[test]
fn the_readme_lists_every_setting() {
    let readme = include_str!("../../../README.md");
    let table = countersign::cli::settings_table();
    assert!(readme.contains(&table), "README.md's table of settings should be\n{table}");
}
