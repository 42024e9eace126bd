//! From an agent's config to its meaning, with every problem at once.

use serde_json::{Map, Value};

use super::{Config, Http, Kind, Method, Transform, Worker, http};
use crate::domain::{
    document::{Object, Place, ProblemCode, Problems, wrong_type},
    transform::Transformation,
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
    let methods = Method::ALL.map(|method| (method.as_str(), method));
    let method = object.word("method", &methods, problems).unwrap_or(Method::Post);
    let headers = object.read("headers", "an object of names and texts", problems, Value::as_object);
    let headers = headers.map(|fields| read_headers(fields, &object.place("headers"), problems)).unwrap_or_default();
    let max_concurrency = read_max_concurrency(object, problems);
    let http = Http { url: url?.to_owned(), method, headers, max_concurrency };
    http::check(&http, &Place::default(), problems);
    Some(http)
}

/// The headers as they were written; what is wrong with them is found with the rest.
fn read_headers(fields: &Map<String, Value>, place: &Place, problems: &mut Problems) -> Vec<(String, String)> {
    let mut headers: Vec<(String, String)> = Vec::with_capacity(fields.len());
    for (name, value) in fields {
        match value.as_str() {
            Some(text) => headers.push((name.clone(), text.to_owned())),
            None => problems.add(wrong_type(&place.child(name), "a text", value)),
        }
    }
    headers
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
    let (transform, place) = match (output, fields) {
        (Some(value), None) => (Transform::Value(Source::read(value)), object.place("output")),
        (None, Some(fields)) => {
            let fields = fields.iter().map(|(name, value)| (name.clone(), Source::read(value)));
            (Transform::Fields(fields.collect()), object.place("fields"))
        }
        (Some(_), Some(_)) => {
            let message = "give `output` for one value or `fields` for an object, not both";
            problems.add(object.place("fields").problem(ProblemCode::InvalidValue, message));
            return None;
        }
        (None, None) => {
            let message = "`output` is missing: give it for one value, or `fields` for an object";
            problems.add(object.place("output").problem(ProblemCode::Missing, message));
            return None;
        }
    };
    // What is saved must run: its expressions are read here for the first time.
    if let Err(found) = Transformation::compile(&transform, &place) {
        found.into_iter().for_each(|problem| problems.add(problem));
    }
    Some(transform)
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
                "/method",
                "/headers/C",
                "/maxConcurrency",
                "/url",
                "/headers/A b",
                "/headers/x-a",
                "/headers/D",
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
