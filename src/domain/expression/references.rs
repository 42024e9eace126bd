//! What an expression names: variables with the members below them, and functions.

use cel::common::ast::{CallExpr, EntryExpr, Expr, IdedExpr, LiteralValue, operators};

use super::{carry, catalog};

/// A variable that an expression names, with the members below it as far as they are certain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reference {
    /// `steps.fetch.items[0].id` is `["steps", "fetch", "items", "0", "id"]`.
    pub path: Vec<String>,
    /// Whether it may be missing: it is asked for with `has(…)`, `.?` or `[?…]`.
    pub optional: bool,
}

/// The name of a function such as `math.abs`, whose call looks like one on a variable `math`.
pub fn qualified_function(call: &CallExpr) -> Option<String> {
    let Expr::Ident(space) = &call.target.as_ref()?.expr else { return None };
    let name = format!("{space}.{}", call.func_name);
    catalog::is_qualified(&name).then_some(name)
}

/// A member path as it was written, as far as it is one.
pub fn written(expr: &IdedExpr) -> String {
    match &expr.expr {
        Expr::Ident(name) if name.starts_with(['@', '#']) => "…".to_owned(),
        Expr::Ident(name) => name.clone(),
        Expr::Select(select) => format!("{}.{}", written(&select.operand), select.field),
        Expr::Call(call) => match member_call(call) {
            Some((of, member)) => match segment(member) {
                Some(name) if call.func_name == operators::OPT_SELECT => format!("{}.?{name}", written(of)),
                Some(name) => format!("{}[{name}]", written(of)),
                None => format!("{}[…]", written(of)),
            },
            None => "…".to_owned(),
        },
        _ => "…".to_owned(),
    }
}

/// Everything that an expression names.
#[derive(Debug, Default)]
pub struct References {
    pub variables: Vec<Reference>,
    /// Calls that cannot work: the place in the expression and why.
    pub bad_calls: Vec<(u64, String)>,
}

impl References {
    pub fn of(expr: &IdedExpr) -> Self {
        let mut found = Self::default();
        found.walk(expr, &mut Vec::new());
        found
    }

    fn walk<'a>(&mut self, expr: &'a IdedExpr, locals: &mut Vec<&'a str>) {
        match &expr.expr {
            Expr::Ident(_) | Expr::Select(_) => self.note(expr, locals),
            Expr::Call(call) if member_call(call).is_some() => self.note(expr, locals),
            Expr::Call(call) => self.walk_call(expr.id, call, locals),
            Expr::List(list) => list.elements.iter().for_each(|element| self.walk(element, locals)),
            Expr::Map(map) => self.walk_entries(&map.entries, locals),
            Expr::Struct(message) => {
                self.bad_calls.push((expr.id, format!("there is no type `{}`", message.type_name)));
            }
            Expr::Comprehension(fold) => {
                self.walk(&fold.iter_range, locals);
                self.walk(&fold.accu_init, locals);
                locals.push(&fold.accu_var);
                self.walk(&fold.loop_cond, locals);
                locals.push(&fold.iter_var);
                self.walk(&fold.loop_step, locals);
                locals.pop();
                self.walk(&fold.result, locals);
                locals.pop();
            }
            Expr::Literal(_) | Expr::Unspecified => {}
        }
    }

    fn walk_call<'a>(&mut self, id: u64, call: &'a CallExpr, locals: &mut Vec<&'a str>) {
        let qualified = qualified_function(call);
        if !is_operator(&call.func_name) {
            let name = qualified.as_deref().unwrap_or(&call.func_name);
            let member = call.target.is_some() && qualified.is_none();
            if let Err(message) = catalog::check_call(name, member, call.args.len()) {
                self.bad_calls.push((id, message));
            }
        }
        if let Some(target) = call.target.as_ref().filter(|_| qualified.is_none()) {
            self.walk(target, locals);
        }
        call.args.iter().for_each(|arg| self.walk(arg, locals));
    }

    fn walk_entries<'a>(&mut self, entries: &'a [cel::common::ast::IdedEntryExpr], locals: &mut Vec<&'a str>) {
        for entry in entries {
            if let EntryExpr::MapEntry(entry) = &entry.expr {
                self.walk(&entry.key, locals);
                self.walk(&entry.value, locals);
            }
        }
    }

    fn note<'a>(&mut self, expr: &'a IdedExpr, locals: &mut Vec<&'a str>) {
        let noted = self.path(expr, locals).map(|(reference, _)| reference);
        self.variables.extend(noted.filter(|reference| !self.variables.contains(reference)));
    }

    /// The variable below which something is, and whether nothing on the way is computed.
    fn path<'a>(&mut self, expr: &'a IdedExpr, locals: &mut Vec<&'a str>) -> Option<(Reference, bool)> {
        let (of, name, optional) = match &expr.expr {
            Expr::Ident(name) => {
                let name = name.trim_start_matches('.');
                let known = locals.contains(&name) || carry::type_named(name).is_some();
                return (!known).then(|| (Reference { path: vec![name.to_owned()], optional: false }, true));
            }
            Expr::Select(select) => (&*select.operand, Some(select.field.clone()), select.test),
            Expr::Call(call) => match member_call(call) {
                Some((of, member)) => {
                    let name = segment(member);
                    if name.is_none() {
                        self.walk(member, locals);
                    }
                    (of, name, call.func_name != operators::INDEX)
                }
                None => {
                    self.walk(expr, locals);
                    return None;
                }
            },
            _ => {
                self.walk(expr, locals);
                return None;
            }
        };
        let (mut reference, certain) = self.path(of, locals)?;
        // What is below an optional member is optional as well, so only the part above it is certain.
        let certain = certain && name.is_some();
        if certain {
            reference.path.extend(name);
            reference.optional |= optional;
        }
        Some((reference, certain))
    }
}

fn member_call(call: &CallExpr) -> Option<(&IdedExpr, &IdedExpr)> {
    match (call.func_name.as_str(), call.args.as_slice()) {
        (operators::INDEX | operators::OPT_INDEX | operators::OPT_SELECT, [of, member]) => Some((of, member)),
        _ => None,
    }
}

fn segment(member: &IdedExpr) -> Option<String> {
    match &member.expr {
        Expr::Literal(LiteralValue::String(text)) => Some(text.inner().to_owned()),
        Expr::Literal(LiteralValue::Int(number)) => Some(number.inner().to_string()),
        Expr::Literal(LiteralValue::UInt(number)) => Some(number.inner().to_string()),
        _ => None,
    }
}

fn is_operator(name: &str) -> bool {
    name.starts_with(['_', '!', '-']) || name == operators::IN || name == operators::NOT_STRICTLY_FALSE
}

/// Whether an expression is nothing but members of a variable.
pub fn is_path(expr: &IdedExpr) -> bool {
    match &expr.expr {
        Expr::Ident(_) => true,
        Expr::Select(select) => !select.test && is_path(&select.operand),
        Expr::Call(call) => match member_call(call) {
            Some((of, member)) => call.func_name == operators::INDEX && segment(member).is_some() && is_path(of),
            None => false,
        },
        _ => false,
    }
}
