//! The part of history that a blame visits: without what excluded revisions reach and what is too
//! old; in reverse, from a commit to its children.

use super::super::commits::{Commits, Number};
use super::super::limited::Limited;
use super::super::marks::{mark_ancestors, UNINTERESTING};
use super::super::rev_list::RevListOptions;
use super::super::tips::{named_commit, Range};
use super::BlameOptions;
use crate::repository::Repository;
use packlens_base::error::{Error, ErrorKind, Result};
use packlens_base::sort;

/// A commit without parents.
const ROOT: u32 = 1;
/// A commit whose parents are not visited.
const CUT: u32 = 8;

pub(super) struct Scope {
    tip: Number,
    /// The start of a blame in reverse.
    start: Option<Number>,
    excluded: Vec<Number>,
    /// The walk that finds which commits are excluded.
    limited: Option<Limited>,
    /// Pairs of a parent, in the upper half, and a child, in order.
    children: Vec<u64>,
    is_found: bool,
}

impl Scope {
    /// Resolves the revisions.
    pub(super) fn new(
        commits: &mut Commits,
        repository: &mut Repository,
        spec: &[u8],
        options: &BlameOptions,
    ) -> Result<Scope> {
        let range = Range::split(spec);
        if range.as_ref().is_some_and(|range| range.symmetric) {
            let what = "two commits are named where lines are followed from one";
            return Err(Error::new(ErrorKind::BadInput, what).about(spec));
        }
        let (from, to) = match (&range, options.reverse) {
            (Some(range), _) => (Some(range.from), range.to),
            (None, true) => (Some(spec), &b"HEAD"[..]),
            (None, false) => (None, spec),
        };
        let mut named = |spec: &[u8]| {
            let number = named_commit(commits, repository, spec)?;
            commits.parse(repository, number)?;
            Ok(number)
        };
        let tip = named(to)?;
        let mut excluded = Vec::new();
        for spec in from.into_iter().chain(options.excluded.iter().map(Vec::as_slice)) {
            excluded.push(named(spec)?);
        }
        let start = if options.reverse { excluded.first().copied() } else { None };
        let (limited, children) = (None, Vec::new());
        Ok(Scope { tip, start, excluded, limited, children, is_found: false })
    }

    /// Returns the commit whose file is blamed.
    pub(super) fn first(&self) -> Number {
        self.start.unwrap_or(self.tip)
    }

    /// Finds the commits that are not visited, and the children of the others. If bytes are
    /// missing, it resumes.
    pub(super) fn find(
        &mut self,
        commits: &mut Commits,
        repository: &mut Repository,
        options: &BlameOptions,
    ) -> Result<()> {
        if self.is_found || self.excluded.is_empty() {
            return Ok(());
        }
        if self.limited.is_none() {
            self.excluded.iter().for_each(|number| commits.set(*number, UNINTERESTING));
            let tips: Vec<Number> = [self.tip].iter().chain(&self.excluded).copied().collect();
            self.limited = Some(Limited::new(commits, &tips));
        }
        let Some(limited) = &mut self.limited else {
            return Ok(());
        };
        let list = RevListOptions {
            first_parent: options.first_parent,
            since: options.since,
            ..RevListOptions::default()
        };
        loop {
            repository.files.step()?;
            if limited.step(commits, repository, &list, &mut None)? {
                break;
            }
        }
        if options.reverse {
            self.children = children_of(commits, &limited.take_kept(), options.first_parent);
            if options.first_parent {
                self.expect_line()?;
            }
        }
        (self.limited, self.is_found) = (None, true);
        Ok(())
    }

    /// Checks that first parents lead from the tip to the start.
    fn expect_line(&self) -> Result<()> {
        let is_there = self.start.is_none_or(|start| self.children(start).next().is_some());
        if is_there || self.start == Some(self.tip) {
            return Ok(());
        }
        let what = "first parents do not lead from the end of the range to its start";
        Err(Error::new(ErrorKind::BadInput, what))
    }

    /// Returns whether history ends at a commit; if so, also at its ancestors.
    pub(super) fn ends_at(
        &self,
        commits: &mut Commits,
        commit: Number,
        options: &BlameOptions,
    ) -> bool {
        let is_old = options.since.is_some_and(|since| commits.date(commit) < since);
        if options.reverse || !(is_old || commits.has(commit, UNINTERESTING)) {
            return false;
        }
        commits.set(commit, UNINTERESTING);
        mark_ancestors(commits, commit, usize::MAX);
        true
    }

    /// Returns the commits that lines of a commit may come from.
    pub(super) fn next(
        &self,
        commits: &Commits,
        commit: Number,
        options: &BlameOptions,
    ) -> Vec<Number> {
        if options.reverse {
            return self.children(commit).collect();
        }
        let most = if options.first_parent { 1 } else { usize::MAX };
        commits.parents(commit).take(most).map(|place| commits.edge(place)).collect()
    }

    /// Returns the children of a commit, those that the walk visited last first.
    fn children(&self, commit: Number) -> impl Iterator<Item = Number> + '_ {
        let parent = |pair: &u64| pair >> 32;
        let start = self.children.partition_point(|pair| parent(pair) < commit.into());
        let own = self.children.get(start..).unwrap_or_default().iter();
        own.take_while(move |pair| parent(pair) == commit.into()).map(|pair| *pair as Number)
    }

    pub(super) fn memory(&self) -> u64 {
        let children = (self.children.capacity() as u64).saturating_mul(8);
        self.limited.as_ref().map_or(0, Limited::memory).saturating_add(children)
    }
}

fn children_of(commits: &Commits, list: &[Number], first_parent: bool) -> Vec<u64> {
    let most = if first_parent { 1 } else { usize::MAX };
    let mut pairs = Vec::new();
    for child in list.iter().rev() {
        let parents = commits.parents(*child).take(most);
        pairs.extend(parents.map(|place| u64::from(commits.edge(place)) << 32 | u64::from(*child)));
    }
    sort::by(&mut pairs, |one, other| (one >> 32).cmp(&(other >> 32)));
    pairs
}

/// Returns the bits of a record that say why lines may be older than a commit.
pub(super) fn end_of_history(commits: &Commits, commit: Number) -> u32 {
    let root = if commits.parents(commit).is_empty() { ROOT } else { 0 };
    let cut = if commits.has(commit, UNINTERESTING) { CUT } else { 0 };
    root | cut
}
