//! Decides when to hash waiting contents: how many bytes wait, and how evenly the lanes would
//! share them.

use super::sha1_blocks::LANES;

/// The number of bytes after which contents are hashed, while they are still in the
/// processor's cache.
const ENOUGH_BYTES: usize = 256 << 10;

/// The most bytes that wait until all lanes have an equal load.
const MOST_BYTES: usize = 4 << 20;

/// Lanes may differ by one part in this many of the hashed bytes.
const UNEVEN_SHARE: usize = 8;

/// The lengths of the waiting contents, each assigned to the lane with the least load. A lane
/// that works alone at the end takes as long as all of them together.
#[derive(Clone, Debug, Default)]
pub(super) struct Load {
    bytes: usize,
    lanes: [usize; LANES],
}

impl Load {
    /// Adds a content of `length` bytes.
    pub(super) fn add(&mut self, length: usize) {
        self.bytes = self.bytes.saturating_add(length);
        if let Some(lane) = self.lanes.iter_mut().min() {
            *lane = lane.saturating_add(length);
        }
    }

    /// Returns how many bytes wait.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Returns whether the waiting contents should be hashed now.
    pub(super) fn is_enough(&self) -> bool {
        self.bytes >= ENOUGH_BYTES && self.is_even()
    }

    /// Returns whether all lanes have about the same load, or too many bytes wait already;
    /// `true` if none wait.
    pub(super) fn is_even(&self) -> bool {
        let longest = self.lanes.iter().max().map_or(0, |lane| lane.saturating_mul(LANES));
        longest <= self.bytes.saturating_add(self.bytes / UNEVEN_SHARE) || self.bytes >= MOST_BYTES
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contents_wait_until_each_lane_has_as_much() {
        let answers = |lengths: &[usize]| {
            let mut load = Load::default();
            lengths.iter().for_each(|length| load.add(*length));
            assert_eq!(load.bytes(), lengths.iter().sum::<usize>());
            (load.is_even(), load.is_enough())
        };
        assert_eq!(answers(&[]), (true, false));
        assert_eq!(answers(&[100; 4]), (true, false));
        let large = 600 << 10;
        assert_eq!(answers(&[large; 3]), (false, false));
        assert_eq!(answers(&[large; 4]), (true, true));
        assert_eq!(answers(&[large; 5]), (false, false));
        assert_eq!(answers(&[large, large, large, large / 2, large / 2]), (true, true));
        assert_eq!(answers(&[large; 7]), (true, true), "too many bytes wait");
    }
}
