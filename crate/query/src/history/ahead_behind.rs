//! Counts the commits that only one of two commits reaches, for many pairs over the same commits:
//! `git for-each-ref --format='%(ahead-behind:<commit>)'`.

use super::answer::{answer, Restart, Trust};
use super::commits::Commits;
use super::paint::{Paint, PaintQuestion};
use super::tips::named_commit;
use crate::repository::Repository;
use packlens_base::appender::{Append, Output};
use packlens_base::error::{Error, ErrorKind, Result};

/// How many pairs are compared before control returns to the caller, who may cancel.
const MOST_PAIRS: usize = 16;

/// The question, which stops where bytes are missing and resumes with the next call.
pub struct AheadBehind {
    /// Revisions: the two of the first pair, of the second one, and so on.
    specs: Vec<Vec<u8>>,
    commits: Option<Commits>,
    /// What was counted of the first pairs.
    done: Vec<[u64; 2]>,
    current: Option<Paint>,
    trust: Trust,
}

impl AheadBehind {
    /// Creates the question; nothing is read yet.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::BadInput`] if the last revision has no other.
    pub fn new(specs: Vec<Vec<u8>>) -> Result<AheadBehind> {
        if !specs.len().is_multiple_of(2) {
            let what = "the last commit has no other to compare it with";
            return Err(Error::new(ErrorKind::BadInput, what));
        }
        let trust = Trust::default();
        Ok(AheadBehind { specs, commits: None, done: Vec::new(), current: None, trust })
    }

    /// Compares some pairs; after the last one appends two numbers for each, 4 bytes each: how many
    /// commits only its first one reaches, and how many only its second one. Returns whether they
    /// are complete.
    ///
    /// # Errors
    ///
    /// Missing files and bytes: provide them and call again. Errors of resolving;
    /// [`ErrorKind::WrongType`] for a revision that names no commit; errors of reading.
    pub fn fill(&mut self, repository: &mut Repository, out: &mut Output) -> Result<bool> {
        if !answer(self, repository, AheadBehind::compare)? {
            return Ok(false);
        }
        let mut appender = out.appender();
        for count in self.done.iter().flatten() {
            appender.u32(u32::try_from(*count).unwrap_or(u32::MAX))?;
        }
        Ok(true)
    }

    fn compare(&mut self, repository: &mut Repository) -> Result<bool> {
        let commits = match &mut self.commits {
            Some(commits) => commits,
            None => self.commits.insert(Commits::new(repository, self.trust, true)?),
        };
        let (pairs, _) = self.specs.as_chunks::<2>();
        for [one, other] in pairs.iter().skip(self.done.len()).take(MOST_PAIRS) {
            repository.files.step()?;
            let mut paint = match self.current.take() {
                Some(paint) => paint,
                None => {
                    let one = named_commit(commits, repository, one)?;
                    let others = vec![named_commit(commits, repository, other)?];
                    let question =
                        PaintQuestion { one, others, min_generation: 0, until_reached: false };
                    Paint::new(commits, question)
                }
            };
            if let Err(error) = paint.run_to_count(commits, repository) {
                self.current = Some(paint);
                return Err(error);
            }
            self.done.push(paint.count_sides(commits));
        }
        Ok(self.done.len() == pairs.len())
    }

    /// Returns how many bytes of memory this takes.
    pub fn memory(&self) -> u64 {
        let commits = self.commits.as_ref().map_or(0, Commits::memory);
        let current = self.current.as_ref().map_or(0, Paint::memory);
        let done = (self.done.capacity() as u64).saturating_mul(16);
        commits.saturating_add(current).saturating_add(done)
    }
}

impl Restart for AheadBehind {
    fn commits(&mut self) -> Option<&mut Commits> {
        self.commits.as_mut()
    }

    fn restart(&mut self, trust: Trust) {
        self.commits = None;
        self.current = None;
        self.done.clear();
        self.trust = trust;
    }
}
