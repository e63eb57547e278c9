//! The names that commits may be described by.

use super::DescribeOptions;
use crate::history::commits::too_many;
use crate::history::listed_refs::ListedRefs;
use crate::repository::Repository;
use packlens_base::error::{Error, ErrorKind, Result};
use packlens_base::oid::ObjectId;
use packlens_base::wildmatch::Pattern;
use packlens_format::id_table::Ids;
use packlens_format::object::{ObjectType, Tag};
use packlens_format::refs::RefRecord;

pub(super) const TAGS: &[u8] = b"refs/tags/";

/// The prefixes that patterns do not see. Other refs have no name if there are patterns.
const KNOWN: [&[u8]; 3] = [TAGS, b"refs/heads/", b"refs/remotes/"];

/// The best name of each object.
pub(super) struct Names {
    all: bool,
    matching: Vec<Pattern>,
    exclude: Vec<Pattern>,
    listed: ListedRefs,
    /// The objects that tags lead to, numbered as the names are.
    objects: Ids,
    names: Vec<Name>,
    /// How many bytes the names of refs take.
    bytes: u64,
}

pub(super) struct Name {
    pub(super) refname: Vec<u8>,
    /// The object of the ref.
    pub(super) object: ObjectId,
    pub(super) is_annotated: bool,
    /// The date of the tag in seconds since 1970, once it was compared with another.
    date: Option<u64>,
}

impl Name {
    /// Annotated tags are the best, then lightweight ones.
    fn rank(&self) -> u32 {
        match (self.is_annotated, self.refname.starts_with(TAGS)) {
            (true, _) => 2,
            (false, true) => 1,
            (false, false) => 0,
        }
    }
}

impl Names {
    pub(super) fn new(options: &DescribeOptions) -> Names {
        let compiled = |globs: &[Vec<u8>]| {
            globs.iter().map(|glob| Pattern::across_slashes(glob, false)).collect()
        };
        Names {
            all: options.all,
            matching: compiled(&options.matching),
            exclude: compiled(&options.exclude),
            listed: ListedRefs::default(),
            objects: Ids::default(),
            names: Vec::new(),
            bytes: 0,
        }
    }

    /// Lists the refs.
    ///
    /// # Errors
    ///
    /// Missing files and bytes: call again. [`ErrorKind::Limit`]; errors of reading.
    pub(super) fn collect(&mut self, repository: &mut Repository) -> Result<()> {
        let prefix: &[u8] = if self.all { b"refs/" } else { TAGS };
        let mut listed = std::mem::take(&mut self.listed);
        let done = listed.each(repository, prefix, |repository, record| {
            match self.may_have(&record.name) {
                true => self.add(repository, record),
                false => Ok(()),
            }
        });
        self.listed = listed;
        done
    }

    /// Returns whether the patterns let a ref be a name.
    fn may_have(&self, refname: &[u8]) -> bool {
        if self.matching.is_empty() && self.exclude.is_empty() {
            return true;
        }
        let Some(short) = KNOWN.iter().find_map(|prefix| refname.strip_prefix(*prefix)) else {
            return false;
        };
        let fits = |patterns: &[Pattern]| patterns.iter().any(|pattern| pattern.matches(short));
        !fits(&self.exclude) && (self.matching.is_empty() || fits(&self.matching))
    }

    /// Adds a ref, unless its object has a better name. If bytes are missing, nothing has
    /// changed.
    fn add(&mut self, repository: &mut Repository, record: &RefRecord) -> Result<()> {
        let Some(object) = repository.refs.id_of(&repository.files, record)? else {
            return Ok(());
        };
        let peeled = match record.peeled {
            Some(peeled) => peeled,
            None => repository.peeled(&object)?,
        };
        let is_annotated = peeled.is_some();
        let refname = record.name.clone();
        let mut name = Name { refname, object, is_annotated, date: None };
        let peeled = peeled.unwrap_or(object);
        let known =
            self.objects.find_number(&peeled).and_then(|at| self.names.get_mut(at as usize));
        if let Some(known) = known {
            let is_better = match (known.rank(), name.rank()) {
                (2, 2) => {
                    let dates = (date_of(repository, known)?, date_of(repository, &mut name)?);
                    dates.0 < dates.1
                }
                (known, new) => known < new,
            };
            if is_better {
                *known = name;
            }
            return Ok(());
        }
        let each = size_of::<Name>().saturating_add(name.refname.capacity());
        self.bytes = self.bytes.saturating_add(each as u64);
        if self.memory() > repository.memory() / 4 {
            let what = "the names of refs take more memory than allowed: raise `memory`";
            return Err(Error::new(ErrorKind::Limit, what));
        }
        let next = u32::try_from(self.names.len()).map_err(|_| too_many())?;
        self.objects.number_of(&peeled, next);
        self.names.push(name);
        Ok(())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// Returns how many objects have a name, commits or not.
    pub(super) fn len(&self) -> usize {
        self.names.len()
    }

    pub(super) fn get(&self, at: u32) -> Option<&Name> {
        self.names.get(at as usize)
    }

    /// Returns the number of an object's name.
    pub(super) fn of(&self, id: &ObjectId) -> Option<u32> {
        self.objects.find_number(id)
    }

    pub(super) fn memory(&self) -> u64 {
        self.bytes.saturating_add(self.objects.memory()).saturating_add(self.listed.memory())
    }
}

/// Returns the date of an annotated tag, in seconds since 1970; 0 if it has none.
fn date_of(repository: &mut Repository, name: &mut Name) -> Result<u64> {
    if let Some(date) = name.date {
        return Ok(date);
    }
    let content = repository.read_of_type(&name.object, ObjectType::Tag)?;
    let tag = Tag::decode(repository.hash(), &content)?;
    let date = tag.tagger().and_then(|tagger| tagger.seconds).unwrap_or(0);
    name.date = Some(date);
    Ok(date)
}
