//! The roots of reachability: refs, reflogs, and the heads of all worktrees; or the revisions
//! that the caller gives.

use super::finding::{exit, Finding};
use super::numbers::{flag, Number};
use super::shared::{unless_damaged, Shared};
use packlens_base::appender::Output;
use packlens_base::error::Result;
use packlens_base::hash::object_id;
use packlens_base::oid::ObjectId;
use packlens_format::checks::links::parse;
use packlens_format::object::ObjectType;
use packlens_format::refs::{LogCursor, RefCursor};
use packlens_query::odb::Location;
use packlens_query::repository::Repository;

/// How many refs or reflog entries are visited in a step.
const STEP: u32 = 1024;

/// Visits the roots: refs in their order, then heads, then reflogs.
pub(super) struct Roots {
    /// Marks objects, and reports nothing: a second pass reports.
    ahead: bool,
    state: RootsState,
    /// At least one ref points to an object that exists, or that was promised.
    any: bool,
}

enum RootsState {
    Given { specs: Vec<Vec<u8>>, at: usize },
    Refs(Box<RefCursor>),
    Heads { names: Vec<Vec<u8>>, at: usize },
    ListLogs,
    Logs { names: Vec<Vec<u8>>, at: usize, log: Option<LogCursor> },
    Done,
}

impl Roots {
    pub(super) fn new(repository: &Repository, given: &[Vec<u8>], ahead: bool) -> Roots {
        if !given.is_empty() {
            let state = RootsState::Given { specs: given.to_vec(), at: 0 };
            return Roots { ahead, state, any: false };
        }
        let mut cursor = repository.refs().cursor();
        cursor.seek_prefix(b"refs/");
        Roots { ahead, state: RootsState::Refs(Box::new(cursor)), any: false }
    }

    /// Visits some roots; returns whether all are visited.
    ///
    /// # Errors
    ///
    /// Missing files and bytes: provide them and call again. Damaged refs.
    pub(super) fn step(
        &mut self,
        shared: &mut Shared,
        repository: &mut Repository,
    ) -> Result<bool> {
        for _ in 0..STEP {
            match &mut self.state {
                RootsState::Given { specs, at } => {
                    let Some(spec) = specs.get(*at).cloned() else {
                        self.state = RootsState::Done;
                        continue;
                    };
                    self.given(shared, repository, &spec)?;
                    if let RootsState::Given { at, .. } = &mut self.state {
                        *at = at.saturating_add(1);
                    }
                }
                RootsState::Refs(cursor) => {
                    let Some(name) = cursor.peek_name(&repository.files)?.map(<[u8]>::to_vec)
                    else {
                        self.state = RootsState::Heads { names: heads(repository)?, at: 0 };
                        continue;
                    };
                    let id = followed(repository, &name)?;
                    self.root(shared, repository, &name, id.as_ref())?;
                    if let RootsState::Refs(cursor) = &mut self.state {
                        cursor.pass(&repository.files)?;
                    }
                }
                RootsState::Heads { names, at } => {
                    let Some(name) = names.get(*at).cloned() else {
                        self.state = match self.ahead || !shared.options.reflogs {
                            true => RootsState::Done,
                            false => RootsState::ListLogs,
                        };
                        continue;
                    };
                    if let Some(id) = followed(repository, &name)? {
                        self.root(shared, repository, &name, Some(&id))?;
                    }
                    if let RootsState::Heads { at, .. } = &mut self.state {
                        *at = at.saturating_add(1);
                    }
                }
                RootsState::ListLogs => {
                    let names = repository.refs().log_names(&repository.files)?;
                    self.state = RootsState::Logs { names, at: 0, log: None };
                }
                RootsState::Logs { names, at, log } => {
                    let Some(name) = names.get(*at).cloned() else {
                        self.state = RootsState::Done;
                        continue;
                    };
                    let cursor = log.get_or_insert_with(|| repository.refs.log(&name));
                    let Some(entry) = cursor.next(&repository.files)? else {
                        (*at, *log) = (at.saturating_add(1), None);
                        continue;
                    };
                    for id in [entry.old, entry.new] {
                        logged(shared, repository, &name, &id)?;
                    }
                }
                RootsState::Done => {
                    if !self.any && !self.ahead {
                        shared.report(Finding::info("noRefs", "No default references"));
                        shared.options.unreachable = false;
                    }
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Marks the object of a given revision as reachable.
    fn given(
        &mut self,
        shared: &mut Shared,
        repository: &mut Repository,
        spec: &[u8],
    ) -> Result<()> {
        match repository.resolve(spec) {
            Ok(id) => self.root(shared, repository, spec, Some(&id)),
            Err(error) if error.is_missing() => Err(error),
            Err(_) => {
                if !self.ahead {
                    let what = "invalid parameter: expected sha1";
                    let finding = Finding::error("invalidHead", exit::OBJECT, what);
                    shared.report(finding.at(spec));
                }
                Ok(())
            }
        }
    }

    /// Marks the object of a ref as reachable.
    fn root(
        &mut self,
        shared: &mut Shared,
        repository: &mut Repository,
        name: &[u8],
        id: Option<&ObjectId>,
    ) -> Result<()> {
        let found = match id {
            Some(id) => shared.find(repository, id)?,
            None => Number::Missing,
        };
        if self.ahead {
            if let Number::Is(number) = found {
                shared.numbers.set(number, flag::USED | flag::REACHABLE);
            }
            return Ok(());
        }
        let number = match found {
            Number::Is(number) if can_be_read(shared, repository, number)? => number,
            _ => {
                if let Some(id) = id {
                    if shared.is_promised(repository, id)? {
                        self.any = true;
                        return Ok(());
                    }
                }
                let finding = Finding::error("invalidRef", exit::REACHABLE, "invalid sha1 pointer");
                let finding = match id {
                    Some(id) => finding.of(id, None),
                    None => finding,
                };
                shared.report(finding.at(name));
                return Ok(());
            }
        };
        let object_type = shared.type_of(repository, number)?;
        let is_branch = name.starts_with(b"refs/heads/") || name == b"HEAD";
        if is_branch && object_type != Some(ObjectType::Commit) {
            let finding = Finding::error("notACommit", exit::REFS, "not a commit");
            let finding = id.map(|id| finding.clone().of(id, object_type)).unwrap_or(finding);
            shared.report(finding.at(name));
        }
        self.any = true;
        if let Some(id) = id {
            let named = name.to_vec();
            shared.put_name(id, repository.memory(), || named)?;
        }
        shared.mark_root(repository, number)
    }
}

/// Returns whether a root's object can be read. Objects that were read before count as good;
/// others are read now, as git does.
pub(super) fn can_be_read(
    shared: &mut Shared,
    repository: &mut Repository,
    number: u32,
) -> Result<bool> {
    let flags = shared.numbers.flags(number);
    let options = &shared.options;
    if flags & flag::THERE != 0 && !options.connectivity_only {
        return Ok(true);
    }
    let Some((id, place)) = shared.place_of(repository, number)? else {
        return Ok(false);
    };
    let was_read = options.full || place == Location::Loose;
    if was_read && !options.connectivity_only {
        return Ok(false);
    }
    let mut content = Output::default();
    let read = repository.odb.read_at(&mut repository.files, &id, place, &mut content);
    let (hash, content) = (repository.hash(), content.as_slice());
    Ok(unless_damaged(read)?.is_some_and(|(object_type, _)| {
        object_id(hash, object_type, content) == id && parse(hash, object_type, content).is_ok()
    }))
}

/// Returns the object that a ref leads to; `None` if the ref is broken.
fn followed(repository: &Repository, name: &[u8]) -> Result<Option<ObjectId>> {
    match repository.refs().follow(&repository.files, name) {
        Ok((_, id)) => Ok(id),
        Err(error) if error.is_missing() => Err(error),
        Err(_) => Ok(None),
    }
}

/// Returns the names of the heads of all worktrees.
fn heads(repository: &Repository) -> Result<Vec<Vec<u8>>> {
    let mut names = vec![b"HEAD".to_vec()];
    for name in repository.files.list_fresh(b"worktrees")? {
        let name = name.strip_suffix(b"/").unwrap_or(name);
        names.push([b"worktrees/", name, b"/HEAD"].concat());
    }
    Ok(names)
}

/// Marks an object of a reflog as reachable.
fn logged(
    shared: &mut Shared,
    repository: &mut Repository,
    name: &[u8],
    id: &ObjectId,
) -> Result<()> {
    if id.is_null() {
        return Ok(());
    }
    match shared.find(repository, id)? {
        Number::Is(number) if shared.numbers.flags(number) & flag::THERE != 0 => {
            shared.mark_root(repository, number)?;
        }
        _ => {
            if !shared.is_promised(repository, id)? {
                let what = "invalid reflog entry";
                let finding = Finding::error("invalidReflog", exit::REACHABLE, what);
                shared.report(finding.of(id, None).at(name));
            }
        }
    }
    Ok(())
}
