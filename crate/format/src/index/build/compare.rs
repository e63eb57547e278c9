//! Compares an index with the pack that it is of.

use super::rows::Rows;
use crate::index::PackIndex;
use packlens_base::block::BlockSource;
use packlens_base::error::Result;
use packlens_base::hash::Hasher;
use packlens_base::oid::{HashKind, ObjectId, MAX_OID_LEN};

/// The state of a comparison, which resumes after missing bytes.
pub struct Comparison {
    layout: Option<PackIndex>,
    next: u32,
    checksum: Hasher,
    summed: u64,
}

impl Comparison {
    /// Creates a comparison; nothing is read yet.
    pub fn new(hash: HashKind) -> Comparison {
        Comparison { layout: None, next: 0, checksum: Hasher::new(hash), summed: 0 }
    }

    pub(super) fn advance<S: BlockSource>(
        &mut self,
        index: &S,
        rows: &Rows,
        order: &[u32],
        hash: HashKind,
        pack: &ObjectId,
    ) -> Result<()> {
        let layout = match self.layout.take() {
            Some(layout) => layout,
            None => PackIndex::decode(index, hash)?,
        };
        let compared = self.rows(index, &layout, rows, order);
        self.layout = Some(layout);
        compared?;
        let end = index.size().saturating_sub(hash.len() as u64);
        let mut stored = [0; MAX_OID_LEN];
        let stored = stored.get_mut(..hash.len()).unwrap_or_default();
        let at = end.saturating_sub(hash.len() as u64);
        index.read_at(at, stored)?;
        if stored != pack.as_bytes() {
            return Err(index.corrupt("the index has the checksum of another pack", at));
        }
        while self.summed < end {
            let left = end.saturating_sub(self.summed);
            let run = index.run_at(self.summed).map_err(|error| error.widened(left))?;
            let take = usize::try_from(left).unwrap_or(usize::MAX).min(run.len());
            self.checksum.update(run.get(..take).unwrap_or(run));
            self.summed = self.summed.saturating_add(take as u64);
        }
        index.read_at(end, stored)?;
        if self.checksum.clone().finish().as_bytes() != stored {
            return Err(index.corrupt("the index does not match its checksum", end));
        }
        Ok(())
    }

    fn rows<S: BlockSource>(
        &mut self,
        index: &S,
        layout: &PackIndex,
        rows: &Rows,
        order: &[u32],
    ) -> Result<()> {
        if layout.count() != rows.len() {
            return Err(
                index.corrupt("the index and its pack differ in their number of objects", 0)
            );
        }
        while let Some(at) = order.get(self.next as usize) {
            let id = layout.id_at(index, self.next)?;
            let offset = layout.offset_at(index, self.next)?;
            let crc = layout.crc_at(index, self.next)?;
            let row = rows.get(*at);
            if id.as_bytes() != rows.id(*at) {
                return Err(index
                    .corrupt("the index has an object id that its pack lacks", 0)
                    .about(id.to_hex()));
            }
            if row.is_none_or(|row| row.offset != offset) {
                let what = "the index has a wrong offset for an object";
                return Err(index.corrupt(what, 0).about(id.to_hex()));
            }
            if row.is_none_or(|row| crc.is_some_and(|crc| row.crc != crc)) {
                let what = "the index has a wrong checksum for an entry";
                return Err(index.corrupt(what, 0).about(id.to_hex()));
            }
            self.next = self.next.saturating_add(1);
        }
        Ok(())
    }
}
