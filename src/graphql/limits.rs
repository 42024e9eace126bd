//! What a document may cost before anything is done with it.
//!
//! Everything here is linear in the document's length, whatever the document: the library's own checks open
//! fragments again and again, which a few lines can make take for ever.

use std::collections::HashMap;

use async_graphql::{
    ServerError,
    parser::types::{ExecutableDocument, Selection, SelectionSet},
};

use super::{
    error::{Code, request_error},
    introspection,
};
use crate::config::Settings;

/// The limits that need no schema.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    bytes: usize,
    tokens: usize,
    depth: usize,
    /// How deep anything may be nested, fields or not: what follows it down has so much stack.
    nesting: usize,
    aliases: usize,
    directives: usize,
    selections: usize,
    introspection: bool,
}

impl Limits {
    pub fn new(settings: &Settings) -> Self {
        Self {
            bytes: settings.max_query_bytes,
            tokens: settings.max_query_tokens,
            depth: settings.max_depth,
            // Arguments, lists, objects and fragments nest within and around fields.
            nesting: settings.max_depth.saturating_mul(2).saturating_add(16),
            aliases: settings.max_aliases,
            directives: settings.max_directives,
            // Each field costs at least one, so more selections than this are too complex in any schema.
            selections: settings.max_complexity,
            introspection: settings.introspection,
        }
    }

    /// Checks the text, which the parser would otherwise follow into any depth. The parser and the library's validation
    /// also take a hundred times as long as this, and nobody else is served by their thread meanwhile.
    pub fn check_text(&self, query: &str) -> Result<(), ServerError> {
        if query.len() > self.bytes {
            let message = format!("the document has {} bytes: at most {} are allowed", query.len(), self.bytes);
            return Err(request_error(Code::QueryTooLong, message));
        }
        let Some(Shape { depth, tokens }) = shape(query) else {
            return Err(request_error(Code::ParseFailed, "a block string is not closed"));
        };
        if depth > self.nesting {
            return Err(too_deep(depth, self.nesting));
        }
        if tokens > self.tokens {
            let message = format!("the document has {tokens} words and signs: at most {} are allowed", self.tokens);
            return Err(request_error(Code::QueryTooLong, message));
        }
        Ok(())
    }

    /// Checks the parsed document.
    pub fn check_document(&self, document: &ExecutableDocument) -> Result<(), ServerError> {
        let mut sizes = Sizes { document, limits: self, known: HashMap::new() };
        // Also those that nobody uses, because the library follows them, too.
        for name in document.fragments.keys() {
            sizes.of_fragment(name, 0)?;
        }
        let mut aliases = 0_usize;
        let mut selections = 0_usize;
        for (_, operation) in document.operations.iter() {
            let size = sizes.of_set(&operation.node.selection_set.node, 0)?;
            let variables = operation.node.variable_definitions.iter().map(|variable| variable.node.directives.len());
            let directives = size.directives.max(operation.node.directives.len()).max(variables.max().unwrap_or(0));
            if directives > self.directives {
                let message = format!("a field has {directives} directives: at most {} are allowed", self.directives);
                return Err(request_error(Code::TooManyDirectives, message));
            }
            if size.depth > self.depth {
                return Err(too_deep(size.depth, self.depth));
            }
            aliases = aliases.saturating_add(size.aliases);
            selections = selections.saturating_add(size.selections);
        }
        if aliases > self.aliases {
            let message = format!("the query has {aliases} aliases: at most {} are allowed", self.aliases);
            return Err(request_error(Code::TooManyAliases, message));
        }
        if selections > self.selections {
            let message = format!("the query selects {selections} fields: at most {} are allowed", self.selections);
            return Err(request_error(Code::QueryTooComplex, message));
        }
        introspection::check(document)
    }
}

fn too_deep(depth: usize, most: usize) -> ServerError {
    request_error(Code::QueryTooDeep, format!("the query is nested {depth} levels deep: at most {most} are allowed"))
}

fn too_nested(most: usize) -> ServerError {
    let message = format!("fields and fragments are nested more than {most} levels deep");
    request_error(Code::QueryTooDeep, message)
}

/// What can be told of a document without parsing it.
#[derive(Debug, PartialEq)]
struct Shape {
    /// The deepest nesting of brackets.
    depth: usize,
    tokens: usize,
}

/// Looks at a text outside its strings and comments. `None` if a block string is not closed, which the parser takes
/// for an empty string and goes on behind it.
fn shape(query: &str) -> Option<Shape> {
    let bytes = query.as_bytes();
    let (mut depth, mut deepest, mut at) = (0_usize, 0_usize, 0_usize);
    let mut tokens = 0;
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-' | b'+');
    while let Some(byte) = bytes.get(at) {
        // The rest of a word, a number or an ellipsis is no token of its own.
        let goes_on = at > 0 && is_part(bytes[at - 1]) && is_part(*byte);
        tokens += usize::from(!goes_on && !matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | b',' | b'#'));
        match byte {
            b'{' | b'[' | b'(' => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            b'}' | b']' | b')' => depth = depth.saturating_sub(1),
            b'#' => at += bytes[at..].iter().position(|byte| matches!(byte, b'\n' | b'\r')).unwrap_or(bytes.len() - at),
            b'"' => at = end_of_string(bytes, at)?,
            _ => {}
        }
        at += 1;
    }
    Some(Shape { depth: deepest, tokens })
}

/// The last byte of the string that starts at `start`; `None` if it is a block that is not closed.
fn end_of_string(bytes: &[u8], start: usize) -> Option<usize> {
    let block = bytes[start..].starts_with(b"\"\"\"");
    let mut at = if block { start + 3 } else { start + 1 };
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'\\' if !block || bytes[at..].starts_with(b"\\\"\"\"") => at += if block { 3 } else { 1 },
            b'"' if !block => return Some(at),
            b'"' if bytes[at..].starts_with(b"\"\"\"") => return Some(at + 2),
            b'\n' if !block => return Some(at),
            _ => {}
        }
        at += 1;
    }
    (!block).then_some(bytes.len())
}

/// How much a selection set is, fragments opened.
#[derive(Debug, Clone, Copy, Default)]
struct Size {
    selections: usize,
    /// Of fields alone.
    depth: usize,
    /// Of selection sets, with those of fragments.
    nesting: usize,
    aliases: usize,
    directives: usize,
}

/// Sizes of fragments, each worked out once.
struct Sizes<'a> {
    document: &'a ExecutableDocument,
    limits: &'a Limits,
    /// `None` while a fragment is being worked out: meeting it again is a cycle.
    known: HashMap<&'a str, Option<Size>>,
}

impl<'a> Sizes<'a> {
    /// The size of a set that stands so many levels deep.
    fn of_set(&mut self, set: &'a SelectionSet, level: usize) -> Result<Size, ServerError> {
        let mut sum = Size::default();
        for item in &set.items {
            let size = self.of_selection(&item.node, level)?;
            sum.selections = sum.selections.saturating_add(size.selections);
            sum.aliases = sum.aliases.saturating_add(size.aliases);
            sum.depth = sum.depth.max(size.depth);
            sum.nesting = sum.nesting.max(size.nesting);
            sum.directives = sum.directives.max(size.directives);
        }
        Ok(sum)
    }

    fn of_selection(&mut self, selection: &'a Selection, level: usize) -> Result<Size, ServerError> {
        let level = level + 1;
        if level > self.limits.nesting {
            return Err(too_nested(self.limits.nesting));
        }
        let mut size = match selection {
            Selection::Field(field) => {
                // The library would answer with null, as if there were no schema.
                if !self.limits.introspection && matches!(field.node.name.node.as_str(), "__schema" | "__type") {
                    return Err(request_error(Code::ValidationFailed, "introspection is turned off on this server"));
                }
                let mut size = self.of_set(&field.node.selection_set.node, level)?;
                size.depth += 1;
                size.aliases = size.aliases.saturating_add(usize::from(field.node.alias.is_some()));
                size
            }
            Selection::InlineFragment(fragment) => self.of_set(&fragment.node.selection_set.node, level)?,
            Selection::FragmentSpread(spread) => self.of_fragment(&spread.node.fragment_name.node, level)?,
        };
        size.nesting += 1;
        size.selections = size.selections.saturating_add(1);
        size.directives = size.directives.max(selection.directives().len());
        Ok(size)
    }

    fn of_fragment(&mut self, name: &'a str, level: usize) -> Result<Size, ServerError> {
        match self.known.get(name) {
            Some(Some(size)) if level + size.nesting > self.limits.nesting => {
                return Err(too_nested(self.limits.nesting));
            }
            Some(Some(size)) => return Ok(*size),
            Some(None) => {
                let message = format!("the fragment `{name}` contains itself");
                return Err(request_error(Code::ValidationFailed, message));
            }
            None => {}
        }
        // An unknown fragment is for the validation to report.
        let Some(fragment) = self.document.fragments.get(name) else {
            return Ok(Size::default());
        };
        self.known.insert(name, None);
        let mut size = self.of_set(&fragment.node.selection_set.node, level)?;
        size.directives = size.directives.max(fragment.node.directives.len());
        self.known.insert(name, Some(size));
        Ok(size)
    }
}

#[cfg(test)]
mod tests {
    use async_graphql::parser::parse_query;

    use super::*;

    fn code(query: &str) -> Option<String> {
        let limits = Limits::new(&Settings::default());
        let checked = limits
            .check_text(query)
            .and_then(|()| limits.check_document(&parse_query(query).expect("a valid document")));
        checked.err().and_then(|error| error.extensions?.get("code").map(ToString::to_string))
    }

    #[test]
    fn fragments_that_double_each_other_are_counted_without_opening_them() {
        let fragments: String =
            (0..40).map(|n| format!("fragment f{n} on Query {{ ...f{} ...f{} }}\n", n + 1, n + 1)).collect();
        let query = format!("{{ ...f0 }}\n{fragments}fragment f40 on Query {{ __typename }}");
        assert_eq!(code(&query).as_deref(), Some("\"QUERY_TOO_COMPLEX\""));
    }

    #[test]
    fn a_fragment_cycle_is_named() {
        let query = "{ ...a } fragment a on Query { ...b ...b } fragment b on Query { ...a ...a }";
        assert_eq!(code(query).as_deref(), Some("\"GRAPHQL_VALIDATION_FAILED\""));
    }

    #[test]
    fn depth_counts_fields_through_fragments() {
        let nested = |levels: usize| format!("{}{}", "{ a ".repeat(levels), "}".repeat(levels));
        assert_eq!(code(&nested(15)), None);
        assert_eq!(code(&nested(16)).as_deref(), Some("\"QUERY_TOO_DEEP\""));
        let through = format!("{{ a {{ ...f }} }} fragment f on Query {}", nested(15));
        assert_eq!(code(&through).as_deref(), Some("\"QUERY_TOO_DEEP\""));
    }

    #[test]
    fn absurd_nesting_never_reaches_the_parser() {
        let limits = Limits::new(&Settings::default());
        for open in ["{", "[", "(", "{a(b:["] {
            assert!(limits.check_text(&open.repeat(20_000)).is_err(), "{open}");
        }
    }

    #[test]
    fn a_document_of_very_many_words_never_reaches_the_parser() {
        assert_eq!(code(&format!("{{ {} }}", "a ".repeat(9_000))), None);
        let limits = Limits::new(&Settings::default());
        for word in ["a ", "a:b ", "@a ", "$a:Int ", "1 ", "\"a\" ", "...a ", "! "] {
            assert!(limits.check_text(&word.repeat(10_001)).is_err(), "{word}");
        }
        assert!(limits.check_text(&format!("{{ a(b: \"{}\") }}", "{ a ".repeat(20_000))).is_ok());
    }

    #[test]
    fn what_is_in_strings_and_comments_does_not_count() {
        let shape = |query: &str| shape(query).map(|Shape { depth, tokens }| (depth, tokens));
        assert_eq!(shape("{ a(b: \"{{{{\\\"{{\") # {{{{{\n c }"), Some((2, 9)));
        assert_eq!(shape("{ a(b: \"\"\"{{ \\\"\"\" {{ \" {{\"\"\") { c } }"), Some((2, 11)));
        assert_eq!(shape("\"unclosed {{{{"), Some((0, 1)));
        assert_eq!(shape("query($a: [Int!] = [-1, 2.5e+3]) { ...f @skip(if: $a) }"), Some((2, 26)));
    }

    /// The parser reads `\"\"\"x\"` as two strings if no `\"\"\"` follows.
    #[test]
    fn brackets_cannot_hide_behind_a_block_string_that_is_not_closed() {
        let limits = Limits::new(&Settings::default());
        assert!(limits.check_text(&format!("{{a(b:[\"\"\"x\" {}", "[".repeat(20_000))).is_err());
    }

    #[test]
    fn a_chain_of_fragments_has_an_end() {
        let chain = |length: usize, operation: &str| {
            let fragment = |n: usize| format!("fragment f{n} on Query {{ ...f{} }}\n", n + 1);
            let fragments: String = (0..length).map(fragment).collect();
            format!("{operation}\n{fragments}fragment f{length} on Query {{ __typename }}")
        };
        assert_eq!(code(&chain(40, "{ ...f0 }")), None);
        for operation in ["{ ...f0 }", "{ ...f1000 ...f0 }", "{ __typename }"] {
            assert_eq!(code(&chain(1_000, operation)).as_deref(), Some("\"QUERY_TOO_DEEP\""), "{operation}");
        }
    }
}
