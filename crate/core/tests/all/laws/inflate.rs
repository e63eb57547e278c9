//! Both inflaters: the same bytes, or both refuse, in parts of any size.

use super::input::{in_parts, Input};
use packlens::{FileId, Inflater, Result};
use std::io::Write;

/// Bytes after a stream are no part of it.
const MOST: usize = 1 << 16;

/// Inflates with flate2, which knows nothing of parts: the bytes, and where it ended.
fn slow(stream: &[u8]) -> Option<(Vec<u8>, u64)> {
    let mut inflater = flate2::Decompress::new(true);
    let mut out = Vec::with_capacity(MOST + 1);
    let status = inflater.decompress_vec(stream, &mut out, flate2::FlushDecompress::Finish);
    let ended = matches!(status, Ok(flate2::Status::StreamEnd)) && out.len() <= MOST;
    ended.then(|| (out, inflater.total_in()))
}

/// Inflates any bytes, and streams made by deflating.
pub fn inflate(data: &[u8]) {
    let mut input = Input(data);
    let (choice, part) = (input.byte(), input.one_of(&[1, 7, 64, 512]));
    let mut stream = input.0.to_vec();
    if choice & 1 == 1 {
        let level = flate2::Compression::new(u32::from(choice >> 1) % 10);
        let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), level);
        let times = if choice & 0x80 == 0 { 1 } else { 50 };
        encoder.write_all(&input.0.repeat(times)).unwrap();
        stream = encoder.finish().unwrap();
        assert!(slow(&stream).is_some() || input.0.len() * times > MOST);
        stream.extend(b"after");
    }
    check(&stream, part);
}

fn check(stream: &[u8], part: u64) {
    let right = slow(stream);
    let size = right.as_ref().map_or(100, |(bytes, _)| bytes.len());
    for size in [Some(size), size.checked_sub(1), Some(size + 1)].into_iter().flatten() {
        let whole = ask(stream, 1 << 30, size);
        let in_parts = ask(stream, part, size);
        assert_eq!(in_parts.0.as_ref().err(), whole.0.as_ref().err(), "{size} bytes");
        assert_eq!(in_parts.1.as_ref().err(), whole.1.as_ref().err(), "{size} bytes");
        assert!(in_parts == whole, "{size} bytes in parts of {part}");
        let expected = right.as_ref().filter(|(bytes, _)| bytes.len() == size);
        assert!(whole.0.as_ref().ok() == expected, "{size} bytes are others");
    }
    // Piece by piece, with a buffer that is too small.
    let mut inflater = Inflater::default();
    let files = in_parts(stream, part);
    let source = files.source(FileId::from_number(0));
    let mut pieces = inflater.stream(&source, 0);
    let (mut out, mut piece) = (Vec::new(), [0; 97]);
    let outcome: Result<u64> = loop {
        match pieces.fill(&mut piece) {
            Ok(0) => break pieces.finish(),
            Ok(made) => out.extend(&piece[..made]),
            Err(error) => break Err(error),
        }
        if out.len() > MOST {
            return;
        }
    };
    let found = outcome.ok().map(|end| (out, end));
    assert!(found == right, "piece by piece");
}

type Answer = (Result<(Vec<u8>, u64)>, Result<Vec<u8>>);

/// Inflates a stream of a known length, and its beginning.
fn ask(stream: &[u8], part: u64, size: usize) -> Answer {
    let mut inflater = Inflater::default();
    let files = in_parts(stream, part);
    let source = files.source(FileId::from_number(0));
    let mut out = vec![0; size];
    let end = inflater.inflate(&source, 0, &mut out);
    let whole = end.map(|end| (out, end));
    let mut out = vec![0; size / 2];
    let made = inflater.beginning(&source, 0, &mut out);
    let beginning = made.map(|made| out[..made].to_vec());
    if let (Ok((bytes, _)), Ok(beginning)) = (&whole, &beginning) {
        assert!(bytes.starts_with(beginning) && beginning.len() == size / 2);
    }
    (whole, beginning)
}
