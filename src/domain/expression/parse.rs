//! From a text to an expression that is safe to walk through.

use cel::{
    ParseError,
    common::ast::{EntryExpr, Expr, IdedExpr, SourceInfo},
};

use super::{carry::ENVIRONMENT, references::References};
use crate::domain::work::charge;

/// How many characters an expression may have.
pub const LONGEST: usize = 10_000;

/// How deep the parts of an expression may be within each other.
pub const DEEPEST: usize = 90;

/// The parser calls itself for every bracket and operator, several times and with large frames, so it gets more stack
/// than threads usually have. What is not used of it costs nothing.
const STACK_BYTES: usize = 64 << 20;

/// What reading a character costs, in units of work.
const WORK_PER_CHARACTER: u64 = 20;

/// Parses a text, or says in one line what is wrong and where.
pub fn parse(text: &str) -> Result<(IdedExpr, References), String> {
    let length = text.chars().count();
    if length > LONGEST {
        return Err(format!("has {length} characters: at most {LONGEST} are allowed"));
    }
    if text.trim().is_empty() {
        return Err("is empty".to_owned());
    }
    if charge((length as u64).saturating_mul(WORK_PER_CHARACTER)).is_err() {
        return Err(
            "takes too much work to read, with what is computed along with it: write fewer or shorter ones".to_owned()
        );
    }
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().name("parse".to_owned()).stack_size(STACK_BYTES);
        let parser = thread
            .spawn_scoped(scope, || parse_on_this_thread(text))
            .map_err(|error| format!("cannot be read now: {error}"))?;
        // The parser may have bugs: one that panics must not take more down than this expression.
        parser.join().unwrap_or_else(|_| Err("cannot be read: the parser gave up on it".to_owned()))
    })
}

fn parse_on_this_thread(text: &str) -> Result<(IdedExpr, References), String> {
    let parser = ENVIRONMENT.parser().enable_ident_escape_syntax(true);
    let (expr, source) = parser.parse_with_source_info(text).map_err(|errors| match errors.errors.first() {
        Some(error) => describe(text, error),
        None => "cannot be read".to_owned(),
    })?;
    if !is_within(&expr, DEEPEST) {
        return Err(format!("is nested deeper than {DEEPEST} levels"));
    }
    let references = References::of(&expr);
    match references.bad_calls.first() {
        Some((id, message)) => Err(format!("{}{message}", place_of(text, &source, *id))),
        None => Ok((expr, references)),
    }
}

fn describe(text: &str, error: &ParseError) -> String {
    let message = error.msg.trim_start_matches("Syntax error: ");
    // The list of everything that could have stood there helps nobody.
    let message = message.split(" expecting {").next().unwrap_or(message);
    let message = message.lines().next().unwrap_or_default().replace("'<EOF>'", "the end").replace("<EOF>", "the end");
    let message = if message.contains("Recursion limit") { "is nested too deep".to_owned() } else { message };
    let message = super::error::shortened(&message);
    match error.pos {
        (line, column) if line > 0 && column > 0 => format!("{}{message}", place(text, line, column)),
        _ => message,
    }
}

fn place_of(text: &str, source: &SourceInfo, id: u64) -> String {
    let Some((start, _)) = source.offset_for(id) else { return String::new() };
    let before: String = text.chars().take(start as usize).collect();
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().map_or(0, |rest| rest.chars().count()) + 1;
    place(text, line.try_into().unwrap_or(1), column.try_into().unwrap_or(1))
}

fn place(text: &str, line: isize, column: isize) -> String {
    if text.contains('\n') { format!("line {line}, column {column}: ") } else { format!("column {column}: ") }
}

/// Whether an expression is at most so many levels deep, looking no deeper than that.
fn is_within(expr: &IdedExpr, levels: usize) -> bool {
    let Some(levels) = levels.checked_sub(1) else { return false };
    let within = |expr: &IdedExpr| is_within(expr, levels);
    match &expr.expr {
        Expr::Unspecified | Expr::Ident(_) | Expr::Literal(_) => true,
        Expr::Call(call) => call.target.iter().all(|target| within(target)) && call.args.iter().all(within),
        Expr::Select(select) => within(&select.operand),
        Expr::List(list) => list.elements.iter().all(within),
        Expr::Map(map) => map.entries.iter().all(|entry| match &entry.expr {
            EntryExpr::MapEntry(entry) => within(&entry.key) && within(&entry.value),
            EntryExpr::StructField(field) => within(&field.value),
        }),
        Expr::Struct(message) => message.entries.iter().all(|entry| match &entry.expr {
            EntryExpr::MapEntry(entry) => within(&entry.key) && within(&entry.value),
            EntryExpr::StructField(field) => within(&field.value),
        }),
        Expr::Comprehension(fold) => {
            [&fold.iter_range, &fold.accu_init, &fold.loop_cond, &fold.loop_step, &fold.result].into_iter().all(within)
        }
    }
}
