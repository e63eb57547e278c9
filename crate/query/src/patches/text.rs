//! Two contents compared.

use super::PatchKind;
use packlens_base::appender::{Append, Output};
use packlens_base::error::Result;
use packlens_diff::{is_binary, replacement, DiffOptions, LineCounts, TextDiff};

/// The result of a comparison.
#[derive(Default)]
pub(super) struct Compared {
    pub(super) kind: PatchKind,
    counts: LineCounts,
    pub(super) hunks: Vec<u8>,
}

impl Compared {
    /// Compares two texts.
    ///
    /// # Errors
    ///
    /// Those of [`TextDiff::new`].
    pub(super) fn of(old: &[u8], new: &[u8], options: &DiffOptions) -> Result<Compared> {
        let diff = TextDiff::new(old, new, options)?;
        Ok(Compared { kind: PatchKind::Text, counts: diff.counts(), hunks: diff.patch() })
    }

    /// Replaces all lines of a text.
    ///
    /// # Errors
    ///
    /// Those of [`packlens_diff::replacement`].
    pub(super) fn rewritten(old: &[u8], new: &[u8]) -> Result<Compared> {
        let (counts, hunks) = replacement(old, new)?;
        Ok(Compared { kind: PatchKind::Text, counts, hunks })
    }

    pub(super) fn without_hunks(kind: PatchKind) -> Compared {
        Compared { kind, ..Compared::default() }
    }

    /// Appends the kind and the numbers of added and removed lines, 4 bytes each.
    pub(super) fn append_numbers(&self, to: &mut impl Append) -> Result<()> {
        to.u32(self.kind as u32)?;
        to.u32(self.counts.added as u32)?;
        to.u32(self.counts.removed as u32)
    }
}

/// The patch between two texts that the caller has.
pub struct TextPatch {
    old: Vec<u8>,
    new: Vec<u8>,
    options: DiffOptions,
}

impl TextPatch {
    /// Creates the question.
    pub fn new(old: Vec<u8>, new: Vec<u8>, options: DiffOptions) -> TextPatch {
        TextPatch { old, new, options }
    }

    /// Appends the kind of the patch, and how many lines it adds and removes (4 bytes each), and
    /// its hunks.
    ///
    /// # Errors
    ///
    /// Those of [`TextDiff::new`].
    pub fn fill(&mut self, out: &mut Output) -> Result<()> {
        let compared = match is_binary(&self.old) || is_binary(&self.new) {
            true => Compared::without_hunks(PatchKind::Binary),
            false => Compared::of(&self.old, &self.new, &self.options)?,
        };
        let mut to = out.appender();
        compared.append_numbers(&mut to)?;
        to.bytes(&compared.hunks)
    }

    /// Returns how many bytes of memory this takes.
    pub fn memory(&self) -> u64 {
        self.old.capacity().saturating_add(self.new.capacity()) as u64
    }
}
