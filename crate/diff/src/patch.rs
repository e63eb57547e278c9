//! Hunks as text: the part of a patch after the names of the files.

use crate::diff::LineCounts;
use crate::hunks::Hunk;
use crate::lines::Lines;
use packlens_base::Result;
use std::ops::Range;

/// What a line of a hunk is.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum LineKind {
    /// A line on both sides, as it is in the new text: the old one may differ in white space that
    /// is ignored.
    Context,
    /// A line of the old text.
    Removed,
    /// A line of the new text.
    Added,
}

/// Returns the hunk that replaces all lines of a text, and the numbers of its lines; it may be
/// without the old lines.
///
/// # Errors
///
/// [`Limit`](packlens_base::ErrorKind::Limit) if a text is longer than 1023 MiB.
pub fn replacement(
    before: &[u8],
    after: &[u8],
    without_old: bool,
) -> Result<(LineCounts, Vec<u8>)> {
    let (before, after) = (Lines::new(before)?, Lines::new(after)?);
    let counts = LineCounts { added: after.len(), removed: before.len() };
    let [mut old, new] = [&before, &after].map(|lines| position(&(0..lines.len())));
    if without_old {
        old = "?,?".into();
    }
    let mut out = format!("@@ -{old} +{new} @@\n").into_bytes();
    if !without_old {
        before.iter().for_each(|line| print_line(LineKind::Removed, line, &mut out));
    }
    after.iter().for_each(|line| print_line(LineKind::Added, line, &mut out));
    Ok((counts, out))
}

/// Appends the first line of a hunk.
pub(crate) fn print_header(hunk: &Hunk, out: &mut Vec<u8>) {
    let [old, new] = [&hunk.before, &hunk.after].map(position);
    out.extend(format!("@@ -{old} +{new} @@").bytes());
    if !hunk.heading.is_empty() {
        out.push(b' ');
        out.extend(hunk.heading);
    }
    out.push(b'\n');
}

/// Appends a line of a hunk.
pub(crate) fn print_line(kind: LineKind, line: &[u8], out: &mut Vec<u8>) {
    out.push(match kind {
        LineKind::Context => b' ',
        LineKind::Removed => b'-',
        LineKind::Added => b'+',
    });
    out.extend(line);
    if line.last() != Some(&b'\n') {
        out.extend(b"\n\\ No newline at end of file\n");
    }
}

/// Returns the number of the first line and how many there are; 1 is not printed. Of no lines,
/// git prints the number of the line before them.
fn position(lines: &Range<usize>) -> String {
    let first = lines.start.saturating_add(1);
    match lines.len() {
        0 => format!("{},0", lines.start),
        1 => format!("{first}"),
        len => format!("{first},{len}"),
    }
}
