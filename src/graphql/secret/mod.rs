//! Secrets that agents refer to by name.

mod mutations;
mod queries;

use async_graphql::{Context, ID, Object};
use chrono::{DateTime, Utc};

use super::{caller::ContextExt, connection::connection, error::Result, user::User};
use crate::store::secrets;

pub use mutations::SecretMutation;
pub use queries::SecretQuery;

/// A value that HTTP agents refer to as `{{ secret.NAME }}`. Nothing shows it again once it is set.
#[derive(Clone)]
pub struct Secret(pub secrets::Secret);

/// A value that HTTP agents refer to as `{{ secret.NAME }}`. Nothing shows it again once it is set.
#[Object]
impl Secret {
    /// The secret's global id.
    pub async fn id(&self) -> ID {
        self.0.id.to_string().into()
    }

    /// The name, unique in the workspace.
    async fn name(&self) -> &str {
        &self.0.name
    }

    /// The hosts that it may be sent to, such as `api.example.com`, `*.example.com` or `api.example.com:8443`. Without a
    /// port it is 443.
    async fn hosts(&self) -> Vec<String> {
        self.0.binding.iter().flat_map(|binding| &binding.hosts).map(ToString::to_string).collect()
    }

    /// The names of the agents that may send it; none: any agent.
    async fn agents(&self) -> Vec<String> {
        self.0.binding.iter().flat_map(|binding| binding.agents.clone()).collect()
    }

    /// When it was first set.
    async fn created_at(&self) -> DateTime<Utc> {
        self.0.created_at
    }

    /// When it was last set.
    async fn updated_at(&self) -> DateTime<Utc> {
        self.0.updated_at
    }

    /// Who set it last; null when it was an API token.
    async fn updated_by(&self, ctx: &Context<'_>) -> Result<Option<User>> {
        match self.0.updated_by {
            Some(id) => Ok(ctx.loaders()?.load(id).await?.map(User)),
            None => Ok(None),
        }
    }
}

connection! {
    /// A page of secrets.
    SecretConnection,
    /// A secret and where it stands in its list.
    SecretEdge, Secret
}
