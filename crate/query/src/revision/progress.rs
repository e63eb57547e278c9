//! The progress of questions that are retried after missing bytes or a yield: each retry
//! resumes there and repeats no work.

use super::suffixes::Suffixes;
use super::{Candidates, Hint, MessageSearch};
use crate::repository::Repository;
use packlens_base::circle::Circle;
use packlens_base::error::{Error, ErrorKind, Result};
use packlens_base::module::FullOnly;
use packlens_base::oid::ObjectId;
use packlens_format::object::ObjectType;

/// How many resolved texts are kept: a range has two, and each may be looked up below a tree.
const MOST_KNOWN: usize = 8;

/// The share of the memory ceiling for the progress of questions that wait while others run:
/// as much as a single search may take.
const PARKED_SHARE: u64 = 4;

/// A text that was resolved.
struct ResolvedText {
    text: Vec<u8>,
    what: Meaning,
    id: ObjectId,
}

/// The kind of result that a text was resolved to.
#[derive(Clone, Copy, Eq, PartialEq)]
pub(super) enum Meaning {
    /// The tree in which the text's path is looked up.
    Tree,
    /// The object that the text without a path stands for, given the expected kind.
    Named(Hint),
    /// The object that the text with its path stands for.
    Object,
}

/// A chain of tags that is being peeled.
pub(crate) struct Peeling {
    pub(crate) from: ObjectId,
    pub(crate) target_type: Option<ObjectType>,
    /// The object that the tags read so far lead to.
    pub(crate) at: ObjectId,
    /// The type that the last tag gives for its target.
    pub(crate) tagged_as: Option<ObjectType>,
    pub(crate) circle: Circle,
}

/// The progress of one question.
#[derive(Default)]
pub(crate) struct Progress {
    question: u64,
    /// The progress was dropped for lack of memory while other questions ran.
    is_lost: bool,
    known: Vec<ResolvedText>,
    pub(super) search: Option<FullOnly<Box<MessageSearch>>>,
    pub(super) suffixes: Option<Box<Suffixes>>,
    pub(super) candidates: Option<Box<Candidates>>,
    pub(crate) peeling: Option<Peeling>,
}

impl Progress {
    pub(super) fn find(&self, text: &[u8], what: Meaning) -> Option<ObjectId> {
        let is_it = |known: &&ResolvedText| known.what == what && known.text == text;
        self.known.iter().find(is_it).map(|known| known.id)
    }

    pub(super) fn know(&mut self, text: &[u8], what: Meaning, id: ObjectId) {
        if self.known.len() >= MOST_KNOWN {
            self.known.remove(0);
        }
        self.known.push(ResolvedText { text: text.to_vec(), what, id });
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

/// The progress of the current question, and of the questions that wait for bytes or their
/// next turn.
#[derive(Default)]
pub(crate) struct Questions {
    current: Progress,
    parked: Vec<Progress>,
}

impl Questions {
    /// Returns the progress of a question. If the waiting questions take more than `most`
    /// bytes, the progress of the largest ones is dropped.
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
                // The caller never ends its questions; the remaining progress is small.
                self.parked.clear();
                return;
            };
            *largest =
                Progress { question: largest.question, is_lost: true, ..Progress::default() };
        }
    }

    /// Drops the progress of a question that was answered or abandoned.
    pub(crate) fn end(&mut self, question: u64) {
        if self.current.question == question {
            self.current.clear();
        } else {
            self.parked.retain(|progress| progress.question != question);
        }
    }

    /// Drops all resolved texts.
    pub(crate) fn forget_known(&mut self) {
        let parked = self.parked.iter_mut();
        parked.chain([&mut self.current]).for_each(|progress| progress.known.clear());
    }

    fn parked_memory(&self) -> u64 {
        self.parked.iter().fold(0, |sum, progress| sum.saturating_add(progress.memory()))
    }

    /// Returns how many bytes of memory the progress of all questions takes.
    pub fn memory(&self) -> u64 {
        self.parked_memory().saturating_add(self.current.memory())
    }
}

impl Repository {
    /// Returns the progress of the current question.
    pub(crate) fn progress(&mut self) -> &mut Progress {
        let most = self.memory() / PARKED_SHARE;
        self.kept.questions.of(self.files.question(), most)
    }

    /// Fails if the progress of the current question was dropped. If each of several questions
    /// started again at its turn, none would ever finish.
    pub(super) fn must_not_be_lost(&mut self) -> Result<()> {
        if !self.progress().is_lost {
            return Ok(());
        }
        let what = "the searches take more memory than allowed: raise `memory`";
        Err(Error::new(ErrorKind::Limit, what))
    }

    /// Drops the progress of a question that was answered or will not be retried.
    pub fn end_question(&mut self, question: u64) {
        self.kept.questions.end(question);
    }
}
