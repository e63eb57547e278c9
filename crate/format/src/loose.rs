//! Loose objects: a zlib stream of `<type> SP <size> NUL <content>`.

use crate::object::ObjectType;
use packlens_base::block::BlockSource;
use packlens_base::error::Result;
use packlens_base::inflate::{Inflater, Stream};
use packlens_base::oid::ObjectId;

/// The longest header that is searched for, in bytes: a type and 20 digits are shorter.
const MAX_HEADER_LEN: usize = 32;

/// A loose object with its header decoded.
pub struct Loose<'a, S> {
    stream: Stream<'a, S>,
    source: &'a S,
    /// The object type.
    pub object_type: ObjectType,
    /// The size of the content in bytes.
    pub size: u64,
    /// The start of the content, which was inflated together with the header.
    start: [u8; MAX_HEADER_LEN],
    start_len: usize,
    header_len: u64,
}

impl<'a, S: BlockSource> Loose<'a, S> {
    /// Reads the header.
    ///
    /// # Errors
    ///
    /// Missing bytes; [`Corrupt`](packlens_base::ErrorKind::Corrupt) if the header is malformed.
    pub fn open(inflater: &'a mut Inflater, source: &'a S) -> Result<Loose<'a, S>> {
        let mut stream = inflater.stream(source, 0);
        let mut start = [0; MAX_HEADER_LEN];
        let filled = stream.fill(&mut start)?;
        let text = start.get(..filled).unwrap_or_default();
        let (object_type, size, header_len) =
            header(text).ok_or_else(|| source.corrupt("a loose object has no valid header", 0))?;
        start.copy_within(header_len..filled, 0);
        let start_len = filled.saturating_sub(header_len);
        Ok(Loose {
            stream,
            source,
            object_type,
            size,
            start,
            start_len,
            header_len: header_len as u64,
        })
    }

    /// Returns the length of the header, including the NUL at its end.
    pub fn header_len(&self) -> u64 {
        self.header_len
    }

    /// Reads the content, which must fill `out` exactly.
    ///
    /// # Errors
    ///
    /// Missing bytes; [`Corrupt`](packlens_base::ErrorKind::Corrupt) if the content has another
    /// length, or if bytes follow it.
    pub fn read(mut self, out: &mut [u8]) -> Result<()> {
        let start = self.start.get(..self.start_len).unwrap_or_default();
        let (now, rest) = out
            .split_at_mut_checked(start.len())
            .ok_or_else(|| self.source.corrupt("inflates to more bytes than announced", 0))?;
        now.copy_from_slice(start);
        if self.stream.fill(rest)? < rest.len() {
            return Err(self.source.corrupt("inflates to fewer bytes than announced", 0));
        }
        let end = self.stream.finish()?;
        match end == self.source.size() {
            true => Ok(()),
            false => Err(self.source.corrupt("garbage at end of loose object", end)),
        }
    }
}

/// Decodes a header; returns type, size and the length of the header.
fn header(text: &[u8]) -> Option<(ObjectType, u64, usize)> {
    let nul = text.iter().position(|byte| *byte == 0)?;
    let (line, _) = text.split_at_checked(nul)?;
    let space = line.iter().position(|byte| *byte == b' ')?;
    let (name, digits) = line.split_at_checked(space)?;
    let digits = digits.get(1..)?;
    let canonical = matches!(digits, [b'0'] | [b'1'..=b'9', ..]);
    let digits = digits.iter().map(|digit| char::from(*digit).to_digit(10));
    let size = digits
        .into_iter()
        .try_fold(0u64, |size, digit| size.checked_mul(10)?.checked_add(digit?.into()))?;
    let object_type = ObjectType::from_name(name).filter(|_| canonical)?;
    Some((object_type, size, nul.saturating_add(1)))
}

/// Returns the path of a loose object in an object directory.
pub fn path_in(directory: &[u8], id: &ObjectId) -> Vec<u8> {
    let hex = id.to_hex();
    let name = hex.get(2..).unwrap_or_default();
    [&directory_in(directory, id.first_byte()), &b"/"[..], name.as_bytes()].concat()
}

/// Returns the path of the subdirectory for loose objects whose ids begin with `byte`.
pub fn directory_in(directory: &[u8], byte: u8) -> Vec<u8> {
    [directory, b"/", &packlens_base::oid::hex_digits(byte)].concat()
}

/// Returns the id of the loose object with file name `name` in the subdirectory for `byte`;
/// `None` if the name is not that of an object.
pub fn id_of_name(hash: packlens_base::oid::HashKind, byte: u8, name: &[u8]) -> Option<ObjectId> {
    let mut hex = packlens_base::oid::hex_digits(byte).to_vec();
    hex.extend(name);
    ObjectId::from_hex(hash, &hex).filter(|id| id.to_hex().as_bytes() == hex)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{deflate, in_parts};
    use packlens_base::error::ErrorKind;
    use packlens_base::FileId;

    fn read(stored: &[u8], part: usize) -> Result<(ObjectType, Vec<u8>)> {
        let files = in_parts(stored, part);
        let source = files.source(FileId::from_number(0));
        let mut inflater = Inflater::default();
        let loose = Loose::open(&mut inflater, &source)?;
        let mut out = vec![0; usize::try_from(loose.size).unwrap().min(1 << 20)];
        let object_type = loose.object_type;
        loose.read(&mut out)?;
        Ok((object_type, out))
    }

    #[test]
    fn any_content_in_parts_of_any_size() {
        for length in [0, 1, 20, 25, 26, 100, 70_000] {
            let content: Vec<u8> = (0..length).map(|at: u32| at.wrapping_mul(at) as u8).collect();
            let stored = deflate(&[format!("blob {length}\0").as_bytes(), &content].concat());
            for part in [1, 7, 512, 65536] {
                let read = read(&stored, part).unwrap();
                assert!(read == (ObjectType::Blob, content.clone()), "{length} in {part}");
            }
        }
    }

    #[test]
    fn headers_that_git_does_not_write_are_refused() {
        for text in [
            "",
            "blob 1",
            "blob\0a",
            "blob \0",
            "blob 01\0a",
            "blob +1\0a",
            "blob 1 \0a",
            "thing 1\0a",
            "blob 99999999999999999999\0a",
            "blob 2\0a",
            "blob 0\0a",
            "blob 3\0aa",
        ] {
            let error = read(&deflate(text.as_bytes()), 99).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Corrupt, "{text:?}");
        }
        let mut followed = deflate(b"blob 1\0a");
        followed.push(0);
        assert_eq!(read(&followed, 99).unwrap_err().what(), "garbage at end of loose object");
    }
}
