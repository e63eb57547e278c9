//! A file whose lines are searched.

use super::expression::{Expression, Hit};
use super::{GrepAnswer, GrepOptions, GrepRecord, Record};
use packlens_base::appender::Output;
use packlens_base::error::Result;

/// How many lines one step visits at most.
const MOST_LINES: u32 = 1 << 12;

pub(super) struct SearchedFile {
    path: Vec<u8>,
    content: Vec<u8>,
    is_binary: bool,
    /// Whether it is known that each alternative matches a line.
    has_all: bool,
    /// The next line: its beginning, and its number from 1.
    at: usize,
    number: u32,
    /// How many lines matched.
    count: u32,
    /// The numbers of the last line that matched, and of the last one that was listed; or 0.
    last_hit: u32,
    last_shown: u32,
    /// Lists lines until the function ends.
    in_function: bool,
    /// Lines before this are known to be of the function.
    peeked: usize,
}

impl SearchedFile {
    pub(super) fn new(path: Vec<u8>, content: Vec<u8>, is_binary: bool) -> SearchedFile {
        SearchedFile {
            path,
            content,
            is_binary,
            has_all: false,
            at: 0,
            number: 1,
            count: 0,
            last_hit: 0,
            last_shown: 0,
            in_function: false,
            peeked: 0,
        }
    }

    pub(super) fn memory(&self) -> u64 {
        self.content.capacity().saturating_add(self.path.capacity()) as u64
    }

    /// Searches the next lines; returns whether the file is complete.
    pub(super) fn step(
        &mut self,
        options: &GrepOptions,
        expression: &mut Expression,
        out: &mut Output,
    ) -> Result<bool> {
        if options.all_match && !self.has_all {
            if !self.has_all_alternatives(expression)? {
                return Ok(true);
            }
            self.has_all = true;
        }
        for _ in 0..MOST_LINES {
            let is_near = self.in_function
                || (self.last_hit > 0
                    && self.number <= self.last_hit.saturating_add(options.after));
            let next = expression.next_line(&self.content, self.at);
            let jumps = !options.invert && !is_near;
            match next {
                // git does not find the line after the last line feed then.
                Some(next) if options.all_match && next >= self.content.len() => {
                    return self.end(options, out);
                }
                // Lines without a match are passed at once.
                Some(next) if jumps => self.pass_to(next),
                None if jumps => return self.end(options, out),
                _ if self.at >= self.content.len() => return self.end(options, out),
                _ => {}
            }
            let is_full = options.max_count.is_some_and(|most| self.count >= most);
            if is_full && !is_near {
                return self.end(options, out);
            }
            let hit = match next == Some(self.at) {
                true => expression.hit(self.line(self.at), options.columns)?,
                false => Hit::default(),
            };
            // More matches than there may be are lines near the last one.
            if hit.is_hit != options.invert && !is_full {
                if self.found(hit, options, expression, out)? {
                    return Ok(true);
                }
            } else {
                self.near(hit, options, expression, out)?;
            }
            self.pass_line();
        }
        Ok(false)
    }

    /// Handles a line that is listed; returns whether the file is complete.
    fn found(
        &mut self,
        hit: Hit,
        options: &GrepOptions,
        expression: &mut Expression,
        out: &mut Output,
    ) -> Result<bool> {
        self.count = self.count.saturating_add(1);
        let kind = match options.answer {
            GrepAnswer::Files => Some(GrepRecord::File),
            GrepAnswer::FilesWithout => return Ok(true),
            GrepAnswer::Counts => return Ok(false),
            GrepAnswer::Lines if self.is_binary => Some(GrepRecord::Binary),
            GrepAnswer::Lines => None,
        };
        if let Some(kind) = kind {
            self.append(kind, 0, out)?;
            return Ok(true);
        }
        if options.before > 0 || options.function_context {
            self.before(options, expression, out)?;
        } else if options.function {
            self.function_above(self.at, self.number, options, expression, out)?;
        }
        let column = if options.invert { hit.inverted() } else { hit.column };
        let column = column_of(options.columns.then(|| column.unwrap_or(0)));
        let (at, number) = (self.at, self.number);
        self.show(GrepRecord::Match, (at, number), column, options, expression, out)?;
        self.last_hit = number;
        self.in_function = options.function_context;
        Ok(false)
    }

    /// Handles a line that is not listed itself. Where it has a match, of an inverted search or
    /// after the last one that counts, its column is that of the match, as in git.
    fn near(
        &mut self,
        hit: Hit,
        options: &GrepOptions,
        expression: &mut Expression,
        out: &mut Output,
    ) -> Result<()> {
        if self.in_function && self.peeked <= self.at {
            // Empty lines belong to the function only if more of it follows.
            let mut at = self.at;
            while at < self.content.len() && is_blank(self.line(at)) {
                at = self.after(at);
            }
            self.peeked = at;
            if at >= self.content.len() || is_function(self.line(at)) {
                self.in_function = false;
            }
        }
        let is_after =
            self.last_hit > 0 && self.number <= self.last_hit.saturating_add(options.after);
        if self.in_function || is_after {
            let line = (self.at, self.number);
            let column = column_of(hit.column.filter(|_| options.columns));
            self.show(GrepRecord::Context, line, column, options, expression, out)?;
        }
        Ok(())
    }

    /// Lists the lines before a match.
    fn before(
        &mut self,
        options: &GrepOptions,
        expression: &mut Expression,
        out: &mut Output,
    ) -> Result<()> {
        let least = self.last_shown.saturating_add(1);
        let wanted = self.number.saturating_sub(options.before).max(least).max(1);
        let mut first = wanted;
        let (mut needs_function, mut needs_comment) = (options.function, false);
        if options.function_context {
            needs_comment = is_function(self.line(self.at));
            needs_function = !needs_comment;
            first = least;
        }
        let (mut at, mut number) = (self.at, self.number);
        let mut function = 0;
        while at > 0 && number > first {
            let below = (at, number);
            at = self.start_above(at);
            number = number.saturating_sub(1);
            if needs_comment && (is_blank(self.line(at)) || is_function(self.line(at))) {
                needs_comment = false;
                first = wanted;
                if number < first {
                    (at, number) = below;
                    break;
                }
            }
            if needs_function && is_function(self.line(at)) {
                function = number;
                needs_function = false;
                match options.function_context {
                    true => needs_comment = true,
                    false => first = wanted,
                }
            }
        }
        // The name of the function may be above the lines that are listed.
        if options.function && needs_function {
            self.function_above(at, number, options, expression, out)?;
        }
        while number < self.number {
            let kind = match number == function {
                true => GrepRecord::Function,
                false => GrepRecord::Context,
            };
            self.show(kind, (at, number), 0, options, expression, out)?;
            at = self.after(at);
            number = number.saturating_add(1);
        }
        Ok(())
    }

    /// Lists the line with the name of the function, if it was not listed yet.
    fn function_above(
        &mut self,
        mut at: usize,
        mut number: u32,
        options: &GrepOptions,
        expression: &mut Expression,
        out: &mut Output,
    ) -> Result<()> {
        while at > 0 {
            at = self.start_above(at);
            number = number.saturating_sub(1);
            if number <= self.last_shown {
                break;
            }
            if is_function(self.line(at)) {
                let line = (at, number);
                return self.show(GrepRecord::Function, line, 0, options, expression, out);
            }
        }
        Ok(())
    }

    fn show(
        &mut self,
        kind: GrepRecord,
        (at, number): (usize, u32),
        column: u32,
        options: &GrepOptions,
        expression: &mut Expression,
        out: &mut Output,
    ) -> Result<()> {
        self.last_shown = number;
        let spans = match options.columns {
            true => expression.spans(self.line(at))?,
            false => Vec::new(),
        };
        let (path, line) = (self.path.as_slice(), self.line(at));
        Record { kind, number, column, spans: &spans, path, line }.append(out)
    }

    fn append(&self, kind: GrepRecord, number: u32, out: &mut Output) -> Result<()> {
        let path = self.path.as_slice();
        Record { kind, number, column: 0, spans: &[], path, line: b"" }.append(out)
    }

    fn end(&self, options: &GrepOptions, out: &mut Output) -> Result<bool> {
        match options.answer {
            GrepAnswer::FilesWithout => self.append(GrepRecord::File, 0, out)?,
            GrepAnswer::Counts if self.count > 0 => {
                self.append(GrepRecord::Count, self.count, out)?;
            }
            _ => {}
        }
        Ok(true)
    }

    fn has_all_alternatives(&self, expression: &mut Expression) -> Result<bool> {
        let all = expression.all_alternatives()?;
        let (mut at, mut found) = (0, 0);
        while at < self.content.len() && found != all {
            found |= expression.alternatives(self.line(at))?;
            at = self.after(at);
        }
        Ok(found == all)
    }

    /// Returns the line that begins at a position, without its end.
    fn line(&self, at: usize) -> &[u8] {
        let rest = self.content.get(at..).unwrap_or_default();
        let end = rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
        rest.get(..end).unwrap_or_default()
    }

    /// Returns where the line after that at a position begins.
    fn after(&self, at: usize) -> usize {
        at.saturating_add(self.line(at).len()).saturating_add(1)
    }

    /// Returns where the line before that at a position begins.
    fn start_above(&self, at: usize) -> usize {
        let before = self.content.get(..at.saturating_sub(1)).unwrap_or_default();
        let feed = before.iter().rposition(|byte| *byte == b'\n');
        feed.map_or(0, |feed| feed.saturating_add(1))
    }

    fn pass_line(&mut self) {
        self.at = self.after(self.at);
        self.number = self.number.saturating_add(1);
    }

    fn pass_to(&mut self, next: usize) {
        let passed = self.content.get(self.at..next).unwrap_or_default();
        let feeds = passed.iter().filter(|byte| **byte == b'\n').count();
        self.number = self.number.saturating_add(feeds as u32);
        self.at = next;
    }
}

/// Returns whether a line is the beginning of a function, by git's rule for any language.
fn is_function(line: &[u8]) -> bool {
    line.first().is_some_and(|byte| byte.is_ascii_alphabetic() || b"_$".contains(byte))
}

fn is_blank(line: &[u8]) -> bool {
    line.iter().all(|byte| matches!(byte, b' ' | b'\t' | b'\r' | b'\n'))
}

/// Returns the column of a byte of a line, from 1; 0 for none.
fn column_of(byte: Option<usize>) -> u32 {
    byte.map_or(0, |byte| byte.saturating_add(1) as u32)
}
