//! Which step comes after which.

use std::collections::{HashMap, HashSet};

use super::definition::Step;
use crate::domain::document::{Place, ProblemCode, Problems};

/// The steps of a workflow in an order in which they can run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Graph {
    /// Positions of the steps, each after all that it needs; among equals, as they were written.
    order: Vec<usize>,
    /// For each step, the positions of the steps that it needs.
    needs: Vec<Vec<usize>>,
    /// For each step, the positions of the steps that need it.
    needed_by: Vec<Vec<usize>>,
}

impl Graph {
    /// Without steps.
    pub fn empty() -> Self {
        Self { order: Vec::new(), needs: Vec::new(), needed_by: Vec::new() }
    }

    /// Puts steps in order, or notes what stands in the way.
    pub fn of(steps: &[Step], problems: &mut Problems) -> Option<Self> {
        let positions: HashMap<&str, usize> =
            steps.iter().enumerate().rev().map(|(position, step)| (step.key.as_str(), position)).collect();
        let mut needs = vec![Vec::new(); steps.len()];
        let mut needed_by = vec![Vec::new(); steps.len()];
        let mut known = true;
        for (position, step) in steps.iter().enumerate() {
            for (number, key) in step.needs.iter().enumerate() {
                match positions.get(key.as_str()) {
                    Some(needed) => {
                        needs[position].push(*needed);
                        needed_by[*needed].push(position);
                    }
                    None => {
                        let place = Place::default().child("steps").child(position).child("needs").child(number);
                        let message = format!("there is no step with the key `{key}`");
                        problems.add(place.problem(ProblemCode::UnknownStep, message));
                        known = false;
                    }
                }
            }
        }
        if !known {
            return None;
        }
        match sort(&needs, &needed_by) {
            Some(order) => Some(Self { order, needs, needed_by }),
            None => {
                report_cycles(steps, &needs, problems);
                None
            }
        }
    }

    /// The steps' positions, each after all that it needs.
    pub fn order(&self) -> &[usize] {
        &self.order
    }

    pub fn needs(&self, position: usize) -> &[usize] {
        &self.needs[position]
    }

    pub fn needed_by(&self, position: usize) -> &[usize] {
        &self.needed_by[position]
    }

    /// Everything that comes before a step, directly or not.
    pub fn ancestors(&self, position: usize) -> HashSet<usize> {
        let mut found = HashSet::new();
        let mut open = self.needs[position].clone();
        while let Some(next) = open.pop() {
            if found.insert(next) {
                open.extend(&self.needs[next]);
            }
        }
        found
    }
}

/// Takes, again and again, the first written step whose needs are all taken.
fn sort(needs: &[Vec<usize>], needed_by: &[Vec<usize>]) -> Option<Vec<usize>> {
    let mut missing: Vec<usize> = needs.iter().map(Vec::len).collect();
    let mut ready: std::collections::BTreeSet<usize> =
        (0..needs.len()).filter(|position| missing[*position] == 0).collect();
    let mut order = Vec::with_capacity(needs.len());
    while let Some(next) = ready.pop_first() {
        order.push(next);
        for dependant in &needed_by[next] {
            missing[*dependant] -= 1;
            if missing[*dependant] == 0 {
                ready.insert(*dependant);
            }
        }
    }
    (order.len() == needs.len()).then_some(order)
}

/// Names each circle once, at its first written step.
fn report_cycles(steps: &[Step], needs: &[Vec<usize>], problems: &mut Problems) {
    let mut reported: HashSet<usize> = HashSet::new();
    for start in 0..steps.len() {
        if reported.contains(&start) {
            continue;
        }
        let Some(circle) = circle_through(start, needs) else { continue };
        // What is needed comes first, as it would run: from the start backwards along the needs, and to the start again.
        let backwards = circle.iter().skip(1).rev();
        let names: Vec<&str> = circle
            .first()
            .into_iter()
            .chain(backwards)
            .chain(circle.first())
            .map(|at| steps[*at].key.as_str())
            .collect();
        let place = Place::default().child("steps").child(start).child("needs");
        let message = format!("these steps wait for each other: {}", names.join(" → "));
        problems.add(place.problem(ProblemCode::Cycle, message));
        reported.extend(circle);
    }
}

/// The shortest way along needs from a step back to itself.
fn circle_through(start: usize, needs: &[Vec<usize>]) -> Option<Vec<usize>> {
    let mut came_from: HashMap<usize, usize> = HashMap::new();
    let mut open = std::collections::VecDeque::from([start]);
    while let Some(at) = open.pop_front() {
        for next in &needs[at] {
            if *next == start {
                let mut circle = vec![at];
                while let Some(before) = came_from.get(circle.last()?) {
                    circle.push(*before);
                }
                circle.reverse();
                return Some(circle);
            }
            if !came_from.contains_key(next) {
                came_from.insert(*next, at);
                open.push_back(*next);
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::domain::workflow::read;

    fn steps(needs: &[(&str, &[&str])]) -> Vec<Step> {
        let items: Vec<Value> =
            needs.iter().map(|(key, needs)| json!({"key": key, "agent": "X", "needs": needs})).collect();
        let mut problems = Problems::default();
        read(&json!({"name": "T", "steps": items}), &mut problems).expect("a definition").steps
    }

    fn messages(needs: &[(&str, &[&str])]) -> Vec<String> {
        let mut problems = Problems::default();
        assert_eq!(Graph::of(&steps(needs), &mut problems), None);
        problems.into_vec().into_iter().map(|problem| format!("{} {}", problem.path, problem.message)).collect()
    }

    #[test]
    fn steps_run_after_what_they_need_and_otherwise_as_written() {
        let steps = steps(&[("d", &["b", "c"]), ("b", &["a"]), ("a", &[]), ("c", &["a"])]);
        let graph = Graph::of(&steps, &mut Problems::default()).expect("a graph");
        assert_eq!(graph.order(), [2, 1, 3, 0]);
        assert_eq!(graph.needed_by(2), [1, 3]);
        assert_eq!(graph.ancestors(0), HashSet::from([1, 2, 3]));
    }

    #[test]
    fn circles_are_named() {
        assert_eq!(
            messages(&[("a", &["c"]), ("b", &["a"]), ("c", &["b"]), ("x", &["x"]), ("y", &["a"])]),
            [
                "/steps/0/needs these steps wait for each other: a → b → c → a",
                "/steps/3/needs these steps wait for each other: x → x",
            ]
        );
    }

    #[test]
    fn unknown_needs_are_named() {
        assert_eq!(messages(&[("a", &["nobody"])]), ["/steps/0/needs/0 there is no step with the key `nobody`"]);
    }
}
