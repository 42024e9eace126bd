//! How auto-approval rules stand with people, and what follows from that.

use chrono::{DateTime, Utc};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect, sea_query::OnConflict,
};

use super::{Result, Store, Tx};
use crate::domain::{access::Scope, policy::Mode};

/// A rule that has earned or lost the right to approve.
#[derive(Debug, Clone, PartialEq)]
pub struct RuleMode {
    pub rule: String,
    pub fingerprint: String,
    pub mode: Mode,
    /// What the document said then.
    pub declared: Mode,
    /// How often people had agreed, from 0 to 1.
    pub agreement: f64,
    /// Among how many decisions.
    pub decisions: i32,
    pub since: DateTime<Utc>,
}

impl From<entity::rule_mode::Model> for RuleMode {
    fn from(row: entity::rule_mode::Model) -> Self {
        // The database's checks know these words.
        let mode = |text: &str| text.parse().unwrap_or(Mode::Shadow);
        Self {
            mode: mode(&row.mode),
            declared: mode(&row.declared),
            rule: row.rule,
            fingerprint: row.fingerprint,
            agreement: row.agreement,
            decisions: row.decisions,
            since: row.since,
        }
    }
}

impl Store {
    /// The rules of a workspace that have earned or lost the right to approve.
    pub async fn rule_modes(&self, scope: Scope) -> Result<Vec<RuleMode>> {
        use entity::rule_mode::{Column, Entity};
        let rows = Entity::find().filter(Column::WorkspaceId.eq(scope.workspace().0)).all(self.read()).await?;
        Ok(rows.into_iter().map(RuleMode::from).collect())
    }

    /// Whether people agreed with a rule, the newest first.
    pub async fn evidence_about(&self, scope: Scope, rule: &str, fingerprint: &str, limit: u64) -> Result<Vec<bool>> {
        use entity::rule_evidence::{Column, Entity};
        let query = Entity::find()
            .select_only()
            .column(Column::Agreed)
            .filter(Column::WorkspaceId.eq(scope.workspace().0))
            .filter(Column::Fingerprint.eq(fingerprint))
            .filter(Column::Rule.eq(rule))
            .order_by_desc(Column::At)
            .order_by_desc(Column::CheckpointId)
            .limit(limit);
        Ok(query.into_tuple().all(self.read()).await?)
    }
}

impl Tx {
    pub async fn put_rule_mode(&self, scope: Scope, mode: &RuleMode) -> Result<()> {
        use entity::rule_mode::{ActiveModel, Column, Entity};
        let row = ActiveModel {
            workspace_id: Set(scope.workspace().0),
            fingerprint: Set(mode.fingerprint.clone()),
            rule: Set(mode.rule.clone()),
            mode: Set(mode.mode.as_str().to_owned()),
            declared: Set(mode.declared.as_str().to_owned()),
            agreement: Set(mode.agreement),
            decisions: Set(mode.decisions),
            since: Set(mode.since),
        };
        let changing = [Column::Mode, Column::Declared, Column::Agreement, Column::Decisions, Column::Since];
        let key = [Column::WorkspaceId, Column::Fingerprint, Column::Rule];
        let conflict = OnConflict::columns(key).update_columns(changing).to_owned();
        Entity::insert(row).on_conflict(conflict).exec_without_returning(&self.db).await?;
        Ok(())
    }
}
