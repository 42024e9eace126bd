//! Where in a text the parts of a document are.

use std::collections::HashMap;

use regex::Regex;
use saphyr_parser::{Event, Parser};

use super::{Problem, yaml};
use crate::domain::json::{self, DEEPEST};

/// A place in a text, as editors count it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    /// From 1.
    pub line: usize,
    /// From 1, in characters.
    pub column: usize,
}

/// Where the parts of a document begin: a field at its key, an item of a list at itself.
#[derive(Debug)]
pub struct Positions(Node);

#[derive(Debug)]
struct Node {
    at: Position,
    below: Below,
}

/// A tree, as a text for each place would be larger than the document, and by how much its author could choose.
#[derive(Debug)]
enum Below {
    Nothing,
    Items(Vec<Node>),
    Fields(HashMap<String, Node>),
}

impl Positions {
    /// The positions in a text that is YAML or JSON. None if it cannot be read.
    pub fn of(text: &str) -> Option<Self> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        // JSON writes some characters as two escapes, each of which is none in YAML. Others of the same length do as well.
        let pairs = Regex::new(r"\\u[dD][89a-fA-F][0-9a-fA-F]{2}").ok()?;
        let text = if yaml::may_be_json(text) { pairs.replace_all(text, r"\u0020") } else { text.into() };
        let mut builder = Builder::default();
        let mut parser = Parser::new_from_str(&text);
        while let Some(event) = parser.next_event() {
            let (event, span) = event.ok()?;
            builder.add(event, Position { line: span.start.line(), column: span.start.col() + 1 })?;
        }
        builder.root.map(Self)
    }

    /// Where the part at a JSON pointer begins; for what is not there, what it would be in.
    pub fn nearest(&self, pointer: &str) -> Position {
        let mut node = &self.0;
        for segment in json::pointer_segments(pointer).unwrap_or_default() {
            let next = match &node.below {
                Below::Nothing => None,
                Below::Items(items) => segment.parse::<usize>().ok().and_then(|number| items.get(number)),
                Below::Fields(fields) => fields.get(&segment),
            };
            match next {
                Some(next) => node = next,
                None => break,
            }
        }
        node.at
    }
}

/// Says of every problem in which line and column of the text it is, and puts them in this order.
pub fn locate(text: &str, problems: &mut [Problem]) {
    if problems.iter().all(|problem| problem.line.is_some()) {
        return;
    }
    let Some(positions) = Positions::of(text) else { return };
    for problem in problems.iter_mut() {
        let at = positions.nearest(&problem.path);
        problem.line.get_or_insert(at.line);
        problem.column.get_or_insert(at.column);
    }
    problems.sort_by_key(|problem| (problem.line, problem.column));
}

#[derive(Default)]
struct Builder {
    open: Vec<Open>,
    root: Option<Node>,
}

/// A list or object that has begun and not ended.
struct Open {
    node: Node,
    /// The key whose value is next, and where it is.
    key: Option<(String, Position)>,
}

impl Builder {
    fn add(&mut self, event: Event<'_>, at: Position) -> Option<()> {
        match event {
            Event::Nothing | Event::StreamStart | Event::StreamEnd | Event::DocumentStart(_) | Event::DocumentEnd => {
                Some(())
            }
            Event::SequenceStart(..) => self.begin(at, Below::Items(Vec::new())),
            Event::MappingStart(..) => self.begin(at, Below::Fields(HashMap::new())),
            Event::SequenceEnd | Event::MappingEnd => {
                let open = self.open.pop()?;
                self.complete(open.node)
            }
            Event::Alias(_) => self.complete(Node { at, below: Below::Nothing }),
            Event::Scalar(text, ..) => match self.open.last_mut() {
                Some(Open { node: Node { below: Below::Fields(_), .. }, key: key @ None }) => {
                    *key = Some((text.into_owned(), at));
                    Some(())
                }
                _ => self.complete(Node { at, below: Below::Nothing }),
            },
        }
    }

    fn begin(&mut self, at: Position, below: Below) -> Option<()> {
        if self.open.len() >= DEEPEST {
            return None;
        }
        self.open.push(Open { node: Node { at, below }, key: None });
        Some(())
    }

    fn complete(&mut self, mut node: Node) -> Option<()> {
        match self.open.last_mut() {
            None => self.root = Some(node),
            Some(Open { node: Node { below: Below::Fields(fields), .. }, key }) => {
                let (name, at) = key.take()?;
                node.at = at;
                fields.insert(name, node);
            }
            Some(Open { node: Node { below: Below::Items(items), .. }, .. }) => items.push(node),
            Some(_) => return None,
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::document::{Place, ProblemCode};

    fn places(text: &str, pointers: &[&str]) -> Vec<(usize, usize)> {
        let positions = Positions::of(text).unwrap_or_else(|| panic!("no positions: {text}"));
        let place = |pointer: &&str| positions.nearest(pointer);
        pointers.iter().map(place).map(|at| (at.line, at.column)).collect()
    }

    #[test]
    fn fields_are_at_their_keys_and_items_at_themselves() {
        let yaml = "# A comment\nname: x\nsteps:\n  - key: a\n    needs: &n [b, {c: d}]\n  -\n    - 1\n  - *n\n";
        let pointers = ["", "/name", "/steps", "/steps/0", "/steps/0/key", "/steps/0/needs", "/steps/0/needs/1/c"];
        assert_eq!(places(yaml, &pointers), [(2, 1), (2, 1), (3, 1), (4, 5), (4, 5), (5, 5), (5, 20)]);
        assert_eq!(places(yaml, &["/steps/1/0", "/steps/2", "/steps/2/1/c"]), [(7, 7), (8, 5), (8, 5)]);
    }

    #[test]
    fn what_is_missing_is_missing_in_something() {
        let yaml = "a:\n  b:\n    - c: 1\n";
        assert_eq!(
            places(yaml, &["/a/b/0/d", "/a/b/7", "/a/b/x", "/a/x/y", "/z", "no pointer"]),
            [(3, 7), (2, 3), (2, 3), (1, 1), (1, 1), (1, 1)]
        );
    }

    #[test]
    fn json_has_positions_too() {
        let json = "\u{feff}{\n\t\"a/b\": [1,\n\t\t{\"é\": \"\\ud83e\\udd80 \\\\ud83e\", \"m~n\": 2}\n\t]\n}";
        assert_eq!(
            places(json, &["/a~1b", "/a~1b/0", "/a~1b/1", "/a~1b/1/é", "/a~1b/1/m~0n"]),
            [(2, 2), (2, 10), (3, 3), (3, 4), (3, 33)]
        );
    }

    #[test]
    fn what_cannot_be_read_has_none() {
        for text in ["", "a: [", "[[a]: 1]", "{\"a\": \"\\q\"}", "? [a]\n: b", &"[".repeat(100_000)] {
            assert!(Positions::of(text).is_none(), "{text:.20}");
        }
    }

    #[test]
    fn problems_are_told_in_the_order_of_the_text() {
        let text = "b: 1\na: 2\n";
        let problem = |name: &str| Place::default().child(name).problem(ProblemCode::Missing, name);
        let mut problems = vec![problem("a"), problem("b")];
        locate(text, &mut problems);
        let found: Vec<_> = problems.iter().map(|problem| (&*problem.path, problem.line, problem.column)).collect();
        assert_eq!(found, [("/b", Some(1), Some(1)), ("/a", Some(2), Some(1))]);
        let mut lost = vec![problem("a")];
        locate("[", &mut lost);
        assert_eq!(lost, [problem("a")]);
    }
}
