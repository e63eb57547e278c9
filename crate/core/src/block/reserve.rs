//! Memory that grows in large steps.

/// How many bytes memory is made ready for at a time, at most.
const MOST_RESERVED: u64 = 16 << 20;

/// How far memory was made ready for something that grows.
///
/// Where memory grows in pages, each time it does is dear: growing by each of
/// 1,184 parts of 128 KiB took a quarter of the time that reading all of their
/// objects did. What is allocated and freed at once can be had again.
#[derive(Default)]
pub(crate) struct Reserve {
    reserved: u64,
}

impl Reserve {
    /// Makes memory ready before `size` bytes grow by `more`, to at most `most`.
    pub(crate) fn grow(&mut self, size: u64, more: u64, most: u64) {
        if size.saturating_add(more) <= self.reserved {
            return;
        }
        let step = size.clamp(more, MOST_RESERVED.max(more)).min(most.saturating_sub(size));
        let mut ready: Vec<u8> = Vec::new();
        if usize::try_from(step).is_ok_and(|step| ready.try_reserve_exact(step).is_ok()) {
            self.reserved = size.saturating_add(step);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_get_longer_up_to_the_ceiling() {
        let mut reserve = Reserve::default();
        let mut steps = Vec::new();
        for size in 0..90u64 {
            reserve.grow(size << 20, 1 << 20, 90 << 20);
            if steps.last() != Some(&reserve.reserved) {
                steps.push(reserve.reserved);
            }
        }
        assert_eq!(
            steps.iter().map(|step| step >> 20).collect::<Vec<_>>(),
            [1, 2, 4, 8, 16, 32, 48, 64, 80, 90]
        );
    }
}
