//! Files of the work tree that were renamed: their new paths alone are in the index.

use super::scan::WorktreeChange;
use crate::changes::{OriginKind, RenameOptions, Renames, TreeChange, MAX_SCORE};
use crate::repository::Repository;
use crate::worktree::Tracked;
use packlens_base::error::Result;
use packlens_base::oid::ObjectId;
use packlens_format::object::Mode;

/// Connects added files with deleted ones of the same content; the changes of the latter are
/// removed.
///
/// # Errors
///
/// [`Limit`](packlens_base::ErrorKind::Limit) for more changes than memory holds.
#[inline(never)]
pub(super) fn connect(
    changes: &mut Vec<WorktreeChange>,
    tracked: &Tracked,
    options: RenameOptions,
    repository: &mut Repository,
) -> Result<()> {
    if changes.iter().all(|change| added_id(change).is_none()) {
        return Ok(());
    }
    // The contents of the work tree are no objects that could be compared.
    let mut renames = Renames::new(RenameOptions { score: MAX_SCORE, ..options }, None);
    for change in &*changes {
        let Some((entry, path)) = tracked.get(change.entry) else {
            continue;
        };
        let sides = match (change.letter, added_id(change), change.mode) {
            (b'D', ..) if !entry.intent_to_add => [Some((Mode(entry.mode), entry.id)), None],
            (_, Some(id), Some(mode)) => [None, Some((mode, id))],
            _ => continue,
        };
        let change = TreeChange { sides, path: path.to_vec(), origin: None };
        renames.add(change, repository.memory())?;
    }
    while let Some(found) = renames.next(repository)? {
        let Some(origin) = found.origin.filter(|origin| origin.kind == OriginKind::Renamed) else {
            continue;
        };
        let all = 0..tracked.len();
        let (new, old) =
            (tracked.of(&found.path, &all).start, tracked.of(&origin.path, &all).start);
        changes.retain(|change| change.entry != old);
        if let Some(change) = changes.iter_mut().find(|change| change.entry == new) {
            (change.letter, change.origin) = (b'R', Some(old));
        }
    }
    Ok(())
}

/// Returns the id of the content of a file whose path alone was added, if that was read.
fn added_id(change: &WorktreeChange) -> Option<ObjectId> {
    change.content.filter(|_| change.letter == b'A')
}
