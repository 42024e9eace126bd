//! Policies, and people who decide.

use countersign::{
    domain::{
        access::Scope,
        checkpoint::{Status, Verdict},
        id::{CheckpointId, ExecutionId, GroupId, UserId},
        role::{Role, Roles},
    },
    engine::{
        Origin, Result,
        commands::{ChangeGroupMembers, CreateGroup, DecideCheckpoint, InviteUser, SavePolicy, SavedPolicy},
    },
    store::{
        checkpoints::CheckpointRow,
        groups::{Filter, Sort},
        page::Page,
    },
};

use super::{PATIENCE, TestApp};

impl TestApp {
    /// Puts a policy in force.
    pub async fn policy(&self, document: &str) {
        let base_version = self.engine.store().policy_in_force(self.scope()).await.expect("a lookup").version;
        let command = SavePolicy { document: document.to_owned(), base_version };
        match self.engine.save_policy(self.scope(), command, &Origin::default()).await.expect("an answer") {
            SavedPolicy::Saved { .. } => {}
            other => panic!("{other:#?}"),
        }
    }

    /// Somebody with these roles, in these groups, who acts through the engine.
    pub async fn approver(&self, email: &str, roles: &[Role], groups: &[&str]) -> Scope {
        let roles: Roles = roles.iter().copied().collect();
        let command = InviteUser { email: email.to_owned(), display_name: None, roles, idempotency_key: None };
        let invited = self.engine.invite_user(self.scope(), command, &Origin::default()).await.expect("a person");
        for group in groups {
            self.join(group, invited.user.id).await;
        }
        Scope::as_user(self.workspace.id, invited.user.id)
    }

    async fn group(&self, name: &str) -> Option<GroupId> {
        let page = Page { size: 100, from_end: false, after: None, before: None };
        let groups = self
            .engine
            .store()
            .groups(self.scope(), &Filter::default(), Sort::Name, false, &page)
            .await
            .expect("groups");
        let found = groups.rows.into_iter().map(|(_, group)| group).find(|group| group.name == name);
        found.map(|group| group.id)
    }

    /// Takes somebody out of a group.
    pub async fn leave(&self, name: &str, user: UserId) {
        let group = self.group(name).await.expect("a group");
        let command = ChangeGroupMembers { group, users: vec![user] };
        self.engine.remove_group_members(self.scope(), command, &Origin::default()).await.expect("one less");
    }

    async fn join(&self, name: &str, user: UserId) {
        let group = match self.group(name).await {
            Some(group) => group,
            None => {
                let command = CreateGroup {
                    name: name.to_owned(),
                    description: String::new(),
                    members: Vec::new(),
                    idempotency_key: None,
                };
                self.engine.create_group(self.scope(), command, &Origin::default()).await.expect("a group").id
            }
        };
        let command = ChangeGroupMembers { group, users: vec![user] };
        self.engine.add_group_members(self.scope(), command, &Origin::default()).await.expect("a member");
    }

    /// Waits until an execution has so many checkpoints in a state, and gives them.
    pub async fn checkpoints(&self, id: ExecutionId, status: Status, count: usize) -> Vec<CheckpointRow> {
        let mut head = self.engine.store().journal_head();
        let wait = async {
            loop {
                head.borrow_and_update();
                let found = self.engine.store().checkpoints_of(self.scope(), &[id]).await.expect("a lookup");
                let found = found.get(&id).cloned().unwrap_or_default();
                let found: Vec<CheckpointRow> = found.into_iter().filter(|row| row.status == status).collect();
                if found.len() >= count {
                    return found;
                }
                head.changed().await.expect("the store lives");
            }
        };
        match tokio::time::timeout(PATIENCE, wait).await {
            Ok(found) => found,
            Err(_) => panic!("waited in vain for {count} × {status}: {:#?}", self.history(id).await),
        }
    }

    /// The one checkpoint at which an execution waits.
    pub async fn waiting(&self, id: ExecutionId) -> CheckpointRow {
        self.checkpoints(id, Status::Pending, 1).await.remove(0)
    }

    pub async fn checkpoint(&self, id: CheckpointId) -> CheckpointRow {
        self.engine.store().checkpoint(self.scope(), id).await.expect("a lookup").expect("a checkpoint")
    }

    pub async fn approve(&self, who: Scope, row: &CheckpointRow) -> Result<CheckpointRow> {
        self.engine.decide_checkpoint(who, approving(row), &Origin::default()).await
    }

    pub async fn reject(&self, who: Scope, row: &CheckpointRow, reason: &str) -> Result<CheckpointRow> {
        self.engine.decide_checkpoint(who, rejecting(row, reason), &Origin::default()).await
    }
}

pub fn approving(row: &CheckpointRow) -> DecideCheckpoint {
    DecideCheckpoint {
        checkpoint: row.id,
        digest: row.digest.clone(),
        verdict: Verdict::Approve,
        comment: None,
        modified_parameters: None,
        items: None,
        answers: None,
    }
}

pub fn rejecting(row: &CheckpointRow, reason: &str) -> DecideCheckpoint {
    DecideCheckpoint { verdict: Verdict::Reject, comment: Some(reason.to_owned()), ..approving(row) }
}
