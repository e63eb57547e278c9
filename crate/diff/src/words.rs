//! The words of a text.

#![allow(
    clippy::arithmetic_side_effects,
    reason = "places in a text, which is shorter than 2^30 bytes"
)]

use crate::driver::Driver;
use crate::lines::is_space;
use packlens_base::regex::{LinePart, Regex, Search, Syntax};
use packlens_base::Result;
use std::ops::Range;

/// What a word is.
#[derive(Default)]
pub enum WordRule {
    /// Characters other than white space.
    #[default]
    Spaces,
    /// What an expression matches. A word ends before a line feed.
    Matching(Regex),
}

impl WordRule {
    /// Compiles an extended regular expression.
    ///
    /// # Errors
    ///
    /// [`BadInput`](packlens_base::ErrorKind::BadInput) for a malformed one,
    /// [`Unsupported`](packlens_base::ErrorKind::Unsupported) and
    /// [`Limit`](packlens_base::ErrorKind::Limit) for others.
    pub fn matching(pattern: &[u8]) -> Result<WordRule> {
        let regex = Regex::written(pattern, Syntax::Extended, false);
        regex
            .map(|regex| WordRule::Matching(regex.by_line()))
            .map_err(|refused| refused.about(pattern))
    }

    /// Returns the rule of a language; [`WordRule::Spaces`] for one without words of its own.
    pub fn of(driver: Driver) -> WordRule {
        match driver.words() {
            // Any other character is a word of its own.
            Some(pattern) => {
                let pattern = format!("{pattern}|[^[:space:]]");
                WordRule::matching(pattern.as_bytes()).unwrap_or_default()
            }
            None => WordRule::Spaces,
        }
    }

    /// Begins to look for words, which takes so many steps at most.
    pub(crate) fn finder(&self, most_steps: u64) -> Finder<'_> {
        match self {
            WordRule::Spaces => Finder(None),
            WordRule::Matching(regex) => Finder(Some(regex.search(most_steps))),
        }
    }
}

/// Looks for words in several texts.
pub(crate) struct Finder<'r>(Option<Search<'r>>);

/// A text and its words.
pub(crate) struct Words<'a> {
    pub(crate) text: &'a [u8],
    words: Vec<Range<usize>>,
}

impl Finder<'_> {
    pub(crate) fn words<'a>(&mut self, text: &'a [u8]) -> Result<Words<'a>> {
        let mut words = Vec::new();
        let mut at = 0;
        while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
            let Some(found) = self.next(rest)? else { break };
            let word = rest.get(found.clone()).unwrap_or_default();
            let length = word.iter().position(|byte| *byte == b'\n').unwrap_or(word.len());
            let start = at + found.start;
            if length > 0 {
                words.push(start..start + length);
            }
            at = start + length.max(1);
        }
        Ok(Words { text, words })
    }

    fn next(&mut self, text: &[u8]) -> Result<Option<Range<usize>>> {
        if let Some(search) = &mut self.0 {
            return search.find(LinePart { text, is_start: true });
        }
        let is_word = |byte: &u8| !is_space(*byte);
        let Some(start) = text.iter().position(is_word) else { return Ok(None) };
        let rest = text.get(start..).unwrap_or_default();
        let length = rest.iter().position(|byte| is_space(*byte)).unwrap_or(rest.len());
        Ok(Some(start..start + length))
    }
}

impl Words<'_> {
    /// Returns a text in which each word is a line.
    pub(crate) fn as_lines(&self) -> Vec<u8> {
        let mut lines = Vec::new();
        for word in &self.words {
            lines.extend_from_slice(self.text.get(word.clone()).unwrap_or_default());
            lines.push(b'\n');
        }
        lines
    }

    /// Returns where some words are in the text, with what is between them. No words are where
    /// the word before them ends.
    pub(crate) fn extent(&self, words: &Range<usize>) -> Range<usize> {
        let end_of = |at: usize| at.checked_sub(1).and_then(|at| self.words.get(at));
        let end = end_of(words.end).map_or(0, |word| word.end);
        match self.words.get(words.start) {
            Some(first) if !words.is_empty() => first.start..end,
            _ => end..end,
        }
    }
}
