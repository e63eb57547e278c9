//! What a commit-graph reckons for a commit: its generation numbers.

/// The numbers of a commit, as its row tells them.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Numbers {
    /// Seconds since 1970, of which a graph keeps 34 bits.
    pub date: u64,
    /// Its topological level: how many commits there are at most down to a root, with
    /// itself; 0 if not known.
    pub level: u32,
    /// Its corrected date; `None` if the graph does not tell that of all commits.
    pub corrected: Option<u64>,
}

/// Levels go no further than this.
pub(crate) const MOST_LEVEL: u32 = (1 << 30) - 1;

impl Numbers {
    /// Tells whether level and corrected date are those that git reckons from the parents:
    /// <https://git-scm.com/docs/gitformat-commit-graph#_chunk_data>.
    pub fn follow(&self, parents: impl Iterator<Item = Numbers>) -> bool {
        let (mut level, mut corrected) = (0u32, 0u64);
        for parent in parents {
            level = level.max(parent.level);
            corrected = corrected.max(parent.corrected.unwrap_or(0));
        }
        let corrected = corrected.saturating_add(1).max(self.date);
        self.level == level.saturating_add(1).min(MOST_LEVEL)
            && self.corrected.is_none_or(|own| own == corrected)
    }

    /// Returns the number that is greater than those of all that the commit leads to.
    pub fn generation(&self) -> u64 {
        self.corrected.unwrap_or(self.level.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(date: u64, level: u32, corrected: u64) -> Numbers {
        Numbers { date, level, corrected: Some(corrected) }
    }

    #[test]
    fn a_root_is_at_the_first_level() {
        let follows = |own: Numbers| own.follow(std::iter::empty());
        assert!(follows(numbers(1000, 1, 1000)));
        // git makes one second of none.
        assert!(follows(numbers(0, 1, 1)));
        for wrong in [numbers(1000, 2, 1000), numbers(1000, 1, 1001), numbers(1000, 0, 1000)] {
            assert!(!follows(wrong), "{wrong:?}");
        }
    }

    #[test]
    fn a_commit_is_one_above_the_highest_of_its_parents() {
        let parents = [numbers(1000, 7, 1000), numbers(3000, 2, 3000)];
        let follows = |own: Numbers| own.follow(parents.into_iter());
        assert!(follows(numbers(2000, 8, 3001)));
        assert!(follows(numbers(3001, 8, 3001)));
        assert!(follows(numbers(4000, 8, 4000)));
        assert!(follows(Numbers { date: 0, level: 8, corrected: None }));
        for wrong in [numbers(2000, 7, 3001), numbers(2000, 9, 3001), numbers(2000, 8, 3000)] {
            assert!(!follows(wrong), "{wrong:?}");
        }
        let highest = Numbers { date: 0, level: MOST_LEVEL, corrected: None };
        assert!(highest.follow([highest].into_iter()));
    }
}
