//! Which bytes are needed to read a tree, before it is read.

use super::deltas::End;
use super::{Location, Odb, PackNumber, ReadHint, ReadOrder};
use packlens_base::block::{AskedRange, BlockSource, FileId, Files};
use packlens_base::error::{Error, Need, Result};
use packlens_base::oid::ObjectId;
use packlens_format::object::ObjectType;
use packlens_format::pack::Step;

/// So many bytes are requested of an entry whose length is not known: its head, and all of most
/// deltas.
const HEAD: u64 = 1 << 10;

/// The most bytes of an entry that are requested.
const MOST: u64 = 64 << 10;

impl Odb {
    /// Adds what is needed, as far as that is known by now, to read a tree and the bases that it
    /// is made of; nothing if all is in memory, or it cannot be read.
    pub(crate) fn needs_of_tree(
        &mut self,
        files: &mut Files,
        tree: &ObjectId,
        needs: &mut Vec<Need>,
    ) {
        let found = self.needs_if_found(files, tree, needs);
        let need = found.as_ref().err().and_then(Error::need);
        needs.extend(need.filter(|need| matches!(need, Need::Bytes { .. })).cloned());
    }

    fn needs_if_found(
        &mut self,
        files: &mut Files,
        tree: &ObjectId,
        needs: &mut Vec<Need>,
    ) -> Result<()> {
        let hint = ReadHint::similar(ObjectType::Tree);
        if let Some((pack, offset)) = self.packed_at(files, tree, &hint)? {
            let entry = (self.packs.file(pack)?, offset);
            self.needs_of_chain(files, entry, hint.order, needs);
        }
        Ok(())
    }

    /// Returns the pack that an object, or its replacement, is in, and the offset of its entry.
    pub(super) fn packed_at(
        &mut self,
        files: &mut Files,
        asked: &ObjectId,
        hint: &ReadHint<'_>,
    ) -> Result<Option<(PackNumber, u64)>> {
        let (id, hint) = &self.hinted(asked, hint)?;
        Ok(match self.locate_hinted(files, id, hint)? {
            Some(Location::Packed { pack, offset }) => Some((pack, offset)),
            _ => None,
        })
    }

    fn needs_of_chain(
        &mut self,
        files: &mut Files,
        entry: (FileId, u64),
        order: ReadOrder<'_>,
        needs: &mut Vec<Need>,
    ) {
        let end = self.walk_chain(files, entry, None, order);
        let last = match end {
            Ok(End::Whole(_, step)) => Some(step),
            Ok(_) => None,
            Err(error) => {
                if let Some(Need::Bytes { file, offset, .. }) = error.need() {
                    needs.push(Need::Range { file: *file, offset: *offset, length: HEAD });
                }
                None
            }
        };
        for step in self.chain.deltas().iter().copied().chain(last) {
            needs.extend(need_of_entry(files, &step));
        }
    }
}

/// Returns which bytes of an entry are missing: it has about as many as its content at most.
fn need_of_entry(files: &Files, step: &Step) -> Option<Need> {
    // The content of an entry whose head was kept is kept as well.
    if step.data_offset == 0 {
        return None;
    }
    let most = step.size.saturating_add(step.size / 256).saturating_add(16).min(MOST);
    let end = step.data_offset.saturating_add(most).min(files.source(step.pack).size());
    let offset = first_missing(files, (step.pack, step.data_offset, end))?;
    Some(Need::Range { file: step.pack, offset, length: end.saturating_sub(offset) })
}

/// Returns the first byte of a range that is not in memory.
pub(super) fn first_missing(files: &Files, (file, mut at, end): AskedRange) -> Option<u64> {
    let source = files.source(file);
    while at < end {
        let Ok(run) = source.run_at(at) else { return Some(at) };
        at = at.saturating_add(run.len() as u64);
    }
    None
}
