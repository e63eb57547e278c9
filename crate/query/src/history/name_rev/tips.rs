//! The refs that commits are named after.

use super::NameRevOptions;
use crate::history::listed_refs::ListedRefs;
use crate::repository::Repository;
use packlens_base::error::{Error, ErrorKind, Result};
use packlens_base::oid::ObjectId;
use packlens_base::wildmatch::Pattern;
use packlens_format::object::{ObjectType, Tag};
use packlens_format::refs::RefRecord;

const REFS: &[u8] = b"refs/";
const TAGS: &[u8] = b"refs/tags/";

/// The refs that the options select, in the order of their names.
pub(super) struct Tips {
    only_tags: bool,
    refs: Vec<Pattern>,
    exclude: Vec<Pattern>,
    listed: ListedRefs,
    all: Vec<Tip>,
    bytes: u64,
}

pub(super) struct Tip {
    pub(super) refname: Vec<u8>,
    /// The object of the ref, and what that leads to if it is a tag.
    pub(super) object: ObjectId,
    pub(super) peeled: ObjectId,
    pub(super) is_tag: bool,
    /// The date of the last of a chain of tags in seconds since 1970.
    pub(super) tagged: Option<u64>,
    /// A pattern selected the end of the name, not all of it.
    pub(super) is_part: bool,
}

impl Tips {
    pub(super) fn new(options: &NameRevOptions) -> Tips {
        let compiled = |globs: &[Vec<u8>]| {
            globs.iter().map(|glob| Pattern::across_slashes(glob, false)).collect()
        };
        Tips {
            only_tags: options.tags,
            refs: compiled(&options.refs),
            exclude: compiled(&options.exclude),
            listed: ListedRefs::default(),
            all: Vec::new(),
            bytes: 0,
        }
    }

    /// Lists the refs.
    ///
    /// # Errors
    ///
    /// Missing files and bytes: call again. [`ErrorKind::Limit`]; errors of reading.
    pub(super) fn collect(&mut self, repository: &mut Repository) -> Result<()> {
        let prefix = if self.only_tags { TAGS } else { REFS };
        let mut listed = std::mem::take(&mut self.listed);
        let done = listed.each(repository, prefix, |repository, record| {
            match self.selected(&record.name) {
                Some(is_part) => self.add(repository, record, is_part),
                None => Ok(()),
            }
        });
        self.listed = listed;
        done
    }

    /// Returns whether a pattern selects only the end of a ref's name; `None` if the ref is not
    /// selected.
    fn selected(&self, refname: &[u8]) -> Option<bool> {
        if self.exclude.iter().any(|pattern| matched(pattern, refname).is_some()) {
            return None;
        }
        let mut found = self.refs.iter().filter_map(|pattern| matched(pattern, refname));
        if self.refs.is_empty() {
            return Some(false);
        }
        let first = found.next()?;
        Some(first || found.any(|is_part| is_part))
    }

    /// Adds a ref. If bytes are missing, nothing has changed.
    fn add(
        &mut self,
        repository: &mut Repository,
        record: &RefRecord,
        is_part: bool,
    ) -> Result<()> {
        let Some(object) = repository.refs.id_of(&repository.files, record)? else {
            return Ok(());
        };
        let peeled = match record.peeled {
            Some(peeled) => peeled,
            None => repository.peeled(&object)?,
        };
        let tagged = match &peeled {
            Some(peeled) => Some(date_of_tag(repository, &object, peeled)?),
            None => None,
        };
        let refname = record.name.clone();
        let each = size_of::<Tip>().saturating_add(refname.capacity());
        self.bytes = self.bytes.saturating_add(each as u64);
        if self.memory() > repository.memory() / 4 {
            let what = "the names of refs take more memory than allowed: raise `memory`";
            return Err(Error::new(ErrorKind::Limit, what));
        }
        let (peeled, is_tag) = (peeled.unwrap_or(object), refname.starts_with(TAGS));
        self.all.push(Tip { refname, object, peeled, is_tag, tagged, is_part });
        Ok(())
    }

    pub(super) fn len(&self) -> u32 {
        u32::try_from(self.all.len()).unwrap_or(u32::MAX)
    }

    pub(super) fn get(&self, at: u32) -> Option<&Tip> {
        self.all.get(at as usize)
    }

    /// Returns the number of the first ref of an object.
    pub(super) fn of(&self, object: &ObjectId) -> Option<u32> {
        (0u32..).zip(&self.all).find(|(_, tip)| tip.object == *object).map(|(at, _)| at)
    }

    pub(super) fn memory(&self) -> u64 {
        self.bytes.saturating_add(self.listed.memory())
    }
}

/// Returns whether a pattern matches only a part of a name, which begins after a slash; `None` if
/// it does not match.
fn matched(pattern: &Pattern, refname: &[u8]) -> Option<bool> {
    let mut rest = Some(refname);
    while let Some(name) = rest {
        if pattern.matches(name) {
            return Some(name.len() < refname.len());
        }
        rest = name
            .iter()
            .position(|byte| *byte == b'/')
            .and_then(|at| name.get(at.saturating_add(1)..));
    }
    None
}

/// Returns the date of the tag of an object, which a chain of tags leads to; 0 if it has none.
fn date_of_tag(repository: &mut Repository, tag: &ObjectId, peeled: &ObjectId) -> Result<u64> {
    let mut at = *tag;
    loop {
        repository.files.step()?;
        let content = repository.read_of_type(&at, ObjectType::Tag)?;
        let tag = Tag::decode(repository.hash(), &content)?;
        if tag.target() == peeled || repository.object_type(tag.target())? != ObjectType::Tag {
            return Ok(tag.tagger().and_then(|tagger| tagger.seconds).unwrap_or(0));
        }
        at = *tag.target();
    }
}
