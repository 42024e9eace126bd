//! What people did with similar proposals, in a few words.

use std::collections::HashMap;

use serde_json::Value;

use crate::{
    domain::{
        access::Scope,
        checkpoint::{LessonKind, Status},
        id::LearningCaseId,
    },
    engine::{Engine, Result},
    store::learning_cases::{LearningCase, PastDecision},
};

/// How many decisions of the past are looked at.
const DECISIONS: u64 = 100;
/// What is told of what people changed.
const FIELDS_TOLD: usize = 5;

/// How people decided about proposals of one kind of operation.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Insight {
    /// How many decisions of people are known, at most so many as are looked at.
    pub decided: u32,
    pub approved: u32,
    pub modified: u32,
    pub rejected: u32,
    /// What they changed, the most frequent first.
    pub fields: Vec<FieldInsight>,
    /// The newest cases in which they wanted something else.
    pub cases: Vec<LearningCase>,
}

/// What people did with one field.
#[derive(Debug, Clone, PartialEq)]
pub struct FieldInsight {
    /// A JSON pointer.
    pub path: String,
    pub changed: u32,
    pub of: u32,
    /// By how much numbers were changed, as a part of the former value: -0.1 for ten percent less.
    pub median_change: Option<f64>,
    /// What they put there, if it was mostly the same.
    pub usual_value: Option<Value>,
}

impl Insight {
    /// In plain words, one sentence each.
    pub fn sentences(&self) -> Vec<String> {
        if self.decided == 0 {
            return Vec::new();
        }
        let mut told = Vec::new();
        if self.rejected > 0 {
            told.push(format!("people rejected {} of {} such cases", self.rejected, self.decided));
        }
        for field in self.fields.iter().take(FIELDS_TOLD) {
            let name = field.path.trim_start_matches('/').replace('/', ".");
            let how = match (field.median_change, &field.usual_value) {
                (Some(change), _) => format!(", median {:+.0}%", change * 100.0),
                (None, Some(value)) => format!(", mostly to {value}"),
                (None, None) => String::new(),
            };
            told.push(format!("people changed `{name}` in {} of {} such cases{how}", field.changed, field.of));
        }
        if told.is_empty() {
            told.push(format!("people approved {} of {} such cases as proposed", self.approved, self.decided));
        }
        told
    }
}

impl Engine {
    /// What people did lately with proposals of one kind of operation.
    pub async fn insight(&self, scope: Scope, operation_type: &str) -> Result<Insight> {
        let decisions = self.store().past_decisions(scope, operation_type, DECISIONS).await?;
        let other = decisions.iter().filter(|decision| decision.modified || decision.status == Status::Rejected);
        let ids: Vec<LearningCaseId> = other.map(|decision| LearningCaseId(decision.checkpoint.0)).collect();
        let cases = self.store().learning_cases_by_id(scope, &ids).await?;
        Ok(summarise(&decisions, ids.into_iter().filter_map(|id| cases.get(&id).cloned()).collect()))
    }
}

/// What was in a field, and what people put there.
type BeforeAfter<'a> = (Option<&'a Value>, Option<&'a Value>);

/// The cases are those of the decisions that were not approvals, the newest first.
fn summarise(decisions: &[PastDecision], cases: Vec<LearningCase>) -> Insight {
    let count = |wanted: &dyn Fn(&PastDecision) -> bool| {
        u32::try_from(decisions.iter().filter(|decision| wanted(decision)).count()).unwrap_or(u32::MAX)
    };
    let decided = count(&|_| true);
    let mut changes: HashMap<&str, Vec<BeforeAfter<'_>>> = HashMap::new();
    for change in cases.iter().filter(|case| case.kind == LessonKind::Modified).flat_map(|case| &case.changes) {
        changes.entry(&change.path).or_default().push((change.before.as_ref(), change.after.as_ref()));
    }
    let mut fields: Vec<FieldInsight> = changes
        .into_iter()
        .map(|(path, changes)| FieldInsight {
            path: path.to_owned(),
            changed: u32::try_from(changes.len()).unwrap_or(u32::MAX),
            of: decided,
            median_change: median_change(&changes),
            usual_value: usual_value(&changes),
        })
        .collect();
    fields.sort_by(|a, b| b.changed.cmp(&a.changed).then_with(|| a.path.cmp(&b.path)));
    Insight {
        decided,
        approved: count(&|decision| decision.status == Status::Approved && !decision.modified),
        modified: count(&|decision| decision.status == Status::Approved && decision.modified),
        rejected: count(&|decision| decision.status == Status::Rejected),
        fields,
        cases,
    }
}

/// By what part numbers were changed; nothing unless all of them were numbers.
fn median_change(changes: &[BeforeAfter<'_>]) -> Option<f64> {
    let part = |(before, after): &BeforeAfter<'_>| {
        let (before, after) = (before.and_then(Value::as_f64)?, after.and_then(Value::as_f64)?);
        Some((after - before) / before.abs()).filter(|part| part.is_finite())
    };
    let mut parts: Vec<f64> = changes.iter().map(part).collect::<Option<_>>()?;
    parts.sort_by(f64::total_cmp);
    let middle = parts.len() / 2;
    let upper = parts.get(middle)?;
    Some(if parts.len() % 2 == 1 { *upper } else { (parts.get(middle - 1)? + upper) / 2.0 })
}

/// What was put there in more than half of the cases.
fn usual_value(changes: &[BeforeAfter<'_>]) -> Option<Value> {
    let mut counts: Vec<(&Value, usize)> = Vec::new();
    for after in changes.iter().filter_map(|(_, after)| *after) {
        match counts.iter_mut().find(|(value, _)| *value == after) {
            Some((_, count)) => *count += 1,
            None => counts.push((after, 1)),
        }
    }
    let (value, count) = counts.into_iter().max_by_key(|(_, count)| *count)?;
    (count > 1 && count * 2 > changes.len()).then(|| value.clone())
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;
    use serde_json::json;
    use uuid::Uuid;

    use super::*;
    use crate::domain::{
        agent::RiskLevel,
        checkpoint::Change,
        id::{CheckpointId, ExecutionId, UserId, WorkflowId},
    };

    fn case(changes: Value) -> LearningCase {
        let change = |(path, values): (&String, &Value)| Change {
            path: path.clone(),
            before: values.get(0).cloned(),
            after: values.get(1).cloned(),
        };
        LearningCase {
            id: LearningCaseId(Uuid::now_v7()),
            execution: ExecutionId(Uuid::nil()),
            workflow: WorkflowId(Uuid::nil()),
            agent: None,
            kind: LessonKind::Modified,
            test: false,
            operation_type: "refund".to_owned(),
            risk_level: RiskLevel::High,
            person: UserId(Uuid::nil()),
            reason: None,
            changes: changes.as_object().expect("fields").iter().map(change).collect(),
            proposed: 1,
            decided: 2,
            at: DateTime::UNIX_EPOCH,
        }
    }

    fn decision(status: Status, modified: bool) -> PastDecision {
        PastDecision { checkpoint: CheckpointId(Uuid::nil()), status, modified }
    }

    #[test]
    fn what_people_change_is_told_in_a_sentence() {
        let mut decisions = vec![decision(Status::Approved, true); 3];
        decisions.extend(vec![decision(Status::Approved, false); 6]);
        decisions.push(decision(Status::Rejected, false));
        let cases = vec![
            case(json!({"/amount": [100, 90], "/to/name": ["A", "B"]})),
            case(json!({"/amount": [200.0, 160.0], "/to/name": ["C", "B"]})),
            case(json!({"/amount": [10, 10.5]})),
        ];
        let insight = summarise(&decisions, cases);
        assert_eq!((insight.decided, insight.approved, insight.modified, insight.rejected), (10, 6, 3, 1));
        assert_eq!(
            insight.sentences(),
            [
                "people rejected 1 of 10 such cases",
                "people changed `amount` in 3 of 10 such cases, median -10%",
                "people changed `to.name` in 2 of 10 such cases, mostly to \"B\"",
            ]
        );
    }

    #[test]
    fn nothing_is_told_of_nothing() {
        assert_eq!(summarise(&[], Vec::new()).sentences(), [""; 0]);
        let approved = summarise(&[decision(Status::Approved, false)], Vec::new());
        assert_eq!(approved.sentences(), ["people approved 1 of 1 such cases as proposed"]);
    }
}
