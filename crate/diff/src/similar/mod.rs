//! Which lines of an old text became the lines of a change, by their characters: what
//! `git blame --ignore-rev` guesses.

mod matching;
mod pairs;

use crate::changes::Change;
use crate::lines::Lines;
use matching::Matching;
use packlens_base::Result;
use pairs::Pairs;

/// Lines that were not matched with one of the same change must share as many pairs of characters
/// with another line of the old text.
const LEAST_SHARED: u32 = 10;

/// Finds similar lines, change by change. What a line was matched for does not count again.
#[derive(Debug)]
pub struct SimilarLines {
    old: Vec<Pairs>,
    new: Vec<Pairs>,
    /// The change that is worked on.
    change: Change,
    matching: Option<Matching>,
    /// The old line of each line that was asked for so far.
    found: Vec<Option<u32>>,
}

impl SimilarLines {
    /// Prepares the comparison of two texts.
    ///
    /// # Errors
    ///
    /// As [`TextDiff::new`](crate::TextDiff::new).
    pub fn new(old: &[u8], new: &[u8]) -> Result<SimilarLines> {
        let pairs_of =
            |text| -> Result<Vec<Pairs>> { Ok(Lines::new(text)?.iter().map(Pairs::new).collect()) };
        Ok(SimilarLines {
            old: pairs_of(old)?,
            new: pairs_of(new)?,
            change: Change { before: 0..0, after: 0..0 },
            matching: None,
            found: Vec::new(),
        })
    }

    /// Begins with a change; the texts' changes must come in order.
    pub fn begin(&mut self, change: &Change) {
        self.change = change.clone();
        self.matching = Matching::new(change.before.len(), change.after.len());
        self.found.clear();
    }

    /// Works on the change; returns whether all of its lines were looked at.
    pub fn step(&mut self) -> bool {
        let Change { before, after } = self.change.clone();
        let parent = self.old.get_mut(before).unwrap_or_default();
        let child = self.new.get(after).unwrap_or_default();
        if self.matching.as_mut().is_some_and(|matching| !matching.step(parent, child)) {
            return false;
        }
        let at = self.found.len();
        if at >= self.change.after.len() {
            return true;
        }
        let matched = self.matching.as_ref().and_then(|matching| matching.found(at));
        let line = matched.map(|line| line.saturating_add(self.change.before.start));
        let found = line.or_else(|| self.elsewhere(self.change.after.start.saturating_add(at)));
        self.found.push(found.map(|line| line as u32));
        self.found.len() >= self.change.after.len()
    }

    /// Returns, for each line of the change in the new text, the old line that it is most like.
    pub fn found(&self) -> &[Option<u32>] {
        &self.found
    }

    /// Returns the old line that a new one is most like; of several, the last of the nearest.
    fn elsewhere(&self, line: usize) -> Option<usize> {
        let new = self.new.get(line)?;
        let (mut most, mut best) = (LEAST_SHARED, None);
        for (at, old) in self.old.iter().enumerate() {
            if new.most_shared(old) < most {
                continue;
            }
            let shared = new.shared(old);
            let is_nearer = |best: usize| at.abs_diff(line) <= best.abs_diff(line);
            if shared > most || (shared == most && best.is_none_or(is_nearer)) {
                (most, best) = (shared, Some(at));
            }
        }
        best
    }

    /// Returns how many bytes of memory this takes.
    pub fn memory(&self) -> u64 {
        let pairs = self.old.iter().chain(&self.new).map(Pairs::memory);
        let pairs = pairs.fold(0, usize::saturating_add);
        let lines = self.old.capacity().saturating_add(self.new.capacity());
        let lines = lines.saturating_mul(size_of::<Pairs>());
        let found = self.found.capacity().saturating_mul(8);
        let matching = self.matching.as_ref().map_or(0, Matching::memory);
        pairs.saturating_add(lines).saturating_add(found).saturating_add(matching) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{DiffOptions, TextDiff};

    fn found(old: &str, new: &str) -> Vec<Vec<Option<u32>>> {
        let [old, new] = [old.as_bytes(), new.as_bytes()];
        let mut similar = SimilarLines::new(old, new).unwrap();
        let options = DiffOptions { context: 0, ..DiffOptions::default() };
        let diff = TextDiff::new(old, new, &options).unwrap();
        let lines = diff.changes().iter().map(|change| {
            similar.begin(change);
            while !similar.step() {}
            similar.found().to_vec()
        });
        lines.collect()
    }

    #[test]
    fn lines_are_matched_in_their_order() {
        let old = "first(one);\nsecond(two);\nthird(three);\n";
        let new = "  first( one );\n  new\n  third( three );\n";
        assert_eq!(found(old, new), [[Some(0), None, Some(2)]]);
    }

    #[test]
    fn a_line_that_nothing_replaced_is_sought_elsewhere() {
        let old = "a long line to be found\nsame\nx\n";
        let new = "same\nx\nA long  line to be found\n?\n";
        assert_eq!(found(old, new), [vec![], vec![Some(0), None]]);
    }

    #[test]
    fn what_a_line_was_matched_for_does_not_count_again() {
        let old = "return value;\n";
        let new = "return  value;\nreturn value ;\n";
        // Both are like the old line, which is used up by the first.
        assert_eq!(found(old, new), [[Some(0), None]]);
    }
}
