//! All refs below a prefix, read one after the other over as many steps as it takes.

use super::{is_refname, RefCursor, RefRecord, Refs};
use crate::block::Files;
use crate::error::Result;

/// Gathers what a caller makes of each ref below a prefix, in git's order.
///
/// It keeps its place where bytes are missing, so that each ref is read once. Whoever
/// lists all refs within one step has to begin again for each file that is missing,
/// which takes quadratic time.
pub(crate) struct GatheredRefs<T> {
    cursor: RefCursor,
    /// The ref that was read, until something was made of it.
    head: Option<RefRecord>,
    gathered: Vec<T>,
}

impl<T> GatheredRefs<T> {
    /// Begins with the first ref whose name begins with `prefix`.
    pub(crate) fn new(refs: &Refs, prefix: &[u8]) -> GatheredRefs<T> {
        let mut cursor = refs.cursor();
        cursor.seek_prefix(prefix);
        GatheredRefs { cursor, head: None, gathered: Vec::new() }
    }

    /// Continues to the last ref, and returns all that was made; `make` returns `None`
    /// for a ref to be skipped. Refs whose names break git's rules are skipped too.
    ///
    /// # Errors
    ///
    /// Missing files, directories and bytes: provide them and call this again. A damaged
    /// `packed-refs` or table, and the errors of `make`.
    pub(crate) fn run(
        &mut self,
        files: &Files,
        mut make: impl FnMut(&RefRecord) -> Result<Option<T>>,
    ) -> Result<Vec<T>> {
        loop {
            if self.head.is_none() {
                let Some(record) = self.cursor.next(files)? else {
                    return Ok(std::mem::take(&mut self.gathered));
                };
                self.head = is_refname(&record.name).then(|| record.clone());
            }
            if let Some(record) = &self.head {
                self.gathered.extend(make(record)?);
            }
            self.head = None;
        }
    }

    /// Returns how many bytes of memory this takes.
    pub(crate) fn memory(&self) -> u64 {
        let gathered = self.gathered.capacity().saturating_mul(size_of::<T>()) as u64;
        self.cursor.memory().saturating_add(gathered)
    }
}
