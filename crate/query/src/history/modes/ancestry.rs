//! Keeps only the commits between the excluded ones and the tips: `--ancestry-path`.

use super::marks::{ANCESTRY, LEFT, SHOWN, TEMPORARY};
use super::Modes;
use crate::history::commits::{Commits, Number};
use crate::history::marks::{BOTTOM, UNINTERESTING};
use crate::history::topological::{sort, SortBy};
use packlens_base::error::{Error, ErrorKind, Result};

impl Modes {
    /// Marks the commits that the caller named; if none were, takes the excluded tips.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::BadInput`] if there are neither.
    pub(in crate::history) fn set_bottoms(
        &mut self,
        commits: &Commits,
        tips: &[Number],
    ) -> Result<()> {
        if !self.options.ancestry_path {
            return Ok(());
        }
        self.bottoms.iter().for_each(|number| self.marks.set(*number, ANCESTRY));
        if self.bottoms.is_empty() {
            let excluded = tips.iter().copied().filter(|tip| commits.has(*tip, BOTTOM));
            self.bottoms = excluded.collect();
        }
        if self.bottoms.is_empty() {
            let what = "an ancestry path needs a commit that is excluded, or one that is named";
            return Err(Error::new(ErrorKind::BadInput, what));
        }
        Ok(())
    }

    /// Hides the commits of the side of `a...b` that is not requested. They are followed like
    /// others.
    pub(in crate::history) fn hide_side(&mut self, list: &[Number]) {
        for number in list {
            let is_left = self.marks.has(*number, LEFT);
            if (self.options.left_only && !is_left) || (self.options.right_only && is_left) {
                self.marks.set(*number, SHOWN);
            }
        }
    }

    /// Excludes the commits of a list that are not on a path from a bottom to a tip.
    pub(in crate::history) fn limit_to_ancestry(&mut self, commits: &mut Commits, list: &[Number]) {
        if !self.options.ancestry_path {
            return;
        }
        for bottom in &self.bottoms {
            self.marks.set(*bottom, TEMPORARY);
        }
        // Parents come before their children.
        for number in sort(commits, list, SortBy::Lines).into_iter().rev() {
            let mut parents = commits.parents(number).map(|place| commits.edge(place));
            if !commits.has(number, UNINTERESTING)
                && parents.any(|parent| self.marks.has(parent, TEMPORARY))
            {
                self.marks.set(number, TEMPORARY);
            }
        }
        for number in list {
            if !self.marks.has(*number, TEMPORARY | ANCESTRY) {
                commits.set(*number, UNINTERESTING);
            }
        }
        for number in list.iter().chain(&self.bottoms) {
            self.marks.unset(*number, TEMPORARY | ANCESTRY);
        }
    }
}
