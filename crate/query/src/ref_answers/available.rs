//! Reports which refs can be created.

use crate::repository::Repository;
use packlens_base::appender::{Append, Output};
use packlens_base::error::Result;
use packlens_format::refs::CheckAvailable;

impl Repository {
    /// Appends for each name of a check: the number of the result
    /// ([`Availability::number`](packlens_format::refs::Availability::number), 4 bytes), the conflicting ref,
    /// and git's message, the latter two each after their length in 4 bytes.
    ///
    /// # Errors
    ///
    /// The errors of [`CheckAvailable::run`]; no memory for the output.
    pub fn check_available(&mut self, check: &mut CheckAvailable, out: &mut Output) -> Result<()> {
        let found = check.run(&self.refs, &self.files, &mut self.counts.refs)?;
        let mut appender = out.appender();
        for (name, availability) in found {
            appender.u32(availability.number())?;
            appender.string(availability.other())?;
            appender.string(&availability.message(name))?;
        }
        Ok(())
    }
}
