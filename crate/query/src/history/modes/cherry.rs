//! Finds commits of both sides of `a...b` that make the same change: `--cherry-pick`.

use super::marks::{LEFT, PATCH_SAME, SHOWN};
use super::Modes;
use crate::history::commits::{Commits, Number};
use crate::history::marks::UNINTERESTING;
use crate::patches::PatchId;
use crate::repository::Repository;
use packlens_base::error::Result;
use packlens_base::oid::ObjectId;
use packlens_base::sort;

/// Compares the patches of a list of commits: first which files they change, then the lines of
/// those that may be the same.
pub(in crate::history) struct Cherry {
    list: Vec<Number>,
    /// The commits that are compared, up to `at`.
    candidates: Vec<Number>,
    at: usize,
    with_lines: bool,
    found: Vec<(ObjectId, Number)>,
    /// The commit that is read now, until nothing is missing for it.
    current: Option<PatchId>,
}

impl Cherry {
    /// Starts to compare the commits of a list. Merges have no patch.
    pub fn new(list: Vec<Number>, commits: &Commits, modes: &Modes) -> Cherry {
        let has_patch = |number: &Number| {
            !commits.has(*number, UNINTERESTING) && commits.parents(*number).len() < 2
        };
        let sides = |left: bool| list.iter().filter(move |one| modes.has(**one, LEFT) == left);
        let both = sides(true).any(has_patch) && sides(false).any(has_patch);
        let all = list.iter().copied().filter(has_patch);
        let candidates = if both { all.collect() } else { Vec::new() };
        Cherry { list, candidates, at: 0, with_lines: false, found: Vec::new(), current: None }
    }

    /// Compares one commit; returns the list once all are compared, and the same ones marked.
    ///
    /// # Errors
    ///
    /// Missing files and bytes: the next call continues. Errors of reading.
    pub fn step(
        &mut self,
        modes: &mut Modes,
        commits: &mut Commits,
        repository: &mut Repository,
    ) -> Result<Option<Vec<Number>>> {
        if let Some(number) = self.candidates.get(self.at).copied() {
            let mut patch = match self.current.take() {
                Some(patch) => patch,
                None => self.begin(number, modes, commits, repository)?,
            };
            match in_rest(&mut patch, repository) {
                Ok(Some(id)) => {
                    self.found.push((id, number));
                    self.at = self.at.saturating_add(1);
                }
                Ok(None) => self.current = Some(patch),
                Err(error) => {
                    self.current = Some(patch);
                    return Err(error);
                }
            }
            return Ok(None);
        }
        let same = self.on_both_sides(modes);
        self.found.clear();
        if !self.with_lines && !same.is_empty() {
            (self.candidates, self.at, self.with_lines) = (same, 0, true);
            return Ok(None);
        }
        let mark = if modes.options.cherry_mark { PATCH_SAME } else { SHOWN };
        same.iter().for_each(|number| modes.set(*number, mark));
        Ok(Some(std::mem::take(&mut self.list)))
    }

    fn begin(
        &self,
        number: Number,
        modes: &Modes,
        commits: &mut Commits,
        repository: &mut Repository,
    ) -> Result<PatchId> {
        let parent = commits.parents(number).next().map(|place| commits.edge(place));
        let old = match parent {
            Some(parent) => {
                commits.parse(repository, parent)?;
                Some(commits.tree(repository, parent)?)
            }
            None => None,
        };
        let roots = [old, Some(commits.tree(repository, number)?)];
        let (paths, depth_limit) = modes.patch_paths.clone();
        Ok(PatchId::new(repository.hash(), roots, paths, self.with_lines, depth_limit))
    }

    /// Returns the commits whose patch a commit of the other side has too.
    fn on_both_sides(&mut self, modes: &Modes) -> Vec<Number> {
        sort::by_id(&mut self.found, |(id, _)| id);
        let groups = self.found.chunk_by(|(one, _), (other, _)| one == other);
        let is_left = |(_, number): &(ObjectId, Number)| modes.has(*number, LEFT);
        let on_both =
            groups.filter(|group| group.iter().any(is_left) && !group.iter().all(is_left));
        on_both.flatten().map(|(_, number)| *number).collect()
    }

    pub fn memory(&self) -> u64 {
        let numbers = self.list.capacity().saturating_add(self.candidates.capacity()) as u64;
        let found = self.found.capacity().saturating_mul(size_of::<(ObjectId, Number)>()) as u64;
        let current = self.current.as_ref().map_or(0, PatchId::memory);
        numbers.saturating_mul(4).saturating_add(found).saturating_add(current)
    }
}

/// Continues the id of a patch: see [`require_rest`](packlens_base::module::require_rest).
#[inline(never)]
fn in_rest(patch: &mut PatchId, repository: &mut Repository) -> Result<Option<ObjectId>> {
    patch.step(repository)
}
