//! Replaces the parents of a listed commit by their nearest ancestors that are listed.

use super::marks::{LEFT, PATCH_SAME, TEMPORARY};
use super::Modes;
use crate::history::commits::{Commits, Number};
use crate::history::marks::{SAME, UNINTERESTING};

/// A commit whose parents are rewritten.
#[derive(Clone, Copy)]
pub(super) struct Rewriting {
    number: Number,
    /// How many of its parents are rewritten.
    done: usize,
}

/// What rewriting does next.
pub(in crate::history) enum Rewritten {
    /// The commit, when all its parents are rewritten.
    Ready(Number),
    /// A parent moves up to its own parent.
    Working,
}

impl Modes {
    /// Begins to rewrite the parents of a commit.
    pub(super) fn rewrite(&mut self, number: Number) {
        self.rewriting = Some(Rewriting { number, done: 0 });
    }

    /// Returns the parent that is rewritten now: in a walk that lists commits at once, it must
    /// have been visited before [`Modes::rewrite_step`].
    pub(in crate::history) fn rewritten_parent(&self, commits: &Commits) -> Option<Number> {
        let Rewriting { number, done } = self.rewriting?;
        commits.parents(number).nth(done).map(|place| commits.edge(place))
    }

    /// Moves a parent one commit up, or turns to the next parent. Returns `None` if there is
    /// nothing to rewrite.
    pub(in crate::history) fn rewrite_step(&mut self, commits: &mut Commits) -> Option<Rewritten> {
        let Rewriting { number, done } = self.rewriting?;
        let Some(place) = commits.parents(number).nth(done) else {
            self.rewriting = None;
            self.drop_repeated_parents(commits, number);
            return Some(Rewritten::Ready(number));
        };
        let parent = commits.edge(place);
        let is_final = commits.has(parent, UNINTERESTING) || !commits.has(parent, SAME);
        let next = match is_final {
            true => None,
            false => self.relevant_parent(commits, parent),
        };
        match next {
            Some(next) => commits.replace_parent(place, next),
            None if !is_final && commits.parents(parent).is_empty() => {
                // Git keeps what it knows of the parent's place, and so shifts it.
                let all = commits.parents(number);
                for (to, from) in (place..all.end).zip(place.saturating_add(1)..all.end) {
                    commits.replace_parent(to, commits.edge(from));
                }
                commits.keep_first_parents(number, all.len().saturating_sub(1));
            }
            None => self.rewriting = Some(Rewriting { number, done: done.saturating_add(1) }),
        }
        Some(Rewritten::Working)
    }

    /// Counts a commit after it was listed, and forgets its parents: git does, and so drops a parent that
    /// would be rewritten to one of them. That happens if wrong dates list it before its child.
    pub(in crate::history) fn listed(&mut self, commits: &mut Commits, number: Number) {
        let same = self.has(number, PATCH_SAME);
        let left = !same && self.has(number, LEFT);
        self.counted.left = self.counted.left.saturating_add(left.into());
        self.counted.same = self.counted.same.saturating_add(same.into());
        if self.rewrites_parents() {
            commits.keep_first_parents(number, 0);
        }
    }

    /// Returns the only parent of a commit that counts; `None` if several do, or none.
    pub(super) fn relevant_parent(&self, commits: &Commits, number: Number) -> Option<Number> {
        let mut parents = commits.parents(number).map(|place| commits.edge(place));
        if self.first_parent || parents.len() == 1 {
            return parents.next();
        }
        let mut relevant = parents.filter(|parent| Modes::is_relevant(commits, *parent));
        let first = relevant.next();
        if relevant.next().is_some() {
            None
        } else {
            first
        }
    }

    /// Drops parents that come again.
    pub(super) fn drop_repeated_parents(&mut self, commits: &mut Commits, number: Number) {
        let mut repeated = Vec::new();
        for place in commits.parents(number) {
            let parent = commits.edge(place);
            repeated.push(self.marks.has(parent, TEMPORARY));
            self.marks.set(parent, TEMPORARY);
        }
        for place in commits.parents(number) {
            self.marks.unset(commits.edge(place), TEMPORARY);
        }
        self.drop_parents(commits, number, &repeated);
    }

    /// Drops the parents that a list of flags names; returns how many are left. A commit that is
    /// no merge any more changed something if it did so from the parent that is left.
    pub(super) fn drop_parents(
        &mut self,
        commits: &mut Commits,
        number: Number,
        dropped: &[bool],
    ) -> usize {
        let all = commits.parents(number);
        if !dropped.contains(&true) {
            return all.len();
        }
        let mut to = all.start;
        for (from, dropped) in all.clone().zip(dropped) {
            if !dropped {
                commits.replace_parent(to, commits.edge(from));
                let same = self.same.has(from);
                self.same.put(to, same);
                to = to.saturating_add(1);
            }
        }
        let left = to.saturating_sub(all.start);
        commits.keep_first_parents(number, left);
        if left == 1 && self.compares_again() {
            match self.same.has(all.start) && !self.options.sparse {
                true => commits.set(number, SAME),
                false => commits.unset(number, SAME),
            }
        }
        left
    }
}
