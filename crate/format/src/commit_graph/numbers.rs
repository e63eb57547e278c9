//! The generation numbers that a commit-graph has of a commit.

/// The date and the generation numbers of a commit.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Numbers {
    /// The commit date in seconds since 1970, modulo 2^34.
    pub date: u64,
    /// The topological level: the number of commits on the longest path to a root, both ends
    /// included; 0 if it is not known.
    pub level: u32,
    /// The corrected commit date; `None` if not all layers have them.
    pub corrected: Option<u64>,
}

/// The highest level; descendants of a commit at this level have it too.
pub const MOST_LEVEL: u32 = (1 << 30) - 1;

impl Numbers {
    /// Returns whether level and corrected date are what git computes from the parents:
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

    /// Returns the generation number, which is greater than those of all ancestors.
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
        // git's corrected date is at least 1.
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
