//! Names a commit after the most recent tag that it reaches: git-describe(1).

mod names;
mod search;

use super::answer::{answer, Restart, Trust};
use super::commits::Commits;
use super::tips::named_commit;
use crate::repository::Repository;
use names::{Name, Names};
use packlens_base::appender::{Append, Output};
use packlens_base::error::{Error, ErrorKind, Result};
use packlens_base::oid::{ObjectId, MAX_OID_LEN};
use packlens_format::object::{ObjectType, Tag};
use search::{Found, Search};

/// The bytes of a record beside its texts: a number of each kind, five lengths and two ids.
const RECORD_LEN: usize = 7 * 4 + 2 * MAX_OID_LEN;

/// Options of a description.
#[derive(Clone, Debug, Default)]
pub struct DescribeOptions {
    /// Whether lightweight tags count too.
    pub tags: bool,
    /// Whether all refs count.
    pub all: bool,
    /// Whether the number of commits and the id follow the name of a commit's own tag too.
    pub long: bool,
    /// The fewest digits of an id, 0 for the name alone; by default as many as git shows.
    pub abbrev: Option<u32>,
    /// Globs; a name must match one of them, if there are any.
    pub matching: Vec<Vec<u8>>,
    /// Globs of names that are excluded although they match.
    pub exclude: Vec<Vec<u8>>,
    /// How many tags are compared, at most [`DescribeOptions::MOST_CANDIDATES`]; 0 for a tag of
    /// the commit itself.
    pub candidates: u32,
    /// Whether only first parents are followed.
    pub first_parent: bool,
    /// Whether a commit without a tag is described by its id.
    pub always: bool,
}

impl DescribeOptions {
    /// The most tags that are compared. git compares no more either.
    pub const MOST_CANDIDATES: u32 = 27;
}

/// A resumable description of a commit.
pub struct Describe {
    spec: Vec<u8>,
    options: DescribeOptions,
    names: Names,
    commits: Option<Commits>,
    search: Option<Search>,
    /// The commit, and what was found for it.
    found: Option<(ObjectId, Found)>,
    trust: Trust,
}

impl Describe {
    /// Creates the description of the commit that a revision names.
    pub fn new(spec: &[u8], options: DescribeOptions) -> Describe {
        Describe {
            spec: spec.to_vec(),
            names: Names::new(&options),
            options,
            commits: None,
            search: None,
            found: None,
            trust: Trust::default(),
        }
    }

    /// Appends the record of the description to `out`.
    ///
    /// A record has: how many commits the tag does not reach (4 bytes); 1 if the tag has another
    /// name than its ref, otherwise 0 (4); then, each after its length in 4 bytes, the id of the
    /// commit, the id of the annotated tag, the full name of the ref, the name, and the text that
    /// git prints. What there is not, is empty: a lightweight tag has no id, and a commit that is
    /// described by its id has no ref and no name.
    ///
    /// # Errors
    ///
    /// Missing files and bytes: provide them and call again. [`ErrorKind::NotFound`] if there is
    /// no such revision or no tag; [`ErrorKind::WrongType`] if the object is not a commit; errors
    /// of reading.
    pub fn fill(&mut self, repository: &mut Repository, out: &mut Output) -> Result<()> {
        self.names.collect(repository)?;
        if self.names.is_empty() && !self.options.always {
            let what = "No names found, cannot describe anything";
            return Err(Error::new(ErrorKind::NotFound, what));
        }
        if self.found.is_none() {
            let found = answer(self, repository, Describe::find)?;
            self.found = Some(found);
            // Nothing more is read from the commits, which may take half of the memory.
            (self.commits, self.search) = (None, None);
        }
        match &self.found {
            Some((id, found)) => self.write(repository, id, found, out),
            None => Ok(()),
        }
    }

    fn find(&mut self, repository: &mut Repository) -> Result<(ObjectId, Found)> {
        let commits = match &mut self.commits {
            Some(commits) => commits,
            None => self.commits.insert(Commits::new(repository, self.trust, false)?),
        };
        let search = match &mut self.search {
            Some(search) => search,
            None => {
                let tip = named_commit(commits, repository, &self.spec)?;
                self.search.insert(Search::new(commits, tip))
            }
        };
        let id = commits.id(repository, search.tip())?;
        Ok((id, search.run(commits, repository, &self.names, &self.options)?))
    }

    fn write(
        &self,
        repository: &mut Repository,
        id: &ObjectId,
        found: &Found,
        out: &mut Output,
    ) -> Result<()> {
        let (name, depth) = match found {
            Found::Exactly(at) => (self.names.get(*at), 0),
            Found::Below { name, depth } => (self.names.get(*name), *depth),
            Found::Nothing(error) if !self.options.always || self.options.candidates == 0 => {
                return Err(error.clone().about(id.to_hex()));
            }
            Found::Nothing(_) => (None, 0),
        };
        let Some(name) = name else {
            let digits = self.digits(repository, id)?;
            return append(out, (0, false), [id.as_bytes(), b"", b"", b"", digits.as_bytes()]);
        };
        let called = self.called(repository, name)?;
        let is_exact = matches!(found, Found::Exactly(_));
        let has_suffix = called.is_other
            || if is_exact { self.options.long } else { self.options.abbrev != Some(0) };
        let mut text = called.name.clone();
        if has_suffix {
            // git shows what the tag tags, which may be another tag.
            let shown = called.target.filter(|_| is_exact).unwrap_or(*id);
            let digits = self.digits(repository, &shown)?;
            text.extend_from_slice(format!("-{depth}-g{digits}").as_bytes());
        }
        let tag = called.target.map(|_| name.object);
        let tag = tag.as_ref().map_or(&b""[..], |tag| tag.as_bytes());
        let texts = [id.as_bytes(), tag, &name.refname, &called.name, &text];
        append(out, (depth, called.is_other), texts)
    }

    /// Returns how a ref is called: an annotated tag by the name in the tag itself.
    fn called(&self, repository: &mut Repository, name: &Name) -> Result<Called> {
        let path = match self.options.all {
            true => name.refname.strip_prefix(b"refs/"),
            false => name.refname.strip_prefix(names::TAGS),
        };
        let path = path.unwrap_or(&name.refname);
        if !name.is_annotated {
            return Ok(Called { name: path.to_vec(), target: None, is_other: false });
        }
        let content = repository.read_of_type(&name.object, ObjectType::Tag)?;
        let tag = Tag::decode(repository.hash(), &content)?;
        let own = match self.options.all {
            true => [b"tags/", tag.name()].concat(),
            false => tag.name().to_vec(),
        };
        // With all refs, git skips as many bytes of any name as `tags/` has.
        let after = if self.options.all { b"tags/".len() } else { 0 };
        let is_other = path.get(after..) != Some(tag.name());
        Ok(Called { name: own, target: Some(*tag.target()), is_other })
    }

    /// Returns the digits that stand for an id: all of them if only the name is asked for.
    fn digits(&self, repository: &mut Repository, id: &ObjectId) -> Result<String> {
        let mut hex = id.to_hex();
        if self.options.abbrev != Some(0) {
            let least = self.options.abbrev.map(|digits| digits as usize);
            hex.truncate(repository.abbreviate(id, least)?);
        }
        Ok(hex)
    }

    /// Returns how many bytes of memory this takes.
    pub fn memory(&self) -> u64 {
        let commits = self.commits.as_ref().map_or(0, Commits::memory);
        let search = self.search.as_ref().map_or(0, Search::memory);
        commits.saturating_add(search).saturating_add(self.names.memory())
    }
}

impl Restart for Describe {
    fn commits(&mut self) -> Option<&mut Commits> {
        self.commits.as_mut()
    }

    fn restart(&mut self, trust: Trust) {
        (self.commits, self.search) = (None, None);
        self.trust = trust;
    }
}

/// The name of a ref's tag.
struct Called {
    name: Vec<u8>,
    /// The object that an annotated tag tags.
    target: Option<ObjectId>,
    /// The tag has another name than the ref.
    is_other: bool,
}

fn append(out: &mut Output, (depth, is_other): (u32, bool), texts: [&[u8]; 5]) -> Result<()> {
    let lengths = texts.iter().map(|text| text.len());
    let length = lengths.fold(RECORD_LEN, usize::saturating_add);
    out.appender().reserved(length, |to| {
        to.u32(depth)?;
        to.u32(is_other.into())?;
        texts.iter().try_for_each(|text| to.string(text))
    })
}
