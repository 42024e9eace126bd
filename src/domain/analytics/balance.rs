//! Adding up many amounts, and taking some of them away again.

use super::{amounts::Amounts, sketch::Sketch};
use crate::domain::execution::Usage;

/// One balance serves for many sums, one after the other: durations are added to one long row of bins, which is made
/// only once.
#[derive(Debug, Default)]
pub struct Balance {
    count: i128,
    micros: i128,
    llm_calls: i128,
    tokens: i128,
    cost_micros: i128,
    bins: Vec<i64>,
}

impl Balance {
    pub fn add(&mut self, amounts: &Amounts) {
        self.put(amounts, 1);
    }

    /// Takes away what is part of what is added before or after.
    pub fn take_away(&mut self, amounts: &Amounts) {
        self.put(amounts, -1);
    }

    fn put(&mut self, amounts: &Amounts, sign: i8) {
        let Amounts { count, micros, usage: Usage { llm_calls, tokens, cost_micros }, durations } = amounts;
        for (sum, number) in [
            (&mut self.count, count),
            (&mut self.micros, micros),
            (&mut self.llm_calls, llm_calls),
            (&mut self.tokens, tokens),
            (&mut self.cost_micros, cost_micros),
        ] {
            *sum += i128::from(sign) * i128::from(*number);
        }
        let bins = durations.bins();
        let needed = bins.last().map_or(0, |(bin, _)| usize::from(*bin) + 1);
        if self.bins.len() < needed {
            self.bins.resize(needed, 0);
        }
        for (bin, count) in bins {
            if let Some(sum) = self.bins.get_mut(usize::from(*bin)) {
                *sum = sum.saturating_add(i64::from(sign).saturating_mul(i64::try_from(*count).unwrap_or(i64::MAX)));
            }
        }
    }

    /// What it comes to. Nothing is left for the next sum.
    pub fn finish(&mut self) -> Amounts {
        let bins = self.bins.iter_mut().enumerate();
        let bins = bins.filter(|(_, count)| **count != 0).filter_map(|(bin, count)| {
            let count = u64::try_from(std::mem::take(count)).ok()?;
            Some((u16::try_from(bin).ok()?, count))
        });
        let durations = Sketch::of_bins(bins.collect());
        let Self { count, micros, llm_calls, tokens, cost_micros, .. } = self;
        let [count, micros, llm_calls, tokens, cost_micros] =
            [count, micros, llm_calls, tokens, cost_micros].map(|sum| bounded(std::mem::take(sum)));
        Amounts { count, micros, usage: Usage { llm_calls, tokens, cost_micros }, durations }
    }
}

/// Databases have signed numbers, and there is nothing less than nothing.
fn bounded(sum: i128) -> u64 {
    u64::try_from(sum.clamp(0, i128::from(i64::MAX))).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn of(durations: &[u64]) -> Amounts {
        let mut amounts = Amounts::default();
        for micros in durations {
            let mut one = Amounts { count: 1, micros: *micros, ..Amounts::default() };
            one.usage = Usage { llm_calls: 1, tokens: *micros % 7, cost_micros: *micros % 5 };
            one.durations.add(*micros);
            amounts.add(&one);
        }
        amounts
    }

    proptest! {
        #[test]
        fn what_is_taken_away_is_as_if_it_had_never_been_added(
            kept in prop::collection::vec(0..40_000_000_000_u64, 0..50),
            other in prop::collection::vec(0..40_000_000_000_u64, 0..50),
        ) {
            let mut balance = Balance::default();
            for _ in 0..2 {
                balance.take_away(&of(&other));
                for micros in kept.iter().chain(&other) {
                    balance.add(&of(&[*micros]));
                }
                prop_assert_eq!(balance.finish(), of(&kept));
            }
        }
    }

    #[test]
    fn there_is_nothing_less_than_nothing() {
        let mut balance = Balance::default();
        balance.take_away(&of(&[5_000, 6_000]));
        balance.add(&of(&[5_000]));
        assert_eq!(balance.finish(), Amounts::default());
        let most = Amounts { count: i64::MAX.unsigned_abs(), ..Amounts::default() };
        balance.add(&most);
        balance.add(&most);
        assert_eq!(balance.finish(), most);
    }
}
