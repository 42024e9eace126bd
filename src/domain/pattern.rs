//! Regular expressions that pay for what they do.
//!
//! A search takes time in proportion to the text and, at worst, to the pattern's size as well. Which of the two it is
//! shows only on the way: so the search goes byte by byte and pays for each state that it has to work out.

use std::sync::{Arc, Mutex, PoisonError};

use regex::{Error, RegexBuilder};
use regex_automata::{
    Input,
    hybrid::dfa::{Cache, DFA},
    nfa::thompson::{Compiler, Config, NFA, WhichCaptures, pikevm::PikeVM},
};

use super::work::{Spent, charge};

/// How large a pattern may become when it is compiled.
const LARGEST_BYTES: usize = 1 << 20;

/// Bytes of a text that are looked at for a unit of work.
const BYTES_PER_UNIT: usize = 8;
/// How often it is paid for them.
const STRIDE: usize = 64 * BYTES_PER_UNIT;
/// What compiling takes at least, in units of work.
const COMPILING: u64 = 20_000;
/// How much of what a search has worked out is kept for the next one, in bytes.
const CACHE: usize = 256 * 1024;

/// A regular expression. Cheap to clone.
#[derive(Clone)]
pub struct Pattern(Arc<Compiled>);

struct Compiled {
    text: String,
    automaton: NFA,
    /// Nothing if the pattern has something that it cannot do.
    quick: Option<DFA>,
    /// What the last search has worked out.
    cache: Mutex<Option<Cache>>,
}

impl std::fmt::Debug for Pattern {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Pattern").field(&self.0.text).finish()
    }
}

/// Why there is no pattern.
#[derive(Debug)]
pub enum Unusable {
    Wrong(Error),
    Spent,
}

impl Pattern {
    /// Compiles a pattern.
    pub fn compile(text: &str) -> Result<Self, Unusable> {
        Self::compile_within(text, LARGEST_BYTES)
    }

    /// Compiles a pattern that may become so large.
    pub fn compile_within(text: &str, bytes: usize) -> Result<Self, Unusable> {
        charge(COMPILING.saturating_add(text.len() as u64)).map_err(|Spent| Unusable::Spent)?;
        // Says what is wrong in words, and keeps to the limits.
        RegexBuilder::new(text).size_limit(bytes).dfa_size_limit(bytes).build().map_err(Unusable::Wrong)?;
        let config = Config::new().which_captures(WhichCaptures::None);
        let automaton = Compiler::new().configure(config).build(text);
        let automaton = automaton.map_err(|error| Unusable::Wrong(Error::Syntax(error.to_string())))?;
        // Beyond ASCII it gives up where words begin and end.
        let config = DFA::config().unicode_word_boundary(true).skip_cache_capacity_check(true).cache_capacity(CACHE);
        let quick = DFA::builder().configure(config).build_from_nfa(automaton.clone()).ok();
        Ok(Self(Arc::new(Compiled { text: text.to_owned(), automaton, quick, cache: Mutex::default() })))
    }

    pub fn text(&self) -> &str {
        &self.0.text
    }

    /// Whether a text has a match, if that can be paid for.
    pub fn is_match(&self, text: &str) -> Result<bool, Spent> {
        let states = self.0.automaton.states().len() as u64;
        if let Some(quick) = &self.0.quick {
            let known = || self.0.cache.lock().unwrap_or_else(PoisonError::into_inner);
            let kept = known().take();
            let mut cache = kept.unwrap_or_else(|| quick.create_cache());
            let found = search(quick, &mut cache, states, text);
            if cache.memory_usage() <= CACHE {
                *known() = Some(cache);
            }
            if let Some(found) = found? {
                return Ok(found);
            }
        }
        charge(states.saturating_mul(text.len() as u64) / BYTES_PER_UNIT as u64 + 1)?;
        let Ok(slow) = PikeVM::new_from_nfa(self.0.automaton.clone()) else { return Ok(false) };
        Ok(slow.is_match(&mut slow.create_cache(), text))
    }
}

/// Whether there is a match; nothing if this way of searching cannot tell.
fn search(quick: &DFA, cache: &mut Cache, states: u64, text: &str) -> Result<Option<bool>, Spent> {
    let Ok(mut state) = quick.start_state_forward(cache, &Input::new(text)) else { return Ok(None) };
    for (at, byte) in text.bytes().enumerate() {
        if at % STRIDE == 0 {
            charge((STRIDE / BYTES_PER_UNIT) as u64)?;
        }
        let next = if state.is_tagged() { None } else { Some(quick.next_state_untagged(cache, state, byte)) };
        state = match next.filter(|next| !next.is_unknown()) {
            Some(next) => next,
            // A state that has to be worked out first, from as many parts as the pattern has at worst.
            None => {
                charge(states + 1)?;
                let Ok(next) = quick.next_state(cache, state, byte) else { return Ok(None) };
                next
            }
        };
        if state.is_match() {
            return Ok(Some(true));
        }
        if state.is_dead() {
            return Ok(Some(false));
        }
        if state.is_quit() {
            return Ok(None);
        }
    }
    Ok(quick.next_eoi_state(cache, state).ok().map(|end| end.is_match()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::work::Budget;

    #[test]
    fn matches_are_those_of_the_library() {
        let patterns = [
            "",
            "a",
            "^a",
            "a$",
            "^a+$",
            r"\bok\b",
            r"\d{2,3}",
            "(?i)Ä",
            r"\w+@\w+\.com",
            "x|^$",
            r"(?m)^b",
            "é+",
            r"\Bk",
        ];
        let texts = [
            "",
            "a",
            "ba",
            "ok",
            "not ok.",
            "ä Ok é",
            "12",
            "1234",
            "ada@example.com",
            "c\nb",
            "ékü",
            "日本 ok",
            "aab",
        ];
        for pattern in patterns {
            let compiled = Pattern::compile(pattern).expect("a pattern");
            let library = regex::Regex::new(pattern).expect("a pattern");
            for text in texts {
                assert_eq!(compiled.is_match(text), Ok(library.is_match(text)), "{pattern} in {text}");
            }
        }
    }

    #[test]
    fn what_is_wrong_is_said() {
        assert!(matches!(Pattern::compile("("), Err(Unusable::Wrong(Error::Syntax(_)))));
        assert!(matches!(Pattern::compile("(x{1000}){1000}"), Err(Unusable::Wrong(Error::CompiledTooBig(_)))));
    }

    /// A simple pattern pays for the text; one that makes a new state of every byte pays for each of them.
    #[test]
    fn the_work_is_what_is_paid_for() {
        let simple = Pattern::compile("[0-9]+x").expect("a pattern");
        let slow = Pattern::compile("[01]*1[01]{2000}x").expect("a pattern");
        let text: String = (0..100_000_u64)
            .map(|n| if n.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 63 == 1 { '1' } else { '0' })
            .collect();
        let budget = || Budget::new(100_000);
        assert_eq!(budget().pay_for(|| simple.is_match(&text)), Ok(false));
        assert_eq!(budget().pay_for(|| slow.is_match(&text)), Err(Spent));
    }
}
