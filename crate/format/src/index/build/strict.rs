//! Checks the objects of a pack while they are made: `git index-pack --strict`.

use super::hashing::Unhashed;
use super::links::Links;
use super::rows::{Rows, NONE};
use super::Build;
use crate::checks::links::{links_of_tree, parse, Parsed};
use crate::checks::{Checks, MessageId, ObjectFindings, Severities, Severity, SpecialFile};
use crate::object::ObjectType;
use packlens_base::block::{over_ceiling, BlockSource};
use packlens_base::error::{Error, ErrorKind, Result};
use packlens_base::inflate::Inflater;
use packlens_base::limits::Limits;
use packlens_base::oid::{HashKind, ObjectId};
use packlens_base::sort;
use std::collections::BTreeMap;

/// About how many bytes of memory a special file takes.
const EACH: u64 = 96;

/// The checks of a pack's objects.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Strict {
    /// No checks.
    #[default]
    No,
    /// The content of the objects, as [`Checks`] check it: `--fsck-objects`.
    Objects,
    /// The content, and that all linked objects exist: `--strict`.
    Links,
}

/// A message of git about an object of a pack.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct PackFinding {
    /// The id of the message.
    pub id: MessageId,
    /// The severity of the message.
    pub severity: Severity,
    /// The text that follows the message.
    pub about: Vec<u8>,
    /// The id of the object.
    pub oid: ObjectId,
    /// The finding came after all objects of the pack were made, because it needed other
    /// objects.
    pub is_late: bool,
}

impl PackFinding {
    /// Returns whether indexing fails because of the finding. A missing `.gitmodules` is no
    /// error: a pack need not have all blobs.
    pub fn is_error(&self) -> bool {
        let is_error = matches!(self.severity, Severity::Error | Severity::Fatal);
        is_error && self.id != MessageId::GitmodulesMissing
    }
}

/// The state of the checks of a pack.
pub struct Checking {
    hash: HashKind,
    with_links: bool,
    severities: Severities,
    /// The most memory that the index and these checks may take together, beside the contents
    /// of objects.
    most: u64,
    /// How much of that is left for links.
    left: u64,
    /// The special files that trees have, each with whether it was checked.
    specials: [BTreeMap<ObjectId, bool>; 2],
    links: Links,
    findings: Vec<PackFinding>,
    /// The first row that may be a special file to check late.
    next: u32,
}

const FILES: [SpecialFile; 2] = [SpecialFile::Modules, SpecialFile::Attributes];

impl Checking {
    fn new(hash: HashKind, with_links: bool, severities: Severities, most: u64) -> Checking {
        Checking {
            hash,
            with_links,
            severities,
            most,
            left: most,
            specials: Default::default(),
            links: Links::default(),
            findings: Vec::new(),
            next: 0,
        }
    }

    /// Returns how many bytes of memory this takes.
    pub fn memory(&self) -> u64 {
        let [modules, attributes] = &self.specials;
        let files = modules.len().saturating_add(attributes.len()) as u64;
        files.saturating_mul(EACH).saturating_add(self.links.memory())
    }

    /// Returns the findings since the last call.
    pub fn take_findings(&mut self) -> Vec<PackFinding> {
        std::mem::take(&mut self.findings)
    }

    /// Returns whether links are checked, and not only the content of objects.
    pub fn is_of_links(&self) -> bool {
        self.with_links
    }

    /// Returns whether there are findings that were not taken yet.
    pub fn has_findings(&self) -> bool {
        !self.findings.is_empty()
    }

    fn object(&mut self, object_type: ObjectType, id: &ObjectId, content: &[u8]) -> Result<()> {
        if object_type == ObjectType::Blob {
            return self.special(id, Some((object_type, Some(content))), false);
        }
        let parsed = parse(self.hash, object_type, content).map_err(|what| {
            let what = if what.is_empty() { "invalid tag" } else { what.trim_end() };
            corrupt(what, id)
        })?;
        let mut findings = ObjectFindings::default();
        let checks = Checks::new(self.hash, true, &mut findings);
        checks.with_severities(&self.severities).object(object_type, content);
        for (file, blob) in std::mem::take(&mut findings.specials) {
            self.specials_of(file).entry(blob).or_default();
        }
        self.report(findings, id, false)?;
        if self.with_links {
            match parsed {
                Parsed::Commit { tree, parents } => {
                    self.link(id, tree, ObjectType::Tree)?;
                    for parent in parents {
                        self.link(id, parent, ObjectType::Commit)?;
                    }
                }
                Parsed::Tree => {
                    for link in links_of_tree(self.hash, content) {
                        self.link(id, link.id, link.object_type)?;
                    }
                }
                Parsed::Tag { target } => self.link(id, target.id, target.object_type)?,
                Parsed::Blob => {}
            }
        }
        Ok(())
    }

    fn specials_of(&mut self, file: SpecialFile) -> &mut BTreeMap<ObjectId, bool> {
        let [modules, attributes] = &mut self.specials;
        match file {
            SpecialFile::Modules => modules,
            SpecialFile::Attributes => attributes,
        }
    }

    /// Checks a blob, if a tree has it as a special file that was not checked yet. `found` is
    /// its type and its content, which is `None` if it is too large; `found` is `None` if the
    /// object is missing.
    pub fn special(
        &mut self,
        id: &ObjectId,
        found: Option<(ObjectType, Option<&[u8]>)>,
        is_late: bool,
    ) -> Result<()> {
        let mut findings = ObjectFindings::default();
        for file in FILES {
            let done = self.specials_of(file).get_mut(id).map(|done| std::mem::replace(done, true));
            if done != Some(false) {
                continue;
            }
            let checks = Checks::new(self.hash, true, &mut findings);
            let mut checks = checks.with_severities(&self.severities);
            match found {
                Some((ObjectType::Blob, content)) => checks.special_file(file, content),
                found => checks.no_special_file(file, found.is_some()),
            }
        }
        self.report(findings, id, is_late)
    }

    fn link(&mut self, from: &ObjectId, to: ObjectId, object_type: ObjectType) -> Result<()> {
        let more = self.links.memory_to_grow(self.hash);
        if more > self.left {
            return Err(over_ceiling());
        }
        self.left = self.left.saturating_sub(more);
        match self.links.add(&to, object_type) {
            true => Ok(()),
            // git says here that not all child objects are reachable.
            false => Err(corrupt("an object links to one of another type", from)),
        }
    }

    fn report(&mut self, findings: ObjectFindings, id: &ObjectId, is_late: bool) -> Result<()> {
        if self.severities.skips(id) {
            return Ok(());
        }
        let mut wrong = None;
        for (message, about) in findings.messages {
            let severity = self.severities.of(message);
            let finding = PackFinding { id: message, severity, about, oid: *id, is_late };
            if finding.is_error() {
                wrong.get_or_insert(message);
            }
            self.findings.push(finding);
        }
        wrong.map_or(Ok(()), |message| Err(corrupt(message.line(), id)))
    }

    /// Returns the next linked object that the pack does not have, and its type; the same
    /// object until [`Checking::pass_link`].
    pub fn next_link(&self) -> Option<(ObjectId, ObjectType)> {
        self.links.first()
    }

    /// Advances past that object; returns an error if it is missing or of another type.
    pub fn pass_link(&mut self, found: Option<ObjectType>) -> Result<()> {
        match (self.links.pop_first(), found) {
            (Some((id, _)), None) => Err(corrupt("did not receive expected object", &id)),
            (Some((id, expected)), Some(found)) if expected != found => {
                Err(corrupt("an object has another type than a link to it says", &id))
            }
            _ => Ok(()),
        }
    }

    /// Returns the next special file that was not checked yet.
    pub fn next_special(&self) -> Option<ObjectId> {
        let waiting = |files: &BTreeMap<ObjectId, bool>| {
            files.iter().find(|(_, done)| !**done).map(|(id, _)| *id)
        };
        self.specials.iter().find_map(waiting)
    }

    fn is_waiting(&self, id: &ObjectId) -> bool {
        self.specials.iter().any(|files| files.get(id) == Some(&false))
    }

    /// Drops the special files that were checked, and the links to objects of the pack. The
    /// objects that are left are to be found in the repository.
    fn leave_pack(&mut self, rows: &Rows) {
        self.next = u32::MAX;
        self.specials.iter_mut().for_each(|files| files.retain(|_, done| !*done));
        self.links.settle(self.hash, rows);
    }
}

fn corrupt(what: &'static str, id: &ObjectId) -> Error {
    Error::new(ErrorKind::Corrupt, what).about(id.to_hex())
}

impl Build {
    /// Sets the checks, their severities and the memory ceiling; to be called before the first
    /// step. A shared build is not checked.
    #[must_use]
    pub fn with_strict(mut self, strict: Strict, severities: Severities, limits: &Limits) -> Build {
        let most = (limits.memory / 8).saturating_mul(7);
        self.checking = match strict {
            Strict::No => None,
            _ => Some(Checking::new(self.hash, strict == Strict::Links, severities, most)),
        };
        self
    }

    /// Returns the findings since the last call.
    pub fn take_findings(&mut self) -> Vec<PackFinding> {
        self.checking.as_mut().map(Checking::take_findings).unwrap_or_default()
    }

    /// Returns the checks that need objects of the repository, and leaves none here.
    pub fn take_checking(&mut self) -> Option<Checking> {
        self.checking.take()
    }

    /// Checks objects whose ids are known now, in pack order.
    pub(super) fn check_all(&mut self, list: &[Unhashed]) -> Result<()> {
        self.note_memory()?;
        let Some(checking) = &mut self.checking else {
            return Ok(());
        };
        let order = sort::places_by(list.iter().map(|object| object.entry));
        for object in order.filter_map(|at| list.get(at)) {
            if let Some(id) = ObjectId::from_bytes(self.hash, self.rows.id(object.entry)) {
                checking.object(object.object_type, &id, self.contents.get(object.content))?;
            }
        }
        Ok(())
    }

    /// Updates how much memory is left for links. Contents of objects are not counted, as they
    /// can be evicted.
    fn note_memory(&mut self) -> Result<()> {
        let taken = self.memory().saturating_sub(self.contents.held());
        if let Some(checking) = &mut self.checking {
            checking.left = checking.most.checked_sub(taken).ok_or_else(over_ceiling)?;
        }
        Ok(())
    }

    /// Reserves memory for the content of an entry that is read in chunks, if it is checked.
    pub(super) fn room_to_check(
        &self,
        object_type: ObjectType,
        size: u64,
        at_once: u64,
    ) -> Result<Option<Vec<u8>>> {
        let Some(checking) = &self.checking else {
            return Ok(None);
        };
        // Large blobs are seldom special files; those that are can be made again.
        if object_type == ObjectType::Blob && size > at_once {
            return Ok(None);
        }
        let mut room = Vec::new();
        let fits = usize::try_from(size).ok().filter(|_| size <= checking.most / 3);
        let reserved = fits.is_some_and(|size| room.try_reserve_exact(size).is_ok());
        match reserved {
            true => Ok(Some(room)),
            false => Err(over_ceiling()),
        }
    }

    /// Checks an object that was read in chunks.
    pub(super) fn check_read(
        &mut self,
        object_type: ObjectType,
        id: &ObjectId,
        content: &[u8],
    ) -> Result<()> {
        self.note_memory()?;
        match &mut self.checking {
            Some(checking) => checking.object(object_type, id, content),
            None => Ok(()),
        }
    }

    /// Returns whether all objects of the pack are checked.
    pub(super) fn is_checked(&self) -> bool {
        self.checking.as_ref().is_none_or(|checking| checking.links.is_settled())
    }

    /// Checks the next special file that came before the tree which has it.
    pub(super) fn check_late<S: BlockSource>(
        &mut self,
        pack: &S,
        inflater: &mut Inflater,
        limits: &Limits,
    ) -> Result<()> {
        if let Some(at) = self.next_late() {
            let Some(id) = ObjectId::from_bytes(self.hash, self.rows.id(at)) else {
                return Ok(());
            };
            let object_type = self.rows.object_type(at).unwrap_or(ObjectType::Blob);
            if self.needs_given_base(at) {
                let what = "a special file needs a base that the pack lacks, and precedes its tree";
                return Err(Error::new(ErrorKind::Unsupported, what).about(id.to_hex()));
            }
            let content = match self.make_again(at, pack, inflater, limits) {
                Ok(content) => Some(content),
                Err(error) if error.kind() == ErrorKind::Limit => None,
                Err(error) => return Err(error),
            };
            let bytes = content.map(|content| self.contents.get(content));
            let checked = self.checking.as_mut().map_or(Ok(()), |checking| {
                checking.next = at.saturating_add(1);
                checking.special(&id, Some((object_type, bytes)), true)
            });
            content.into_iter().for_each(|content| self.contents.release(content));
            return checked.map(|()| self.count_work(0));
        }
        if let Some(checking) = &mut self.checking {
            checking.leave_pack(&self.rows);
        }
        self.count_work(0);
        Ok(())
    }

    fn next_late(&self) -> Option<u32> {
        let checking = self.checking.as_ref()?;
        checking.next_special()?;
        let is_waiting = |at: &u32| {
            let id = ObjectId::from_bytes(self.hash, self.rows.id(*at));
            id.is_some_and(|id| checking.is_waiting(&id))
        };
        (checking.next..self.rows.len()).find(is_waiting)
    }

    /// Returns whether an entry builds on a base that the caller gave.
    fn needs_given_base(&self, entry: u32) -> bool {
        let mut root = entry;
        while let Some(row) = self.rows.get(root).filter(|row| row.base != NONE) {
            root = row.base;
        }
        root >= self.count
    }
}
