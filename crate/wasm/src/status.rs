//! How a question ended, as a number.

use crate::session::{with, Session};
use packlens::{Append, Error, Result};

/// How a question ended, by the words of the other side.
#[derive(Clone, Copy)]
enum Status {
    /// The output is the answer.
    Done,
    /// Something is missing; the output is a need, and guesses behind it.
    Missing,
    /// It failed; the output is an error.
    Failed,
    /// Done for now; ask again for more.
    More,
}

/// Added to a status when files were closed since the last question.
const CLOSED: u32 = 16;

/// The numbers that both sides know, by their words.
#[cfg(test)]
pub(crate) const STATUS: &[(&str, u32)] = &[
    ("done", Status::Done as u32),
    ("missing", Status::Missing as u32),
    ("failed", Status::Failed as u32),
    ("more", Status::More as u32),
    ("closed", CLOSED),
];

/// Asks a question that is answered at once.
pub(crate) fn of(session: u32, ask: impl FnOnce(&mut Session) -> Result<()>) -> u32 {
    more(session, |session| ask(session).map(|()| true))
}

/// Asks a question whose answer tells whether it was the last.
pub(crate) fn more(session: u32, ask: impl FnOnce(&mut Session) -> Result<bool>) -> u32 {
    with(session, |session| {
        let status = status(session, ask);
        if status & !CLOSED != Status::Missing as u32 {
            session.repository.end_question(session.repository.files.question());
        }
        status
    })
    .unwrap_or(Status::Failed as u32)
}

/// Does what is no question: one that is being answered goes on.
pub(crate) fn between(session: u32, act: impl FnOnce(&mut Session) -> Result<()>) -> u32 {
    with(session, |session| status(session, |session| act(session).map(|()| true)))
        .unwrap_or(Status::Failed as u32)
}

fn status(session: &mut Session, ask: impl FnOnce(&mut Session) -> Result<bool>) -> u32 {
    let status = match ask(session) {
        Ok(true) => Status::Done as u32,
        Ok(false) => Status::More as u32,
        Err(error) => {
            let told = session.repository.as_promised(error);
            failed(session, &told.unwrap_or_else(|missing| missing))
        }
    };
    match session.repository.files.any_closed() {
        true => status | CLOSED,
        false => status,
    }
}

fn failed(session: &mut Session, error: &Error) -> u32 {
    let (status, record) = match error.need() {
        Some(need) => {
            let needs = std::iter::once(need).chain(error.guesses());
            (Status::Missing as u32, needs.flat_map(packlens::Need::to_record).collect())
        }
        None => (Status::Failed as u32, error.to_record()),
    };
    session.output.truncate(0);
    // Without memory even for this the output stays empty, which says as much.
    let _ = session.output.appender().bytes(&record);
    status
}
