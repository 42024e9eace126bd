//! Workspaces, people, programs, and the log of what they did to each other's access.

use sea_orm_migration::{
    prelude::*,
    schema::{big_integer, binary, binary_null, json, string, string_null, uuid, uuid_null},
};

use crate::columns::{ACTOR_KINDS, index, owned_by, time, time_null, word};

#[derive(DeriveMigrationName)]
pub struct Migration;

const ROLES: [&str; 5] = ["VIEWER", "OPERATOR", "AUTHOR", "APPROVER", "ADMIN"];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for table in [
            workspace(),
            user_account(),
            user_role(),
            approver_group(),
            group_member(),
            session(),
            sign_in_link(),
            api_token(),
            api_token_role(),
            server_key(),
            idempotency_key(),
            audit_entry(),
        ] {
            manager.create_table(table).await?;
        }
        for index in indexes() {
            manager.create_index(index).await?;
        }
        Ok(())
    }
}

fn workspace() -> TableCreateStatement {
    Table::create()
        .table("workspace")
        .col(uuid("id").primary_key())
        .col(string("slug").unique_key())
        .col(string("name"))
        .col(time("created_at"))
        .to_owned()
}

fn user_account() -> TableCreateStatement {
    Table::create()
        .table("user_account")
        .col(uuid("id").primary_key())
        .col(uuid("workspace_id"))
        .col(string("email"))
        .col(string("display_name"))
        .col(string_null("password_hash"))
        .col(string_null("outside_subject"))
        .col(time("created_at"))
        .col(time_null("disabled_at"))
        .col(time_null("last_sign_in_at"))
        .foreign_key(&mut owned_by("workspace", "workspace_id"))
        .to_owned()
}

fn user_role() -> TableCreateStatement {
    Table::create()
        .table("user_role")
        .col(uuid("user_id"))
        .col(word("role", ROLES))
        .primary_key(Index::create().col("user_id").col("role"))
        .foreign_key(&mut owned_by("user_account", "user_id"))
        .to_owned()
}

fn approver_group() -> TableCreateStatement {
    Table::create()
        .table("approver_group")
        .col(uuid("id").primary_key())
        .col(uuid("workspace_id"))
        .col(string("name"))
        .col(string("description"))
        .col(time("created_at"))
        .foreign_key(&mut owned_by("workspace", "workspace_id"))
        .to_owned()
}

fn group_member() -> TableCreateStatement {
    Table::create()
        .table("group_member")
        .col(uuid("group_id"))
        .col(uuid("user_id"))
        .col(time("added_at"))
        .primary_key(Index::create().col("group_id").col("user_id"))
        .foreign_key(&mut owned_by("approver_group", "group_id"))
        .foreign_key(&mut owned_by("user_account", "user_id"))
        .to_owned()
}

fn session() -> TableCreateStatement {
    Table::create()
        .table("session")
        .col(uuid("id").primary_key())
        .col(uuid("workspace_id"))
        .col(uuid("user_id"))
        .col(binary("refresh_hash"))
        .col(binary_null("previous_hash"))
        .col(time("rotated_at"))
        .col(time("created_at"))
        .col(time("expires_at"))
        .col(time_null("ended_at"))
        .col(string_null("address"))
        .col(string_null("user_agent"))
        .foreign_key(&mut owned_by("workspace", "workspace_id"))
        .foreign_key(&mut owned_by("user_account", "user_id"))
        .to_owned()
}

fn sign_in_link() -> TableCreateStatement {
    Table::create()
        .table("sign_in_link")
        .col(uuid("id").primary_key())
        .col(uuid("workspace_id"))
        .col(uuid("user_id"))
        .col(binary("secret_hash"))
        .col(time("created_at"))
        .col(time("expires_at"))
        .col(time_null("used_at"))
        .foreign_key(&mut owned_by("workspace", "workspace_id"))
        .foreign_key(&mut owned_by("user_account", "user_id"))
        .to_owned()
}

fn api_token() -> TableCreateStatement {
    Table::create()
        .table("api_token")
        .col(uuid("id").primary_key())
        .col(uuid("workspace_id"))
        .col(string("name"))
        .col(binary("secret_hash"))
        .col(uuid_null("created_by"))
        .col(time("created_at"))
        .col(time_null("expires_at"))
        .col(time_null("revoked_at"))
        .col(time_null("last_used_at"))
        .foreign_key(&mut owned_by("workspace", "workspace_id"))
        .to_owned()
}

fn api_token_role() -> TableCreateStatement {
    Table::create()
        .table("api_token_role")
        .col(uuid("api_token_id"))
        .col(word("role", ROLES))
        .primary_key(Index::create().col("api_token_id").col("role"))
        .foreign_key(&mut owned_by("api_token", "api_token_id"))
        .to_owned()
}

fn server_key() -> TableCreateStatement {
    Table::create()
        .table("server_key")
        .col(string("purpose").primary_key())
        .col(binary("secret"))
        .col(time("created_at"))
        .to_owned()
}

fn idempotency_key() -> TableCreateStatement {
    Table::create()
        .table("idempotency_key")
        .col(uuid("workspace_id"))
        .col(string("actor"))
        .col(string("mutation"))
        .col(string("key"))
        .col(binary("fingerprint"))
        .col(string("subject"))
        .col(time("created_at"))
        .primary_key(Index::create().col("workspace_id").col("actor").col("mutation").col("key"))
        .foreign_key(&mut owned_by("workspace", "workspace_id"))
        .to_owned()
}

fn audit_entry() -> TableCreateStatement {
    Table::create()
        .table("audit_entry")
        .col(big_integer("position").auto_increment().primary_key())
        .col(uuid("id").unique_key())
        .col(uuid("workspace_id"))
        .col(time("at"))
        .col(word("actor_kind", ACTOR_KINDS))
        .col(uuid_null("actor_id"))
        .col(string("action"))
        .col(string_null("subject"))
        .col(string_null("address"))
        .col(json("details"))
        .foreign_key(&mut owned_by("workspace", "workspace_id"))
        .to_owned()
}

fn indexes() -> Vec<IndexCreateStatement> {
    let mut unique = vec![
        index("user_account_email", "user_account", &["workspace_id", "email"]),
        index("user_account_outside_subject", "user_account", &["workspace_id", "outside_subject"]),
        index("approver_group_name", "approver_group", &["workspace_id", "name"]),
        index("session_refresh_hash", "session", &["refresh_hash"]),
        index("sign_in_link_secret_hash", "sign_in_link", &["secret_hash"]),
        index("api_token_secret_hash", "api_token", &["secret_hash"]),
    ];
    for index in &mut unique {
        index.unique();
    }
    let plain = [
        // Signing in without saying which workspace.
        index("user_account_by_email", "user_account", &["email"]),
        // The orders that the API's lists offer.
        index("user_account_by_name", "user_account", &["workspace_id", "display_name", "id"]),
        index("user_account_by_age", "user_account", &["workspace_id", "created_at", "id"]),
        index("approver_group_by_age", "approver_group", &["workspace_id", "created_at", "id"]),
        index("api_token_by_age", "api_token", &["workspace_id", "created_at", "id"]),
        index("api_token_by_name", "api_token", &["workspace_id", "name", "id"]),
        index("audit_entry_by_workspace", "audit_entry", &["workspace_id", "position"]),
        index("audit_entry_by_action", "audit_entry", &["workspace_id", "action", "position"]),
        // The groups of a person, and what ends with a person.
        index("group_member_by_user", "group_member", &["user_id"]),
        index("session_by_user", "session", &["user_id", "created_at"]),
        index("session_previous_hash", "session", &["previous_hash"]),
        index("sign_in_link_by_user", "sign_in_link", &["user_id"]),
    ];
    unique.extend(plain);
    unique
}
