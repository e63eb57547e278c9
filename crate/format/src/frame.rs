//! Streams in frames: each frame is a length and that many bytes.
//!
//! The length is a signed number of 4 bytes, high byte first. A frame of length 0 ends a part.
//! A negative length starts an interruption: a part of its own, such as a progress report or
//! an error, after which the interrupted part continues. These are the payload frames of
//! Mercurial's bundle2, whose only interruption is -1.

use packlens_base::appender::Append;
use packlens_base::error::{Error, ErrorKind, Result};

/// The default length of the longest frame, in bytes.
pub const DEFAULT_FRAME_LEN: usize = 32 << 10;

/// The length that starts an interruption.
pub const INTERRUPT: i32 = -1;

/// Collects bytes and writes them as frames.
///
/// A frame is written when it is full or flushed: the reader has to wait for the whole frame.
pub struct FrameWriter {
    pending: Vec<u8>,
    frame_len: usize,
}

impl FrameWriter {
    /// Creates a writer of frames of at most `frame_len` bytes.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::BadInput`] if `frame_len` is 0 or does not fit in a length.
    pub fn new(frame_len: usize) -> Result<FrameWriter> {
        if frame_len == 0 || i32::try_from(frame_len).is_err() {
            return Err(Error::new(ErrorKind::BadInput, "no length for a frame"));
        }
        Ok(FrameWriter { pending: Vec::new(), frame_len })
    }

    /// Adds bytes to the part, and writes full frames to `out`.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Limit`] if there is no room in `out`.
    pub fn write(&mut self, mut bytes: &[u8], out: &mut impl Append) -> Result<()> {
        while self.pending.len().saturating_add(bytes.len()) >= self.frame_len {
            let take = self.frame_len.saturating_sub(self.pending.len());
            let (now, later) = bytes.split_at_checked(take).unwrap_or((bytes, b""));
            out.bytes(&length_bytes(self.frame_len))?;
            out.bytes(&self.pending)?;
            out.bytes(now)?;
            self.pending.clear();
            bytes = later;
        }
        self.pending.extend_from_slice(bytes);
        Ok(())
    }

    /// Writes the collected bytes as a frame, if there are any.
    ///
    /// # Errors
    ///
    /// As [`FrameWriter::write`].
    pub fn flush(&mut self, out: &mut impl Append) -> Result<()> {
        if !self.pending.is_empty() {
            out.bytes(&length_bytes(self.pending.len()))?;
            out.bytes(&self.pending)?;
            self.pending.clear();
        }
        Ok(())
    }

    /// Ends the part.
    ///
    /// # Errors
    ///
    /// As [`FrameWriter::write`].
    pub fn end(&mut self, out: &mut impl Append) -> Result<()> {
        self.flush(out)?;
        out.bytes(&length_bytes(0))
    }

    /// Writes an interruption between two frames, after which the part continues.
    ///
    /// # Errors
    ///
    /// As [`FrameWriter::write`].
    pub fn interrupt(&mut self, bytes: &[u8], out: &mut impl Append) -> Result<()> {
        self.flush(out)?;
        out.bytes(&INTERRUPT.to_be_bytes())?;
        let mut inner = FrameWriter::new(self.frame_len)?;
        inner.write(bytes, out)?;
        inner.end(out)
    }
}

fn length_bytes(length: usize) -> [u8; 4] {
    i32::try_from(length).unwrap_or(i32::MAX).to_be_bytes()
}

/// An event in a stream of frames.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum FrameEvent<'a> {
    /// Bytes of the part; a frame may come in several events.
    Data(&'a [u8]),
    /// Bytes of an interruption.
    Interruption(&'a [u8]),
    /// The end of the interruption.
    InterruptionEnd,
    /// The end of the part.
    End,
}

/// Reads frames from bytes that come in pieces of any size. The reader stores at most 4 bytes;
/// all others are passed on without a copy.
#[derive(Default)]
pub struct FrameReader {
    length: [u8; 4],
    length_read: usize,
    left: usize,
    interrupted: bool,
    ended: bool,
}

impl FrameReader {
    /// Reads the next bytes and reports each event to `found`, up to the end of the part.
    /// Returns the bytes after that.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Corrupt`] for an impossible length, or an interruption inside another; the
    /// errors of `found`.
    pub fn read<'a>(
        &mut self,
        mut bytes: &'a [u8],
        mut found: impl FnMut(FrameEvent<'_>) -> Result<()>,
    ) -> Result<&'a [u8]> {
        while !bytes.is_empty() && !self.ended {
            if self.left > 0 {
                let (now, later) = bytes.split_at_checked(self.left).unwrap_or((bytes, b""));
                self.left = self.left.saturating_sub(now.len());
                bytes = later;
                found(match self.interrupted {
                    true => FrameEvent::Interruption(now),
                    false => FrameEvent::Data(now),
                })?;
                continue;
            }
            bytes = self.read_length(bytes);
            if self.length_read == self.length.len() {
                self.length_read = 0;
                if let Some(event) = self.begin_frame(i32::from_be_bytes(self.length))? {
                    found(event)?;
                }
            }
        }
        Ok(bytes)
    }

    fn read_length<'a>(&mut self, bytes: &'a [u8]) -> &'a [u8] {
        let mut rest = bytes;
        while let Some(to) = self.length.get_mut(self.length_read) {
            let Some((first, behind)) = rest.split_first() else { break };
            *to = *first;
            self.length_read = self.length_read.saturating_add(1);
            rest = behind;
        }
        rest
    }

    fn begin_frame(&mut self, length: i32) -> Result<Option<FrameEvent<'static>>> {
        match usize::try_from(length) {
            Ok(0) if self.interrupted => {
                self.interrupted = false;
                Ok(Some(FrameEvent::InterruptionEnd))
            }
            Ok(0) => {
                self.ended = true;
                Ok(Some(FrameEvent::End))
            }
            Ok(length) => {
                self.left = length;
                Ok(None)
            }
            Err(_) if length == INTERRUPT && !self.interrupted => {
                self.interrupted = true;
                Ok(None)
            }
            Err(_) => Err(Error::new(ErrorKind::Corrupt, "a frame of an impossible length")),
        }
    }

    /// Returns whether the part has ended.
    pub fn has_ended(&self) -> bool {
        self.ended
    }

    /// Checks that the stream is complete when no more bytes come.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Corrupt`] if the part has not ended.
    pub fn finish(&self) -> Result<()> {
        match self.ended {
            true => Ok(()),
            false => Err(Error::new(ErrorKind::Corrupt, "the frames break off")),
        }
    }

    /// Starts the next part.
    pub fn next_part(&mut self) {
        *self = FrameReader::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use packlens_base::appender::Output;

    fn payload(length: usize) -> Vec<u8> {
        (0..length).map(|at| (at * 7 + at / 251) as u8).collect()
    }

    /// Reads a part from bytes that come in pieces of length `piece`.
    fn read(framed: &[u8], piece: usize) -> Result<(Vec<u8>, Vec<Vec<u8>>)> {
        let mut reader = FrameReader::default();
        let (mut data, mut interruptions) = (Vec::new(), Vec::new());
        let mut open = Vec::new();
        for bytes in framed.chunks(piece) {
            let rest = reader.read(bytes, |event| {
                match event {
                    FrameEvent::Data(bytes) => data.extend(bytes),
                    FrameEvent::Interruption(bytes) => open.extend(bytes),
                    FrameEvent::InterruptionEnd => interruptions.push(std::mem::take(&mut open)),
                    FrameEvent::End => {}
                }
                Ok(())
            })?;
            assert!(rest.is_empty() || reader.has_ended());
        }
        reader.finish()?;
        Ok((data, interruptions))
    }

    #[test]
    fn any_payload_in_frames_of_any_length_split_anywhere() {
        for length in [0, 1, 5, 4096, 10_000] {
            for frame_len in [1, 4, 4096, 32 << 10] {
                let payload = payload(length);
                let mut out = Output::default();
                let mut writer = FrameWriter::new(frame_len).unwrap();
                for bytes in payload.chunks(999) {
                    writer.write(bytes, &mut out.appender()).unwrap();
                }
                writer.end(&mut out.appender()).unwrap();
                let frames = length.div_ceil(frame_len);
                assert_eq!(out.len(), length + 4 * (frames + 1), "{length} in {frame_len}");
                for piece in [1, 3, 1000, 1 << 20] {
                    let (data, _) = read(out.as_slice(), piece).unwrap();
                    assert!(data == payload, "{length} in {frame_len} by {piece}");
                }
            }
        }
    }

    #[test]
    fn an_interruption_comes_between_frames_and_the_part_goes_on() {
        let mut out = Output::default();
        let mut appender = out.appender();
        let mut writer = FrameWriter::new(10).unwrap();
        writer.write(b"before", &mut appender).unwrap();
        writer.interrupt(b"progress: 50 of 100", &mut appender).unwrap();
        writer.write(b"after", &mut appender).unwrap();
        writer.interrupt(b"", &mut appender).unwrap();
        writer.end(&mut appender).unwrap();
        drop(appender);
        for piece in [1, 2, 100] {
            let (data, interruptions) = read(out.as_slice(), piece).unwrap();
            assert_eq!(data, b"beforeafter");
            assert_eq!(interruptions, [&b"progress: 50 of 100"[..], b""]);
        }
    }

    #[test]
    fn lengths_that_cannot_be_are_errors_and_take_no_memory() {
        for framed in [
            &i32::MIN.to_be_bytes()[..],
            &(-2i32).to_be_bytes(),
            &[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff],
            &i32::MAX.to_be_bytes(),
            &[0, 0, 0],
            &[],
        ] {
            assert_eq!(read(framed, 99).unwrap_err().kind(), ErrorKind::Corrupt, "{framed:?}");
        }
    }

    #[test]
    fn every_cut_is_noticed() {
        let mut out = Output::default();
        let mut writer = FrameWriter::new(5).unwrap();
        writer.write(b"twelve bytes", &mut out.appender()).unwrap();
        writer.end(&mut out.appender()).unwrap();
        for length in 0..out.len() {
            assert!(read(&out.as_slice()[..length], 3).is_err(), "cut to {length}");
        }
    }

    #[test]
    fn a_flush_hands_over_what_there_is() {
        let mut out = Output::default();
        let mut writer = FrameWriter::new(100).unwrap();
        writer.write(b"abc", &mut out.appender()).unwrap();
        assert!(out.is_empty());
        writer.flush(&mut out.appender()).unwrap();
        assert_eq!(out.as_slice(), b"\0\0\0\x03abc");
        assert!(FrameWriter::new(0).is_err());
    }
}
