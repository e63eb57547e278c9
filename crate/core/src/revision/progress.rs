//! How far questions have come that are asked again where bytes are missing, or where a
//! step is over: each goes on from there, and does nothing twice.

use super::suffixes::Suffixes;
use super::{Candidates, Hint, MessageSearch};
use crate::circle::Circle;
use crate::error::{Error, ErrorKind, Result};
use crate::object::ObjectType;
use crate::oid::ObjectId;
use crate::repository::Repository;

/// How many texts are known at a time: a range stands for two, and each of these may be
/// looked for below a tree.
const MOST_KNOWN: usize = 8;

/// The share of the ceiling that questions may take which wait while others are asked: as
/// much as one search.
const PARKED_SHARE: u64 = 4;

/// What a text was found to stand for.
struct Known {
    text: Vec<u8>,
    what: Meaning,
    id: ObjectId,
}

/// What is meant by a text.
#[derive(Clone, Copy, Eq, PartialEq)]
pub(super) enum Meaning {
    /// The tree in which its path is looked for.
    Tree,
    /// The object that it stands for, where one of a kind is wanted.
    Named(Hint),
    /// The object that it stands for, with its path.
    Object,
}

/// Tags that were followed from an object on.
pub(crate) struct Peeling {
    pub(crate) from: ObjectId,
    pub(crate) wanted: Option<ObjectType>,
    /// What they lead to, as far as they were read.
    pub(crate) at: ObjectId,
    /// The type that the last tag names.
    pub(crate) tagged_as: Option<ObjectType>,
    pub(crate) circle: Circle,
}

/// How far one question has come.
#[derive(Default)]
pub(crate) struct Progress {
    question: u64,
    /// There was no memory for it while others were asked.
    is_lost: bool,
    known: Vec<Known>,
    pub(super) search: Option<Box<MessageSearch>>,
    pub(super) suffixes: Option<Box<Suffixes>>,
    pub(super) candidates: Option<Box<Candidates>>,
    pub(crate) peeling: Option<Peeling>,
}

impl Progress {
    pub(super) fn find(&self, text: &[u8], what: Meaning) -> Option<ObjectId> {
        let is_it = |known: &&Known| known.what == what && known.text == text;
        self.known.iter().find(is_it).map(|known| known.id)
    }

    pub(super) fn know(&mut self, text: &[u8], what: Meaning, id: ObjectId) {
        if self.known.len() >= MOST_KNOWN {
            self.known.remove(0);
        }
        self.known.push(Known { text: text.to_vec(), what, id });
    }

    fn clear(&mut self) {
        self.known.clear();
        *self = Progress { known: std::mem::take(&mut self.known), ..Progress::default() };
    }

    fn memory(&self) -> u64 {
        let known = self.known.iter().map(|known| known.text.capacity());
        let known = known.fold(size_of::<Progress>(), usize::saturating_add) as u64;
        known
            .saturating_add(self.search.as_ref().map_or(0, |search| search.memory()))
            .saturating_add(self.suffixes.as_ref().map_or(0, |suffixes| suffixes.memory()))
            .saturating_add(self.candidates.as_ref().map_or(0, |found| found.memory()))
    }
}

/// How far the question that is being answered has come, and those that wait for bytes or
/// for their next step meanwhile.
#[derive(Default)]
pub(crate) struct Questions {
    current: Progress,
    parked: Vec<Progress>,
}

impl Questions {
    /// Returns how far a question has come. Where those that wait take more than `most`
    /// bytes, the largest of them are lost.
    fn of(&mut self, question: u64, most: u64) -> &mut Progress {
        if self.current.question != question {
            self.change(question, most);
        }
        &mut self.current
    }

    #[inline(never)]
    fn change(&mut self, question: u64, most: u64) {
        let parked = self.parked.iter().position(|progress| progress.question == question);
        let next = parked.map(|at| self.parked.remove(at));
        let next = next.unwrap_or_else(|| Progress { question, ..Progress::default() });
        let last = std::mem::replace(&mut self.current, next);
        if last.question != 0 {
            self.parked.push(last);
        }
        while self.parked_memory() > most {
            let largest = self.parked.iter_mut().max_by_key(|progress| progress.memory());
            let Some(largest) = largest.filter(|progress| !progress.is_lost) else {
                // A caller that ends no question: what remains is small.
                self.parked.clear();
                return;
            };
            *largest =
                Progress { question: largest.question, is_lost: true, ..Progress::default() };
        }
    }

    /// Forgets a question that was answered, or that nobody asks again.
    pub(crate) fn end(&mut self, question: u64) {
        if self.current.question == question {
            self.current.clear();
        } else {
            self.parked.retain(|progress| progress.question != question);
        }
    }

    /// Forgets what any text was found to stand for.
    pub(crate) fn forget_known(&mut self) {
        let parked = self.parked.iter_mut();
        parked.chain([&mut self.current]).for_each(|progress| progress.known.clear());
    }

    fn parked_memory(&self) -> u64 {
        self.parked.iter().fold(0, |sum, progress| sum.saturating_add(progress.memory()))
    }

    /// Returns how many bytes of memory all of this takes.
    pub(crate) fn memory(&self) -> u64 {
        self.parked_memory().saturating_add(self.current.memory())
    }
}

impl Repository {
    /// Returns how far the question that is being answered has come.
    pub(crate) fn progress(&mut self) -> &mut Progress {
        let most = self.memory() / PARKED_SHARE;
        self.questions.of(self.files.question(), most)
    }

    /// Makes sure that how far the question has come was not lost: if each of several
    /// began anew when its turn comes, none would get on.
    pub(super) fn must_not_be_lost(&mut self) -> Result<()> {
        if !self.progress().is_lost {
            return Ok(());
        }
        let what = "so many searches at a time take more memory than allowed: raise `memory`";
        Err(Error::new(ErrorKind::Limit, what))
    }

    /// Forgets how far a question has come, which is answered or is not asked again.
    pub fn end_question(&mut self, question: u64) {
        self.questions.end(question);
    }
}
