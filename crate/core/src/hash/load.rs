//! How much waits to be hashed, and how evenly the lanes would share it.

use super::sha1_blocks::LANES;

/// Behind so many bytes they are hashed: they are still in the processor's cache.
const ENOUGH_BYTES: usize = 256 << 10;

/// So many bytes wait at most for all lanes to have as much to do.
const MOST_BYTES: usize = 4 << 20;

/// The share of what is hashed by which the lanes may differ.
const UNEVEN_SHARE: usize = 8;

/// The lengths of the contents that wait, of which each lane takes the next when it has
/// the least. A lane that is left alone at the end takes as long as all of them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Load {
    bytes: usize,
    lanes: [usize; LANES],
}

impl Load {
    /// Adds a content of so many bytes.
    pub(crate) fn add(&mut self, length: usize) {
        self.bytes = self.bytes.saturating_add(length);
        if let Some(lane) = self.lanes.iter_mut().min() {
            *lane = lane.saturating_add(length);
        }
    }

    /// Returns how many bytes wait.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Tells whether it is time to hash what waits.
    pub(crate) fn is_enough(&self) -> bool {
        self.bytes >= ENOUGH_BYTES && self.is_even()
    }

    /// Tells whether all lanes have about as much to hash, or too many bytes would have to
    /// wait for that; also where none wait.
    pub(crate) fn is_even(&self) -> bool {
        let longest = self.lanes.iter().max().map_or(0, |lane| lane.saturating_mul(LANES));
        longest <= self.bytes.saturating_add(self.bytes / UNEVEN_SHARE) || self.bytes >= MOST_BYTES
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contents_wait_until_each_lane_has_as_much() {
        let told = |lengths: &[usize]| {
            let mut load = Load::default();
            lengths.iter().for_each(|length| load.add(*length));
            assert_eq!(load.bytes(), lengths.iter().sum::<usize>());
            (load.is_even(), load.is_enough())
        };
        assert_eq!(told(&[]), (true, false));
        assert_eq!(told(&[100; 4]), (true, false));
        let large = 600 << 10;
        assert_eq!(told(&[large; 3]), (false, false));
        assert_eq!(told(&[large; 4]), (true, true));
        assert_eq!(told(&[large; 5]), (false, false));
        assert_eq!(told(&[large, large, large, large / 2, large / 2]), (true, true));
        assert_eq!(told(&[large; 7]), (true, true), "too many bytes wait");
    }
}
