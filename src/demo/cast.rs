//! Who is in the demo: its workspace, people, groups and programs.

use crate::{
    domain::{
        access::{Actor, Credential, Scope, Viewer},
        email::Email,
        id::{ApiTokenId, UserId, WorkspaceId},
        role::{Role, Roles},
    },
    engine::{
        Engine, Error, Origin, Result,
        commands::{CreateApiToken, CreateGroup, CreateWorkspace, InviteUser},
    },
    store::{api_tokens, groups, page::Page, workspaces::Workspace},
};

/// Who looks around with one click: the operations lead, who may do everything.
pub const ROBIN: (&str, &str) = ("robin@example.com", "Robin Keller");
const MINA: (&str, &str) = ("mina@example.com", "Mina Okafor");
const TOMAS: (&str, &str) = ("tomas@example.com", "Tomas Lindqvist");
const PRIYA: (&str, &str) = ("priya@example.com", "Priya Raman");

const WORKER: &str = "Simulated worker";
const DESK: &str = "Help desk and shop";

/// More than the demo has.
const ALL: u32 = 100;

/// Everybody who acts in the demo, each with their own rights.
#[derive(Debug, Clone, Copy)]
pub struct Cast {
    pub workspace: WorkspaceId,
    pub robin: Scope,
    /// Of finance.
    pub mina: Scope,
    /// Of IT security.
    pub tomas: Scope,
    /// Writes agents and workflows.
    pub priya: Scope,
    /// The program that does the agents' work.
    pub worker: Scope,
    /// The program that starts executions.
    pub desk: Scope,
}

/// The workspace that the demo may use: a new one, one that nobody has used yet, or that of an earlier start.
pub async fn workspace(engine: &Engine, slug: &str) -> Result<Option<Workspace>> {
    let store = engine.store();
    let known = store.workspaces().await?;
    let Some(workspace) = known.iter().find(|workspace| workspace.slug == slug) else {
        if !known.is_empty() {
            return Ok(None);
        }
        let command = CreateWorkspace { slug: slug.to_owned(), name: "Default".to_owned() };
        return Ok(Some(engine.create_workspace(command).await?));
    };
    let scope = Scope::system(workspace.id);
    let used = store.count_agents(scope, &Default::default()).await? > 0
        || store.count_workflows(scope, &Default::default()).await? > 0
        || store.count_executions(scope, &Default::default()).await? > 0;
    let ours = store.user_by_email(scope, &email(ROBIN.0)?).await?.is_some();
    Ok((ours || !used).then(|| workspace.clone()))
}

impl Cast {
    /// Finds everybody, and invites whoever is missing.
    pub async fn assemble(engine: &Engine, workspace: WorkspaceId) -> Result<Self> {
        let scope = Scope::system(workspace);
        let person = |who, roles: &'static [Role]| find_or_invite(engine, scope, who, roles);
        let robin = person(ROBIN, &[Role::Admin, Role::Author, Role::Approver, Role::Operator, Role::Viewer]).await?;
        let mina = person(MINA, &[Role::Approver]).await?;
        let tomas = person(TOMAS, &[Role::Approver]).await?;
        let priya = person(PRIYA, &[Role::Author, Role::Operator]).await?;
        let as_user = |user| Scope::as_user(workspace, user);
        Ok(Self {
            workspace,
            robin: as_user(robin),
            mina: as_user(mina),
            tomas: as_user(tomas),
            priya: as_user(priya),
            worker: program(engine, scope, WORKER).await?,
            desk: program(engine, scope, DESK).await?,
        })
    }

    /// Makes the groups that are missing.
    pub async fn join_groups(&self, engine: &Engine) -> Result<()> {
        let scope = Scope::system(self.workspace);
        let groups = [
            ("finance", "Approves refunds", [self.mina, self.robin]),
            ("it-security", "Approves changes of access rights", [self.tomas, self.robin]),
        ];
        for (name, description, members) in groups {
            let members = members.iter().filter_map(|member| match member.actor() {
                Actor::User(user) => Some(user),
                Actor::ApiToken(_) | Actor::System => None,
            });
            group(engine, scope, name, description, members.collect()).await?;
        }
        Ok(())
    }
}

fn email(text: &str) -> Result<Email> {
    Email::parse(text).map_err(Error::Internal)
}

async fn find_or_invite(engine: &Engine, scope: Scope, who: (&str, &str), roles: &[Role]) -> Result<UserId> {
    if let Some(known) = engine.store().user_by_email(scope, &email(who.0)?).await? {
        return Ok(known.id);
    }
    let command = InviteUser {
        email: who.0.to_owned(),
        display_name: Some(who.1.to_owned()),
        roles: roles.iter().copied().collect(),
        idempotency_key: None,
    };
    Ok(engine.invite_user(scope, command, &Origin::default()).await?.user.id)
}

async fn group(engine: &Engine, scope: Scope, name: &str, description: &str, members: Vec<UserId>) -> Result<()> {
    let known = engine
        .store()
        .groups(scope, &groups::Filter::default(), groups::Sort::Name, false, &Page::first(ALL.into()))
        .await?;
    if known.rows.iter().any(|(_, group)| group.name == name) {
        return Ok(());
    }
    let command =
        CreateGroup { name: name.to_owned(), description: description.to_owned(), members, idempotency_key: None };
    engine.create_group(scope, command, &Origin::default()).await?;
    Ok(())
}

/// A program with a token of its own, as one outside would have. Nobody ever sees the token.
async fn program(engine: &Engine, scope: Scope, name: &str) -> Result<Scope> {
    let page = Page::first(ALL.into());
    let known = engine.store().api_tokens(scope, api_tokens::Sort::CreatedAt, false, &page).await?;
    let known = known.rows.into_iter().map(|(_, token)| token);
    let known = known.filter(|token| token.name == name && token.revoked_at.is_none()).map(|token| token.id).next();
    let id = match known {
        Some(id) => id,
        None => {
            let roles = Roles::from(Role::Operator);
            let command = CreateApiToken { name: name.to_owned(), roles, ..CreateApiToken::default() };
            engine.create_api_token(scope, command, &Origin::default()).await?.token.id
        }
    };
    as_program(scope.workspace(), id, name)
}

fn as_program(workspace: WorkspaceId, id: ApiTokenId, name: &str) -> Result<Scope> {
    let viewer = Viewer {
        workspace,
        actor: Actor::ApiToken(id),
        credential: Credential::ApiToken(id),
        roles: Roles::from(Role::Operator),
        display_name: name.to_owned(),
        expires_at: None,
        held: false,
        token: None,
    };
    viewer.require(Role::Operator).map_err(|_| Error::Internal("an operator who is none".to_owned()))
}
