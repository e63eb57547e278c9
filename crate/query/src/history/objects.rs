//! Lists the objects that commits reach, as `rev-list --objects` does.

use super::frontier::needing_frontier;
use super::object_filter::{Filtering, Reached, Visit};
use super::seen_trees::{SeenTrees, Unseen};
use super::unchecked_trees::UncheckedTrees;
use crate::odb::Verify;
use crate::repository::Repository;
use packlens_base::appender::{Append, Appender, Output};
use packlens_base::error::{Error, ErrorKind, Result};
use packlens_base::oid::ObjectId;
use packlens_format::id_table::Ids;
use packlens_format::object::{ObjectType, Tag};
use std::rc::Rc;

/// The object was listed.
const LISTED: u8 = 1;
/// The object is uninteresting: an excluded commit or object reaches it.
const UNINTERESTING: u8 = 2;
/// The factor of the object type in the flags: an object that is linked to as two types is an
/// error.
const TYPE: u8 = 4;

/// A requested object that is not a commit; or an uninteresting one, with all it reaches.
pub(super) struct StartObject {
    pub(super) id: ObjectId,
    pub(super) object_type: ObjectType,
    /// The name that is listed after the id. The names in a tree are appended to it.
    pub(super) name: Vec<u8>,
    pub(super) uninteresting: bool,
    /// It was requested itself, not as the tree of a commit: filters do not omit it.
    pub(super) is_given: bool,
}

impl StartObject {
    /// Makes a request of the tree of a commit.
    pub(super) fn tree(id: ObjectId, uninteresting: bool) -> StartObject {
        let (object_type, name) = (ObjectType::Tree, Vec::new());
        StartObject { id, object_type, name, uninteresting, is_given: false }
    }
}

/// The share of the memory ceiling that visited trees may take.
const SEEN_SHARE: u64 = 16;

/// A tree that is being visited.
struct TreeLevel {
    tree: Unseen,
    /// The length of the path of this tree.
    path: usize,
    number: usize,
    /// The filters whose patterns select it: a bit each.
    selected: u32,
}

/// Visits trees and what they hold, each object once. The walk can stop after any step and
/// resume later.
#[derive(Default)]
pub(super) struct Objects {
    ids: Ids,
    flags: Vec<u8>,
    starts: Vec<StartObject>,
    /// How many of `starts` were visited.
    done: usize,
    levels: Vec<TreeLevel>,
    seen: SeenTrees,
    path: Vec<u8>,
    /// The objects that are visited now are uninteresting.
    in_uninteresting: bool,
    listed: u64,
    unchecked: UncheckedTrees,
    /// The length of the output before the first tree whose hash is not checked yet, and how
    /// many objects were listed by then.
    checked: (usize, u64),
    /// How many objects were listed before the walk restarted; they are not listed again.
    known: u64,
    filtering: Option<Box<Filtering>>,
    /// The object that is visited is a start, and filters do not omit it; with all in it.
    is_given: bool,
}

/// The next object of the walk.
struct NextObject {
    id: ObjectId,
    object_type: ObjectType,
    /// The offset of the entry after it, in the tree that is visited.
    rest: usize,
    /// The length of the path without its name.
    path: usize,
}

/// What a step does with the next object.
struct Seen {
    visit: Visit,
    /// The content of a tree to enter.
    content: Option<Vec<u8>>,
    is_missing: bool,
}

impl Objects {
    /// Creates a walk that lists objects in this order, after it has visited the uninteresting
    /// ones.
    pub fn new(
        starts: impl Iterator<Item = StartObject>,
        filtering: Option<Box<Filtering>>,
    ) -> Objects {
        let (mut starts, listed): (Vec<_>, Vec<_>) = starts.partition(|start| start.uninteresting);
        starts.extend(listed);
        // A walk that filters cannot restart: it would have to forget what it decided.
        let unchecked = match filtering {
            Some(_) => UncheckedTrees::one_by_one(),
            None => UncheckedTrees::default(),
        };
        Objects { starts, unchecked, filtering, ..Objects::default() }
    }

    /// Returns how many objects were listed.
    pub(super) fn listed(&self) -> u64 {
        self.listed
    }

    /// Returns how many bytes of memory this takes.
    pub fn memory(&self) -> u64 {
        let levels = self.levels.iter().map(|level| level.tree.memory());
        let starts = self.starts.capacity().saturating_mul(size_of::<StartObject>()) as u64;
        let held = self.ids.memory().saturating_add(starts).saturating_add(self.seen.memory());
        let held = held.saturating_add(self.unchecked.memory());
        let filtering = self.filtering.as_ref().map_or(0, |filtering| filtering.memory());
        levels.fold(held.saturating_add(filtering), u64::saturating_add)
    }

    /// Appends a line after all objects: one that a filter omitted, or that is missing. Returns
    /// whether there was none left.
    ///
    /// # Errors
    ///
    /// Those of the output.
    pub(super) fn write_tail(&mut self, out: &mut Output) -> Result<bool> {
        match &mut self.filtering {
            Some(filtering) => filtering.write_tail(out),
            None => Ok(true),
        }
    }

    /// Visits one object, and writes its line to `out`; returns whether the walk is over.
    ///
    /// # Errors
    ///
    /// Missing files and bytes: nothing has changed then. Errors of reading.
    pub(super) fn step(
        &mut self,
        repository: &mut Repository,
        mut out: Option<&mut Output>,
    ) -> Result<bool> {
        if self.memory() > repository.memory() / 2 {
            return Err(super::commits::too_many());
        }
        let Some(next) = self.next(repository)? else {
            let done = self.levels.is_empty() && self.done >= self.starts.len();
            if done {
                repository.end_listing();
            }
            return Ok(done && self.check(repository, out));
        };
        let number = self.number_of(&next.id);
        if self.levels.is_empty() {
            self.is_given &= self.filtering.as_ref().is_some_and(|all| all.exempts(number));
        }
        let flags = self.flags.get(number).copied().unwrap_or(0);
        let taken_for = flags / TYPE;
        if taken_for != 0 && taken_for != next.object_type as u8 {
            let what = "an object is linked to as two types";
            return Err(Error::new(ErrorKind::Corrupt, what).about(next.id.to_hex()));
        }
        let known = if self.in_uninteresting { UNINTERESTING } else { LISTED | UNINTERESTING };
        let is_new = flags & known == 0;
        if self.unchecked.is_empty() {
            self.checked = (out.as_ref().map_or(0, |out| out.len()), self.listed);
        }
        let seen = self
            .visit(repository, &next, (number, flags))
            .map_err(|error| self.needing_next(error, repository))?;
        let Seen { visit, content, is_missing } = seen;
        if visit.lists && !is_missing {
            if let Some(out) = out.as_deref_mut().filter(|_| self.listed >= self.known) {
                write_line(&next.id, &self.path, &mut out.appender())?;
            }
            self.listed = self.listed.saturating_add(1);
        }
        let depth = self.depth();
        if let Some(filtering) = self.filtering.as_mut().filter(|_| !self.in_uninteresting) {
            let above = self.levels.iter().map(|level| level.number);
            let is_given = self.is_given && self.levels.is_empty();
            filtering.note((number, &next.id, depth), is_given, visit, above);
            if is_missing {
                filtering.note_missing((&next.id, next.object_type), &self.path, is_given);
            }
        }
        self.pass(&next);
        if let Some(flags) = self.flags.get_mut(number).filter(|_| is_new) {
            *flags |= if self.in_uninteresting { UNINTERESTING } else { LISTED };
            *flags |= (next.object_type as u8).saturating_mul(TYPE);
        }
        match content {
            Some(content) => {
                if !self.path.is_empty() {
                    self.path.push(b'/');
                }
                let content = Rc::new(content);
                let waits = self.unchecked.takes(repository);
                if waits
                    && self.unchecked.push(next.id, Rc::clone(&content))
                    && !self.check(repository, out)
                {
                    return Ok(false);
                }
                let tree = self.seen.begin(&self.path, content);
                let selected = visit.selected;
                self.levels.push(TreeLevel { tree, path: self.path.len(), number, selected });
            }
            None => self.path.truncate(next.path),
        }
        Ok(false)
    }

    /// Finds out what to do with the next object, and reads it if it is a tree to enter.
    fn visit(
        &self,
        repository: &mut Repository,
        next: &NextObject,
        (number, flags): (usize, u8),
    ) -> Result<Seen> {
        let is_listing = !self.in_uninteresting;
        let filtering = self.filtering.as_ref().filter(|_| is_listing);
        let known = if is_listing { LISTED | UNINTERESTING } else { UNINTERESTING };
        let is_new = flags & known == 0;
        let visit = match filtering {
            Some(_) if flags & UNINTERESTING != 0 => Visit::default(),
            Some(filtering) => {
                let reached = Reached {
                    number,
                    id: &next.id,
                    object_type: next.object_type,
                    path: &self.path,
                    is_given: self.is_given && self.levels.is_empty(),
                    depth: self.depth(),
                    selected: self.levels.last().map_or(0, |level| level.selected),
                };
                filtering.visit(repository, &reached)?
            }
            None => {
                Visit::all(is_new && is_listing, is_new && next.object_type == ObjectType::Tree)
            }
        };
        let content = match next.object_type {
            ObjectType::Tree if visit.enters => self.read_tree(repository, next),
            ObjectType::Tree | ObjectType::Blob if visit.lists => {
                repository.odb.must_have(&mut repository.files, &next.id).map(|()| None)
            }
            _ => Ok(None),
        };
        match (content, filtering) {
            (Err(error), Some(filtering)) => {
                if !filtering.missing_rule().allows(repository, &next.id, &error)? {
                    return Err(error);
                }
                Ok(Seen { visit, content: None, is_missing: true })
            }
            (content, _) => Ok(Seen { visit, content: content?, is_missing: false }),
        }
    }

    /// Returns how many trees are above the next object, without one that was requested itself.
    fn depth(&self) -> u32 {
        let levels = self.levels.len() as u32;
        levels.saturating_sub(u32::from(self.is_given))
    }

    /// Hashes the waiting trees; must be called before any result is returned. If a tree does
    /// not match its id, the walk restarts and this returns `false`: the output is cut back to
    /// what the good trees gave, and from now on each tree is hashed when it is read.
    pub(super) fn check(&mut self, repository: &mut Repository, out: Option<&mut Output>) -> bool {
        if self.unchecked.is_empty() || self.unchecked.check(repository) {
            return true;
        }
        repository.end_listing();
        let (length, known) = self.checked;
        if let Some(out) = out {
            out.truncate(length);
        }
        let (starts, unchecked) = (std::mem::take(&mut self.starts), UncheckedTrees::one_by_one());
        *self = Objects { starts, unchecked, known, ..Objects::default() };
        false
    }

    /// Returns the next object, and appends its name to the path.
    fn next(&mut self, repository: &Repository) -> Result<Option<NextObject>> {
        while let Some(level) = self.levels.last_mut() {
            self.path.truncate(level.path);
            let Some((entry, rest)) = level.tree.next(repository.hash())? else {
                break;
            };
            if entry.mode.is_gitlink() {
                level.tree.pass(rest);
                continue;
            }
            let (id, object_type) = (entry.oid, entry.mode.object_type());
            self.path.extend(entry.name);
            return Ok(Some(NextObject { id, object_type, rest, path: level.path }));
        }
        if let Some(level) = self.levels.pop() {
            // An equal tree at another path may have to be visited again.
            let forgets = self.filtering.as_ref().is_some_and(|all| all.depends_on_path());
            let most = if forgets { 0 } else { repository.memory() / SEEN_SHARE };
            self.seen.end(level.tree, most);
            return Ok(None);
        }
        let Some(start) = self.starts.get(self.done) else {
            return Ok(None);
        };
        self.in_uninteresting = start.uninteresting;
        self.is_given = start.is_given;
        self.path.clone_from(&start.name);
        let StartObject { id, object_type, .. } = *start;
        Ok(Some(NextObject { id, object_type, rest: 0, path: 0 }))
    }

    /// Advances past the object that [`Objects::next`] returned.
    fn pass(&mut self, next: &NextObject) {
        match self.levels.last_mut() {
            Some(level) => level.tree.pass(next.rest),
            None => self.done = self.done.saturating_add(1),
        }
    }

    /// Adds to a need for an object the objects that the walk reads after it.
    fn needing_next(&self, error: Error, repository: &mut Repository) -> Error {
        let hash = repository.hash();
        let levels = self.levels.iter().rev().flat_map(|level| level.tree.left(hash));
        let starts = self.starts.get(self.done..).unwrap_or_default();
        let starts = starts.iter().map(|start| (start.id, start.object_type));
        // The object that is needed first is known by now, and named by the error.
        let is_known = |id: &ObjectId| self.ids.has(id);
        needing_frontier(error, repository, levels.chain(starts), self.in_uninteresting, is_known)
    }

    /// Reads a tree to visit. An uninteresting tree may be missing, as in git.
    fn read_tree(&self, repository: &mut Repository, next: &NextObject) -> Result<Option<Vec<u8>>> {
        if self.levels.len() >= repository.limits().tree_depth {
            let path = self.path.as_slice();
            return Err(Error::new(ErrorKind::Limit, "trees are nested too deep").about(path));
        }
        let together = self.unchecked.takes(repository);
        let verify = if together { Verify::None } else { repository.verify };
        match repository.read_tree(&next.id, verify) {
            Err(error) if self.in_uninteresting && error.kind() == ErrorKind::NotFound => Ok(None),
            content => content.map(Some),
        }
    }

    fn number_of(&mut self, id: &ObjectId) -> usize {
        let number = self.ids.number_of(id, self.flags.len() as u32) as usize;
        if number == self.flags.len() {
            self.flags.push(0);
        }
        number
    }
}

/// Appends the line of an object; a name is cut at its first line feed, as git does.
fn write_line(id: &ObjectId, name: &[u8], out: &mut Appender<'_>) -> Result<()> {
    let end = name.iter().position(|byte| *byte == b'\n').unwrap_or(name.len());
    out.bytes(id.to_hex().as_bytes())?;
    out.bytes(b" ")?;
    out.bytes(name.get(..end).unwrap_or_default())?;
    out.bytes(b"\n")
}

/// Adds an object that is not a commit; of a tag, all tags on the way and the tree or blob at
/// its end. ///
/// Returns the object at its end if that is missing.
///
/// # Errors
///
/// Missing files and bytes; errors of reading.
pub(super) fn add_start_object(
    repository: &mut Repository,
    object: &ObjectId,
    path: &[u8],
    uninteresting: bool,
    starts: &mut Vec<StartObject>,
) -> Result<Option<ObjectId>> {
    let (mut id, mut name) = (*object, path.to_vec());
    loop {
        let object_type = match repository.object_type(&id) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Some(id)),
            object_type => object_type?,
        };
        let mut next = None;
        match object_type {
            ObjectType::Commit => return Ok(None),
            ObjectType::Tree | ObjectType::Blob => {}
            ObjectType::Tag => {
                let content = repository.read_of_type(&id, ObjectType::Tag)?;
                let tag = Tag::decode(repository.hash(), &content)?;
                name = tag.name().to_vec();
                next = Some(*tag.target());
            }
        }
        starts.push(StartObject { id, object_type, name, uninteresting, is_given: true });
        match next {
            Some(target) => (id, name) = (target, Vec::new()),
            None => return Ok(None),
        }
    }
}
