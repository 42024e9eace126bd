//! Which media type the client wants.

use axum::http::{HeaderMap, header};
use mime::Mime;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Media {
    /// `application/json`: any well-formed request is answered with 200.
    Json,
    /// `application/graphql-response+json`: the status tells whether the request was executed.
    GraphqlResponse,
    /// `text/event-stream`: graphql-sse, one connection an operation.
    EventStream,
}

impl Media {
    const ALL: [Media; 3] = [Media::Json, Media::GraphqlResponse, Media::EventStream];

    pub fn content_type(self) -> &'static str {
        match self {
            Media::Json => "application/json; charset=utf-8",
            Media::GraphqlResponse => "application/graphql-response+json; charset=utf-8",
            Media::EventStream => "text/event-stream; charset=utf-8",
        }
    }

    /// How exactly a range of the header means this type: not at all, by wildcard, or by name.
    fn matched_by(self, range: &Mime) -> Option<u8> {
        let (main, sub) = match self {
            Media::Json => ("application", "json"),
            Media::GraphqlResponse => ("application", "graphql-response+json"),
            Media::EventStream => ("text", "event-stream"),
        };
        let essence = range.essence_str();
        if essence == format!("{main}/{sub}") {
            return Some(2);
        }
        // Whoever takes anything wants plain JSON: the others must be asked for.
        let wildcard = essence == "*/*" || essence == "application/*";
        (self == Media::Json && wildcard).then_some(if essence == "*/*" { 0 } else { 1 })
    }
}

/// The type that the client likes best, `None` if it takes none of ours. Without a header it is plain JSON.
pub fn negotiate(headers: &HeaderMap) -> Option<Media> {
    if headers.get_all(header::ACCEPT).iter().all(|value| value.is_empty()) {
        return Some(Media::Json);
    }
    let ranges: Vec<(usize, Mime)> = headers
        .get_all(header::ACCEPT)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .filter_map(|range| range.trim().parse::<Mime>().ok())
        .enumerate()
        .collect();
    let mut best: Option<(u16, std::cmp::Reverse<usize>, Media)> = None;
    for media in Media::ALL {
        let fitting = ranges.iter().filter_map(|(at, range)| media.matched_by(range).map(|exact| (exact, *at, range)));
        // The most exact range decides, as the HTTP specification has it.
        let Some((_, at, range)) = fitting.max_by_key(|(exact, at, _)| (*exact, std::cmp::Reverse(*at))) else {
            continue;
        };
        let quality = quality(range);
        let candidate = (quality, std::cmp::Reverse(at), media);
        if quality > 0 && best.is_none_or(|best| (candidate.0, candidate.1) > (best.0, best.1)) {
            best = Some(candidate);
        }
    }
    best.map(|(_, _, media)| media)
}

/// The range's `q`, in thousandths.
fn quality(range: &Mime) -> u16 {
    let text = range.get_param("q").map(|value| value.as_str().to_owned());
    let value = text.map_or(Some(1.0), |text| text.parse::<f32>().ok()).unwrap_or(0.0);
    (value.clamp(0.0, 1.0) * 1000.0) as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    fn accept(value: &str) -> Option<Media> {
        let mut headers = HeaderMap::new();
        headers.insert(header::ACCEPT, value.parse().expect("a header"));
        negotiate(&headers)
    }

    #[test]
    fn a_client_that_does_not_say_gets_plain_json() {
        assert_eq!(negotiate(&HeaderMap::new()), Some(Media::Json));
    }

    #[test]
    fn the_client_decides() {
        assert_eq!(accept("application/graphql-response+json"), Some(Media::GraphqlResponse));
        assert_eq!(
            accept("application/graphql-response+json; charset=utf-8, application/json; charset=utf-8"),
            Some(Media::GraphqlResponse)
        );
        assert_eq!(accept("application/json, application/graphql-response+json"), Some(Media::Json));
        assert_eq!(
            accept("application/json;q=0.5, application/graphql-response+json;q=0.9"),
            Some(Media::GraphqlResponse)
        );
        assert_eq!(accept("*/*"), Some(Media::Json));
        assert_eq!(accept("text/html, */*;q=0.8"), Some(Media::Json));
        assert_eq!(accept("text/event-stream"), Some(Media::EventStream));
        assert_eq!(accept("text/html"), None);
        assert_eq!(accept("application/json;q=0"), None);
        assert_eq!(accept("application/json;q=0, */*"), None);
        assert_eq!(accept("nonsense"), None);
    }

    #[test]
    fn without_a_wish_it_is_plain_json() {
        assert_eq!(negotiate(&HeaderMap::new()), Some(Media::Json));
        assert_eq!(accept(""), Some(Media::Json));
    }
}
