//! Policies, tried on the past.

use async_graphql::{Context, Enum, ID, InputObject, Object, SimpleObject, Subscription};
use chrono::{DateTime, Utc};
use futures_util::{Stream, stream};

use crate::{
    domain::{id::WorkflowId, role::Role, time},
    engine::memory::{self, Actual, BacktestRange, Backtesting, Verdict, WouldBe},
    graphql::{
        caller::ContextExt,
        checkpoint::Checkpoint,
        error::{Fault, Result, argument_id, outcome},
        execution::seconds,
        policy::PolicyProblem,
    },
};

/// What trying a policy on the past costs, compared to reading a field.
pub const BACKTEST_COST: usize = 500;
const MOST_CASES: i32 = 1_000;

/// What a policy would have done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
#[graphql(remote = "WouldBe")]
pub enum BacktestOutcome {
    /// People would have been asked.
    Asked,
    /// A rule would have approved.
    AutoApproved,
    /// No rule would have had anything to say: it would have been done.
    Proceeded,
}

/// What really became of a proposal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
#[graphql(remote = "Actual")]
pub enum PastOutcome {
    /// People approved it as it was.
    Approved,
    /// People approved something else.
    Modified,
    /// People rejected it.
    Rejected,
    /// Nobody decided in time.
    TimedOut,
    /// A rule approved it.
    AutoApproved,
    /// A rule approved it, and somebody would not have.
    Overridden,
    /// Nobody needed the decision any more.
    Cancelled,
    /// It still waits.
    Pending,
}

/// How going ahead without people compares with what people decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
#[graphql(remote = "Verdict")]
pub enum BacktestVerdict {
    /// People approved exactly that.
    Agrees,
    /// People rejected it, or wanted something else.
    Contradicts,
    /// People would be asked, or none of them ever said anything about it.
    Undecided,
}

/// How often something became of proposals.
#[derive(SimpleObject)]
pub struct PastOutcomeCount {
    /// What.
    outcome: PastOutcome,
    /// How often.
    count: i32,
}

/// What one rule would have done.
#[derive(SimpleObject)]
pub struct BacktestRule {
    /// Its name; null for what no rule decides.
    name: Option<String>,
    /// What it would have done.
    outcome: BacktestOutcome,
    /// To how many proposals.
    proposals: i32,
    /// How many of them people approved exactly as they were, if it would have gone ahead without them.
    agreed: i32,
    /// How many of them people rejected or changed.
    contradicted: i32,
}

/// A proposal for which something else would have happened.
pub struct BacktestCase(memory::BacktestCase);

/// A proposal for which something else would have happened, or that people did not want.
#[Object]
impl BacktestCase {
    /// Where it was decided.
    async fn checkpoint(&self) -> Checkpoint {
        Checkpoint::from(self.0.checkpoint.clone())
    }

    /// The page on which people see it.
    async fn url(&self, ctx: &Context<'_>) -> String {
        format!("{}/checkpoints/{}", ctx.engine().public_url(), self.0.checkpoint.id)
    }

    /// What really became of it.
    async fn actual(&self) -> PastOutcome {
        self.0.actual.into()
    }

    /// What would have become of it.
    async fn outcome(&self) -> BacktestOutcome {
        self.0.would.into()
    }

    /// By which rule; null if by none.
    async fn rule(&self) -> Option<&str> {
        self.0.rule.as_deref()
    }

    /// How that compares with what people decided.
    async fn verdict(&self) -> BacktestVerdict {
        self.0.verdict.into()
    }
}

/// What a policy would have done with the proposals of the past.
pub struct Backtest(pub memory::Backtest);

fn small(number: u64) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}

/// What a policy would have done with the proposals of the past, compared with what people decided. Steps at which no
/// rule had anything to say then left no proposal, and tests do not count.
#[Object]
impl Backtest {
    /// How many proposals there were.
    async fn proposals(&self) -> i32 {
        small(self.0.proposals)
    }

    /// For how many people would have been asked.
    async fn asked(&self) -> i32 {
        small(self.0.asked)
    }

    /// How many a rule would have approved.
    async fn auto_approved(&self) -> i32 {
        small(self.0.auto_approved)
    }

    /// How many would have been done because no rule has anything to say.
    async fn proceeded(&self) -> i32 {
        small(self.0.proceeded)
    }

    /// For how many of those that would have been asked others would have been asked as well, given how long people
    /// really took.
    async fn escalated(&self) -> i32 {
        small(self.0.escalated)
    }

    /// For how many of them the time would have been over.
    async fn timed_out(&self) -> i32 {
        small(self.0.timed_out)
    }

    /// How many of those that would have gone ahead without people, people approved exactly as they were.
    async fn agreed(&self) -> i32 {
        small(self.0.agreed)
    }

    /// How many of them people rejected or changed: going ahead would have contradicted them.
    async fn contradicted(&self) -> i32 {
        small(self.0.contradicted)
    }

    /// Of how many of them nobody knows, because no person decided.
    async fn undecided(&self) -> i32 {
        small(self.0.undecided)
    }

    /// For how many people were asked and would not be.
    async fn no_longer_asked(&self) -> i32 {
        small(self.0.no_longer_asked)
    }

    /// For how many nobody was asked and people would be.
    async fn newly_asked(&self) -> i32 {
        small(self.0.newly_asked)
    }

    /// How long executions waited for approvals that would not have been needed, and agree.
    async fn saved_seconds(&self) -> f64 {
        seconds(self.0.time_saved)
    }

    /// What really became of the proposals.
    async fn actual(&self) -> Vec<PastOutcomeCount> {
        let all = [
            Actual::Approved,
            Actual::Modified,
            Actual::Rejected,
            Actual::TimedOut,
            Actual::AutoApproved,
            Actual::Overridden,
            Actual::Cancelled,
            Actual::Pending,
        ];
        let count = |actual: Actual| PastOutcomeCount {
            outcome: actual.into(),
            count: small(self.0.actual.get(&actual).copied().unwrap_or(0)),
        };
        all.into_iter().map(count).collect()
    }

    /// What each rule would have done, the one with the most proposals first.
    async fn rules(&self) -> Vec<BacktestRule> {
        let rules = self.0.rules.iter().map(|rule| BacktestRule {
            name: rule.name.clone(),
            outcome: rule.would.into(),
            proposals: small(rule.proposals),
            agreed: small(rule.agreed),
            contradicted: small(rule.contradicted),
        });
        rules.collect()
    }

    /// The proposals for which something else would have happened, those that contradict people first.
    #[graphql(complexity = "child_complexity.saturating_mul(20)")]
    async fn cases(&self) -> Vec<BacktestCase> {
        self.0.cases.iter().cloned().map(BacktestCase).collect()
    }

    /// How many there are in all.
    async fn case_count(&self) -> i32 {
        small(self.0.cases_in_all)
    }
}

/// A policy, and the time on which it is tried.
#[derive(InputObject)]
pub struct BacktestPolicyInput {
    /// The policy, in YAML or JSON.
    document: String,
    /// Only proposals from this time on.
    from: Option<DateTime<Utc>>,
    /// Only proposals before this time.
    until: Option<DateTime<Utc>>,
    /// Only of executions of this workflow.
    workflow_id: Option<ID>,
    /// How many of the cases that differ are shown: at most 1,000.
    #[graphql(default = 100)]
    most_cases: i32,
}

/// How far a back-test is.
#[derive(SimpleObject)]
pub struct BacktestProgress {
    /// How many proposals have been looked at.
    done: i32,
    /// How many there are.
    total: i32,
    /// What would have been; null until everything has been looked at.
    result: Option<Backtest>,
    /// What is wrong with the policy: nothing is tried then.
    problems: Vec<PolicyProblem>,
}

impl BacktestProgress {
    fn of(running: &Backtesting, result: Option<memory::Backtest>) -> Self {
        let result = result.map(Backtest);
        Self { done: small(running.done), total: small(running.total), result, problems: Vec::new() }
    }

    fn impossible(problems: Vec<crate::domain::document::Problem>) -> Self {
        let problems = problems.into_iter().map(PolicyProblem::from).collect();
        Self { done: 0, total: 0, result: None, problems }
    }
}

/// The proposals that are looked at.
pub fn range(
    from: Option<DateTime<Utc>>,
    until: Option<DateTime<Utc>>,
    workflow: Option<ID>,
    most_cases: i32,
) -> Result<BacktestRange> {
    if !(0..=MOST_CASES).contains(&most_cases) {
        return Err(Fault::BadInput(format!("`mostCases` is {most_cases}: give 0 to {MOST_CASES}")));
    }
    let (from, until) =
        (from.map(|at| time::check("from", at)).transpose()?, until.map(|at| time::check("until", at)).transpose()?);
    if let (Some(from), Some(until)) = (from, until)
        && from > until
    {
        return Err(Fault::BadInput(format!("`from` ({from}) is after `until` ({until})")));
    }
    Ok(BacktestRange {
        from,
        until,
        workflow: workflow.map(|id| argument_id::<WorkflowId>("workflowId", &id)).transpose()?,
        most_cases: usize::try_from(most_cases).unwrap_or(0),
    })
}

/// A back-test that is about to begin, or what is wrong with its policy.
async fn begin(
    ctx: &Context<'_>,
    input: BacktestPolicyInput,
) -> Result<std::result::Result<Backtesting, BacktestProgress>> {
    let scope = ctx.require(Role::Author)?;
    let range = range(input.from, input.until, input.workflow_id, input.most_cases)?;
    let begun = ctx.engine().backtest_policy(scope, &input.document, range).await;
    let begun = outcome(begun)?.map_err(|_| Fault::Internal)?;
    Ok(begun.map_err(BacktestProgress::impossible))
}

#[derive(Default)]
pub struct BacktestQuery;

#[Object]
impl BacktestQuery {
    /// Tries a policy on the proposals of the past and compares with what people decided. The subscription of the same
    /// name tells how far it is. Needs the role AUTHOR.
    #[graphql(complexity = "child_complexity.saturating_add(BACKTEST_COST)")]
    async fn backtest_policy(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The policy, and the time on which it is tried.")] input: BacktestPolicyInput,
    ) -> Result<BacktestProgress> {
        let running = match begin(ctx, input).await? {
            Ok(running) => running,
            Err(impossible) => return Ok(impossible),
        };
        let total = running.total;
        let result = outcome(running.finish().await)?.map_err(|_| Fault::Internal)?;
        let done = small(result.proposals);
        Ok(BacktestProgress { done, total: small(total), result: Some(Backtest(result)), problems: Vec::new() })
    }
}

#[derive(Default)]
pub struct BacktestSubscription;

#[Subscription]
impl BacktestSubscription {
    /// Tries a policy on the proposals of the past, tells how far it is, and gives the result at the end. Whoever stops
    /// listening stops it. Needs the role AUTHOR.
    async fn backtest_policy(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The policy, and the time on which it is tried.")] input: BacktestPolicyInput,
    ) -> Result<impl Stream<Item = Result<BacktestProgress>>> {
        let (running, impossible) = match begin(ctx, input).await? {
            Ok(running) => (Some(running), None),
            Err(impossible) => (None, Some(impossible)),
        };
        let progress = stream::try_unfold(running, |running| async move {
            let Some(mut running) = running else { return Ok(None) };
            let result = outcome(running.proceed().await)?.map_err(|_| Fault::Internal)?;
            let progress = BacktestProgress::of(&running, result);
            let next = Some(running).filter(|_| progress.result.is_none());
            Ok(Some((progress, next)))
        });
        Ok(futures_util::StreamExt::chain(stream::iter(impossible.map(Ok)), progress))
    }
}
