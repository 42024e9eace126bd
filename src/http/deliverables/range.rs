//! Which part of content is wanted.

use std::ops::Range;

use axum::http::{HeaderMap, header};

/// What a request asks for.
#[derive(Debug, PartialEq, Eq)]
pub enum Wanted {
    All,
    Part(Range<u64>),
    /// A part that the content does not have.
    Beyond,
}

/// The part that the header `Range` asks for. Several parts at once, and what cannot be read, mean all of it: the
/// specification allows that. `etag` is that of the content as it is now.
pub fn wanted(headers: &HeaderMap, size: u64, etag: &str) -> Wanted {
    let Some(text) = headers.get(header::RANGE).and_then(|value| value.to_str().ok()) else { return Wanted::All };
    // Whoever has the beginning of other content needs all of this one. A date is never strong enough.
    if headers.get(header::IF_RANGE).is_some_and(|value| value.as_bytes() != etag.as_bytes()) {
        return Wanted::All;
    }
    parse(text, size).unwrap_or(Wanted::All)
}

fn parse(text: &str, size: u64) -> Option<Wanted> {
    let (unit, part) = text.split_once('=')?;
    if !unit.trim().eq_ignore_ascii_case("bytes") || part.contains(',') {
        return None;
    }
    let (first, last) = part.trim().split_once('-')?;
    // Digits and nothing else: `parse` would take a sign.
    let number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse::<u64>().ok())?;
    let range = match (first, last) {
        ("", "") => return None,
        ("", last) => {
            let length = number(last)?;
            if length == 0 {
                return Some(Wanted::Beyond);
            }
            size.saturating_sub(length)..size
        }
        (first, "") => number(first)?..size,
        (first, last) => {
            let (first, last) = (number(first)?, number(last)?);
            if last < first {
                return None;
            }
            first..last.saturating_add(1).min(size)
        }
    };
    Some(if range.start < size { Wanted::Part(range) } else { Wanted::Beyond })
}

/// Whether the caller has this content already.
pub fn is_known(headers: &HeaderMap, etag: &str) -> bool {
    let known = headers.get_all(header::IF_NONE_MATCH);
    known.iter().filter_map(|value| value.to_str().ok()).flat_map(|value| value.split(',')).any(|tag| {
        let tag = tag.trim();
        tag == "*" || tag.strip_prefix("W/").unwrap_or(tag) == etag
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(range: &'static str, size: u64) -> Wanted {
        let mut headers = HeaderMap::new();
        headers.insert(header::RANGE, range.parse().expect("a header"));
        wanted(&headers, size, "\"x\"")
    }

    #[test]
    fn parts_are_within_the_content() {
        for (range, expected) in [
            ("bytes=0-3", Wanted::Part(0..4)),
            ("bytes=4-", Wanted::Part(4..10)),
            ("bytes=-3", Wanted::Part(7..10)),
            ("bytes=-30", Wanted::Part(0..10)),
            ("bytes=9-99", Wanted::Part(9..10)),
            ("bytes=10-", Wanted::Beyond),
            ("bytes=-0", Wanted::Beyond),
            ("bytes=3-1", Wanted::All),
            ("bytes=0-1,3-4", Wanted::All),
            ("bytes=+1-3", Wanted::All),
            ("bytes=-", Wanted::All),
            ("lines=0-1", Wanted::All),
            ("bytes=99999999999999999999-", Wanted::All),
            ("nonsense", Wanted::All),
        ] {
            assert_eq!(of(range, 10), expected, "{range}");
        }
        assert_eq!(of("bytes=0-", 0), Wanted::Beyond);
    }

    #[test]
    fn other_content_is_given_whole() {
        let mut headers = HeaderMap::new();
        headers.insert(header::RANGE, "bytes=0-1".parse().expect("a header"));
        headers.insert(header::IF_RANGE, "\"x\"".parse().expect("a header"));
        assert_eq!(wanted(&headers, 10, "\"x\""), Wanted::Part(0..2));
        assert_eq!(wanted(&headers, 10, "\"y\""), Wanted::All);
    }

    #[test]
    fn what_is_known_is_not_sent() {
        let mut headers = HeaderMap::new();
        headers.insert(header::IF_NONE_MATCH, "\"a\", W/\"b\"".parse().expect("a header"));
        assert!(is_known(&headers, "\"a\"") && is_known(&headers, "\"b\"") && !is_known(&headers, "\"c\""));
    }
}
