//! Memory that grows in a few large steps.

use std::hint::black_box;
use std::sync::atomic::{AtomicU64, Ordering};

/// The share of the ceiling that is made ready first, and how many bytes at most: what
/// small repositories never come to the end of, nor who wants a few objects.
const FIRST_SHARE: u64 = 8;
const MOST_FIRST: u64 = 8 << 20;

/// How many bytes are made ready at a time, at most.
const MOST_AT_ONCE: u64 = 256 << 20;

/// The share of the ceiling that is made ready whenever memory grew beyond that: for gaps,
/// and for what does not count.
const SHARE_BEHIND: u64 = 16;

/// Less than this is not made ready: how a small memory grows matters little.
const LEAST_BEHIND: u64 = 1 << 20;

/// How far memory was made ready for what counts under a ceiling.
///
/// Where memory is WebAssembly's, each time it grows makes an object in JavaScript that
/// counts as large as all of it: an engine that sees some of those collects garbage. What
/// is allocated and freed at once can be had again without growing, and is no memory of
/// the machine's before it is written to.
pub(super) struct Reserve {
    ceiling: u64,
    ready: u64,
    /// How large all memory was when some was made ready last.
    pages: usize,
    left: &'static Left,
}

/// What was made ready for others that have ended. All of a module share one memory, which
/// never shrinks: whoever comes next starts with what was made ready before.
struct Left(AtomicU64);

static LEFT: Left = Left(AtomicU64::new(0));

impl Left {
    /// Takes at most `most` bytes.
    fn take(&self, most: u64) -> u64 {
        let (set, get) = (Ordering::Relaxed, Ordering::Relaxed);
        let left = self.0.fetch_update(set, get, |left| Some(left.saturating_sub(most)));
        left.unwrap_or_else(|left| left).min(most)
    }

    fn give(&self, bytes: u64) {
        let (set, get) = (Ordering::Relaxed, Ordering::Relaxed);
        // Its closure always says what comes next.
        let _ = self.0.fetch_update(set, get, |left| Some(left.saturating_add(bytes)));
    }
}

/// Returns how large the memory of the module is; 0 where there is no such memory.
fn pages() -> usize {
    #[cfg(target_arch = "wasm32")]
    return core::arch::wasm32::memory_size::<0>();
    #[cfg(not(target_arch = "wasm32"))]
    0
}

impl Reserve {
    pub(super) fn new(ceiling: u64) -> Reserve {
        Reserve::after(&LEFT, ceiling)
    }

    fn after(left: &'static Left, ceiling: u64) -> Reserve {
        Reserve { ceiling, ready: left.take(ceiling), pages: pages(), left }
    }

    /// Makes memory ready before `size` bytes are taken in all.
    pub(super) fn reach(&mut self, size: u64) {
        if size > self.ready {
            self.go_on(size);
        } else if pages() > self.pages {
            let step = self.ceiling / SHARE_BEHIND;
            self.make_ready(if step < LEAST_BEHIND { 0 } else { step });
        }
    }

    #[cold]
    #[inline(never)]
    fn go_on(&mut self, size: u64) {
        let next = match self.ready {
            0 => MOST_FIRST.min(self.ceiling / FIRST_SHARE),
            _ => self.ceiling.min(self.ready.saturating_add(MOST_AT_ONCE)),
        };
        let next = next.max(size);
        let step = next.saturating_sub(self.ready);
        // What cannot be had now is asked for again by who needs it.
        self.ready = next;
        self.make_ready(step);
    }

    #[cold]
    #[inline(never)]
    fn make_ready(&mut self, step: u64) {
        let mut ready: Vec<u8> = Vec::new();
        if usize::try_from(step).is_ok_and(|step| ready.try_reserve_exact(step).is_ok()) {
            // What nobody looks at need not be allocated.
            drop(black_box(ready));
        }
        self.pages = pages();
    }
}

impl Drop for Reserve {
    fn drop(&mut self) {
        self.left.give(self.ready);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn none_left() -> &'static Left {
        Box::leak(Box::new(Left(AtomicU64::new(0))))
    }

    fn steps(ceiling: u64) -> Vec<u64> {
        let mut reserve = Reserve::after(none_left(), ceiling << 20);
        let mut steps = Vec::new();
        for size in 1..=ceiling {
            reserve.reach(size << 20);
            assert!(reserve.ready >= size << 20);
            if steps.last() != Some(&(reserve.ready >> 20)) {
                steps.push(reserve.ready >> 20);
            }
        }
        steps
    }

    #[test]
    fn the_second_step_is_the_last_if_that_is_not_far() {
        assert_eq!(steps(32), [4, 32]);
        assert_eq!(steps(264), [8, 264]);
        assert_eq!(steps(800), [8, 264, 520, 776, 800]);
    }

    #[test]
    fn more_than_a_step_is_made_ready_at_once() {
        let mut reserve = Reserve::after(none_left(), 64);
        reserve.reach(20);
        assert_eq!(reserve.ready, 20);
        reserve.reach(200);
        assert_eq!(reserve.ready, 200);
    }

    #[test]
    fn what_was_made_ready_is_left_to_the_next() {
        let left = none_left();
        let mut first = Reserve::after(left, 8 << 20);
        first.reach(5 << 20);
        drop(first);
        let mut second = Reserve::after(left, 4 << 20);
        assert_eq!(second.ready, 4 << 20);
        second.reach(4 << 20);
        let third = Reserve::after(left, 16 << 20);
        assert_eq!(third.ready, 1 << 20);
        drop(second);
        drop(third);
        assert_eq!(Reserve::after(left, 1 << 30).ready, 5 << 20);
    }
}
