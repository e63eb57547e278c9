//! The result of a question, as a number.

use crate::session::{with, Session};
use packlens::{Append, Error, Result};

/// The result of a question. JavaScript has the same names.
#[derive(Clone, Copy)]
enum Status {
    /// The question is answered; the output is the answer.
    Done,
    /// Something is missing; the output is a need, followed by guesses.
    Missing,
    /// The question failed; the output is an error.
    Failed,
    /// The answer is not complete; call again for more.
    More,
    /// As `Missing`, after a part of the answer was completed.
    Advanced,
}

/// Added to a status when files were closed since the last question.
const CLOSED: u32 = 16;

/// The numbers of each status, by the names in JavaScript.
#[cfg(test)]
pub(crate) const STATUS: &[(&str, u32)] = &[
    ("done", Status::Done as u32),
    ("missing", Status::Missing as u32),
    ("failed", Status::Failed as u32),
    ("more", Status::More as u32),
    ("advanced", Status::Advanced as u32),
    ("closed", CLOSED),
];

/// Asks a question that is answered by one call.
pub(crate) fn of(session: u32, ask: impl FnOnce(&mut Session) -> Result<()>) -> u32 {
    more(session, |session| ask(session).map(|()| true))
}

/// Asks a question; `ask` returns whether its answer is complete.
pub(crate) fn more(session: u32, ask: impl FnOnce(&mut Session) -> Result<bool>) -> u32 {
    with(session, |session| {
        let status = status(session, ask);
        if ![Status::Missing as u32, Status::Advanced as u32].contains(&(status & !CLOSED)) {
            session.repository.end_question(session.repository.files.question());
        }
        status
    })
    .unwrap_or(Status::Failed as u32)
}

/// Runs an action that is not a question, so the current question does not end.
pub(crate) fn between(session: u32, act: impl FnOnce(&mut Session) -> Result<()>) -> u32 {
    with(session, |session| status(session, |session| act(session).map(|()| true)))
        .unwrap_or(Status::Failed as u32)
}

fn status(session: &mut Session, ask: impl FnOnce(&mut Session) -> Result<bool>) -> u32 {
    let status = match ask(session) {
        Ok(true) => Status::Done as u32,
        Ok(false) => Status::More as u32,
        Err(error) => {
            let error = session.repository.as_promised(error);
            failed(session, &error.unwrap_or_else(|missing| missing))
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
            let status = match session.repository.files.has_advanced() {
                true => Status::Advanced,
                false => Status::Missing,
            };
            (status as u32, needs.flat_map(packlens::Need::to_record).collect())
        }
        None => (Status::Failed as u32, error.to_record()),
    };
    session.output.truncate(0);
    // If there is no memory even for the error, the output stays empty; an empty error means
    // that.
    let _ = session.output.appender().bytes(&record);
    status
}
