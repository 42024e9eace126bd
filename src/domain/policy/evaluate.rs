//! From facts to an outcome: which rule comes before which.

use super::{
    Policy,
    condition::InDoubt,
    facts::{Asker, Facts, Requester, Sight},
    operation_types::{Objection, Wanted},
    outcome::{AutoApproval, Notice, Outcome},
    reason::{Aspect, Reason},
    report::{Evaluation, RuleReport},
    requirement::Requirement,
    rule::{AutoRule, Checkpoint},
    shadow::{Mode, Watched},
};
use crate::domain::{operation_type, work::Budget, workflow::Gate};

/// How much all rules together may do with one proposal: some tenths of a second.
const MOST_WORK: u64 = 10_000_000;

impl Policy {
    /// What is to happen with a proposal, and what was found about every rule.
    ///
    /// 1. The first checkpoint rule that matches says who is asked.
    /// 2. The first auto-approval rule that matches approves in place of these people; then the checkpoint rule itself,
    ///    if it says so. Unless they are blocked.
    /// 3. If they are, people are asked, whether or not a checkpoint rule matched.
    /// 4. A step that always asks does so without any rule, too, and so does one whose operation type the catalogue does
    ///    not let through.
    pub fn evaluate(&self, facts: &Facts<'_>) -> Evaluation {
        // What cannot be paid for is in doubt, and people are asked.
        Budget::new(MOST_WORK).pay_for(|| self.look(facts))
    }

    fn look(&self, facts: &Facts<'_>) -> Evaluation {
        let sight = Sight::new(facts);
        let wanted = Wanted {
            name: facts.operation_type,
            comparable: &sight.operation_type().0,
            asked_by: facts.asked_by,
            requester: facts.requester,
        };
        let objections = self.operation_types.objections(&wanted);
        let mut checkpoints = self.look_at_checkpoints(&sight, &objections);
        let mut auto_approvals = self.look_at_auto_approvals(&sight, &objections);
        let asking = apply_first(&mut checkpoints).map(|number| (&self.checkpoints[number], &checkpoints[number]));
        let approving = apply_first(&mut auto_approvals);
        let approving = approving.map(|number| (&self.auto_approvals.rules[number], &auto_approvals[number]));
        let mut outcome = decide(facts.gate, asking, approving, &self.operation_types.insisting(&objections));
        if let Outcome::Ask(requirement) = &mut outcome {
            requirement.watched = self.watched(&auto_approvals);
            **requirement = requirement.as_ref().clone().behind(facts.gate);
        }
        let refused = self.operation_types.refusal(&wanted);
        Evaluation { outcome, refused, checkpoints, auto_approvals }
    }

    /// Why somebody may not even ask for approval of such an action.
    pub fn refusal(&self, operation_type: &str, requester: &Requester) -> Option<String> {
        let comparable = &operation_type::comparable(operation_type);
        let wanted = Wanted { name: operation_type, comparable, asked_by: Asker::Caller, requester };
        self.operation_types.refusal(&wanted)
    }

    fn look_at_checkpoints(&self, sight: &Sight<'_>, objections: &[Objection]) -> Vec<RuleReport> {
        let look = |checkpoint: &Checkpoint| {
            let mut report = checkpoint.rule.look(sight, InDoubt::Holds);
            report.priority = checkpoint.priority;
            if report.matched && checkpoint.auto_approve {
                report.blocked = self.auto_approvals.settings.blocks(&checkpoint.rule, None, sight, objections);
                // It matched because in doubt people are to be asked, so it may not approve for them.
                report.blocked.extend(report.doubt());
            }
            report
        };
        self.checkpoints.iter().map(look).collect()
    }

    fn look_at_auto_approvals(&self, sight: &Sight<'_>, objections: &[Objection]) -> Vec<RuleReport> {
        let section = &self.auto_approvals;
        let look = |auto: &AutoRule| {
            let mut report = auto.rule.look(sight, InDoubt::Fails);
            let takes_part = section.enabled && auto.takes_part();
            report.enabled = takes_part && auto.mode == Mode::Live;
            report.shadow = takes_part && auto.mode == Mode::Shadow;
            if report.matched && report.enabled {
                report.blocked = section.settings.blocks(&auto.rule, auto.rollout, sight, objections);
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
    insisting: &[Objection],
) -> Outcome {
    let by_itself = asking.filter(|(checkpoint, _)| checkpoint.auto_approve);
    if let Some((auto, report)) = approving.filter(|(_, report)| report.blocked.is_empty()) {
        let instead_of = asking.filter(|(checkpoint, _)| !checkpoint.auto_approve).map(|(_, report)| report);
        let fingerprint = Some(auto.fingerprint.to_string());
        return approved(report, instead_of, auto.notice.clone(), fingerprint);
    }
    if let Some((checkpoint, report)) = by_itself.filter(|(_, report)| report.blocked.is_empty()) {
        let notification = Some(checkpoint.requirement.notification.clone()).filter(|it| !it.is_empty());
        return approved(report, None, Notice { log: checkpoint.log, notification }, None);
    }
    let mut blocked: Vec<Reason> = Vec::new();
    blocked.extend(approving.iter().flat_map(|(_, report)| report.blocked.iter().cloned()));
    blocked.extend(by_itself.iter().flat_map(|(_, report)| report.blocked.iter().cloned()));
    let told = blocked.iter().any(|reason| reason.condition == Aspect::OperationTypes);
    let named = asking.is_some_and(|(checkpoint, _)| checkpoint.rule.names_operations());
    let insisting = insisting.iter().filter(|objection| !(told || named && objection.unless_named));
    blocked.extend(insisting.map(|objection| Reason::new(None, Aspect::OperationTypes, objection.message.clone())));
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
