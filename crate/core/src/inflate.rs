//! Inflating zlib streams that lie in runs.

use crate::block::BlockSource;
use crate::error::{Error, Result};
use flate2::{Decompress, FlushDecompress, Status};

/// The state that inflating needs; made once and used for every stream.
pub struct Inflater {
    state: Decompress,
    inflated_bytes: u64,
}

impl Default for Inflater {
    fn default() -> Inflater {
        Inflater { state: Decompress::new(true), inflated_bytes: 0 }
    }
}

impl Inflater {
    /// Starts on the zlib stream at `offset`.
    pub fn stream<'a, S: BlockSource>(&'a mut self, source: &'a S, offset: u64) -> Stream<'a, S> {
        self.state.reset(true);
        let place = StreamPlace { start: offset, offset, ended: false, damaged: false };
        Stream { inflater: self, source, place }
    }

    /// Goes on with the stream that this state was used for last.
    pub fn resume<'a, S: BlockSource>(
        &'a mut self,
        source: &'a S,
        place: StreamPlace,
    ) -> Stream<'a, S> {
        Stream { inflater: self, source, place }
    }

    /// Inflates the whole zlib stream at `offset`, which must fill `out` exactly,
    /// and returns where it ends.
    ///
    /// # Errors
    ///
    /// As [`Stream::fill`] and [`Stream::finish`].
    pub fn inflate<S: BlockSource>(
        &mut self,
        source: &S,
        offset: u64,
        out: &mut [u8],
    ) -> Result<u64> {
        let mut stream = self.stream(source, offset);
        if stream.fill(out)? < out.len() {
            return Err(source.corrupt("inflates to fewer bytes than announced", offset));
        }
        stream.finish()
    }

    /// Returns how many bytes were made so far.
    pub fn inflated_bytes(&self) -> u64 {
        self.inflated_bytes
    }
}

/// Where a zlib stream stands.
#[derive(Clone, Copy, Debug)]
pub struct StreamPlace {
    start: u64,
    offset: u64,
    ended: bool,
    damaged: bool,
}

impl StreamPlace {
    /// Returns where the bytes begin that were not used yet.
    pub fn offset(&self) -> u64 {
        self.offset
    }
}

/// A zlib stream that is being inflated.
pub struct Stream<'a, S> {
    inflater: &'a mut Inflater,
    source: &'a S,
    place: StreamPlace,
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
        let run =
            self.source.run_at(self.place.offset).map_err(|error| self.expecting(error, left))?;
        let state = &mut self.inflater.state;
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
            _ => return Err(self.damage()),
        }
        Ok(usize::try_from(made).unwrap_or(out.len()))
    }

    fn damage(&self) -> Error {
        self.source.corrupt("the zlib stream is damaged", self.place.start)
    }

    /// Widens a need to what the rest of the stream will take, going by how well
    /// it was compressed so far.
    fn expecting(&self, error: Error, left: usize) -> Error {
        let state = &self.inflater.state;
        let left = left as u64;
        let expected = match state.total_out() {
            0..1024 => left / 2,
            made => left.saturating_mul(state.total_in()).checked_div(made).unwrap_or(left),
        };
        // Zlib's own header and checksum, and what stored blocks cost.
        let most = left.saturating_add(left >> 8).saturating_add(64);
        error.widened(expected.saturating_add(expected >> 4).saturating_add(64).min(most))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorKind;
    use crate::testing::{deflate, in_parts};

    fn text() -> Vec<u8> {
        (0..3000u32).flat_map(|n| n.wrapping_mul(2654435761).to_string().into_bytes()).collect()
    }

    #[test]
    fn where_a_run_ends_changes_nothing() {
        let text = text();
        let stored = deflate(&text);
        for size in [1, 7, 512, 65536] {
            let files = in_parts(&stored, size);
            let mut out = vec![0; text.len()];
            let source = files.source(crate::FileId::from_number(0));
            let end = Inflater::default().inflate(&source, 0, &mut out).unwrap();
            assert_eq!((end, out == text), (stored.len() as u64, true));
        }
    }

    #[test]
    fn the_length_must_be_exact() {
        let stored = deflate(&text());
        for (length, what) in [
            (text().len() - 1, "inflates to more bytes than announced"),
            (text().len() + 1, "inflates to fewer bytes than announced"),
        ] {
            let error = Inflater::default()
                .inflate(&stored.as_slice(), 0, &mut vec![0; length])
                .unwrap_err();
            assert_eq!((error.kind(), error.what()), (ErrorKind::Corrupt, what));
        }
    }

    /// A reader that goes by the length alone takes some of these for good.
    #[test]
    fn every_flipped_byte_is_noticed_or_changes_nothing() {
        let text = &text()[..300];
        let stored = deflate(text);
        let mut noticed = 0;
        for (at, mask) in (0..stored.len()).flat_map(|at| [1, 16, 128, 255].map(|m| (at, m))) {
            let mut damaged = stored.clone();
            damaged[at] ^= mask;
            let mut out = vec![0; text.len()];
            match Inflater::default().inflate(&damaged.as_slice(), 0, &mut out) {
                Ok(_) => assert_eq!(out, text, "byte {at} flipped by {mask}"),
                Err(error) => {
                    assert_eq!(error.kind(), ErrorKind::Corrupt);
                    noticed += 1;
                }
            }
        }
        assert!(noticed > stored.len() * 3);
    }

    #[test]
    fn every_cut_is_noticed() {
        let text = &text()[..300];
        let stored = deflate(text);
        for length in 0..stored.len() {
            let mut out = vec![0; text.len()];
            let error = Inflater::default().inflate(&&stored[..length], 0, &mut out).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Corrupt, "cut to {length}");
        }
    }
}
