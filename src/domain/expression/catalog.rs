//! The functions that expressions may call, and how.

/// How a function is called: alone, or on what stands before the dot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Style {
    Alone,
    Member,
    Both,
}

/// Every function with how it is called and with how many arguments. What stands before the dot counts as one only
/// where it may as well stand in the brackets.
const FUNCTIONS: &[(&str, Style, std::ops::RangeInclusive<usize>)] = {
    use Style::{Alone, Both, Member};
    &[
        ("base64.decode", Alone, 1..=1),
        ("base64.encode", Alone, 1..=1),
        ("bool", Alone, 1..=1),
        ("bytes", Alone, 1..=1),
        ("charAt", Member, 1..=1),
        ("contains", Member, 1..=1),
        ("distinct", Member, 0..=0),
        ("double", Alone, 1..=1),
        ("duration", Alone, 1..=1),
        ("dyn", Alone, 1..=1),
        ("endsWith", Member, 1..=1),
        ("flatten", Member, 0..=1),
        ("format", Member, 1..=1),
        ("getDate", Member, 0..=1),
        ("getDayOfMonth", Member, 0..=1),
        ("getDayOfWeek", Member, 0..=1),
        ("getDayOfYear", Member, 0..=1),
        ("getFullYear", Member, 0..=1),
        ("getHours", Member, 0..=1),
        ("getMilliseconds", Member, 0..=1),
        ("getMinutes", Member, 0..=1),
        ("getMonth", Member, 0..=1),
        ("getSeconds", Member, 0..=1),
        ("hasValue", Member, 0..=0),
        ("indexOf", Member, 1..=2),
        ("int", Alone, 1..=1),
        ("join", Member, 0..=1),
        ("lastIndexOf", Member, 1..=2),
        ("lists.range", Alone, 1..=1),
        ("lowerAscii", Member, 0..=0),
        ("matches", Both, 2..=2),
        ("math.abs", Alone, 1..=1),
        ("math.bitAnd", Alone, 2..=2),
        ("math.bitNot", Alone, 1..=1),
        ("math.bitOr", Alone, 2..=2),
        ("math.bitShiftLeft", Alone, 2..=2),
        ("math.bitShiftRight", Alone, 2..=2),
        ("math.bitXor", Alone, 2..=2),
        ("math.ceil", Alone, 1..=1),
        ("math.floor", Alone, 1..=1),
        ("math.isFinite", Alone, 1..=1),
        ("math.isInf", Alone, 1..=1),
        ("math.isNaN", Alone, 1..=1),
        ("math.round", Alone, 1..=1),
        ("math.sign", Alone, 1..=1),
        ("math.sqrt", Alone, 1..=1),
        ("math.trunc", Alone, 1..=1),
        ("optional.none", Alone, 0..=0),
        ("optional.of", Alone, 1..=1),
        ("optional.ofNonZeroValue", Alone, 1..=1),
        ("or", Member, 1..=1),
        ("orValue", Member, 1..=1),
        ("replace", Member, 2..=3),
        ("reverse", Member, 0..=0),
        ("size", Both, 1..=1),
        ("slice", Member, 2..=2),
        ("sort", Member, 0..=0),
        ("split", Member, 1..=2),
        ("startsWith", Member, 1..=1),
        ("string", Alone, 1..=1),
        ("strings.quote", Alone, 1..=1),
        ("substring", Member, 1..=2),
        ("timestamp", Alone, 1..=1),
        ("trim", Member, 0..=0),
        ("type", Alone, 1..=1),
        ("uint", Alone, 1..=1),
        ("upperAscii", Member, 0..=0),
        ("value", Member, 0..=0),
        // What macros become: nobody can write these.
        ("@sortByAssociatedKeys", Member, 1..=1),
        ("math.@max", Alone, 1..=2),
        ("math.@min", Alone, 1..=2),
    ]
};

/// What looks like a function, but is a part of the language, and how it is written.
const MACROS: &[(&str, &str)] = &[
    ("all", "list.all(item, condition)"),
    ("exists", "list.exists(item, condition)"),
    ("exists_one", "list.exists_one(item, condition)"),
    ("existsOne", "list.existsOne(item, condition)"),
    ("filter", "list.filter(item, condition)"),
    ("has", "has(object.field)"),
    ("map", "list.map(item, value)"),
    ("math.greatest", "math.greatest(a, b)"),
    ("math.least", "math.least(a, b)"),
    ("optFlatMap", "optional.optFlatMap(value, optional)"),
    ("optMap", "optional.optMap(value, other)"),
    ("sortBy", "list.sortBy(item, key)"),
];

/// What is wrong with a call, if anything.
pub fn check_call(name: &str, member: bool, args: usize) -> Result<(), String> {
    let Some((_, style, arity)) = FUNCTIONS.iter().find(|(known, ..)| *known == name) else {
        return Err(match MACROS.iter().find(|(known, _)| *known == name) {
            Some((_, usage)) => format!("`{name}` is written like `{usage}`"),
            None => match nearest(name) {
                Some(near) => format!("there is no function `{name}`: did you mean `{near}`?"),
                None => format!("there is no function `{name}`"),
            },
        });
    };
    match (style, member) {
        (Style::Alone, true) => return Err(format!("`{name}` is called as `{name}(…)`, not after a dot")),
        (Style::Member, false) => return Err(format!("`{name}` is called after a dot, as in `value.{name}(…)`")),
        _ => {}
    }
    let before_the_dot = usize::from(*style == Style::Both && member);
    let (least, most) = (arity.start() - before_the_dot, arity.end() - before_the_dot);
    if (least..=most).contains(&args) {
        return Ok(());
    }
    let expected = if least == most { least.to_string() } else { format!("{least} or {most}") };
    Err(format!("`{name}` takes {expected} arguments, not {args}"))
}

/// The name that was probably meant.
fn nearest(name: &str) -> Option<&'static str> {
    let distance = |known: &str| strsim::damerau_levenshtein(&name.to_lowercase(), &known.to_lowercase());
    let known = FUNCTIONS.iter().map(|(known, ..)| *known).chain(MACROS.iter().map(|(known, _)| *known));
    let (distance, near) = known.filter(|known| !known.contains('@')).map(|known| (distance(known), known)).min()?;
    (distance <= (name.chars().count() / 3).clamp(1, 2)).then_some(near)
}

/// Whether a name such as `math.abs` is a function, although it looks like a member of `math`.
pub fn is_qualified(name: &str) -> bool {
    name.contains('.') && FUNCTIONS.iter().any(|(known, ..)| *known == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::expression::{carry, value::Value};

    #[test]
    fn every_function_is_there() {
        // These are not part of CEL's library as it is built here.
        let own = ["base64.decode", "base64.encode"];
        for (name, style, arity) in FUNCTIONS.iter().filter(|(name, ..)| !own.contains(name)) {
            let args = vec![Value::Null; *arity.start()];
            let target = (*style == Style::Member).then_some(&Value::Null);
            if let Err(fault) = carry::call(name, target, &args) {
                assert!(!fault.message.contains("there is no function"), "{name}: {}", fault.message);
            }
        }
    }

    #[test]
    fn calls_are_checked() {
        assert_eq!(check_call("size", true, 0), Ok(()));
        assert_eq!(check_call("size", false, 1), Ok(()));
        assert_eq!(check_call("size", true, 1).expect_err("too many"), "`size` takes 0 arguments, not 1");
        assert_eq!(check_call("flatten", true, 2).expect_err("too many"), "`flatten` takes 0 or 1 arguments, not 2");
        assert_eq!(
            check_call("Substring", true, 1).expect_err("a typo"),
            "there is no function `Substring`: did you mean `substring`?"
        );
        assert_eq!(check_call("now", false, 0).expect_err("unknown"), "there is no function `now`");
        assert_eq!(
            check_call("fliter", true, 2).expect_err("a typo"),
            "there is no function `fliter`: did you mean `filter`?"
        );
        assert_eq!(check_call("map", true, 1).expect_err("too few"), "`map` is written like `list.map(item, value)`");
        assert_eq!(check_call("int", true, 0).expect_err("a member"), "`int` is called as `int(…)`, not after a dot");
    }
}
