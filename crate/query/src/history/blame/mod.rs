//! Which commit last changed each line of a file: git-blame(1).
//!
//! Lines are passed from the newest commit to its parents, where these have them, and so on: a
//! commit that no parent takes lines from has changed them. Commits are visited by their dates,
//! the newest first, so that most are visited once.

mod contents;
mod final_text;
mod ignored;
mod lines;
mod origins;
mod pass;
mod scope;
mod search;

use super::answer::{self, Finding, Restart, Trust};
use super::commits::{Commits, Number};
use super::queue::Queue;
use super::tree_cache::TreeCache;
use crate::repository::Repository;
use contents::Contents;
use final_text::FinalText;
use lines::{Ignored, Lines};
use origins::Origins;
use packlens_base::appender::{Append, Output};
use packlens_base::error::{Error, ErrorKind, Result};
use packlens_base::oid::{ObjectId, MAX_OID_LEN};
use packlens_diff::DiffOptions;
use packlens_format::object::ObjectType;
use pass::{entry_at, Passing};
use scope::Scope;
use std::ops::Range;

/// The bytes of a record beside its paths.
const RECORD_LEN: usize = 7 * 4 + 2 * MAX_OID_LEN;

/// Options of a blame.
#[derive(Clone, Debug, Default)]
pub struct BlameOptions {
    /// How versions of the file are compared.
    pub text: DiffOptions,
    /// Whether only first parents are followed.
    pub first_parent: bool,
    /// Revisions that end history: lines are not followed to what these reach.
    pub excluded: Vec<Vec<u8>>,
    /// Lines are not followed beyond commits from before this time, in seconds since 1970.
    pub since: Option<u64>,
    /// Whether lines are followed from an old commit to its children: `--reverse`.
    pub reverse: bool,
    /// The lines that are asked for, from 0; all if there are no ranges.
    pub ranges: Vec<Range<u32>>,
    /// Revisions whose commits are ignored: lines that they changed are guessed to come from
    /// similar ones.
    pub ignored: Vec<Vec<u8>>,
    /// Lines that were moved in a file are sought if they have more letters and digits than this.
    pub move_score: Option<u32>,
    /// Which files are searched for lines that were copied: only with a score of moves.
    pub copies: Copies,
    /// Lines that were copied are sought if they have more letters and digits than this.
    pub copy_score: u32,
}

/// Which files are searched for copied lines.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Copies {
    /// None.
    #[default]
    No,
    /// Files that the commit changed: `-C`.
    OfChanged,
    /// Also all others, of a commit that created the file: `-C -C`.
    OfAnyToNew,
    /// All: `-C -C -C`.
    OfAny,
}

/// A resumable blame.
pub struct Blame {
    spec: Vec<u8>,
    path: Vec<u8>,
    options: BlameOptions,
    commits: Option<Commits>,
    queue: Queue,
    trees: TreeCache,
    contents: Contents,
    origins: Origins,
    scope: Option<Scope>,
    text: FinalText,
    /// The commits that are ignored, in order.
    ignored: Vec<Number>,
    /// The commit that is visited.
    current: Option<Number>,
    passing: Option<Passing>,
    trust: Trust,
    is_started: bool,
    /// The lines that earlier calls answered, and those that the current call did.
    answered: Vec<Range<u32>>,
    answered_now: Vec<Range<u32>>,
}

impl Blame {
    /// Creates the blame of a file at a revision, or at the end of a range `A..B`. A blame in
    /// reverse begins at the start of the range, `A..` if it is one revision.
    pub fn new(spec: &[u8], path: &[u8], options: BlameOptions) -> Blame {
        Blame {
            spec: spec.to_vec(),
            path: path.to_vec(),
            options: BlameOptions { text: DiffOptions { context: 0, ..options.text }, ..options },
            commits: None,
            queue: if options.reverse { Queue::oldest_first() } else { Queue::by_date() },
            trees: TreeCache::unchecked(Trust::default()),
            contents: Contents::default(),
            origins: Origins::default(),
            scope: None,
            text: FinalText::default(),
            ignored: Vec::new(),
            current: None,
            passing: None,
            trust: Trust::default(),
            is_started: false,
            answered: Vec::new(),
            answered_now: Vec::new(),
        }
    }

    /// Appends records to `out` until it is about `capacity` bytes long or the caller may wait
    /// for more; returns whether all lines are answered. Records come as git finds them.
    ///
    /// A record has: the first line in the final file (4 bytes, from 0), how many lines these
    /// are (4), the first line in the file of the commit (4), bits (4: 1 if history ends at the
    /// commit, 2 if an ignored commit changed the lines, 4 if their commit is an ignored one, and
    /// they are like no older ones, 8 if history was cut there), the length of an id (4), of the path in the commit (4) and of the path
    /// before (4), the id of the commit, that of the parent that was compared (zeros if there is
    /// none), the two paths.
    ///
    /// # Errors
    ///
    /// Missing files and bytes: provide them and call again. Errors of resolving and reading;
    /// [`ErrorKind::NotFound`] if there is no such file; [`ErrorKind::BadInput`] for lines that
    /// it does not have.
    pub fn fill(
        &mut self,
        repository: &mut Repository,
        capacity: usize,
        out: &mut Output,
    ) -> Result<bool> {
        self.answered.append(&mut self.answered_now);
        answer::fill(self, repository, capacity, out)
    }

    /// Begins with an origin of a commit.
    fn begin(&self, commits: &mut Commits, origin: usize, commit: Number) -> Passing {
        match &self.scope {
            Some(scope) if scope.ends_at(commits, commit, &self.options) => Passing::ended(origin),
            Some(scope) => Passing::new(origin, scope.next(commits, commit, &self.options)),
            None => Passing::ended(origin),
        }
    }

    /// Answers the lines that no parent has.
    fn conclude(
        &mut self,
        commits: &mut Commits,
        repository: &mut Repository,
        at: usize,
        out: &mut Output,
    ) -> Result<()> {
        let Some(origin) = self.origins.get(at).filter(|origin| !origin.lines.is_empty()) else {
            return Ok(());
        };
        let commit = commits.id(repository, origin.commit)?;
        let previous = match origin.previous.and_then(|at| Some((at, self.origins.get(at)?))) {
            Some((at, previous)) => {
                Some((commits.id(repository, previous.commit)?, self.origins.path_of(at)))
            }
            None => None,
        };
        let end = scope::end_of_history(commits, origin.commit);
        for lines in &origin.lines {
            append(lines, (&commit, self.origins.path_of(at)), previous, end, out)?;
        }
        let lines = self.origins.get_mut(at).map(|origin| std::mem::take(&mut origin.lines));
        let ranges = lines.unwrap_or_default().into_iter();
        self.answered_now
            .extend(ranges.map(|lines| lines.at..lines.at.saturating_add(lines.count)));
        Ok(())
    }

    /// Returns how many bytes of memory this takes.
    pub fn memory(&self) -> u64 {
        let commits = self.commits.as_ref().map_or(0, Commits::memory);
        let answered = self.answered.capacity().saturating_add(self.answered_now.capacity());
        commits
            .saturating_add(self.queue.memory())
            .saturating_add(self.trees.memory())
            .saturating_add(self.contents.memory())
            .saturating_add(self.origins.memory(self.text.len()))
            .saturating_add(self.scope.as_ref().map_or(0, Scope::memory))
            .saturating_add(self.text.memory())
            .saturating_add(self.passing.as_ref().map_or(0, Passing::memory))
            .saturating_add((answered as u64).saturating_mul(8))
    }
}

impl Finding for Blame {
    fn commits_place(&mut self) -> (&mut Option<Commits>, Trust) {
        (&mut self.commits, self.trust)
    }

    fn is_started(&mut self) -> &mut bool {
        &mut self.is_started
    }

    /// Finds the file, and the lines that are asked for.
    fn start(&mut self, commits: &mut Commits, repository: &mut Repository) -> Result<()> {
        let mut scope = match self.scope.take() {
            Some(scope) => scope,
            None => Scope::new(commits, repository, &self.spec, &self.options)?,
        };
        let found = scope.find(commits, repository, &self.options);
        let tip = scope.first();
        self.scope = Some(scope);
        found?;
        self.find_ignored(commits, repository)?;
        let tree = commits.compared_tree(repository, tip)?;
        let Some(entry) = entry_at(&mut self.trees, repository, tree, &self.path)? else {
            let what = "the commit has no such file";
            return Err(Error::new(ErrorKind::NotFound, what).about(self.path.clone()));
        };
        self.text = FinalText::new(repository.read_of_type(&entry.1, ObjectType::Blob)?);
        let count = self.text.len();
        let mut ranges = self.options.ranges.clone();
        if ranges.is_empty() {
            ranges.push(0..count);
        }
        if ranges.iter().any(|range| range.end > count) {
            let what = "the file has fewer lines";
            return Err(Error::new(ErrorKind::BadInput, what).about(self.path.clone()));
        }
        let lines = unanswered(&ranges, &self.answered, count);
        let path = self.origins.path(&self.path);
        let origin = self.origins.add(tip, path, entry);
        if self.origins.add_lines(origin, lines) {
            self.queue.add(commits, tip);
        }
        Ok(())
    }

    fn step(
        &mut self,
        commits: &mut Commits,
        repository: &mut Repository,
        out: &mut Output,
    ) -> Result<bool> {
        if let Some(mut passing) = self.passing.take() {
            let passed = match passing.is_passed {
                true => Ok(true),
                false => self.pass(commits, repository, &mut passing),
            };
            if let (Ok(true), false) = (&passed, passing.is_passed) {
                self.give_moved(commits, &mut passing);
                passing.is_passed = true;
            }
            let origin = passing.origin;
            self.passing = Some(passing);
            if passed? {
                self.conclude(commits, repository, origin, out)?;
                self.passing = None;
            }
            return Ok(false);
        }
        let Some(commit) = self.current.or_else(|| self.queue.peek()) else {
            return Ok(true);
        };
        if self.current.is_none() {
            self.queue.pass();
            self.current = Some(commit);
        }
        match self.origins.with_lines(commit) {
            Some(at) => self.passing = Some(self.begin(commits, at, commit)),
            None => self.current = None,
        }
        Ok(false)
    }
}

impl Restart for Blame {
    fn commits(&mut self) -> Option<&mut Commits> {
        self.commits.as_mut()
    }

    fn trees(&mut self) -> Option<&mut TreeCache> {
        Some(&mut self.trees)
    }

    fn restart(&mut self, trust: Trust) {
        let new = Blame::new(&self.spec, &self.path, self.options.clone());
        let answered = std::mem::take(&mut self.answered);
        let trees = TreeCache::unchecked(trust);
        *self = Blame { trust, answered, trees, ..new };
    }
}

/// Returns the lines of ranges that are not answered yet, in order.
fn unanswered(ranges: &[Range<u32>], answered: &[Range<u32>], count: u32) -> Vec<Lines> {
    let mut asked = vec![false; count as usize];
    let mut set = |ranges: &[Range<u32>], value: bool| {
        for range in ranges {
            let lines = asked.get_mut(range.start as usize..range.end as usize);
            lines.unwrap_or_default().fill(value);
        }
    };
    set(ranges, true);
    set(answered, false);
    let mut at = 0_u32;
    let runs = asked.chunk_by(|one, other| one == other).map(|run| {
        let (count, ignored) = (run.len() as u32, Ignored::default());
        let lines = Lines { at, origin_at: at, count, ignored };
        at = at.saturating_add(lines.count);
        (run.first() == Some(&true), lines)
    });
    runs.filter(|(is_asked, _)| *is_asked).map(|(_, lines)| lines).collect()
}

fn append(
    lines: &Lines,
    (commit, path): (&ObjectId, &[u8]),
    previous: Option<(ObjectId, &[u8])>,
    end: u32,
    out: &mut Output,
) -> Result<()> {
    let id_len = commit.hash().len();
    let previous_path = previous.map_or(&[][..], |(_, path)| path);
    let length = RECORD_LEN.saturating_add(path.len()).saturating_add(previous_path.len());
    out.appender().reserved(length, |to| {
        to.u32(lines.at)?;
        to.u32(lines.count)?;
        to.u32(lines.origin_at)?;
        to.u32(end | lines.ignored.0)?;
        to.u32(id_len as u32)?;
        to.u32(path.len() as u32)?;
        to.u32(previous_path.len() as u32)?;
        to.oid(commit)?;
        match previous {
            Some((id, _)) => to.oid(&id)?,
            None => to.bytes([0; MAX_OID_LEN].get(..id_len).unwrap_or_default())?,
        }
        to.bytes(path)?;
        to.bytes(previous_path)
    })
}
