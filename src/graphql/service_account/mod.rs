//! Programs under names of their own.

mod mutations;
mod queries;

use async_graphql::{ID, Object};
use chrono::{DateTime, Utc};

use super::connection::connection;
use crate::store::service_accounts;

pub use mutations::ServiceAccountMutation;
pub use queries::ServiceAccountQuery;

/// A program under a name of its own. All its API tokens are one identity: it approves only where a rule of the policy
/// names it, as in `1 of service_account:NAME`, and never counts as a person.
#[derive(Clone)]
pub struct ServiceAccount(pub service_accounts::ServiceAccount);

/// A program under a name of its own. All its API tokens are one identity: it approves only where a rule of the policy
/// names it, as in `1 of service_account:NAME`, and never counts as a person.
#[Object]
impl ServiceAccount {
    /// The service account's global id.
    pub async fn id(&self) -> ID {
        self.0.id.to_string().into()
    }

    /// The name, unique in the workspace.
    async fn name(&self) -> &str {
        &self.0.name
    }

    /// When it was made.
    async fn created_at(&self) -> DateTime<Utc> {
        self.0.created_at
    }

    /// Since when its tokens do not work; null: they work.
    async fn disabled_at(&self) -> Option<DateTime<Utc>> {
        self.0.disabled_at
    }
}

connection! {
    /// A page of service accounts.
    ServiceAccountConnection,
    /// A service account and where it stands in its list.
    ServiceAccountEdge, ServiceAccount
}
