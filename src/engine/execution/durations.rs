//! How long steps usually take, by their keys.

use std::collections::HashMap;

use crate::{
    domain::{access::Scope, execution::Mode, id::WorkflowId},
    engine::{Engine, Result},
    store::durations::PastDuration,
};

/// Seconds by step key, from recent executions of a workflow.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct UsualDurations(HashMap<Mode, HashMap<String, f64>>);

impl UsualDurations {
    /// How long a step takes in a mode; in another mode, if it never ran in this one.
    pub fn seconds(&self, mode: Mode, key: &str) -> Option<f64> {
        let in_mode = |mode: &Mode| self.0.get(mode).and_then(|steps| steps.get(key)).copied();
        in_mode(&mode).or_else(|| Mode::ALL.iter().find_map(in_mode))
    }

    /// Adds up averages of several versions: a step is the same in all of them if it has the same key.
    fn of<'a>(found: impl IntoIterator<Item = (&'a PastDuration, String)>) -> Self {
        let mut sums: HashMap<(Mode, String), (f64, f64)> = HashMap::new();
        for (past, key) in found {
            let (seconds, count) = sums.entry((past.mode, key)).or_default();
            let weight = past.count as f64;
            *seconds += past.seconds * weight;
            *count += weight;
        }
        let mut usual = Self::default();
        for ((mode, key), (seconds, count)) in sums {
            usual.0.entry(mode).or_default().insert(key, seconds / count);
        }
        usual
    }
}

impl Engine {
    /// How long the steps of workflows usually take. What never completed is left out.
    pub async fn usual_durations(
        &self,
        scope: Scope,
        workflows: &[WorkflowId],
    ) -> Result<HashMap<WorkflowId, UsualDurations>> {
        let past = self.store().past_durations(scope, workflows).await?;
        let versions: Vec<(WorkflowId, i32)> = past.iter().map(|past| (past.workflow, past.version)).collect();
        let plans = self.plans(scope, &versions).await?;
        let mut by_workflow: HashMap<WorkflowId, Vec<(&PastDuration, String)>> = HashMap::new();
        for past in &past {
            let plan = plans.get(&(past.workflow, past.version));
            if let Some(step) = plan.and_then(|plan| plan.steps().get(past.step)) {
                by_workflow.entry(past.workflow).or_default().push((past, step.key.clone()));
            }
        }
        Ok(by_workflow.into_iter().map(|(workflow, found)| (workflow, UsualDurations::of(found))).collect())
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    #[test]
    fn versions_are_weighed_by_their_runs() {
        let workflow = WorkflowId(Uuid::nil());
        let past = |version, mode, seconds, count| PastDuration { workflow, version, mode, step: 0, seconds, count };
        let found = [past(1, Mode::Live, 2.0, 3), past(2, Mode::Live, 10.0, 1), past(2, Mode::Test, 7.0, 5)];
        let usual = UsualDurations::of(found.iter().map(|past| (past, "a".to_owned())));
        assert_eq!(usual.seconds(Mode::Live, "a"), Some(4.0));
        assert_eq!(usual.seconds(Mode::Test, "a"), Some(7.0));
        assert_eq!(usual.seconds(Mode::Live, "b"), None);
        let only_tests = UsualDurations::of(found.iter().skip(2).map(|past| (past, "a".to_owned())));
        assert_eq!(only_tests.seconds(Mode::Live, "a"), Some(7.0));
    }
}
