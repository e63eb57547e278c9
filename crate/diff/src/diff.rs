//! A comparison of two texts, and its answers.

use crate::changes::{self, Change};
use crate::hunks::{Grouping, Hunk};
use crate::lines::Lines;
use crate::options::DiffOptions;
use crate::patch::{print_header, print_line, LineKind};
use crate::same_tail::without_same_tail;
use crate::texts::Texts;
use packlens_base::regex::Regex;
use packlens_base::Result;

/// The differences between two texts.
#[derive(Debug)]
pub struct TextDiff<'a> {
    before: Lines<'a>,
    after: Lines<'a>,
    changes: Vec<Change>,
    hunks: Vec<Hunk<'a>>,
}

/// How many lines a patch adds and removes, as `git diff --numstat` counts.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct LineCounts {
    /// Lines of the new text that are printed with `+`.
    pub added: usize,
    /// Lines of the old text that are printed with `-`.
    pub removed: usize,
}

impl<'a> TextDiff<'a> {
    /// Compares two texts.
    ///
    /// # Errors
    ///
    /// [`Limit`](packlens_base::ErrorKind::Limit) if a text is longer than 1023 MiB, or the
    /// comparison takes more than [`most_steps`](DiffOptions::most_steps).
    pub fn new(before: &'a [u8], after: &'a [u8], options: &DiffOptions) -> Result<TextDiff<'a>> {
        TextDiff::ignoring(before, after, options, &[])
    }

    /// Compares two texts; leaves out changes with nothing but lines, each with its line feed, in
    /// which one of some expressions is found: `-I`. As blank lines, they are still printed near
    /// other changes.
    ///
    /// # Errors
    ///
    /// As [`TextDiff::new`]; searches take steps, too.
    pub fn ignoring(
        before: &'a [u8],
        after: &'a [u8],
        options: &DiffOptions,
        ignored: &[Regex],
    ) -> Result<TextDiff<'a>> {
        let [before, after] = match options.context {
            0 if !options.function_context => without_same_tail(before, after),
            _ => [before, after],
        };
        // Each of these is a function of its own in the module: engines compile a function again as a
        // whole, and one of all of them took longer to compile than most patches to make.
        let texts = Texts::new(before, after)?;
        let changes = changes::find(&texts, options)?;
        let Texts { before, after, .. } = texts;
        let hunks = Grouping::new(&changes, &before, &after, options, ignored)?.hunks();
        Ok(TextDiff { before, after, changes, hunks })
    }

    /// Returns what has changed, in order; also blank lines that are ignored.
    pub fn changes(&self) -> &[Change] {
        &self.changes
    }

    /// Returns the hunks in order.
    pub fn hunks(&self) -> &[Hunk<'a>] {
        &self.hunks
    }

    /// Returns the lines of a hunk, each with its line feed if it has one.
    pub fn lines(&self, hunk: &Hunk) -> impl Iterator<Item = (LineKind, &'a [u8])> + '_ {
        use LineKind::{Added, Context, Removed};
        let mut end = hunk.after.start;
        let changes = self.changes.get(hunk.changes.clone()).unwrap_or_default();
        let parts = changes.iter().flat_map(move |change| {
            let same = end..change.after.start;
            end = change.after.end;
            [(Context, same), (Removed, change.before.clone()), (Added, change.after.clone())]
        });
        let last = changes.last().map_or(hunk.after.start, |change| change.after.end);
        parts.chain([(Context, last..hunk.after.end)]).flat_map(|(kind, range)| {
            let lines = if kind == Removed { &self.before } else { &self.after };
            range.map(move |at| (kind, lines.get(at)))
        })
    }

    /// Returns all lines that are removed or added, each with its line feed if it has one.
    pub fn changed_lines(&self) -> impl Iterator<Item = &'a [u8]> + '_ {
        self.changes.iter().flat_map(|change| {
            let removed = change.before.clone().map(|at| self.before.get(at));
            removed.chain(change.after.clone().map(|at| self.after.get(at)))
        })
    }

    /// Returns how many lines the hunks add and remove.
    pub fn counts(&self) -> LineCounts {
        let mut counts = LineCounts::default();
        for hunk in &self.hunks {
            for change in self.changes.get(hunk.changes.clone()).unwrap_or_default() {
                counts.added = counts.added.saturating_add(change.after.len());
                counts.removed = counts.removed.saturating_add(change.before.len());
            }
        }
        counts
    }

    /// Returns the hunks as `git diff` prints them, without the names of the files.
    pub fn patch(&self) -> Vec<u8> {
        let mut out = Vec::new();
        for hunk in &self.hunks {
            print_header(hunk, &mut out);
            self.lines(hunk).for_each(|(kind, line)| print_line(kind, line, &mut out));
        }
        out
    }
}
