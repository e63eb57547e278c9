//! What limits and simplifies a history, beyond dates and numbers of parents:
//! <https://git-scm.com/docs/git-log#_history_simplification>.

mod ancestry;
mod boundary;
mod cherry;
mod children;
mod filter;
mod follow;
mod line;
mod marks;
mod merges;
mod named;
mod options;
mod people;
mod rewrite;
mod simplify;
mod sources;

use super::answer::Trust;
use super::commits::{Commits, Number};
use super::marks::{BOTTOM, SAME, UNINTERESTING};
use super::path_limit::PathLimit;
use super::tree_cache::TreeCache;
use crate::repository::Repository;
pub(super) use cherry::Cherry;
use children::Children;
use filter::CommitFilter;
pub use filter::CommitPatterns;
pub(super) use follow::Follow;
use marks::ANCESTRY;
use marks::{Mark, Marks, SameParents, PULL, SHOWN};
pub(super) use marks::{ADDED, LEFT};
pub(super) use merges::Merges;
use named::Named;
pub use options::HistoryOptions;
use packlens_base::error::Result;
use packlens_format::object::ObjectType;
use packlens_format::pathspec::Pathspec;
use rewrite::Rewriting;
pub(super) use rewrite::Rewritten;
use sources::Sources;

/// How many of the counted commits are on the left side of `a...b`, and how many make the same
/// change as one of the other side.
#[derive(Clone, Copy, Default)]
pub(super) struct Counted {
    left: u64,
    same: u64,
}

/// The modes of one history, and what they know of its commits.
#[derive(Default)]
pub(super) struct Modes {
    pub(super) options: HistoryOptions,
    pub(super) paths: Option<PathLimit>,
    /// The file whose history is listed through its renames.
    pub(super) follow: Option<Follow>,
    first_parent: bool,
    marks: Marks,
    /// Which parents of merges have the same paths.
    same: SameParents,
    /// A commit that is listed once its parents are rewritten.
    rewriting: Option<Rewriting>,
    filter: Option<CommitFilter>,
    since: Option<u64>,
    /// A commit that is listed if the filter matches it.
    filtering: Option<Number>,
    named: Named,
    /// The commits that an ancestry path begins with.
    bottoms: Vec<Number>,
    children: Children,
    /// Which of the counted commits are on the left side of `a...b`, or on both.
    pub(super) counted: Counted,
    /// What is compared of the patches of commits, and how deep trees may be nested.
    pub(super) patch_paths: (Option<Pathspec>, usize),
    /// The parents of listed commits that may be where the list ends.
    maybe_boundary: Vec<Number>,
    /// The tips of commits, if they are listed.
    sources: Sources,
}

impl Modes {
    pub fn new(first_parent: bool) -> Modes {
        Modes { first_parent, ..Modes::default() }
    }

    /// Forgets the commits: the walk restarts, and does not count again those that were counted
    /// before.
    pub(super) fn restart(&mut self, counted: Counted, trust: Trust) {
        if let Some(follow) = &mut self.follow {
            follow.restart(trust);
        }
        if let Some(paths) = &mut self.paths {
            paths.restart(trust);
        }
        (self.marks, self.same) = (Marks::default(), SameParents::default());
        (self.rewriting, self.filtering) = (None, None);
        self.named.restart();
        self.bottoms.clear();
        self.children = Children::default();
        self.maybe_boundary.clear();
        self.sources = Sources::default();
        self.counted = counted;
    }

    /// Returns the number of `count` commits, as a line: that of each side if sides are marked.
    pub(super) fn count_line(&self, count: u64) -> String {
        let Counted { left, same } = self.counted;
        let others = count.saturating_sub(same);
        match (self.options.left_right, self.options.cherry_mark) {
            (true, true) => format!("{left}\t{}\t{same}\n", others.saturating_sub(left)),
            (true, false) => format!("{left}\t{}\n", others.saturating_sub(left)),
            (false, true) => format!("{others}\t{same}\n"),
            (false, false) => format!("{count}\n"),
        }
    }

    /// Returns whether all commits are visited before the first one is listed.
    pub(super) fn is_limited(&self) -> bool {
        self.options.is_limited()
    }

    /// Takes the commits that the walk begins with, and those of them that are the left side of
    /// `a...b`.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::BadInput`](packlens_base::error::ErrorKind::BadInput) if an ancestry path
    /// has no commit to begin with.
    pub(super) fn set_tips(
        &mut self,
        commits: &Commits,
        tips: &[Number],
        lefts: &[Number],
    ) -> Result<()> {
        lefts.iter().for_each(|number| self.marks.set(*number, LEFT));
        if self.options.source {
            tips.iter().for_each(|tip| self.sources.put(*tip, *tip));
        }
        self.set_bottoms(commits, tips)
    }

    /// Takes the commits of a walk that is over: now all excluded ones are known.
    pub(super) fn finish_walk(&mut self, commits: &mut Commits, list: &[Number]) {
        self.hide_side(list);
        self.limit_to_ancestry(commits, list);
        self.compare_again(commits, list);
    }

    /// Lists only commits that match patterns.
    ///
    /// # Errors
    ///
    /// As [`CommitFilter::new`].
    pub(super) fn filter(&mut self, patterns: &CommitPatterns) -> Result<()> {
        self.filter = CommitFilter::new(patterns)?;
        self.since = patterns.since;
        Ok(())
    }

    /// Takes a commit that the walk lists. Returns it, unless it has to be read or its parents
    /// rewritten first: see [`Modes::filter_step`], [`Modes::rewrite_step`].
    pub(super) fn list(&mut self, number: Number) -> Option<Number> {
        if self.filter.is_some() {
            self.filtering = Some(number);
            return None;
        }
        self.list_matching(number)
    }

    fn list_matching(&mut self, number: Number) -> Option<Number> {
        if self.rewrites_parents() {
            self.rewrite(number);
            return None;
        }
        Some(number)
    }

    /// Reads the commit that waits to be filtered; returns `None` if none waits, otherwise
    /// the commit if it can be listed now.
    ///
    /// # Errors
    ///
    /// Missing files and bytes: the commit still waits then. Errors of reading.
    pub(super) fn filter_step(
        &mut self,
        commits: &Commits,
        repository: &mut Repository,
    ) -> Result<Option<Option<Number>>> {
        let (Some(number), Some(filter)) = (self.filtering, &self.filter) else {
            return Ok(None);
        };
        let id = commits.id(repository, number)?;
        let content = repository.read_of_type(&id, ObjectType::Commit)?;
        let matches = filter.matches(repository.hash(), &content)?;
        self.filtering = None;
        Ok(Some(if matches { self.list_matching(number) } else { None }))
    }

    /// Returns whether a commit changed the file that is followed, if there is one.
    ///
    /// # Errors
    ///
    /// Missing files and bytes: the next call continues. Errors of reading.
    pub(super) fn is_followed(
        &mut self,
        commits: &mut Commits,
        repository: &mut Repository,
        number: Number,
    ) -> Result<bool> {
        match &mut self.follow {
            Some(follow) => follow.is_changed_by(commits, repository, number, self.first_parent),
            None => Ok(true),
        }
    }

    /// Returns the trees that were read, if some are still to be hashed.
    pub(super) fn trees(&mut self) -> Option<&mut TreeCache> {
        match &mut self.follow {
            Some(follow) => Some(follow.trees()),
            None => self.paths.as_mut().map(PathLimit::trees),
        }
    }

    /// Returns whether commits are dropped because they change nothing.
    fn is_pruned(&self) -> bool {
        self.paths.is_some() || self.options.simplify_by_decoration
    }

    /// Returns whether merges are dropped after the walk.
    pub(super) fn simplifies_merges(&self) -> bool {
        self.is_pruned() && self.options.merges_are_simplified()
    }

    /// Returns whether the parents of listed commits are rewritten.
    pub(super) fn rewrites_parents(&self) -> bool {
        self.is_pruned() && !self.options.sparse && self.options.keeps_topology()
    }

    /// Returns whether a commit counts for what its children changed. An excluded commit does
    /// not, unless it was excluded by name: the caller wants the walk to end there.
    fn is_relevant(commits: &Commits, number: Number) -> bool {
        !commits.has(number, UNINTERESTING) || commits.has(number, BOTTOM)
    }

    /// Returns whether a commit is not listed: it changed none of the paths, or it is hidden.
    pub(super) fn drops(&self, commits: &Commits, number: Number) -> bool {
        let too_old = self.since.is_some_and(|since| commits.date(number) < since);
        if too_old || self.marks.has(number, SHOWN) {
            return true;
        }
        if !commits.has(number, SAME) || self.options.sparse {
            return false;
        }
        if !self.options.keeps_topology() {
            return true;
        }
        if self.options.show_pulls && self.marks.has(number, PULL) {
            return false;
        }
        let parents = commits.parents(number).map(|place| commits.edge(place));
        parents.filter(|parent| Modes::is_relevant(commits, *parent)).count() < 2
    }

    pub(super) fn has(&self, number: Number, marks: Mark) -> bool {
        self.marks.has(number, marks)
    }

    pub(super) fn set(&mut self, number: Number, marks: Mark) {
        self.marks.set(number, marks);
    }

    /// Passes to a parent what it has from its children.
    pub(super) fn inherit(&mut self, child: Number, parent: Number) {
        let marks = self.marks.of(child) & (LEFT | ANCESTRY);
        if marks != 0 {
            self.marks.set(parent, marks);
        }
        self.sources.inherit(child, parent);
    }

    pub fn memory(&self) -> u64 {
        let paths = self.paths.as_ref().map_or(0, PathLimit::memory);
        let boundary = (self.maybe_boundary.capacity() as u64).saturating_mul(4);
        let followed = self.follow.as_ref().map_or(0, Follow::memory);
        paths
            .saturating_add(followed)
            .saturating_add(self.marks.memory())
            .saturating_add(self.same.memory())
            .saturating_add(self.children.memory())
            .saturating_add(self.sources.memory())
            .saturating_add(boundary)
    }
}
