//! Checks that each element of a pathspec selects something, as git does before it writes.

use super::ArchiveOptions;
use crate::file_walk::FileWalk;
use crate::repository::Repository;
use packlens_base::error::{Error, ErrorKind, Result};
use packlens_format::object::ObjectType;
use packlens_format::pathspec::Pathspec;

/// A resumable check.
pub(super) struct Check {
    /// Of the elements that are not checked yet; the last one is the next.
    elements: Vec<Element>,
    directory: Vec<u8>,
}

struct Element {
    text: Vec<u8>,
    walk: FileWalk,
    is_found: bool,
}

/// Parses a pathspec. What only excludes, excludes from the directory.
pub(super) fn pathspec_in(directory: &[u8], elements: &[Vec<u8>]) -> Result<Pathspec> {
    let mut elements = elements.to_vec();
    let mut is_limited = directory.is_empty();
    for element in &elements {
        is_limited = is_limited || !Pathspec::parse(&[element])?.excludes_any();
    }
    if !is_limited {
        elements.push([b":(literal)", directory].concat());
    }
    Pathspec::parse(&elements)
}

impl Check {
    pub(super) fn new(
        repository: &mut Repository,
        spec: &[u8],
        options: &ArchiveOptions,
    ) -> Result<Check> {
        let id = repository.resolve(spec)?;
        let tree = repository.peel(&id, Some(ObjectType::Tree))?;
        let depth = repository.limits().tree_depth;
        let element = |text: &Vec<u8>| {
            let pathspec = pathspec_in(&options.directory, std::slice::from_ref(text))?;
            let walk = FileWalk::new(tree, pathspec, false, depth);
            Ok(Element { text: text.clone(), walk, is_found: false })
        };
        let elements = options.pathspec.iter().rev().map(element).collect::<Result<_>>()?;
        Ok(Check { elements, directory: options.directory.clone() })
    }

    /// Looks at the next entry; returns whether every element was checked.
    pub(super) fn step(&mut self, repository: &mut Repository) -> Result<bool> {
        let Some(element) = self.elements.last_mut() else { return Ok(true) };
        let Some(entry) = element.walk.next(repository)? else {
            if !element.is_found {
                return Err(element.error(ErrorKind::NotFound, "the path is not in the tree"));
            }
            self.elements.pop();
            return Ok(self.elements.is_empty());
        };
        if element.walk.selects_itself(&entry) {
            if ![&entry.path, &b"/"[..]].concat().starts_with(&self.directory) {
                let what = "the path is outside of the current directory";
                return Err(element.error(ErrorKind::BadInput, what));
            }
            element.is_found = true;
        }
        if element.is_found && self.directory.is_empty() {
            // Nothing is outside.
            self.elements.pop();
        } else if entry.mode.is_tree() {
            element.walk.enter(repository, &entry)?;
        } else {
            element.walk.pass(&entry);
        }
        Ok(self.elements.is_empty())
    }

    pub(super) fn memory(&self) -> u64 {
        self.elements.iter().map(|element| element.walk.memory()).fold(0, u64::saturating_add)
    }
}

impl Element {
    #[cold]
    fn error(&self, kind: ErrorKind, what: &'static str) -> Error {
        Error::new(kind, what).about(self.text.strip_prefix(b":(literal)").unwrap_or(&self.text))
    }
}
