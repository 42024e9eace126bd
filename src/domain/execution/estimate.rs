//! How long an execution will still take, from how long its steps usually take.

use crate::domain::workflow::Graph;

/// Where a step is, as far as an estimate is concerned.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Pace {
    /// Nothing of it is left.
    Over,
    /// It has been worked on for so many seconds.
    Running(f64),
    /// All of it is left.
    Ahead,
}

/// The seconds along the longest way through what is left. `usual` is how long each step takes, where that is known;
/// a step of which nothing is known counts for nothing. Nothing if everything is over, or nothing is known of what is
/// left.
pub fn seconds_remaining(graph: &Graph, paces: &[Pace], usual: &[Option<f64>]) -> Option<f64> {
    let pace = |step: usize| paces.get(step).copied().unwrap_or(Pace::Ahead);
    let usual = |step: usize| usual.get(step).copied().flatten();
    graph.order().iter().find(|step| pace(**step) != Pace::Over && usual(**step).is_some())?;
    let own = |step: usize| match (pace(step), usual(step)) {
        (Pace::Over, _) | (_, None) => 0.0,
        (Pace::Running(elapsed), Some(usual)) => (usual - elapsed).max(0.0),
        (Pace::Ahead, Some(usual)) => usual,
    };
    let mut longest = 0.0_f64;
    let mut from = vec![0.0_f64; graph.order().len()];
    for step in graph.order().iter().rev().copied() {
        let after = graph.needed_by(step).iter().map(|next| from[*next]).fold(0.0, f64::max);
        from[step] = own(step) + after;
        longest = longest.max(from[step]);
    }
    Some(longest)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::domain::{document::Problems, workflow::read};

    /// `a`, then `b` and `c` beside each other, then `d`.
    fn diamond() -> Graph {
        let step = |key: &str, needs: &[&str]| json!({"key": key, "agent": "X", "needs": needs});
        let steps = [step("a", &[]), step("b", &["a"]), step("c", &["a"]), step("d", &["b", "c"])];
        let mut problems = Problems::default();
        let definition = read(&json!({"name": "T", "steps": steps}), &mut problems).expect("a definition");
        Graph::of(&definition.steps, &mut problems).expect("a graph")
    }

    const USUAL: [Option<f64>; 4] = [Some(1.0), Some(10.0), Some(3.0), Some(2.0)];

    #[test]
    fn the_longest_way_counts() {
        use Pace::{Ahead, Over, Running};
        for (paces, expected) in [
            ([Ahead; 4], 13.0),
            ([Running(0.4), Ahead, Ahead, Ahead], 12.6),
            ([Over, Running(4.0), Over, Ahead], 8.0),
            // One that takes longer than usual is expected to be over at any moment, and the other one decides.
            ([Over, Running(60.0), Running(1.0), Ahead], 4.0),
            ([Over, Over, Over, Running(5.0)], 0.0),
        ] {
            let estimate = seconds_remaining(&diamond(), &paces, &USUAL).expect("an estimate");
            assert!((estimate - expected).abs() < 1e-9, "{paces:?}: {estimate} instead of {expected}");
        }
    }

    #[test]
    fn nothing_is_said_where_nothing_is_known() {
        assert_eq!(seconds_remaining(&diamond(), &[Pace::Over; 4], &USUAL), None);
        assert_eq!(seconds_remaining(&diamond(), &[Pace::Ahead; 4], &[None; 4]), None);
        let half = [None, Some(10.0), None, None];
        assert_eq!(seconds_remaining(&diamond(), &[Pace::Ahead; 4], &half), Some(10.0));
        let done = [Pace::Over, Pace::Over, Pace::Ahead, Pace::Ahead];
        assert_eq!(seconds_remaining(&diamond(), &done, &half), None);
    }
}
