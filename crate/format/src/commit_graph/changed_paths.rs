//! Changed-path Bloom filters of commits. A path that the filter does not have was not changed.
//! <https://git-scm.com/docs/gitformat-commit-graph#_bloom_filter_data_id_b_d_a_t_optional>.

use crate::chunk_file::{length, Chunks};
use crate::id_table::Rows;
use packlens_base::block::BlockSource;
use packlens_base::error::Result;
use std::ops::Range;

/// The length of the header before the filters: version, number of hashes for each path, and
/// bits for each path.
const HEADER_LEN: u64 = 12;

/// The most hashes for each path that are supported; git makes 7.
const MOST_HASHES: u32 = 64;

/// The longest filter that is read, in bytes. git's have fewer than 1,000: for more than 512 paths
/// it writes one that has all.
const MOST_BYTES: u64 = 64 << 10;

const SEEDS: [u32; 2] = [0x293a_e76f, 0x7e64_6e2c];

/// The hashes of a path and of the directories that contain it.
pub struct ChangedPath {
    names: Vec<Hashes>,
}

/// The two hashes of a name, in two forms: `plain` is that of version 2. Version 1 has `signed`
/// where bytes from 0x80 on were treated as negative numbers; for other names both are equal.
#[derive(Clone, Copy, Eq, PartialEq)]
struct Hashes {
    plain: [u32; 2],
    signed: [u32; 2],
}

impl ChangedPath {
    /// Computes the hashes of a path. A slash at its end is ignored.
    pub fn new(path: &[u8]) -> ChangedPath {
        let path = path.strip_suffix(b"/").unwrap_or(path);
        let slashes = path.iter().enumerate().filter(|(_, byte)| **byte == b'/');
        let ends = slashes.map(|(at, _)| at).chain([path.len()]);
        let names = ends
            .filter_map(|end| path.get(..end))
            .filter(|name| !name.is_empty())
            .map(|name| Hashes {
                plain: SEEDS.map(|seed| murmur3(seed, name, u32::from)),
                signed: SEEDS.map(|seed| murmur3(seed, name, |byte| i32::from(byte as i8) as u32)),
            })
            .collect();
        ChangedPath { names }
    }
}

/// The location of the filters in a file.
pub(super) struct Filters {
    /// The offset at which the filter of each commit ends, relative to the first filter.
    ends: Rows,
    data: Range<u64>,
}

impl Filters {
    /// Finds the filters; `None` if there are none, or their table does not fit the number of
    /// commits.
    pub fn find(chunks: &Chunks, count: u32) -> Option<Filters> {
        let ends = chunks.rows(b"BIDX", count, 4)?;
        let data = chunks.find(b"BDAT").filter(|data| length(data) >= HEADER_LEN)?;
        Some(Filters { ends, data })
    }

    /// Returns the filter of a commit; `None` if it has none, or one that is not supported.
    ///
    /// # Errors
    ///
    /// Missing bytes.
    pub(super) fn at<S: BlockSource>(
        &self,
        graph: &S,
        position: u32,
    ) -> Result<Option<PathFilter>> {
        let [version, hashes, _] = [0u64, 4, 8].map(|at| self.data.start.saturating_add(at));
        let version = u32::from_be_bytes(graph.array_at(version)?);
        let hashes = u32::from_be_bytes(graph.array_at(hashes)?);
        if !matches!(version, 1 | 2) || !(1..=MOST_HASHES).contains(&hashes) {
            return Ok(None);
        }
        let end = |position: u32| -> Result<u64> {
            Ok(u32::from_be_bytes(graph.array_at(self.ends.at(position))?).into())
        };
        let start = position.checked_sub(1).map_or(Ok(0), end)?;
        let size = end(position)?.saturating_sub(start);
        let first = self.data.start.saturating_add(HEADER_LEN).saturating_add(start);
        if !(1..=MOST_BYTES).contains(&size) || first.saturating_add(size) > self.data.end {
            return Ok(None);
        }
        let mut bits = vec![0; size as usize];
        graph.read_at(first, &mut bits)?;
        Ok(Some(PathFilter { version, hashes, bits }))
    }
}

/// The paths that a commit may have changed, compared with its first parent.
pub struct PathFilter {
    version: u32,
    hashes: u32,
    bits: Vec<u8>,
}

impl PathFilter {
    /// Returns whether the commit may have changed a path; `false` is certain.
    pub fn may_have(&self, path: &ChangedPath) -> bool {
        path.names.iter().all(|name| {
            // The form in a filter of version 1 depends on whether the writer's `char` was
            // signed.
            let signed = self.version == 1 && name.plain != name.signed;
            self.has(name.plain) || (signed && self.has(name.signed))
        })
    }

    fn has(&self, [one, other]: [u32; 2]) -> bool {
        let count = self.bits.len().saturating_mul(8) as u32;
        (0..self.hashes).all(|nth| {
            let hash = one.wrapping_add(nth.wrapping_mul(other));
            let bit = hash.checked_rem(count).unwrap_or(0);
            self.bits.get((bit / 8) as usize).is_some_and(|byte| byte & (1 << (bit % 8)) != 0)
        })
    }
}

/// Returns the 32-bit murmur3 hash of bytes; `as_number` turns a byte into a number.
fn murmur3(seed: u32, bytes: &[u8], as_number: impl Fn(u8) -> u32) -> u32 {
    let word = |bytes: &[u8]| {
        let shifts = [0, 8, 16, 24].into_iter();
        let parts = bytes.iter().zip(shifts).map(|(byte, shift)| as_number(*byte) << shift);
        (parts.clone().fold(0, |word, part| word | part), parts.fold(0, |word, part| word ^ part))
    };
    let mix = |word: u32| word.wrapping_mul(0xcc9e_2d51).rotate_left(15).wrapping_mul(0x1b87_3593);
    let words = bytes.chunks_exact(4);
    let rest = words.remainder();
    let mut hash = words.fold(seed, |hash, bytes| {
        // Whole words are combined by OR, the remainder by XOR. The two differ only for bytes
        // that are treated as negative.
        let (word, _) = word(bytes);
        (hash ^ mix(word)).rotate_left(13).wrapping_mul(5).wrapping_add(0xe654_6b64)
    });
    if !rest.is_empty() {
        let (_, word) = word(rest);
        hash ^= mix(word);
    }
    hash ^= bytes.len() as u32;
    hash = (hash ^ (hash >> 16)).wrapping_mul(0x85eb_ca6b);
    hash = (hash ^ (hash >> 13)).wrapping_mul(0xc2b2_ae35);
    hash ^ (hash >> 16)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The hashes in git's own tests (t0095).
    #[test]
    fn hashes_are_gits() {
        let plain = |bytes: &[u8]| murmur3(0, bytes, u32::from);
        let signed = |bytes: &[u8]| murmur3(0, bytes, |byte| i32::from(byte as i8) as u32);
        assert_eq!(plain(b""), 0);
        assert_eq!(plain(b"Hello world!"), 0x627b_0c2c);
        assert_eq!(plain(b"The quick brown fox jumps over the lazy dog"), 0x2e4f_f723);
        let high = [0x99, 0xaa, 0xbb, 0xcc, 0xdd, 0xee, 0xff];
        assert_eq!(plain(&high), 0xa183_ccfd);
        assert_ne!(signed(&high), plain(&high));
    }
}
