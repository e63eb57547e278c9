//! Checks which refs can be created beside the existing ones: no ref name may be a directory
//! of another, <https://git-scm.com/docs/git-check-ref-format>.

use super::name::is_refname;
use super::{RefCursor, Refs};
use packlens_base::block::Files;
use packlens_base::error::Result;
use packlens_base::sort;
use std::collections::{BTreeMap, BTreeSet};

/// Whether a ref can be created, or what prevents it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Availability {
    /// The ref can be created.
    Available,
    /// The name of an existing ref is a directory of the new name.
    Exists(Vec<u8>),
    /// The new name is a directory of an existing ref: the first such ref that is not deleted.
    IsPrefixOf(Vec<u8>),
    /// Another planned name is a directory of the new name, or the other way round.
    PlannedTogether(Vec<u8>),
    /// The name breaks git's rules for refnames.
    BadName,
}

impl Availability {
    /// The words of the results, indexed by number.
    pub const WORDS: &'static [&'static str] =
        &["available", "exists", "is-prefix-of", "planned-together", "bad-name"];

    /// Returns the number that stands for the result in JavaScript.
    pub fn number(&self) -> u32 {
        match self {
            Availability::Available => 0,
            Availability::Exists(_) => 1,
            Availability::IsPrefixOf(_) => 2,
            Availability::PlannedTogether(_) => 3,
            Availability::BadName => 4,
        }
    }

    /// Returns the name of the conflicting ref; empty if there is none.
    pub fn other(&self) -> &[u8] {
        match self {
            Availability::Exists(other)
            | Availability::IsPrefixOf(other)
            | Availability::PlannedTogether(other) => other,
            Availability::Available | Availability::BadName => b"",
        }
    }

    /// Returns git's error message for `name`; empty if the ref can be created.
    pub fn message(&self, name: &[u8]) -> Vec<u8> {
        let quoted = |before: &str, one: &[u8], between: &str, other: &[u8], after: &str| {
            [before.as_bytes(), one, between.as_bytes(), other, after.as_bytes()].concat()
        };
        match self {
            Availability::Available => Vec::new(),
            Availability::Exists(other) | Availability::IsPrefixOf(other) => {
                quoted("'", other, "' exists; cannot create '", name, "'")
            }
            Availability::PlannedTogether(other) => {
                quoted("cannot process '", name, "' and '", other, "' at the same time")
            }
            Availability::BadName => {
                quoted("refusing to update ref with bad name '", name, "'", b"", "")
            }
        }
    }
}

/// Further parts of the plan that the names are checked for.
#[derive(Clone, Debug, Default)]
pub struct AvailabilityOptions {
    /// Refs that will be deleted, so they do not conflict.
    pub deleting: Vec<Vec<u8>>,
    /// Further names that will be created.
    pub extra: Vec<Vec<u8>>,
    /// Whether the repository has no refs yet, so that none are looked up.
    pub initial: bool,
}

/// Counters of ref look-ups.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct RefCounts {
    /// How many directories of new names were looked up as refs.
    pub prefix_checks: u64,
    /// How many times the cursor was moved to a name.
    pub seeks: u64,
}

/// A check of many names at once. Each shared directory is looked up once, and a single cursor
/// visits the refs below all names.
pub struct CheckAvailable {
    /// The names to check, and after them the other planned names.
    names: Vec<Vec<u8>>,
    /// Indices of all names in sorted order, so that the cursor only moves forward.
    order: Vec<usize>,
    done: usize,
    /// The results of the names to check.
    found: Vec<Availability>,
    deleting: BTreeSet<Vec<u8>>,
    initial: bool,
    /// The directories that were looked up, and whether each is a ref.
    prefixes: BTreeMap<Vec<u8>, bool>,
    cursor: Option<RefCursor>,
}

impl CheckAvailable {
    /// Starts a check of names that are planned to be created together.
    pub fn new(mut names: Vec<Vec<u8>>, options: AvailabilityOptions) -> CheckAvailable {
        let found = vec![Availability::Available; names.len()];
        names.extend(options.extra);
        let mut order: Vec<usize> = (0..names.len()).collect();
        sort::by(&mut order, |one, other| names.get(*one).cmp(&names.get(*other)));
        let mut deleting = BTreeSet::new();
        deleting.extend(options.deleting);
        CheckAvailable {
            found,
            deleting,
            initial: options.initial,
            prefixes: BTreeMap::new(),
            cursor: None,
            done: 0,
            names,
            order,
        }
    }

    /// Checks all names; returns each name with its result, in the given order.
    ///
    /// # Errors
    ///
    /// Missing files, directories and bytes: provide them and call again, the check resumes.
    /// [`Corrupt`](packlens_base::ErrorKind::Corrupt) for a damaged `packed-refs`.
    pub fn run(
        &mut self,
        refs: &Refs,
        files: &Files,
        counts: &mut RefCounts,
    ) -> Result<impl Iterator<Item = (&[u8], &Availability)>> {
        while let Some(at) = self.order.get(self.done).copied() {
            if at < self.found.len() {
                let name = self.names.get(at).cloned().unwrap_or_default();
                let availability = self.check(&name, refs, files, counts)?;
                if let Some(found) = self.found.get_mut(at) {
                    *found = availability;
                }
            }
            self.done = self.done.saturating_add(1);
        }
        Ok(self.names.iter().map(Vec::as_slice).zip(&self.found))
    }

    /// Returns how many bytes of memory the check takes.
    pub fn memory(&self) -> u64 {
        let sets = self.deleting.iter().chain(self.prefixes.keys());
        let names = self.names.iter().chain(sets);
        let bytes = names.fold(0usize, |sum, name| {
            sum.saturating_add(name.capacity()).saturating_add(size_of::<Vec<u8>>())
        });
        let cursor = self.cursor.as_ref().map_or(0, RefCursor::memory);
        cursor.saturating_add(bytes as u64)
    }

    fn check(
        &mut self,
        name: &[u8],
        refs: &Refs,
        files: &Files,
        counts: &mut RefCounts,
    ) -> Result<Availability> {
        if !is_refname(name) {
            return Ok(Availability::BadName);
        }
        let below = [name, b"/"].concat();
        if !self.initial {
            self.look_at_files(name, &below, refs, files)?;
        }
        for prefix in directories(name) {
            if self.deleting.contains(prefix) {
                continue;
            }
            if self.exists(prefix, refs, files, counts)? {
                return Ok(Availability::Exists(prefix.to_vec()));
            }
            if self.planned_from(0, prefix).next() == Some(prefix) {
                return Ok(Availability::PlannedTogether(prefix.to_vec()));
            }
        }
        if let Some(other) = self.first_below(&below, refs, files, counts)? {
            return Ok(Availability::IsPrefixOf(other));
        }
        let after = self.done.saturating_add(1);
        let mut planned =
            self.planned_from(after, &below).take_while(|other| other.starts_with(&below));
        Ok(match planned.find(|other| !self.deleting.contains(*other)) {
            Some(other) => Availability::PlannedTogether(other.to_vec()),
            None => Availability::Available,
        })
    }

    /// Returns the planned names at or after `name`, in sorted order; those before the index
    /// `start` of the order are before `name`.
    fn planned_from(&self, start: usize, name: &[u8]) -> impl Iterator<Item = &[u8]> {
        let name_of = |at: &usize| self.names.get(*at).map(Vec::as_slice).unwrap_or_default();
        let rest = self.order.get(start..).unwrap_or_default();
        let first = match rest.first() {
            Some(next) if name_of(next) < name => rest.partition_point(|at| name_of(at) < name),
            _ => 0,
        };
        rest.iter().skip(first).map(name_of)
    }

    /// Looks up all loose refs and directories that a name's result depends on. git packs a
    /// ref before it deletes the file, so `packed-refs` is read once, after all of them.
    fn look_at_files(
        &mut self,
        name: &[u8],
        below: &[u8],
        refs: &Refs,
        files: &Files,
    ) -> Result<()> {
        for prefix in directories(name) {
            if !self.prefixes.contains_key(prefix) && !self.deleting.contains(prefix) {
                refs.look_at_file(files, prefix)?;
            }
        }
        let cursor = self.cursor.get_or_insert_with(|| refs.cursor());
        cursor.seek_prefix(below);
        cursor.look_at_files(files)
    }

    /// Returns whether a directory is a ref. The result is cached for other names.
    fn exists(
        &mut self,
        prefix: &[u8],
        refs: &Refs,
        files: &Files,
        counts: &mut RefCounts,
    ) -> Result<bool> {
        if self.initial {
            return Ok(false);
        }
        if let Some(known) = self.prefixes.get(prefix) {
            return Ok(*known);
        }
        let exists = refs.get(files, prefix)?.is_some();
        counts.prefix_checks = counts.prefix_checks.saturating_add(1);
        self.prefixes.insert(prefix.to_vec(), exists);
        Ok(exists)
    }

    /// Returns the first ref below a name that will not be deleted.
    fn first_below(
        &mut self,
        below: &[u8],
        refs: &Refs,
        files: &Files,
        counts: &mut RefCounts,
    ) -> Result<Option<Vec<u8>>> {
        if self.initial {
            return Ok(None);
        }
        let cursor = self.cursor.get_or_insert_with(|| refs.cursor());
        cursor.seek_prefix(below);
        while let Some(other) = cursor.peek_name(files)? {
            if !self.deleting.contains(other) {
                counts.seeks = counts.seeks.saturating_add(1);
                return Ok(Some(other.to_vec()));
            }
            cursor.pass(files)?;
        }
        counts.seeks = counts.seeks.saturating_add(1);
        Ok(None)
    }
}

/// Returns the directories that a ref of this name would be in, outermost first.
fn directories(name: &[u8]) -> impl Iterator<Item = &[u8]> {
    let slashes = name.iter().enumerate().filter(|(_, byte)| **byte == b'/');
    slashes.map(|(at, _)| name.get(..at).unwrap_or_default())
}
