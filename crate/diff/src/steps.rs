//! How long a comparison may take.

use packlens_base::{Error, ErrorKind, Result};

/// The steps that a comparison may still take.
#[derive(Debug)]
pub(crate) struct Steps(u64);

impl Steps {
    pub(crate) fn new(most: u64) -> Steps {
        Steps(most)
    }

    /// Takes some steps.
    pub(crate) fn take(&mut self, count: usize) -> Result<()> {
        match self.0.checked_sub(count as u64) {
            Some(left) => {
                self.0 = left;
                Ok(())
            }
            None => Err(Error::new(
                ErrorKind::Limit,
                "comparing these texts takes too many steps: raise `most_steps`, or choose the \
                 algorithm `myers`",
            )),
        }
    }
}
