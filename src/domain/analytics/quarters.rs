//! What was counted in each quarter of a fortnight, in the bins of one sketch: one row of a database instead of a
//! thousand. Whatever adds amounts adds these, too.

use super::{amounts::Amounts, sketch::Sketch, slots::Slot};
use crate::domain::execution::Usage;

/// How many bins a quarter has: the count, and what was used.
const BINS: u16 = 4;

/// The count and what was used, and both once more for the quarter where durations would be.
pub fn in_quarter(slot: Slot, amounts: &Amounts) -> Amounts {
    let Usage { llm_calls, tokens, cost_micros } = amounts.usage;
    let first = u16::try_from(slot.0.saturating_sub(slot.fortnight().0)).unwrap_or_default() * BINS;
    let bins = (first..).zip([amounts.count, llm_calls, tokens, cost_micros]).filter(|(_, number)| *number > 0);
    Amounts { count: amounts.count, micros: 0, usage: amounts.usage, durations: Sketch::of_bins(bins.collect()) }
}

/// The quarters in which something was counted, in their order, each with its count and what was used.
pub fn quarters(fortnight: Slot, amounts: &Amounts) -> impl Iterator<Item = (Slot, Amounts)> {
    let quarters = amounts.durations.bins().chunk_by(|(one, _), (next, _)| one / BINS == next / BINS);
    quarters.filter_map(move |bins| {
        let (first, _) = bins.first()?;
        let number = |field| bins.iter().find(|(bin, _)| bin % BINS == field).map_or(0, |(_, number)| *number);
        let usage = Usage { llm_calls: number(1), tokens: number(2), cost_micros: number(3) };
        let slot = Slot(fortnight.0.saturating_add(i32::from(first / BINS)));
        Some((slot, Amounts { count: number(0), usage, ..Amounts::default() }))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_quarter_keeps_its_own() {
        let fortnight = Slot(2_000_000).fortnight();
        let counted = |count, tokens| {
            let usage = Usage { llm_calls: count / 2, tokens, cost_micros: 0 };
            Amounts { count, usage, ..Amounts::default() }
        };
        let slots = [0, 1, 700, 1343].map(|quarter| Slot(fortnight.0 + quarter));
        let all = [counted(1, 0), counted(5, 1 << 60), counted(3, 2), counted(70_000, 1)];
        let mut sum = Amounts::default();
        // In any order, and more than once.
        for number in [2, 0, 3, 1, 2] {
            sum.add(&in_quarter(slots[number], &all[number]));
        }
        assert_eq!(sum.count, 1 + 5 + 3 + 70_000 + 3);
        let found: Vec<(Slot, Amounts)> = quarters(fortnight, &sum).collect();
        let mut expected: Vec<(Slot, Amounts)> = slots.into_iter().zip(all).collect();
        expected[2].1 = Amounts { count: 6, ..counted(4, 4) };
        assert_eq!(found, expected);
    }
}
