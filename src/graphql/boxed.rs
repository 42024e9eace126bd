//! Values that take room only while they are resolved.

use std::borrow::Cow;

use async_graphql::{
    Context, ContextSelectionSet, ObjectType, OutputType, Positioned, ServerResult, Value, parser::types::Field,
    registry::Registry, resolver_utils::ContainerType,
};

/// An event of a subscription, or a part of a merged object. A stream keeps the room for resolving its events as long as
/// it lives, which for a type with many fields is many times what everything else of a subscriber needs. A merged object
/// has room for the largest of its parts, and in a debug build for all of them: more than a thread's stack.
#[derive(Default)]
pub struct Boxed<T>(pub T);

impl<T: OutputType> OutputType for Boxed<T> {
    fn type_name() -> Cow<'static, str> {
        T::type_name()
    }

    fn qualified_type_name() -> String {
        T::qualified_type_name()
    }

    fn introspection_type_name(&self) -> Cow<'static, str> {
        self.0.introspection_type_name()
    }

    fn create_type_info(registry: &mut Registry) -> String {
        T::create_type_info(registry)
    }

    async fn resolve(&self, ctx: &ContextSelectionSet<'_>, field: &Positioned<Field>) -> ServerResult<Value> {
        Box::pin(self.0.resolve(ctx, field)).await
    }
}

impl<T: ObjectType> ContainerType for Boxed<T> {
    async fn resolve_field(&self, ctx: &Context<'_>) -> ServerResult<Option<Value>> {
        Box::pin(self.0.resolve_field(ctx)).await
    }
}

impl<T: ObjectType> ObjectType for Boxed<T> {}
