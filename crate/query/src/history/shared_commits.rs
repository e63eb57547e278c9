//! The links of commits that another instance has read.

use crate::repository::Repository;
use packlens_base::error::{Error, ErrorKind, Result};
use packlens_base::module::FullOnly;
use packlens_base::oid::{HashKind, ObjectId};
use packlens_format::id_table::Ids;
use packlens_format::object::CommitLinks;

/// The share of the memory ceiling that shared commits may take.
const MEMORY_SHARE: u64 = 8;

/// The links of commits in their stored form: replacements and grafts are not applied.
#[derive(Default)]
pub(crate) struct SharedCommits {
    /// The ids, each with the offset of its row.
    ids: Ids,
    /// The rows, without the ids of the commits.
    rows: Vec<u8>,
}

/// A row: the number of parents (4 bytes), the date (8 bytes), then the ids of the commit, of
/// its tree and of its parents.
pub(super) struct LinkRow<'a> {
    pub(super) date: u64,
    pub(super) id: &'a [u8],
    pub(super) tree: &'a [u8],
    pub(super) parents: &'a [u8],
}

impl<'a> LinkRow<'a> {
    /// Splits off the first row of `bytes`, whose commit has an id of `id_len` bytes.
    fn split(bytes: &'a [u8], id_len: usize, hash: HashKind) -> Option<(LinkRow<'a>, &'a [u8])> {
        let (count, rest) = bytes.split_first_chunk()?;
        let (date, rest) = rest.split_first_chunk()?;
        let (id, rest) = rest.split_at_checked(id_len)?;
        let (tree, rest) = rest.split_at_checked(hash.len())?;
        let count = u32::from_le_bytes(*count) as usize;
        let (parents, rest) = rest.split_at_checked(count.checked_mul(hash.len())?)?;
        let date = u64::from_le_bytes(*date);
        Some((LinkRow { date, id, tree, parents }, rest))
    }
}

impl Repository {
    /// Keeps rows of commits that another instance read. Walks use them until
    /// [`Repository::forget_shared_commits`]. Returns whether there is memory for more rows.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::BadInput`] if the bytes are no complete rows: nothing has changed then.
    pub fn share_commits(&mut self, rows: &[u8]) -> Result<bool> {
        let hash = self.hash();
        let most = self.memory().checked_div(MEMORY_SHARE).unwrap_or(0);
        let mut rest = rows;
        while !rest.is_empty() {
            let Some((_, after)) = LinkRow::split(rest, hash.len(), hash) else {
                let at = rows.len().saturating_sub(rest.len());
                let what = "the rows of commits are incomplete";
                return Err(Error::new(ErrorKind::BadInput, what).about(format!("byte {at}")));
            };
            rest = after;
        }
        let known = match &mut self.kept.shared_commits {
            Some(known) => known,
            none => none.insert(FullOnly::new(SharedCommits::default)?),
        };
        if !known.reserve(rows.len(), most) {
            return Ok(false);
        }
        rest = rows;
        while let Some((row, after)) = LinkRow::split(rest, hash.len(), hash) {
            if known.memory().saturating_add(known.ids.memory_to_grow(hash)) > most {
                return Ok(false);
            }
            known.push(hash, rest, &row);
            rest = after;
        }
        Ok(true)
    }

    /// Forgets all rows of [`Repository::share_commits`].
    pub fn forget_shared_commits(&mut self) {
        self.kept.shared_commits = None;
    }

    /// Returns the links of a commit that another instance read, unless it is replaced.
    pub(super) fn shared_commits(
        &self,
        id: &ObjectId,
        parents: &mut Vec<ObjectId>,
    ) -> Option<CommitLinks> {
        let hash = self.hash();
        let row = self.kept.shared_commits.as_ref()?.find(id, hash)?;
        if self.odb.real(id).ok()? != *id {
            return None;
        }
        let tree = ObjectId::from_bytes(hash, row.tree)?;
        let ids = row.parents.chunks_exact(hash.len());
        parents.extend(ids.filter_map(|id| ObjectId::from_bytes(hash, id)));
        Some(CommitLinks { tree, date: Some(row.date) })
    }
}

impl SharedCommits {
    /// Reserves memory for rows; `false` if that would exceed `most` bytes, or fails.
    fn reserve(&mut self, length: usize, most: u64) -> bool {
        if self.rows.capacity().saturating_sub(self.rows.len()) >= length {
            return true;
        }
        let more = length.max(self.rows.capacity() / 4);
        self.memory().saturating_add(more as u64) <= most
            && self.rows.try_reserve_exact(more).is_ok()
    }

    fn push(&mut self, hash: HashKind, bytes: &[u8], row: &LinkRow<'_>) {
        let (Some(id), Ok(place)) =
            (ObjectId::from_bytes(hash, row.id), u32::try_from(self.rows.len()))
        else {
            return;
        };
        if self.ids.number_of(&id, place) == place {
            self.rows.extend_from_slice(bytes.get(..HEAD_LEN).unwrap_or_default());
            self.rows.extend_from_slice(row.tree);
            self.rows.extend_from_slice(row.parents);
        }
    }

    fn find(&self, id: &ObjectId, hash: HashKind) -> Option<LinkRow<'_>> {
        if self.rows.is_empty() {
            return None;
        }
        let place = self.ids.find_number(id)?;
        let (row, _) = LinkRow::split(self.rows.get(place as usize..)?, 0, hash)?;
        Some(row)
    }

    /// Returns how many bytes of memory this takes.
    pub fn memory(&self) -> u64 {
        self.ids.memory().saturating_add(self.rows.capacity() as u64)
    }
}

/// The length of a row before its ids.
const HEAD_LEN: usize = 12;
