//! How long things took.

use async_graphql::SimpleObject;

use super::int;
use crate::domain::analytics::Amounts;

const MICROS_PER_SECOND: f64 = 1_000_000.0;

/// How long things took, in seconds. Percentiles are within 1 % of the exact ones; what took less than a millisecond
/// counts as zero there.
#[derive(Debug, Clone, SimpleObject)]
pub struct DurationFigures {
    /// How many things took time.
    count: i32,
    /// On average, exactly.
    mean: Option<f64>,
    /// Half of them took no longer.
    p50: Option<f64>,
    /// 95 of 100 took no longer.
    p95: Option<f64>,
    /// 99 of 100 took no longer.
    p99: Option<f64>,
}

impl From<&Amounts> for DurationFigures {
    fn from(amounts: &Amounts) -> Self {
        let count = amounts.durations.count();
        let percentile = |part: f64| amounts.durations.percentile(part).map(|micros| micros / MICROS_PER_SECOND);
        Self {
            count: int(count),
            mean: (count > 0).then(|| amounts.micros as f64 / count as f64 / MICROS_PER_SECOND),
            p50: percentile(0.5),
            p95: percentile(0.95),
            p99: percentile(0.99),
        }
    }
}
