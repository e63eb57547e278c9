//! Trees that were visited. Most bytes of a tree equal those of the tree that was visited last
//! at the same path; entries in equal ranges are skipped.

use packlens_base::error::Result;
use packlens_base::oid::{HashKind, ObjectId};
use packlens_format::object::{ObjectType, Tree, TreeEntry};
use std::cmp::Ordering;
use std::rc::Rc;

/// How many trees are kept; the hash of its path selects the slot of a tree.
const SLOTS: usize = 1024;

/// A tree all of whose entries were visited.
struct SeenTree {
    content: Rc<Vec<u8>>,
    /// The offsets of its entries.
    starts: Vec<u32>,
}

impl SeenTree {
    fn memory(&self) -> u64 {
        let starts = self.starts.capacity().saturating_mul(4);
        self.content.capacity().saturating_add(starts) as u64
    }
}

/// The trees that were visited last, one for each path.
#[derive(Default)]
pub(super) struct SeenTrees {
    slots: Vec<Option<SeenTree>>,
    memory: u64,
}

impl SeenTrees {
    /// Begins to visit a tree at a path, which ends with a slash.
    pub(super) fn begin(&mut self, path: &[u8], content: Rc<Vec<u8>>) -> Unseen {
        let slot = slot_of(path);
        let like = self.slots.get_mut(slot).and_then(Option::take);
        let freed = like.as_ref().map_or(0, SeenTree::memory);
        self.memory = self.memory.saturating_sub(freed);
        Unseen { content, starts: Vec::new(), at: 0, like, like_at: 0, slot }
    }

    /// Keeps a tree whose last entry was visited; at most `most` bytes are kept.
    pub(super) fn end(&mut self, tree: Unseen, most: u64) {
        let Unseen { content, starts, slot, .. } = tree;
        let seen = SeenTree { content, starts };
        self.memory = self.memory.saturating_add(seen.memory());
        if self.memory > most {
            *self = SeenTrees::default();
            return;
        }
        if self.slots.is_empty() {
            self.slots.resize_with(SLOTS, || None);
        }
        if let Some(kept) = self.slots.get_mut(slot) {
            let freed = kept.replace(seen).map_or(0, |kept| kept.memory());
            self.memory = self.memory.saturating_sub(freed);
        }
    }

    /// Returns how many bytes of memory the trees take.
    pub fn memory(&self) -> u64 {
        self.memory
    }
}

/// A tree that is being visited. Entries that the previous tree in the same slot has as well
/// are skipped.
pub(super) struct Unseen {
    content: Rc<Vec<u8>>,
    /// The offsets of the entries that were visited or skipped.
    starts: Vec<u32>,
    at: usize,
    like: Option<SeenTree>,
    /// The index of the next entry of `like`.
    like_at: usize,
    slot: usize,
}

impl Unseen {
    /// Returns the next entry, and the offset of the one after it; `None` after the last.
    ///
    /// # Errors
    ///
    /// [`Corrupt`](packlens_base::ErrorKind::Corrupt) if the tree is damaged.
    pub(super) fn next(&mut self, hash: HashKind) -> Result<Option<(TreeEntry<'_>, usize)>> {
        self.pass_repeated();
        let mut tree = Tree::new(hash, self.content.get(self.at..).unwrap_or_default());
        let Some(entry) = tree.next() else {
            return Ok(None);
        };
        let rest = self.content.len().saturating_sub(tree.rest().len());
        Ok(Some((entry?, rest)))
    }

    /// Returns the objects that are not visited yet, up to the first damaged entry.
    pub(super) fn left(
        &self,
        hash: HashKind,
    ) -> impl Iterator<Item = (ObjectId, ObjectType)> + use<'_> {
        let entries = Tree::new(hash, self.content.get(self.at..).unwrap_or_default());
        let entries = entries.map_while(Result::ok).filter(|entry| !entry.mode.is_gitlink());
        entries.map(|entry| (entry.oid, entry.mode.object_type()))
    }

    /// Advances past the next entry; `rest` is the offset after it.
    pub fn pass(&mut self, rest: usize) {
        self.starts.push(self.at as u32);
        self.at = rest;
    }

    /// Returns how many bytes of memory this takes.
    pub fn memory(&self) -> u64 {
        let own = self.content.capacity().saturating_add(self.starts.capacity().saturating_mul(4));
        self.like.as_ref().map_or(0, SeenTree::memory).saturating_add(own as u64)
    }

    /// Skips the entries that `like` has as well.
    fn pass_repeated(&mut self) {
        let Some(like) = &self.like else {
            return;
        };
        while let Some(start) = like.starts.get(self.like_at).map(|start| *start as usize) {
            let own = self.content.get(self.at..).unwrap_or_default();
            let other = like.content.get(start..).unwrap_or_default();
            let same = same_bytes(own, other);
            let left = like.starts.get(self.like_at..).unwrap_or_default();
            // The last of the entries that are touched differs somewhere.
            let count = match same == other.len() {
                true => left.len(),
                false => {
                    let end = start.saturating_add(same);
                    left.partition_point(|start| *start as usize <= end).saturating_sub(1)
                }
            };
            if count > 0 {
                let passed = left.get(count).map_or(like.content.len(), |end| *end as usize);
                let at = self.at as u32;
                let moved = |from: &u32| from.wrapping_sub(start as u32).wrapping_add(at);
                self.starts.extend(left.iter().take(count).map(moved));
                self.at = self.at.saturating_add(passed.saturating_sub(start));
                self.like_at = self.like_at.saturating_add(count);
                continue;
            }
            // Entries are sorted by name, except that names of trees sort as if they ended with
            // `/`. The difference only makes fewer entries match.
            match name_of(own).cmp(name_of(other)) {
                Ordering::Greater if !own.is_empty() => {
                    self.like_at = self.like_at.saturating_add(1);
                }
                _ => return,
            }
        }
    }
}

/// Returns the name of the first entry of `entry`.
fn name_of(entry: &[u8]) -> &[u8] {
    let name = entry.iter().position(|byte| *byte == b' ').map_or(0, |at| at.saturating_add(1));
    let name = entry.get(name..).unwrap_or_default();
    let end = name.iter().position(|byte| *byte == 0).unwrap_or(name.len());
    name.get(..end).unwrap_or_default()
}

/// Returns how many bytes are equal before the first difference.
fn same_bytes(one: &[u8], other: &[u8]) -> usize {
    const STEP: usize = 32;
    let differ = |(one, other): (&[u8], &[u8])| {
        let words = one.chunks_exact(8).zip(other.chunks_exact(8));
        let word = |bytes: &[u8]| bytes.first_chunk().map_or(0, |word| u64::from_le_bytes(*word));
        words.fold(0, |sum, (one, other)| sum | (word(one) ^ word(other))) != 0
    };
    let steps = one.len().min(other.len()) / STEP;
    let same = one.chunks_exact(STEP).zip(other.chunks_exact(STEP)).position(differ);
    let same = same.unwrap_or(steps).saturating_mul(STEP);
    let rest = |bytes| <[u8]>::get(bytes, same..).unwrap_or_default();
    let more = rest(one).iter().zip(rest(other)).take_while(|(one, other)| one == other);
    same.saturating_add(more.count())
}

fn slot_of(path: &[u8]) -> usize {
    let hash = path.iter().fold(0xcbf2_9ce4_8422_2325u64, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3)
    });
    (hash >> 32) as usize % SLOTS
}

#[cfg(test)]
mod tests {
    use super::*;
    use packlens_format::object::Mode;

    fn tree(entries: &[(&str, u8)]) -> Vec<u8> {
        let entry =
            |(name, id): &(&str, u8)| [b"100644 ", name.as_bytes(), &[0], &[*id; 20]].concat();
        entries.iter().flat_map(entry).collect()
    }

    /// Visits a tree; returns the names of the entries that were not skipped.
    fn unseen(trees: &mut SeenTrees, entries: &[(&str, u8)]) -> Vec<String> {
        let mut tree = trees.begin(b"a/", Rc::new(tree(entries)));
        let mut names = Vec::new();
        while let Some((entry, rest)) = tree.next(HashKind::Sha1).unwrap() {
            assert_eq!(entry.mode, Mode(0o100_644));
            names.push(String::from_utf8_lossy(entry.name).into_owned());
            tree.pass(rest);
        }
        assert_eq!(tree.starts.len(), entries.len());
        trees.end(tree, 1 << 20);
        names
    }

    #[test]
    fn equal_bytes_are_skipped() {
        let mut trees = SeenTrees::default();
        let first = [("a", 1), ("b", 2), ("b.c", 1), ("d", 3), ("ee", 4), ("f", 5)];
        assert_eq!(unseen(&mut trees, &first).len(), 6);
        assert!(unseen(&mut trees, &first).is_empty());
        let changed = [("a", 1), ("b", 9), ("b.c", 1), ("d", 3), ("e", 4), ("f", 5)];
        assert_eq!(unseen(&mut trees, &changed), ["b", "e"]);
        let fewer = [("b", 9), ("d", 3), ("f", 6)];
        assert_eq!(unseen(&mut trees, &fewer), ["f"]);
        let more = [("a", 7), ("b", 9), ("c", 1), ("d", 3), ("f", 6), ("g", 6)];
        assert_eq!(unseen(&mut trees, &more), ["a", "c", "g"]);
        assert!(unseen(&mut trees, &[]).is_empty());
        assert_eq!(unseen(&mut trees, &first).len(), 6);
        let last = ["100644 f\0", &"\u{5}".repeat(19)].concat().into_bytes();
        assert!(trees.begin(b"a/", Rc::new(last)).next(HashKind::Sha1).is_err());
    }

    #[test]
    fn bytes_are_counted_up_to_the_first_that_differs() {
        for length in 0..100 {
            for at in 0..length {
                let one = vec![7; length];
                let mut other = one.clone();
                other[at] = 8;
                assert_eq!(same_bytes(&one, &other), at);
                assert_eq!(same_bytes(&one, &one[..at]), at);
            }
        }
    }
}
