//! Calls of functions. Those that only move values are done here, so that the values stay as they are; the others are
//! given to CEL.

use std::cmp::Ordering;

use super::{
    arithmetic, carry, compare,
    error::Fault,
    evaluate::Evaluation,
    value::{BYTES_PER_UNIT, Value},
};

impl Evaluation<'_> {
    /// Calls a function on values.
    pub(super) fn call(&self, name: &str, target: Option<Value>, mut args: Vec<Value>) -> Result<Value, Fault> {
        if let Some(target) = target {
            args.insert(0, target);
            self.charge_call(name, &args)?;
            self.call_member(name, args)
        } else {
            self.charge_call(name, &args)?;
            self.call_alone(name, &args)
        }
    }

    /// Pays beforehand for what a function may do at most with these arguments.
    fn charge_call(&self, name: &str, args: &[Value]) -> Result<(), Fault> {
        let weight = |number: usize| args.get(number).map_or(1, Value::weight);
        let length = |number: usize| match args.get(number).map(Value::open) {
            Some(Value::List(list)) => list.items.len() as u64,
            Some(Value::Text(text)) => text.len() as u64,
            _ => 1,
        };
        let all = args.iter().fold(1, |sum: u64, arg| sum.saturating_add(arg.weight()));
        let more = match name {
            "replace" => (length(0) / length(1).max(1) + 1).saturating_mul(weight(2)),
            "join" => length(0).saturating_mul(weight(1)),
            "distinct" => length(0).saturating_mul(weight(0)),
            "indexOf" | "lastIndexOf" => length(0).saturating_mul(length(1)) / BYTES_PER_UNIT as u64,
            "sort" | "@sortByAssociatedKeys" => weight(0).saturating_add(weight(1)).saturating_mul(20),
            "split" => length(0),
            _ => 0,
        };
        self.charge(all.saturating_add(more))
    }

    fn call_alone(&self, name: &str, args: &[Value]) -> Result<Value, Fault> {
        match (name, args) {
            ("size", [value]) => size(value),
            ("dyn", [value]) => Ok(value.clone()),
            ("type", [value]) => carry::type_named(&value.type_name())
                .ok_or_else(|| Fault::plain(format!("there is no type `{}`", value.type_name()))),
            ("string", [value]) => match value.written_number() {
                Some(written) => Ok(Value::text(written)),
                None => carry::call(name, None, args),
            },
            ("matches", [text, pattern]) => self.matches(text, pattern),
            ("lists.range", [count]) => self.range(count),
            ("math.@max", _) => extreme("math.greatest", Ordering::Greater, args),
            ("math.@min", _) => extreme("math.least", Ordering::Less, args),
            ("math.ceil" | "math.floor" | "math.round" | "math.trunc", [value])
                if matches!(value.open(), Value::Int(_) | Value::Uint(_) | Value::Beyond(_)) =>
            {
                Ok(value.clone())
            }
            ("base64.encode", [value]) => encode(value),
            ("base64.decode", [value]) => decode(value),
            ("optional.none", []) => Ok(Value::Optional(None)),
            ("optional.of", [value]) => Ok(Value::Optional(Some(value.clone().into()))),
            ("optional.ofNonZeroValue", [value]) => {
                Ok(Value::Optional((!is_zero(value)).then(|| value.clone().into())))
            }
            _ => carry::call(name, None, args),
        }
    }

    fn call_member(&self, name: &str, args: Vec<Value>) -> Result<Value, Fault> {
        let opened: Vec<&Value> = args.iter().map(Value::open).collect();
        match (name, opened.as_slice()) {
            ("size", [value]) => size(value),
            ("matches", [text, pattern]) => self.matches(text, pattern),
            ("reverse", [Value::List(list)]) => Ok(Value::list(list.items.iter().rev().cloned().collect())),
            ("slice", [Value::List(list), from, to]) => super::lists::slice(&list.items, from, to),
            ("flatten", [Value::List(list)]) => super::lists::flatten(self, &list.items, 1),
            ("flatten", [Value::List(list), Value::Int(depth)]) => super::lists::flatten(self, &list.items, *depth),
            ("distinct", [Value::List(list)]) => Ok(super::lists::distinct(&list.items)),
            ("sort", [Value::List(list)]) => super::lists::sort(&list.items, &list.items),
            ("@sortByAssociatedKeys", [Value::List(list), Value::List(keys)]) => {
                super::lists::sort(&list.items, &keys.items)
            }
            ("join", [Value::List(list)]) => super::lists::join(&list.items, ""),
            ("join", [Value::List(list), Value::Text(between)]) => super::lists::join(&list.items, between),
            ("hasValue", [Value::Optional(value)]) => Ok(value.is_some().into()),
            ("value", [Value::Optional(Some(value))]) => Ok((**value).clone()),
            ("value", [Value::Optional(None)]) => Err(Fault::plain("`value` of an optional that has none")),
            ("or", [value @ Value::Optional(Some(_)), Value::Optional(_)]) => Ok((*value).clone()),
            ("or", [Value::Optional(None), other @ Value::Optional(_)]) => Ok((*other).clone()),
            ("orValue", [Value::Optional(Some(value)), _]) => Ok((**value).clone()),
            ("orValue", [Value::Optional(None), _]) => Ok(args[1].clone()),
            _ => carry::call(name, args.first(), args.get(1..).unwrap_or_default()),
        }
    }

    fn range(&self, count: &Value) -> Result<Value, Fault> {
        let Value::Int(count) = count.open() else {
            return Err(Fault::plain(format!("`lists.range` takes int, not {}", count.type_name())));
        };
        self.charge(u64::try_from(*count).unwrap_or(0))?;
        Ok(Value::list((0..*count).map(Value::Int).collect()))
    }
}

fn size(value: &Value) -> Result<Value, Fault> {
    let size = match value.open() {
        Value::Text(text) => text.chars().count(),
        Value::Bytes(bytes) => bytes.len(),
        Value::List(list) => list.items.len(),
        Value::Map(map) => map.entries.len(),
        other => return Err(Fault::plain(format!("`size` does not take {}", other.type_name()))),
    };
    Ok(Value::Int(i64::try_from(size).unwrap_or(i64::MAX)))
}

fn is_zero(value: &Value) -> bool {
    match value.open() {
        Value::Null | Value::Bool(false) | Value::Int(0) | Value::Uint(0) | Value::Optional(None) => true,
        Value::Double(number) => *number == 0.0,
        Value::Text(text) => text.is_empty(),
        Value::Bytes(bytes) => bytes.is_empty(),
        Value::List(list) => list.items.is_empty(),
        Value::Map(map) => map.entries.is_empty(),
        _ => false,
    }
}

/// The greatest or least of the arguments, or of the list that is the only one.
fn extreme(name: &str, wanted: Ordering, args: &[Value]) -> Result<Value, Fault> {
    let items = match args {
        [only] => match only.open() {
            Value::List(list) => &list.items,
            _ => args,
        },
        several => several,
    };
    let mut found: Option<&Value> = None;
    for item in items {
        if !matches!(item.open(), Value::Int(_) | Value::Uint(_) | Value::Double(_) | Value::Beyond(_)) {
            return Err(Fault::plain(format!("`{name}` takes numbers, not {}", item.type_name())));
        }
        found = match found {
            Some(best) => match compare::order(item, best) {
                Some(order) => Some(if order == wanted { item } else { best }),
                None => return Err(arithmetic::mismatch(name, item, best)),
            },
            None => Some(item),
        };
    }
    found.cloned().ok_or_else(|| Fault::plain(format!("`{name}` of an empty list")))
}

fn encode(value: &Value) -> Result<Value, Fault> {
    use base64::{Engine as _, prelude::BASE64_STANDARD};
    match value.open() {
        Value::Bytes(bytes) => Ok(Value::Text(BASE64_STANDARD.encode(bytes).into())),
        Value::Text(text) => Ok(Value::Text(BASE64_STANDARD.encode(&**text).into())),
        other => Err(Fault::plain(format!("`base64.encode` takes bytes or string, not {}", other.type_name()))),
    }
}

fn decode(value: &Value) -> Result<Value, Fault> {
    use base64::{Engine as _, prelude::BASE64_STANDARD};
    let Value::Text(text) = value.open() else {
        return Err(Fault::plain(format!("`base64.decode` takes string, not {}", value.type_name())));
    };
    let bytes = BASE64_STANDARD.decode(&**text).map_err(|error| Fault::plain(format!("`base64.decode`: {error}")))?;
    Ok(Value::Bytes(bytes.into()))
}
