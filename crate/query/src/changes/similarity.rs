//! How similar files are.

use super::change::{Entry, MAX_SCORE};
use crate::repository::Repository;
use packlens_base::error::Result;
use packlens_base::oid::ObjectId;
use packlens_diff::Spans;
use packlens_format::object::ObjectType;

/// Spans of sources may take one part in this many of the memory ceiling.
const SPANS_SHARE: u64 = 8;

/// What is known of the sources, and of the target that is compared with them.
#[derive(Default)]
pub(super) struct Similarity {
    sources: Vec<Known>,
    target: Option<(usize, Known)>,
    held: u64,
}

#[derive(Default)]
struct Known {
    size: Option<u64>,
    spans: Option<Spans>,
}

impl Known {
    /// Returns the size of a content, without reading the content.
    fn size(&mut self, id: &ObjectId, repository: &mut Repository) -> Result<u64> {
        let size = match (self.size, &self.spans) {
            (Some(size), _) => size,
            (None, Some(spans)) => spans.content_len(),
            (None, None) => repository.odb.info(&mut repository.files, id)?.size,
        };
        self.size = Some(size);
        Ok(size)
    }
}

impl Similarity {
    /// Returns the score of a source and a target, each with its place; 0 if it cannot reach
    /// `least`.
    ///
    /// # Errors
    ///
    /// Missing files and bytes: provide them and call again. The errors of reading.
    pub(super) fn score(
        &mut self,
        (source, old): (usize, Entry),
        (target, new): (usize, Entry),
        least: u32,
        repository: &mut Repository,
    ) -> Result<u32> {
        if !old.0.is_file() || !new.0.is_file() {
            return Ok(0);
        }
        if self.target.as_ref().is_none_or(|(known, _)| *known != target) {
            self.target = Some((target, Known::default()));
        }
        while self.sources.len() <= source {
            self.sources.push(Known::default());
        }
        let Similarity { sources, target: Some((_, to)), held } = self else {
            return Ok(0);
        };
        let Some(from) = sources.get_mut(source) else {
            return Ok(0);
        };
        let sizes = [from.size(&old.1, repository)?, to.size(&new.1, repository)?];
        let [least_size, most_size] = [sizes[0].min(sizes[1]), sizes[0].max(sizes[1])];
        let differ = most_size.saturating_sub(least_size).saturating_mul(u64::from(MAX_SCORE));
        let may_differ = most_size.saturating_mul(u64::from(MAX_SCORE.saturating_sub(least)));
        if may_differ < differ {
            return Ok(0);
        }
        let to_spans = match to.spans.take() {
            Some(spans) => spans,
            None => spans_of(&new.1, repository)?,
        };
        let to_spans = to.spans.insert(to_spans);
        if let Some(spans) = &from.spans {
            return Ok(score_of(spans, to_spans));
        }
        let spans = spans_of(&old.1, repository)?;
        let score = score_of(&spans, to_spans);
        let holds = held.saturating_add(spans.memory());
        if holds <= repository.memory() / SPANS_SHARE {
            (*held, from.spans) = (holds, Some(spans));
        }
        Ok(score)
    }

    pub(super) fn memory(&self) -> u64 {
        let known = self.sources.capacity().saturating_mul(size_of::<Known>()) as u64;
        let target = self.target.as_ref().and_then(|(_, known)| known.spans.as_ref());
        known.saturating_add(self.held).saturating_add(target.map_or(0, Spans::memory))
    }
}

/// Reads a content and returns its spans.
pub(super) fn spans_of(id: &ObjectId, repository: &mut Repository) -> Result<Spans> {
    Ok(Spans::of(&repository.read_similar(id, ObjectType::Blob, repository.verify)?))
}

fn score_of(old: &Spans, new: &Spans) -> u32 {
    let most = old.content_len().max(new.content_len());
    part(old.shared_with(new).copied, most)
}

/// Returns a part of a whole as a score; 0 of nothing.
pub(super) fn part(bytes: u64, whole: u64) -> u32 {
    let scaled = bytes.saturating_mul(u64::from(MAX_SCORE));
    scaled.checked_div(whole).unwrap_or(0) as u32
}
