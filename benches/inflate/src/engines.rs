//! The inflaters, each used as its documentation says it is fastest.

use flate2::{Decompress, FlushDecompress, Status};
use miniz_oxide::inflate::core::{inflate_flags as flags, DecompressorOxide};
use miniz_oxide::inflate::stream::InflateState;
use miniz_oxide::inflate::TINFLStatus;
use miniz_oxide::{DataFormat, MZFlush};
use packlens::Inflater;
use sirocco::inflate::Decoder;
use sirocco::Format;

/// Inflates the stream at the beginning of `input`, which other bytes follow, into `out`, which
/// has the size of the content. Returns the offset at which the stream ends.
///
/// `extent` is the offset of the next entry, which some engines need.
pub trait Engine {
    fn name(&self) -> &'static str;
    fn inflate(&mut self, input: &[u8], extent: usize, out: &mut [u8]) -> Option<usize>;
}

/// Returns all engines; the others are compared with the first.
pub fn all() -> Vec<Box<dyn Engine>> {
    vec![
        Box::new(Flate2(Decompress::new(true))),
        Box::new(Packlens(Inflater::default())),
        Box::new(PacklensPieces(Inflater::default())),
        Box::new(Sirocco(Decoder::new(Format::Zlib))),
        Box::new(SiroccoPieces(Decoder::new(Format::Zlib))),
        Box::new(SiroccoSimdAdler(Decoder::new(Format::Deflate))),
        Box::new(Miniz(DecompressorOxide::new())),
        Box::new(MinizStream(InflateState::new_boxed(DataFormat::Zlib))),
        Box::new(Zune),
        Box::new(Fdeflate),
        Box::new(Linflate),
    ]
}

struct Packlens(Inflater);

impl Engine for Packlens {
    fn name(&self) -> &'static str {
        "packlens"
    }

    fn inflate(&mut self, input: &[u8], _: usize, out: &mut [u8]) -> Option<usize> {
        self.0.inflate(&input, 0, out).ok().map(|end| end as usize)
    }
}

/// Inflates in pieces, as packlens reads objects that are larger than a buffer.
struct PacklensPieces(Inflater);

impl Engine for PacklensPieces {
    fn name(&self) -> &'static str {
        "packlens, a piece at a time"
    }

    fn inflate(&mut self, input: &[u8], _: usize, out: &mut [u8]) -> Option<usize> {
        let mut stream = self.0.stream(&input, 0);
        for piece in out.chunks_mut(64 << 10) {
            (stream.fill(piece).ok()? == piece.len()).then_some(())?;
        }
        stream.finish().ok().map(|end| end as usize)
    }
}

struct Sirocco(Decoder);

impl Engine for Sirocco {
    fn name(&self) -> &'static str {
        "sirocco, whole"
    }

    fn inflate(&mut self, input: &[u8], _: usize, out: &mut [u8]) -> Option<usize> {
        let length = out.len();
        let progress = self.0.decompress(input, out, true).ok()?;
        (progress.done && progress.output.len() == length).then_some(progress.consumed)
    }
}

struct SiroccoPieces(Decoder);

impl Engine for SiroccoPieces {
    fn name(&self) -> &'static str {
        "sirocco, as if in pieces"
    }

    fn inflate(&mut self, input: &[u8], _: usize, out: &mut [u8]) -> Option<usize> {
        let length = out.len();
        let progress = self.0.decompress(input, out, false).ok()?;
        (progress.done && progress.output.len() == length).then_some(progress.consumed)
    }
}

struct SiroccoSimdAdler(Decoder);

impl Engine for SiroccoSimdAdler {
    fn name(&self) -> &'static str {
        "sirocco, raw + simd-adler32"
    }

    fn inflate(&mut self, input: &[u8], _: usize, out: &mut [u8]) -> Option<usize> {
        let progress = self.0.decompress(input.get(2..)?, out, true).ok()?;
        let end = progress.consumed + 2;
        check_adler(input, end, progress.output)
    }
}

fn check_adler(input: &[u8], end: usize, out: &[u8]) -> Option<usize> {
    let sum = input.get(end..end + 4)?;
    (sum == simd_adler32::adler32(&out).to_be_bytes()).then_some(end + 4)
}

struct Flate2(Decompress);

impl Engine for Flate2 {
    fn name(&self) -> &'static str {
        "flate2, zlib-rs"
    }

    fn inflate(&mut self, input: &[u8], _: usize, out: &mut [u8]) -> Option<usize> {
        self.0.reset(true);
        // A buffer without room never ends a stream.
        let room = if out.is_empty() { &mut [0][..] } else { out };
        let status = self.0.decompress(input, room, FlushDecompress::Finish).ok()?;
        (status == Status::StreamEnd).then_some(self.0.total_in() as usize)
    }
}

struct Miniz(DecompressorOxide);

impl Engine for Miniz {
    fn name(&self) -> &'static str {
        "miniz_oxide, whole"
    }

    fn inflate(&mut self, input: &[u8], _: usize, out: &mut [u8]) -> Option<usize> {
        let flags = flags::TINFL_FLAG_PARSE_ZLIB_HEADER
            | flags::TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF
            | flags::TINFL_FLAG_COMPUTE_ADLER32;
        self.0.init();
        let decompress = miniz_oxide::inflate::core::decompress;
        let (status, read, _) = decompress(&mut self.0, input, out, 0, flags);
        (status == TINFLStatus::Done).then_some(read)
    }
}

struct MinizStream(Box<InflateState>);

impl Engine for MinizStream {
    fn name(&self) -> &'static str {
        "miniz_oxide, as flate2 does"
    }

    fn inflate(&mut self, input: &[u8], _: usize, out: &mut [u8]) -> Option<usize> {
        self.0.reset(DataFormat::Zlib);
        let room = if out.is_empty() { &mut [0][..] } else { out };
        let inflate = miniz_oxide::inflate::stream::inflate;
        let result = inflate(&mut self.0, input, room, MZFlush::Finish);
        (result.status == Ok(miniz_oxide::MZStatus::StreamEnd)).then_some(result.bytes_consumed)
    }
}

/// Makes a vector for each stream, and takes the checksum from the end of the input.
struct Zune;

impl Engine for Zune {
    fn name(&self) -> &'static str {
        "zune-inflate"
    }

    fn inflate(&mut self, input: &[u8], extent: usize, out: &mut [u8]) -> Option<usize> {
        let options = zune_inflate::DeflateOptions::default()
            .set_size_hint(out.len())
            .set_limit(out.len().max(1));
        let input = input.get(..extent)?;
        let mut decoder = zune_inflate::DeflateDecoder::new_with_options(input, options);
        let made = decoder.decode_zlib().ok()?;
        out.get_mut(..made.len())?.copy_from_slice(&made);
        (made.len() == out.len()).then_some(extent)
    }
}

/// Cannot be used for a second stream, and reads beyond the end of a stream.
struct Fdeflate;

impl Engine for Fdeflate {
    fn name(&self) -> &'static str {
        "fdeflate"
    }

    fn inflate(&mut self, input: &[u8], extent: usize, out: &mut [u8]) -> Option<usize> {
        let mut state = fdeflate::Decompressor::new();
        let (read, made) = state.read(input.get(..extent)?, out, 0, true).ok()?;
        (state.is_done() && made == out.len()).then_some(read)
    }
}

/// Reads raw deflate, needs bytes after the stream, and does not report where it ends.
struct Linflate;

impl Engine for Linflate {
    fn name(&self) -> &'static str {
        "linflate"
    }

    fn inflate(&mut self, input: &[u8], extent: usize, out: &mut [u8]) -> Option<usize> {
        let made = linflate::inflate_into(input.get(2..extent)?, out).ok()?;
        check_adler(input, extent.checked_sub(4)?, out.get(..made)?)
    }
}
