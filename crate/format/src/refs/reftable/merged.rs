//! A merge of several tables: of records with the same key the newest table's is returned.

use super::block::BlockKind;
use super::cursor::Cursor;
use super::table::Reftable;
use packlens_base::block::BlockSource;
use packlens_base::error::Result;

/// A cursor over the records of one type in several tables.
pub(super) struct Merged<'t, S> {
    /// One cursor per table, the oldest table first.
    heads: Vec<Head<'t, S>>,
}

struct Head<'t, S> {
    cursor: Cursor<'t, S>,
    state: HeadState,
}

#[derive(Clone, Copy, Eq, PartialEq)]
enum HeadState {
    /// The record was returned, or hidden by a newer one.
    Used,
    /// The record was not returned yet.
    Waiting,
    Ended,
}

impl<'t, S: BlockSource> Merged<'t, S> {
    /// Starts before the first record.
    pub fn new(tables: &'t [Reftable<S>], kind: BlockKind) -> Merged<'t, S> {
        let head =
            |table: &'t Reftable<S>| Head { cursor: table.cursor(kind), state: HeadState::Used };
        Merged { heads: tables.iter().map(head).collect() }
    }

    /// Moves before the first record with a key at or after `key`.
    ///
    /// # Errors
    ///
    /// As [`Cursor::step`].
    pub(super) fn seek(&mut self, key: &[u8]) -> Result<()> {
        for head in &mut self.heads {
            head.cursor.seek(key)?;
            head.state = HeadState::Used;
        }
        Ok(())
    }

    /// Moves to the next record and returns its cursor; `None` after the last.
    ///
    /// # Errors
    ///
    /// As [`Cursor::step`].
    pub(super) fn step(&mut self) -> Result<Option<&Cursor<'t, S>>> {
        let mut newest: Option<usize> = None;
        for at in 0..self.heads.len() {
            let Some(head) = self.heads.get_mut(at) else { break };
            if head.state == HeadState::Used {
                let moved = head.cursor.step()?;
                head.state = if moved { HeadState::Waiting } else { HeadState::Ended };
            }
            let first = newest.and_then(|newest| self.heads.get(newest));
            let comes_later = |head: &Head<'t, S>| {
                first.is_some_and(|first| first.cursor.key() < head.cursor.key())
            };
            match self.heads.get(at) {
                Some(head) if head.state == HeadState::Waiting && !comes_later(head) => {
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
        found.state = HeadState::Used;
        for head in older {
            if head.state == HeadState::Waiting && head.cursor.key() == found.cursor.key() {
                head.state = HeadState::Used;
            }
        }
        Ok(Some(&found.cursor))
    }
}
