//! What strangers may know of the server, for the page that signs them in.

use async_graphql::{Context, Object, SimpleObject};

use super::caller::ContextExt;
use crate::demo;

/// What anybody may know of this server.
pub struct ServerInfo;

/// Who looks around in the demo.
#[derive(SimpleObject)]
pub struct DemoVisitor {
    /// The person's name.
    display_name: &'static str,
}

/// What anybody may know of this server.
#[Object]
impl ServerInfo {
    /// Whether it runs as a demo (`--demo`).
    async fn demo(&self, ctx: &Context<'_>) -> bool {
        ctx.engine().settings().demo
    }

    /// As whom the caller can look around with one click, `demoSignIn`; null where that would be refused.
    async fn demo_visitor(&self, ctx: &Context<'_>) -> Option<DemoVisitor> {
        let allowed = ctx.engine().settings().demo && ctx.caller().is_local;
        allowed.then_some(DemoVisitor { display_name: demo::VISITOR.1 })
    }
}

#[derive(Default)]
pub struct ServerQuery;

#[Object]
impl ServerQuery {
    /// What anybody may know of this server. Needs no sign-in.
    async fn server_info(&self) -> ServerInfo {
        ServerInfo
    }
}
