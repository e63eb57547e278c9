//! Lists refs.

use super::patterns::RefPatterns;
use crate::history::{RefReach, RefReachOptions, MOST_STEPS};
use crate::repository::Repository;
use packlens_base::appender::Output;
use packlens_base::circle::Circle;
use packlens_base::error::{ErrorKind, Result};
use packlens_base::module::require_full;
use packlens_base::oid::ObjectId;
use packlens_base::wildmatch::literal_prefix;
use packlens_format::object::ObjectType;
use packlens_format::refs::{is_refname, RefCursor, RefRecord, RefValue};

/// Which refs are listed, and with which fields.
#[derive(Clone, Debug, Default)]
pub struct RefListOptions {
    /// The prefix of the full refnames.
    pub prefix: Vec<u8>,
    /// Patterns like those of `git for-each-ref`: a whole name, the directories it begins
    /// with, or a glob with `*`. A ref must match one of them, if there are any.
    pub patterns: Vec<Vec<u8>>,
    /// Patterns of refs that are excluded although they match.
    pub exclude: Vec<Vec<u8>>,
    /// Whether patterns ignore case.
    pub ignore_case: bool,
    /// Whether tags are peeled.
    pub peel: bool,
    /// Whether refs with names that break git's rules are listed too, as broken ones.
    pub bad_names: bool,
    /// A revision; only refs that lead to its object are listed, through tags or not.
    pub points_at: Option<Vec<u8>>,
    /// Whether refs must point at that object directly, not through symbolic refs or tags.
    pub direct: bool,
    /// The history that refs must reach, or be reached from.
    pub reach: RefReachOptions,
}

/// A resumable list of refs, sorted by name.
pub struct RefList {
    options: RefListOptions,
    patterns: RefPatterns,
    exclude: RefPatterns,
    reach: RefReach,
    source: Option<Source>,
    points_at: Option<ObjectId>,
    /// The ref that is being written.
    record: Option<RefRecord>,
    /// The object that the ref's chain of tags has led to so far.
    tagged: Option<(ObjectId, Circle)>,
}

/// The source of the refs.
enum Source {
    /// All refs.
    Cursor(RefCursor),
    /// The candidates for refs that lead to an object, the first one last.
    Found(Vec<RefRecord>),
}

/// How many batches of possible tags are examined before other questions get a turn.
const STEPS: usize = 16;

impl RefList {
    /// Starts a list.
    ///
    /// # Errors
    ///
    /// A need for the full module, which matches patterns.
    pub fn new(options: RefListOptions) -> Result<RefList> {
        let patterns = RefPatterns::new(&options.patterns, options.ignore_case)?;
        let exclude = RefPatterns::new(&options.exclude, options.ignore_case)?;
        let reach = RefReach::new(options.reach.clone());
        Ok(RefList {
            options,
            patterns,
            exclude,
            reach,
            source: None,
            points_at: None,
            record: None,
            tagged: None,
        })
    }

    /// Appends records like those of [`Repository::ref_row`] to `out` until it is about
    /// `capacity` bytes long; returns whether the list is complete.
    ///
    /// # Errors
    ///
    /// Missing files, directories and bytes: provide them and call again. The errors of
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
                let appended = self.append_record(repository, &record, &mut steps, out);
                if !matches!(appended, Ok(true)) {
                    self.record = Some(record);
                    return appended;
                }
            }
            self.tagged = None;
        }
        Ok(false)
    }

    /// Returns how many bytes of memory the list takes.
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

    /// Chooses the source of the refs; `false` if the caller has to call again.
    fn begin(&mut self, repository: &mut Repository) -> Result<bool> {
        if let Some(spec) = &self.options.points_at {
            require_full()?;
            let id = repository.resolve(spec)?;
            self.points_at = Some(id);
            if repository.refs.have_object_blocks(&repository.files)? {
                if !self.options.direct && !repository.find_unindexed_refs()? {
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

    /// Takes the next ref that matches the options; returns whether there was one.
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
            let matches = record.name.starts_with(&self.options.prefix)
                && (self.options.bad_names || is_refname(&record.name))
                && (self.patterns.is_empty() || self.patterns.fit(&record.name))
                && !self.exclude.fit(&record.name);
            if matches {
                self.record = Some(record.clone());
                return Ok(true);
            }
        }
    }

    /// Returns a prefix of all names that match.
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

    /// Appends the record of a ref if it passes the reachability options; returns `false` if
    /// more steps are needed to decide that.
    fn append_record(
        &mut self,
        repository: &mut Repository,
        record: &RefRecord,
        steps: &mut u32,
        out: &mut Output,
    ) -> Result<bool> {
        if !self.points_at_target(repository, record)? {
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

    fn points_at_target(
        &mut self,
        repository: &mut Repository,
        record: &RefRecord,
    ) -> Result<bool> {
        let Some(target) = self.points_at else {
            return Ok(true);
        };
        if self.options.direct {
            return Ok(record.value == RefValue::Id(target));
        }
        if self.tagged.is_none() {
            let id = repository.refs.id_of(&repository.files, record)?;
            self.tagged = id.map(|id| (id, Circle::new(id)));
        }
        let Some((id, circle)) = &mut self.tagged else {
            return Ok(false);
        };
        let is_no_tag = record.peeled == Some(None);
        while *id != target {
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
    /// Finds the refs to tags that are stored without the peeled object; `false` if the caller
    /// has to call again.
    fn find_unindexed_refs(&mut self) -> Result<bool> {
        for _ in 0..STEPS {
            let unsure = self.refs.unsure(&self.files)?;
            if unsure.is_empty() {
                return Ok(true);
            }
            let mut are_tags = Vec::with_capacity(unsure.len());
            for id in unsure {
                are_tags.push(match self.object_type(&id) {
                    Ok(object_type) => object_type == ObjectType::Tag,
                    // The object may be fetched later and be a tag.
                    Err(error) if error.kind() == ErrorKind::NotFound => true,
                    Err(error) => return Err(error),
                });
            }
            self.refs.settle(&are_tags);
        }
        Ok(false)
    }

    /// Returns candidates for the refs that lead to an object, or point at it directly; `None`
    /// if the tables cannot narrow them down.
    fn refs_leading_to(&mut self, id: ObjectId, direct: bool) -> Result<Option<Vec<RefRecord>>> {
        if direct {
            return self.refs.leading_to(&self.files, &[id], false);
        }
        // The peeled ids in the tables ignore replace refs.
        if self.odb.replaces() {
            return Ok(None);
        }
        let mut ids = vec![id];
        // Tables have only the fully peeled object, so a tag of this tag is found by that.
        ids.extend(self.peeled(&id)?);
        self.refs.leading_to(&self.files, &ids, true)
    }
}
