//! Writes bytes in frames and reads them back; prints how many seconds that took.
//! Run by `scripts/sweep-chunks.mjs` with the length of a frame and of the whole.

use packlens::{FrameEvent, FrameReader, FrameWriter, Output, Result};
use std::time::Instant;

/// How much comes at once, as from a stream of the package.
const PIECE: usize = 64 << 10;

fn main() -> Result<()> {
    let mut numbers = std::env::args().skip(1).filter_map(|text| text.parse::<usize>().ok());
    let (Some(frame_len), Some(total)) = (numbers.next(), numbers.next()) else {
        println!("usage: frames_speed <frame> <total>, both in bytes");
        return Ok(());
    };
    let piece = vec![7; PIECE];
    let mut out = Output::default();
    let mut writer = FrameWriter::new(frame_len)?;
    let mut reader = FrameReader::default();
    let mut read = 0_usize;
    let start = Instant::now();
    let mut drain = |out: &mut Output| -> Result<()> {
        reader.read(out.as_slice(), |event| {
            if let FrameEvent::Data(bytes) = event {
                read = read.saturating_add(bytes.len());
            }
            Ok(())
        })?;
        out.truncate(0);
        Ok(())
    };
    for _ in 0..total / PIECE {
        writer.write(&piece, &mut out.appender())?;
        drain(&mut out)?;
    }
    writer.end(&mut out.appender())?;
    drain(&mut out)?;
    println!("{} {read}", start.elapsed().as_secs_f64());
    Ok(())
}
