//! The table of questions: the number of each, its fields, and the expression that answers it.
//!
//! A question is encoded as its number (1 byte) and then its fields in their order: see
//! [`Shape`](super::field::Shape). The fields have the names of the core's options, so that a
//! field which is missing on either side is a compile error.

mod changes;
mod files;
mod groups;
mod history;
mod maintenance;
mod objects;
mod refs;
mod repository;
mod revisions;

use super::field::malformed;
use crate::session::Session;
use crate::task::{LongAnswer, Task};
use packlens::Result;

type Bytes = Vec<u8>;
type Names = Vec<Vec<u8>>;

/// The result of beginning a question.
pub(crate) enum Begun {
    /// A task, which answers in pages.
    Pages(Task),
    /// The answer is complete, and in the output.
    Output,
}

impl From<Task> for Begun {
    fn from(task: Task) -> Begun {
        Begun::Pages(task)
    }
}

impl From<()> for Begun {
    fn from((): ()) -> Begun {
        Begun::Output
    }
}

/// Answers a question in the part of the package that it is declared for, and asks for that part
/// if it is not loaded.
macro_rules! answered_in {
    (reader, $session:ident, $fields:ident, $answer:block) => {
        $answer
    };
    (full, $session:ident, $fields:ident, $answer:block) => {{
        packlens::require_full()?;
        $answer
    }};
    (rest, $session:ident, $fields:ident, $answer:block) => {{
        packlens::require_rest()?;
        // By this name `tools/split` knows what is in the rest of the module.
        #[inline(never)]
        fn in_rest(
            $session: &mut $crate::session::Session,
            $fields: &[u8],
        ) -> packlens::Result<super::Begun> $answer
        in_rest($session, $fields)
    }};
}
use answered_in;

/// Declares the questions of a subject: the smallest part of the package that answers each
/// (`reader`, `full`, or `rest` for the second file of the full module), how it is answered, its
/// name, its number and its fields. After the fields stands the expression that
/// answers it, in which the fields are variables. A new question takes the next number of all.
macro_rules! questions {
    ($session:ident; $(
        $(#[doc = $doc:literal])+
        $module:ident $answered:ident $name:ident = $number:literal {
            $($(#[doc = $about:literal])* $field:ident: $type:ty,)*
        } => $answer:expr;
    )+) => {
        use $crate::protocol::field::{Field, Reader};

        /// Returns the function that answers the questions of a number.
        pub(super) fn answer_of(number: u8) -> Option<super::Answer> {
            // Each answer is a function of its own, because an engine compiles only functions
            // that run.
            match number {
                $($number => Some({
                    #[allow(unused_mut, unused_variables)]
                    fn answer(
                        $session: &mut $crate::session::Session,
                        fields: &[u8],
                    ) -> packlens::Result<super::Begun> {
                        super::answered_in!($module, $session, fields, {
                            const HEAD: usize = 0 $(+ <$type as Field>::SHAPE.head())*;
                            let mut from = Reader::new(fields, HEAD)?;
                            $(let $field = <$type as Field>::read(&mut from)?;)*
                            $answer.map(super::Begun::from)
                        })
                    }
                    answer
                }),)+
                _ => None,
            }
        }

        /// The rows of the table, from which the JavaScript side is generated.
        #[cfg(test)]
        pub(super) const QUESTIONS: &[$crate::protocol::typescript::Question] = &[$(
            $crate::protocol::typescript::Question {
                number: $number,
                name: stringify!($name),
                module: stringify!($module),
                answered: stringify!($answered),
                docs: &[$($doc),+],
                fields: &[$((
                    stringify!($field),
                    <$type as Field>::SHAPE,
                    &[$($about),*],
                )),*],
            }
        ),+];
    };
}
use questions;

/// Decodes the fields of a question, and answers it.
type Answer = fn(&mut Session, &[u8]) -> Result<Begun>;

/// Answers a question, or begins a task for it.
///
/// # Errors
///
/// [`ErrorKind::BadInput`](packlens::ErrorKind::BadInput) for a question that is not in the
/// table; errors of the expression that answers it.
pub(crate) fn begin(session: &mut Session, question: &[u8]) -> Result<Begun> {
    let (number, fields) = question.split_first().ok_or_else(malformed)?;
    let answer = history::answer_of(*number)
        .or_else(|| refs::answer_of(*number))
        .or_else(|| objects::answer_of(*number))
        .or_else(|| maintenance::answer_of(*number))
        .or_else(|| changes::answer_of(*number))
        .or_else(|| files::answer_of(*number))
        .or_else(|| revisions::answer_of(*number))
        .or_else(|| repository::answer_of(*number))
        .ok_or_else(malformed)?;
    answer(session, fields)
}

/// Returns the whole table, in the order of the numbers.
#[cfg(test)]
pub(super) fn table() -> Vec<&'static super::typescript::Question> {
    let all = [
        history::QUESTIONS,
        refs::QUESTIONS,
        objects::QUESTIONS,
        maintenance::QUESTIONS,
        changes::QUESTIONS,
        files::QUESTIONS,
        revisions::QUESTIONS,
        repository::QUESTIONS,
    ];
    let mut all: Vec<_> = all.into_iter().flatten().collect();
    all.sort_by_key(|question| question.number);
    all
}

fn task(answer: impl LongAnswer + 'static) -> Result<Task> {
    Ok(Task::new(Box::new(answer)))
}
