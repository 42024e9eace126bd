//! What an operator does at the command line, while the server runs or not.

use secrecy::ExposeSecret;

use super::arguments::{NewToken, TokenCommand, UserCommand, WorkspaceCommand};
use crate::{
    clock::Clock,
    config::Settings,
    domain::{access::Scope, api_token::Owner, email::Email, role::Role},
    engine::{
        self, Engine, Origin,
        commands::{BelongsTo, CreateApiToken, CreateWorkspace, InviteUser, Limits},
    },
    store::{
        Store, api_tokens,
        page::Page,
        users::{self, User},
    },
};

type Result<T> = std::result::Result<T, String>;

const MOST_ROWS: u64 = 10_000;

pub(super) async fn open(settings: Settings) -> Result<Engine> {
    let store = Store::open(&settings).await.map_err(|error| error.to_string())?;
    Engine::new(store, Clock::system(), settings).await.map_err(explain)
}

fn explain(error: engine::Error) -> String {
    error.explain()
}

fn database(error: crate::store::Error) -> String {
    error.to_string()
}

async fn scope_of(engine: &Engine, slug: &str) -> Result<Scope> {
    if let Some(workspace) = engine.store().workspace_by_slug(slug).await.map_err(database)? {
        return Ok(Scope::system(workspace.id));
    }
    let known = engine.store().workspaces().await.map_err(database)?;
    if known.is_empty() && slug == crate::app::DEFAULT_WORKSPACE {
        // A script may make its token before the server has ever run.
        let command = CreateWorkspace { slug: slug.to_owned(), name: "Default".to_owned() };
        return Ok(Scope::system(engine.create_workspace(command).await.map_err(explain)?.id));
    }
    let known: Vec<String> = known.into_iter().map(|workspace| workspace.slug).collect();
    Err(unknown_workspace(slug, &known))
}

pub(super) fn unknown_workspace(slug: &str, known: &[String]) -> String {
    format!("there is no workspace `{slug}`: there is {}", known.join(", "))
}

pub async fn token(command: TokenCommand, settings: Settings) -> Result<()> {
    let engine = open(settings).await?;
    match command {
        TokenCommand::Create(new) => create_token(&engine, *new).await?,
        TokenCommand::List { workspace } => {
            let scope = scope_of(&engine, &workspace).await?;
            let page = Page::first(MOST_ROWS);
            let tokens = engine.store().api_tokens(scope, api_tokens::Sort::CreatedAt, false, &page).await;
            for (_, token) in tokens.map_err(database)?.rows {
                let state = if token.revoked_at.is_some() { "revoked" } else { "active" };
                let owner = owner_of(&engine, scope, &token).await?;
                let restricted = if token.restrictions.is_empty() { "" } else { "  (restricted)" };
                println!("{}  {state:8}  {}  {owner}{restricted}", token.id, token.name);
            }
        }
        TokenCommand::Revoke { id, workspace } => {
            let scope = scope_of(&engine, &workspace).await?;
            let id = id.parse().map_err(|error: crate::domain::id::Error| error.to_string())?;
            engine.revoke_api_token(scope, id, &Origin::default()).await.map_err(explain)?;
            println!("revoked {id}");
        }
    }
    engine.store().close().await;
    Ok(())
}

async fn create_token(engine: &Engine, new: NewToken) -> Result<()> {
    let scope = scope_of(engine, &new.workspace).await?;
    let expires_at = new.expires_in.map(|duration| engine.clock().now() + duration.as_chrono());
    let belongs_to = match (new.user, new.service_account) {
        (Some(email), _) => BelongsTo::User(require_user(engine, scope, &email).await?.id),
        (None, Some(account)) => BelongsTo::ServiceAccountNamed(account),
        (None, None) => BelongsTo::Caller,
    };
    let command = CreateApiToken {
        name: new.name,
        roles: new.roles.into_iter().collect(),
        rights: new.rights,
        limits: Limits {
            operation_types: new.operation_types,
            workflows: new.workflows,
            agents: new.agents,
            queues: new.queues,
        },
        belongs_to,
        expires_at,
        idempotency_key: None,
    };
    let created = engine.create_api_token(scope, command, &Origin::default()).await.map_err(explain)?;
    if let Some(secret) = created.secret {
        println!("{}", secret.expose_secret());
    }
    Ok(())
}

/// Whose a token is, as policies name them.
async fn owner_of(engine: &Engine, scope: Scope, token: &api_tokens::ApiToken) -> Result<String> {
    let store = engine.store();
    Ok(match token.owner {
        Some(Owner::User(id)) => {
            let found = store.users_by_id(scope, &[id]).await.map_err(database)?.remove(&id);
            found.map_or_else(|| id.to_string(), |user| format!("user:{}", user.email))
        }
        Some(Owner::ServiceAccount(id)) => {
            let found = store.service_account(scope, id).await.map_err(database)?;
            found.map_or_else(|| id.to_string(), |account| format!("service_account:{}", account.name))
        }
        None => "nobody".to_owned(),
    })
}

pub async fn user(command: UserCommand, settings: Settings) -> Result<()> {
    let engine = open(settings).await?;
    match command {
        UserCommand::Invite { email, roles, name, workspace } => {
            let scope = scope_of(&engine, &workspace).await?;
            let link = invite(&engine, scope, email, roles, name).await?;
            println!("{link}");
        }
        UserCommand::List { workspace } => {
            let scope = scope_of(&engine, &workspace).await?;
            let page = Page::first(MOST_ROWS);
            let people = engine.store().users(scope, &users::Filter::default(), users::Sort::Email, false, &page).await;
            for (_, user) in people.map_err(database)?.rows {
                let state = if user.disabled_at.is_some() { "disabled" } else { "enabled" };
                println!("{}  {state:8}  {}  {}", user.id, user.email, user.display_name);
            }
        }
        UserCommand::Disable { email, workspace } => {
            let scope = scope_of(&engine, &workspace).await?;
            let user = require_user(&engine, scope, &email).await?;
            engine.disable_user(scope, user.id, &Origin::default()).await.map_err(explain)?;
            println!("disabled {}", user.id);
        }
        UserCommand::Erase { email, workspace } => {
            let scope = scope_of(&engine, &workspace).await?;
            let user = require_user(&engine, scope, &email).await?;
            let erased = engine.erase_personal_data(scope, user.id, &Origin::default()).await.map_err(explain)?;
            println!("erased {}, with {} values of the audit log", user.id, erased.values);
        }
        UserCommand::Enable { email, workspace } => {
            let scope = scope_of(&engine, &workspace).await?;
            let user = require_user(&engine, scope, &email).await?;
            engine.enable_user(scope, user.id, &Origin::default()).await.map_err(explain)?;
            println!("enabled {}", user.id);
        }
    }
    engine.store().close().await;
    Ok(())
}

/// The one-time link of a new account, or a new link of one that exists.
async fn invite(
    engine: &Engine,
    scope: Scope,
    email: String,
    roles: Vec<Role>,
    name: Option<String>,
) -> Result<String> {
    let origin = Origin::default();
    let link = match find_user(engine, scope, &email).await? {
        Some(user) => engine.create_sign_in_link(scope, user.id, &origin).await.map_err(explain)?.1,
        None if roles.is_empty() => return Err("a new account needs at least one --role".to_owned()),
        None => {
            let roles = roles.into_iter().collect();
            let command = InviteUser { email, display_name: name, roles, idempotency_key: None };
            let invited = engine.invite_user(scope, command, &origin).await.map_err(explain)?;
            invited.link.ok_or("the invitation has no link")?
        }
    };
    Ok(engine.sign_in_url(link.expose_secret()))
}

async fn find_user(engine: &Engine, scope: Scope, email: &str) -> Result<Option<User>> {
    let email = Email::parse(email)?;
    engine.store().user_by_email(scope, &email).await.map_err(database)
}

async fn require_user(engine: &Engine, scope: Scope, email: &str) -> Result<User> {
    find_user(engine, scope, email).await?.ok_or_else(|| format!("`{email}` has no account in this workspace"))
}

pub async fn workspace(command: WorkspaceCommand, settings: Settings) -> Result<()> {
    let engine = open(settings).await?;
    match command {
        WorkspaceCommand::Create { slug, name } => {
            let workspace = engine.create_workspace(CreateWorkspace { slug, name }).await.map_err(explain)?;
            println!("{}  {}", workspace.id, workspace.slug);
        }
        WorkspaceCommand::List => {
            for workspace in engine.store().workspaces().await.map_err(database)? {
                println!("{}  {}  {}", workspace.id, workspace.slug, workspace.name);
            }
        }
    }
    engine.store().close().await;
    Ok(())
}

/// Stops approvals without people in one workspace or in all of them, or allows them again.
pub async fn emergency_stop(
    stopped: bool,
    reason: Option<&str>,
    workspace: Option<String>,
    settings: Settings,
) -> Result<()> {
    let engine = open(settings).await?;
    let slugs = match workspace {
        Some(slug) => vec![slug],
        None => engine.store().workspaces().await.map_err(database)?.into_iter().map(|found| found.slug).collect(),
    };
    for slug in slugs {
        let scope = scope_of(&engine, &slug).await?;
        engine.set_emergency_stop(scope, stopped, reason, &Origin::default()).await.map_err(explain)?;
        let state = if stopped { "stopped: nothing is approved without people" } else { "rules may approve again" };
        println!("{slug}: {state}");
    }
    engine.store().close().await;
    Ok(())
}
