//! Files that changed so much that they count as deleted and new.

use super::change::{Entry, MAX_SCORE};
use super::similarity::{part, spans_of};
use super::RewriteScores;
use crate::repository::Repository;
use packlens_base::error::Result;
use packlens_format::object::ObjectType;

/// Smaller files are not split.
const LEAST_SIZE: u64 = 400;

/// A file whose additions are smaller than one part in this many of what was removed, and of what
/// was kept, was only shortened.
const SHORTENED: u64 = 20;

/// Returns how much of the old content counts as gone, 0 if the halves are one file again unless
/// both are used; `None` if the file is not split.
///
/// # Errors
///
/// Missing files and bytes: provide them and call again. The errors of reading.
pub(super) fn split_score(
    [old, new]: [Entry; 2],
    scores: RewriteScores,
    repository: &mut Repository,
) -> Result<Option<u32>> {
    let is_blob = |entry: Entry| entry.0.object_type() == ObjectType::Blob;
    if !is_blob(old) || !is_blob(new) {
        return Ok(None);
    }
    if old.0.is_file() != new.0.is_file() {
        return Ok(Some(MAX_SCORE));
    }
    if old.1 == new.1 {
        return Ok(None);
    }
    let size = |entry: Entry, repository: &mut Repository| {
        Ok(repository.odb.info(&mut repository.files, &entry.1)?.size)
    };
    let old_size = size(old, repository)?;
    let new_size = size(new, repository)?;
    let most = old_size.max(new_size);
    if most < LEAST_SIZE || old_size == 0 {
        return Ok(None);
    }
    let old_spans = spans_of(&old.1, repository)?;
    let shared = old_spans.shared_with(&spans_of(&new.1, repository)?);
    let copied = shared.copied.min(old_size);
    let added = shared.added.min(new_size.saturating_sub(copied));
    let removed = old_size.saturating_sub(copied);
    let gone = part(removed, old_size);
    if gone <= scores.split {
        let changed = removed.saturating_add(added);
        let is_little = part(changed, most) < scores.split;
        let small = added.saturating_mul(SHORTENED);
        let is_shortened =
            gone_exactly(removed, old_size, scores.split) && small < removed && small < copied;
        if is_little || is_shortened {
            return Ok(None);
        }
    }
    Ok(Some(if gone < scores.rewritten { 0 } else { gone }))
}

/// Returns whether more than `score` of a content is gone, without rounding.
fn gone_exactly(removed: u64, size: u64, score: u32) -> bool {
    size.saturating_mul(u64::from(score)) < removed.saturating_mul(u64::from(MAX_SCORE))
}
