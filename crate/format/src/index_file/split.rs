//! The extension `link` of a split index: which shared file has the other entries, and which of
//! these do not count. <https://git-scm.com/docs/gitformat-index#_split_index>.

use super::file::IndexPart;
use super::{take, take_id, Damage, HEADER_LEN};
use crate::bitmap::ewah;
use packlens_base::oid::{HashKind, ObjectId};

/// The bits of a word.
const WORD: u32 = 64;

/// What an index file says of its shared file.
pub(super) struct Link {
    /// The hash of the shared file, which its name has.
    pub(super) id: ObjectId,
    /// The two compressed bitmaps; empty if no entry is changed.
    bitmaps: Vec<u8>,
    shared: Option<SharedEntries>,
}

struct SharedEntries {
    part: IndexPart,
    /// A bit for each entry of the shared file that is deleted.
    deleted: Vec<u64>,
    /// … that has other values in the own file.
    replaced: Vec<u64>,
}

impl Link {
    /// Parses the extension; `None` if it says that all entries are in the own file.
    pub(super) fn parse(mut content: &[u8], hash: HashKind) -> Result<Option<Link>, Damage> {
        let id = take_id(&mut content, hash).ok_or_else(|| bad_link("it has no id"))?;
        let is_any = id.as_bytes().iter().any(|byte| *byte != 0);
        Ok(is_any.then(|| Link { id, bitmaps: content.to_vec(), shared: None }))
    }

    pub(super) fn put_shared(&mut self, bytes: Vec<u8>, hash: HashKind) -> Result<(), Damage> {
        let part = IndexPart::new(bytes, hash)?;
        if part.trailer() != self.id.as_bytes() {
            return Err(bad_link("the shared file has another hash"));
        }
        let cursor = part.after_entries()?;
        if let Some(what) = cursor.disorder {
            return Err(Damage::Entries(what, HEADER_LEN as u64));
        }
        let count = part.count;
        let mut rest = self.bitmaps.as_slice();
        let (mut deleted, mut replaced) = (Vec::new(), Vec::new());
        if !rest.is_empty() {
            deleted = next_bitmap(&mut rest, count)?;
            replaced = next_bitmap(&mut rest, count)?;
        }
        if !rest.is_empty() {
            return Err(bad_link("it has bytes after its bitmaps"));
        }
        if deleted.iter().zip(&replaced).any(|(one, other)| one & other != 0) {
            return Err(bad_link("an entry is both deleted and replaced"));
        }
        self.shared = Some(SharedEntries { part, deleted, replaced });
        Ok(())
    }

    pub(super) fn shared(&self) -> Option<&IndexPart> {
        self.shared.as_ref().map(|shared| &shared.part)
    }

    /// Returns whether an entry of the shared file is deleted.
    pub(super) fn is_deleted(&self, position: u32) -> bool {
        self.shared.as_ref().is_some_and(|shared| has_bit(&shared.deleted, position))
    }

    /// Returns whether an entry of the shared file has other values in the own file.
    pub(super) fn is_replaced(&self, position: u32) -> bool {
        self.shared.as_ref().is_some_and(|shared| has_bit(&shared.replaced, position))
    }

    /// Returns how many entries of the own file replace shared ones.
    pub(super) fn replacements(&self) -> u32 {
        let words = self.shared.iter().flat_map(|shared| &shared.replaced);
        words.fold(0, |sum, word| sum.saturating_add(word.count_ones()))
    }
}

/// Decompresses a bitmap about `count` entries.
fn next_bitmap(rest: &mut &[u8], count: u32) -> Result<Vec<u64>, Damage> {
    let bad = |_| bad_link("a bitmap is damaged, or about entries that do not exist");
    let end = ewah::end_of(rest, 0).map_err(bad)?;
    let length = usize::try_from(end).unwrap_or(usize::MAX);
    let own = take(rest, length).ok_or_else(|| bad_link("it ends within a bitmap"))?;
    let mut words = vec![0; count.div_ceil(WORD) as usize];
    ewah::xor_into(&own, 0, &mut words).map_err(bad)?;
    let beyond = count..count.next_multiple_of(WORD);
    if beyond.into_iter().any(|position| has_bit(&words, position)) {
        return Err(bad_link("a bitmap is about entries that do not exist"));
    }
    Ok(words)
}

fn has_bit(words: &[u64], position: u32) -> bool {
    let word = words.get((position / WORD) as usize).copied().unwrap_or_default();
    (word >> (position % WORD)) & 1 == 1
}

/// The damage of the extension, or of what it says about the shared file.
pub(super) fn bad_link(what: &str) -> Damage {
    Damage::Frame(format!("corrupt link extension: {what}"))
}
