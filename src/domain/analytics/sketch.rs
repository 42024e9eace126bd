//! Durations in bins that grow with them: percentiles within 1 % from a few bytes, and any two can be added.

use std::sync::LazyLock;

/// Of one bin's bounds: 1.01 / 0.99, so that the middle of a bin is at most 1 % away from all that is in it.
const GROWTH: f64 = 1.01 / 0.99;
/// What is shorter counts as nothing.
const SHORTEST_MICROS: f64 = 1_000.0;
/// What takes longer, about 30 years, is in the last bin.
const LONGEST_MICROS: f64 = 1e15;

/// Where bins begin, in microseconds; the first one begins at nothing. Made by multiplying, which gives the same on
/// every machine, as logarithms need not.
static BOUNDS: LazyLock<Vec<u64>> = LazyLock::new(|| {
    let mut bounds = vec![0];
    let mut bound = SHORTEST_MICROS;
    while bound < LONGEST_MICROS {
        bounds.push(bound.ceil() as u64);
        bound *= GROWTH;
    }
    bounds
});

/// How many durations are in each bin.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sketch {
    /// By bin, each once, none of them empty.
    bins: Vec<(u16, u64)>,
}

impl Sketch {
    /// Bins in their order, each once, none of them empty.
    pub(super) fn of_bins(bins: Vec<(u16, u64)>) -> Self {
        Self { bins }
    }

    pub(super) fn bins(&self) -> &[(u16, u64)] {
        &self.bins
    }

    /// Takes a duration in.
    pub fn add(&mut self, micros: u64) {
        let bin = BOUNDS.partition_point(|bound| *bound <= micros).saturating_sub(1);
        self.put(u16::try_from(bin).unwrap_or(u16::MAX), 1);
    }

    pub fn merge(&mut self, other: &Sketch) {
        let Some((first, _)) = other.bins.first() else { return };
        // What is before all of the other's stays as it is: quarters are most often added in their order.
        let mut both = self.bins.split_off(self.bins.partition_point(|(bin, _)| bin < first));
        both.extend_from_slice(&other.bins);
        // Two lists in order, one after the other, are sorted in one pass.
        both.sort_by_key(|(bin, _)| *bin);
        both.dedup_by(|(next, more), (bin, count)| {
            let same = next == bin;
            *count = count.saturating_add(if same { *more } else { 0 });
            same
        });
        self.bins.append(&mut both);
    }

    fn put(&mut self, bin: u16, count: u64) {
        match self.bins.binary_search_by_key(&bin, |(bin, _)| *bin) {
            Ok(at) => {
                if let Some((_, there)) = self.bins.get_mut(at) {
                    *there = there.saturating_add(count);
                }
            }
            Err(at) => self.bins.insert(at, (bin, count)),
        }
    }

    /// How many durations there are.
    pub fn count(&self) -> u64 {
        self.bins.iter().fold(0, |sum, (_, count)| sum.saturating_add(*count))
    }

    /// The duration in microseconds that a part of all, from 0 to 1, does not exceed.
    pub fn percentile(&self, part: f64) -> Option<f64> {
        let rank = ((self.count() as f64 * part).ceil() as u64).max(1);
        let mut seen = 0_u64;
        let reached = self.bins.iter().find(|(_, count)| {
            seen = seen.saturating_add(*count);
            seen >= rank
        });
        reached.map(|(bin, _)| middle(usize::from(*bin)))
    }

    /// As few bytes: from each bin the way from the one before it, then its count.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.bins.len() * 3);
        let mut before = 0;
        for (bin, count) in &self.bins {
            write_number(&mut bytes, u64::from(bin - before));
            write_number(&mut bytes, *count);
            before = *bin;
        }
        bytes
    }

    /// Nothing if these are not the bytes of a sketch.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        // Most bins take two bytes.
        let mut sketch = Self { bins: Vec::with_capacity(bytes.len() / 2) };
        let mut numbers = Numbers(bytes);
        let mut before = 0_u64;
        while let Some(step) = numbers.next() {
            let (bin, count) = (before.checked_add(step?)?, numbers.next()??);
            sketch.bins.push((u16::try_from(bin).ok()?, count));
            before = bin;
        }
        sketch.bins.is_sorted_by(|(one, _), (next, _)| one < next).then_some(sketch)
    }
}

/// What stands for all that is in a bin.
fn middle(bin: usize) -> f64 {
    let bound = |at: usize| BOUNDS.get(at).map_or(LONGEST_MICROS, |bound| *bound as f64);
    let (from, until) = (bound(bin), bound(bin + 1));
    if bin == 0 { 0.0 } else { 2.0 * from * until / (from + until) }
}

/// Seven bits in a byte, the lowest first; the eighth says that there is more.
fn write_number(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push((number & 0x7f) as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Reads them back; nothing in place of one that is broken.
struct Numbers<'a>(&'a [u8]);

impl Iterator for Numbers<'_> {
    type Item = Option<u64>;

    fn next(&mut self) -> Option<Option<u64>> {
        if self.0.is_empty() {
            return None;
        }
        let mut number = 0_u64;
        for shift in (0..64).step_by(7) {
            let Some((byte, rest)) = self.0.split_first() else { return Some(None) };
            self.0 = rest;
            number |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Some(Some(number));
            }
        }
        Some(None)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn of(durations: &[u64]) -> Sketch {
        let mut sketch = Sketch::default();
        durations.iter().for_each(|micros| sketch.add(*micros));
        sketch
    }

    proptest! {
        #[test]
        fn percentiles_are_within_one_percent(
            mut durations in prop::collection::vec(prop_oneof![0..10_000_u64, 0..40_000_000_000_u64], 1..200),
            part in prop::sample::select(vec![0.5, 0.95, 0.99]),
        ) {
            let found = of(&durations).percentile(part).expect("a percentile");
            durations.sort_unstable();
            let rank = (durations.len() as f64 * part).ceil() as usize;
            let exact = durations[rank.max(1) - 1] as f64;
            if exact < SHORTEST_MICROS {
                prop_assert_eq!(found, 0.0);
            } else {
                // Bounds are whole microseconds.
                prop_assert!((found - exact).abs() <= exact * 0.01 + 1.0, "{} instead of {}", found, exact);
            }
        }

        #[test]
        fn sums_and_bytes_are_exact(one in prop::collection::vec(any::<u64>(), 0..50), other in prop::collection::vec(0..1_000_000_000_u64, 0..50)) {
            let mut sum = of(&one);
            sum.merge(&of(&other));
            prop_assert_eq!(&sum, &of(&[one, other].concat()));
            prop_assert_eq!(Sketch::from_bytes(&sum.to_bytes()), Some(sum));
        }

        #[test]
        fn other_bytes_are_no_sketch_or_one_that_reads_the_same(bytes in prop::collection::vec(any::<u8>(), 0..20)) {
            if let Some(sketch) = Sketch::from_bytes(&bytes) {
                prop_assert_eq!(Sketch::from_bytes(&sketch.to_bytes()), Some(sketch));
            }
        }
    }

    #[test]
    fn nothing_has_no_percentile() {
        assert_eq!(Sketch::default().percentile(0.5), None);
        assert_eq!(Sketch::from_bytes(&[]), Some(Sketch::default()));
        assert_eq!(Sketch::from_bytes(&[0x80]), None);
    }
}
