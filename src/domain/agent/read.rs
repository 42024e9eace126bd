//! From an agent's config to its meaning, with every problem at once.

use serde_json::{Map, Value};
use url::Url;

use super::{Config, Http, Kind, Method, Transform, Worker};
use crate::domain::{
    document::{Object, Place, ProblemCode, Problems, wrong_type},
    workflow::Source,
};

const DEFAULT_QUEUE: &str = "default";
const LONGEST_QUEUE: usize = 100;
const MOST_AT_ONCE: u64 = 10_000;

/// Reads the config of an agent of this kind. Without problems there is one.
pub fn read_config(kind: Kind, config: &Value, problems: &mut Problems) -> Option<Config> {
    let mut object = Object::open(config, Place::default(), problems)?;
    let read = match kind {
        Kind::Http => read_http(&mut object, problems).map(Config::Http),
        Kind::Worker => read_worker(&mut object, problems).map(Config::Worker),
        Kind::Transform => read_transform(&mut object, problems).map(Config::Transform),
    };
    object.close(problems);
    read
}

fn read_http(object: &mut Object<'_>, problems: &mut Problems) -> Option<Http> {
    let url = object.required_text("url", problems);
    if let Some(reason) = url.and_then(|url| check_url(url).err()) {
        problems.add(object.place("url").problem(ProblemCode::InvalidValue, reason));
    }
    let methods = Method::ALL.map(|method| (method.as_str(), method));
    let method = object.word("method", &methods, problems).unwrap_or(Method::Post);
    let headers = object.read("headers", "an object of names and texts", problems, Value::as_object);
    let headers = headers.map(|fields| read_headers(fields, &object.place("headers"), problems)).unwrap_or_default();
    let max_concurrency = read_max_concurrency(object, problems);
    Some(Http { url: url?.to_owned(), method, headers, max_concurrency })
}

/// Scheme and host must be fixed; what follows may have `{{ … }}` in it.
fn check_url(url: &str) -> Result<(), String> {
    let fixed = url.split_once("{{").map_or(url, |(fixed, _)| fixed);
    if !(fixed.starts_with("http://") || fixed.starts_with("https://")) {
        return Err("a URL starts with `http://` or `https://`".to_owned());
    }
    if url.contains(|c: char| c.is_control()) || url.trim() != url {
        return Err("a URL has no control characters and no space around it".to_owned());
    }
    let after_scheme = fixed.splitn(3, '/').nth(2).unwrap_or_default();
    if fixed.len() < url.len() && !after_scheme.contains(['/', '?', '#']) {
        return Err("the host must be fixed: write `{{ … }}` only behind the `/` that follows it".to_owned());
    }
    match Url::parse(fixed) {
        Ok(_) => Ok(()),
        Err(error) => Err(format!("not a URL: {error}")),
    }
}

fn read_headers(fields: &Map<String, Value>, place: &Place, problems: &mut Problems) -> Vec<(String, String)> {
    let mut headers: Vec<(String, String)> = Vec::with_capacity(fields.len());
    for (name, value) in fields {
        let place = place.child(name);
        let Some(text) = value.as_str() else {
            problems.add(wrong_type(&place, "a text", value));
            continue;
        };
        if !is_header_name(name) {
            let message = "not a header's name: use letters, digits and any of !#$%&'*+-.^_`|~";
            problems.add(place.problem(ProblemCode::InvalidValue, message));
        } else if headers.iter().any(|(other, _)| other.eq_ignore_ascii_case(name)) {
            let message = format!("`{name}` is here twice: the case of a header's name does not matter");
            problems.add(place.problem(ProblemCode::Duplicate, message));
        } else if text.contains(|c: char| c.is_control()) {
            problems.add(place.problem(ProblemCode::InvalidValue, "a header has no control characters"));
        } else {
            headers.push((name.clone(), text.to_owned()));
        }
    }
    headers
}

/// A `token` of RFC 9110.
fn is_header_name(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&b))
}

fn read_worker(object: &mut Object<'_>, problems: &mut Problems) -> Option<Worker> {
    let queue = object.text("queue", problems).unwrap_or(DEFAULT_QUEUE);
    let fits = (1..=LONGEST_QUEUE).contains(&queue.len())
        && queue.bytes().all(|b| b.is_ascii_alphanumeric() || b"._-".contains(&b));
    if !fits {
        let message = format!("a queue's name has 1 to {LONGEST_QUEUE} letters, digits, dots, hyphens and underscores");
        problems.add(object.place("queue").problem(ProblemCode::InvalidValue, message));
    }
    let max_concurrency = read_max_concurrency(object, problems);
    fits.then(|| Worker { queue: queue.to_owned(), max_concurrency })
}

fn read_max_concurrency(object: &mut Object<'_>, problems: &mut Problems) -> Option<u32> {
    let number = object.number("maxConcurrency", 1..=MOST_AT_ONCE, problems)?;
    u32::try_from(number).ok()
}

fn read_transform(object: &mut Object<'_>, problems: &mut Problems) -> Option<Transform> {
    let output = object.get("output");
    let fields = object.read("fields", "an object of fields and expressions", problems, Value::as_object);
    match (output, fields) {
        (Some(value), None) => Some(Transform::Value(read_source(value, &object.place("output"), problems))),
        (None, Some(fields)) => {
            let place = object.place("fields");
            let read =
                |(name, value): (&String, &Value)| (name.clone(), read_source(value, &place.child(name), problems));
            Some(Transform::Fields(fields.iter().map(read).collect()))
        }
        (Some(_), Some(_)) => {
            let message = "give `output` for one value or `fields` for an object, not both";
            problems.add(object.place("fields").problem(ProblemCode::InvalidValue, message));
            None
        }
        (None, None) => {
            let message = "`output` is missing: give it for one value, or `fields` for an object";
            problems.add(object.place("output").problem(ProblemCode::Missing, message));
            None
        }
    }
}

/// A transform sees its input and nothing else.
fn read_source(value: &Value, place: &Place, problems: &mut Problems) -> Source {
    let source = Source::read(value);
    if let Source::Path(path) = &source
        && path != "/input"
        && !path.starts_with("/input/")
    {
        let shown: String = path.chars().take(64).collect();
        let message = format!("`{shown}` points to nothing: a transform sees `/input` and what is in it");
        problems.add(place.problem(ProblemCode::InvalidValue, message));
    }
    source
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(kind: Kind, config: Value) -> Result<Config, Vec<String>> {
        let mut problems = Problems::default();
        let read = read_config(kind, &config, &mut problems);
        let problems: Vec<String> = problems.into_vec().into_iter().map(|problem| problem.path).collect();
        if problems.is_empty() { Ok(read.expect("a config")) } else { Err(problems) }
    }

    #[test]
    fn short_configs_get_the_defaults() {
        let url = "https://example.com/{{ input.id }}";
        assert_eq!(
            read(Kind::Http, json!({ "url": url })),
            Ok(Config::Http(Http {
                url: url.to_owned(),
                method: Method::Post,
                headers: Vec::new(),
                max_concurrency: None
            }))
        );
        let worker = Worker { queue: "default".to_owned(), max_concurrency: None };
        assert_eq!(read(Kind::Worker, json!({})), Ok(Config::Worker(worker)));
        let output = Source::Expression("input.a + 1".to_owned());
        assert_eq!(
            read(Kind::Transform, json!({"output": "input.a + 1"})),
            Ok(Config::Transform(Transform::Value(output)))
        );
    }

    #[test]
    fn every_problem_has_its_place() {
        let http = json!({"url": "ftp://x", "method": "post", "maxConcurrency": 0, "retries": 3,
            "headers": {"A b": "x", "X-A": "1", "x-a": "2", "C": 3, "D": "a\r\nb"}});
        assert_eq!(
            read(Kind::Http, http),
            Err([
                "/url",
                "/method",
                "/headers/A b",
                "/headers/x-a",
                "/headers/C",
                "/headers/D",
                "/maxConcurrency",
                "/retries"
            ]
            .map(str::to_owned)
            .to_vec())
        );
        for (kind, config, path) in [
            (Kind::Http, json!({}), "/url"),
            (Kind::Http, json!({"url": "https://{{ input.host }}/"}), "/url"),
            (Kind::Http, json!({"url": "https://a{{ input.host }}"}), "/url"),
            (Kind::Http, json!({"url": "https://"}), "/url"),
            (Kind::Http, json!({"url": "https://a/\n"}), "/url"),
            (Kind::Http, json!({"url": "https://a", "headers": []}), "/headers"),
            (Kind::Worker, json!({"queue": ""}), "/queue"),
            (Kind::Worker, json!({"queue": "a b"}), "/queue"),
            (Kind::Worker, json!({"queue": 1}), "/queue"),
            (Kind::Transform, json!({}), "/output"),
            (Kind::Transform, json!({"output": 1, "fields": {}}), "/fields"),
            (Kind::Transform, json!({"output": "/steps/a"}), "/output"),
            (Kind::Transform, json!({"fields": {"a/b": "/inputs"}}), "/fields/a~1b"),
            (Kind::Transform, json!("x"), ""),
        ] {
            assert_eq!(read(kind, config.clone()), Err(vec![path.to_owned()]), "{config}");
        }
    }
}
