//! Inflates a whole stream into one buffer. No state is kept for a later piece, so this is
//! much faster than `stream`.

use super::{expecting, is_head};
use crate::block::BlockSource;
use crate::error::Error;
use simd_adler32::adler32;
use sirocco::inflate::{Decoder, Error as Damage};
use sirocco::Format;

/// How much of an interrupted stream is inflated to estimate its compression ratio.
const SAMPLE: usize = 16 << 10;

/// The state for whole streams.
///
/// The decoder gets the deflated bytes without the zlib frame, because its own checksum does
/// not use SIMD in WebAssembly.
pub(super) struct Whole {
    decoder: Decoder,
    /// The largest inflated size of streams whose runs are joined.
    most_joined: usize,
    joined: Vec<u8>,
}

/// The result of inflating a whole stream.
pub(super) enum Outcome {
    /// Success: the buffer is full, the checksum is right, and the stream ends at this offset.
    /// For the start of a stream: the number of bytes made.
    Done(u64),
    /// Bytes are not in memory.
    Missing(Error),
    /// Any other failure.
    Wrong,
}

/// Classifies the errors of a source.
impl From<Error> for Outcome {
    fn from(error: Error) -> Outcome {
        match error.is_missing() {
            true => Outcome::Missing(error),
            false => Outcome::Wrong,
        }
    }
}

impl Whole {
    /// Creates the state, with a limit for the inflated size of joined streams.
    pub(super) fn joining(most_joined: usize) -> Whole {
        Whole { decoder: Decoder::new(Format::Deflate), most_joined, joined: Vec::new() }
    }

    /// Returns how many bytes of memory the buffer for joined runs takes.
    pub(super) fn memory(&self) -> usize {
        self.joined.capacity()
    }

    /// Inflates the zlib stream at `offset`, which must fill `out` exactly.
    pub(super) fn inflate<S: BlockSource>(
        &mut self,
        source: &S,
        offset: u64,
        out: &mut [u8],
    ) -> Outcome {
        self.decoder.reset();
        self.framed(source, offset, out).map_or_else(|outcome| outcome, Outcome::Done)
    }

    /// Inflates the start of the zlib stream at `offset`, until it ends or `out` is full; the
    /// outcome is the number of bytes made.
    pub(super) fn beginning<S: BlockSource>(
        &mut self,
        source: &S,
        offset: u64,
        out: &mut [u8],
    ) -> Outcome {
        self.decoder.reset();
        self.begun(source, offset, out).map_or_else(|outcome| outcome, Outcome::Done)
    }

    fn begun<S: BlockSource>(
        &mut self,
        source: &S,
        offset: u64,
        out: &mut [u8],
    ) -> Result<u64, Outcome> {
        let start = self.content_start(source, offset, out.len())?;
        self.run(source, start, out, true)?;
        Ok(self.decoder.total_out())
    }

    /// Checks the zlib header and returns the offset of the deflated bytes, in a stream of
    /// which `length` bytes are requested.
    fn content_start<S: BlockSource>(
        &self,
        source: &S,
        offset: u64,
        length: usize,
    ) -> Result<u64, Outcome> {
        let head = source.array_at::<2>(offset).map_err(|error| self.expecting(error, length))?;
        match is_head(head) {
            true => Ok(offset.saturating_add(head.len() as u64)),
            false => Err(Outcome::Wrong),
        }
    }

    /// Inflates a stream with the frame of [RFC 1950]: two bytes of header, and a checksum at
    /// the end.
    ///
    /// [RFC 1950]: https://www.rfc-editor.org/rfc/rfc1950
    fn framed<S: BlockSource>(
        &mut self,
        source: &S,
        offset: u64,
        out: &mut [u8],
    ) -> Result<u64, Outcome> {
        let start = self.content_start(source, offset, out.len())?;
        let end = self.content(source, start, out)?;
        let sum = source.array_at::<4>(end)?;
        match sum == adler32(&&*out).to_be_bytes() {
            true => Ok(end.saturating_add(sum.len() as u64)),
            false => Err(Outcome::Wrong),
        }
    }

    fn content<S: BlockSource>(
        &mut self,
        source: &S,
        start: u64,
        out: &mut [u8],
    ) -> Result<u64, Outcome> {
        self.run(source, start, out, false)?;
        match self.decoder.total_out() == out.len() as u64 {
            true => Ok(start.saturating_add(self.decoder.total_in())),
            false => Err(Outcome::Wrong),
        }
    }

    /// Inflates until the stream ends or, with `beginning`, until `out` is full.
    ///
    /// Most streams are in one run. The decoder has a function of its own for these, a third
    /// as large as the one that may stop anywhere: engines that compile hot functions optimise
    /// the larger one late, or not at all.
    fn run<S: BlockSource>(
        &mut self,
        source: &S,
        start: u64,
        out: &mut [u8],
        beginning: bool,
    ) -> Result<(), Outcome> {
        let run = source.run_at(start).map_err(|error| self.expecting(error, out.len()))?;
        match at_once(&mut self.decoder, run, out, beginning) {
            Ended::Well => Ok(()),
            Ended::Badly => Err(Outcome::Wrong),
            Ended::TooEarly if out.len() <= self.most_joined => {
                self.over_runs(source, start, out, beginning)
            }
            Ended::TooEarly => self.run_after_run(source, start, out, beginning),
        }
    }

    /// Like `run`, for a stream in several runs that is short enough to be joined.
    #[cold]
    #[inline(never)]
    fn over_runs<S: BlockSource>(
        &mut self,
        source: &S,
        start: u64,
        out: &mut [u8],
        beginning: bool,
    ) -> Result<(), Outcome> {
        let end = self.join(source, start, out.len());
        let ended = at_once(&mut self.decoder, &self.joined, out, beginning);
        match (ended, end) {
            (Ended::Well, _) => Ok(()),
            (Ended::TooEarly, Some(error)) => Err(self.wanting(error, out).into()),
            _ => Err(Outcome::Wrong),
        }
    }

    /// Joins the runs in memory of a stream that inflates to `length` bytes; returns the error
    /// if there are no more.
    fn join<S: BlockSource>(&mut self, source: &S, start: u64, length: usize) -> Option<Error> {
        self.joined.clear();
        // More than a stream takes if a sound encoder wrote it.
        let most = length.saturating_add(length / 8).saturating_add(1024);
        let left = source.size().saturating_sub(start);
        let most = usize::try_from(left).map_or(most, |left| left.min(most));
        while self.joined.len() < most {
            match source.run_at(start.saturating_add(self.joined.len() as u64)) {
                Ok(run) => {
                    let room = most.saturating_sub(self.joined.len());
                    self.joined.extend_from_slice(run.get(..room).unwrap_or(run));
                }
                Err(error) => return Some(error),
            }
        }
        None
    }

    /// Widens a need to the rest of a stream, estimated from its start.
    fn wanting(&mut self, error: Error, out: &mut [u8]) -> Error {
        let length = out.len();
        let (sample, _) = out.split_at_mut(length.min(SAMPLE));
        let (taken, made) = match at_once(&mut self.decoder, &self.joined, sample, true) {
            Ended::Well => (self.decoder.total_in(), self.decoder.total_out()),
            // The usual ratio: half the size.
            _ => (1, 2),
        };
        let read = self.joined.len() as u64;
        let made = read.saturating_mul(made).checked_div(taken).unwrap_or(0);
        let left = length.saturating_sub(usize::try_from(made).unwrap_or(length));
        expecting(error, read, made, left)
    }

    /// Like `run`, without joining.
    #[cold]
    #[inline(never)]
    fn run_after_run<S: BlockSource>(
        &mut self,
        source: &S,
        start: u64,
        out: &mut [u8],
        beginning: bool,
    ) -> Result<(), Outcome> {
        loop {
            let at = start.saturating_add(self.decoder.total_in());
            let run = source.run_at(at).map_err(|error| self.expecting(error, out.len()))?;
            match self.decoder.decompress(run, out, false) {
                Ok(progress) if progress.done || (beginning && progress.full) => return Ok(()),
                Ok(progress) if progress.consumed > 0 || !progress.output.is_empty() => {}
                _ => return Err(Outcome::Wrong),
            }
        }
    }

    /// Returns how many bytes of the last stream were inflated.
    pub(super) fn inflated_bytes(&self) -> u64 {
        self.decoder.total_out()
    }

    fn expecting(&self, error: Error, length: usize) -> Error {
        let made = self.decoder.total_out();
        let left = length.saturating_sub(usize::try_from(made).unwrap_or(length));
        expecting(error, self.decoder.total_in(), made, left)
    }
}

/// The result of inflating from one run.
enum Ended {
    Well,
    /// The stream continues after the run.
    TooEarly,
    Badly,
}

fn at_once(decoder: &mut Decoder, input: &[u8], out: &mut [u8], beginning: bool) -> Ended {
    match decoder.decompress(input, out, true) {
        Ok(progress) if progress.done || (beginning && progress.full) => Ended::Well,
        Err(Damage::Truncated) => Ended::TooEarly,
        _ => Ended::Badly,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::block::{FileId, Files};
    use crate::error::Need;
    use crate::inflate::tests::texts;
    use crate::inflate::Inflater;
    use crate::testing::{deflate_at, in_parts};

    /// The largest inflated size that is joined in these tests.
    const MOST: usize = 64 << 10;

    fn whole() -> Whole {
        Whole::joining(MOST)
    }

    /// Numbers that look random but are the same in every run.
    struct Numbers(u64);

    impl Numbers {
        fn below(&mut self, end: usize) -> usize {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            (self.0 % end as u64) as usize
        }
    }

    /// All sound streams are inflated here; a fallback would take twice the time.
    #[test]
    fn sound_streams_never_need_the_other_engine() {
        for (text, level) in texts().iter().flat_map(|text| [0, 1, 6, 9].map(|n| (text, n))) {
            let stored = deflate_at(level, text);
            for size in [1, 7, 512, 65536] {
                let files = in_parts(&stored, size);
                let source = files.source(FileId::from_number(0));
                let mut out = vec![0; text.len()];
                let outcome = whole().inflate(&source, 0, &mut out);
                assert!(matches!(outcome, Outcome::Done(end) if end == stored.len() as u64));
                assert_eq!(out, *text);
            }
        }
    }

    #[test]
    fn a_stream_that_was_given_up_leaves_nothing() {
        let digits = |count: u32| -> Vec<u8> {
            (0..count).flat_map(|n| n.wrapping_mul(2654435761).to_string().into_bytes()).collect()
        };
        let lines = (0..2000).flat_map(|n| format!("one line like another {n}\n").into_bytes());
        // Texts that are joined, and one that is too long for that.
        for (text, is_long) in [
            (&digits(1500), false),
            (&digits(6000), false),
            (&lines.collect(), false),
            (&digits(9001), true),
        ] {
            assert_eq!(text.len() > MOST, is_long);
            let stored = deflate_at(6, text);
            let half = stored.len() / 2;
            let mut files = Files::new(1 << 20);
            let id = files.found(b"file", stored.len() as u64, 0);
            files.add(id, 0, stored[..half].to_vec()).unwrap();
            let mut out = vec![0; text.len()];
            let mut whole = whole();
            match whole.inflate(&files.source(id), 0, &mut out) {
                Outcome::Missing(error) => {
                    let (begin, rest) = (half as u64, (stored.len() - half) as u64);
                    let Some(Need::Bytes { offset, length, .. }) = error.need() else {
                        panic!("{error} needs no bytes");
                    };
                    assert_eq!(*offset, begin);
                    assert!((rest..rest * 5 / 4).contains(length), "{length} of {rest}");
                    assert_eq!(whole.joined.is_empty(), is_long);
                }
                _ => panic!("half of it is missing"),
            }
            let other = &text[1..];
            let stored = deflate_at(6, other);
            let outcome = whole.inflate(&stored.as_slice(), 0, &mut out[1..]);
            assert!(matches!(outcome, Outcome::Done(end) if end == stored.len() as u64));
            assert_eq!(out[1..], *other);
        }
    }

    /// However short the runs are, a stream is inflated at most twice: from the first run, and
    /// from all of them joined.
    #[test]
    fn short_streams_are_joined_and_long_ones_are_not() {
        for text in &texts() {
            let stored = deflate_at(6, text);
            let files = in_parts(&stored, 100);
            let mut whole = whole();
            let mut out = vec![0; text.len()];
            whole.inflate(&files.source(FileId::from_number(0)), 0, &mut out);
            let is_joined = stored.len() > 100 && text.len() <= MOST;
            assert_eq!(whole.joined.len(), if is_joined { stored.len() - 2 } else { 0 });
        }
    }

    #[test]
    fn a_head_is_what_the_other_engine_takes_for_one() {
        let mut stored = deflate_at(6, b"head");
        let (mut whole, mut inflater) = (whole(), Inflater::default());
        let mut out = [0; 4];
        let mut taken = 0;
        for head in (0..=u16::MAX).map(u16::to_be_bytes) {
            stored[..2].copy_from_slice(&head);
            let pieces = inflater.inflate_in_pieces(&stored.as_slice(), 0, &mut out).is_ok();
            let outcome = whole.inflate(&stored.as_slice(), 0, &mut out);
            assert_eq!(matches!(outcome, Outcome::Done(_)), pieces, "{head:02x?}");
            taken += usize::from(pieces);
        }
        // Windows of 256 bytes to 32 KiB, at four levels.
        assert_eq!(taken, 8 * 4);
    }

    /// The two implementations accept the same streams; otherwise the end of a run would
    /// decide.
    #[test]
    fn both_engines_take_the_same_streams() {
        let mut numbers = Numbers(0x2545_f491_4f6c_dd1d);
        let mut inflater = Inflater::default();
        let (mut taken, mut refused) = (0, 0);
        for (text, level) in texts().iter().flat_map(|text| [0, 1, 6, 9].map(|n| (text, n))) {
            let stored = deflate_at(level, &text[..text.len().min(2000)]);
            for _ in 0..1500 {
                let mut damaged = stored.clone();
                for _ in 0..=numbers.below(2) {
                    // Most of the possible damage is in the headers of streams and blocks.
                    let end = if numbers.below(2) == 0 { 80 } else { damaged.len() };
                    let at = numbers.below(end.min(damaged.len()));
                    damaged[at] ^= 1 << numbers.below(8);
                }
                damaged.truncate(damaged.len() - numbers.below(2) * numbers.below(6));
                let length = text.len().min(2000) + numbers.below(3) - 1;
                let (mut out, mut expected) = (vec![0xa5; length], vec![0xa5; length]);
                let pieces = inflater.inflate_in_pieces(&damaged.as_slice(), 0, &mut expected);
                match whole().inflate(&damaged.as_slice(), 0, &mut out) {
                    Outcome::Done(end) => {
                        assert_eq!((pieces, out), (Ok(end), expected));
                        taken += 1;
                    }
                    Outcome::Wrong => {
                        assert!(pieces.is_err(), "{damaged:02x?}");
                        refused += 1;
                    }
                    Outcome::Missing(error) => panic!("nothing is missing: {error}"),
                }
            }
        }
        assert!(taken > 100 && refused > 10_000, "{taken} taken, {refused} refused");
    }
}
