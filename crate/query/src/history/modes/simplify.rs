//! Whether a commit changed anything, compared with its parents.

use super::marks::{DECORATED, PULL};
use super::Modes;
use crate::history::commits::{Commits, Number};
use crate::history::marks::{SAME, UNINTERESTING};
use crate::repository::Repository;
use packlens_base::error::Result;
use packlens_format::object::ObjectType;

/// Parses a parent.
type Parse<'a> = &'a mut dyn FnMut(&mut Commits, &mut Repository, Number) -> Result<()>;

/// How a commit compares with its parents, so far.
#[derive(Default)]
struct Compared {
    /// A parent counts: it is not excluded, or it was excluded by name.
    any_relevant: bool,
    from_relevant: bool,
    from_others: bool,
}

impl Compared {
    fn add(&mut self, relevant: bool, differs: bool) {
        self.any_relevant |= relevant;
        match relevant {
            true => self.from_relevant |= differs,
            false => self.from_others |= differs,
        }
    }

    /// Returns whether the commit counts as a change. Parents that do not count decide only if
    /// there are no others.
    fn is_change(&self) -> bool {
        if self.any_relevant {
            self.from_relevant
        } else {
            self.from_others
        }
    }
}

impl Modes {
    /// Compares a commit with its first `most` parents, and marks it if it changed nothing. In
    /// the default mode, a parent that has the paths as the commit has them becomes the only
    /// parent, because the walk learns nothing from the others. Those are not parsed, as in git:
    /// what excludes a commit that is parsed also excludes its parents.
    ///
    /// # Errors
    ///
    /// Missing files and bytes: nothing has changed then. Errors of reading.
    pub(in crate::history) fn simplify(
        &mut self,
        commits: &mut Commits,
        repository: &mut Repository,
        (number, most): (Number, usize),
        parse: Parse<'_>,
    ) -> Result<()> {
        if !self.is_pruned() {
            return Ok(());
        }
        let parents = commits.parents(number);
        if parents.is_empty() {
            if !self.differs(commits, repository, (number, None), 0)? {
                commits.set(number, SAME);
            }
            return Ok(());
        }
        if self.options.sparse && parents.len() == 1 {
            return Ok(());
        }
        let mut compared = Compared::default();
        let mut same = Vec::new();
        let mut is_pull = false;
        for (at, place) in parents.clone().take(most).enumerate() {
            let parent = commits.edge(place);
            parse(commits, repository, parent)?;
            let differs = self.differs(commits, repository, (number, Some(parent)), at)?;
            let relevant = Modes::is_relevant(commits, parent);
            if !differs && relevant && self.options.prunes_merges() {
                commits.keep_parent(number, place);
                if at == 0 || !self.options.show_pulls {
                    commits.set(number, SAME);
                }
                return Ok(());
            }
            // Only the first parent of a commit has a filter of its own.
            let is_end = self.options.remove_empty && differs;
            if is_end && !self.differs(commits, repository, (parent, None), 1)? {
                commits.keep_first_parents(parent, 0);
            }
            is_pull |= differs && at == 0;
            compared.add(relevant, differs);
            same.push(!differs);
        }
        // Where git follows first parents, it looks whether the second one counts, though it
        // does not compare with it.
        let mut looked_at = parents.clone().take(most.max(2)).map(|place| commits.edge(place));
        compared.any_relevant = looked_at.any(|parent| Modes::is_relevant(commits, parent));
        if !compared.is_change() {
            commits.set(number, SAME);
        }
        if is_pull {
            self.marks.set(number, PULL);
        }
        if self.compares_again() && same.len() > 1 {
            parents.zip(same).for_each(|(place, same)| self.same.put(place, same));
        }
        Ok(())
    }

    /// Returns whether a commit may turn out to have changed nothing after it was compared,
    /// because some of its parents do not count any more.
    pub(super) fn compares_again(&self) -> bool {
        self.is_pruned() && !self.options.prunes_merges() && !self.first_parent
    }

    /// Marks the commits of a list that changed nothing, now that all excluded ones are known.
    pub(in crate::history) fn compare_again(&mut self, commits: &mut Commits, list: &[Number]) {
        if !self.compares_again() || self.options.sparse {
            return;
        }
        for number in list {
            if !commits.has(*number, UNINTERESTING | SAME) {
                self.compare_merge_again(commits, *number);
            }
        }
    }

    /// As [`Modes::compare_again`], for one commit.
    pub(super) fn compare_merge_again(&mut self, commits: &mut Commits, number: Number) {
        let parents = commits.parents(number);
        if parents.len() < 2 {
            return;
        }
        let mut compared = Compared::default();
        for place in parents {
            let relevant = Modes::is_relevant(commits, commits.edge(place));
            compared.add(relevant, !self.same.has(place));
        }
        match compared.is_change() {
            true => commits.unset(number, SAME),
            false => commits.set(number, SAME),
        }
    }

    /// Returns whether a commit counts as a change from a parent; the parent of a root has
    /// nothing.
    ///
    /// # Errors
    ///
    /// Missing files and bytes; errors of reading.
    pub(super) fn differs(
        &mut self,
        commits: &mut Commits,
        repository: &mut Repository,
        pair: (Number, Option<Number>),
        at: usize,
    ) -> Result<bool> {
        let (number, parent) = pair;
        if self.options.simplify_by_decoration && parent.is_some() {
            // Grafts decorate the commits whose parents they replace.
            let id = commits.id(repository, number)?;
            if self.marks.has(number, DECORATED) || repository.grafted_parents(&id).is_some() {
                return Ok(true);
            }
            if self.paths.is_none() {
                return Ok(false);
            }
        }
        match &mut self.paths {
            Some(paths) => paths.differs_from(commits, repository, pair, at),
            None => {
                let tree = commits.compared_tree(repository, number)?;
                Ok(!repository.read_of_type(&tree, ObjectType::Tree)?.is_empty())
            }
        }
    }
}
