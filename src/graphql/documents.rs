//! Documents that were parsed and checked before: programs send the same few again and again.

use std::{
    num::NonZeroUsize,
    sync::{Arc, Mutex, PoisonError},
};

use async_graphql::{ServerError, parser::types::ExecutableDocument};
use lru::LruCache;

/// A parsed document takes some twenty times the memory of its text, so both are bounded.
const MOST: NonZeroUsize = NonZeroUsize::new(256).expect("not zero");
const LONGEST: usize = 4 * 1024;

/// What was used last is kept.
pub struct Documents(Mutex<LruCache<String, Arc<ExecutableDocument>>>);

impl Documents {
    pub fn new() -> Self {
        Self(Mutex::new(LruCache::new(MOST)))
    }

    /// The document with this text, parsed now if it is not known yet. What does not parse is not remembered.
    pub fn get(
        &self,
        text: &str,
        parse: impl FnOnce(&str) -> Result<ExecutableDocument, ServerError>,
    ) -> Result<ExecutableDocument, ServerError> {
        if text.len() > LONGEST {
            return parse(text);
        }
        let known = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let found = known().get(text).map(Arc::clone);
        if let Some(document) = found {
            return Ok(document.as_ref().clone());
        }
        let document = parse(text)?;
        known().put(text.to_owned(), Arc::new(document.clone()));
        Ok(document)
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use async_graphql::parser::parse_query;

    use super::*;
    use crate::graphql::{Code, request_error};

    #[test]
    fn a_text_is_parsed_once_unless_it_is_long_or_wrong() {
        let (documents, parsed) = (Documents::new(), Cell::new(0));
        let get = |text: &str| {
            documents.get(text, |text| {
                parsed.set(parsed.get() + 1);
                parse_query(text).map_err(|_| request_error(Code::ParseFailed, "no"))
            })
        };
        let long = format!("{{ me }} #{}", " ".repeat(LONGEST));
        for (text, fits, times) in
            [("{ me }", true, 1), ("{ you }", true, 1), ("{", false, 3), (long.as_str(), true, 3)]
        {
            parsed.set(0);
            for _ in 0..3 {
                assert_eq!(get(text).is_ok(), fits, "{text}");
            }
            assert_eq!(parsed.get(), times, "{text}");
        }
        let name = |text: &str| format!("{:?}", get(text).expect("a document").operations);
        assert_ne!(name("{ me }"), name("{ you }"));
    }
}
