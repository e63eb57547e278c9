//! Looks for lines that were moved in a file, or copied from other files: `-M` and `-C`.

use super::contents::Contents;
use super::final_text::FinalText;
use super::lines::Lines;
use crate::changes::Changes;
use crate::repository::Repository;
use packlens_base::error::Result;
use packlens_base::oid::ObjectId;
use packlens_diff::{Change, DiffOptions};
use packlens_format::object::Mode;

/// A file of a parent.
#[derive(Clone)]
pub(super) struct File {
    pub(super) path: Vec<u8>,
    pub(super) entry: (Mode, ObjectId),
}

/// Lines that a file has, too.
#[derive(Clone, Copy)]
struct Found {
    /// The place of the file.
    file: usize,
    lines: Lines,
    score: u32,
}

/// The search for the lines of one origin in the files of one parent.
pub(super) struct Search {
    /// The changes since the parent whose old files are searched, until they are known.
    listing: Option<Changes>,
    /// A path that was searched before.
    skipped: Option<Vec<u8>>,
    pub(super) files: Vec<File>,
    /// The next file.
    next: usize,
    /// Lines that are sought, and the best that was found for each.
    sought: Vec<(Lines, Option<Found>)>,
    /// Lines that were sought and not found.
    pub(super) left: Vec<Lines>,
    /// Lines that were found, each with the place of its file.
    pub(super) found: Vec<(usize, Lines)>,
    /// Lines that say too little to be sought.
    pub(super) small: Vec<Lines>,
    /// Lines must say more than this.
    least: u32,
}

impl Search {
    /// Seeks lines in one file.
    pub(super) fn in_file(lines: Vec<Lines>, file: File, least: u32) -> Search {
        Search { files: vec![file], ..Search::new(lines, least) }
    }

    /// Seeks lines in the old files of changes, except for one path.
    pub(super) fn in_changes(
        lines: Vec<Lines>,
        changes: Changes,
        skipped: Option<Vec<u8>>,
        least: u32,
    ) -> Search {
        Search { listing: Some(changes), skipped, ..Search::new(lines, least) }
    }

    fn new(lines: Vec<Lines>, least: u32) -> Search {
        Search {
            listing: None,
            skipped: None,
            files: Vec::new(),
            next: 0,
            sought: lines.into_iter().map(|lines| (lines, None)).collect(),
            left: Vec::new(),
            found: Vec::new(),
            small: Vec::new(),
            least,
        }
    }

    /// Searches until all is found. If bytes are missing, it resumes at the file.
    ///
    /// # Errors
    ///
    /// Missing files and bytes; errors of reading; those of comparing texts.
    pub(super) fn run(
        &mut self,
        repository: &mut Repository,
        contents: &mut Contents,
        text: &FinalText,
        options: &DiffOptions,
    ) -> Result<()> {
        self.list(repository)?;
        while !self.sought.is_empty() {
            while let Some(file) = self.files.get(self.next) {
                repository.files.step()?;
                let place = self.next;
                for (lines, best) in &mut self.sought {
                    let changes = contents.changes_to(
                        repository,
                        &file.entry.1,
                        text.text(lines),
                        options,
                    )?;
                    if let Some(found) = longest(lines, &changes, text) {
                        if best.is_none_or(|best| best.score <= found.1) {
                            *best = Some(Found { file: place, lines: found.0, score: found.1 });
                        }
                    }
                }
                self.next = self.next.saturating_add(1);
            }
            self.next = 0;
            self.split(text);
        }
        Ok(())
    }

    /// Lists the files to search.
    fn list(&mut self, repository: &mut Repository) -> Result<()> {
        let Some(listing) = &mut self.listing else {
            return Ok(());
        };
        while let Some(change) = listing.next(repository)? {
            let Some(entry) = change.sides[0] else { continue };
            let path = change.old_path();
            if !entry.0.is_gitlink() && self.skipped.as_deref() != Some(path) {
                self.files.push(File { path: path.to_vec(), entry });
            }
        }
        self.listing = None;
        Ok(())
    }

    /// Takes what was found; what is around it is sought again.
    fn split(&mut self, text: &FinalText) {
        for (lines, best) in std::mem::take(&mut self.sought) {
            let Some(best) = best.filter(|best| best.score > self.least) else {
                self.left.push(lines);
                continue;
            };
            self.found.push((best.file, best.lines));
            let before = best.lines.at.saturating_sub(lines.at);
            let end = before.saturating_add(best.lines.count);
            for (start, end) in [(0, before), (end, lines.count)] {
                let part = Lines {
                    at: lines.at.saturating_add(start),
                    origin_at: lines.origin_at.saturating_add(start),
                    count: end.saturating_sub(start),
                    ..lines
                };
                match text.score(&part) > self.least {
                    _ if part.count == 0 => {}
                    true => self.sought.push((part, None)),
                    false => self.small.push(part),
                }
            }
        }
    }

    pub(super) fn memory(&self) -> u64 {
        let paths =
            self.files.iter().map(|file| file.path.capacity()).fold(0, usize::saturating_add);
        let files = self.files.capacity().saturating_mul(size_of::<File>());
        let listing = self.listing.as_ref().map_or(0, Changes::memory);
        listing.saturating_add(paths.saturating_add(files) as u64)
    }
}

/// Returns the lines that say most among those that did not change, and their score; of several,
/// the last.
fn longest(lines: &Lines, changes: &[Change], text: &FinalText) -> Option<(Lines, u32)> {
    let mut best: Option<(Lines, u32)> = None;
    let mut from = [0, 0];
    let ends = changes.iter().map(|change| change.after.start as u32).chain([lines.count]);
    let next = changes.iter().map(|change| [change.before.end as u32, change.after.end as u32]);
    for (end, next) in ends.zip(next.chain([[0, 0]])) {
        let [old, start] = from;
        from = next;
        if start >= lines.count || start >= end {
            continue;
        }
        let same = Lines {
            at: lines.at.saturating_add(start),
            origin_at: old,
            count: end.saturating_sub(start),
            ignored: lines.ignored,
        };
        let score = text.score(&same);
        if best.is_none_or(|(_, best)| best <= score) {
            best = Some((same, score));
        }
    }
    best
}

/// Splits off the lines that say too little.
pub(super) fn without_small(
    lines: Vec<Lines>,
    text: &FinalText,
    least: u32,
) -> (Vec<Lines>, Vec<Lines>) {
    lines.into_iter().partition(|lines| text.score(lines) > least)
}
