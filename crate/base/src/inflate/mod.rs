//! Inflates zlib streams whose bytes may be in several runs.
//!
//! `whole` fills a buffer that takes the whole stream, `stream` continues piece by piece. Only
//! `stream` creates errors, so a damaged stream has the same error whichever saw it first.

mod stream;
mod whole;

pub use stream::{Stream, StreamPlace};

use crate::block::BlockSource;
use crate::error::{Error, Result};
use stream::Pieces;
use whole::{Outcome, Whole};

/// The default limit for concatenation: the runs of a stream are joined if it inflates to at
/// most this many bytes.
const MOST_JOINED: usize = 64 << 10;

/// The state of inflating, reused for every stream.
pub struct Inflater {
    whole: Whole,
    pieces: Box<Pieces>,
    inflated_bytes: u64,
}

impl Default for Inflater {
    fn default() -> Inflater {
        Inflater::joining(MOST_JOINED)
    }
}

impl Inflater {
    /// Creates an inflater that joins the runs of streams which inflate to at most `most`
    /// bytes. Joined streams inflate faster; [`Inflater::memory`] may exceed `most` by an
    /// eighth.
    pub fn joining(most: usize) -> Inflater {
        let whole = Whole::joining(most);
        Inflater { whole, pieces: Box::default(), inflated_bytes: 0 }
    }

    /// Returns how many bytes of memory the buffers for joined and piecewise streams take.
    pub fn memory(&self) -> u64 {
        self.whole.memory().saturating_add(self.pieces.memory()) as u64
    }

    /// Starts the zlib stream at `offset`.
    pub fn stream<'a, S: BlockSource>(&'a mut self, source: &'a S, offset: u64) -> Stream<'a, S> {
        self.pieces.reset();
        self.resume(source, StreamPlace::beginning(offset))
    }

    /// Resumes the stream for which this inflater was used last.
    pub fn resume<'a, S: BlockSource>(
        &'a mut self,
        source: &'a S,
        place: StreamPlace,
    ) -> Stream<'a, S> {
        Stream { inflater: self, source, place }
    }

    /// Inflates the whole zlib stream at `offset`, which must fill `out` exactly; returns the
    /// offset of its end.
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
        let outcome = self.whole.inflate(source, offset, out);
        if !matches!(outcome, Outcome::Wrong) {
            let made = self.whole.inflated_bytes();
            self.inflated_bytes = self.inflated_bytes.saturating_add(made);
        }
        match outcome {
            Outcome::Done(end) => Ok(end),
            Outcome::Missing(error) => Err(error),
            Outcome::Wrong => self.inflate_in_pieces(source, offset, out),
        }
    }

    /// Inflates the start of the zlib stream at `offset`, until it ends or `out` is full;
    /// returns the number of bytes. The rest of the stream is not checked.
    ///
    /// # Errors
    ///
    /// As [`Stream::fill`].
    pub fn beginning<S: BlockSource>(
        &mut self,
        source: &S,
        offset: u64,
        out: &mut [u8],
    ) -> Result<usize> {
        match self.whole.beginning(source, offset, out) {
            Outcome::Done(made) => {
                self.inflated_bytes = self.inflated_bytes.saturating_add(made);
                Ok(usize::try_from(made).unwrap_or(out.len()).min(out.len()))
            }
            Outcome::Missing(error) => Err(error),
            Outcome::Wrong => self.stream(source, offset).fill(out),
        }
    }

    #[cold]
    fn inflate_in_pieces<S: BlockSource>(
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

    /// Returns how many bytes were inflated so far, over all streams.
    pub fn inflated_bytes(&self) -> u64 {
        self.inflated_bytes
    }
}

/// Widens a need to the estimated rest of a stream, from the compression ratio so far: `read`
/// bytes gave `made` bytes, and `left` are still to come.
fn expecting(error: Error, read: u64, made: u64, left: usize) -> Error {
    let left = left as u64;
    let expected = match made {
        0..1024 => left / 2,
        made => left.saturating_mul(read).checked_div(made).unwrap_or(left),
    };
    // The header and checksum of zlib, and the overhead of stored blocks.
    let most = left.saturating_add(left >> 8).saturating_add(64);
    error.widened(expected.saturating_add(expected >> 4).saturating_add(64).min(most))
}

/// Returns whether two bytes are a zlib header as git writes it: deflate, with a window of at
/// most 32 KiB and no dictionary.
fn is_head(head: [u8; 2]) -> bool {
    let [method, flags] = head;
    method & 0xf == 8
        && method >> 4 <= 7
        && flags & 0x20 == 0
        && u16::from_be_bytes(head).is_multiple_of(31)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorKind;
    use crate::testing::{deflate, in_parts};

    fn text() -> Vec<u8> {
        (0..3000u32).flat_map(|n| n.wrapping_mul(2654435761).to_string().into_bytes()).collect()
    }

    /// Returns texts that give all kinds of blocks and matches.
    pub(super) fn texts() -> Vec<Vec<u8>> {
        let noise = (0..70_000u32).map(|n| (n.wrapping_mul(2654435761) >> 13) as u8);
        vec![
            b"x".to_vec(),
            b"tree 1\nparent 2\n".repeat(9),
            text(),
            noise.collect(),
            vec![7; 99_999],
        ]
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

    /// A reader that checks only the length would accept some of these.
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
    fn a_beginning_is_as_long_as_it_is_asked_for() {
        let text = text();
        let stored = deflate(&text);
        for (size, length) in [(1, 300), (7, 1), (512, 5000), (65536, text.len()), (7, 0)] {
            let files = in_parts(&stored, size);
            let mut out = vec![0; length];
            let source = files.source(crate::FileId::from_number(0));
            let made = Inflater::default().beginning(&source, 0, &mut out).unwrap();
            assert_eq!((made, out.as_slice()), (length, &text[..length]), "parts of {size}");
        }
        let mut longer = vec![0; text.len() + 9];
        let made = Inflater::default().beginning(&stored.as_slice(), 0, &mut longer).unwrap();
        assert_eq!(made, text.len());
        let cut = Inflater::default().beginning(&&stored[..100], 0, &mut longer).unwrap_err();
        assert_eq!(cut.kind(), ErrorKind::Corrupt);
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
