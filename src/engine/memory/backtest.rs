//! A policy, tried on the proposals of the past and compared with what people decided.

use std::{
    collections::{HashMap, hash_map::Entry},
    sync::Arc,
};

use chrono::{DateTime, TimeDelta, Utc};

use super::past::{Actual, PastProposal};
use crate::{
    domain::{
        access::{Actor, Scope},
        checkpoint::Kind,
        document::Problem,
        execution::Judged,
        id::{CheckpointId, WorkflowId},
        policy::{Outcome, Policy, Requester, Requirement},
    },
    engine::{
        Engine, Result,
        execution::{judge, values::offload},
        policy::InForce,
    },
    store::checkpoints::{CheckpointRow, Past},
};

/// How many proposals are looked at between two signs of progress.
const BATCH: u64 = 1_000;

/// What a policy would have done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum WouldBe {
    /// People would have been asked.
    Asked,
    /// A rule would have approved.
    AutoApproved,
    /// No rule would have had anything to say.
    Proceeded,
}

/// How an approval without people compares with what people decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// People approved exactly that.
    Agrees,
    /// People rejected it, or wanted something else.
    Contradicts,
    /// No person decided.
    Undecided,
}

/// Which proposals a policy is tried on.
#[derive(Debug, Clone, Copy, Default)]
pub struct BacktestRange {
    pub from: Option<DateTime<Utc>>,
    pub until: Option<DateTime<Utc>>,
    pub workflow: Option<WorkflowId>,
    /// How many of the cases that differ are shown.
    pub most_cases: usize,
}

/// What would have been.
#[derive(Debug, Clone, Default)]
pub struct Backtest {
    pub proposals: u64,
    pub asked: u64,
    pub auto_approved: u64,
    pub proceeded: u64,
    /// Of those that would have been asked: nobody decided before others would have been asked, or the time was over.
    pub escalated: u64,
    pub timed_out: u64,
    /// Of those that would have been let through without people.
    pub agreed: u64,
    pub contradicted: u64,
    pub undecided: u64,
    /// People were asked, and would not be.
    pub no_longer_asked: u64,
    /// Nobody was asked, and people would be.
    pub newly_asked: u64,
    /// How long people took for what they would not be asked any more and approved.
    pub time_saved: TimeDelta,
    pub actual: HashMap<Actual, u64>,
    pub rules: Vec<BacktestRule>,
    /// The cases that differ: those in which people wanted something else first.
    pub cases: Vec<BacktestCase>,
    pub cases_in_all: u64,
}

/// What one rule would have done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BacktestRule {
    pub name: Option<String>,
    pub would: WouldBe,
    pub proposals: u64,
    pub agreed: u64,
    pub contradicted: u64,
}

/// A proposal for which something else would have happened.
#[derive(Debug, Clone)]
pub struct BacktestCase {
    pub checkpoint: CheckpointRow,
    pub actual: Actual,
    pub would: WouldBe,
    pub rule: Option<String>,
    pub verdict: Verdict,
}

/// A back-test under way.
pub struct Backtesting {
    engine: Engine,
    scope: Scope,
    policy: Arc<InForce>,
    around: bool,
    past: Past,
    most_cases: usize,
    above: Option<CheckpointId>,
    now: DateTime<Utc>,
    pub total: u64,
    pub done: u64,
    others: Vec<BacktestCase>,
    result: Backtest,
}

impl Engine {
    /// Begins to try a policy on the past; or says what is wrong with it.
    pub async fn backtest_policy(
        &self,
        scope: Scope,
        document: &str,
        range: BacktestRange,
    ) -> Result<std::result::Result<Backtesting, Vec<Problem>>> {
        let policy = match Policy::read(document) {
            Ok(policy) => policy,
            Err(problems) => return Ok(Err(problems)),
        };
        self.backtest(scope, policy, range).await.map(Ok)
    }

    pub(super) async fn backtest(&self, scope: Scope, policy: Policy, range: BacktestRange) -> Result<Backtesting> {
        let past = Past { from: range.from, until: range.until, workflow: range.workflow, tests: false };
        let total = self.store().count_past_checkpoints(scope, &past).await?;
        // What the rules would do is asked, and not what somebody has stopped for the moment.
        let around = policy.looks_around();
        let in_force = InForce { policy, version: None, emergency_stop: false, epoch: 0 };
        Ok(Backtesting {
            engine: self.clone(),
            scope,
            around,
            policy: Arc::new(in_force),
            past,
            most_cases: range.most_cases,
            above: None,
            now: self.clock().now(),
            total,
            done: 0,
            others: Vec::new(),
            result: Backtest::default(),
        })
    }
}

impl Backtesting {
    /// Goes on; gives the result once everything has been looked at.
    pub async fn proceed(&mut self) -> Result<Option<Backtest>> {
        let batch = self.engine.past_proposals(self.scope, &self.past, self.above, BATCH, self.around).await?;
        let Some(last) = batch.last() else {
            let mut result = std::mem::take(&mut self.result);
            let room = self.most_cases.saturating_sub(result.cases.len());
            result.cases.extend(self.others.drain(..).take(room));
            result.rules.sort_by(|a, b| b.proposals.cmp(&a.proposals).then_with(|| a.name.cmp(&b.name)));
            return Ok(Some(result));
        };
        self.above = Some(last.row.id);
        self.done += u64::try_from(batch.len()).unwrap_or_default();
        let mut requesters: HashMap<Actor, Requester> = HashMap::new();
        for past in &batch {
            if let Entry::Vacant(unknown) = requesters.entry(past.requester) {
                unknown.insert(self.engine.requester(self.scope, past.requester, &self.policy.policy).await?);
            }
        }
        // Other requests go on meanwhile.
        let policy = Arc::clone(&self.policy);
        let judged = offload(move || {
            let nobody = Requester::default();
            let requester = |past: &PastProposal| requesters.get(&past.requester).unwrap_or(&nobody);
            let outcomes = batch.into_iter().map(|past| (retry(&policy, &past, requester(&past)), past));
            outcomes.collect::<Vec<(Outcome, PastProposal)>>()
        });
        for (outcome, past) in judged.await.unwrap_or_default() {
            self.count(&outcome, &past);
        }
        Ok(None)
    }

    /// All of it, for whoever does not want to see it go on.
    pub async fn finish(mut self) -> Result<Backtest> {
        loop {
            if let Some(result) = self.proceed().await? {
                return Ok(result);
            }
        }
    }

    fn count(&mut self, outcome: &Outcome, past: &PastProposal) {
        let actual = Actual::of(&past.row);
        let asked_then = !matches!(actual, Actual::AutoApproved | Actual::Overridden);
        let result = &mut self.result;
        result.proposals += 1;
        *result.actual.entry(actual).or_default() += 1;
        let (would, rule) = match outcome {
            Outcome::Proceed => (WouldBe::Proceeded, None),
            Outcome::AutoApproved(approval) => (WouldBe::AutoApproved, Some(approval.rule.clone())),
            Outcome::Ask(requirement) => (WouldBe::Asked, requirement.rule.clone()),
        };
        let verdict = match (would, actual.approves()) {
            (WouldBe::Asked, _) | (_, None) => Verdict::Undecided,
            (_, Some(true)) => Verdict::Agrees,
            (_, Some(false)) => Verdict::Contradicts,
        };
        match outcome {
            Outcome::Ask(requirement) => {
                result.asked += 1;
                result.newly_asked += u64::from(!asked_then);
                let waited = past.waited().unwrap_or(self.now - past.row.requested_at);
                let (escalated, timed_out) = overdue(requirement, waited);
                result.escalated += u64::from(escalated);
                result.timed_out += u64::from(timed_out);
            }
            Outcome::AutoApproved(_) | Outcome::Proceed => {
                *(if would == WouldBe::Proceeded { &mut result.proceeded } else { &mut result.auto_approved }) += 1;
                result.no_longer_asked += u64::from(asked_then);
                *match verdict {
                    Verdict::Agrees => &mut result.agreed,
                    Verdict::Contradicts => &mut result.contradicted,
                    Verdict::Undecided => &mut result.undecided,
                } += 1;
                if verdict == Verdict::Agrees {
                    result.time_saved += past.waited().unwrap_or_default();
                }
            }
        }
        count_rule(&mut result.rules, rule.as_deref(), would, verdict);
        let same = if asked_then { would == WouldBe::Asked } else { would == WouldBe::AutoApproved };
        if same && verdict != Verdict::Contradicts {
            return;
        }
        result.cases_in_all += 1;
        let kept = if verdict == Verdict::Contradicts { &mut result.cases } else { &mut self.others };
        if kept.len() < self.most_cases {
            kept.push(BacktestCase { checkpoint: past.row.clone(), actual, would, rule, verdict });
        }
    }
}

/// What a policy says about a proposal of the past, as if it came then.
fn retry(policy: &InForce, past: &PastProposal, requester: &Requester) -> Outcome {
    let judged = Judged {
        gate: past.gate,
        asked_by: past.asked_by,
        proposal: &past.proposal,
        contents: &past.contents,
        input: &past.input,
        context: &past.context,
    };
    match judge(policy, &judged, requester, past.row.requested_at) {
        // Whoever asks wants an answer: only a step goes on where no rule has anything to say.
        Outcome::Proceed if past.row.kind == Kind::External => Outcome::Ask(Box::default()),
        outcome => outcome,
    }
}

/// Whether others would have been asked by then, and whether the time would have been over.
fn overdue(requirement: &Requirement, waited: TimeDelta) -> (bool, bool) {
    let over = |seconds: Option<u64>| {
        let seconds = seconds.and_then(|seconds| i64::try_from(seconds).ok());
        seconds.and_then(TimeDelta::try_seconds).is_some_and(|after| waited > after)
    };
    let escalation = requirement.escalation.as_ref().and_then(|escalation| escalation.after_seconds);
    (over(escalation), over(requirement.timeout.map(|timeout| timeout.after_seconds)))
}

fn count_rule(rules: &mut Vec<BacktestRule>, name: Option<&str>, would: WouldBe, verdict: Verdict) {
    let known = rules.iter().position(|rule| rule.name.as_deref() == name && rule.would == would);
    let position = known.unwrap_or_else(|| {
        let name = name.map(ToOwned::to_owned);
        rules.push(BacktestRule { name, would, proposals: 0, agreed: 0, contradicted: 0 });
        rules.len() - 1
    });
    if let Some(rule) = rules.get_mut(position) {
        rule.proposals += 1;
        rule.agreed += u64::from(verdict == Verdict::Agrees);
        rule.contradicted += u64::from(verdict == Verdict::Contradicts);
    }
}
