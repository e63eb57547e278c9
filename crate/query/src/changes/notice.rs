//! What was not looked for, because there are too many files.

use packlens_base::appender::{Append, Output};
use packlens_base::error::Result;

/// The number of the first of its two names in [`CHANGE_RECORDS`](super::CHANGE_RECORDS).
const FIRST_KIND: u32 = 4;

/// Says that renames of changed files were not looked for, as git warns.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct RenameNotice {
    /// The limit that would have sufficed.
    pub needed: u32,
    /// Whether copies of changed files were looked for, and only other files were left out.
    pub is_partial: bool,
}

impl RenameNotice {
    /// Appends the record that [`Changes::fill`](super::Changes::fill) explains.
    pub(crate) fn append(self, out: &mut Output) -> Result<()> {
        let kind = FIRST_KIND.saturating_add(u32::from(self.is_partial));
        let mut to = out.appender();
        [0, 0, kind, self.needed, 0, 0, 0].into_iter().try_for_each(|number| to.u32(number))
    }
}
