//! The text whose lines are blamed.

use super::lines::Lines;
use packlens_diff::line_ends;

/// A text, and where its lines end.
#[derive(Default)]
pub(super) struct FinalText {
    text: Vec<u8>,
    ends: Vec<u32>,
}

impl FinalText {
    pub(super) fn new(text: Vec<u8>) -> FinalText {
        FinalText { ends: line_ends(&text), text }
    }

    /// Returns how many lines there are.
    pub(super) fn len(&self) -> u32 {
        self.ends.len() as u32
    }

    /// Returns the text of lines.
    pub(super) fn text(&self, lines: &Lines) -> &[u8] {
        let end_of = |count: u32| match count.checked_sub(1) {
            Some(last) => self.ends.get(last as usize).map_or(self.text.len(), |end| *end as usize),
            None => 0,
        };
        let range = end_of(lines.at)..end_of(lines.at.saturating_add(lines.count));
        self.text.get(range).unwrap_or_default()
    }

    /// Returns how much lines say: one more than their letters and digits, as git counts.
    pub(super) fn score(&self, lines: &Lines) -> u32 {
        let letters = self.text(lines).iter().filter(|byte| byte.is_ascii_alphanumeric());
        (letters.count() as u32).saturating_add(1)
    }

    pub(super) fn memory(&self) -> u64 {
        let ends = self.ends.capacity().saturating_mul(4);
        self.text.capacity().saturating_add(ends) as u64
    }
}
