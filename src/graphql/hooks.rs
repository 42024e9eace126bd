//! What is mended around the library's execution.
//!
//! - It reports an error inside a list with the path of the list item, not of the field that failed. The true path is
//!   noted where the error arises and put back at the end.
//! - It lets the failure of a nullable field take the whole object along. Here such a field is null, and the rest stays.
//! - It does not say how complex a query may be.
//! - It makes answers of any length.
//! - It does not tell errors of the request from errors of execution.

use std::sync::{
    Arc, Mutex, PoisonError,
    atomic::{AtomicBool, Ordering},
};

use async_graphql::{
    ErrorExtensionValues, PathSegment, QueryPathSegment, Response, ServerError, ServerResult, ValidationResult, Value,
    extensions::{
        Extension, ExtensionContext, ExtensionFactory, NextExecute, NextResolve, NextSubscribe, NextValidation,
        ResolveInfo,
    },
};
use futures_util::{StreamExt, stream::BoxStream};

use super::{
    error::{Code, request_error},
    room::{Measure, Room},
};

/// Under this name an error carries its true path until it is put back.
const TRUE_PATH: &str = "\0path";

/// The hooks of every operation.
pub struct Hooks {
    pub max_complexity: usize,
    pub max_answer_bytes: usize,
}

impl ExtensionFactory for Hooks {
    fn create(&self) -> Arc<dyn Extension> {
        let measure = Arc::new(Measure::new(self.max_answer_bytes));
        Arc::new(RequestHooks { max_complexity: self.max_complexity, caught: Arc::default(), measure })
    }
}

/// Tells whether execution began: errors before it are errors of the request, without any data.
#[derive(Clone, Default)]
pub struct Started(pub Arc<AtomicBool>);

/// The hooks of one request.
struct RequestHooks {
    max_complexity: usize,
    /// The failures of nullable fields, since the last response.
    caught: Arc<Mutex<Vec<ServerError>>>,
    measure: Arc<Measure>,
}

#[async_trait::async_trait]
impl Extension for RequestHooks {
    fn subscribe<'s>(
        &self,
        ctx: &ExtensionContext<'_>,
        stream: BoxStream<'s, Response>,
        next: NextSubscribe<'_>,
    ) -> BoxStream<'s, Response> {
        let (caught, measure) = (Arc::clone(&self.caught), Arc::clone(&self.measure));
        let finished = move |response| {
            let response = finish(response, &caught, measure.end(None));
            // Each event is an answer of its own.
            measure.begin(None);
            response
        };
        next.run(ctx, stream).map(finished).boxed()
    }

    async fn validation(
        &self,
        ctx: &ExtensionContext<'_>,
        next: NextValidation<'_>,
    ) -> Result<ValidationResult, Vec<ServerError>> {
        next.run(ctx).await.map_err(|errors| {
            let too_complex = errors.iter().any(|error| error.message == "Query is too complex.");
            if too_complex { vec![too_complex_error(self.max_complexity)] } else { errors }
        })
    }

    async fn execute(
        &self,
        ctx: &ExtensionContext<'_>,
        operation_name: Option<&str>,
        next: NextExecute<'_>,
    ) -> Response {
        if let Some(Started(flag)) = ctx.data_opt::<Started>() {
            flag.store(true, Ordering::Relaxed);
        }
        let room = ctx.data_opt::<Room>();
        self.measure.begin(room);
        let response = next.run(ctx, operation_name).await;
        finish(response, &self.caught, self.measure.end(room))
    }

    async fn resolve(
        &self,
        ctx: &ExtensionContext<'_>,
        info: ResolveInfo<'_>,
        next: NextResolve<'_>,
    ) -> ServerResult<Option<Value>> {
        let (path, nullable) = (info.path_node, !info.return_type.ends_with('!'));
        let (name, is_leaf) = (info.alias.unwrap_or(info.name), info.field.selection_set.node.items.is_empty());
        let is_mutation = path.parent.is_none() && info.parent_type == "Mutation";
        if self.measure.is_full() {
            return Err(full());
        }
        let result = next.run(ctx, info).await;
        match &result {
            Ok(value) => self.measure.count(name, value.as_ref(), is_leaf),
            Err(error) => self.measure.count_error(error),
        }
        if self.measure.is_full() {
            if path.parent.is_none() {
                self.measure.blame(name, is_mutation);
            }
            return Err(full());
        }
        match result {
            Err(error) if nullable => {
                self.caught.lock().unwrap_or_else(PoisonError::into_inner).push(note_path(error, path));
                Ok(Some(Value::Null))
            }
            result => result.map_err(|error| note_path(error, path)),
        }
    }
}

/// Ends the work on an answer that is too long. Nobody sees it: another error takes the answer's place.
fn full() -> ServerError {
    request_error(Code::AnswerTooLarge, "the answer is too large")
}

fn too_complex_error(most: usize) -> ServerError {
    let message = format!("the query is too complex: fields, times the page size within lists, must be at most {most}");
    request_error(Code::QueryTooComplex, message)
}

fn collect_path(node: &async_graphql::QueryPathNode<'_>) -> Value {
    let segment = |node: &async_graphql::QueryPathNode<'_>| match node.segment {
        QueryPathSegment::Name(name) => Value::from(name),
        QueryPathSegment::Index(index) => Value::from(index),
    };
    let mut path: Vec<Value> = std::iter::once(segment(node)).chain(node.parents().map(segment)).collect();
    path.reverse();
    Value::List(path)
}

/// The innermost field sees the error first: its path is the true one.
fn note_path(mut error: ServerError, path: &async_graphql::QueryPathNode<'_>) -> ServerError {
    let extensions = error.extensions.get_or_insert_with(ErrorExtensionValues::default);
    if extensions.get(TRUE_PATH).is_none() {
        extensions.set(TRUE_PATH, collect_path(path));
    }
    error
}

fn finish(mut response: Response, caught: &Mutex<Vec<ServerError>>, too_long: Option<ServerError>) -> Response {
    let mut caught = std::mem::take(&mut *caught.lock().unwrap_or_else(PoisonError::into_inner));
    if let Some(error) = too_long {
        response.data = Value::Null;
        response.errors = vec![error];
        return response;
    }
    response.errors.append(&mut caught);
    for error in &mut response.errors {
        let Some(extensions) = &mut error.extensions else { continue };
        let Some(Value::List(path)) = extensions.get(TRUE_PATH).cloned() else { continue };
        extensions.unset(TRUE_PATH);
        error.path = path
            .into_iter()
            .filter_map(|segment| match segment {
                Value::String(name) => Some(PathSegment::Field(name)),
                Value::Number(index) => usize::try_from(index.as_u64()?).ok().map(PathSegment::Index),
                _ => None,
            })
            .collect();
    }
    response
}

#[cfg(test)]
mod tests {
    use async_graphql::{EmptyMutation, Object, Schema, Subscription};
    use futures_util::{Stream, stream};
    use serde_json::{Value, json};

    use super::*;
    use crate::graphql::error::{Fault, Result};

    /// Fails wherever its number is odd.
    #[derive(Clone)]
    struct Item(usize);

    impl Item {
        fn check(&self) -> Result<usize> {
            if self.0.is_multiple_of(2) { Ok(self.0) } else { Err(Fault::BadInput(format!("{} is odd", self.0))) }
        }
    }

    #[Object]
    impl Item {
        async fn number(&self) -> usize {
            self.0
        }

        async fn needed(&self) -> Result<usize> {
            self.check()
        }

        async fn wished(&self) -> Result<Option<usize>> {
            self.check().map(Some)
        }

        async fn children(&self) -> Vec<Item> {
            vec![Item(self.0), Item(self.0 + 1)]
        }
    }

    struct Query;

    #[Object]
    impl Query {
        async fn items(&self) -> Vec<Item> {
            (0..4).map(Item).collect()
        }

        async fn maybe_items(&self) -> Vec<Option<Item>> {
            (0..4).map(|number| Some(Item(number))).collect()
        }

        async fn maybe_list(&self) -> Option<Vec<Item>> {
            Some((0..4).map(Item).collect())
        }

        async fn grid(&self) -> Vec<Vec<Option<Item>>> {
            vec![vec![Some(Item(0)), Some(Item(1))], vec![Some(Item(2)), Some(Item(3))]]
        }
    }

    struct Watch;

    #[Subscription]
    impl Watch {
        async fn pairs(&self) -> impl Stream<Item = Vec<Option<Item>>> {
            stream::iter([vec![Some(Item(0)), Some(Item(1))]])
        }
    }

    async fn ask(query: &str) -> (Value, Vec<Value>) {
        let schema = Schema::build(Query, EmptyMutation, Watch)
            .extension(Hooks { max_complexity: 1_000, max_answer_bytes: 1_000_000 })
            .finish();
        let mut responses = schema.execute_stream(query);
        let response = responses.next().await.expect("a response");
        let answer = serde_json::to_value(&response).expect("JSON");
        let errors = answer.get("errors").and_then(Value::as_array).cloned().unwrap_or_default();
        for error in &errors {
            assert_eq!(error["extensions"], json!({"code": "BAD_USER_INPUT"}), "nothing of ours stays behind");
        }
        let mut paths: Vec<Value> = errors.into_iter().map(|error| error["path"].clone()).collect();
        paths.sort_by_key(Value::to_string);
        (answer["data"].clone(), paths)
    }

    #[tokio::test]
    async fn a_nullable_field_fails_alone() {
        let (data, paths) = ask("{ items { n: number w: wished } }").await;
        let items = json!([{"n": 0, "w": 0}, {"n": 1, "w": null}, {"n": 2, "w": 2}, {"n": 3, "w": null}]);
        assert_eq!(data, json!({"items": items}));
        assert_eq!(paths, [json!(["items", 1, "w"]), json!(["items", 3, "w"])]);
    }

    #[tokio::test]
    async fn a_nullable_item_takes_the_failure_of_its_field() {
        let (data, paths) = ask("{ maybeItems { needed } }").await;
        assert_eq!(data, json!({"maybeItems": [{"needed": 0}, null, {"needed": 2}, null]}));
        assert_eq!(paths, [json!(["maybeItems", 1, "needed"]), json!(["maybeItems", 3, "needed"])]);
    }

    #[tokio::test]
    async fn a_nullable_list_takes_the_failure_of_its_items() {
        let (data, paths) = ask("{ maybeList { needed } }").await;
        assert_eq!(data, json!({"maybeList": null}));
        assert_eq!(paths, [json!(["maybeList", 1, "needed"])]);
    }

    #[tokio::test]
    async fn a_failure_that_nothing_takes_leaves_no_data() {
        let (data, paths) = ask("{ items { needed } maybeItems { number } }").await;
        assert_eq!(data, Value::Null);
        assert_eq!(paths, [json!(["items", 1, "needed"])]);
    }

    #[tokio::test]
    async fn paths_go_through_lists_in_lists_and_aliases() {
        let (data, paths) = ask("{ g: grid { needed } }").await;
        assert_eq!(data, json!({"g": [[{"needed": 0}, null], [{"needed": 2}, null]]}));
        assert_eq!(paths, [json!(["g", 0, 1, "needed"]), json!(["g", 1, 1, "needed"])]);

        let (data, paths) = ask("{ maybeItems { c: children { children { needed } } } }").await;
        assert_eq!(data, json!({"maybeItems": [null, null, null, null]}));
        assert_eq!(paths.len(), 4, "one failure is enough for each item: {paths:?}");
        for path in paths {
            let path = path.as_array().expect("a path").clone();
            assert_eq!(
                (path[0].clone(), path[2].clone(), path[6].clone()),
                (json!("maybeItems"), json!("c"), json!("needed"))
            );
        }
    }

    #[tokio::test]
    async fn events_have_true_paths_too() {
        let (data, paths) = ask("subscription { pairs { needed } }").await;
        assert_eq!(data, json!({"pairs": [{"needed": 0}, null]}));
        assert_eq!(paths, [json!(["pairs", 1, "needed"])]);
    }
}
