//! What is mended around the library's execution.
//!
//! - It reports an error inside a list with the path of the list item, not of the field that failed. The true path is
//!   noted where the error arises and put back at the end.
//! - It does not say how complex a query may be.
//! - It does not tell errors of the request from errors of execution.

use std::sync::{
    Arc,
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

use super::error::{Code, request_error};

/// Under this name an error carries its true path until it is put back.
const TRUE_PATH: &str = "\0path";

/// The hooks of every operation.
#[derive(Clone, Copy)]
pub struct Hooks {
    pub max_complexity: usize,
}

impl ExtensionFactory for Hooks {
    fn create(&self) -> Arc<dyn Extension> {
        Arc::new(*self)
    }
}

/// Tells whether execution began: errors before it are errors of the request, without any data.
#[derive(Clone, Default)]
pub struct Started(pub Arc<AtomicBool>);

#[async_trait::async_trait]
impl Extension for Hooks {
    fn subscribe<'s>(
        &self,
        ctx: &ExtensionContext<'_>,
        stream: BoxStream<'s, Response>,
        next: NextSubscribe<'_>,
    ) -> BoxStream<'s, Response> {
        next.run(ctx, stream).map(restore_paths).boxed()
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
        restore_paths(next.run(ctx, operation_name).await)
    }

    async fn resolve(
        &self,
        ctx: &ExtensionContext<'_>,
        info: ResolveInfo<'_>,
        next: NextResolve<'_>,
    ) -> ServerResult<Option<Value>> {
        let path = info.path_node;
        next.run(ctx, info).await.map_err(|error| note_path(error, || collect_path(path)))
    }
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
fn note_path(mut error: ServerError, path: impl Fn() -> Value) -> ServerError {
    let extensions = error.extensions.get_or_insert_with(ErrorExtensionValues::default);
    if extensions.get(TRUE_PATH).is_none() {
        extensions.set(TRUE_PATH, path());
    }
    error
}

fn restore_paths(mut response: Response) -> Response {
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
