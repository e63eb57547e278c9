//! Listing refs.

use crate::appender::Output;
use crate::error::{ErrorKind, Result};
use crate::object::{ObjectType, Tag};
use crate::oid::ObjectId;
use crate::refs::{is_refname, RefCursor, RefRecord};
use crate::repository::Repository;
use crate::wildmatch::{literal_prefix, Pattern};

/// Which refs are listed, and what is told of them.
#[derive(Clone, Debug, Default)]
pub struct RefListOptions {
    /// What their full names begin with.
    pub prefix: Vec<u8>,
    /// As those of `git for-each-ref`: a whole name, or the directories it begins
    /// with, or one with `*`. A ref has to fit one of them, if there are any.
    pub patterns: Vec<Vec<u8>>,
    /// Patterns fit letters of either case.
    pub ignore_case: bool,
    /// What tags lead to is looked up.
    pub peel: bool,
    /// Refs whose names break git's rules are listed as well, as broken ones.
    pub bad_names: bool,
    /// A revision: the refs must lead to this object, or to a tag that does.
    pub points_at: Option<Vec<u8>>,
}

/// A list of refs in git's order. It stops when it likes and goes on later.
pub struct RefList {
    options: RefListOptions,
    patterns: Vec<(Vec<u8>, Pattern)>,
    cursor: Option<RefCursor>,
    points_at: Option<ObjectId>,
    /// The ref that is being told of.
    record: Option<RefRecord>,
}

impl RefList {
    /// Begins a list.
    pub fn new(options: RefListOptions) -> RefList {
        let own = |pattern: &Vec<u8>| {
            let matched = match options.ignore_case {
                true => pattern.to_ascii_lowercase(),
                false => pattern.clone(),
            };
            (matched, Pattern::new(pattern, options.ignore_case))
        };
        let patterns = options.patterns.iter().map(own).collect();
        RefList { options, patterns, cursor: None, points_at: None, record: None }
    }

    /// Appends records to `out` until it is about `capacity` bytes long; tells
    /// whether that was the last. They are those of [`Repository::ref_row`].
    ///
    /// # Errors
    ///
    /// Missing files, directories and bytes: provide them and go on. Those of
    /// [`RefCursor::next`], and of peeling tags.
    pub fn fill(
        &mut self,
        repository: &mut Repository,
        capacity: usize,
        out: &mut Output,
    ) -> Result<bool> {
        if self.cursor.is_none() {
            if let Some(spec) = &self.options.points_at {
                self.points_at = Some(repository.resolve(spec)?);
            }
            let mut cursor = repository.refs.cursor();
            cursor.seek_prefix(self.common_prefix());
            self.cursor = Some(cursor);
        }
        while out.len() < capacity {
            if self.record.is_none() && !self.step(repository)? {
                return Ok(true);
            }
            if let Some(record) = &self.record {
                if self.leads_there(repository, record)? {
                    repository.write_ref(record, self.options.peel, out)?;
                }
            }
            self.record = None;
        }
        Ok(false)
    }

    /// Returns how many bytes of memory this takes.
    pub fn memory(&self) -> u64 {
        self.cursor.as_ref().map_or(0, RefCursor::memory)
    }

    /// Takes the next ref that fits; tells whether there was one.
    fn step(&mut self, repository: &Repository) -> Result<bool> {
        let Some(cursor) = &mut self.cursor else {
            return Ok(false);
        };
        while let Some(record) = cursor.next(&repository.files)? {
            let wanted = record.name.starts_with(&self.options.prefix)
                && (self.options.bad_names || is_refname(&record.name))
                && fits(&self.patterns, &record.name, self.options.ignore_case);
            if wanted {
                self.record = Some(record.clone());
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Returns what all names that fit begin with.
    fn common_prefix(&self) -> &[u8] {
        match (self.options.patterns.as_slice(), self.options.ignore_case) {
            ([pattern], false) => {
                let literal = literal_prefix(pattern);
                match literal.starts_with(&self.options.prefix) {
                    true => literal.strip_suffix(b"/").unwrap_or(literal),
                    false => &self.options.prefix,
                }
            }
            _ => &self.options.prefix,
        }
    }

    fn leads_there(&self, repository: &mut Repository, record: &RefRecord) -> Result<bool> {
        let Some(wanted) = self.points_at else {
            return Ok(true);
        };
        let Some(mut id) = repository.refs.id_of(&repository.files, record)? else {
            return Ok(false);
        };
        let is_no_tag = record.peeled == Some(None);
        while id != wanted {
            if is_no_tag {
                return Ok(false);
            }
            match repository.object_type(&id) {
                Ok(ObjectType::Tag) => {
                    let content = repository.read_of_type(&id, ObjectType::Tag)?;
                    id = *Tag::decode(repository.hash(), &content)?.target();
                }
                Ok(_) => return Ok(false),
                Err(error) if error.kind() == ErrorKind::NotFound => return Ok(false),
                Err(error) => return Err(error),
            }
        }
        Ok(true)
    }
}

/// Tells whether a name fits one of the patterns, or there are none.
fn fits(patterns: &[(Vec<u8>, Pattern)], name: &[u8], ignore_case: bool) -> bool {
    let folded = if ignore_case { name.to_ascii_lowercase() } else { Vec::new() };
    let name = if ignore_case { &folded } else { name };
    let is_within = |pattern: &[u8]| {
        name.strip_prefix(pattern).is_some_and(|rest| {
            rest.is_empty() || rest.starts_with(b"/") || pattern.ends_with(b"/")
        })
    };
    let fits = |(text, pattern): &(Vec<u8>, Pattern)| is_within(text) || pattern.matches(name);
    patterns.is_empty() || patterns.iter().any(fits)
}
