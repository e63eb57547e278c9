//! What filters decide in a walk over trees.

use super::tail::{Absent, Tail};
use super::{MissingObjects, ObjectFilter, ObjectFilterOptions, Part, SparsePatterns};
use crate::repository::Repository;
use packlens_base::appender::Output;
use packlens_base::error::{ErrorKind, Result};
use packlens_base::oid::ObjectId;
use packlens_format::object::ObjectType;

/// An object was listed, is among those that may have been omitted, is a tree below which blobs were
/// omitted because of their paths, was reached by a tree or commit, or was requested and is not
/// visited again.
const LISTED: u8 = 1;
const OMITTED: u8 = 2;
const PARTIAL: u8 = 4;
const REACHED: u8 = 8;
const FINAL: u8 = 16;

/// Where a walk reached a tree or blob.
pub(in crate::history) struct Reached<'a> {
    pub(in crate::history) number: usize,
    pub(in crate::history) id: &'a ObjectId,
    pub(in crate::history) object_type: ObjectType,
    pub(in crate::history) path: &'a [u8],
    /// It was requested itself, and filters do not omit it.
    pub(in crate::history) is_given: bool,
    /// How many trees are above it, without one that was requested itself.
    pub(in crate::history) depth: u32,
    /// The filters whose patterns select the tree above it: a bit each.
    pub(in crate::history) selected: u32,
}

/// What a walk does with an object.
#[derive(Clone, Copy, Default)]
pub(in crate::history) struct Visit {
    pub(in crate::history) lists: bool,
    pub(in crate::history) enters: bool,
    /// The filters that omit the object and report it, and those that let it pass.
    omitted_by: u32,
    passed_by: u32,
    /// The filters of several that no longer let the object pass at another path.
    seen_by: u32,
    /// A later path may lead to an object that is not listed now.
    by_path: bool,
    /// As [`Reached::selected`], for what is in a tree.
    pub(in crate::history) selected: u32,
}

impl Visit {
    /// What a walk without filters does.
    pub(in crate::history) fn all(lists: bool, enters: bool) -> Visit {
        Visit { lists, enters, ..Visit::default() }
    }
}

/// What was decided about an object before.
#[derive(Clone, Copy, Default)]
struct Known {
    flags: u8,
    /// As in [`Visit`].
    seen_by: u32,
    omitted_by: u32,
    /// One more than the least depth at which a tree was reached; 0 for none.
    reached: u32,
}

/// The filters of a walk, and what they decided.
#[derive(Default)]
pub(in crate::history) struct Filtering {
    filter: ObjectFilter,
    options: ObjectFilterOptions,
    known: Vec<Known>,
    tail: Tail,
}

impl Filtering {
    pub(in crate::history) fn new(options: ObjectFilterOptions) -> Result<Filtering> {
        let filter = ObjectFilter::parse(&options.specs)?;
        Ok(Filtering { filter, options, ..Filtering::default() })
    }

    /// Reads what the filters need.
    pub(in crate::history) fn open(&mut self, repository: &mut Repository) -> Result<()> {
        self.filter.open(repository)
    }

    /// Returns whether a commit or tag is listed.
    pub(in crate::history) fn lists(&self, object_type: ObjectType, is_given: bool) -> bool {
        (is_given && !self.options.provided) || self.filter.passes(object_type)
    }

    /// Returns whether a requested object is listed whatever the filters say: not if something
    /// else has led to it, as in git.
    pub(in crate::history) fn exempts(&self, number: usize) -> bool {
        let is_reached = self.known.get(number).is_some_and(|known| known.flags & REACHED != 0);
        !self.options.provided && !is_reached
    }

    /// Returns whether what was decided for an object counts for its other paths.
    pub(in crate::history) fn depends_on_path(&self) -> bool {
        self.filter.depends_on_path()
    }

    pub(in crate::history) fn memory(&self) -> u64 {
        let known = self.known.capacity().saturating_mul(size_of::<Known>());
        (known as u64).saturating_add(self.tail.memory()).saturating_add(self.filter.memory())
    }

    /// Decides about a tree or blob; changes nothing.
    ///
    /// # Errors
    ///
    /// Missing bytes; those of finding out the size of a blob.
    pub(in crate::history) fn visit(
        &self,
        repository: &mut Repository,
        reached: &Reached<'_>,
    ) -> Result<Visit> {
        let known = self.known.get(reached.number).copied().unwrap_or_default();
        let is_tree = reached.object_type == ObjectType::Tree;
        if known.flags & FINAL != 0 || (!is_tree && known.flags & LISTED != 0) {
            return Ok(Visit::default());
        }
        let visit = match (reached.is_given, reached.object_type) {
            (true, _) => Visit::all(true, is_tree),
            (false, ObjectType::Tree | ObjectType::Blob) => {
                self.judged(repository, reached, known)?
            }
            (false, other) => Visit::all(self.filter.passes(other), false),
        };
        let is_reached = self.was_reached(known, reached.depth);
        // As by git, a tree that was listed is listed again at a lesser depth.
        let is_listed = match is_tree && self.has_depth() {
            true => is_reached,
            false => known.flags & LISTED != 0,
        };
        Ok(Visit {
            lists: visit.lists && !is_listed,
            enters: visit.enters && (!is_reached || known.flags & PARTIAL != 0),
            ..visit
        })
    }

    /// Returns whether an object was reached at this depth or a lesser one.
    fn was_reached(&self, known: Known, depth: u32) -> bool {
        known.reached != 0 && known.reached <= self.depth_of(depth).saturating_add(1)
    }

    fn has_depth(&self) -> bool {
        self.filter.parts.iter().any(|part| matches!(part, Part::TreeDepth(_)))
    }

    /// Returns a depth, if it matters to a filter.
    fn depth_of(&self, depth: u32) -> u32 {
        if self.has_depth() {
            depth
        } else {
            0
        }
    }

    /// Asks all filters. As in git, several of them must let an object pass at the same path: one
    /// that has decided for all paths lets it pass no more.
    fn judged(
        &self,
        repository: &mut Repository,
        reached: &Reached<'_>,
        known: Known,
    ) -> Result<Visit> {
        let is_tree = reached.object_type == ObjectType::Tree;
        let mut visit = Visit::all(true, is_tree);
        let is_one_of_several = self.filter.parts.len() > 1;
        // What one filter omits in a tree is reported, although another omits all of it.
        let (mut any_enters, mut all_enter) = (self.filter.parts.is_empty(), true);
        for (bit, part) in self.filter.parts.iter().enumerate() {
            let bit = 1 << bit;
            if is_one_of_several && known.seen_by & bit != 0 {
                visit.lists = false;
                any_enters = true;
                continue;
            }
            // A tree at a greater depth than before is not looked at.
            let is_deeper = is_tree && self.was_reached(known, reached.depth);
            if is_deeper && matches!(part, Part::TreeDepth(_)) {
                (visit.lists, all_enter) = (false, false);
                continue;
            }
            // Whether it passes, whether a tree is entered, and whether that holds for all paths.
            let (passes, enters, is_final) = match part {
                Part::BlobLimit(_) if is_tree => (true, true, true),
                Part::BlobLimit(0) => (false, true, true),
                Part::BlobLimit(limit) => {
                    (!is_at_least(repository, reached.id, *limit)?, true, true)
                }
                Part::Type(object_type) => {
                    let has_more = matches!(object_type, ObjectType::Tree | ObjectType::Blob);
                    (*object_type == reached.object_type, has_more, true)
                }
                Part::TreeDepth(limit) => {
                    let passes = u64::from(reached.depth) < *limit;
                    (passes, passes || self.options.print_omitted, passes && !is_tree)
                }
                Part::Sparse(SparsePatterns::Read(patterns)) => {
                    let own = patterns.selects(reached.path, is_tree);
                    let selects = own.unwrap_or(reached.selected & bit != 0);
                    visit.selected |= if selects { bit } else { 0 };
                    visit.by_path |= !is_tree && !selects;
                    let is_complete = known.reached != 0 && known.flags & PARTIAL == 0;
                    (is_tree || selects, true, if is_tree { is_complete } else { selects })
                }
                Part::Sparse(SparsePatterns::Named(_)) => (true, true, false),
            };
            visit.lists &= passes;
            visit.seen_by |= if is_final { bit } else { 0 };
            match (passes, part) {
                (true, _) => visit.passed_by |= bit,
                (false, Part::Type(_)) => {}
                (false, _) => visit.omitted_by |= bit,
            }
            any_enters |= enters;
            all_enter &= enters;
        }
        visit.enters = is_tree && if self.options.print_omitted { any_enters } else { all_enter };
        Ok(visit)
    }

    /// Notes what was decided about an object; `above` are the trees above it.
    pub(in crate::history) fn note(
        &mut self,
        (number, id, depth): (usize, &ObjectId, u32),
        is_given: bool,
        visit: Visit,
        above: impl Iterator<Item = usize>,
    ) {
        let highest = number.saturating_add(1);
        if self.known.len() < highest {
            self.known.resize(highest, Known::default());
        }
        let depth = self.depth_of(depth).saturating_add(1);
        if let Some(known) = self.known.get_mut(number) {
            known.flags |= if is_given { FINAL } else { REACHED };
            if visit.lists {
                known.flags |= LISTED;
            }
            known.seen_by |= visit.seen_by;
            known.reached = match known.reached {
                0 => depth,
                reached => reached.min(depth),
            };
            if self.options.print_omitted {
                known.omitted_by = (known.omitted_by & !visit.passed_by) | visit.omitted_by;
                if known.omitted_by != 0 && known.flags & OMITTED == 0 {
                    known.flags |= OMITTED;
                    self.tail.add_omitted(number, id);
                }
            }
        }
        if visit.by_path {
            for number in above {
                if let Some(known) = self.known.get_mut(number) {
                    known.flags |= PARTIAL;
                }
            }
        }
    }

    /// Returns what happens to objects that are missing.
    pub(in crate::history) fn missing_rule(&self) -> MissingObjects {
        self.options.missing
    }

    /// Notes objects that are missing, before any other.
    pub(in crate::history) fn begin_missing(&mut self, absent: Vec<Absent>) {
        absent.into_iter().for_each(|one| self.tail.add_missing(one, self.options.missing));
    }

    /// Notes a tree or blob that is missing; nothing is said about one that was requested.
    pub(in crate::history) fn note_missing(
        &mut self,
        (id, object_type): (&ObjectId, ObjectType),
        path: &[u8],
        is_given: bool,
    ) {
        let known = !is_given && self.options.missing == MissingObjects::PrintInfo;
        let absent = Absent {
            id: *id,
            object_type: known.then_some(object_type),
            path: known.then(|| path.to_vec()),
        };
        self.tail.add_missing(absent, self.options.missing);
    }

    /// Appends the next line after all objects; returns whether there was none left.
    ///
    /// # Errors
    ///
    /// Those of the output.
    pub(in crate::history) fn write_tail(&mut self, out: &mut Output) -> Result<bool> {
        let known = &self.known;
        self.tail.write_next(
            &mut |number| known.get(number).is_some_and(|known| known.omitted_by != 0),
            out,
        )
    }
}

/// Returns whether a blob has this size or a larger one. The filter takes a missing one for small,
/// as git does: it is reported when it is listed.
fn is_at_least(repository: &mut Repository, id: &ObjectId, limit: u64) -> Result<bool> {
    match repository.odb.info(&mut repository.files, id) {
        Ok(info) => Ok(info.size >= limit),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}
