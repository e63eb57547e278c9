//! Reverse indexes, which hold the index positions of a pack's entries in pack order:
//! <https://git-scm.com/docs/gitformat-pack#_pack_rev_files_have_the_format>.

use super::PackIndex;
use crate::id_table::Rows;
use packlens_base::block::BlockSource;
use packlens_base::error::{Error, ErrorKind, Result};
use packlens_base::oid::{HashKind, MAX_OID_LEN};

const SIGNATURE: [u8; 4] = *b"RIDX";
const HEADER_LEN: u64 = 12;

/// The layout of a reverse index. The table itself is read from the file when needed.
#[derive(Clone, Copy)]
pub struct ReverseIndex {
    positions: Rows,
    count: u32,
}

impl ReverseIndex {
    /// Reads the header, and checks that the reverse index and the index are of the same pack.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Unsupported`] for other versions and hashes, [`ErrorKind::Corrupt`] if its
    /// size or its pack checksum does not fit the index.
    pub fn decode<S: BlockSource, I: BlockSource>(
        reverse: &S,
        index: &I,
        layout: &PackIndex,
        hash: HashKind,
    ) -> Result<ReverseIndex> {
        let header: [u8; HEADER_LEN as usize] = reverse.array_at(0)?;
        let known = if hash == HashKind::Sha1 { 1 } else { 2 };
        let [signature @ .., _, _, _, version, _, _, _, hash_version] = header;
        if signature != SIGNATURE {
            return Err(reverse.corrupt("a reverse index has no signature", 0));
        }
        if (version, hash_version) != (1, known) {
            let what = "the version or hash of a reverse index is not supported";
            return Err(Error::new(ErrorKind::Unsupported, what).at(reverse.file(), 4));
        }
        let count = layout.count();
        let end = HEADER_LEN.saturating_add(u64::from(count).saturating_mul(4));
        let hashes = (hash.len() as u64).saturating_mul(2);
        if end.saturating_add(hashes) != reverse.size() {
            return Err(reverse.corrupt("the size of a reverse index does not match its index", 0));
        }
        let (mut own, mut other) = ([0; MAX_OID_LEN], [0; MAX_OID_LEN]);
        let length = hash.len();
        reverse.read_at(end, own.get_mut(..length).unwrap_or_default())?;
        let trailer = index.size().saturating_sub(hashes);
        index.read_at(trailer, other.get_mut(..length).unwrap_or_default())?;
        if own != other {
            return Err(
                reverse.corrupt("a reverse index has another pack checksum than its index", end)
            );
        }
        Ok(ReverseIndex { positions: Rows { first: HEADER_LEN, stride: 4 }, count })
    }

    /// Returns the offset and the position of an entry, by its number in pack order.
    ///
    /// # Errors
    ///
    /// Missing bytes; [`ErrorKind::Corrupt`] if the position is out of range.
    pub fn entry<S: BlockSource, I: BlockSource>(
        &self,
        reverse: &S,
        index: &I,
        layout: &PackIndex,
        at: u32,
    ) -> Result<(u64, u32)> {
        let place = self.positions.at(at);
        let left = u64::from(self.count.saturating_sub(at)).saturating_mul(4);
        let position = reverse.array_at(place).map_err(|error| error.widened(left))?;
        let position = u32::from_be_bytes(position);
        if at >= self.count || position >= self.count {
            return Err(reverse.corrupt("a reverse index has a position out of range", place));
        }
        Ok((layout.offset_at(index, position)?, position))
    }

    /// Returns the number, in pack order, of the first entry that begins at `offset` or after
    /// it.
    ///
    /// # Errors
    ///
    /// As [`ReverseIndex::entry`].
    pub fn below<S: BlockSource, I: BlockSource>(
        &self,
        reverse: &S,
        index: &I,
        layout: &PackIndex,
        offset: u64,
    ) -> Result<u32> {
        let (mut start, mut end) = (0, self.count);
        while start < end {
            let middle = start.midpoint(end);
            match self.entry(reverse, index, layout, middle)? {
                (found, _) if found < offset => start = middle.saturating_add(1),
                _ => end = middle,
            }
        }
        Ok(start)
    }
}
