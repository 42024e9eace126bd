//! Loops: what `all`, `exists`, `exists_one`, `map`, `filter`, `sortBy` and `optMap` become.

use cel::common::ast::{ComprehensionExpr, Expr, IdedExpr, operators};

use super::{
    error::Fault,
    evaluate::{Evaluation, Locals},
    value::{Key, Value},
};

impl Evaluation<'_> {
    pub(super) fn fold(&self, fold: &ComprehensionExpr, outer: Option<&Locals<'_>>) -> Result<Value, Fault> {
        let range = self.value(&fold.iter_range, outer)?;
        let items: Vec<Value> = match range.open() {
            Value::List(list) => {
                self.charge(list.items.len() as u64)?;
                list.items.clone()
            }
            Value::Map(map) => {
                self.charge(map.entries.len() as u64)?;
                map.entries.keys().map(Key::to_value).collect()
            }
            other => return Err(Fault::plain(format!("cannot loop over {}", other.type_name()))),
        };
        match appended(fold) {
            Some((condition, item)) => self.append(&fold.iter_var, items, condition, item, outer),
            None => self.accumulate(fold, items, outer),
        }
    }

    /// `map` and `filter`: adds items to a list, in place.
    fn append(
        &self,
        name: &str,
        items: Vec<Value>,
        condition: Option<&IdedExpr>,
        item: &IdedExpr,
        outer: Option<&Locals<'_>>,
    ) -> Result<Value, Fault> {
        let mut made = Vec::new();
        for value in items {
            let locals = Locals { name, value, outer };
            let kept = match condition {
                Some(condition) => self.truth(condition, Some(&locals))?,
                None => true,
            };
            if kept {
                made.push(self.value(item, Some(&locals))?);
            }
        }
        Ok(Value::list(made))
    }

    fn accumulate(
        &self,
        fold: &ComprehensionExpr,
        items: Vec<Value>,
        outer: Option<&Locals<'_>>,
    ) -> Result<Value, Fault> {
        let deciding = deciding(fold);
        let start = self.value(&fold.accu_init, outer)?;
        let mut result = Locals { name: &fold.accu_var, value: start, outer };
        let mut pending: Option<Fault> = None;
        for value in items {
            if !self.truth(&fold.loop_cond, Some(&result))? {
                break;
            }
            let step = self.value(&fold.loop_step, Some(&Locals { name: &fold.iter_var, value, outer: Some(&result) }));
            match (step, deciding) {
                (Err(fault), Some(_)) if !fault.fatal => pending = Some(fault),
                (Err(fault), _) => return Err(fault),
                // After a failure, only what decides everything counts.
                (Ok(value), Some(deciding)) => match value.open() {
                    Value::Bool(value) if pending.is_some() && *value != deciding => {}
                    _ => {
                        pending = None;
                        result.value = value;
                    }
                },
                (Ok(value), None) => result.value = value,
            }
        }
        match pending {
            Some(fault) => Err(fault),
            None => self.value(&fold.result, Some(&result)),
        }
    }
}

/// For `all` and `exists`: which value of one item decides about all of them.
fn deciding(fold: &ComprehensionExpr) -> Option<bool> {
    let Expr::Call(step) = &fold.loop_step.expr else { return None };
    let accumulates = step.args.first().is_some_and(|first| is_result(first, fold));
    match step.func_name.as_str() {
        operators::LOGICAL_AND if accumulates => Some(false),
        operators::LOGICAL_OR if accumulates => Some(true),
        _ => None,
    }
}

/// For `map` and `filter`: the condition and what is added to the list.
fn appended(fold: &ComprehensionExpr) -> Option<(Option<&IdedExpr>, &IdedExpr)> {
    let Expr::Call(step) = &fold.loop_step.expr else { return None };
    if !is_result(&fold.result, fold) || !matches!(fold.accu_init.expr, Expr::List(_)) {
        return None;
    }
    match (step.func_name.as_str(), step.args.as_slice()) {
        (operators::CONDITIONAL, [condition, then, otherwise]) if is_result(otherwise, fold) => {
            let Expr::Call(then) = &then.expr else { return None };
            Some((Some(condition), added(&then.func_name, &then.args, fold)?))
        }
        (name, args) => Some((None, added(name, args, fold)?)),
    }
}

fn added<'a>(name: &str, args: &'a [IdedExpr], fold: &ComprehensionExpr) -> Option<&'a IdedExpr> {
    match args {
        [result, list] if name == operators::ADD && is_result(result, fold) => match &list.expr {
            Expr::List(list) if list.optional_indices.is_empty() => match list.elements.as_slice() {
                [item] => Some(item),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    }
}

fn is_result(expr: &IdedExpr, fold: &ComprehensionExpr) -> bool {
    matches!(&expr.expr, Expr::Ident(name) if *name == fold.accu_var)
}
