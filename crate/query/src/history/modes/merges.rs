//! Drops merges that join nothing once the commits between them are dropped:
//! `--simplify-merges`.

use super::marks::PULL;
use super::Modes;
use crate::history::commits::{Commits, Number};
use crate::history::marks::{SAME, UNINTERESTING};
use crate::history::merge_base::Asking;
use crate::history::paint::Paintings;
use crate::repository::Repository;
use packlens_base::error::Result;

/// What a commit is replaced by is not known yet.
const UNKNOWN: Number = Number::MAX;
/// … and waits for its parents.
const WAITING: Number = Number::MAX - 1;

/// What becomes of a parent.
#[derive(Clone, Copy, Eq, PartialEq)]
enum Fate {
    Kept,
    /// The same commit is a parent already.
    Repeated,
    /// Another parent reaches the commit, or the commit has nothing of the paths.
    Dropped,
}

/// The work on a list of commits; it stops after any commit, and resumes later.
pub(in crate::history) struct Merges {
    /// The commits, children first.
    list: Vec<Number>,
    /// How many of them are left: parents are simplified first.
    left: usize,
    /// Commits that wait for their parents.
    pending: Vec<Number>,
    /// The commit that replaces each one.
    simplified: Vec<Number>,
    paintings: Paintings,
}

impl Merges {
    pub fn new(commits: &Commits, list: Vec<Number>) -> Merges {
        Merges {
            left: list.len(),
            list,
            pending: Vec::new(),
            simplified: vec![UNKNOWN; commits.len()],
            paintings: Paintings::default(),
        }
    }

    /// Simplifies a commit; returns the list once all are simplified.
    ///
    /// # Errors
    ///
    /// Missing files and bytes: the next call repeats the step. Errors of reading.
    pub(in crate::history) fn step(
        &mut self,
        modes: &mut Modes,
        commits: &mut Commits,
        repository: &mut Repository,
    ) -> Result<Option<Vec<Number>>> {
        let Some(number) = self.pending.last().copied() else {
            self.left = match self.left.checked_sub(1) {
                Some(left) => left,
                None => {
                    let mut list = std::mem::take(&mut self.list);
                    list.retain(|number| self.of(*number) == *number);
                    return Ok(Some(list));
                }
            };
            let next = self.list.get(self.left).copied();
            self.pending.extend(next.filter(|next| self.of(*next) == UNKNOWN));
            return Ok(None);
        };
        if !matches!(self.of(number), UNKNOWN | WAITING) {
            self.pending.pop();
            return Ok(None);
        }
        if commits.has(number, UNINTERESTING) || commits.parents(number).is_empty() {
            self.put(number, number);
        } else if !self.waits_for_parents(modes, commits, number) {
            let parents = self.parents(modes, commits, repository, number)?;
            let is_root = parents.iter().all(|(_, fate)| *fate != Fate::Kept);
            let is_empty = is_root && !modes.differs(commits, repository, (number, None), 0)?;
            self.paintings = Paintings::default();
            let simplified = self.replace_parents(modes, commits, number, &parents);
            if is_empty {
                commits.set(number, SAME);
            }
            self.put(number, simplified);
        } else {
            return Ok(None);
        }
        self.pending.pop();
        Ok(None)
    }

    fn of(&self, number: Number) -> Number {
        self.simplified.get(number as usize).copied().unwrap_or(number)
    }

    fn put(&mut self, number: Number, simplified: Number) {
        if let Some(own) = self.simplified.get_mut(number as usize) {
            *own = simplified;
        }
    }

    /// Adds the parents that are not simplified; returns whether there are any.
    fn waits_for_parents(&mut self, modes: &Modes, commits: &Commits, number: Number) -> bool {
        self.put(number, WAITING);
        let most = if modes.first_parent { 1 } else { usize::MAX };
        let before = self.pending.len();
        for place in commits.parents(number).take(most) {
            let parent = commits.edge(place);
            // In a circle, which only grafts can make, a commit is not waited for.
            if self.of(parent) == UNKNOWN {
                self.pending.push(parent);
            }
        }
        self.pending.len() > before
    }

    /// Returns what replaces each parent, and what becomes of that.
    fn parents(
        &mut self,
        modes: &Modes,
        commits: &mut Commits,
        repository: &mut Repository,
        number: Number,
    ) -> Result<Vec<(Number, Fate)>> {
        let places = commits.parents(number);
        let mut parents: Vec<(Number, Fate)> = Vec::new();
        for place in places.clone() {
            let own = commits.edge(place);
            let parent = match self.of(own) {
                UNKNOWN | WAITING => own,
                simplified => simplified,
            };
            let parent = if modes.first_parent && place > places.start { own } else { parent };
            let is_new = modes.first_parent || parents.iter().all(|(other, _)| *other != parent);
            parents.push((parent, if is_new { Fate::Kept } else { Fate::Repeated }));
        }
        let unique = parents.iter().filter(|(_, fate)| *fate == Fate::Kept);
        let all: Vec<Number> = unique.map(|(parent, _)| *parent).collect();
        if modes.first_parent || all.len() < 2 {
            return Ok(parents);
        }
        self.paintings.begin();
        let paintings = &mut self.paintings;
        let heads = Asking { commits, repository, paintings }.reduce_heads(&all)?;
        let is_root = |commits: &Commits, parent: Number| {
            commits.parents(parent).is_empty() && commits.has(parent, SAME)
        };
        let is_dropped = |commits: &Commits, parent: Number| {
            !heads.contains(&parent) || is_root(commits, parent)
        };
        // If all parents that have the same paths would be dropped, the first of them is kept.
        let mut kept = None;
        for (place, (parent, fate)) in places.zip(&parents) {
            if *fate == Fate::Kept && modes.same.has(place) {
                let dropped = is_dropped(commits, *parent);
                kept = if dropped { kept.or(Some(*parent)) } else { None };
                if !dropped {
                    break;
                }
            }
        }
        for (parent, fate) in &mut parents {
            let drops = kept != Some(*parent) && is_dropped(commits, *parent);
            if drops && *fate == Fate::Kept {
                *fate = Fate::Dropped;
            }
        }
        Ok(parents)
    }

    /// Replaces the parents of a commit; returns what replaces the commit.
    fn replace_parents(
        &self,
        modes: &mut Modes,
        commits: &mut Commits,
        number: Number,
        parents: &[(Number, Fate)],
    ) -> Number {
        for (place, (parent, _)) in commits.parents(number).zip(parents) {
            commits.replace_parent(place, *parent);
        }
        let gone: Vec<bool> = parents.iter().map(|(_, fate)| *fate != Fate::Kept).collect();
        let left = modes.drop_parents(commits, number, &gone);
        // Without these parents, a merge can only turn out to have changed nothing. Repeated ones
        // make no difference.
        let any_dropped = parents.iter().any(|(_, fate)| *fate == Fate::Dropped);
        if any_dropped && !commits.has(number, SAME) && modes.compares_again() {
            modes.compare_merge_again(commits, number);
        }
        let is_pull = modes.options.show_pulls && modes.has(number, PULL);
        if left == 0 || !commits.has(number, SAME) || is_pull {
            return number;
        }
        match modes.relevant_parent(commits, number) {
            Some(parent) => match self.of(parent) {
                UNKNOWN | WAITING => parent,
                simplified => simplified,
            },
            None => number,
        }
    }

    pub fn memory(&self) -> u64 {
        let numbers = [&self.list, &self.pending, &self.simplified].map(Vec::capacity);
        let bytes = numbers.iter().fold(0, |sum: usize, count| sum.saturating_add(*count));
        (bytes as u64).saturating_mul(4).saturating_add(self.paintings.memory())
    }
}
