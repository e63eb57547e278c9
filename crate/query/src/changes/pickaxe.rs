//! Lists only changes whose contents have something: the pickaxe of gitdiffcore, `-S` and `-G`.

use super::attributes_of;
use super::change::TreeChange;
use super::content::{content, object_of};
use crate::path_attributes::TreeAttributes;
use crate::repository::Repository;
use packlens_base::error::{Error, ErrorKind, Result};
use packlens_base::occurrences::occurrences;
use packlens_base::oid::ObjectId;
use packlens_base::regex::{Regex, Syntax};
use packlens_diff::{DiffOptions, TextDiff};
use std::collections::VecDeque;

/// How many of the next changes are known, so that their contents can be prefetched.
const MOST_AHEAD: usize = 256;

/// The changes before the first that is wanted may take one part in this many of the memory
/// ceiling.
const LIST_SHARE: u64 = 4;

/// The most steps of the searches for an expression in a file, each a few nanoseconds.
const MOST_STEPS: u64 = 1 << 33;

/// Which changes are listed.
#[derive(Clone, Debug, Default)]
pub struct PickaxeOptions {
    /// What is looked for.
    pub kind: PickaxeKind,
    /// The text or the extended regular expression.
    pub text: Vec<u8>,
    /// Whether upper and lower case are the same.
    pub ignore_case: bool,
    /// Whether all changes are listed if one is wanted: `--pickaxe-all`.
    pub all: bool,
}

/// What the pickaxe looks for.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum PickaxeKind {
    /// Nothing: all changes are listed.
    #[default]
    Nothing,
    /// Contents in which a text occurs another number of times: `-S`.
    Text,
    /// The same of an expression: `-S` with `--pickaxe-regex`.
    Regex,
    /// Added or removed lines in which an expression is found: `-G`.
    Lines,
}

/// What is looked for in the contents of a change.
enum Wanted {
    Text(Vec<u8>),
    Regex(Regex),
    Lines(Regex),
}

/// A resumable choice of changes.
pub(super) struct Pickaxe {
    wanted: Wanted,
    /// The changes that were not yet looked at, or that are listed in any case.
    ahead: VecDeque<TreeChange>,
    has_all: bool,
    /// With `--pickaxe-all`, the changes before the first that is wanted, until it is found.
    held: Option<VecDeque<TreeChange>>,
    held_memory: u64,
    is_open: bool,
}

impl Pickaxe {
    /// Returns the choice; `None` if nothing is looked for.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::BadInput`] for an empty text and a malformed expression,
    /// [`ErrorKind::Unsupported`] and [`ErrorKind::Limit`] for others.
    pub(super) fn new(options: &PickaxeOptions) -> Result<Option<Pickaxe>> {
        let PickaxeOptions { kind, text, ignore_case, all } = options;
        if *kind != PickaxeKind::Nothing && text.is_empty() {
            return Err(Error::new(ErrorKind::BadInput, "nothing to look for in contents"));
        }
        let regex = |syntax| {
            let regex = Regex::written(text, syntax, *ignore_case);
            regex.map(Regex::by_line).map_err(|refused| refused.about(text))
        };
        let wanted = match kind {
            PickaxeKind::Nothing => return Ok(None),
            PickaxeKind::Text if *ignore_case => Wanted::Regex(regex(Syntax::Fixed)?),
            PickaxeKind::Text => Wanted::Text(text.clone()),
            PickaxeKind::Regex => Wanted::Regex(regex(Syntax::Extended)?),
            PickaxeKind::Lines => Wanted::Lines(regex(Syntax::Extended)?),
        };
        Ok(Some(Pickaxe {
            wanted,
            ahead: VecDeque::new(),
            has_all: false,
            held: all.then(VecDeque::new),
            held_memory: 0,
            is_open: false,
        }))
    }

    /// Returns the next of the changes that `listed` returns; `None` after the last.
    ///
    /// # Errors
    ///
    /// Those of `listed`. Missing files and bytes: provide them and call again.
    /// [`ErrorKind::Limit`] for too many changes, and for searches of too many steps.
    pub(super) fn next(
        &mut self,
        repository: &mut Repository,
        mut attributes: Option<&mut TreeAttributes>,
        mut listed: impl FnMut(&mut Repository) -> Result<Option<TreeChange>>,
    ) -> Result<Option<TreeChange>> {
        loop {
            repository.files.step()?;
            while !self.has_all && self.ahead.len() < MOST_AHEAD {
                match listed(repository)? {
                    Some(change) => self.ahead.push_back(change),
                    None => self.has_all = true,
                }
            }
            let Some(change) = self.ahead.front() else { return Ok(None) };
            if self.is_open {
                return Ok(self.ahead.pop_front());
            }
            let is_wanted = match self.wanted.is_in(change, attributes.as_deref_mut(), repository) {
                Ok(is_wanted) => is_wanted,
                Err(error) => {
                    let ids: Vec<ObjectId> = self.ahead.iter().flat_map(contents).collect();
                    return Err(
                        repository.looking_ahead(error, None, |at| ids.get(at as usize).copied())
                    );
                }
            };
            match (&mut self.held, is_wanted) {
                (None, true) => return Ok(self.ahead.pop_front()),
                (None, false) => drop(self.ahead.pop_front()),
                (Some(held), true) => {
                    held.append(&mut self.ahead);
                    std::mem::swap(held, &mut self.ahead);
                    self.is_open = true;
                }
                (Some(held), false) => {
                    self.held_memory = self.held_memory.saturating_add(change.memory());
                    if self.held_memory > repository.memory() / LIST_SHARE {
                        let what = "too many changes before the first that is wanted: set a \
                                    larger memory limit";
                        return Err(Error::new(ErrorKind::Limit, what).about(&change.path));
                    }
                    held.extend(self.ahead.pop_front());
                }
            }
        }
    }

    /// Returns how many bytes of memory this takes.
    pub(super) fn memory(&self) -> u64 {
        let changes = self.ahead.iter().chain(self.held.iter().flatten());
        changes.map(TreeChange::memory).fold(0, u64::saturating_add)
    }
}

impl Wanted {
    fn is_in(
        &self,
        change: &TreeChange,
        attributes: Option<&mut TreeAttributes>,
        repository: &mut Repository,
    ) -> Result<bool> {
        let [old, new] = change.sides;
        if old.map(|(_, id)| id) == new.map(|(_, id)| id) {
            return Ok(false);
        }
        let (old, new) = (content(old, repository)?, content(new, repository)?);
        match self {
            Wanted::Text(text) => Ok(occurrences(&old, text) != occurrences(&new, text)),
            Wanted::Regex(regex) => {
                let mut search = regex.search(MOST_STEPS);
                Ok(search.count_in(&old)? != search.count_in(&new)?)
            }
            Wanted::Lines(regex) => {
                let kinds = attributes_of(change, attributes, repository)?;
                if kinds[0].is_binary(&old) || kinds[1].is_binary(&new) {
                    return Ok(false);
                }
                // As git compares here, whatever the options of patches.
                let options = DiffOptions { context: 0, ..DiffOptions::default() };
                let diff = TextDiff::new(&old, &new, &options)?;
                let mut search = regex.search(MOST_STEPS);
                for line in diff.changed_lines() {
                    if search.is_in(line)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
        }
        .map_err(|error: Error| error.about(&change.path))
    }
}

/// Returns the ids of the contents of a change.
fn contents(change: &TreeChange) -> impl Iterator<Item = ObjectId> {
    change.sides.into_iter().flatten().filter_map(object_of)
}
