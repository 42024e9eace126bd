//! Bad days, again and again: one short round with the other tests, and as long as asked with `make soak`.

mod copies;
mod disk_full;
mod dropped_requests;
mod outages;

use std::time::{Duration, Instant};

/// For how long each of these goes on; without it, one round.
const SECONDS: &str = "COUNTERSIGN_SOAK_SECONDS";

/// Rounds until the time is up, at least one.
pub fn rounds() -> impl Iterator<Item = usize> {
    let seconds = std::env::var(SECONDS).ok().map(|text| text.parse().expect("a number of seconds"));
    let until = Instant::now() + Duration::from_secs(seconds.unwrap_or(0));
    (0..).take_while(move |round| *round == 0 || Instant::now() < until)
}
