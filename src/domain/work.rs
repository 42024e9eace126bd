//! How much may be computed for somebody.
//!
//! Expressions, patterns and schemas are written by users, and little of them can mean very much to do. Each part of
//! the work is paid for before it is done, by all budgets that are open on this thread: that of one expression or
//! schema, and that of the request for which they are computed. Whoever waits no longer stops the budget.

use std::{
    cell::RefCell,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
};

thread_local! {
    static OPEN: RefCell<Vec<Arc<Budget>>> = const { RefCell::new(Vec::new()) };
}

/// Units of work that are left. One is a visit of a part of an expression or a schema, or eight bytes that are looked
/// at: some fifty nanoseconds.
#[derive(Debug)]
pub struct Budget {
    left: AtomicU64,
    stopped: AtomicBool,
}

/// There is nothing left to pay with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spent;

impl Budget {
    pub fn new(units: u64) -> Arc<Self> {
        Arc::new(Self { left: AtomicU64::new(units), stopped: AtomicBool::new(false) })
    }

    /// Ends what is being computed: nobody waits for it any more.
    pub fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }

    /// Lets this budget pay for some work, together with those that are open already.
    pub fn pay_for<T>(self: &Arc<Self>, work: impl FnOnce() -> T) -> T {
        /// Closes it also when the work is broken off.
        struct Close;
        impl Drop for Close {
            fn drop(&mut self) {
                OPEN.with_borrow_mut(|open| open.pop());
            }
        }
        OPEN.with_borrow_mut(|open| open.push(Arc::clone(self)));
        let _close = Close;
        work()
    }

    pub fn left(&self) -> u64 {
        self.left.load(Ordering::Relaxed)
    }

    fn charge(&self, units: u64) -> Result<(), Spent> {
        // Only the thread that works takes from it.
        let left = self.left.load(Ordering::Relaxed).checked_sub(units);
        // Whoever could not pay cannot pay less either: what comes next ends as soon.
        self.left.store(left.unwrap_or(0), Ordering::Relaxed);
        if left.is_none() || self.stopped.load(Ordering::Relaxed) { Err(Spent) } else { Ok(()) }
    }
}

/// Pays for work before it is done. Where no budget is open, nothing has to be paid.
pub fn charge(units: u64) -> Result<(), Spent> {
    OPEN.with_borrow(|open| open.iter().try_for_each(|budget| budget.charge(units)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_open_budget_pays() {
        assert_eq!(charge(u64::MAX), Ok(()));
        let (outer, inner) = (Budget::new(10), Budget::new(4));
        outer.pay_for(|| {
            assert_eq!(charge(5), Ok(()));
            inner.pay_for(|| assert_eq!((charge(4), charge(1)), (Ok(()), Err(Spent))));
            assert_eq!((charge(2), charge(1)), (Err(Spent), Err(Spent)), "once spent, always spent");
        });
        assert_eq!(charge(1), Ok(()));
    }

    #[test]
    fn a_budget_that_is_stopped_pays_nothing() {
        let budget = Budget::new(10);
        budget.stop();
        assert_eq!(budget.pay_for(|| charge(0)), Err(Spent));
    }
}
