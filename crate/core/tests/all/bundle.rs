//! The reader of frames against Mercurial's own: `tests/fixtures/bundle`.

use packlens::{FrameEvent, FrameReader, FrameWriter, Output, Result};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/bundle")
}

fn bundle(name: &str) -> Vec<u8> {
    std::fs::read(folder().join(name)).unwrap()
}

fn facts() -> Value {
    serde_json::from_slice(&std::fs::read(folder().join("facts.json")).unwrap()).unwrap()
}

fn number(bytes: &[u8]) -> usize {
    u32::from_be_bytes(bytes[..4].try_into().unwrap()) as usize
}

fn sha256(content: &[u8]) -> String {
    Sha256::digest(content).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The type of a part, its id, and its parameters one behind the other.
fn header(bytes: &[u8]) -> (String, usize, String) {
    let (type_len, rest) = (usize::from(bytes[0]), &bytes[1..]);
    let (name, rest) = rest.split_at(type_len);
    let count = usize::from(rest[4]) + usize::from(rest[5]);
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (text(name), number(rest), text(&rest[6 + 2 * count..]))
}

/// Reads the payload at the beginning of `bytes`, which come in pieces; returns
/// it, the interruptions, and how long it is.
fn payload(bytes: &[u8], piece: usize) -> Result<(Vec<u8>, Vec<Vec<u8>>, usize)> {
    let mut reader = FrameReader::default();
    let (mut data, mut open, mut interruptions) = (Vec::new(), Vec::new(), Vec::new());
    let mut read = 0;
    for bytes in bytes.chunks(piece) {
        let rest = reader.read(bytes, |event| {
            match event {
                FrameEvent::Data(bytes) => data.extend(bytes),
                FrameEvent::Interruption(bytes) => open.extend(bytes),
                FrameEvent::InterruptionEnd => interruptions.push(std::mem::take(&mut open)),
                FrameEvent::End => {}
            }
            Ok(())
        })?;
        read += bytes.len() - rest.len();
        if reader.has_ended() {
            break;
        }
    }
    reader.finish()?;
    Ok((data, interruptions, read))
}

#[test]
fn parts_are_what_mercurial_finds() {
    for facts in facts()["bundles"].as_array().unwrap() {
        let bytes = bundle(facts["file"].as_str().unwrap());
        assert_eq!(&bytes[..8], b"HG20\0\0\0\0");
        for piece in [1, 7, 4096, 1 << 20] {
            let mut rest = &bytes[8..];
            for part in facts["parts"].as_array().unwrap() {
                let (head, behind) = rest[4..].split_at(number(rest));
                let (name, id, params) = header(head);
                assert_eq!(name.to_lowercase(), part["type"].as_str().unwrap());
                assert_eq!(name != name.to_lowercase(), part["mandatory"].as_bool().unwrap());
                assert_eq!(id as u64, part["id"].as_u64().unwrap());
                let known = part["params"].as_array().unwrap().iter();
                let known = known.flat_map(|pair| pair.as_array().unwrap());
                assert_eq!(params, known.map(|text| text.as_str().unwrap()).collect::<String>());

                let (data, interruptions, length) = payload(behind, piece).unwrap();
                assert_eq!(data.len() as u64, part["size"].as_u64().unwrap());
                assert_eq!(sha256(&data), part["sha256"].as_str().unwrap());
                let messages = interruptions.iter().map(|bytes| header(bytes).2);
                let known = part["interruption"].as_str().map(|text| format!("message{text}"));
                assert_eq!(messages.collect::<Vec<_>>(), Vec::from_iter(known));
                rest = &behind[length..];
            }
            // Mercurial breaks off behind a part that failed.
            let failed = facts["file"] == "interrupted.hg";
            assert_eq!(rest, if failed { &b""[..] } else { &[0; 4] });
        }
    }
}

#[test]
fn what_mercurial_framed_is_what_is_written() {
    for (name, frame_len) in [("plain.hg", 32 << 10), ("frames.hg", 512)] {
        let bytes = bundle(name);
        let framed = &bytes[12 + number(&bytes[8..])..];
        let (data, _, length) = payload(framed, 1 << 20).unwrap();
        let mut out = Output::default();
        let mut writer = FrameWriter::new(frame_len).unwrap();
        writer.write(&data, &mut out.appender()).unwrap();
        writer.end(&mut out.appender()).unwrap();
        assert!(out.as_slice() == &framed[..length], "{name}");
    }
}
