//! What a line consists of: its pairs of neighbouring characters.

use crate::lines::is_space;
use packlens_base::sort;

/// The pairs of neighbouring characters in a line, each with how often it occurs, in the order
/// of the pairs. Letters count as lower case, white space and the ends as one character.
#[derive(Clone, Debug, Default)]
pub(super) struct Pairs {
    counts: Vec<(u16, u32)>,
    /// The sum of the counts.
    total: u32,
}

impl Pairs {
    pub(super) fn new(line: &[u8]) -> Pairs {
        let folded = line.iter().map(|byte| match is_space(*byte) {
            true => 0,
            false => byte.to_ascii_lowercase(),
        });
        let after = folded.clone().chain([0]);
        let pairs = [0].into_iter().chain(folded).zip(after);
        let mut pairs: Vec<u64> =
            pairs.map(|(one, next)| u16::from_le_bytes([one, next]).into()).collect();
        pairs.retain(|pair| *pair != 0);
        sort::numbers(&mut pairs);
        let runs = pairs.chunk_by(|one, other| one == other);
        let counts = runs.filter_map(|run| Some((*run.first()? as u16, run.len() as u32)));
        Pairs { counts: counts.collect(), total: pairs.len() as u32 }
    }

    /// Returns how many pairs two lines have in common.
    pub(super) fn shared(&self, other: &Pairs) -> u32 {
        let mut rest = other.counts.iter().peekable();
        let common = self.counts.iter().map(|(pair, count)| {
            while rest.next_if(|(first, _)| first < pair).is_some() {}
            rest.next_if(|(first, _)| first == pair).map_or(0, |(_, has)| *has.min(count))
        });
        common.fold(0, u32::saturating_add)
    }

    /// Returns the most pairs that the line can share with another one.
    pub(super) fn most_shared(&self, other: &Pairs) -> u32 {
        self.total.min(other.total)
    }

    /// Takes the pairs of another line away.
    pub(super) fn subtract(&mut self, other: &Pairs) {
        let mut rest = other.counts.iter().peekable();
        self.counts.retain_mut(|(pair, count)| {
            while rest.next_if(|(first, _)| first < pair).is_some() {}
            let taken = rest.next_if(|(first, _)| first == pair).map_or(0, |(_, has)| *has);
            *count = count.saturating_sub(taken);
            *count > 0
        });
        self.total = self.counts.iter().map(|(_, count)| *count).fold(0, u32::saturating_add);
    }

    pub(super) fn memory(&self) -> usize {
        self.counts.capacity().saturating_mul(size_of::<(u16, u32)>())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_and_kinds_of_white_space_do_not_matter() {
        let [one, other] = [b"If (A)\n".as_slice(), b"\tif\t(a)  "].map(Pairs::new);
        assert_eq!(one.counts, other.counts);
        assert_eq!(one.shared(&other), 7);
    }

    #[test]
    fn pairs_are_shared_as_often_as_both_lines_have_them() {
        let [many, few] = [b"ababab".as_slice(), b"abab"].map(Pairs::new);
        assert_eq!([many.shared(&few), few.shared(&many)], [5, 5]);
        assert_eq!([many.shared(&many), Pairs::new(b"").shared(&many)], [7, 0]);
        assert!(many.shared(&few) <= many.most_shared(&few));
    }

    #[test]
    fn subtracted_pairs_are_gone() {
        let mut line = Pairs::new(b"ababab");
        line.subtract(&Pairs::new(b"ab ab"));
        // Of three `ab` one is left, and both `ba`; of the ends nothing.
        let left: Vec<_> =
            line.counts.iter().map(|(pair, count)| (pair.to_le_bytes(), *count)).collect();
        assert_eq!(left, [(*b"ba", 2), (*b"ab", 1)]);
        assert_eq!(line.total, 3);
    }
}
