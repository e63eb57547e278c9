//! Checks whether the refs of a `packed-refs` file are sorted by name. Tools that sort by the
//! rules of a locale write files that claim to be sorted and are not.

use super::packed::PackedRefs;
use super::RefRecord;
use packlens_base::block::{BlockSource, FileId, Files};
use packlens_base::error::Result;
use std::cell::RefCell;
use std::rc::Rc;

/// The largest file that is checked although it claims to be sorted, in bytes. A larger one is
/// trusted: otherwise a look-up of one ref would read all of them.
const MOST_CHECKED: u64 = 256 << 10;

/// The same limit for high-latency files, which are read whole up to this size anyway.
const MOST_CHECKED_REMOTE: u64 = 1 << 15;

/// The result of the last check. Clones share it.
#[derive(Clone, Default)]
pub(super) struct PackedOrder(Rc<RefCell<Option<CheckedOrder>>>);

struct CheckedOrder {
    file: FileId,
    /// The offset up to which the file was checked; the last ref there was `name`.
    at: u64,
    name: Vec<u8>,
    in_order: bool,
}

impl PackedOrder {
    /// Returns whether the refs of a file are sorted. A large file that claims to be sorted is
    /// trusted.
    ///
    /// # Errors
    ///
    /// Missing bytes: provide them and call again.
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
                let begun =
                    CheckedOrder { file, at: traits.start, name: Vec::new(), in_order: true };
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
                // The damaged line is reported when it is read.
                Err(_) => known.at = refs.size(),
            }
        }
        Ok(known.in_order)
    }
}
