//! The format tar, in the dialect that git writes: ustar, with pax headers for what does not fit.

use super::Header;
use packlens_base::error::{Error, ErrorKind, Result};
use packlens_base::oid::ObjectId;

const RECORD: usize = 512;
/// An archive is a multiple of this long.
const BLOCK: u64 = 20 * RECORD as u64;
/// The largest number in 11 octal digits.
const MOST: u64 = 0o77_777_777_777;
const NAME_LEN: usize = 100;
const PREFIX_LEN: usize = 155;

pub(super) struct Tar {
    mtime: u64,
    umask: u32,
    written: u64,
}

/// The fields of a header that differ between entries.
struct Fields<'a> {
    name: &'a [u8],
    prefix: &'a [u8],
    mode: u32,
    size: u64,
    kind: u8,
    link: &'a [u8],
}

impl Tar {
    pub(super) fn new(commit: Option<ObjectId>, mtime: u64, umask: u32, out: &mut Vec<u8>) -> Tar {
        let mut tar = Tar { mtime: mtime.min(MOST), umask, written: 0 };
        let mut records = Vec::new();
        if let Some(id) = commit {
            append_record(&mut records, "comment", id.to_hex().as_bytes());
        }
        if mtime > MOST {
            append_record(&mut records, "mtime", mtime.to_string().as_bytes());
        }
        if !records.is_empty() {
            tar.records(b"pax_global_header", b'g', &records, out);
        }
        tar
    }

    /// Writes the header of an entry; a symbolic link has its target.
    pub(super) fn header(
        &mut self,
        header: &Header<'_>,
        target: &[u8],
        out: &mut Vec<u8>,
    ) -> Result<()> {
        let hex = header.oid.to_hex();
        let mode = header.mode;
        let (kind, bits) = if mode.is_file() {
            let all = if mode.0 & 0o100 == 0 { 0o666 } else { 0o777 };
            (b'0', (mode.canonical().0 | all) & !self.umask)
        } else if mode.is_tree() || mode.is_gitlink() {
            (b'5', 0o777 & !self.umask)
        } else {
            (b'2', 0o777)
        };
        let mut records = Vec::new();
        let data = format!("{hex}.data").into_bytes();
        let (mut prefix, mut name) = (&b""[..], header.path);
        if header.path.len() > NAME_LEN {
            (prefix, name) = match split(header.path) {
                Some(parts) => parts,
                None => {
                    append_record(&mut records, "path", header.path);
                    (&b""[..], data.as_slice())
                }
            };
        }
        let see = format!("see {hex}.paxheader").into_bytes();
        let mut link = target;
        if target.len() > NAME_LEN {
            append_record(&mut records, "linkpath", target);
            link = &see;
        }
        let mut size = if kind == b'0' { header.size } else { 0 };
        if size > MOST {
            append_record(&mut records, "size", size.to_string().as_bytes());
            size = 0;
        }
        if !records.is_empty() {
            self.records(format!("{hex}.paxheader").as_bytes(), b'x', &records, out);
        }
        self.append(&Fields { name, prefix, mode: bits, size, kind, link }, out);
        Ok(())
    }

    pub(super) fn content(&mut self, part: &[u8], out: &mut Vec<u8>) -> Result<()> {
        out.try_reserve(part.len()).map_err(|_| Error::new(ErrorKind::Limit, "out of memory"))?;
        out.extend_from_slice(part);
        self.written = self.written.saturating_add(part.len() as u64);
        Ok(())
    }

    pub(super) fn end_content(&mut self, out: &mut Vec<u8>) -> Result<()> {
        self.pad(RECORD as u64, out);
        Ok(())
    }

    /// Writes two empty records, and fills the last block.
    pub(super) fn end(&mut self, out: &mut Vec<u8>) -> Result<()> {
        let end = [0; 2 * RECORD];
        out.extend_from_slice(&end);
        self.written = self.written.saturating_add(end.len() as u64);
        self.pad(BLOCK, out);
        Ok(())
    }

    fn pad(&mut self, to: u64, out: &mut Vec<u8>) {
        let end = self.written.next_multiple_of(to);
        let missing = end.saturating_sub(self.written);
        out.resize(out.len().saturating_add(missing as usize), 0);
        self.written = end;
    }

    fn records(&mut self, name: &[u8], kind: u8, records: &[u8], out: &mut Vec<u8>) {
        let size = records.len() as u64;
        let fields = Fields { name, prefix: b"", mode: 0o666, size, kind, link: b"" };
        self.append(&fields, out);
        out.extend_from_slice(records);
        self.written = self.written.saturating_add(size);
        self.pad(RECORD as u64, out);
    }

    fn append(&mut self, fields: &Fields<'_>, out: &mut Vec<u8>) {
        let mut header = [0; RECORD];
        let mut place = |at: usize, bytes: &[u8]| {
            let end = at.saturating_add(bytes.len());
            if let Some(place) = header.get_mut(at..end) {
                place.copy_from_slice(bytes);
            }
        };
        place(0, fields.name);
        place(100, format!("{:07o}", fields.mode & 0o7777).as_bytes());
        place(108, b"0000000");
        place(116, b"0000000");
        place(124, format!("{:011o}", fields.size).as_bytes());
        place(136, format!("{:011o}", self.mtime).as_bytes());
        place(148, b"        ");
        place(156, &[fields.kind]);
        place(157, fields.link);
        place(257, b"ustar\x0000");
        place(265, b"root");
        place(297, b"root");
        place(329, b"0000000");
        place(337, b"0000000");
        place(345, fields.prefix);
        let sum = header.iter().fold(0_u32, |sum, byte| sum.saturating_add(u32::from(*byte)));
        if let Some(place) = header.get_mut(148..156) {
            place.copy_from_slice(format!("{sum:07o}\0").as_bytes());
        }
        out.extend_from_slice(&header);
        self.written = self.written.saturating_add(RECORD as u64);
    }
}

/// Splits a long path at a slash, so that its halves fit into a header.
fn split(path: &[u8]) -> Option<(&[u8], &[u8])> {
    let before = path.strip_suffix(b"/").unwrap_or(path);
    // The slash itself is in neither half, but git counts it.
    let before = before.get(..before.len().min(PREFIX_LEN))?;
    let at = before.iter().rposition(|byte| *byte == b'/').filter(|at| *at > 0)?;
    let (prefix, rest) = path.split_at_checked(at)?;
    let name = rest.get(1..)?;
    (name.len() <= NAME_LEN).then_some((prefix, name))
}

/// Appends a record of a pax header, which begins with its own length.
fn append_record(records: &mut Vec<u8>, keyword: &str, value: &[u8]) {
    let rest = keyword.len().saturating_add(value.len()).saturating_add(3);
    let digits = |length: usize| length.to_string().len();
    let mut length = rest.saturating_add(digits(rest));
    // The digits of the length count, too.
    length = rest.saturating_add(digits(length));
    records.extend_from_slice(format!("{length} {keyword}=").as_bytes());
    records.extend_from_slice(value);
    records.push(b'\n');
}
