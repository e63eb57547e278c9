//! The objects that commits lead to, as `rev-list --objects` lists them.

use super::ids::Ids;
use crate::appender::{Append, Appender, Output};
use crate::error::{Error, ErrorKind, Result};
use crate::object::{ObjectType, Tag, Tree};
use crate::oid::ObjectId;
use crate::repository::Repository;

/// It was listed.
const LISTED: u8 = 1;
/// It is not asked for: what was left out leads to it.
const LEFT_OUT: u8 = 2;

/// Something beside commits that is to be listed, or left out, with all it leads to.
pub(super) struct Wanted {
    pub(super) id: ObjectId,
    pub(super) object_type: ObjectType,
    /// What stands behind its id; of a tree, before the names in it as well.
    pub(super) name: Vec<u8>,
    pub(super) left_out: bool,
}

impl Wanted {
    /// Makes it of the tree of a commit.
    pub(super) fn tree(id: ObjectId, left_out: bool) -> Wanted {
        Wanted { id, object_type: ObjectType::Tree, name: Vec::new(), left_out }
    }
}

/// A tree that is gone through.
struct Level {
    content: Vec<u8>,
    at: usize,
    /// How much of the path stands for this tree.
    path: usize,
}

/// Goes through trees, each object once. It stops when it likes and goes on later.
#[derive(Default)]
pub(super) struct Objects {
    ids: Ids,
    flags: Vec<u8>,
    /// What is left to list, the next one last.
    wanted: Vec<Wanted>,
    levels: Vec<Level>,
    path: Vec<u8>,
    /// Those that are gone through now are left out.
    leaving_out: bool,
    listed: u64,
}

/// What comes next.
struct Next {
    id: ObjectId,
    object_type: ObjectType,
    /// Where in the tree that is gone through what follows begins.
    rest: usize,
    /// How long the path is without its name.
    path: usize,
}

impl Objects {
    /// Begins with what is listed, in that order. What is left out comes before.
    pub(super) fn new(wanted: impl Iterator<Item = Wanted>) -> Objects {
        let mut wanted: Vec<Wanted> = wanted.collect();
        wanted.sort_by_key(|wanted| !wanted.left_out);
        wanted.reverse();
        Objects { wanted, ..Objects::default() }
    }

    /// Returns how many were listed.
    pub(super) fn listed(&self) -> u64 {
        self.listed
    }

    /// Returns how many bytes of memory this takes.
    pub(super) fn memory(&self) -> u64 {
        let levels = self.levels.iter().map(|level| level.content.capacity() as u64);
        let wanted = self.wanted.capacity().saturating_mul(size_of::<Wanted>()) as u64;
        levels.fold(self.ids.memory().saturating_add(wanted), u64::saturating_add)
    }

    /// Takes one object, and writes its line with `out`; tells whether that was the
    /// last.
    ///
    /// # Errors
    ///
    /// Missing files and bytes: nothing has changed then. Those of reading.
    pub(super) fn step(
        &mut self,
        repository: &mut Repository,
        out: Option<&mut Output>,
    ) -> Result<bool> {
        if self.memory() > repository.memory() / 2 {
            return Err(super::commits::too_many());
        }
        let Some(next) = self.next(repository)? else {
            return Ok(self.levels.is_empty() && self.wanted.is_empty());
        };
        let flags = self.flags_of(&next.id);
        let known = if self.leaving_out { LEFT_OUT } else { LISTED | LEFT_OUT };
        let is_new = flags & known == 0;
        let content = match next.object_type {
            ObjectType::Tree if is_new => self.read_tree(repository, &next)?,
            ObjectType::Blob if is_new && !self.leaving_out => {
                check_blob(repository, &next.id)?;
                None
            }
            _ => None,
        };
        if is_new && !self.leaving_out {
            if let Some(out) = out {
                write_line(&next.id, &self.path, &mut out.appender())?;
            }
            self.listed = self.listed.saturating_add(1);
        }
        self.pass(&next);
        if is_new {
            self.set(&next.id, if self.leaving_out { LEFT_OUT } else { LISTED });
        }
        match content {
            Some(content) => {
                if !self.path.is_empty() {
                    self.path.push(b'/');
                }
                self.levels.push(Level { content, at: 0, path: self.path.len() });
            }
            None => self.path.truncate(next.path),
        }
        Ok(false)
    }

    /// Returns the next object, with its name at the end of the path.
    fn next(&mut self, repository: &Repository) -> Result<Option<Next>> {
        if let Some(level) = self.levels.last() {
            self.path.truncate(level.path);
            let mut tree =
                Tree::new(repository.hash(), level.content.get(level.at..).unwrap_or_default());
            for entry in tree.by_ref() {
                let entry = entry?;
                if entry.mode.is_gitlink() {
                    continue;
                }
                let rest = level.content.len().saturating_sub(tree.rest().len());
                let object_type = entry.mode.object_type();
                self.path.extend(entry.name);
                return Ok(Some(Next { id: entry.oid, object_type, rest, path: level.path }));
            }
            self.levels.pop();
            return Ok(None);
        }
        let Some(wanted) = self.wanted.last() else {
            return Ok(None);
        };
        self.leaving_out = wanted.left_out;
        self.path.clone_from(&wanted.name);
        let Wanted { id, object_type, .. } = *wanted;
        Ok(Some(Next { id, object_type, rest: 0, path: 0 }))
    }

    /// Goes on behind what was next.
    fn pass(&mut self, next: &Next) {
        match self.levels.last_mut() {
            Some(level) => level.at = next.rest,
            None => {
                self.wanted.pop();
            }
        }
    }

    /// Reads a tree to go into. One that is left out may be missing, as for git.
    fn read_tree(&self, repository: &mut Repository, next: &Next) -> Result<Option<Vec<u8>>> {
        if self.levels.len() >= repository.limits().tree_depth {
            let path = self.path.as_slice();
            return Err(Error::new(ErrorKind::Limit, "trees nested too deep").about(path));
        }
        match repository.read_of_type(&next.id, ObjectType::Tree) {
            Err(error) if self.leaving_out && error.kind() == ErrorKind::NotFound => Ok(None),
            content => content.map(Some),
        }
    }

    fn flags_of(&mut self, id: &ObjectId) -> u8 {
        let number = self.number_of(id);
        self.flags.get(number).copied().unwrap_or(0)
    }

    fn set(&mut self, id: &ObjectId, flags: u8) {
        let number = self.number_of(id);
        if let Some(known) = self.flags.get_mut(number) {
            *known |= flags;
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

/// Appends the line of an object; a name is cut at a line feed, as git does.
fn write_line(id: &ObjectId, name: &[u8], out: &mut Appender<'_>) -> Result<()> {
    let end = name.iter().position(|byte| *byte == b'\n').unwrap_or(name.len());
    out.bytes(id.to_hex().as_bytes())?;
    out.bytes(b" ")?;
    out.bytes(name.get(..end).unwrap_or_default())?;
    out.bytes(b"\n")
}

/// Makes sure that a blob is there; it is not read.
///
/// # Errors
///
/// Missing files and bytes; [`ErrorKind::NotFound`].
pub(super) fn check_blob(repository: &mut Repository, id: &ObjectId) -> Result<()> {
    if repository.odb.find(&mut repository.files, id)?.is_none() {
        let what = "there is no such object";
        return Err(Error::new(ErrorKind::NotFound, what).about(id.to_hex()));
    }
    Ok(())
}

/// Adds what an object is beside a commit: the tags that lead to it, a tree or blob.
///
/// # Errors
///
/// Missing files and bytes; those of reading.
pub(super) fn add_wanted(
    repository: &mut Repository,
    object: &ObjectId,
    path: &[u8],
    left_out: bool,
    wanted: &mut Vec<Wanted>,
) -> Result<()> {
    let (mut id, mut name) = (*object, path.to_vec());
    loop {
        let object_type = repository.object_type(&id)?;
        let mut next = None;
        match object_type {
            ObjectType::Commit => return Ok(()),
            ObjectType::Tree | ObjectType::Blob => {}
            ObjectType::Tag => {
                let content = repository.read_of_type(&id, ObjectType::Tag)?;
                let tag = Tag::decode(repository.hash(), &content)?;
                name = tag.name().to_vec();
                next = Some(*tag.target());
            }
        }
        wanted.push(Wanted { id, object_type, name, left_out });
        match next {
            Some(target) => (id, name) = (target, Vec::new()),
            None => return Ok(()),
        }
    }
}
