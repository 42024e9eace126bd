use super::*;

fn scope() -> Scope {
    let input = r#"{"z":1,"big":123456789012345678901234567890,"price":0.1000,"one":1.0,"e":1E5,"huge":1e400,
        "items":[{"id":"b","ok":true,"n":2.50},{"id":"a","ok":false,"n":12345678901234567890},{"id":"c","ok":true,"n":1}],
        "empty":{},"none":null,"text":"Grüße \u00e9 🦀","list":[3,1,2],"nested":{"b":1,"a":[ 1 , 2.0 ]}}"#;
    let output = Json::parse(r#"{"id":"x1","tags":["t"]}"#).expect("valid");
    Scope::default().with("input", Json::parse(input).expect("valid")).with_object("steps", [("fetch", output)])
}

fn evaluate(text: &str) -> Result<String, String> {
    let expression = Expression::parse(text).map_err(|error| format!("parse: {error}"))?;
    expression.evaluate(&scope()).map(|json| json.text().to_owned()).map_err(|error| error.message)
}

#[track_caller]
fn gives(text: &str, expected: &str) {
    assert_eq!(evaluate(text).as_deref(), Ok(expected), "{text}");
}

#[track_caller]
fn fails(text: &str, expected: &str) {
    match evaluate(text) {
        Ok(value) => panic!("{text} gave {value}"),
        Err(message) => assert!(message.contains(expected), "{text}: {message}"),
    }
}

#[test]
fn what_is_only_moved_stays_exactly_as_it_was() {
    gives("input.big", "123456789012345678901234567890");
    gives("input.price", "0.1000");
    gives("input.nested", r#"{"b":1,"a":[ 1 , 2.0 ]}"#);
    gives("input['nested'].a[1]", "2.0");
    gives(
        "{'z': input.big, 'a': input.one, 'b': [input.price]}",
        r#"{"z":123456789012345678901234567890,"a":1.0,"b":[0.1000]}"#,
    );
    gives("input.items.filter(i, i.ok).map(i, i.n)", "[2.50,1]");
    gives("input.items.filter(i, !i.ok)[0]", r#"{"id":"a","ok":false,"n":12345678901234567890}"#);
    gives("true ? input.huge : 1", "1e400");
    gives("[input.one, input.price].reverse()", "[0.1000,1.0]");
    gives("input.items.sortBy(i, i.id).map(i, i.n)", "[12345678901234567890,2.50,1]");
    gives("input.items.sortBy(i, i.n)[2].id", "\"a\"");
    gives("[[input.e], [input.one]].flatten()", "[1E5,1.0]");
    gives("[input.one, 1, input.one].distinct()", "[1.0]");
    gives("math.greatest(input.big, 1)", "123456789012345678901234567890");
    gives("input.?price.orValue(1)", "0.1000");
    gives("input.text", r#""Grüße \u00e9 🦀""#);
    gives("[input.empty, input.none, input.list.slice(0, 0)]", "[{},null,[]]");
    gives("string(input.big) + '!'", r#""123456789012345678901234567890!""#);
    gives("input.items.map(i, i.id).join(', ')", r#""b, a, c""#);
}

#[test]
fn deep_values_pass_through() {
    let deep = format!("{}1.0{}", "[".repeat(100), "]".repeat(100));
    let scope = Scope::default().with("input", Json::parse(&deep).expect("valid"));
    for text in ["input", "input[0]", "[input][0]", "input.map(i, i)", "input == input ? input : 1"] {
        let found = Expression::parse(text).expect(text).evaluate(&scope).expect(text);
        assert!(found.text().contains("[1.0]"), "{text}");
    }
    let wrapped = Expression::parse(&format!("{}input{}", "[".repeat(40), "]".repeat(40))).expect("an expression");
    let error = wrapped.evaluate(&scope).expect_err("too deep");
    assert!(error.message.contains("nested deeper than 120 levels"), "{error}");
}

#[test]
fn whole_numbers_are_exact_or_refused() {
    gives("9007199254740993 + 1", "9007199254740994");
    fails("9223372036854775807 + 1", "9223372036854775807 + 1 is beyond 64 bits");
    fails("input.big + 1", "`123456789012345678901234567890` is beyond 64 bits");
    fails("-input.big", "is beyond 64 bits");
    fails("9007199254740993 * 1.5", "cannot be computed with a decimal number exactly");
    fails("1 / 0", "a division by zero");
    fails("1.0 / 0.0", "which JSON cannot hold");
    fails("math.abs(input.big)", "is beyond 64 bits");
    gives("input.price * 2", "0.2");
    gives("input.z + 0.5", "1.5");
    gives("input.big == input.big && input.big > 5", "true");
    gives("18446744073709551615u", "18446744073709551615");
}

#[test]
fn results_become_json() {
    gives("b'hi'", "\"aGk=\"");
    gives("duration('90m')", "\"5400s\"");
    gives("timestamp('2024-02-29T12:00:00Z') + duration('24h')", "\"2024-03-01T12:00:00Z\"");
    gives("timestamp('2024-02-29T12:00:00Z').getFullYear()", "2024");
    gives("{1: 'a', true: 'b'}", r#"{"1":"a","true":"b"}"#);
    gives("optional.none()", "null");
    gives("{'b': 1, ?'x': input.?nothing, 'a': 2}", r#"{"b":1,"a":2}"#);
    fails("{1: 'a', '1': 'b'}", "the key `1` is twice");
    fails("{'a': 1, 'a': 2}", "the key `a` is twice");
    fails("'\\u0000'", "NUL");
    fails("type(1)", "which JSON cannot hold");
    gives("type(input.z) == int && type('') == string", "true");
    gives("type(input.z) == string", "false");
}

#[test]
fn functions_of_texts_work() {
    gives("'A-B'.lowerAscii().split('-')", r#"["a","b"]"#);
    gives("'hello'.substring(1, 3) + 'x'.upperAscii()", "\"elX\"");
    gives("'%s is %d'.format(['x', 3])", "\"x is 3\"");
    gives("' a '.trim().size() + size([1, 2]) + size(input.empty)", "3");
    gives("'abc'.matches('^a.c$') && matches('abc', 'b')", "true");
    fails("'abc'.matches('(')", "not a regular expression");
    fails("'abc'.matches('(x{1000}){1000}')", "not a regular expression");
    fails("'abc'.substring(9)", "out of range");
    gives("base64.encode(b'hi') + string(base64.decode('aGk='))", "\"aGk=hi\"");
    gives("'z' in ['a', 'z'] && 'z' in input && !('y' in input)", "true");
    gives("int('42') + int(2.9) + size(string(true))", "48");
}

#[test]
fn errors_say_what_was_missing() {
    let expression = Expression::parse("steps.fetch.name + 'x'").expect("an expression");
    let error = expression.evaluate(&scope()).expect_err("missing").to_string();
    assert_eq!(error, "`steps.fetch.name + 'x'`: no such key `name` in `steps.fetch`");
    fails("input.list[7]", "no item 7 in `input.list`");
    fails("input.text.x", "`input.text` is string, which has no `x`");
    fails("input.items.map(i, i.nothing)", "no such key `nothing` in `i`");
    fails("unknown.x", "there is no variable `unknown`");
    fails("'a' + 1", "`+` does not take string and int");
    fails("'a' < 1", "`<` does not take string and int");
    let condition = Expression::parse("input.z").expect("an expression");
    assert_eq!(condition.holds(&scope()).expect_err("no bool").message, "expected bool, found int");
    gives("has(input.z) && !has(input.nothing)", "true");
    fails("has(input.z.y)", "`input.z` is int");
}

#[test]
fn one_side_can_decide_alone() {
    gives("input.nothing || true", "true");
    gives("input.nothing == 1 && false", "false");
    fails("input.nothing || false", "no such key");
    gives("input.items.exists(i, i.n > 2 || i.missing)", "true");
    gives("input.items.all(i, i.id != 'b' && i.missing)", "false");
    fails("input.items.all(i, i.id == 'b' || i.missing)", "no such key");
    gives("input.items.exists_one(i, i.id == 'a')", "true");
    gives("input.empty.all(k, false) && input.nested.map(k, k) == ['b', 'a']", "true");
    gives("optional.of(2).optMap(v, v * 2).value()", "4");
}

#[test]
fn nothing_runs_for_ever() {
    let digits = "[0,1,2,3,4,5,6,7,8,9]";
    let mut loops = "1".to_owned();
    for _ in 0..12 {
        loops = format!("{digits}.map(x, {loops})");
    }
    fails(&loops, "too much work");
    fails(&format!("{loops} == [] || true"), "too much work");
    let mut doubled = "['0123456789']".to_owned();
    for _ in 0..40 {
        doubled.push_str(".map(s, s + s)");
    }
    fails(&doubled, "too much work");
    let mut shared = "[[1]]".to_owned();
    for _ in 0..60 {
        shared.push_str(".map(s, [s, s])");
    }
    fails(&shared, "too much work");
    fails(&format!("{shared} == {shared}"), "too much work");
    fails("lists.range(1000000000000)", "too much work");
    fails("lists.range(3000).distinct()", "too much work");
    fails(
        "lists.range(100000).map(i, string(i)).join('').replace('', lists.range(1000).map(i, 'abc').join(''))",
        "too much work",
    );
}

#[test]
fn hostile_texts_are_refused_politely() {
    let with = |unit: &str, count: usize| unit.repeat(count);
    let texts = [
        with("(", 9_999),
        format!("{}1{}", with("(", 4_999), with(")", 4_999)),
        format!("{}{}", with("[", 5_000), with("]", 5_000)),
        with("{1:", 3_333),
        format!("1{}", with("+1", 4_999)),
        format!("a{}", with(".b", 4_999)),
        format!("a{}", with("[0]", 3_333)),
        format!("a{}", with("?a:a", 2_499)),
        format!("{}a", with("!-", 4_999)),
        format!("[]{}", with(".map(x,x)", 1_100)),
        format!("{}[]{}", with("[].map(x,", 999), with(")", 999)),
        format!("{}{}", with("a{b:", 1_900), with("}", 1_900)),
        with("@#$%^&", 1_600),
        with("a", 10_001),
        String::new(),
        " \n ".to_owned(),
        "\0".to_owned(),
        "'\\uD800'".to_owned(),
        "'\u{202e}".to_owned(),
        "\"\"\"".to_owned(),
        "b'\\400'".to_owned(),
    ];
    for text in &texts {
        let error = Expression::parse(text).expect_err(&text.chars().take(20).collect::<String>());
        assert!(!error.contains('\n') && error.len() < 400, "{error}");
    }
}

#[test]
fn any_text_is_read_or_refused() {
    // A small generator instead of chance, so that a failure can be repeated.
    let pieces = [
        "input",
        ".",
        "[",
        "]",
        "(",
        ")",
        "{",
        "}",
        "'a'",
        "\"",
        "'",
        "1",
        "1.5",
        "0x",
        "u",
        "e9",
        "+",
        "-",
        "*",
        "/",
        "%",
        "&&",
        "||",
        "!",
        "?",
        ":",
        ",",
        " in ",
        "==",
        "<",
        ">=",
        "has(",
        ".map(x,",
        ".all(",
        "size(",
        "true",
        "null",
        "\\",
        "`",
        "é",
        "\n",
        "//",
        "b'",
        "r'",
        "'''",
        "..",
        "?.",
        "[?",
        "math.greatest(",
        ".optMap(",
        "\u{0}",
        "🦀",
    ];
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let scope = scope();
    for _ in 0..400 {
        let mut text = String::new();
        for _ in 0..(state % 24 + 1) {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            text.push_str(pieces[(state % pieces.len() as u64) as usize]);
        }
        if let Ok(expression) = Expression::parse(&text) {
            let _ = expression.evaluate(&scope);
        }
    }
}

#[test]
fn the_deepest_expression_fits_on_a_small_stack() {
    let deep = |open: &str, inner: &str, close: &str, levels: usize| {
        format!("{}{inner}{}", open.repeat(levels), close.repeat(levels))
    };
    let texts = [
        deep("[", "1", "]", DEEPEST - 1),
        deep("", "1", "+1", DEEPEST - 1),
        deep("[1].map(x, ", "x", ")", 24),
        deep("(true ? ", "1", " : 2)", DEEPEST - 1 - 40),
        deep("[", "input", "][0]", DEEPEST / 2 - 1),
        deep("[{'a': ", "1", "}]", DEEPEST / 2 - 1),
    ];
    for text in texts {
        let expression = Expression::parse(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let scope = scope();
        std::thread::Builder::new()
            .stack_size(1 << 20)
            .spawn(move || expression.evaluate(&scope).map(|_| drop(expression)))
            .expect("a thread")
            .join()
            .expect("no overflow")
            .expect("a value");
    }
}

#[test]
fn mistakes_have_their_column() {
    let error = |text: &str| Expression::parse(text).expect_err(text);
    assert_eq!(error("input.a + "), "column 11: mismatched input the end");
    assert_eq!(error("a +\n * b"), "line 2, column 2: extraneous input '*'");
    assert_eq!(error("1 + sice('a')"), "column 9: there is no function `sice`: did you mean `size`?");
    assert_eq!(error("'a'.startsWith()"), "column 15: `startsWith` takes 1 arguments, not 0");
    assert_eq!(error("lowerAscii('a')"), "column 11: `lowerAscii` is called after a dot, as in `value.lowerAscii(…)`");
    assert_eq!(error("Foo{a: 1}"), "column 4: there is no type `Foo`");
    assert_eq!(error("99999999999999999999"), "column 1: invalid int literal");
}

#[test]
fn references_are_found() {
    let found = |text: &str| -> Vec<String> {
        let expression = Expression::parse(text).expect(text);
        let shown = |reference: &Reference| reference.path.join("/") + if reference.optional { "?" } else { "" };
        expression.references().iter().map(shown).collect()
    };
    assert_eq!(found("steps.fetch.items[0].id"), ["steps/fetch/items/0/id"]);
    assert_eq!(found("steps['fetch'].items[input.n].id + input.n"), ["input/n", "steps/fetch/items"]);
    assert_eq!(found("input.items.filter(i, i.ok && i.x == context.y)"), ["input/items", "context/y"]);
    assert_eq!(found("has(input.a.b) && input.?c.d == 1"), ["input/a/b?", "input/c/d?"]);
    assert_eq!(found("type(input.a) == int && math.abs(1) == 1"), ["input/a"]);
    assert_eq!(found("input.items.map(input, input.x)"), ["input/items"]);
    assert_eq!(found("{'a': b}.a"), ["b"]);
    let path = |text: &str| Expression::parse(text).expect(text).path().map(<[String]>::to_vec);
    assert_eq!(path("steps.a['b c'][0]"), Some(["steps", "a", "b c", "0"].map(str::to_owned).to_vec()));
    assert_eq!(path("steps.a[input.n]"), None);
    assert_eq!(path("steps.?a"), None);
    assert_eq!(path("has(steps.a)"), None);
    assert_eq!(path("[steps.a][0]"), None);
}

#[test]
fn expressions_can_be_shared_between_threads() {
    fn shared<T: Send + Sync + Clone>() {}
    shared::<Expression>();
    shared::<Scope>();
}
