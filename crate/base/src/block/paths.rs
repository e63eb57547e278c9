//! Known paths of a repository, each with the question of its look-up.

use super::FileId;
use crate::error::{Error, Need, Result};
use std::collections::{BTreeMap, VecDeque};

/// The result of a look-up, and the newest question at that time.
struct Seen<T> {
    what: T,
    /// Whether the result can be dropped once the current questions are answered.
    passes: bool,
    checked: u64,
    /// The number of the look-up, in the order of all look-ups.
    order: u64,
}

/// Which paths are files, and the names in directories.
#[derive(Default)]
pub(super) struct Paths {
    files: BTreeMap<Vec<u8>, Seen<Option<FileId>>>,
    directories: BTreeMap<Vec<u8>, Seen<Vec<Vec<u8>>>>,
    /// Paths to be dropped once all questions that were open at their look-up are answered,
    /// each with the newest question at that time.
    passing: VecDeque<(u64, Vec<u8>)>,
    /// The total length of these paths in bytes.
    passing_bytes: usize,
    /// The current question.
    question: u64,
    /// The newest question; questions may take turns.
    latest: u64,
    /// The number of look-ups so far.
    looks: u64,
}

impl Paths {
    /// Starts a new question, when all questions before `oldest` are answered; returns the
    /// paths to be dropped now. Paths beyond `most` bytes in total are dropped even if a
    /// question may need them.
    pub(super) fn new_question(&mut self, oldest: Option<u64>, most: usize) -> Vec<Vec<u8>> {
        self.latest = self.latest.saturating_add(1);
        self.question = self.latest;
        let oldest = oldest.unwrap_or(self.latest);
        let mut forgotten = Vec::new();
        while let Some((newest, path)) = self.passing.pop_front() {
            if newest >= oldest && self.passing_bytes <= most {
                self.passing.push_front((newest, path));
                break;
            }
            self.passing_bytes = self.passing_bytes.saturating_sub(path.len());
            // A question that looked the path up later may need the result, and a file that
            // was found meanwhile may be in use.
            let is_over = |seen: &Seen<Option<FileId>>| seen.what.is_none() || seen.passes;
            if self.files.get(&path).is_some_and(|seen| seen.checked <= newest && is_over(seen)) {
                forgotten.push(path);
            }
        }
        forgotten
    }

    pub(super) fn resume_question(&mut self, question: u64) {
        self.question = question;
    }

    pub(super) fn question(&self) -> u64 {
        self.question
    }

    pub(super) fn newest_question(&self) -> u64 {
        self.latest
    }

    pub(super) fn find(&self, path: &[u8]) -> Result<Option<FileId>> {
        // The absence of a file holds for the questions that were open at the look-up.
        match self.files.get(path) {
            Some(seen) if seen.what.is_some() || seen.checked >= self.question => Ok(seen.what),
            _ => Err(Error::missing(Need::File { path: path.to_vec(), near: None })),
        }
    }

    pub(super) fn find_fresh(&self, path: &[u8]) -> Result<Option<FileId>> {
        match self.files.get(path).filter(|seen| seen.checked >= self.question) {
            Some(seen) => Ok(seen.what),
            None => Err(Error::missing(Need::File { path: path.to_vec(), near: None })),
        }
    }

    pub(super) fn list(&self, path: &[u8]) -> Result<&[Vec<u8>]> {
        match self.directories.get(path) {
            Some(seen) => Ok(&seen.what),
            None => Err(Error::missing(Need::Directory(path.to_vec()))),
        }
    }

    pub(super) fn list_fresh(&self, path: &[u8]) -> Result<&[Vec<u8>]> {
        match self.directories.get(path).filter(|seen| seen.checked >= self.question) {
            Some(seen) => Ok(&seen.what),
            None => Err(Error::missing(Need::Directory(path.to_vec()))),
        }
    }

    /// Checks that the file at `path` was looked up after the file or directory at `other`.
    pub(super) fn look_again(&self, path: &[u8], other: &[u8]) -> Result<()> {
        let order = |path| self.files.get(path).map(|seen| seen.order);
        let listed = self.directories.get(other).map(|seen| seen.order);
        match order(path) > order(other).max(listed) {
            true => Ok(()),
            false => Err(Error::missing(Need::File { path: path.to_vec(), near: None })),
        }
    }

    /// Records the file at a path, or its absence. Absence is not kept for long, because there
    /// are endlessly many names without a file.
    pub(super) fn set(&mut self, path: &[u8], file: Option<FileId>) {
        self.looks = self.looks.saturating_add(1);
        let seen = Seen { what: file, passes: false, checked: self.latest, order: self.looks };
        self.files.insert(path.to_vec(), seen);
        if file.is_none() {
            self.forget_later(path.to_vec());
        }
    }

    pub(super) fn set_listing(&mut self, path: &[u8], names: Vec<Vec<u8>>) {
        self.looks = self.looks.saturating_add(1);
        let order = self.looks;
        let seen = Seen { what: names, passes: false, checked: self.latest, order };
        self.directories.insert(path.to_vec(), seen);
    }

    pub(super) fn forget_listing(&mut self, path: &[u8]) {
        self.directories.remove(path);
    }

    pub(super) fn forget_later(&mut self, path: Vec<u8>) {
        if let Some(seen) = self.files.get_mut(&path) {
            seen.passes = true;
        }
        self.passing_bytes = self.passing_bytes.saturating_add(path.len());
        self.passing.push_back((self.latest, path));
    }

    /// Drops a path; returns the file that was there.
    pub(super) fn forget(&mut self, path: &[u8]) -> Option<FileId> {
        self.files.remove(path)?.what
    }
}
