//! Inflating a piece at a time: what is too large for one buffer, or of a length
//! that nobody knows yet.

use super::{expecting, Inflater};
use crate::block::BlockSource;
use crate::error::{Error, Result};
use flate2::{FlushDecompress, Status};

/// Where a zlib stream stands.
#[derive(Clone, Copy, Debug)]
pub struct StreamPlace {
    start: u64,
    offset: u64,
    ended: bool,
    damaged: bool,
}

impl StreamPlace {
    pub(super) fn beginning(start: u64) -> StreamPlace {
        StreamPlace { start, offset: start, ended: false, damaged: false }
    }

    /// Returns where the bytes begin that were not used yet.
    pub fn offset(&self) -> u64 {
        self.offset
    }
}

/// A zlib stream that is being inflated.
pub struct Stream<'a, S> {
    pub(super) inflater: &'a mut Inflater,
    pub(super) source: &'a S,
    pub(super) place: StreamPlace,
}

impl<S: BlockSource> Stream<'_, S> {
    /// Fills `out`, or less of it if the stream ends before; returns how much.
    ///
    /// # Errors
    ///
    /// Missing bytes, and [`Corrupt`](crate::ErrorKind::Corrupt) for a damaged
    /// stream; its place is where the stream starts.
    pub fn fill(&mut self, out: &mut [u8]) -> Result<usize> {
        let mut filled = 0;
        while !self.place.ended && filled < out.len() {
            let rest = out.get_mut(filled..).unwrap_or_default();
            let left = rest.len();
            filled = filled.saturating_add(self.step(rest, left)?);
        }
        Ok(filled)
    }

    /// Fills as much of `out` as there are bytes in memory for, and tells how
    /// much that was.
    ///
    /// # Errors
    ///
    /// As [`Stream::fill`]; missing bytes only if nothing could be filled.
    pub fn fill_some(&mut self, out: &mut [u8]) -> Result<usize> {
        let mut filled = 0;
        while !self.place.ended && filled < out.len() {
            let rest = out.get_mut(filled..).unwrap_or_default();
            let left = rest.len();
            match self.step(rest, left) {
                Ok(made) => filled = filled.saturating_add(made),
                Err(error) if error.is_missing() && filled > 0 => break,
                Err(error) => return Err(error),
            }
        }
        Ok(filled)
    }

    /// Returns where the stream stands, to go on later.
    pub fn place(&self) -> StreamPlace {
        self.place
    }

    /// Tells whether the stream has ended.
    pub fn has_ended(&self) -> bool {
        self.place.ended
    }

    /// Makes sure that the stream ends here, checksum included, and returns the
    /// offset behind it.
    ///
    /// A stream that fills the buffer but does not end may have been cut or
    /// changed in ways that only its end shows.
    ///
    /// # Errors
    ///
    /// As [`Stream::fill`], and [`Corrupt`](crate::ErrorKind::Corrupt) if there
    /// is more to inflate.
    pub fn finish(&mut self) -> Result<u64> {
        while !self.place.ended {
            if self.step(&mut [0], 0)? > 0 {
                let what = "inflates to more bytes than announced";
                return Err(self.source.corrupt(what, self.place.start));
            }
        }
        Ok(self.place.offset)
    }

    /// Inflates one run; returns how many bytes that made. `left` is how many
    /// the caller still waits for.
    fn step(&mut self, out: &mut [u8], left: usize) -> Result<usize> {
        if self.place.damaged {
            return Err(self.damage());
        }
        let (run, end) = match self.source.run_at(self.place.offset) {
            Ok(run) => (run, None),
            Err(error) if error.is_missing() => return Err(self.expecting(error, left)),
            // zlib may have taken bytes of which it has more to make.
            Err(error) => (&[][..], Some(error)),
        };
        let state = &mut self.inflater.pieces;
        let (read, made) = (state.total_in(), state.total_out());
        // `Finish` spares zlib keeping a window for what comes later.
        let status = state.decompress(run, out, FlushDecompress::Finish);
        let read = state.total_in().saturating_sub(read);
        let made = state.total_out().saturating_sub(made);
        self.place.offset = self.place.offset.saturating_add(read);
        self.inflater.inflated_bytes = self.inflater.inflated_bytes.saturating_add(made);
        match status {
            Ok(Status::StreamEnd) => self.place.ended = true,
            Ok(_) if read > 0 || made > 0 => {}
            // What was made before the damage counts first: the error must not
            // depend on how much input came at once.
            _ if made > 0 => self.place.damaged = true,
            Ok(_) => return Err(end.unwrap_or_else(|| self.damage())),
            Err(_) => return Err(self.damage()),
        }
        Ok(usize::try_from(made).unwrap_or(out.len()))
    }

    fn damage(&self) -> Error {
        self.source.corrupt("the zlib stream is damaged", self.place.start)
    }

    fn expecting(&self, error: Error, left: usize) -> Error {
        let state = &self.inflater.pieces;
        expecting(error, state.total_in(), state.total_out(), left)
    }
}
