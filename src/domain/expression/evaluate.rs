//! Walks through an expression and computes its value.
//!
//! CEL's own interpreter is not used for this: it has no bound on its work, does not keep the order of objects, and
//! turns every number into 64 bits. The language is the same; its functions are called as they are.

use std::{
    cell::{Cell, RefCell},
    collections::HashMap,
    sync::Arc,
};

use cel::common::ast::{CallExpr, EntryExpr, Expr, IdedExpr, ListExpr, LiteralValue, MapExpr, SelectExpr, operators};
use indexmap::IndexMap;

use super::{
    Scope, arithmetic, carry,
    error::Fault,
    operations, references,
    value::{Key, Value},
};
use crate::domain::{
    pattern::{Pattern, Unusable},
    work::{self, Budget, Spent},
};

/// How much one evaluation may do. A unit is one visit of a part of the expression, or eight bytes that are looked at or
/// made. CEL always ends, but nested loops and texts that double would take longer than anybody waits.
pub const MOST_WORK: u64 = 5_000_000;

/// One evaluation and what it has left to spend.
pub struct Evaluation<'a> {
    scope: &'a Scope,
    left: Cell<u64>,
    patterns: RefCell<HashMap<Arc<str>, Pattern>>,
}

/// The variables of loops around a part of an expression, innermost first.
pub struct Locals<'a> {
    pub name: &'a str,
    pub value: Value,
    pub outer: Option<&'a Locals<'a>>,
}

impl<'a> Evaluation<'a> {
    pub fn new(scope: &'a Scope) -> Self {
        Self { scope, left: Cell::new(scope.work()), patterns: RefCell::default() }
    }

    /// Spends units of work, before they are done.
    pub fn charge(&self, units: u64) -> Result<(), Fault> {
        match self.left.get().checked_sub(units) {
            Some(left) => {
                self.left.set(left);
                work::charge(units).map_err(|Spent| too_much())
            }
            None => Err(too_much()),
        }
    }

    /// Does something that pays for itself with what is left.
    fn pay<T>(&self, work: impl FnOnce() -> T) -> T {
        let left = self.left.get();
        let budget = Budget::new(left);
        let done = budget.pay_for(work);
        self.left.set(budget.left());
        done
    }

    pub fn value(&self, expr: &IdedExpr, locals: Option<&Locals<'_>>) -> Result<Value, Fault> {
        self.charge(1)?;
        match &expr.expr {
            Expr::Literal(literal) => Ok(constant(literal)),
            Expr::Ident(name) => self.variable(name, locals),
            Expr::Select(select) => self.select(select, locals),
            Expr::Call(call) => self.operation(call, locals),
            Expr::List(list) => self.list(list, locals),
            Expr::Map(map) => self.map(map, locals),
            Expr::Comprehension(fold) => self.fold(fold, locals),
            Expr::Struct(message) => Err(Fault::plain(format!("there is no type `{}`", message.type_name))),
            Expr::Unspecified => Err(Fault::plain("is incomplete")),
        }
    }

    /// The value of a condition.
    pub fn truth(&self, expr: &IdedExpr, locals: Option<&Locals<'_>>) -> Result<bool, Fault> {
        let value = self.value(expr, locals)?;
        match value.open() {
            Value::Bool(value) => Ok(*value),
            other => Err(Fault::plain(format!("expected bool, found {}", other.type_name()))),
        }
    }

    fn variable(&self, name: &str, locals: Option<&Locals<'_>>) -> Result<Value, Fault> {
        let name = name.trim_start_matches('.');
        let mut at = locals;
        while let Some(local) = at {
            if local.name == name {
                return Ok(local.value.clone());
            }
            at = local.outer;
        }
        let found = self.scope.get(name).cloned().or_else(|| carry::type_named(name));
        found.ok_or_else(|| Fault::plain(format!("there is no variable `{name}`")))
    }

    fn select(&self, select: &SelectExpr, locals: Option<&Locals<'_>>) -> Result<Value, Fault> {
        let of = self.value(&select.operand, locals)?;
        let key = Key::Text(select.field.as_str().into());
        if let Value::Optional(of) = of.open() {
            let found = of.as_ref().and_then(|of| member(of, &key).ok().flatten());
            return Ok(if select.test { found.is_some().into() } else { Value::Optional(found.map(Arc::new)) });
        }
        let found = member(&of, &key).map_err(|kind| no_member(&select.operand, &key, &kind))?;
        match found {
            Some(_) if select.test => Ok(true.into()),
            Some(value) => Ok(value),
            None if select.test => Ok(false.into()),
            None => Err(no_key(&select.operand, &key)),
        }
    }

    fn index(&self, call: &CallExpr, locals: Option<&Locals<'_>>) -> Result<Value, Fault> {
        let [operand, index] = call.args.as_slice() else { return Err(Fault::plain("is incomplete")) };
        let of = self.value(operand, locals)?;
        let index = self.value(index, locals)?;
        let Some(key) = Key::of(&index) else {
            return Err(Fault::plain(format!("{} cannot be an index", index.type_name())));
        };
        let (of, optional) = match of.open() {
            Value::Optional(None) => return Ok(Value::Optional(None)),
            Value::Optional(Some(inner)) => ((**inner).clone(), true),
            _ => (of, call.func_name != operators::INDEX),
        };
        let found = member(&of, &key);
        if optional {
            return Ok(Value::Optional(found.ok().flatten().map(Arc::new)));
        }
        found.map_err(|kind| no_member(operand, &key, &kind))?.ok_or_else(|| no_key(operand, &key))
    }

    fn list(&self, list: &ListExpr, locals: Option<&Locals<'_>>) -> Result<Value, Fault> {
        let mut items = Vec::with_capacity(list.elements.len());
        for (number, element) in list.elements.iter().enumerate() {
            let value = self.value(element, locals)?;
            items.extend(if list.optional_indices.contains(&number) { present(value) } else { Some(value) });
        }
        Ok(Value::list(items))
    }

    fn map(&self, map: &MapExpr, locals: Option<&Locals<'_>>) -> Result<Value, Fault> {
        let mut entries = IndexMap::with_capacity(map.entries.len());
        for entry in &map.entries {
            let EntryExpr::MapEntry(entry) = &entry.expr else { return Err(Fault::plain("is incomplete")) };
            let key = self.value(&entry.key, locals)?;
            let key = Key::of(&key)
                .ok_or_else(|| Fault::plain(format!("{} cannot be a key of an object", key.type_name())))?;
            let value = self.value(&entry.value, locals)?;
            let Some(value) = (if entry.optional { present(value) } else { Some(value) }) else { continue };
            if entries.contains_key(&key) {
                return Err(Fault::plain(format!("the key `{key}` is twice in an object")));
            }
            entries.insert(key, value);
        }
        Ok(Value::map(entries))
    }

    fn operation(&self, call: &CallExpr, locals: Option<&Locals<'_>>) -> Result<Value, Fault> {
        match (call.func_name.as_str(), call.args.as_slice()) {
            (operators::CONDITIONAL, [condition, yes, no]) => {
                let chosen = if self.truth(condition, locals)? { yes } else { no };
                self.value(chosen, locals)
            }
            (operators::LOGICAL_AND, [a, b]) => self.logic(a, b, false, locals),
            (operators::LOGICAL_OR, [a, b]) => self.logic(a, b, true, locals),
            (operators::LOGICAL_NOT, [a]) => Ok((!self.truth(a, locals)?).into()),
            (operators::NOT_STRICTLY_FALSE, [a]) => match self.truth(a, locals) {
                Err(fault) if fault.fatal => Err(fault),
                other => Ok(other.unwrap_or(true).into()),
            },
            (operators::NEGATE, [a]) => arithmetic::negate(&self.value(a, locals)?),
            (operators::INDEX | operators::OPT_INDEX | operators::OPT_SELECT, _) => self.index(call, locals),
            (name, [a, b]) if operations::is_binary(name) => {
                let (a, b) = (self.value(a, locals)?, self.value(b, locals)?);
                self.charge(a.weight().saturating_add(b.weight()))?;
                operations::binary(name, &a, &b)
            }
            _ => self.function(call, locals),
        }
    }

    /// `&&` and `||`: one side that decides makes the other not matter, even if it fails.
    fn logic(&self, a: &IdedExpr, b: &IdedExpr, deciding: bool, locals: Option<&Locals<'_>>) -> Result<Value, Fault> {
        let left = self.truth(a, locals);
        match left {
            Ok(value) if value == deciding => return Ok(deciding.into()),
            Err(fault) if fault.fatal => return Err(fault),
            _ => {}
        }
        let right = self.truth(b, locals)?;
        if right == deciding { Ok(deciding.into()) } else { left.map(|_| right.into()) }
    }

    fn function(&self, call: &CallExpr, locals: Option<&Locals<'_>>) -> Result<Value, Fault> {
        let mut args = Vec::with_capacity(call.args.len());
        for arg in &call.args {
            args.push(self.value(arg, locals)?);
        }
        match (&call.target, references::qualified_function(call)) {
            (_, Some(name)) => self.call(&name, None, args),
            (Some(target), None) => self.call(&call.func_name, Some(self.value(target, locals)?), args),
            (None, None) => self.call(&call.func_name, None, args),
        }
    }

    /// Whether a text has a match of a regular expression.
    pub(super) fn matches(&self, text: &Value, pattern: &Value) -> Result<Value, Fault> {
        let (Value::Text(text), Value::Text(pattern)) = (text.open(), pattern.open()) else {
            return Err(arithmetic::mismatch("matches", text, pattern));
        };
        let mut patterns = self.patterns.borrow_mut();
        if !patterns.contains_key(pattern) {
            let compiled = self.pay(|| Pattern::compile(pattern)).map_err(|error| match error {
                Unusable::Spent => too_much(),
                Unusable::Wrong(error) => {
                    let reason = error.to_string();
                    Fault::plain(format!("not a regular expression: {}", reason.lines().last().unwrap_or_default()))
                }
            })?;
            patterns.insert(pattern.clone(), compiled);
        }
        let Some(compiled) = patterns.get(pattern) else { return Ok(false.into()) };
        let found = self.pay(|| compiled.is_match(text)).map_err(|Spent| too_much())?;
        Ok(found.into())
    }
}

fn too_much() -> Fault {
    Fault::fatal(
        "takes too much work, alone or with what is computed along with it: \
         loop over fewer items, make smaller texts and lists, and use simpler patterns",
    )
}

fn constant(literal: &LiteralValue) -> Value {
    match literal {
        LiteralValue::Boolean(value) => Value::Bool(*value.inner()),
        LiteralValue::Bytes(bytes) => Value::Bytes(bytes.inner().into()),
        LiteralValue::Double(number) => Value::Double(*number.inner()),
        LiteralValue::Int(number) => Value::Int(*number.inner()),
        LiteralValue::Null => Value::Null,
        LiteralValue::String(text) => Value::text(text.inner()),
        LiteralValue::UInt(number) => Value::Uint(*number.inner()),
    }
}

/// An optional's value, or a value that is not optional.
fn present(value: Value) -> Option<Value> {
    match value.open() {
        Value::Optional(inner) => inner.as_ref().map(|inner| (**inner).clone()),
        _ => Some(value),
    }
}

/// What is at a key; or the type of something that has no members.
fn member(of: &Value, key: &Key) -> Result<Option<Value>, String> {
    match (of.open(), key) {
        (Value::Map(map), key) => Ok(map.entries.get(key).cloned()),
        (Value::List(list), Key::Whole(at)) => Ok(usize::try_from(*at).ok().and_then(|at| list.items.get(at)).cloned()),
        (other, _) => Err(other.type_name()),
    }
}

fn no_key(operand: &IdedExpr, key: &Key) -> Fault {
    let of = references::written(operand);
    Fault::plain(match key {
        Key::Whole(at) => format!("no item {at} in `{of}`"),
        key => format!("no such key `{key}` in `{of}`"),
    })
}

fn no_member(operand: &IdedExpr, key: &Key, kind: &str) -> Fault {
    Fault::plain(format!("`{}` is {kind}, which has no `{key}`", references::written(operand)))
}
