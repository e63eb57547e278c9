//! Going through several tables as if they were one: of records with the same key
//! the newest table's counts.

use super::block::BlockKind;
use super::cursor::Cursor;
use super::table::Reftable;
use crate::block::BlockSource;
use crate::error::Result;

/// A place among the records of one kind in several tables.
pub(super) struct Merged<'t, S> {
    /// The oldest table first.
    heads: Vec<Head<'t, S>>,
}

struct Head<'t, S> {
    cursor: Cursor<'t, S>,
    state: State,
}

#[derive(Clone, Copy, Eq, PartialEq)]
enum State {
    /// The record was handed out, or hidden by a newer one.
    Used,
    /// The record is still to come.
    Waiting,
    Ended,
}

impl<'t, S: BlockSource> Merged<'t, S> {
    /// Starts before the first record.
    pub(super) fn new(tables: &'t [Reftable<S>], kind: BlockKind) -> Merged<'t, S> {
        let head = |table: &'t Reftable<S>| Head { cursor: table.cursor(kind), state: State::Used };
        Merged { heads: tables.iter().map(head).collect() }
    }

    /// Goes to the first record whose key is `key` or behind it.
    ///
    /// # Errors
    ///
    /// As [`Cursor::step`].
    pub(super) fn seek(&mut self, key: &[u8]) -> Result<()> {
        for head in &mut self.heads {
            head.cursor.seek(key)?;
            head.state = State::Used;
        }
        Ok(())
    }

    /// Moves on to the next record, and returns the cursor that is at it; `None`
    /// behind the last.
    ///
    /// # Errors
    ///
    /// As [`Cursor::step`].
    pub(super) fn step(&mut self) -> Result<Option<&Cursor<'t, S>>> {
        let mut newest: Option<usize> = None;
        for at in 0..self.heads.len() {
            let Some(head) = self.heads.get_mut(at) else { break };
            if head.state == State::Used {
                let moved = head.cursor.step()?;
                head.state = if moved { State::Waiting } else { State::Ended };
            }
            let first = newest.and_then(|newest| self.heads.get(newest));
            let comes_later = |head: &Head<'t, S>| {
                first.is_some_and(|first| first.cursor.key() < head.cursor.key())
            };
            match self.heads.get(at) {
                Some(head) if head.state == State::Waiting && !comes_later(head) => {
                    newest = Some(at);
                }
                _ => {}
            }
        }
        let Some(newest) = newest else {
            return Ok(None);
        };
        let (older, rest) = self.heads.split_at_mut(newest);
        let Some(found) = rest.first_mut() else {
            return Ok(None);
        };
        found.state = State::Used;
        for head in older {
            if head.state == State::Waiting && head.cursor.key() == found.cursor.key() {
                head.state = State::Used;
            }
        }
        Ok(Some(&found.cursor))
    }
}
