//! Values on their way into CEL's own functions and back.

use std::sync::{Arc, LazyLock};

use cel::{
    Context, Env, ExecutionError,
    common::{
        ast::{CallExpr, Expr, IdedExpr},
        types::{
            CelBool, CelBytes, CelDouble, CelInt, CelList, CelMap, CelMapKey, CelNull, CelOptional, CelString, CelUInt,
        },
        value::Val,
    },
    extensions,
};

use super::{
    error::Fault,
    value::{Key, Value},
};

/// CEL's standard library with its extensions for texts, lists and mathematics.
pub static ENVIRONMENT: LazyLock<Arc<Env>> = LazyLock::new(|| {
    let mut env = Env::stdlib();
    for extension in [extensions::strings, extensions::lists, extensions::math] {
        let added = env.add_extension(extension);
        debug_assert!(added.is_ok(), "an extension's names are taken: {added:?}");
    }
    Arc::new(env)
});

/// Lets CEL call one of its functions.
pub fn call(function: &str, target: Option<&Value>, args: &[Value]) -> Result<Value, Fault> {
    let mut context = Context::with_env(Arc::clone(&ENVIRONMENT));
    let mut names = Vec::with_capacity(args.len());
    for (number, arg) in args.iter().enumerate() {
        let name = format!("argument{number}");
        context.add_variable_as_val(&name, to_cel(arg)?);
        names.push(IdedExpr { id: 0, expr: Expr::Ident(name) });
    }
    let target = match target {
        Some(target) => {
            context.add_variable_as_val("target", to_cel(target)?);
            Some(Box::new(IdedExpr { id: 0, expr: Expr::Ident("target".to_owned()) }))
        }
        None => None,
    };
    let call = Expr::Call(CallExpr { func_name: function.to_owned(), target, args: names });
    resolve(call, &context)
}

/// A type by its name, such as `int`.
pub fn type_named(name: &str) -> Option<Value> {
    resolve(Expr::Ident(name.to_owned()), &Context::with_env(Arc::clone(&ENVIRONMENT))).ok()
}

/// A time or duration as CEL writes it.
pub fn text_of(other: &Arc<dyn Val>) -> Result<String, Fault> {
    match call("string", None, &[Value::Other(Arc::clone(other))]) {
        Ok(Value::Text(text)) => Ok(text.to_string()),
        _ => Err(Fault::plain(format!("the result has {} in it, which JSON cannot hold", other.get_type().name()))),
    }
}

fn resolve(expr: Expr, context: &Context<'_, '_>) -> Result<Value, Fault> {
    let expr = IdedExpr { id: 0, expr };
    let value = cel::Value::resolve_val(&expr, context).map_err(|error| explain(&error))?;
    from_cel(value.as_ref())
}

/// CEL's words for an error, without the names of its own machinery.
fn explain(error: &ExecutionError) -> Fault {
    Fault::plain(match error {
        ExecutionError::NoSuchOverload(overload) => {
            format!("`{}` does not take ({})", overload.function(), overload.argument_types().join(", "))
        }
        ExecutionError::FunctionError { function, message } => format!("`{function}`: {message}"),
        ExecutionError::UndeclaredReference(name) => format!("there is no function `{name}`"),
        other => super::error::shortened(&other.to_string()),
    })
}

pub fn to_cel(value: &Value) -> Result<Box<dyn Val>, Fault> {
    Ok(match value.open() {
        Value::Null | Value::Given(_) => Box::new(CelNull),
        Value::Bool(value) => Box::new(CelBool::from(*value)),
        Value::Int(number) => Box::new(CelInt::from(*number)),
        Value::Uint(number) => Box::new(CelUInt::from(*number)),
        Value::Double(number) => Box::new(CelDouble::from(*number)),
        Value::Beyond(text) => return Err(beyond(text)),
        Value::Text(text) => Box::new(CelString::from(text.to_string())),
        Value::Bytes(bytes) => Box::new(CelBytes::from(bytes.to_vec())),
        Value::List(list) => Box::new(CelList::from(list.items.iter().map(to_cel).collect::<Result<Vec<_>, _>>()?)),
        Value::Map(map) => {
            let entry = |(key, value): (&Key, &Value)| Ok((key_to_cel(key), to_cel(value)?));
            let entries: Result<std::collections::HashMap<_, _>, Fault> = map.entries.iter().map(entry).collect();
            Box::new(CelMap::from(entries?))
        }
        Value::Optional(Some(value)) => Box::new(CelOptional::of(to_cel(value)?)),
        Value::Optional(None) => Box::new(CelOptional::none()),
        Value::Other(other) => other.clone_as_boxed(),
    })
}

fn key_to_cel(key: &Key) -> CelMapKey<'static> {
    match key {
        Key::Text(text) => CelMapKey::String(CelString::from(text.to_string())),
        Key::Whole(number) => CelMapKey::Int(CelInt::from(i64::try_from(*number).unwrap_or(i64::MAX))),
        Key::Bool(value) => CelMapKey::Bool(CelBool::from(*value)),
    }
}

pub fn from_cel(value: &dyn Val) -> Result<Value, Fault> {
    Ok(if let Some(value) = value.downcast_ref::<CelBool>() {
        Value::Bool(*value.inner())
    } else if let Some(number) = value.downcast_ref::<CelInt>() {
        Value::Int(*number.inner())
    } else if let Some(number) = value.downcast_ref::<CelUInt>() {
        Value::Uint(*number.inner())
    } else if let Some(number) = value.downcast_ref::<CelDouble>() {
        Value::Double(*number.inner())
    } else if let Some(text) = value.downcast_ref::<CelString>() {
        Value::text(text.inner())
    } else if let Some(bytes) = value.downcast_ref::<CelBytes>() {
        Value::Bytes(bytes.inner().into())
    } else if let Some(list) = value.downcast_ref::<CelList>() {
        Value::list(list.inner().iter().map(|item| from_cel(item.as_ref())).collect::<Result<_, _>>()?)
    } else if value.downcast_ref::<CelNull>().is_some() {
        Value::Null
    } else if value.downcast_ref::<CelMap>().is_some() || value.downcast_ref::<CelOptional>().is_some() {
        // No function that is given to CEL returns one.
        return Err(Fault::plain(format!("a function returned {}", value.get_type().name())));
    } else {
        Value::Other(owned(value).into())
    })
}

/// Times, durations and types borrow nothing.
fn owned(value: &dyn Val) -> Box<dyn Val> {
    use cel::common::types::{CelDuration, CelTimestamp, CelType};
    if let Some(duration) = value.downcast_ref::<CelDuration>() {
        duration.clone_as_boxed()
    } else if let Some(timestamp) = value.downcast_ref::<CelTimestamp>() {
        timestamp.clone_as_boxed()
    } else if let Some(of_type) = value.downcast_ref::<CelType>() {
        of_type.clone_as_boxed()
    } else {
        Box::new(CelNull)
    }
}

pub fn beyond(number: &str) -> Fault {
    let shown = super::error::shortened(number);
    Fault::plain(format!("`{shown}` is beyond 64 bits: it can be passed on and compared, but not computed with"))
}
