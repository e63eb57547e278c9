//! Checks pack entries against the CRC32 values of the pack index before the entries are
//! inflated: <https://git-scm.com/docs/gitformat-pack#_version_2_pack_idx_files_support_packs_larger_than_4_gib>.

use super::deltas::End;
use super::Odb;
use packlens_base::block::{BlockSource, FileId, Files};
use packlens_base::error::Result;
use packlens_base::hash::Crc32;
use packlens_base::module::IS_FULL;
use packlens_format::pack::Step;

/// An entry is checked if its size is at most one part in this many of the memory ceiling,
/// because its bytes have to be in memory together.
const SHARE: u64 = 8;

/// Whether entries are checked.
#[derive(Clone, Copy, Default)]
pub(super) struct Crcs {
    checks: bool,
    /// An entry without a CRC32 was inflated and may be in a cache.
    gaps: bool,
}

impl Crcs {
    pub(super) fn gaps(self) -> bool {
        self.gaps
    }
}

impl Odb {
    /// Turns on the check of every entry that has a CRC32.
    pub(crate) fn check_crcs(&mut self) {
        self.crcs.checks = true;
    }

    pub(super) fn checks_crcs(&self) -> bool {
        IS_FULL && self.crcs.checks
    }

    /// Returns whether all entries of a chain have CRC32 values, including those that come from
    /// a cache and are not inflated again.
    pub(super) fn chain_has_crcs(
        &mut self,
        files: &Files,
        pack: FileId,
        end: &End,
    ) -> Result<bool> {
        if !self.checks_crcs() {
            return Ok(false);
        }
        // Cached data of a pack without CRC32 values may never have been checked.
        let number = self.packs.number_of(pack);
        let mut all = number.is_some_and(|number| self.packs.has_crcs(number));
        let mut steps = self.chain.deltas().to_vec();
        match end {
            End::Whole(_, step) => steps.push(*step),
            End::Elsewhere(..) => all = false,
            // Such a base is in the same pack as the delta on it.
            End::Kept(_) | End::Halfway(..) => {}
        }
        for step in steps {
            all &= self.has_crc(files, &step)?;
        }
        Ok(all)
    }

    fn has_crc(&mut self, files: &Files, step: &Step) -> Result<bool> {
        let Some(number) = self.packs.number_of(step.pack) else {
            return Ok(false);
        };
        match self.packs.open(files, number) {
            Err(error) if error.is_missing() => return Err(error),
            Err(_) => return Ok(false),
            Ok(_) => {}
        }
        Ok(self.packs.has_crcs(number) && step.size <= self.limits.memory / SHARE)
    }

    /// Checks the bytes of an entry against the CRC32 of the pack index.
    ///
    /// # Errors
    ///
    /// [`Corrupt`](packlens_base::ErrorKind::Corrupt) if they differ; missing files and bytes.
    pub(super) fn check_crc(&mut self, files: &mut Files, step: &Step) -> Result<()> {
        if !self.checks_crcs() || !self.has_crc(files, step)? {
            return Ok(());
        }
        let Some(expected) = self.crc_of(files, step.pack, step.offset)? else {
            self.crcs.gaps = true;
            return Ok(());
        };
        let (length, expected) = expected;
        let source = files.source(step.pack);
        let end = step.offset.saturating_add(length);
        let mut crc = Crc32::new();
        let mut at = step.offset;
        while at < end {
            let left = end.saturating_sub(at);
            let run = source.run_at(at).map_err(|error| error.widened(left))?;
            let taken = usize::try_from(left).unwrap_or(usize::MAX).min(run.len());
            crc.update(run.get(..taken).unwrap_or_default());
            at = at.saturating_add(taken as u64);
        }
        self.counts.crc_bytes = self.counts.crc_bytes.saturating_add(length);
        if crc.finish() == expected {
            return Ok(());
        }
        Err(source.corrupt("an entry does not match the checksum in its index", step.offset))
    }

    /// Returns the length of an entry in bytes and its CRC32.
    fn crc_of(
        &mut self,
        files: &mut Files,
        pack: FileId,
        offset: u64,
    ) -> Result<Option<(u64, u32)>> {
        let Some(number) = self.packs.number_of(pack) else {
            return Ok(None);
        };
        // Passes the entry as its own base, so that `base_position` is the entry's position.
        let extent = self.extent_of(files, number, offset, Some(offset))?;
        let (Some(length), Some(position)) = (extent.length, extent.base_position) else {
            return Ok(None);
        };
        let crc = self.packs.crc_at(files, number, position)?;
        Ok(crc.map(|crc| (length, crc)))
    }
}
