//! Resolves revisions to objects: <https://git-scm.com/docs/gitrevisions>.

mod date;
mod logged;
mod message;
mod named;
mod parse;
mod path;
mod progress;
mod staged;
mod suffixes;

use crate::repository::Repository;
pub(crate) use message::MessageSearch;
use packlens_base::error::{Error, ErrorKind, Result};
use packlens_base::module::require_full;
use packlens_base::oid::{HashKind, ObjectId, Prefix, MIN_PREFIX_DIGITS};
use packlens_format::object::{Commit, ObjectType};
pub(crate) use parse::{split_path, stage_of};
use parse::{split_suffix, Suffix};
pub(crate) use path::PathTrees;
use progress::Meaning;
pub(crate) use progress::{Peeling, Questions};
use suffixes::{Line, Suffixes};

/// The expected kind of object, which decides between several objects with the same id prefix.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Hint {
    Any,
    Commit,
    Committish,
    Treeish,
}

/// The objects with an id prefix, and those of the expected kind among the ones that were
/// examined.
pub(crate) struct Candidates {
    hex: Vec<u8>,
    hint: Hint,
    found: Vec<ObjectId>,
    looked_at: usize,
    fitting: Vec<ObjectId>,
}

impl Candidates {
    fn memory(&self) -> u64 {
        let ids = self.found.capacity().saturating_add(self.fitting.capacity());
        let ids = ids.saturating_mul(size_of::<ObjectId>());
        ids.saturating_add(self.hex.capacity()) as u64
    }
}

/// The most suffixes `^`, `~` and `^{}` in one revision.
const MAX_SUFFIXES: usize = 4096;

impl Repository {
    /// Returns the id of the object that a revision names: a full or shortened id, a refname,
    /// `HEAD` or `@`, optionally with suffixes `^`, `~` or `^{type}`; or one of these, a colon
    /// and a path. `main@{1}` is looked up in the reflog, `main@{upstream}` in `config`,
    /// `:/text` among commit messages, and `:path` or `:2:path` in the index.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::NotFound`] if there is no such object; [`ErrorKind::Ambiguous`] for a
    /// shortened id of several objects; [`ErrorKind::Unsupported`] for other parts of git's
    /// grammar.
    pub fn resolve(&mut self, spec: &[u8]) -> Result<ObjectId> {
        // The most common case comes first, because it needs no file.
        if let Some(id) = ObjectId::from_hex(self.hash(), spec) {
            return Ok(id);
        }
        if let Some(id) = self.progress().find(spec, Meaning::Object) {
            return Ok(id);
        }
        let id = match self.progress().find(spec, Meaning::Tree) {
            Some(tree) => self.find_below(&tree, spec)?,
            None => self.resolve_anew(spec)?,
        };
        self.progress().know(spec, Meaning::Object, id);
        Ok(id)
    }

    #[inline(never)]
    fn resolve_anew(&mut self, spec: &[u8]) -> Result<ObjectId> {
        self.check_length(spec)?;
        if let Some(expression) =
            spec.strip_prefix(b":/").filter(|expression| !expression.is_empty())
        {
            require_full()?;
            return self.find_message(spec, None, expression);
        }
        let absent = match self.resolve_object(spec, Hint::Any) {
            Err(error) if error.kind() == ErrorKind::NotFound && !is_final(&error) => error,
            result => return result,
        };
        let Some((treeish, path)) = parse::split_path(spec) else {
            // The error names a damaged index that may have the object.
            return Err(absent.place().map_or_else(|| not_found(spec), |_| absent.clone()));
        };
        if treeish.is_empty() {
            require_full()?;
            return self.find_in_index(spec, path);
        }
        let id = self.resolve_object(treeish, Hint::Treeish)?;
        let tree = self
            .peel(&id, Some(ObjectType::Tree))
            .map_err(|error| not_found_from_spec(error, spec))?;
        self.progress().know(spec, Meaning::Tree, tree);
        self.find_below(&tree, spec)
    }

    /// Returns the object at a revision's path below a tree.
    fn find_below(&mut self, tree: &ObjectId, spec: &[u8]) -> Result<ObjectId> {
        let (_, path) = parse::split_path(spec).unwrap_or_default();
        let found = self.find_path(tree, path)?.ok_or_else(|| no_path(NOT_IN_TREE, spec))?;
        Ok(found.0)
    }

    /// Like [`Repository::resolve`], for a revision that should lead to a commit: a shortened
    /// id is not ambiguous if just one of its objects does.
    ///
    /// # Errors
    ///
    /// As [`Repository::resolve`].
    pub fn resolve_committish(&mut self, spec: &[u8]) -> Result<ObjectId> {
        self.resolve_hinted(spec, Hint::Committish)
    }

    /// Resolves a revision and peels it to an object of a type, like git's `rev^{commit}`:
    /// tags to their targets, commits to their trees.
    ///
    /// # Errors
    ///
    /// As [`Repository::resolve`]; [`ErrorKind::WrongType`] if no such object is reached.
    pub fn resolve_to(&mut self, spec: &[u8], object_type: ObjectType) -> Result<ObjectId> {
        let id = self.resolve_hinted(spec, Suffix::Peel(Some(object_type)).hint())?;
        self.peel(&id, Some(object_type))
    }

    fn resolve_hinted(&mut self, spec: &[u8], hint: Hint) -> Result<ObjectId> {
        self.check_length(spec)?;
        match self.resolve_object(spec, hint) {
            Err(error) if error.kind() == ErrorKind::NotFound && !is_final(&error) => {
                self.resolve(spec)
            }
            result => result,
        }
    }

    /// Refuses a name that is longer than any ref or path can be: a look-up takes many times
    /// its length in memory.
    fn check_length(&self, spec: &[u8]) -> Result<()> {
        match spec.len() as u64 <= self.limits().text_size {
            true => Ok(()),
            false => Err(Error::new(ErrorKind::NotFound, "the name is too long").about(spec)),
        }
    }

    /// Resolves a revision without a path.
    fn resolve_object(&mut self, text: &[u8], hint: Hint) -> Result<ObjectId> {
        let mut suffixes = Vec::new();
        let mut base = text;
        while let Some((before, suffix)) = split_suffix(base)? {
            if suffixes.len() == MAX_SUFFIXES {
                return Err(Error::new(ErrorKind::Limit, "too many suffixes").about(text));
            }
            suffixes.push(suffix);
            base = before;
        }
        if suffixes.is_empty() {
            return self.resolve_base(base, hint);
        }
        if let Some(id) = self.progress().find(text, Meaning::Named(hint)) {
            return Ok(id);
        }
        self.must_not_be_lost()?;
        let state = self.progress().suffixes.take().filter(|state| state.text == text);
        let mut state = match state {
            Some(state) => state,
            None => {
                let id = self.resolve_base(base, suffixes.last().map_or(hint, Suffix::hint))?;
                Box::new(Suffixes::new(text, id, suffixes.len()))
            }
        };
        match self.apply_suffixes(&suffixes, &mut state) {
            Ok(()) => {
                self.progress().know(text, Meaning::Named(hint), state.id);
                Ok(state.id)
            }
            Err(error) => {
                if error.is_missing() {
                    self.progress().suffixes = Some(state);
                }
                Err(not_found_from_spec(error, text))
            }
        }
    }

    /// Applies the remaining suffixes, from the end of the list to its start.
    fn apply_suffixes(&mut self, suffixes: &[Suffix], state: &mut Suffixes) -> Result<()> {
        while let Some(at) = state.left.checked_sub(1) {
            self.files.step()?;
            if let Some(suffix) = suffixes.get(at) {
                state.id = self.apply_suffix(suffix, state)?;
            }
            (state.left, state.line) = (at, None);
        }
        Ok(())
    }

    #[inline(never)]
    fn apply_suffix(&mut self, suffix: &Suffix, state: &mut Suffixes) -> Result<ObjectId> {
        let id = state.id;
        match suffix {
            Suffix::Peel(object_type) => self.peel(&id, *object_type),
            Suffix::Exists => {
                self.object_type(&id)?;
                Ok(id)
            }
            Suffix::Text(expression) => {
                let commit = self.peel(&id, Some(ObjectType::Commit))?;
                match expression.as_slice() {
                    [] => Ok(commit),
                    expression => {
                        require_full()?;
                        self.find_message(&state.text, Some(commit), expression)
                    }
                }
            }
            Suffix::Parent(number) => {
                let commit = self.peel(&id, Some(ObjectType::Commit))?;
                match number {
                    0 => Ok(commit),
                    _ => self.parent(&commit, *number),
                }
            }
            Suffix::Ancestor(generations) => {
                if state.line.is_none() {
                    let commit = self.peel(&id, Some(ObjectType::Commit))?;
                    state.line = Some(Line::new(commit, *generations));
                }
                let Some(line) = &mut state.line else {
                    return Ok(id);
                };
                while line.left > 0 {
                    self.files.step()?;
                    let parent = self.parent(&line.commit, 1)?;
                    line.advance(parent);
                }
                Ok(line.commit)
            }
        }
    }

    fn parent(&mut self, commit: &ObjectId, number: u32) -> Result<ObjectId> {
        let content = self.read_of_type(commit, ObjectType::Commit)?;
        let own = Commit::decode(self.hash(), &content)?;
        let parents = self.look_at_grafts()?.parents(commit).unwrap_or(own.parents());
        let at = number.saturating_sub(1) as usize;
        parents.get(at).copied().ok_or_else(|| not_found(b""))
    }

    fn resolve_base(&mut self, text: &[u8], hint: Hint) -> Result<ObjectId> {
        if let Some(id) = ObjectId::from_hex(self.hash(), text) {
            return Ok(id);
        }
        if let Some((name, selector)) = parse::logged_of(text) {
            require_full()?;
            return self.resolve_logged(name, selector);
        }
        let interpreted = self.interpret(text)?;
        let name = interpreted.as_deref().unwrap_or(text);
        if let Some(id) = ObjectId::from_hex(self.hash(), name) {
            return Ok(id);
        }
        if let Some(id) = self.refs.find_short(&self.files, name)? {
            return Ok(id);
        }
        if let Some(hex) = parse::described(text) {
            let unknown = [ErrorKind::NotFound, ErrorKind::Ambiguous];
            match self.resolve_prefix(hex, Hint::Commit) {
                Err(error) if unknown.contains(&error.kind()) => {}
                result => return result,
            }
        }
        self.resolve_prefix(text, hint)
    }

    #[inline(never)]
    fn resolve_prefix(&mut self, hex: &[u8], hint: Hint) -> Result<ObjectId> {
        let prefix = Prefix::from_hex(self.hash(), hex)
            .filter(|_| hex.len() >= MIN_PREFIX_DIGITS)
            .ok_or_else(|| not_found(hex))?;
        let candidates = self.progress().candidates.take();
        let mut candidates = match candidates
            .filter(|candidates| candidates.hex == hex && candidates.hint == hint)
        {
            Some(candidates) => candidates,
            None => {
                let found = self.odb.find_prefix(&mut self.files, &prefix)?;
                let (looked_at, fitting) = (0, Vec::new());
                Box::new(Candidates { hex: hex.to_vec(), hint, found, looked_at, fitting })
            }
        };
        // The kind only decides between several objects.
        if let [id] = candidates.found.as_slice() {
            return Ok(*id);
        }
        if let Err(error) = self.look_at_candidates(&mut candidates) {
            self.progress().candidates = Some(candidates);
            return Err(error);
        }
        match (candidates.found.as_slice(), candidates.fitting.as_slice()) {
            ([], _) => Err(self.odb.not_found(NOTHING).about(hex)),
            (_, [id]) => Ok(*id),
            _ => {
                let what = "several objects begin with this shortened id";
                Err(Error::new(ErrorKind::Ambiguous, what).about(hex))
            }
        }
    }

    fn look_at_candidates(&mut self, candidates: &mut Candidates) -> Result<()> {
        while let Some(id) = candidates.found.get(candidates.looked_at) {
            self.files.step()?;
            if self.fits(id, candidates.hint)? {
                candidates.fitting.push(*id);
            }
            candidates.looked_at = candidates.looked_at.saturating_add(1);
        }
        Ok(())
    }

    /// Returns the ids of all objects that an ambiguous id prefix may stand for.
    ///
    /// # Errors
    ///
    /// Missing files and bytes; damaged indexes.
    pub fn candidates(&mut self, spec: &[u8]) -> Result<Vec<ObjectId>> {
        match Prefix::from_hex(self.hash(), spec) {
            Some(prefix) => self.odb.find_prefix(&mut self.files, &prefix),
            None => Ok(Vec::new()),
        }
    }

    fn fits(&mut self, id: &ObjectId, hint: Hint) -> Result<bool> {
        let peeled = match hint {
            Hint::Any => return Ok(true),
            Hint::Commit => return self.is_commit(id),
            Hint::Committish => self.peel(id, Some(ObjectType::Commit)),
            Hint::Treeish => self.peel(id, Some(ObjectType::Tree)),
        };
        match peeled {
            Ok(_) => Ok(true),
            Err(error) if error.is_missing() => Err(error),
            Err(_) => Ok(false),
        }
    }

    fn is_commit(&mut self, id: &ObjectId) -> Result<bool> {
        match self.object_type(id) {
            Ok(found) => Ok(found == ObjectType::Commit),
            Err(error) if error.is_missing() => Err(error),
            Err(_) => Ok(false),
        }
    }
}

/// Turns an error about an object on the way into an error about the whole revision.
fn not_found_from_spec(error: Error, spec: &[u8]) -> Error {
    let whole = |len| len == HashKind::Sha1.hex_len() || len == HashKind::Sha256.hex_len();
    match error.kind() {
        // The object may be promised; the caller needs the id to check that.
        ErrorKind::NotFound if whole(error.subject().len()) || is_final(&error) => error,
        ErrorKind::NotFound | ErrorKind::WrongType => not_found(spec),
        _ => error,
    }
}

/// The errors of refs that exist but have no such entry or upstream. The subject of the error
/// is git's message.
const LOG_ENDS: &str = "the reflog does not go back so far";
const NO_UPSTREAM: &str = "the branch has no upstream";

/// Returns whether an error rules out any other meaning of a revision.
pub(crate) fn is_final(error: &Error) -> bool {
    [LOG_ENDS, NO_UPSTREAM].contains(&error.what())
}

const NOTHING: &str = "unknown revision";
const NOT_IN_TREE: &str = "the path does not exist in the tree";
const NOT_IN_INDEX: &str = "the path is not in the index";

#[cold]
fn not_found(spec: &[u8]) -> Error {
    Error::new(ErrorKind::NotFound, NOTHING).about(spec)
}

/// Like [`not_found`], for a revision whose part before the path was found.
#[cold]
fn no_path(what: &'static str, spec: &[u8]) -> Error {
    Error::new(ErrorKind::NotFound, what).about(spec)
}
