//! A step of a list by bitmaps.

use crate::history::bitmap_walk::BitmapWalk;
use crate::history::commits::Commits;
use crate::repository::Repository;
use packlens_base::appender::{Append, Output};
use packlens_base::error::Result;

/// Takes a step of a walk by bitmaps; returns whether the list is complete because the count
/// was written.
#[inline(never)]
pub(super) fn reached_step(
    reached: &mut BitmapWalk,
    commits: &mut Commits,
    repository: &mut Repository,
    count: bool,
    out: &mut Output,
) -> Result<bool> {
    if !reached.step(commits, repository)? {
        return Ok(false);
    }
    commits.must_be_good(repository)?;
    if !count {
        return reached.begin_list(repository).map(|()| false);
    }
    let count = reached.count(repository)?;
    out.appender().bytes(format!("{count}\n").as_bytes())?;
    Ok(true)
}
