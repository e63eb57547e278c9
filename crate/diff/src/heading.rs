//! The line that is printed after `@@`: in which function a hunk is.

use crate::driver::{Driver, HeadingRule};
use crate::lines::{trim_end, Lines};

/// The longest heading, in bytes.
const LONGEST: usize = 80;

/// Finds the headings of hunks, from the first one to the last.
pub(crate) struct Headings<'l, 'a> {
    lines: &'l Lines<'a>,
    rule: Option<HeadingRule>,
    /// Lines before this one were searched.
    searched: usize,
    found: &'a [u8],
}

impl<'l, 'a> Headings<'l, 'a> {
    pub(crate) fn new(lines: &'l Lines<'a>, driver: Option<Driver>) -> Headings<'l, 'a> {
        Headings { lines, rule: driver.map(HeadingRule::of), searched: 0, found: &[] }
    }

    /// Returns whether a line looks like the start of a function.
    pub(crate) fn is_start(&mut self, line: &[u8]) -> bool {
        match &mut self.rule {
            None => is_heading(line),
            Some(rule) => rule.heading(line).is_some(),
        }
    }

    /// Returns the heading of a hunk that begins with a line of the old text.
    pub(crate) fn before(&mut self, start: usize) -> &'a [u8] {
        let unsearched = self.searched..start;
        let mut lines = unsearched.rev().map(|at| self.lines.get(at));
        let found = match &mut self.rule {
            None => lines.find(|line| is_heading(line)),
            Some(rule) => lines.find_map(|line| rule.heading(line)),
        };
        if let Some(line) = found {
            self.found = trim_end(line.get(..LONGEST).unwrap_or(line));
        }
        self.searched = self.searched.max(start);
        without_invalid(self.found)
    }
}

/// Returns whether a line looks like the start of a function: git's rule for files of any kind.
fn is_heading(line: &[u8]) -> bool {
    line.first().is_some_and(|byte| byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'$'))
}

/// Returns the text before the first bytes that are not valid UTF-8, as git prints it. For git
/// U+FFFE and U+FFFF are not valid either.
fn without_invalid(text: &[u8]) -> &[u8] {
    let valid = match std::str::from_utf8(text) {
        Ok(_) => text.len(),
        Err(error) => error.valid_up_to(),
    };
    let last = text.windows(3).position(|bytes| matches!(bytes, b"\xef\xbf\xbe" | b"\xef\xbf\xbf"));
    text.get(..last.unwrap_or(valid).min(valid)).unwrap_or(text)
}
