//! Connectivity: missing objects, and unreachable and dangling ones.

use super::finding::{exit, Finding};
use super::numbers::{flag, type_in, Number};
use super::objects::note_links;
use super::pack_files::path_of;
use super::shared::{unless_damaged, Shared};
use packlens_base::appender::Output;
use packlens_base::block::BlockSource;
use packlens_base::error::{Error, Result};
use packlens_base::hash::object_id;
use packlens_base::oid::ObjectId;
use packlens_format::checks::links::{links_of_tree, parse, Link, Parsed};
use packlens_format::object::ObjectType;
use packlens_query::odb::Location;
use packlens_query::repository::Repository;

/// How many objects are reported in a step.
const STEP: u32 = 4096;

/// How many objects are visited in a step: each is read.
const WALK_STEP: u32 = 256;

/// Queues the objects that were read before they were found to be reachable; or clears all
/// marks if reading the objects did not find everything that is reachable.
pub(super) fn begin(shared: &mut Shared) {
    let numbers = &mut shared.numbers;
    let all_there = || {
        (0..numbers.count()).all(|number| {
            let flags = numbers.flags(number);
            flags & flag::REACHABLE == 0 || flags & flag::THERE != 0
        })
    };
    let nothing_missing = numbers.missing().is_empty();
    let is_known = shared.marks_ahead && !shared.has_wrong_types;
    if !(is_known && nothing_missing && all_there()) {
        numbers.clear(flag::REACHABLE | flag::WALKED);
        return;
    }
    let waits = |number: &u32| {
        let flags = numbers.flags(*number);
        flags & (flag::REACHABLE | flag::WALKED) == flag::REACHABLE
            && flags & flag::TYPE != ObjectType::Blob as u8
    };
    shared.pending = (0..numbers.count()).filter(waits).collect();
}

/// Visits all reachable objects, the one that was found last first, as git does.
#[derive(Default)]
pub(super) struct Walk {
    content: Output,
    walked: u64,
    /// The objects that the current object links to. They are marked as reachable already, so
    /// they must survive a retry after missing bytes.
    found: Vec<u32>,
}

impl Walk {
    /// Returns how many objects were visited.
    pub(super) fn done(&self) -> u64 {
        self.walked
    }

    /// Visits some objects; returns whether the walk is over.
    ///
    /// # Errors
    ///
    /// Missing files and bytes: provide them and call again.
    pub(super) fn step(
        &mut self,
        shared: &mut Shared,
        repository: &mut Repository,
    ) -> Result<bool> {
        if shared.is_whole() {
            return Ok(true);
        }
        for _ in 0..WALK_STEP {
            let Some(number) = shared.pending.last().copied() else {
                return Ok(true);
            };
            let flags = shared.numbers.flags(number);
            let known = type_in(flags);
            if flags & flag::WALKED != 0 || known == Some(ObjectType::Blob) {
                shared.pending.pop();
                continue;
            }
            let mut wrong = Vec::new();
            let read = self.read(shared, repository, number)?;
            if let Some((id, object_type)) = read {
                if known.is_some_and(|linked| linked != object_type) {
                    let what = "linked to as an object of another type";
                    let finding = Finding::error("wrongType", exit::REACHABLE, what);
                    wrong.push(finding.of(&id, Some(object_type)));
                }
                let content = self.content.as_slice();
                if let Ok(parsed) = parse(repository.hash(), object_type, content) {
                    let mut marking = Marking {
                        shared: &mut *shared,
                        repository: &mut *repository,
                        parent: (id, object_type),
                        found: &mut self.found,
                        wrong: &mut wrong,
                    };
                    marking.all(&parsed, content)?;
                }
            }
            wrong.into_iter().for_each(|finding| shared.report(finding));
            shared.numbers.set(number, flag::WALKED);
            shared.pending.pop();
            shared.pending.append(&mut self.found);
            self.walked = self.walked.saturating_add(1);
        }
        Ok(false)
    }

    /// Reads an object; `None` if it cannot be read. That is reported here only if objects were
    /// not read before.
    fn read(
        &mut self,
        shared: &mut Shared,
        repository: &mut Repository,
        number: u32,
    ) -> Result<Option<(ObjectId, ObjectType)>> {
        let Some((id, place)) = shared.place_of(repository, number)? else {
            return Ok(None);
        };
        self.content.truncate(0);
        let read = repository.odb.read_at(&mut repository.files, &id, place, &mut self.content);
        let what = read.as_ref().err().map(Error::what).unwrap_or_default();
        let read = unless_damaged(read)?;
        if read.is_none() && shared.options.connectivity_only {
            let object_type = repository.odb.type_at(&mut repository.files, &id, place);
            let is_known = unless_damaged(object_type)?.is_some();
            let file = match place {
                Location::Packed { pack, .. } => Some(repository.odb.pack_file(pack)?),
                _ => repository.odb.loose_file(&repository.files, &id)?,
            };
            let path = file.map(|file| path_of(repository, file)).unwrap_or_default();
            let is_empty = file.is_some_and(|file| repository.files.source(file).size() == 0);
            // git continues if the object's type and size can be read, and if the file is
            // empty.
            let bits = if is_known || is_empty { exit::REACHABLE } else { exit::GIVES_UP };
            let finding = Finding::error("corruptObject", bits, what);
            shared.report(finding.of(&id, type_in(shared.numbers.flags(number))).at(&path));
        }
        Ok(read.map(|(object_type, _)| (id, object_type)))
    }
}

/// Marks the objects that one object links to.
struct Marking<'a> {
    shared: &'a mut Shared,
    repository: &'a mut Repository,
    parent: (ObjectId, ObjectType),
    found: &'a mut Vec<u32>,
    wrong: &'a mut Vec<Finding>,
}

impl Marking<'_> {
    fn all(&mut self, parsed: &Parsed<'_>, content: &[u8]) -> Result<()> {
        match parsed {
            Parsed::Blob => Ok(()),
            Parsed::Tag { target } => {
                let name = self.name();
                self.link(target, || name)
            }
            Parsed::Tree => {
                let name = self.name();
                for link in links_of_tree(self.repository.hash(), content) {
                    let slash: &[u8] =
                        if link.object_type == ObjectType::Tree { b"/" } else { b"" };
                    self.link(&link, || [&name, link.name, slash].concat())?;
                }
                Ok(())
            }
            Parsed::Commit { tree, parents } => {
                let name = self.name();
                let tree = Link { id: *tree, object_type: ObjectType::Tree, name: b"" };
                self.link(&tree, || [&name, &b":"[..]].concat())?;
                let parents = match self.repository.grafted_parents(&self.parent.0) {
                    Some(parents) => parents.to_vec(),
                    None => parents.clone(),
                };
                for (at, id) in parents.into_iter().enumerate() {
                    let link = Link { id, object_type: ObjectType::Commit, name: b"" };
                    self.link(&link, || name_of_parent(&name, at))?;
                }
                Ok(())
            }
        }
    }

    /// Returns the name by which the linking object is reached.
    fn name(&self) -> Vec<u8> {
        self.shared.name_of(&self.parent.0).to_vec()
    }

    fn link(&mut self, link: &Link<'_>, name: impl FnOnce() -> Vec<u8>) -> Result<()> {
        let Link { id, object_type, .. } = link;
        let memory = self.repository.memory();
        if !self.shared.name_of(&self.parent.0).is_empty() {
            self.shared.put_name(id, memory, name)?;
        }
        match self.shared.find(self.repository, id)? {
            Number::Is(number) => self.link_to(link, number),
            Number::Missing => {
                let known = self.shared.numbers.missing().get(id).copied().unwrap_or(0);
                if known & flag::REACHABLE != 0 {
                    return Ok(());
                }
                let promised = self.shared.is_promised(self.repository, id)?;
                self.shared.numbers.set_lost(id, *object_type, promised, memory)?;
                if promised || *id == empty_tree(self.repository) {
                    return Ok(());
                }
                let (parent, parent_type) = &self.parent;
                let finding = Finding::error("brokenLink", exit::REACHABLE, "leads to nothing");
                let finding = finding.of(parent, Some(*parent_type));
                self.shared.report(finding.to(id, Some(*object_type)));
                Ok(())
            }
        }
    }

    fn link_to(&mut self, link: &Link<'_>, number: u32) -> Result<()> {
        let flags = self.shared.numbers.flags(number);
        match type_in(flags) {
            Some(found) if found != link.object_type => {
                let (parent, parent_type) = &self.parent;
                let what = "wrong object type in link";
                // If all objects are read, the wrong type was reported before.
                let id = match self.shared.options.connectivity_only {
                    true => "wrongType",
                    false => "brokenLink",
                };
                let finding = Finding::error(id, exit::REACHABLE, what);
                let finding = finding.of(parent, Some(*parent_type));
                self.wrong.push(finding.to(&link.id, Some(found)));
            }
            // The type is not known yet.
            None => self.shared.numbers.set(number, link.object_type as u8),
            Some(_) => {}
        }
        if flags & flag::REACHABLE != 0 {
            return Ok(());
        }
        let ends = self.shared.is_of_promisor(self.repository, number)?;
        self.shared.numbers.set(number, flag::REACHABLE);
        if !ends && flags & flag::THERE != 0 {
            self.found.push(number);
        }
        Ok(())
    }
}

/// Returns the name of a parent, made from the name of its child as git makes it.
fn name_of_parent(child: &[u8], at: usize) -> Vec<u8> {
    if at > 0 {
        let nth = format!("^{}", at.saturating_add(1));
        return [child, nth.as_bytes()].concat();
    }
    if let Some(first) = child.strip_suffix(b"^") {
        return [first, b"~2"].concat();
    }
    let digits = child.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let (start, digits) = child.split_at(child.len().saturating_sub(digits));
    let generation = std::str::from_utf8(digits).ok().and_then(|digits| digits.parse::<u32>().ok());
    match (start.strip_suffix(b"~"), generation) {
        (Some(start), Some(generation)) => {
            let after = format!("~{}", generation.saturating_add(1));
            [start, after.as_bytes()].concat()
        }
        _ => [child, b"^"].concat(),
    }
}

fn empty_tree(repository: &Repository) -> ObjectId {
    object_id(repository.hash(), ObjectType::Tree, b"")
}

/// Marks the objects that unreachable objects link to, where objects were not read before.
#[derive(Default)]
pub(super) struct Referents {
    next: u32,
    content: Output,
}

impl Referents {
    /// Reads some objects; returns whether all are done.
    pub(super) fn step(
        &mut self,
        shared: &mut Shared,
        repository: &mut Repository,
    ) -> Result<bool> {
        for _ in 0..WALK_STEP {
            if self.next >= shared.numbers.count() {
                return Ok(true);
            }
            if shared.numbers.flags(self.next) & flag::REACHABLE == 0
                && shared.type_of(repository, self.next)? != Some(ObjectType::Blob)
            {
                self.note(shared, repository)?;
            }
            self.next = self.next.saturating_add(1);
        }
        Ok(false)
    }

    fn note(&mut self, shared: &mut Shared, repository: &mut Repository) -> Result<()> {
        let Some((id, place)) = shared.place_of(repository, self.next)? else {
            return Ok(());
        };
        self.content.truncate(0);
        let read = repository.odb.read_at(&mut repository.files, &id, place, &mut self.content);
        let Some((object_type, _)) = unless_damaged(read)? else {
            return Ok(());
        };
        let content = self.content.as_slice();
        match parse(repository.hash(), object_type, content) {
            Ok(parsed) => {
                note_links(shared, repository, (&id, &parsed), content, flag::USED).map(|_| ())
            }
            Err("") => Ok(()),
            Err(what) => {
                let finding = Finding::error("unparsable", 0, what);
                shared.report(finding.of(&id, Some(object_type)));
                Ok(())
            }
        }
    }
}

/// Reports the missing, unreachable and dangling objects, after the walk.
#[derive(Default)]
pub(super) struct Report {
    next: u32,
    reported_missing: bool,
}

impl Report {
    /// Reports some objects; returns whether all are reported.
    pub(super) fn step(
        &mut self,
        shared: &mut Shared,
        repository: &mut Repository,
    ) -> Result<bool> {
        for _ in 0..STEP {
            if self.next >= shared.numbers.count() {
                return self.report_missing(shared);
            }
            self.report_object(shared, repository)?;
            self.next = self.next.saturating_add(1);
        }
        Ok(false)
    }

    fn report_object(&self, shared: &mut Shared, repository: &mut Repository) -> Result<()> {
        let number = self.next;
        let flags = shared.numbers.flags(number);
        let reachable = flags & flag::REACHABLE != 0;
        let there = flags & flag::THERE != 0;
        let dangles = flags & flag::USED == 0 && shared.options.dangling;
        let (name, what) = match (reachable, there) {
            (true, false) => ("missing", "is missing"),
            (false, true) if shared.options.unreachable => ("unreachable", "no ref leads to it"),
            (false, true) if dangles => ("dangling", "nothing leads to it"),
            _ => return Ok(()),
        };
        let Some((id, place)) = shared.place_of(repository, number)? else {
            return Ok(());
        };
        // An object that is stored twice is reported with its first number only.
        if shared.find(repository, &id)? != Number::Is(number) {
            return Ok(());
        }
        let finding = match reachable {
            false => Finding::info(name, what),
            // An object that a pack has is not missing, even if it is damaged there.
            true if matches!(place, Location::Packed { .. }) => return Ok(()),
            true => Finding::error(name, exit::REACHABLE, what),
        };
        let object_type = shared.type_of(repository, number)?;
        shared.report(finding.of(&id, object_type));
        Ok(())
    }

    fn report_missing(&mut self, shared: &mut Shared) -> Result<bool> {
        if !std::mem::replace(&mut self.reported_missing, true) {
            let missing = shared.numbers.missing().iter();
            let missing = missing
                .filter(|(_, flags)| *flags & flag::REACHABLE != 0 && *flags & flag::PROMISED == 0);
            let missing: Vec<_> = missing.map(|(id, flags)| (*id, type_in(*flags))).collect();
            for (id, object_type) in missing {
                let finding = Finding::error("missing", exit::REACHABLE, "is missing");
                shared.report(finding.of(&id, object_type));
            }
        }
        Ok(true)
    }
}
