//! Hunks in which words are compared, not lines: `--word-diff`.

use crate::diff::TextDiff;
use crate::hunks::Hunk;
use crate::options::DiffOptions;
use crate::patch::{print_header, LineKind};
use crate::words::{Finder, WordRule, Words};
use packlens_base::Result;

/// How changed words are printed.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct WordStyle {
    /// What is around them.
    pub marks: WordMarks,
    /// Whether they have the colors of a terminal, and so the first lines of hunks.
    pub colors: bool,
}

/// What is printed around changed words.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum WordMarks {
    /// Each run of words is a line, after a sign as in a patch; `~` is the end of a line.
    #[default]
    Porcelain,
    /// Brackets: `[-removed-]{+added+}`.
    Plain,
    /// Nothing: colors are enough.
    None,
}

/// What is printed before and after a run of words.
struct Run {
    color: &'static str,
    start: &'static str,
    end: &'static str,
}

const RESET: &str = "\x1b[m";

impl WordMarks {
    fn run(self, kind: LineKind) -> Run {
        let (color, sign, brackets) = match kind {
            LineKind::Removed => ("\x1b[31m", "-", ["[-", "-]"]),
            LineKind::Added => ("\x1b[32m", "+", ["{+", "+}"]),
            LineKind::Context => ("", " ", ["", ""]),
        };
        let [start, end] = match self {
            WordMarks::Porcelain => [sign, "\n"],
            WordMarks::Plain => brackets,
            WordMarks::None => ["", ""],
        };
        Run { color, start, end }
    }

    fn line_feed(self) -> &'static str {
        if self == WordMarks::Porcelain {
            "~\n"
        } else {
            "\n"
        }
    }
}

impl TextDiff<'_> {
    /// Returns the hunks as [`TextDiff::patch`] does, with words of changed lines compared.
    ///
    /// # Errors
    ///
    /// [`Limit`](packlens_base::ErrorKind::Limit) if looking for words, or comparing those of a
    /// change, takes more than `most_steps`.
    pub fn word_patch(
        &self,
        rule: &WordRule,
        style: WordStyle,
        most_steps: u64,
    ) -> Result<Vec<u8>> {
        let mut printer =
            Printer { style, finder: rule.finder(most_steps), most_steps, out: Vec::new() };
        for hunk in self.hunks() {
            printer.header(hunk);
            let (mut old, mut new) = (Vec::new(), Vec::new());
            for (kind, line) in self.lines(hunk) {
                match kind {
                    LineKind::Removed => append_line(line, &mut old),
                    LineKind::Added => append_line(line, &mut new),
                    LineKind::Context => {
                        printer.change(&mut old, &mut new)?;
                        printer.context(line);
                    }
                }
            }
            printer.change(&mut old, &mut new)?;
        }
        Ok(printer.out)
    }
}

/// Appends a line with a line feed, as git does to the last one.
fn append_line(line: &[u8], text: &mut Vec<u8>) {
    text.extend_from_slice(line);
    if line.last() != Some(&b'\n') {
        text.push(b'\n');
    }
}

struct Printer<'r> {
    style: WordStyle,
    finder: Finder<'r>,
    most_steps: u64,
    out: Vec<u8>,
}

impl Printer<'_> {
    fn header(&mut self, hunk: &Hunk) {
        if !self.style.colors {
            return print_header(hunk, &mut self.out);
        }
        self.out.extend_from_slice(b"\x1b[36m");
        print_header(&Hunk { heading: &[], ..hunk.clone() }, &mut self.out);
        self.out.pop();
        self.text(RESET);
        if !hunk.heading.is_empty() {
            self.text(" ");
            self.text(RESET);
            self.out.extend_from_slice(hunk.heading);
            self.text(RESET);
        }
        self.text("\n");
    }

    fn text(&mut self, text: &str) {
        self.out.extend_from_slice(text.as_bytes());
    }

    /// Prints an unchanged line.
    fn context(&mut self, line: &[u8]) {
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        let is_porcelain = self.style.marks == WordMarks::Porcelain;
        self.text(if is_porcelain { " " } else { "" });
        let text = line.strip_suffix(b"\r").unwrap_or(line);
        self.out.extend_from_slice(text);
        let has_color = self.style.colors && (is_porcelain || !text.is_empty());
        self.text(if has_color { RESET } else { "" });
        self.text(if text.len() < line.len() { "\r" } else { "" });
        self.text(if is_porcelain { "\n~\n" } else { "\n" });
    }

    /// Prints changed lines, and empties them.
    fn change(&mut self, old: &mut Vec<u8>, new: &mut Vec<u8>) -> Result<()> {
        // Removed lines alone are no words between unchanged spaces.
        if new.is_empty() {
            self.run(LineKind::Removed, old);
        } else {
            let before = self.finder.words(old)?;
            let after = self.finder.words(new)?;
            self.words(&before, &after)?;
        }
        old.clear();
        new.clear();
        Ok(())
    }

    fn words(&mut self, before: &Words, after: &Words) -> Result<()> {
        let options = DiffOptions {
            context: 0,
            indent_heuristic: false,
            most_steps: self.most_steps,
            ..DiffOptions::default()
        };
        let (old, new) = (before.as_lines(), after.as_lines());
        let mut printed = 0;
        for change in TextDiff::new(&old, &new, &options)?.changes() {
            let [removed, added] = [before.extent(&change.before), after.extent(&change.after)];
            self.run(LineKind::Context, after.text.get(printed..added.start).unwrap_or_default());
            self.run(LineKind::Removed, before.text.get(removed).unwrap_or_default());
            printed = added.end;
            self.run(LineKind::Added, after.text.get(added).unwrap_or_default());
        }
        self.run(LineKind::Context, after.text.get(printed..).unwrap_or_default());
        Ok(())
    }

    /// Prints a part of a text, each line of it alone.
    fn run(&mut self, kind: LineKind, text: &[u8]) {
        let Run { color, start, end } = self.style.marks.run(kind);
        let has_color = self.style.colors && !color.is_empty();
        let [color, reset] = if has_color { [color, RESET] } else { ["", ""] };
        for line in text.split_inclusive(|byte| *byte == b'\n') {
            let content = line.strip_suffix(b"\n").unwrap_or(line);
            if !content.is_empty() {
                self.text(color);
                self.text(start);
                self.out.extend_from_slice(content);
                self.text(end);
                self.text(reset);
            }
            if content.len() < line.len() {
                self.text(self.style.marks.line_feed());
            }
        }
    }
}
