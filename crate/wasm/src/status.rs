//! How a question ended, as a number.

use crate::session::{with, Session};
use packlens::{Append, Error, Result};

/// Done; the output is the answer.
const DONE: u32 = 0;
/// Something is missing; the output is a need, and guesses behind it.
const MISSING: u32 = 1;
/// It failed; the output is an error.
const FAILED: u32 = 2;
/// Done for now; ask again for more.
const MORE: u32 = 3;

/// Added to a status when files were closed since the last question.
pub const CLOSED: u32 = 16;

/// Asks a question that is answered at once.
pub(crate) fn of(session: u32, ask: impl FnOnce(&mut Session) -> Result<()>) -> u32 {
    more(session, |session| ask(session).map(|()| true))
}

/// Asks a question whose answer tells whether it was the last.
pub(crate) fn more(session: u32, ask: impl FnOnce(&mut Session) -> Result<bool>) -> u32 {
    with(session, |session| {
        let status = status(session, ask);
        if status & !CLOSED != MISSING {
            session.repository.end_question(session.repository.files.question());
        }
        status
    })
    .unwrap_or(FAILED)
}

/// Does what is no question: one that is being answered goes on.
pub(crate) fn between(session: u32, act: impl FnOnce(&mut Session) -> Result<()>) -> u32 {
    with(session, |session| status(session, |session| act(session).map(|()| true)))
        .unwrap_or(FAILED)
}

fn status(session: &mut Session, ask: impl FnOnce(&mut Session) -> Result<bool>) -> u32 {
    let status = match ask(session) {
        Ok(true) => DONE,
        Ok(false) => MORE,
        Err(error) => {
            let told = session.repository.told(error);
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
            (MISSING, needs.flat_map(packlens::Need::to_record).collect())
        }
        None => (FAILED, error.to_record()),
    };
    session.output.truncate(0);
    // Without memory even for this the output stays empty, which says as much.
    let _ = session.output.appender().bytes(&record);
    status
}
