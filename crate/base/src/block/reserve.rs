//! Reserves memory in a few large steps.

use std::hint::black_box;
use std::sync::atomic::{AtomicU64, Ordering};

/// The first reservation, as a share of the ceiling and in bytes at most: enough for small
/// repositories, and for reading a few objects.
const FIRST_SHARE: u64 = 8;
const MOST_FIRST: u64 = 8 << 20;

/// The most bytes that are reserved at once.
const MOST_AT_ONCE: u64 = 256 << 20;

/// The share of the ceiling that is reserved when memory grew in spite of the reservation: for
/// fragmentation, and for memory that is not counted.
const EXTRA_SHARE: u64 = 16;

/// The smallest such reservation: with less memory, growth costs little.
const LEAST_EXTRA: u64 = 1 << 20;

/// The memory reserved for allocations under a ceiling.
///
/// Each time WebAssembly memory grows, a new JavaScript object stands for all of it. The
/// engine counts that object at full size, so a few of them trigger a garbage collection.
/// Memory that was allocated and freed at once can be allocated again without growth, and
/// takes no physical memory until it is written to.
pub(super) struct Reserve {
    ceiling: u64,
    ready: u64,
    /// The size of all memory, in pages, at the last reservation.
    pages: usize,
    left: &'static Left,
}

/// The reservations of instances that have ended. All instances in a module share one memory,
/// which never shrinks, so the next one starts with what was reserved before.
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
        // The closure never returns `None`, so the update cannot fail.
        let _ = self.0.fetch_update(set, get, |left| Some(left.saturating_add(bytes)));
    }
}

/// Returns the size of the module's memory in pages; 0 outside WebAssembly.
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

    /// Reserves memory before the total reaches `size` bytes.
    pub(super) fn reach(&mut self, size: u64) {
        if size > self.ready {
            self.grow_to(size);
        } else if pages() > self.pages {
            let step = self.ceiling / EXTRA_SHARE;
            self.make_ready(if step < LEAST_EXTRA { 0 } else { step });
        }
    }

    #[cold]
    #[inline(never)]
    fn grow_to(&mut self, size: u64) {
        let next = match self.ready {
            0 => MOST_FIRST.min(self.ceiling / FIRST_SHARE),
            _ => self.ceiling.min(self.ready.saturating_add(MOST_AT_ONCE)),
        };
        let next = next.max(size);
        let step = next.saturating_sub(self.ready);
        // If the reservation fails now, whoever needs the memory allocates it later.
        self.ready = next;
        self.make_ready(step);
    }

    #[cold]
    #[inline(never)]
    fn make_ready(&mut self, step: u64) {
        let mut ready: Vec<u8> = Vec::new();
        if usize::try_from(step).is_ok_and(|step| ready.try_reserve_exact(step).is_ok()) {
            // Keeps the compiler from removing the unused allocation.
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
    fn more_than_a_step_is_reserved_at_once() {
        let mut reserve = Reserve::after(none_left(), 64);
        reserve.reach(20);
        assert_eq!(reserve.ready, 20);
        reserve.reach(200);
        assert_eq!(reserve.ready, 200);
    }

    #[test]
    fn reserved_memory_is_left_to_the_next() {
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
