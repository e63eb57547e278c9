//! Whether the refs of a `packed-refs` are in the order of their names. Tools that sort
//! by a language's rules write files that say so, and are not.

use super::packed::PackedRefs;
use super::RefRecord;
use crate::block::{BlockSource, FileId, Files};
use crate::error::Result;
use std::cell::RefCell;
use std::rc::Rc;

/// How large a file may be that says it is sorted, to be gone over all the same. A larger
/// one is believed: else finding one ref would read all of them.
const MOST_CHECKED: u64 = 256 << 10;

/// The same, where each read is a round trip: it is read as a whole anyway.
const MOST_CHECKED_REMOTE: u64 = 1 << 15;

/// What is known of the file that was gone over last. A copy knows what the others do.
#[derive(Clone, Default)]
pub(super) struct PackedOrder(Rc<RefCell<Option<Known>>>);

struct Known {
    file: FileId,
    /// Up to there it was gone over; the last ref was `name`.
    at: u64,
    name: Vec<u8>,
    in_order: bool,
}

impl PackedOrder {
    /// Tells whether the refs of a file are in order: what the file says, if it says that
    /// they are and is too large to go over it.
    ///
    /// # Errors
    ///
    /// Missing bytes: provide them and ask again.
    pub(super) fn is_in_order<S: BlockSource>(
        &self,
        files: &Files,
        file: FileId,
        refs: &PackedRefs<'_, S>,
    ) -> Result<bool> {
        let traits = refs.traits();
        let most = if files.is_high_latency(file) { MOST_CHECKED_REMOTE } else { MOST_CHECKED };
        if traits.sorted && refs.size() > most {
            return Ok(true);
        }
        let mut known = self.0.borrow_mut();
        let known = match &mut *known {
            Some(known) if known.file == file => known,
            none => {
                let begun = Known { file, at: traits.start, name: Vec::new(), in_order: true };
                none.insert(begun)
            }
        };
        let mut record = RefRecord::default();
        while known.at < refs.size() && known.in_order {
            match refs.record_at(known.at, &mut record) {
                Ok(next) => {
                    known.in_order = record.name > known.name;
                    std::mem::swap(&mut record.name, &mut known.name);
                    known.at = next;
                }
                Err(error) if error.is_missing() => return Err(error),
                // Whoever comes to a damaged line is told.
                Err(_) => known.at = refs.size(),
            }
        }
        Ok(known.in_order)
    }
}
