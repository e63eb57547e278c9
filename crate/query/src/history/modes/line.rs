//! The lines of a list that shows more of a commit than its id.

use super::marks::{Mark, BOUNDARY, LEFT, PATCH_SAME};
use super::{HistoryOptions, Modes};
use crate::history::commits::{Commits, Number};
use crate::repository::Repository;
use packlens_base::appender::{Append, Appender};
use packlens_base::error::Result;
use packlens_base::oid::{hex_digits, ObjectId};

impl Modes {
    /// Appends the line of a commit as `git rev-list` prints it: a mark, the id, the ids of its
    /// parents and of its children; then its source.
    pub(in crate::history) fn write_line(
        &self,
        commits: &Commits,
        repository: &Repository,
        number: Number,
        out: &mut Appender<'_>,
    ) -> Result<()> {
        // All ids are known before the first byte is written: some may have to be read.
        let mut ids = vec![commits.id(repository, number)?];
        if self.options.parents {
            for place in commits.parents(number) {
                ids.push(commits.id(repository, commits.edge(place))?);
            }
        }
        let parents = ids.len();
        for child in self.children_of(number) {
            ids.push(commits.id(repository, child)?);
        }
        let source = self.sources.of(number).map(|tip| commits.id(repository, tip)).transpose()?;
        out.bytes(mark(self.marks.of(number), &self.options))?;
        for (at, id) in ids.iter().enumerate() {
            if at > 0 {
                out.bytes(if at == parents && self.options.spaced { b"  " } else { b" " })?;
            }
            write_hex(id, out)?;
        }
        if let Some(source) = source {
            out.bytes(b"\t")?;
            write_hex(&source, out)?;
        }
        out.bytes(b"\n")
    }
}

fn mark(marks: Mark, options: &HistoryOptions) -> &'static [u8] {
    match marks {
        marks if marks & BOUNDARY != 0 => b"-",
        marks if marks & PATCH_SAME != 0 => b"=",
        marks if options.left_right && marks & LEFT != 0 => b"<",
        _ if options.left_right => b">",
        _ if options.cherry_mark => b"+",
        _ => b"",
    }
}

fn write_hex(id: &ObjectId, out: &mut Appender<'_>) -> Result<()> {
    for byte in id.as_bytes() {
        out.bytes(&hex_digits(*byte))?;
    }
    Ok(())
}
