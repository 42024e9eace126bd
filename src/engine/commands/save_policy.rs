//! The rules of a workspace: saved, put in force, and stopped.

use serde_json::{Value, json};

use crate::{
    domain::{
        access::Scope,
        audit::{Action, Of, Part, digest_of},
        document::Problem,
        id::UserId,
        name,
        policy::{Directory, Findings, Policy},
        refusal::{Code, Refusal},
    },
    engine::{Engine, Origin, Result, checkpoint::Person},
    store::{
        Tx,
        checkpoints::CheckpointRow,
        groups,
        page::Page,
        policies::{InForce, PolicySource, PolicyVersion},
        users,
    },
};

const LONGEST_REASON: usize = 1_000;
/// How many people and groups are looked at.
const MOST_ROWS: u64 = 10_000;

#[derive(Debug, Clone)]
pub struct SavePolicy {
    /// YAML or JSON.
    pub document: String,
    /// The version that the change was made from, `None` if the built-in one was in force.
    pub base_version: Option<i32>,
}

/// What became of a policy that was to be saved.
#[derive(Debug)]
pub enum SavedPolicy {
    Saved {
        version: PolicyVersion,
        /// What is probably a mistake.
        warnings: Vec<Problem>,
    },
    /// Nothing was saved.
    Invalid(Vec<Problem>),
    /// It is put in force once somebody else has approved it.
    InReview(Box<CheckpointRow>),
}

impl Engine {
    /// Saves a policy as the next version and puts it in force.
    pub async fn save_policy(&self, scope: Scope, command: SavePolicy, origin: &Origin) -> Result<SavedPolicy> {
        if let Some(path) = &self.settings().policy {
            let message = format!("the policy comes from the operator's file `{path}`: change it there");
            return Err(Refusal::new(Code::Conflict, message).into());
        }
        let Findings { errors, warnings } = self.check_policy(scope, &command.document).await?;
        if !errors.is_empty() {
            return Ok(SavedPolicy::Invalid(errors));
        }
        let mut tx = self.begin(origin).await?;
        let before = tx.hold_policy(scope).await?;
        if before.version != command.base_version {
            return Err(changed_meanwhile(before.version, command.base_version).into());
        }
        let text = self.document_in_force(scope, before.version).await?;
        if self.settings().review_changes && text != command.document {
            drop(tx);
            let row = self.review_policy(scope, &text, &command.document, command.base_version).await?;
            return Ok(SavedPolicy::InReview(Box::new(row)));
        }
        let version = self.put_in_force(&mut tx, scope, before, command.document, PolicySource::Api).await?;
        tx.commit().await?;
        self.forget_policy(scope.workspace());
        Ok(SavedPolicy::Saved { version, warnings })
    }

    /// Everything that is wrong with a policy as it would be in this workspace, and what is probably a mistake.
    pub async fn check_policy(&self, scope: Scope, document: &str) -> Result<Findings> {
        match Policy::read(document) {
            Ok(policy) => Ok(policy.check(document, &self.directory(scope).await?)),
            Err(errors) => Ok(Findings { errors, warnings: Vec::new() }),
        }
    }

    /// Everybody who could be asked: people with accounts that are not disabled, and the groups.
    pub(crate) async fn directory(&self, scope: Scope) -> Result<Directory> {
        let (store, page) = (self.store(), Page::first(MOST_ROWS));
        let groups = store.groups(scope, &groups::Filter::default(), groups::Sort::Name, false, &page).await?;
        let people = self.everybody(scope).await?.into_iter().map(|person| person.approver).collect();
        Ok(Directory { groups: groups.rows.into_iter().map(|(_, group)| group.name).collect(), people })
    }

    /// All people whose account is not disabled.
    pub(crate) async fn everybody(&self, scope: Scope) -> Result<Vec<Person>> {
        let (filter, page) = (users::Filter::default(), Page::first(MOST_ROWS));
        let users = self.store().users(scope, &filter, users::Sort::CreatedAt, false, &page).await?;
        let ids: Vec<UserId> = users.rows.into_iter().map(|(_, user)| user.id).collect();
        Ok(self.people(scope, &ids).await?.into_values().collect())
    }

    /// Puts a policy in force that people have reviewed.
    pub(super) async fn save_reviewed_policy(
        &self,
        mut tx: Tx,
        scope: Scope,
        document: String,
        base_version: Option<i32>,
    ) -> Result<()> {
        let before = tx.hold_policy(scope).await?;
        if before.version != base_version {
            return Err(changed_meanwhile(before.version, base_version).into());
        }
        self.put_in_force(&mut tx, scope, before, document, PolicySource::Api).await?;
        tx.commit().await?;
        self.forget_policy(scope.workspace());
        Ok(())
    }

    /// Puts what the operator's file says in force.
    pub(in crate::engine) async fn apply_policy_file(&self, scope: Scope, document: String) -> Result<PolicyVersion> {
        let mut tx = self.begin(&Origin::default()).await?;
        let version = self.write_policy_file(&mut tx, scope, document).await?;
        tx.commit().await?;
        self.forget_policy(scope.workspace());
        Ok(version)
    }

    /// The same within a larger transaction.
    pub(super) async fn write_policy_file(&self, tx: &mut Tx, scope: Scope, document: String) -> Result<PolicyVersion> {
        let before = tx.hold_policy(scope).await?;
        self.put_in_force(tx, scope, before, document, PolicySource::File).await
    }

    /// The text of the policy with a number, or of the one that is built in.
    async fn document_in_force(&self, scope: Scope, number: Option<i32>) -> Result<String> {
        let version = match number {
            Some(number) => self.store().policy_version(scope, number).await?,
            None => None,
        };
        Ok(version.map_or_else(|| Policy::DEFAULT_TEXT.to_owned(), |version| version.document))
    }

    /// Saves an earlier version as the next one.
    pub async fn restore_policy_version(
        &self,
        scope: Scope,
        number: i32,
        base_version: Option<i32>,
        origin: &Origin,
    ) -> Result<SavedPolicy> {
        let found = self.store().policy_version(scope, number).await?;
        let found = found.ok_or_else(|| {
            let message = format!("the policy has no version {number}");
            Refusal::at("version", Code::NotFound, message)
        })?;
        self.save_policy(scope, SavePolicy { document: found.document, base_version }, origin).await
    }

    /// Keeps a policy as the newest version, unless it is that already, and puts it in force with the commit.
    async fn put_in_force(
        &self,
        tx: &mut Tx,
        scope: Scope,
        before: InForce,
        document: String,
        source: PolicySource,
    ) -> Result<PolicyVersion> {
        let newest = tx.newest_policy_version(scope).await?;
        let same = newest.as_ref().filter(|newest| newest.document == document && newest.source == source);
        if let Some(same) = same.filter(|same| before.version == Some(same.number)) {
            return Ok(same.clone());
        }
        let version = match same {
            Some(same) => same.clone(),
            None => {
                let number = newest.map_or(0, |newest| newest.number).saturating_add(1);
                let (workspace, created_at, actor) = (scope.workspace(), tx.now(), scope.actor());
                let version = PolicyVersion { workspace, number, document, source, created_at, actor };
                tx.insert_policy_version(&version).await?;
                version
            }
        };
        tx.change_policy(scope, InForce { version: Some(version.number), ..before.clone() }).await?;
        let old = match before.version {
            Some(number) => self.store().policy_version(scope, number).await?,
            None => None,
        };
        let shown =
            |version: &PolicyVersion| json!({"version": version.number, "digest": digest_of(&version.document)});
        let details = json!({"version": version.number, "before": before.version});
        let entry = tx.audit(scope, Action::PolicyChanged, None, details);
        // Nothing stands for the policy that is built in.
        entry.changing(old.as_ref().map_or(Value::Null, shown), shown(&version));
        Ok(version)
    }

    /// Stops all approvals without people from the next proposal on, or allows them again.
    pub async fn set_emergency_stop(
        &self,
        scope: Scope,
        stopped: bool,
        reason: Option<&str>,
        origin: &Origin,
    ) -> Result<InForce> {
        let reason = reason.map(|text| name::check_text("reason", text, LONGEST_REASON)).transpose()?;
        let reason = reason.filter(|text| !text.trim().is_empty());
        let mut tx = self.begin(origin).await?;
        let before = tx.hold_policy(scope).await?;
        if before.stopped_at.is_some() == stopped {
            return Ok(before);
        }
        let after = InForce {
            stopped_at: stopped.then(|| tx.now()),
            stop_reason: reason.clone().filter(|_| stopped),
            ..before.clone()
        };
        tx.change_policy(scope, after.clone()).await?;
        let action = if stopped { Action::EmergencyStopSet } else { Action::EmergencyStopLifted };
        let entry = tx.audit(scope, action, None, json!({}));
        if let Some(reason) = reason {
            entry.personal(Part::Details, Of::Actor, json!({"reason": reason}));
        }
        tx.commit().await?;
        self.forget_policy(scope.workspace());
        Ok(InForce { epoch: before.epoch + 1, ..after })
    }
}

fn changed_meanwhile(current: Option<i32>, base: Option<i32>) -> Refusal {
    let given = base.map_or_else(|| "absent".to_owned(), |base| base.to_string());
    let message = match current {
        Some(current) => format!(
            "`baseVersion` is {given}, but version {current} is in force: look at that one and make the change again"
        ),
        None => format!("`baseVersion` is {given}, but the built-in policy is in force: leave it out"),
    };
    Refusal::at("baseVersion", Code::Conflict, message)
}
