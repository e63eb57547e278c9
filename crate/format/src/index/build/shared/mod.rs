//! An index that several instances make together. Scanners read the entries in sections of the
//! pack. The leader joins the sections, and hands the entries to helpers, who resolve the
//! deltas of their work units and return the ids. The leader resolves the rest.

mod helper;
mod leader;
mod scanner;
mod section;

use super::Build;
pub use helper::IndexHelper;
pub use leader::IndexLeader;
use packlens_base::block::BlockSource;
use packlens_base::error::Result;
use packlens_base::work_units::WorkUnits;
pub use scanner::SectionScanner;
use std::ops::Range;

/// The role of an instance in making an index.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum IndexRole {
    /// Makes the whole index: [`Build`].
    #[default]
    Alone,
    /// Writes the index that others work on: [`IndexLeader`].
    Leader,
    /// Reads entries for the leader: [`SectionScanner`].
    Scanner,
    /// Resolves deltas for the leader: [`IndexHelper`].
    Helper,
}

/// The length in bytes of an entry in [`IndexLeader::take_rows`].
const ROW_LEN: usize = 8 + 4 + 1;

impl Build {
    /// Returns whether no root is being visited, so that work units can be claimed.
    fn is_between_roots(&self) -> bool {
        let done = self.roots.is_empty() || self.progress().is_complete();
        self.is_sorted() && self.bases.is_empty() && self.hashing.keys().is_empty() && done
    }

    /// Returns the number of sections of `each` entries or fewer that the pack is split into.
    fn sections<S: BlockSource>(&self, pack: &S, each: u32) -> u32 {
        self.most_entries(pack).div_ceil(each)
    }

    /// Returns work units that instances share which read the same pack.
    fn work_units_of<S: BlockSource>(&self, count: u32, pack: &S) -> Result<WorkUnits> {
        Ok(WorkUnits { count, state: super::scan::stored_checksum(pack, self.hash)? })
    }
}

/// Returns the entries among which the roots of a work unit are.
fn roots_of(work_unit: u32, each: u32) -> Range<u32> {
    let first = work_unit.saturating_mul(each);
    first..first.saturating_add(each)
}
