//! Matches the lines of one change with those that it replaced: the most certain match first,
//! whose lines part the others into those before and those after them.

use super::pairs::Pairs;
use std::ops::Range;

/// How many lines before and after the place where a line is expected are looked at.
const REACH: usize = 10;

/// Of lines that are equally similar, the one nearest to the expected place wins.
const NEARNESS: u64 = 1000;

/// What is known of a new line.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Match {
    Unknown,
    /// It has nothing in common with any line in its reach.
    Nothing,
    Found {
        certainty: u64,
        best: usize,
        second: usize,
    },
}

/// Lines that may be matched with each other.
type Part = (Range<usize>, Range<usize>);

#[derive(Debug)]
pub(super) struct Matching {
    /// The old and the new lines.
    counts: [usize; 2],
    reach: usize,
    /// How far new lines are apart that may look at the same old one.
    new_reach: usize,
    matches: Vec<Match>,
    /// How similar each new line is to the old ones in its reach, once it is known.
    similarities: Vec<Option<u64>>,
    /// The parts that are left, the next one last.
    parts: Vec<Part>,
}

impl Matching {
    /// Prepares the matching of a number of old lines with a number of new ones; `None` if there
    /// is nothing to match.
    pub(super) fn new(old: usize, new: usize) -> Option<Matching> {
        let reach = REACH.min(old.checked_sub(1)?);
        let width = reach.saturating_mul(2).saturating_add(1);
        let new_reach = width.saturating_mul(new).checked_sub(1)?.checked_div(old)?;
        Some(Matching {
            counts: [old, new],
            reach,
            new_reach,
            matches: vec![Match::Unknown; new],
            similarities: vec![None; width.saturating_mul(new)],
            parts: vec![(0..old, 0..new)],
        })
    }

    /// Makes the most certain match of a part; returns whether no parts are left.
    pub(super) fn step(&mut self, old: &mut [Pairs], new: &[Pairs]) -> bool {
        let Some(part) = self.parts.pop() else {
            return true;
        };
        if let Some((line, best)) = self.most_certain(&part, old, new) {
            if let (Some(old), Some(new)) = (old.get_mut(best), new.get(line)) {
                old.subtract(new);
            }
            self.forget(&part.1, line, best);
            let (olds, news) = part;
            let after = line.saturating_add(1);
            if after < news.end {
                self.parts.push((best..olds.end, after..news.end));
            }
            if line > news.start {
                self.parts.push((olds.start..best.saturating_add(1), news.start..line));
            }
        }
        self.parts.is_empty()
    }

    /// Returns the old line that a new one was matched with.
    pub(super) fn found(&self, line: usize) -> Option<usize> {
        match self.matches.get(line) {
            Some(Match::Found { best, .. }) => Some(*best),
            _ => None,
        }
    }

    /// Returns the new line of a part whose match is the most certain, and its old line.
    fn most_certain(
        &mut self,
        (olds, news): &Part,
        old: &[Pairs],
        new: &[Pairs],
    ) -> Option<(usize, usize)> {
        let (mut most, mut found) = (0, None);
        for line in news.clone() {
            if self.matches.get(line) == Some(&Match::Unknown) {
                let match_ = self.match_of(line, olds, old, new);
                if let Some(known) = self.matches.get_mut(line) {
                    *known = match_;
                }
            }
            if let Some(Match::Found { certainty, best, .. }) = self.matches.get(line) {
                if *certainty > most {
                    (most, found) = (*certainty, Some((line, *best)));
                }
            }
        }
        found
    }

    /// Matches a new line with the old ones of a part.
    fn match_of(
        &mut self,
        line: usize,
        olds: &Range<usize>,
        old: &[Pairs],
        new: &[Pairs],
    ) -> Match {
        let expected = self.expected(line);
        let from = expected.saturating_sub(self.reach).max(olds.start);
        let to = expected.saturating_add(self.reach).saturating_add(1).min(olds.end);
        let mut best = (0, olds.start);
        let mut second = best;
        for at in from..to {
            let Some(place) = self.place(line, at) else { continue };
            let Some(similarity) = self.similarities.get_mut(place) else { continue };
            let similarity = *similarity.get_or_insert_with(|| {
                let shared = new.get(line).zip(old.get(at)).map_or(0, |(new, old)| new.shared(old));
                let nearness = NEARNESS.saturating_sub(at.abs_diff(expected) as u64);
                u64::from(shared).saturating_mul(nearness)
            });
            if similarity > best.0 {
                (second, best) = (best, (similarity, at));
            } else if similarity > second.0 {
                second = (similarity, at);
            }
        }
        match best.0 {
            0 => Match::Nothing,
            // A line that is very similar to two is still better than one slightly similar to one.
            most => Match::Found {
                certainty: most.saturating_mul(2).saturating_sub(second.0),
                best: best.1,
                second: second.1,
            },
        }
    }

    /// Forgets what a match made wrong: similarities with its old line, which has lost pairs, and
    /// matches that are in another order than it.
    fn forget(&mut self, news: &Range<usize>, line: usize, best: usize) {
        let from = line.saturating_sub(self.new_reach).max(news.start);
        let to = line.saturating_add(self.new_reach).saturating_add(1).min(news.end);
        for near in from..to {
            if let Some(place) = self.place(near, best) {
                if let Some(similarity) = self.similarities.get_mut(place) {
                    *similarity = None;
                }
            }
            let Some(known) = self.matches.get_mut(near) else { continue };
            let Match::Found { best: other, second, .. } = *known else { continue };
            let is_wrong = match near.cmp(&line) {
                std::cmp::Ordering::Less => other >= best || second >= best,
                std::cmp::Ordering::Equal => false,
                std::cmp::Ordering::Greater => other <= best || second <= best,
            };
            if is_wrong {
                *known = Match::Unknown;
            }
        }
    }

    /// Returns the old line where a new one is expected, if lines are spread evenly.
    fn expected(&self, line: usize) -> usize {
        let [old, new] = self.counts;
        let middle = line.saturating_mul(2).saturating_add(1).saturating_mul(old);
        middle.checked_div(new.saturating_mul(2)).unwrap_or(0)
    }

    /// Returns the place of a similarity; `None` if the old line is out of reach.
    fn place(&self, line: usize, old: usize) -> Option<usize> {
        let offset = old.saturating_add(self.reach).checked_sub(self.expected(line))?;
        let width = self.reach.saturating_mul(2).saturating_add(1);
        (offset < width).then(|| line.saturating_mul(width).saturating_add(offset))
    }

    pub(super) fn memory(&self) -> usize {
        let matches = self.matches.capacity().saturating_mul(size_of::<Match>());
        let similarities = self.similarities.capacity().saturating_mul(size_of::<Option<u64>>());
        let parts = self.parts.capacity().saturating_mul(size_of::<Part>());
        matches.saturating_add(similarities).saturating_add(parts)
    }
}
