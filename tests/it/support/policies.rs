//! Policies of the default workspace.

use chrono::Utc;
use countersign::config::DatabaseUrl;
use sea_orm::{ActiveValue::Set, EntityTrait};

use super::TestApp;

impl TestApp {
    /// Puts a policy in force, past the server: before anything has asked for one.
    pub async fn policy(&self, document: &str) {
        let url = match &self.database.url {
            DatabaseUrl::Sqlite(path) => format!("sqlite://{path}"),
            DatabaseUrl::Postgres(url) => url.clone(),
        };
        let db = sea_orm::Database::connect(url).await.expect("the test's database");
        let version = entity::policy_version::ActiveModel {
            workspace_id: Set(self.workspace.id.0),
            number: Set(1),
            document: Set(document.to_owned()),
            source: Set("API".to_owned()),
            created_at: Set(Utc::now()),
            actor_kind: Set("SYSTEM".to_owned()),
            actor_id: Set(None),
        };
        let in_force = entity::workspace_policy::ActiveModel {
            workspace_id: Set(self.workspace.id.0),
            version: Set(Some(1)),
            emergency_stop: Set(false),
            stop_reason: Set(None),
            stopped_at: Set(None),
            epoch: Set(1),
        };
        entity::policy_version::Entity::insert(version).exec_without_returning(&db).await.expect("a version");
        entity::workspace_policy::Entity::insert(in_force).exec_without_returning(&db).await.expect("in force");
        db.close().await.expect("closed");
    }
}
