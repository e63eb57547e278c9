//! Checks objects as they are read: their hashes, and their content by git's rules.

use super::finding::{exit, Finding};
use super::numbers::{flag, type_in, Number};
use super::pack_files::path_of;
use super::shared::{place_in, unless_damaged, Place, Shared, Surveyed, LAST};
use packlens_base::appender::Output;
use packlens_base::error::{ErrorKind, Result};
use packlens_base::hash::{object_id, Collisions, Message, Pending};
use packlens_base::oid::{HashKind, ObjectId};
use packlens_format::checks::links::{links_of_tree, parse, Link, Parsed};
use packlens_format::checks::{begins_as_tree, MessageId, ObjectFindings};
use packlens_format::object::ObjectType;
use packlens_query::odb::{Location, PackNumber, ReadHint, Verify};
use packlens_query::repository::Repository;
use packlens_query::stream::ContentStream;
use std::ops::Range;
use std::rc::Rc;

/// The most objects that are hashed together.
const MOST: usize = 1024;

/// The share of the memory ceiling that waiting objects may take.
const SHARE: u64 = 64;

/// How many bytes of a large object are made at a time.
const CHUNK: usize = 256 << 10;

/// Where an object is read from, for findings.
#[derive(Clone, Debug)]
pub(super) struct From {
    pub(super) place: Location,
    /// The path of the pack or of the loose object's file.
    pub(super) path: Rc<[u8]>,
    /// The number of this copy of the object.
    pub(super) number: u32,
    pub(super) at: Place,
}

impl From {
    /// Returns where an entry of a pack is, given the index and the number of the pack, the offset,
    /// the number of the object and the path.
    pub(super) fn packed(
        (index, pack): (usize, PackNumber),
        offset: u64,
        number: u32,
        path: &Rc<[u8]>,
    ) -> From {
        let place = Location::Packed { pack, offset };
        From { place, path: path.clone(), number, at: place_in(index, offset) }
    }

    /// Turns to the object, if it is surveyed.
    fn turn(&self, shared: &mut Shared) {
        if shared.surveyed.is_some() {
            shared.surveyed = Some(Surveyed::Object(self.number));
        }
    }
}

/// Objects that were read, and are hashed and checked together.
#[derive(Default)]
pub(super) struct Batch {
    contents: Output,
    waiting: Pending<Waiting>,
    /// Whether the content of each object matches its id, once they are hashed.
    good: Option<Vec<bool>>,
    checked: usize,
    large: Option<(Box<ContentStream>, ObjectId, From)>,
}

struct Waiting {
    id: ObjectId,
    object_type: ObjectType,
    content: Range<usize>,
    from: From,
}

impl Waiting {
    fn content_in<'c>(&self, contents: &'c Output) -> &'c [u8] {
        contents.as_slice().get(self.content.clone()).unwrap_or_default()
    }
}

impl Batch {
    /// Returns how many bytes of memory this takes.
    pub(super) fn memory(&self) -> u64 {
        self.contents.capacity() as u64
    }

    /// Returns whether objects wait to be checked.
    pub(super) fn is_waiting(&self) -> bool {
        !self.waiting.keys().is_empty() || self.large.is_some()
    }

    /// Returns whether it is time to check the waiting objects.
    pub(super) fn is_full(&self, repository: &Repository) -> bool {
        self.waiting.is_enough()
            || self.contents.len() as u64 >= repository.memory() / SHARE
            || self.waiting.keys().len() >= MOST
            || self.large.is_some()
    }

    /// Reads a loose object, given its number; returns `false` if there is none.
    ///
    /// # Errors
    ///
    /// As [`Batch::read`].
    pub(super) fn read_loose(
        &mut self,
        shared: &mut Shared,
        repository: &mut Repository,
        at: usize,
    ) -> Result<bool> {
        let Some(id) = shared.numbers.loose().get(at).copied() else {
            return Ok(false);
        };
        let Some(file) = repository.odb.loose_file(&repository.files, &id)? else {
            shared.unread = true;
            return Ok(true);
        };
        let path = path_of(repository, file).into();
        let number = u32::try_from(at).unwrap_or(u32::MAX);
        let from = From { place: Location::Loose, path, number, at: at as u64 };
        self.read(shared, repository, (&id, &ReadHint::default()), from)?;
        Ok(true)
    }

    /// Reads an object; reports an object that cannot be read.
    ///
    /// # Errors
    ///
    /// Missing files and bytes: provide them and call again.
    pub(super) fn read(
        &mut self,
        shared: &mut Shared,
        repository: &mut Repository,
        (id, hint): (&ObjectId, &ReadHint<'_>),
        from: From,
    ) -> Result<()> {
        let files = &mut repository.files;
        let read = repository.odb.read_listed(files, (id, hint), from.place, &mut self.contents);
        match read {
            Ok((object_type, content)) => {
                let id = *id;
                let length = content.len();
                self.waiting.push(Waiting { id, object_type, content, from }, length);
                Ok(())
            }
            Err(error) if error.is_missing() => Err(error),
            Err(error) if error.kind() == ErrorKind::Limit => self.read_large(repository, id, from),
            Err(error) => {
                report_unreadable(shared, (id, &from), error.what());
                Ok(())
            }
        }
    }

    /// Opens an object that does not fit into memory as a stream.
    fn read_large(&mut self, repository: &mut Repository, id: &ObjectId, from: From) -> Result<()> {
        let asked = (id, &ReadHint::default());
        let opened = ContentStream::open_id(repository, asked, Verify::Oid, (0, u64::MAX))?;
        self.large = Some((Box::new(opened), *id, from));
        Ok(())
    }

    /// Checks the waiting objects. After missing bytes, the next call resumes.
    ///
    /// # Errors
    ///
    /// Missing files and bytes. [`ErrorKind::Limit`] if the state of the check takes too much
    /// memory.
    pub(super) fn check(&mut self, shared: &mut Shared, repository: &mut Repository) -> Result<()> {
        if self.good.is_none() {
            self.good = Some(self.hash(repository.hash()));
            repository.odb.count_hashed(self.waiting.bytes() as u64);
            // The buffer is reused, so bases in it are copied now.
            repository.odb.save_bases(&self.contents);
        }
        while let Some(waiting) = self.waiting.keys().get(self.checked) {
            let content = waiting.content_in(&self.contents);
            let good = self.good.as_ref().and_then(|good| good.get(self.checked));
            check_one(shared, repository, waiting, content, good == Some(&true))?;
            self.checked = self.checked.saturating_add(1);
        }
        self.waiting.clear();
        self.contents.truncate(0);
        (self.good, self.checked) = (None, 0);
        if self.large.is_some() {
            self.check_large(shared, repository)?;
        }
        Ok(())
    }

    /// Hashes the waiting objects; returns whether each matches its id.
    fn hash(&self, hash: HashKind) -> Vec<bool> {
        let expected = |waiting: &Waiting| {
            let content = waiting.content_in(&self.contents);
            (waiting.id, Message { object_type: waiting.object_type, content })
        };
        let mut good = vec![true; self.waiting.keys().len()];
        self.waiting.check((hash, Collisions::Detect), expected, |at| {
            good.get_mut(at).into_iter().for_each(|good| *good = false);
        });
        good
    }

    fn check_large(&mut self, shared: &mut Shared, repository: &mut Repository) -> Result<()> {
        let Some((stream, id, from)) = &mut self.large else {
            return Ok(());
        };
        let object_type = stream.info().object_type;
        loop {
            self.contents.truncate(0);
            match stream.fill(repository, CHUNK, &mut self.contents) {
                Ok(false) => {}
                Ok(true) => break,
                Err(error) if error.is_missing() => return Err(error),
                Err(error) => {
                    report_unreadable(shared, (id, from), error.what());
                    self.contents.truncate(0);
                    self.large = None;
                    return Ok(());
                }
            }
        }
        self.contents.truncate(0);
        let (id, exit, at) = (*id, exit_of(from), from.at);
        from.turn(shared);
        note_there(shared, repository, &id, object_type)?;
        for file in shared.take_special(&id, at) {
            let mut findings = ObjectFindings::default();
            shared.checks(repository.hash(), &mut findings).special_file(file, None);
            report_messages(shared, findings.messages, (&id, object_type), exit);
        }
        self.large = None;
        Ok(())
    }
}

/// Reports messages about an object; returns whether one of them is an error.
pub(super) fn report_messages(
    shared: &mut Shared,
    messages: Vec<(MessageId, Vec<u8>)>,
    (id, object_type): (&ObjectId, ObjectType),
    exit: u8,
) -> bool {
    if shared.severities.skips(id) {
        return false;
    }
    let mut wrong = false;
    for (message, about) in messages {
        wrong |= shared.severities.is_error(message);
        let severity = shared.severities.of(message);
        let finding = Finding::of_message(message, &about, severity, exit);
        shared.report(finding.of(id, Some(object_type)));
    }
    wrong
}

fn exit_of(from: &From) -> u8 {
    match from.place {
        Location::Packed { .. } => exit::PACK,
        _ => exit::OBJECT,
    }
}

fn report_unreadable(shared: &mut Shared, (id, from): (&ObjectId, &From), what: &str) {
    let finding = match from.place {
        Location::Packed { offset, .. } => {
            let what = format!("cannot unpack at offset {offset}: {what}");
            Finding::error("cannotUnpack", exit::PACK, &what)
        }
        _ => Finding::error("corruptLoose", exit::OBJECT, what),
    };
    from.turn(shared);
    shared.unread = true;
    shared.report(finding.of(id, None).at(&from.path));
}

/// Marks an object as read, and sets its type; returns its number.
fn note_there(
    shared: &mut Shared,
    repository: &Repository,
    id: &ObjectId,
    object_type: ObjectType,
) -> Result<Option<u32>> {
    let Number::Is(number) = shared.find(repository, id)? else {
        return Ok(None);
    };
    if type_in(shared.numbers.flags(number)).is_some_and(|linked| linked != object_type) {
        shared.report_wrong_type((id, object_type), None);
    }
    shared.numbers.set_type(number, object_type);
    shared.numbers.set(number, flag::THERE);
    Ok(Some(number))
}

/// Checks an object that was read. A retry after missing bytes reports nothing twice.
fn check_one(
    shared: &mut Shared,
    repository: &mut Repository,
    waiting: &Waiting,
    content: &[u8],
    good: bool,
) -> Result<()> {
    let Waiting { id, object_type, from, .. } = waiting;
    let (hash, memory) = (repository.hash(), repository.memory());
    from.turn(shared);
    if !good {
        shared.unread = true;
        let (name, what) = match from.place {
            Location::Packed { .. } => ("corruptPacked", "is corrupt in its pack"),
            _ => ("hashMismatch", "the content does not match its object id"),
        };
        let finding = Finding::error(name, exit_of(from), what).of(id, Some(*object_type));
        let real = object_id(hash, *object_type, content);
        shared.report(finding.to(&real, None).at(&from.path));
        return Ok(());
    }
    let parsed = match parse(hash, *object_type, content) {
        Ok(parsed) => parsed,
        Err(what) => {
            shared.unread = true;
            let exit = exit::OBJECT | exit_of(from);
            let finding = Finding::error("unparsable", exit, what).of(id, Some(*object_type));
            shared.report(finding.at(&from.path));
            return Ok(());
        }
    };
    let mut findings = ObjectFindings::default();
    let mut checks = shared.checks(hash, &mut findings);
    checks.object(*object_type, content);
    let own = note_there(shared, repository, id, *object_type)?;
    let mut flags = flag::USED;
    if let Some(number) = own.filter(|_| shared.marks_ahead) {
        if shared.numbers.flags(number) & flag::REACHABLE != 0 {
            flags |= flag::REACHABLE;
            shared.numbers.set(number, flag::WALKED);
        }
    }
    for (to, found) in note_links(shared, repository, (id, &parsed), content, flags)? {
        shared.report_wrong_type((&to, found), Some((id, *object_type)));
    }
    for special in std::mem::take(&mut findings.specials) {
        shared.note_special(special, from.at, memory)?;
    }
    if *object_type == ObjectType::Blob {
        for file in shared.take_special(id, from.at) {
            let mut checks = shared.checks(hash, &mut findings);
            checks.special_file(file, Some(content));
        }
    }
    let broken = *object_type == ObjectType::Tree && !begins_as_tree(hash, content);
    if broken {
        let finding = Finding::error("brokenLinks", exit::OBJECT, "broken links");
        shared.report(finding.of(id, Some(*object_type)));
    }
    let wrong = report_messages(shared, findings.messages, (id, *object_type), exit_of(from));
    if !wrong {
        report_roots(shared, repository, id, &parsed);
    }
    Ok(())
}

/// Marks the objects that an object links to. Where all objects are read, returns those that
/// are known to be of another type than the link's, with the known type.
pub(super) fn note_links(
    shared: &mut Shared,
    repository: &Repository,
    (id, parsed): (&ObjectId, &Parsed<'_>),
    content: &[u8],
    flags: u8,
) -> Result<Vec<(ObjectId, ObjectType)>> {
    let memory = repository.memory();
    let are_read = !shared.options.connectivity_only;
    let mut wrong = Vec::new();
    let mut note = |id: &ObjectId, object_type: ObjectType| {
        match shared.find(repository, id)? {
            Number::Is(number) => {
                match type_in(shared.numbers.flags(number)).filter(|_| are_read) {
                    Some(found) if found != object_type => wrong.push((*id, found)),
                    None if are_read => shared.numbers.set(number, object_type as u8),
                    _ => {}
                }
                shared.numbers.set(number, flags);
            }
            Number::Missing => {
                let known = shared.numbers.set_missing(id, Some(object_type), flags, memory)?;
                shared.conflicts |= type_in(known).is_some_and(|known| known != object_type);
            }
        }
        Ok(())
    };
    match parsed {
        Parsed::Blob => {}
        Parsed::Tag { target: Link { id, object_type, .. } } => note(id, *object_type)?,
        Parsed::Tree => links_of_tree(repository.hash(), content)
            .try_for_each(|link| note(&link.id, link.object_type))?,
        Parsed::Commit { tree, parents } => {
            note(tree, ObjectType::Tree)?;
            let parents = repository.grafted_parents(id).unwrap_or(parents);
            parents.iter().try_for_each(|parent| note(parent, ObjectType::Commit))?;
        }
    }
    Ok(wrong)
}

/// Reports a commit without parents, or a tag, if requested.
fn report_roots(shared: &mut Shared, repository: &Repository, id: &ObjectId, parsed: &Parsed<'_>) {
    match parsed {
        Parsed::Commit { parents, .. } if shared.options.root => {
            let parents = repository.grafted_parents(id).unwrap_or(parents);
            if parents.is_empty() {
                let finding = Finding::info("root", "has no parents");
                shared.report(finding.of(id, Some(ObjectType::Commit)));
            }
        }
        Parsed::Tag { target } if shared.options.tags => {
            let finding = Finding::info("tagged", "").of(id, Some(ObjectType::Tag));
            let finding = finding.to(&target.id, Some(target.object_type));
            shared.report(Finding { message: target.name.to_vec(), ..finding });
        }
        _ => {}
    }
}

/// Checks a special file that is missing, or was read before the tree which has it.
pub(super) fn check_special(
    shared: &mut Shared,
    repository: &mut Repository,
    id: &ObjectId,
) -> Result<()> {
    let mut content = Output::default();
    let found = match shared.find(repository, id)? {
        Number::Is(number) => match shared.place_of(repository, number)? {
            None => None,
            Some((id, place)) => {
                match repository.odb.read_at(&mut repository.files, &id, place, &mut content) {
                    Err(error) if error.kind() == ErrorKind::Limit => {
                        Some((ObjectType::Blob, None))
                    }
                    read => unless_damaged(read)?
                        .map(|(object_type, _)| (object_type, Some(content.as_slice()))),
                }
            }
        },
        Number::Missing if shared.is_promised(repository, id)? => {
            shared.take_special(id, LAST);
            return Ok(());
        }
        Number::Missing => None,
    };
    let mut findings = ObjectFindings::default();
    for file in shared.take_special(id, LAST) {
        let mut checks = shared.checks(repository.hash(), &mut findings);
        match found {
            Some((ObjectType::Blob, content)) => checks.special_file(file, content),
            found => checks.no_special_file(file, found.is_some()),
        }
    }
    let object_type = found.map_or(ObjectType::Blob, |(object_type, _)| object_type);
    report_messages(shared, findings.messages, (id, object_type), exit::OBJECT);
    Ok(())
}
