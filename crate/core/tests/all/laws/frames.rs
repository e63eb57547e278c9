//! Frames: what was framed is read, however it comes in.

use super::base::assert_typed;
use super::input::Input;
use packlens::{FrameEvent, FrameReader, FrameWriter, Output, Result};

#[derive(Debug, Default, PartialEq)]
struct Part {
    data: Vec<u8>,
    /// Where in the data each came, and what it was.
    interruptions: Vec<(usize, Vec<u8>)>,
    behind: usize,
}

fn read(framed: &[u8], piece: usize) -> Result<Part> {
    let mut reader = FrameReader::default();
    let mut part = Part::default();
    let mut open = Vec::new();
    let mut taken = 0;
    for bytes in framed.chunks(piece) {
        let rest = reader.read(bytes, |event| {
            match event {
                FrameEvent::Data(bytes) => part.data.extend(bytes),
                FrameEvent::Interruption(bytes) => open.extend(bytes),
                FrameEvent::InterruptionEnd => {
                    part.interruptions.push((part.data.len(), std::mem::take(&mut open)));
                }
                FrameEvent::End => {}
            }
            Ok(())
        })?;
        taken += bytes.len() - rest.len();
        if reader.has_ended() {
            break;
        }
    }
    reader.finish()?;
    part.behind = framed.len() - taken;
    Ok(part)
}

/// The frames of a part, by their lengths; `None` if they are damaged.
fn slow(mut bytes: &[u8]) -> Option<Part> {
    let mut part = Part::default();
    let mut inside: Option<Vec<u8>> = None;
    loop {
        let length = i32::from_be_bytes(*bytes.first_chunk()?);
        bytes = &bytes[4..];
        match (length, &mut inside) {
            (0, None) => {
                part.behind = bytes.len();
                return Some(part);
            }
            (0, Some(_)) => part.interruptions.push((part.data.len(), inside.take()?)),
            (-1, None) => inside = Some(Vec::new()),
            (1.., _) => {
                let (frame, rest) = bytes.split_at_checked(length as usize)?;
                inside.as_mut().unwrap_or(&mut part.data).extend(frame);
                bytes = rest;
            }
            _ => return None,
        }
    }
}

pub fn frames(data: &[u8]) {
    let mut input = Input(data);
    let (piece, frame_len) = (1 + input.below(20), input.below(20));
    if frame_len == 0 {
        let found = read(input.0, piece);
        assert_eq!(read(input.0, 1 << 20), found);
        found.as_ref().err().into_iter().for_each(assert_typed);
        assert_eq!(found.ok(), slow(input.0));
        return;
    }
    let mut out = Output::default();
    let mut writer = FrameWriter::new(frame_len).unwrap();
    let mut right = Part::default();
    {
        let mut out = out.appender();
        while !input.0.is_empty() {
            let (choice, bytes) = (input.byte(), input.sized());
            match choice % 4 {
                0 => writer.flush(&mut out).unwrap(),
                1 => {
                    writer.interrupt(bytes, &mut out).unwrap();
                    right.interruptions.push((right.data.len(), bytes.to_vec()));
                }
                _ => {
                    writer.write(bytes, &mut out).unwrap();
                    right.data.extend(bytes);
                }
            }
        }
        writer.end(&mut out).unwrap();
    }
    assert_eq!(read(out.as_slice(), piece), Ok(right));
}
