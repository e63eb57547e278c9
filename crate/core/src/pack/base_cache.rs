//! Inflated entries that other entries build on.

use crate::block::FileId;
use std::collections::BTreeMap;
use std::rc::Rc;

/// The inflated bytes of pack entries, bounded by bytes; what was used least
/// recently leaves first.
///
/// It holds entries as they are stored, deltas included, and not the objects
/// they stand for: an entry is much smaller, and serves all objects that are
/// built on it.
pub struct BaseCache {
    entries: BTreeMap<(FileId, u64), Cached>,
    by_age: BTreeMap<u64, (FileId, u64)>,
    clock: u64,
    ceiling: u64,
    size: u64,
    hits: u64,
}

struct Cached {
    bytes: Rc<Vec<u8>>,
    used: u64,
}

/// What an entry costs beside its bytes.
const OVERHEAD: u64 = 128;

impl BaseCache {
    /// Makes a cache that takes at most `ceiling` bytes.
    pub fn new(ceiling: u64) -> BaseCache {
        BaseCache {
            entries: BTreeMap::new(),
            by_age: BTreeMap::new(),
            clock: 0,
            ceiling,
            size: 0,
            hits: 0,
        }
    }

    /// Returns the bytes of the entry at `offset` of `pack`.
    pub fn find(&mut self, pack: FileId, offset: u64) -> Option<Rc<Vec<u8>>> {
        let key = (pack, offset);
        let cached = self.entries.get_mut(&key)?;
        self.by_age.remove(&cached.used);
        self.clock = self.clock.saturating_add(1);
        cached.used = self.clock;
        self.by_age.insert(self.clock, key);
        self.hits = self.hits.saturating_add(1);
        Some(Rc::clone(&cached.bytes))
    }

    /// Keeps the bytes of an entry, unless they alone are over the ceiling.
    pub fn keep(&mut self, pack: FileId, offset: u64, bytes: Rc<Vec<u8>>) {
        let cost = cost_of(&bytes);
        if cost > self.ceiling || self.entries.contains_key(&(pack, offset)) {
            return;
        }
        self.shrink_to(self.ceiling.saturating_sub(cost));
        self.clock = self.clock.saturating_add(1);
        self.by_age.insert(self.clock, (pack, offset));
        self.entries.insert((pack, offset), Cached { bytes, used: self.clock });
        self.size = self.size.saturating_add(cost);
    }

    /// Drops entries until at most `size` bytes are held.
    pub fn shrink_to(&mut self, size: u64) {
        while self.size > size {
            let Some((_, key)) = self.by_age.pop_first() else {
                return;
            };
            if let Some(cached) = self.entries.remove(&key) {
                self.size = self.size.saturating_sub(cost_of(&cached.bytes));
            }
        }
    }

    /// Returns how many bytes are held.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Returns how often an entry was found.
    pub fn hits(&self) -> u64 {
        self.hits
    }
}

fn cost_of(bytes: &[u8]) -> u64 {
    (bytes.len() as u64).saturating_add(OVERHEAD)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_used_least_recently_leaves_first() {
        let pack = FileId::from_number(0);
        let mut cache = BaseCache::new(3 * (100 + OVERHEAD));
        for offset in 0..3 {
            cache.keep(pack, offset, Rc::new(vec![0; 100]));
        }
        assert!(cache.find(pack, 0).is_some());
        cache.keep(pack, 3, Rc::new(vec![0; 100]));
        let held: Vec<_> = (0..4).filter(|at| cache.find(pack, *at).is_some()).collect();
        assert_eq!(held, [0, 2, 3]);
        assert_eq!(cache.hits(), 4);
        cache.keep(pack, 4, Rc::new(vec![0; 1000]));
        assert_eq!(cache.size(), 3 * (100 + OVERHEAD));
        cache.shrink_to(0);
        assert_eq!((cache.size(), cache.find(pack, 3)), (0, None));
    }
}
