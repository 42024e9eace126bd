//! How auto-approval rules stand with people: they earn the right to approve, and lose it.

use serde_json::json;

use crate::{
    domain::{
        access::Scope,
        audit::Action,
        checkpoint::{Command, Evidence},
        execution,
        id::CheckpointId,
        name,
        policy::{Agreement, AutoRule, Mode, Threshold, next_mode},
        refusal::Refusal,
    },
    engine::{Engine, Origin, Result, execution::Change},
    store::{checkpoints::CheckpointRow, rule_modes::RuleMode},
};

const LONGEST_REASON: usize = 10_000;

/// A rule, and how it stands.
#[derive(Debug, Clone)]
pub struct AutoRuleStanding {
    pub rule: AutoRule,
    /// How often people agreed lately, over as many decisions as the rule asks for.
    pub agreement: Agreement,
    /// Since when it is in another mode than the document says, and why.
    pub earned: Option<RuleMode>,
}

impl Engine {
    /// Somebody would not have approved what a rule did.
    pub async fn override_auto_approval(
        &self,
        scope: Scope,
        id: CheckpointId,
        reason: &str,
        origin: &Origin,
    ) -> Result<CheckpointRow> {
        let reason = name::check_text("reason", reason, LONGEST_REASON)?;
        if reason.trim().is_empty() {
            return Err(Refusal::invalid("reason", "`reason` is empty: say why, for whoever wrote the rule").into());
        }
        self.permit_checkpoint(scope, id).await?;
        let loaded = self.execution_of_checkpoint(scope, id).await?;
        let person = self.caller(scope).await?.id;
        let command = Command::Override { by: scope.actor(), person, reason };
        let command = execution::Command::Checkpoint { id: id.0, command };
        let change = Change { origin: origin.clone(), ..Change::by(scope.actor(), command) };
        self.change(loaded.owner.execution, change).await?;
        self.review_rules(scope, id).await;
        self.changed_checkpoint(scope, id).await
    }

    /// Lets rules begin to approve, or keeps them from it, if what people just decided says so. The decision stands in
    /// any case, and the next one tries again.
    pub(crate) async fn review_rules(&self, scope: Scope, id: CheckpointId) {
        if let Err(error) = self.try_review(scope, id).await {
            tracing::error!(error = error.explain(), checkpoint = %id, "cannot review the rules");
        }
    }

    async fn try_review(&self, scope: Scope, id: CheckpointId) -> Result<()> {
        let loaded = self.execution_of_checkpoint(scope, id).await?;
        let about = loaded.state.checkpoint(id.0).map(Evidence::of).unwrap_or_default();
        if about.is_empty() {
            return Ok(());
        }
        let in_force = self.in_force(scope).await?;
        for auto in in_force.policy.auto_rules() {
            let concerned = about.iter().any(|it| it.rule == auto.name() && *it.fingerprint == *auto.fingerprint);
            if concerned && (auto.promote_at.is_some() || auto.demote_below.is_some()) {
                self.review_rule(scope, auto).await?;
            }
        }
        Ok(())
    }

    async fn review_rule(&self, scope: Scope, auto: &AutoRule) -> Result<()> {
        let mut tx = self.begin(&Origin::default()).await?;
        // Of two decisions at once, the second sees what followed from the first.
        let before = tx.hold_policy(scope).await?;
        let verdicts = self.verdicts(scope, auto).await?;
        let known = self.store().rule_modes(scope).await?.into_iter().find(|known| is_of(known, auto));
        let mode = known.map_or(auto.declared, |known| known.mode);
        let Some((next, agreement)) = next_mode(mode, auto.promote_at, auto.demote_below, &verdicts) else {
            return Ok(());
        };
        let earned = RuleMode {
            rule: auto.name().to_owned(),
            fingerprint: auto.fingerprint.to_string(),
            mode: next,
            declared: auto.declared,
            agreement: agreement.rate().unwrap_or_default(),
            decisions: i32::try_from(agreement.of).unwrap_or(i32::MAX),
            since: tx.now(),
        };
        tx.put_rule_mode(scope, &earned).await?;
        // Whoever decides by the former rules notices, as with any change of them.
        tx.change_policy(scope, before).await?;
        let action = match next {
            Mode::Live => Action::RulePromoted,
            Mode::Shadow => Action::RuleDemoted,
        };
        let details = json!({"rule": auto.name(), "agreed": agreement.agreed, "of": agreement.of});
        // It follows from what many people decided, so nobody in particular did it.
        tx.audit(Scope::system(scope.workspace()), action, None, details);
        tx.commit().await?;
        self.forget_policy(scope.workspace());
        Ok(())
    }

    /// The auto-approval rules that are in force, and how they stand.
    pub async fn auto_rules(&self, scope: Scope) -> Result<Vec<AutoRuleStanding>> {
        let in_force = self.in_force(scope).await?;
        let earned = self.store().rule_modes(scope).await?;
        let mut standings = Vec::new();
        for rule in in_force.policy.auto_rules() {
            let verdicts = self.verdicts(scope, rule).await?;
            standings.push(AutoRuleStanding {
                agreement: Agreement::over(over(rule), verdicts),
                earned: earned.iter().find(|known| is_of(known, rule) && known.mode != rule.declared).cloned(),
                rule: rule.clone(),
            });
        }
        Ok(standings)
    }

    async fn verdicts(&self, scope: Scope, rule: &AutoRule) -> Result<Vec<bool>> {
        Ok(self.store().evidence_about(scope, rule.name(), &rule.fingerprint, over(rule).into()).await?)
    }
}

/// Over how many decisions a rule is measured.
fn over(rule: &AutoRule) -> u32 {
    let thresholds = rule.promote_at.into_iter().chain(rule.demote_below);
    thresholds.map(|threshold| threshold.over).max().unwrap_or(Threshold::DEFAULT_OVER)
}

fn is_of(known: &RuleMode, rule: &AutoRule) -> bool {
    known.rule == rule.name() && *known.fingerprint == *rule.fingerprint && known.declared == rule.declared
}
