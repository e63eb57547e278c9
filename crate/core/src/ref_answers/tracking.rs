//! What a branch builds on and is pushed to.

use crate::appender::{Append, Output};
use crate::error::Result;
use crate::repository::Repository;
use crate::tracking::Tracking;

impl Repository {
    /// Appends what is known of a branch, named in full: the ref that it builds on, the
    /// remote of that and what it is called there, the ref that follows what it is pushed
    /// to, and the remote that is said to be for that. Each is behind its length in 4 bytes, and empty if
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
