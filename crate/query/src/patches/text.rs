//! Two contents compared.

use super::PatchKind;
use packlens_base::appender::{Append, Output};
use packlens_base::error::Result;
use packlens_base::regex::{Regex, Syntax};
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
    /// Those of [`TextDiff::ignoring`].
    pub(super) fn of(
        old: &[u8],
        new: &[u8],
        options: &DiffOptions,
        ignored: &[Regex],
    ) -> Result<Compared> {
        let diff = TextDiff::ignoring(old, new, options, ignored)?;
        Ok(Compared { kind: PatchKind::Text, counts: diff.counts(), hunks: diff.patch() })
    }

    /// Replaces all lines of a text; may leave out the old ones.
    ///
    /// # Errors
    ///
    /// Those of [`packlens_diff::replacement`].
    pub(super) fn rewritten(old: &[u8], new: &[u8], without_old: bool) -> Result<Compared> {
        let (counts, hunks) = replacement(old, new, without_old)?;
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

/// Compiles the expressions of lines whose changes do not count.
///
/// # Errors
///
/// [`ErrorKind::BadInput`](packlens_base::error::ErrorKind::BadInput) for a malformed one,
/// [`ErrorKind::Unsupported`](packlens_base::error::ErrorKind::Unsupported) and
/// [`ErrorKind::Limit`](packlens_base::error::ErrorKind::Limit) for others.
pub(super) fn compiled(patterns: &[Vec<u8>]) -> Result<Vec<Regex>> {
    let compile = |pattern: &Vec<u8>| {
        let regex = Regex::written(pattern, Syntax::Extended, false);
        regex.map(Regex::by_line).map_err(|refused| refused.about(pattern))
    };
    patterns.iter().map(compile).collect()
}

/// The patch between two texts that the caller has.
pub struct TextPatch {
    old: Vec<u8>,
    new: Vec<u8>,
    options: DiffOptions,
    ignored: Vec<Regex>,
}

impl TextPatch {
    /// Creates the question.
    pub fn new(old: Vec<u8>, new: Vec<u8>, options: DiffOptions) -> TextPatch {
        TextPatch { old, new, options, ignored: Vec::new() }
    }

    /// Leaves out changes: see [`Patches::ignoring`](super::Patches::ignoring).
    ///
    /// # Errors
    ///
    /// As there.
    pub fn ignoring(self, patterns: &[Vec<u8>]) -> Result<TextPatch> {
        Ok(TextPatch { ignored: compiled(patterns)?, ..self })
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
            false => Compared::of(&self.old, &self.new, &self.options, &self.ignored)?,
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
