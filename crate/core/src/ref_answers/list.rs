//! Listing refs.

use super::patterns::RefPatterns;
use crate::appender::Output;
use crate::circle::Circle;
use crate::error::{ErrorKind, Result};
use crate::history::{RefReach, RefReachOptions, MOST_STEPS};
use crate::object::ObjectType;
use crate::oid::ObjectId;
use crate::refs::{is_refname, RefCursor, RefRecord, RefValue};
use crate::repository::Repository;
use crate::wildmatch::literal_prefix;

/// Which refs are listed, and what is told of them.
#[derive(Clone, Debug, Default)]
pub struct RefListOptions {
    /// What their full names begin with.
    pub prefix: Vec<u8>,
    /// As those of `git for-each-ref`: a whole name, or the directories it begins
    /// with, or one with `*`. A ref has to fit one of them, if there are any.
    pub patterns: Vec<Vec<u8>>,
    /// Patterns of refs that are not listed, although they fit.
    pub exclude: Vec<Vec<u8>>,
    /// Patterns fit letters of either case.
    pub ignore_case: bool,
    /// What tags lead to is looked up.
    pub peel: bool,
    /// Refs whose names break git's rules are listed as well, as broken ones.
    pub bad_names: bool,
    /// A revision: the refs must lead to this object, or to a tag that does.
    pub points_at: Option<Vec<u8>>,
    /// They must point at the very object: symbolic refs and tags do not lead there.
    pub direct: bool,
    /// The history that they must lead to, or that must lead to them.
    pub reach: RefReachOptions,
}

/// A list of refs in git's order. It stops when it likes and goes on later.
pub struct RefList {
    options: RefListOptions,
    patterns: RefPatterns,
    exclude: RefPatterns,
    reach: RefReach,
    source: Option<Source>,
    points_at: Option<ObjectId>,
    /// The ref that is being told of.
    record: Option<RefRecord>,
    /// The object that its tags lead to, as far as they were followed.
    tagged: Option<(ObjectId, Circle)>,
}

/// Where refs come from.
enum Source {
    /// All of them.
    Cursor(RefCursor),
    /// Those that may lead to an object, the first one last.
    Found(Vec<RefRecord>),
}

/// How many times refs are looked at that may be of tags, before others may be answered.
const STEPS: usize = 16;

impl RefList {
    /// Begins a list.
    pub fn new(options: RefListOptions) -> RefList {
        let patterns = RefPatterns::new(&options.patterns, options.ignore_case);
        let exclude = RefPatterns::new(&options.exclude, options.ignore_case);
        let reach = RefReach::new(options.reach.clone());
        RefList {
            options,
            patterns,
            exclude,
            reach,
            source: None,
            points_at: None,
            record: None,
            tagged: None,
        }
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
        if self.source.is_none() && !self.begin(repository)? {
            return Ok(false);
        }
        let mut steps = MOST_STEPS;
        while out.len() < capacity {
            if self.record.is_none() && !self.step(repository)? {
                return Ok(true);
            }
            if let Some(record) = self.record.take() {
                let told = self.tell(repository, &record, &mut steps, out);
                if !matches!(told, Ok(true)) {
                    self.record = Some(record);
                    return told;
                }
            }
            self.tagged = None;
        }
        Ok(false)
    }

    /// Returns how many bytes of memory this takes.
    pub fn memory(&self) -> u64 {
        let source = match &self.source {
            Some(Source::Cursor(cursor)) => cursor.memory(),
            Some(Source::Found(found)) => found.iter().fold(0, |sum: u64, record| {
                let each = record.name.capacity().saturating_add(size_of::<RefRecord>());
                sum.saturating_add(each as u64)
            }),
            None => 0,
        };
        source.saturating_add(self.reach.memory())
    }

    /// Finds out where the refs come from; `false` if it is to be asked again.
    fn begin(&mut self, repository: &mut Repository) -> Result<bool> {
        if let Some(spec) = &self.options.points_at {
            let id = repository.resolve(spec)?;
            self.points_at = Some(id);
            if repository.refs.tell_of_objects(&repository.files)? {
                if !self.options.direct && !repository.know_untold_refs()? {
                    return Ok(false);
                }
                let found = repository.refs_leading_to(id, self.options.direct)?;
                self.source = found.map(|mut found| {
                    found.reverse();
                    Source::Found(found)
                });
            }
        }
        if self.source.is_none() {
            let mut cursor = repository.refs.cursor();
            cursor.seek_prefix(self.common_prefix());
            self.source = Some(Source::Cursor(cursor));
        }
        Ok(true)
    }

    /// Takes the next ref that fits; tells whether there was one.
    fn step(&mut self, repository: &Repository) -> Result<bool> {
        loop {
            repository.files.step()?;
            let found;
            let record = match &mut self.source {
                Some(Source::Cursor(cursor)) => cursor.next(&repository.files)?,
                Some(Source::Found(rest)) => {
                    found = rest.pop();
                    found.as_ref()
                }
                None => None,
            };
            let Some(record) = record else {
                return Ok(false);
            };
            let wanted = record.name.starts_with(&self.options.prefix)
                && (self.options.bad_names || is_refname(&record.name))
                && (self.patterns.is_empty() || self.patterns.fit(&record.name))
                && !self.exclude.fit(&record.name);
            if wanted {
                self.record = Some(record.clone());
                return Ok(true);
            }
        }
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

    /// Appends the record of a ref, if it is wanted; tells whether that is known after so
    /// many steps.
    fn tell(
        &mut self,
        repository: &mut Repository,
        record: &RefRecord,
        steps: &mut u32,
        out: &mut Output,
    ) -> Result<bool> {
        if !self.leads_there(repository, record)? {
            return Ok(true);
        }
        let id = match self.options.reach.is_empty() {
            true => None,
            false => repository.resolve_listed(record, false)?.commit(),
        };
        let fits = match id {
            Some(id) => self.reach.fits(repository, &id, steps)?,
            None => Some(self.options.reach.is_empty() || self.options.bad_names),
        };
        if fits == Some(true) {
            repository.write_ref(record, self.options.peel, out)?;
        }
        Ok(fits.is_some())
    }

    fn leads_there(&mut self, repository: &mut Repository, record: &RefRecord) -> Result<bool> {
        let Some(wanted) = self.points_at else {
            return Ok(true);
        };
        if self.options.direct {
            return Ok(record.value == RefValue::Id(wanted));
        }
        if self.tagged.is_none() {
            let id = repository.refs.id_of(&repository.files, record)?;
            self.tagged = id.map(|id| (id, Circle::new(id)));
        }
        let Some((id, circle)) = &mut self.tagged else {
            return Ok(false);
        };
        let is_no_tag = record.peeled == Some(None);
        while *id != wanted {
            repository.files.step()?;
            if is_no_tag {
                return Ok(false);
            }
            match repository.object_type(id) {
                Ok(ObjectType::Tag) => *id = repository.tagged(id)?,
                Ok(_) => return Ok(false),
                Err(error) if error.kind() == ErrorKind::NotFound => return Ok(false),
                Err(error) => return Err(error),
            }
            if circle.closed_by(id).is_some() {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

impl Repository {
    /// Looks which refs are to tags that are stored without what they lead to; `false`
    /// if it is to be asked again.
    fn know_untold_refs(&mut self) -> Result<bool> {
        for _ in 0..STEPS {
            let unsure = self.refs.unsure(&self.files)?;
            if unsure.is_empty() {
                return Ok(true);
            }
            let mut are_tags = Vec::with_capacity(unsure.len());
            for id in unsure {
                are_tags.push(match self.object_type(&id) {
                    Ok(object_type) => object_type == ObjectType::Tag,
                    // It may come.
                    Err(error) if error.kind() == ErrorKind::NotFound => true,
                    Err(error) => return Err(error),
                });
            }
            self.refs.settle(&are_tags);
        }
        Ok(false)
    }

    /// Returns the refs among which those are that lead to an object, or point at it.
    /// `None` if that is not known.
    fn refs_leading_to(&mut self, id: ObjectId, direct: bool) -> Result<Option<Vec<RefRecord>>> {
        if direct {
            return self.refs.leading_to(&self.files, &[id], false);
        }
        // What is read of a tag that is replaced is not what its table says.
        if self.odb.replaces() {
            return Ok(None);
        }
        let mut ids = vec![id];
        // Tags of a tag are known by what they lead to in the end.
        ids.extend(self.peeled(&id)?);
        self.refs.leading_to(&self.files, &ids, true)
    }
}
