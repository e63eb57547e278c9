//! Inflates piece by piece: content that is too large for one buffer, or of unknown length.

use super::{expecting, is_head, Inflater};
use crate::block::BlockSource;
use crate::error::{Error, Result};
use simd_adler32::Adler32;
use sirocco::inflate::{Decoder, Error as Damage, MIN_BUFFER_LEN};
use sirocco::Format;

/// The longest window in bytes. A match may reach 32 KiB back; when the window is full its
/// last 32 KiB are moved to the front.
const MOST_WINDOW: usize = 96 << 10;

/// The state between two pieces.
pub(super) struct Pieces {
    decoder: Decoder,
    /// The bytes that were inflated last, which matches may repeat.
    window: Vec<u8>,
    /// How many bytes of the window are valid.
    made: usize,
    sum: Adler32,
}

impl Default for Pieces {
    fn default() -> Pieces {
        let decoder = Decoder::new(Format::Deflate);
        Pieces { decoder, window: Vec::new(), made: 0, sum: Adler32::new() }
    }
}

impl Pieces {
    pub(super) fn memory(&self) -> usize {
        self.window.capacity()
    }

    pub(super) fn reset(&mut self) {
        self.decoder.reset();
        self.made = 0;
        self.sum = Adler32::new();
    }

    /// Inflates `input` into `out`; returns the number of bytes made, and whether the stream
    /// ended. Fails with [`Damage::BufferFull`] if there is no room for more output.
    fn inflate(
        &mut self,
        input: &[u8],
        out: &mut [u8],
    ) -> std::result::Result<(usize, bool), Damage> {
        if self.made >= MOST_WINDOW {
            let moved = self.decoder.make_room(&mut self.window);
            self.made = self.made.saturating_sub(moved);
        }
        let end = self.made.saturating_add(out.len()).min(MOST_WINDOW);
        self.window.resize(end, 0);
        let progress = self.decoder.decompress(input, &mut self.window, false)?;
        let made = progress.output.len();
        out.get_mut(..made).ok_or(Damage::BufferFull)?.copy_from_slice(progress.output);
        self.sum.write(progress.output);
        self.made = self.made.saturating_add(made);
        Ok((made, progress.done))
    }
}

const _: () = assert!(MOST_WINDOW >= 2 * MIN_BUFFER_LEN);

/// A position in a zlib stream.
#[derive(Clone, Copy, Debug)]
pub struct StreamPlace {
    start: u64,
    offset: u64,
    at: At,
}

/// The next part of a zlib stream: [RFC 1950].
///
/// [RFC 1950]: https://www.rfc-editor.org/rfc/rfc1950
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum At {
    Head,
    Deflated,
    Sum,
    End,
    /// None: the stream is damaged.
    Damage,
}

impl StreamPlace {
    pub(super) fn beginning(start: u64) -> StreamPlace {
        StreamPlace { start, offset: start, at: At::Head }
    }

    /// Returns the offset of the first byte that was not used yet.
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
    /// Fills `out`, or less of it if the stream ends; returns the number of bytes.
    ///
    /// # Errors
    ///
    /// Missing bytes; [`Corrupt`](crate::ErrorKind::Corrupt) for a damaged stream, with the
    /// offset of its start.
    pub fn fill(&mut self, out: &mut [u8]) -> Result<usize> {
        let mut filled = 0;
        while !self.has_ended() && filled < out.len() {
            let rest = out.get_mut(filled..).unwrap_or_default();
            let left = rest.len();
            filled = filled.saturating_add(self.step(rest, left)?);
        }
        Ok(filled)
    }

    /// Fills as much of `out` as the bytes in memory allow; returns the number of bytes.
    ///
    /// # Errors
    ///
    /// As [`Stream::fill`]; missing bytes are an error only if nothing could be filled.
    pub fn fill_some(&mut self, out: &mut [u8]) -> Result<usize> {
        let mut filled = 0;
        while !self.has_ended() && filled < out.len() {
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

    /// Returns the position in the stream, to resume from later.
    pub fn place(&self) -> StreamPlace {
        self.place
    }

    /// Returns whether the stream has ended.
    pub fn has_ended(&self) -> bool {
        self.place.at == At::End
    }

    /// Checks that the stream ends here, with the right checksum; returns the offset after it.
    ///
    /// A stream that fills the buffer but does not end may be truncated or damaged in a way
    /// that only its end shows.
    ///
    /// # Errors
    ///
    /// As [`Stream::fill`]; [`Corrupt`](crate::ErrorKind::Corrupt) if there is more to
    /// inflate.
    pub fn finish(&mut self) -> Result<u64> {
        while !self.has_ended() {
            self.step(&mut [], 0)?;
        }
        Ok(self.place.offset)
    }

    /// Inflates one run, or checks the header or checksum; returns the number of bytes made.
    /// `left` is how many the caller still waits for.
    fn step(&mut self, out: &mut [u8], left: usize) -> Result<usize> {
        match self.place.at {
            At::Head => {
                let head = self.frame::<2>(left)?;
                self.passed(head.len(), At::Deflated, is_head(head))
            }
            At::Deflated => self.inflate(out, left),
            At::Sum => {
                let sum = self.frame::<4>(left)?;
                let is_right = self.inflater.pieces.sum.finish().to_be_bytes() == sum;
                self.passed(sum.len(), At::End, is_right)
            }
            At::End => Ok(0),
            At::Damage => Err(self.damage()),
        }
    }

    fn frame<const N: usize>(&self, left: usize) -> Result<[u8; N]> {
        let bytes = self.source.array_at::<N>(self.place.offset);
        bytes.map_err(|error| self.expecting(error, left))
    }

    fn passed(&mut self, length: usize, next: At, is_right: bool) -> Result<usize> {
        if !is_right {
            return Err(self.damage());
        }
        self.place.offset = self.place.offset.saturating_add(length as u64);
        self.place.at = next;
        Ok(0)
    }

    fn inflate(&mut self, out: &mut [u8], left: usize) -> Result<usize> {
        let (run, end) = match self.source.run_at(self.place.offset) {
            Ok(run) => (run, None),
            Err(error) if error.is_missing() => return Err(self.expecting(error, left)),
            // The decoder may have consumed input for which it has output left.
            Err(error) => (&[][..], Some(error)),
        };
        let pieces = &mut self.inflater.pieces;
        let before = pieces.decoder.total_in();
        let (made, is_done) = match pieces.inflate(run, out) {
            Ok(progress) => progress,
            Err(Damage::BufferFull) => {
                let what = "inflates to more bytes than announced";
                return Err(self.source.corrupt(what, self.place.start));
            }
            Err(_) => return Err(self.damage()),
        };
        let read = pieces.decoder.total_in().saturating_sub(before);
        self.place.offset = self.place.offset.saturating_add(read);
        self.inflater.inflated_bytes = self.inflater.inflated_bytes.saturating_add(made as u64);
        match is_done {
            true => self.place.at = At::Sum,
            false if read > 0 || made > 0 => {}
            false => return Err(end.unwrap_or_else(|| self.damage())),
        }
        Ok(made)
    }

    fn damage(&mut self) -> Error {
        self.place.at = At::Damage;
        self.source.corrupt("the zlib stream is damaged", self.place.start)
    }

    fn expecting(&self, error: Error, left: usize) -> Error {
        let state = &self.inflater.pieces.decoder;
        expecting(error, state.total_in(), state.total_out(), left)
    }
}
