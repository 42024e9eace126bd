use serde_json::json;

use super::*;

fn text(document: &str) -> String {
    read(document).unwrap_or_else(|error| panic!("{document}: {error}")).to_string()
}

#[track_caller]
fn refused(document: &str, expected: &str) {
    let error = read(document).expect_err("refused").to_string();
    assert_eq!(error, expected);
}

#[test]
fn yaml_and_json_are_read_alike() {
    let yaml = "# A workflow\nname: Triage\nsteps:\n  - key: a\n    agent: \"Fetch\"\n    when: >-\n      input.a &&\n      input.b\n  - {key: b, agent: 'It''s', needs: []}\n";
    let expected = json!({"name": "Triage", "steps": [
        {"key": "a", "agent": "Fetch", "when": "input.a && input.b"},
        {"key": "b", "agent": "It's", "needs": []},
    ]});
    assert_eq!(read(yaml), Ok(expected.clone()));
    assert_eq!(read(&expected.to_string()), Ok(expected.clone()));
    assert_eq!(read(&format!("\u{feff}{expected:#}")), Ok(expected));
    assert_eq!(read("{\"a\":\t\"\\ud83e\\udd80\"}"), Ok(json!({"a": "🦀"})));
    assert_eq!(read("[a, {b: c}]"), Ok(json!(["a", {"b": "c"}])));
}

#[test]
fn numbers_keep_their_digits() {
    assert_eq!(
        text(
            "z: 123456789012345678901234567890\na: 0.1000\nb: 1.0\nc: -0.50\nd: +7\ne: 007\nf: .5\ng: 2.\nh: 1e3\ni: 0x1F\nj: 0o17\nk: 12e03"
        ),
        r#"{"z":123456789012345678901234567890,"a":0.1000,"b":1.0,"c":-0.50,"d":7,"e":7,"f":0.5,"g":2.0,"h":1e+3,"i":31,"j":15,"k":12e+03}"#
    );
    assert_eq!(
        text(r#"{"a": 0.1000, "b": 123456789012345678901234567890}"#),
        r#"{"a":0.1000,"b":123456789012345678901234567890}"#
    );
    refused("a: .inf", "line 1, column 4: JSON cannot hold the number `.inf`: write it in quotes if it is a text");
    refused("a: 0xFFFFFFFFFFFFFFFFFF", "line 1, column 4: `0xFFFFFFFFFFFFFFFFFF` is beyond 64 bits");
}

#[test]
fn words_mean_what_yaml_1_2_says() {
    assert_eq!(
        text(
            "[no, on, yes, Off, y, ~, null, True, 1_000, 12:30:45, 2024-01-01, '1', \"true\", 0x, +, '-', ., e5, 1.2.3]"
        ),
        r#"["no","on","yes","Off","y",null,null,true,"1_000","12:30:45","2024-01-01","1","true","0x","+","-",".","e5","1.2.3"]"#
    );
    assert_eq!(text("a:\nb: !!str 12\nc: !!int '12'\nd: ''"), r#"{"a":null,"b":"12","c":12,"d":""}"#);
    refused("a: !!int x", "line 1, column 4: `x` is not what its tag `!!int` says");
    assert!(read("a: !secret x").expect_err("a tag").message.contains("is not known"));
    assert!(read("a: !!binary aGk=").expect_err("a tag").message.contains("is not known"));
}

#[test]
fn mistakes_have_their_place() {
    refused("a: 1\nb: 2\na: 3\n", "line 3, column 1: the key `a` is twice in an object");
    refused("{\"a\": 1, \"a\": 2}", "line 1, column 12: the key `a` is twice in an object");
    refused("1: a", "line 1, column 1: a key must be a text: write `\"1\"` in quotes");
    refused("true: a", "line 1, column 1: a key must be a text: write `\"true\"` in quotes");
    refused("? [a]\n: b", "line 1, column 3: a key must be a text, not a list or an object");
    refused("a: 1\n---\nb: 2\n", "line 2, column 1: a second document begins here: there must be only one");
    refused("", "line 1, column 1: the document is empty");
    refused("# nothing\n", "line 1, column 1: the document is empty");
    refused(
        "a: &x {b: 1}\nc:\n  <<: *x\n",
        "line 3, column 3: merging with `<<` is not part of YAML 1.2: write the fields out",
    );
    refused("{\"a\": 1,\n \"b\" 2}", "line 2, column 6: expected `:`");
    for broken in ["a: [1, 2", "a: 'x", "a:\n\t- b", "a: b: c", "- a\nb: c", "a: *nobody", "\"\\q\""] {
        let error = read(broken).expect_err(broken);
        assert!(error.line > 0 && error.column > 0 && !error.message.is_empty(), "{broken}: {error}");
    }
}

#[test]
fn aliases_are_bounded() {
    assert_eq!(text("a: &x [1, {b: 2}]\nc: *x"), r#"{"a":[1,{"b":2}],"c":[1,{"b":2}]}"#);
    let mut laughs = "a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol]\n".to_owned();
    for level in 1..20 {
        let below = vec![format!("*a{}", level - 1); 9].join(", ");
        laughs.push_str(&format!("a{level}: &a{level} [{below}]\n"));
    }
    assert!(read(&laughs).expect_err("too much").message.contains("the aliases stand for more"));
    let long = format!("a: &a \"{}\"\nb: [{}]", "x".repeat(100_000), vec!["*a"; 1000].join(","));
    assert!(read(&long).expect_err("too much").message.contains("the aliases stand for more"));
    assert!(read("a: &a [*a]").is_err());
    let mut tower = "a0: &a0 [1]\n".to_owned();
    for level in 1..200 {
        tower.push_str(&format!("a{level}: &a{level} [*a{}]\n", level - 1));
    }
    assert!(read(&tower).expect_err("too deep").message.contains("nested deeper"));
}

#[test]
fn depth_is_bounded() {
    for deep in [
        "[".repeat(100_000),
        "{a: ".repeat(100_000),
        "{\"a\":".repeat(100_000),
        "- ".repeat(100_000),
        format!("{}{}", "[".repeat(100_000), "]".repeat(100_000)),
        "? ".repeat(100_000),
        "[[a]: ".repeat(50_000),
    ] {
        assert!(read(&deep).is_err());
    }
    let fits = format!("{}1{}", "[".repeat(120), "]".repeat(120));
    assert!(read(&fits).is_ok());
    assert!(read(&format!("a: {fits}")).expect_err("too deep").message.contains("nested deeper than 120 levels"));
}

#[test]
fn any_text_is_read_or_refused() {
    let pieces = [
        "a",
        ": ",
        "- ",
        "\n",
        "  ",
        "[",
        "]",
        "{",
        "}",
        ",",
        "&x ",
        "*x",
        "!!str ",
        "!",
        "'",
        "\"",
        "|",
        ">",
        "#",
        "\t",
        "---",
        "...",
        "%YAML 1.2",
        "? ",
        "\\u",
        "\u{0}",
        "é",
        "🦀",
        "~",
        "1",
        "\r",
        "\u{85}",
        "@",
        "`",
        "<<",
    ];
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    for _ in 0..4000 {
        let mut document = String::new();
        for _ in 0..(state % 30 + 1) {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            document.push_str(pieces[(state % pieces.len() as u64) as usize]);
        }
        let _ = read(&document);
    }
}
