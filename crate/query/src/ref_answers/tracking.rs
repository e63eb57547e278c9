//! Reports the upstream of a branch, and the remote it is pushed to.

use crate::repository::Repository;
use crate::tracking::Tracking;
use packlens_base::appender::{Append, Output};
use packlens_base::error::Result;

impl Repository {
    /// Appends the fields of a branch, given by its full name: the upstream ref, its remote,
    /// its name on that remote, the remote-tracking ref of the push destination, and the
    /// configured push remote. Each field comes after its length in 4 bytes, and is empty if
    /// there is none.
    ///
    /// # Errors
    ///
    /// Missing files and bytes; a damaged `packed-refs` or table.
    pub fn tracking(&mut self, name: &[u8], out: &mut Output) -> Result<()> {
        let Some(branch) = name.strip_prefix(b"refs/heads/") else {
            return Ok(());
        };
        let tracking = Tracking::read(&self.files, &self.limits())?;
        let upstream = match tracking.upstream(branch, true) {
            Ok(name) => self.refs.expand(&self.files, &name)?.map_or(name, |record| record.name),
            Err(_) => Vec::new(),
        };
        let (remote, there) = tracking.remote_of(branch).unwrap_or_default();
        let push = tracking.push(branch, true).unwrap_or_default();
        let push_remote = tracking.pushed_to(branch).unwrap_or_default();
        let mut appender = out.appender();
        for field in [upstream.as_slice(), remote, there, &push, push_remote] {
            appender.string(field)?;
        }
        Ok(())
    }
}
