//! Checks that `packed-refs` is sorted if its header says so, as `git refs verify` does.

use super::finding::{exit, Finding};
use super::shared::{unless_damaged, Shared};
use packlens_base::error::Result;
use packlens_format::refs::{PackedRefs, RefRecord, PACKED_REFS};
use packlens_query::repository::Repository;

/// How many refs are compared in a step.
const STEP: u32 = 1 << 14;

/// The state of the check.
#[derive(Default)]
pub(super) struct PackedRefsFile {
    /// The offset of the next ref, and its line number.
    next: Option<(u64, u64)>,
    /// The name of the ref before it.
    last: Vec<u8>,
}

impl PackedRefsFile {
    /// Compares some refs; returns whether the check is complete.
    ///
    /// # Errors
    ///
    /// Missing files and bytes: provide them and call again.
    pub(super) fn step(&mut self, shared: &mut Shared, repository: &Repository) -> Result<bool> {
        let Some(file) = repository.files.find(PACKED_REFS)? else {
            return Ok(true);
        };
        let source = repository.files.source(file);
        let Some(refs) = unless_damaged(PackedRefs::open(&source, repository.hash()))? else {
            return Ok(true);
        };
        let Some(start) = refs.sorted_from() else {
            return Ok(true);
        };
        let (mut at, mut line) = self.next.unwrap_or((start, 2));
        let mut record = RefRecord::default();
        for _ in 0..STEP {
            if at >= refs.size() {
                return Ok(true);
            }
            // A damaged line is reported when refs are listed.
            let Some(next) = unless_damaged(refs.record_at(at, &mut record))? else {
                return Ok(true);
            };
            if record.name < self.last {
                shared.report(unsorted(&record.name, &self.last, line));
                return Ok(true);
            }
            std::mem::swap(&mut self.last, &mut record.name);
            let lines = if matches!(record.peeled, Some(Some(_))) { 2 } else { 1 };
            (at, line) = (next, line.saturating_add(lines));
            self.next = Some((at, line));
        }
        Ok(false)
    }
}

fn unsorted(name: &[u8], last: &[u8], line: u64) -> Finding {
    let [name, last] = [name, last].map(String::from_utf8_lossy);
    let what = format!("line {line}: refname '{name}' is less than previous refname '{last}'");
    Finding::error("packedRefUnsorted", exit::REFS, &what).at(PACKED_REFS)
}
