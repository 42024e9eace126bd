//! From facts to an outcome: which rule comes before which.

use super::{
    Policy,
    condition::InDoubt,
    facts::{Facts, Sight},
    outcome::{AutoApproval, Notice, Outcome},
    reason::Reason,
    report::{Evaluation, RuleReport},
    requirement::Requirement,
    rule::{AutoRule, Checkpoint},
    shadow::{Mode, Watched},
};
use crate::domain::workflow::Gate;

impl Policy {
    /// What is to happen with a proposal, and what was found about every rule.
    ///
    /// 1. The first checkpoint rule that matches says who is asked.
    /// 2. The first auto-approval rule that matches approves in place of these people; then the checkpoint rule itself,
    ///    if it says so. Unless they are blocked.
    /// 3. If they are, people are asked, whether or not a checkpoint rule matched.
    /// 4. A step that always asks does so without any rule, too.
    pub fn evaluate(&self, facts: &Facts<'_>) -> Evaluation {
        let sight = Sight::new(facts);
        let mut checkpoints = self.look_at_checkpoints(&sight);
        let mut auto_approvals = self.look_at_auto_approvals(&sight);
        let asking = apply_first(&mut checkpoints).map(|number| (&self.checkpoints[number], &checkpoints[number]));
        let approving = apply_first(&mut auto_approvals);
        let approving = approving.map(|number| (&self.auto_approvals.rules[number], &auto_approvals[number]));
        let mut outcome = decide(facts.gate, asking, approving);
        if let Outcome::Ask(requirement) = &mut outcome {
            requirement.watched = self.watched(&auto_approvals);
        }
        Evaluation { outcome, checkpoints, auto_approvals }
    }

    fn look_at_checkpoints(&self, sight: &Sight<'_>) -> Vec<RuleReport> {
        let look = |checkpoint: &Checkpoint| {
            let mut report = checkpoint.rule.look(sight, InDoubt::Holds);
            report.priority = checkpoint.priority;
            if report.matched && checkpoint.auto_approve {
                report.blocked = self.auto_approvals.settings.blocks(&checkpoint.rule, None, sight.facts);
                // It matched because in doubt people are to be asked, so it may not approve for them.
                report.blocked.extend(report.doubt());
            }
            report
        };
        self.checkpoints.iter().map(look).collect()
    }

    fn look_at_auto_approvals(&self, sight: &Sight<'_>) -> Vec<RuleReport> {
        let section = &self.auto_approvals;
        let look = |auto: &AutoRule| {
            let mut report = auto.rule.look(sight, InDoubt::Fails);
            let takes_part = section.enabled && auto.takes_part();
            report.enabled = takes_part && auto.mode == Mode::Live;
            report.shadow = takes_part && auto.mode == Mode::Shadow;
            if report.matched && report.enabled {
                report.blocked = section.settings.blocks(&auto.rule, auto.rollout, sight.facts);
            }
            report
        };
        section.rules.iter().map(look).collect()
    }

    /// The rules that would approve what people are asked about: how they decide says whether the rules are right.
    fn watched(&self, reports: &[RuleReport]) -> Vec<Watched> {
        let rules = self.auto_approvals.rules.iter().zip(reports);
        let approving = rules.filter(|(_, report)| report.matched && (report.enabled || report.shadow));
        approving
            .map(|(auto, report)| Watched { rule: report.name.to_string(), fingerprint: auto.fingerprint.to_string() })
            .collect()
    }
}

/// Marks the first rule that matched and takes part, and says which it is.
fn apply_first(reports: &mut [RuleReport]) -> Option<usize> {
    let first = reports.iter().position(|report| report.matched && report.enabled)?;
    reports[first].applied = true;
    Some(first)
}

fn decide(
    gate: Gate,
    asking: Option<(&Checkpoint, &RuleReport)>,
    approving: Option<(&AutoRule, &RuleReport)>,
) -> Outcome {
    let by_itself = asking.filter(|(checkpoint, _)| checkpoint.auto_approve);
    if let Some((auto, report)) = approving.filter(|(_, report)| report.blocked.is_empty()) {
        let instead_of = asking.filter(|(checkpoint, _)| !checkpoint.auto_approve).map(|(_, report)| report);
        let fingerprint = Some(auto.fingerprint.to_string());
        return approved(report, instead_of, auto.notice.clone(), fingerprint);
    }
    if let Some((checkpoint, report)) = by_itself.filter(|(_, report)| report.blocked.is_empty()) {
        let notification = Some(checkpoint.requirement.notification.clone()).filter(|it| !it.is_empty());
        return approved(report, None, Notice { log: true, notification }, None);
    }
    let mut blocked: Vec<Reason> = Vec::new();
    blocked.extend(approving.iter().flat_map(|(_, report)| report.blocked.iter().cloned()));
    blocked.extend(by_itself.iter().flat_map(|(_, report)| report.blocked.iter().cloned()));
    if gate == Gate::Always && blocked.is_empty() {
        blocked.push(Reason::of_gate());
    }
    match asking {
        None if blocked.is_empty() => Outcome::Proceed,
        None => Outcome::Ask(Box::new(Requirement { reasons: blocked, ..Requirement::default() })),
        Some((checkpoint, report)) => {
            let mut requirement = checkpoint.requirement.clone();
            requirement.reasons = report.reasons();
            requirement.reasons.extend(blocked);
            Outcome::Ask(Box::new(requirement))
        }
    }
}

fn approved(
    report: &RuleReport,
    instead_of: Option<&RuleReport>,
    notice: Notice,
    fingerprint: Option<String>,
) -> Outcome {
    Outcome::AutoApproved(Box::new(AutoApproval {
        rule: report.name.to_string(),
        reasons: report.reasons(),
        instead_of: instead_of.map(|report| report.name.to_string()),
        notice,
        fingerprint,
    }))
}
