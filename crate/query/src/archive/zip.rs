//! The format zip: <https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT>.

use super::Header;
use crate::odb::{ReadHint, Stored, Verify};
use crate::path_attributes::PathAttributes;
use crate::repository::Repository;
use packlens_base::block::BlockSource;
use packlens_base::deflate::Deflater;
use packlens_base::error::{Error, ErrorKind, Result};
use packlens_base::hash::{object_id, Crc32};
use packlens_base::inflate::Inflater;
use packlens_base::oid::ObjectId;
use packlens_diff::is_binary;
use packlens_format::attributes::AttributeState;
use packlens_format::config::{config_section, is_true, Variable};
use packlens_format::object::ObjectType;

/// The bytes of a zlib stream before and after its deflated data.
const ZLIB_HEAD: u64 = 2;
const ZLIB_SUM: u64 = 4;

/// The names are UTF-8.
const UTF8: u16 = 1 << 11;
/// The sizes follow the data.
const STREAMED: u16 = 1 << 3;

pub(super) struct Zip {
    commit: Option<ObjectId>,
    mtime: u64,
    written: u64,
    entries: u64,
    /// The central directory.
    directory: Vec<u8>,
    inflater: Box<Inflater>,
    current: Option<Current>,
    /// How hard to compress; `None` for the default, and for what packs have.
    level: Option<u32>,
    /// The variables of the diff drivers, by the names of these.
    drivers: Vec<Variable>,
}

/// A large file that is being written.
struct Current {
    entry: Entry,
    path: Vec<u8>,
    /// Whether the file is binary; `None` until its first bytes are there.
    said_binary: Option<bool>,
    crc: Crc32,
    /// None, if the file is not compressed.
    deflater: Option<Deflater>,
}

/// What the headers say of an entry.
#[derive(Clone, Copy, Default)]
struct Entry {
    flags: u16,
    method: u16,
    crc: u32,
    deflated: u64,
    size: u64,
    /// Where the local header is.
    offset: u64,
    made_by: u16,
    is_text: bool,
    attributes: u32,
}

/// The content of a blob, and its deflated form as a pack has it.
pub(super) struct StoredBlob {
    pub(super) content: Vec<u8>,
    pub(super) deflated: Vec<u8>,
}

impl Zip {
    pub(super) fn new(
        commit: Option<ObjectId>,
        mtime: u64,
        level: Option<u32>,
        config: &[u8],
    ) -> Zip {
        Zip {
            commit,
            mtime,
            written: 0,
            entries: 0,
            directory: Vec::new(),
            inflater: Box::default(),
            current: None,
            level,
            drivers: config_section(config, "diff"),
        }
    }

    /// Reads a blob that a pack has whole, so that it need not be deflated again; `None` for any
    /// other.
    pub(super) fn stored(
        &mut self,
        repository: &mut Repository,
        id: &ObjectId,
    ) -> Result<Option<StoredBlob>> {
        if self.level.is_some() {
            return Ok(None);
        }
        let hint = ReadHint::default();
        let (real, _) = repository.odb.hinted(id, &hint)?;
        let (info, stored) = repository.odb.open_stored(&mut repository.files, (id, &hint))?;
        let is_packed = matches!(info.stored, Stored::Packed { .. });
        let Some(stored) = stored.filter(|_| is_packed && info.object_type == ObjectType::Blob)
        else {
            return Ok(None);
        };
        let mut content = repository.limits().buffer(info.size)?;
        let source = repository.files.source(stored.file);
        let mut stream = self.inflater.stream(&source, stored.data_offset);
        if (stream.fill(&mut content)? as u64) < info.size {
            return Err(
                source.corrupt("inflates to fewer bytes than announced", stored.data_offset)
            );
        }
        let end = stream.finish()?.saturating_sub(ZLIB_SUM);
        if repository.verify != Verify::None
            && object_id(repository.hash(), ObjectType::Blob, &content) != real
        {
            let what = "the content does not match its object id";
            return Err(Error::new(ErrorKind::Corrupt, what).about(id.to_hex()));
        }
        let start = stored.data_offset.saturating_add(ZLIB_HEAD);
        let mut deflated = repository.limits().buffer(end.saturating_sub(start))?;
        source.read_at(start, &mut deflated)?;
        Ok(Some(StoredBlob { content, deflated }))
    }

    pub(super) fn directory(&mut self, header: &Header<'_>, out: &mut Vec<u8>) -> Result<()> {
        let entry = Entry { attributes: 1 << 4, ..self.entry(header) };
        self.local(header.path, &entry, out);
        self.central(header.path, &entry);
        Ok(())
    }

    pub(super) fn file(
        &mut self,
        header: &Header<'_>,
        content: &[u8],
        deflated: Option<Vec<u8>>,
        attributes: &PathAttributes,
        out: &mut Vec<u8>,
    ) -> Result<()> {
        let mut entry = self.entry(header);
        let said = self.is_said_binary(attributes);
        entry.is_text = !said.unwrap_or_else(|| is_binary(content));
        entry.crc = Crc32::of(content);
        entry.deflated = entry.size;
        let deflated = match deflated {
            Some(deflated) => deflated,
            None if header.mode.is_file() && !content.is_empty() && self.level != Some(0) => {
                let mut deflater = Deflater::new(self.level);
                let mut deflated = Vec::new();
                deflater.add(content, &mut deflated)?;
                deflater.finish(&mut deflated)?;
                deflated
            }
            None => Vec::new(),
        };
        let is_smaller = !deflated.is_empty() && deflated.len() < content.len();
        let data = if is_smaller { deflated.as_slice() } else { content };
        if is_smaller {
            entry.method = 8;
            entry.deflated = deflated.len() as u64;
        }
        self.local(header.path, &entry, out);
        self.append(data, out)?;
        self.central(header.path, &entry);
        Ok(())
    }

    /// Begins a file whose deflated size is not known yet.
    pub(super) fn begin_content(
        &mut self,
        header: &Header<'_>,
        attributes: &PathAttributes,
        out: &mut Vec<u8>,
    ) -> Result<()> {
        let mut entry = self.entry(header);
        entry.flags |= STREAMED;
        let deflater = (self.level != Some(0)).then(|| Deflater::new(self.level));
        entry.method = if deflater.is_some() { 8 } else { 0 };
        // The local header does not say the size.
        self.local(header.path, &Entry { size: 0, ..entry }, out);
        let path = header.path.to_vec();
        let crc = Crc32::new();
        let said_binary = self.is_said_binary(attributes);
        self.current = Some(Current { entry, path, said_binary, crc, deflater });
        Ok(())
    }

    pub(super) fn content(&mut self, part: &[u8], out: &mut Vec<u8>) -> Result<()> {
        let Some(mut current) = self.current.take() else { return Ok(()) };
        let is_binary = *current.said_binary.get_or_insert_with(|| is_binary(part));
        current.entry.is_text = !is_binary;
        current.crc.update(part);
        let before = out.len();
        match &mut current.deflater {
            Some(deflater) => deflater.add(part, out)?,
            None => out.extend_from_slice(part),
        }
        let made = out.len().saturating_sub(before) as u64;
        current.entry.deflated = current.entry.deflated.saturating_add(made);
        self.written = self.written.saturating_add(made);
        self.current = Some(current);
        Ok(())
    }

    pub(super) fn end_content(&mut self, out: &mut Vec<u8>) -> Result<()> {
        let Some(mut current) = self.current.take() else { return Ok(()) };
        let before = out.len();
        if let Some(deflater) = &mut current.deflater {
            deflater.finish(out)?;
        }
        let made = out.len().saturating_sub(before) as u64;
        let entry = &mut current.entry;
        entry.deflated = entry.deflated.saturating_add(made);
        entry.crc = current.crc.finish();
        out.extend_from_slice(b"PK\x07\x08");
        out.extend_from_slice(&entry.crc.to_le_bytes());
        // Sizes of 8 bytes, if one of them needs as many.
        for number in [entry.deflated, entry.size] {
            match is_large(entry) {
                true => out.extend_from_slice(&number.to_le_bytes()),
                false => out.extend_from_slice(&(number as u32).to_le_bytes()),
            }
        }
        self.written = self.written.saturating_add(out.len().saturating_sub(before) as u64);
        self.central(&current.path, &current.entry);
        Ok(())
    }

    /// Writes the central directory and what follows it; the commit is the comment.
    pub(super) fn end(&mut self, out: &mut Vec<u8>) -> Result<()> {
        let start = self.written;
        let directory = std::mem::take(&mut self.directory);
        let length = directory.len() as u64;
        self.append(&directory, out)?;
        let needs_64 = self.entries > 0xffff || start > 0xffff_ffff || length > 0xffff_ffff;
        if needs_64 {
            out.extend_from_slice(b"PK\x06\x06");
            out.extend_from_slice(&44_u64.to_le_bytes());
            out.extend_from_slice(&[45, 0, 45, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
            for number in [self.entries, self.entries, length, start] {
                out.extend_from_slice(&number.to_le_bytes());
            }
            out.extend_from_slice(b"PK\x06\x07\0\0\0\0");
            out.extend_from_slice(&self.written.to_le_bytes());
            out.extend_from_slice(&1_u32.to_le_bytes());
        }
        let comment = self.commit.map(|id| id.to_hex()).unwrap_or_default();
        out.extend_from_slice(b"PK\x05\x06\0\0\0\0");
        let entries = self.entries.min(0xffff) as u16;
        out.extend_from_slice(&entries.to_le_bytes());
        out.extend_from_slice(&entries.to_le_bytes());
        out.extend_from_slice(&low(length).to_le_bytes());
        out.extend_from_slice(&low(start).to_le_bytes());
        out.extend_from_slice(&(comment.len() as u16).to_le_bytes());
        out.extend_from_slice(comment.as_bytes());
        Ok(())
    }

    pub(super) fn memory(&self) -> u64 {
        let current = self.current.as_ref().and_then(|current| current.deflater.as_ref());
        let current = current.map_or(0, Deflater::memory);
        current
            .saturating_add(self.inflater.memory())
            .saturating_add(self.directory.capacity() as u64)
    }

    fn append(&mut self, bytes: &[u8], out: &mut Vec<u8>) -> Result<()> {
        out.try_reserve(bytes.len()).map_err(|_| Error::new(ErrorKind::Limit, "out of memory"))?;
        out.extend_from_slice(bytes);
        self.written = self.written.saturating_add(bytes.len() as u64);
        Ok(())
    }

    fn entry(&self, header: &Header<'_>) -> Entry {
        let is_plain = header.path.is_ascii() || std::str::from_utf8(header.path).is_err();
        let mode = header.mode;
        let is_link = !mode.is_file() && !mode.is_tree() && !mode.is_gitlink();
        let bits = match () {
            () if is_link => mode.canonical().0 | 0o777,
            () if mode.is_file() && mode.0 & 0o111 != 0 => mode.canonical().0,
            () => 0,
        };
        Entry {
            flags: if is_plain { 0 } else { UTF8 },
            size: header.size,
            offset: self.written,
            // Made on Unix, if the mode says more than that it is a file.
            made_by: if bits == 0 { 0 } else { 0x0317 },
            attributes: bits.wrapping_shl(16),
            ..Entry::default()
        }
    }

    /// Returns whether attributes say that a file is binary; `None` if its content says so.
    fn is_said_binary(&self, attributes: &PathAttributes) -> Option<bool> {
        match attributes.of("diff")? {
            AttributeState::Unset => Some(true),
            AttributeState::Set => Some(false),
            AttributeState::Value(driver) => {
                let name = [driver.as_slice(), b".binary"].concat();
                let mut variables = self.drivers.iter().rev();
                let (_, value) = variables.find(|(variable, _)| *variable == name)?;
                Some(is_true(value.as_deref()))
            }
            AttributeState::Unspecified => None,
        }
    }

    fn local(&mut self, path: &[u8], entry: &Entry, out: &mut Vec<u8>) {
        let before = out.len();
        let extra = self.extra(entry, false);
        out.extend_from_slice(b"PK\x03\x04");
        self.common(entry, out);
        out.extend_from_slice(&(path.len() as u16).to_le_bytes());
        out.extend_from_slice(&(extra.len() as u16).to_le_bytes());
        out.extend_from_slice(path);
        out.extend_from_slice(&extra);
        self.written = self.written.saturating_add(out.len().saturating_sub(before) as u64);
    }

    fn central(&mut self, path: &[u8], entry: &Entry) {
        let extra = self.extra(entry, true);
        let mut row = b"PK\x01\x02".to_vec();
        row.extend_from_slice(&entry.made_by.to_le_bytes());
        self.common(entry, &mut row);
        row.extend_from_slice(&(path.len() as u16).to_le_bytes());
        row.extend_from_slice(&(extra.len() as u16).to_le_bytes());
        // No comment, on disk 0.
        row.extend_from_slice(&[0; 4]);
        row.extend_from_slice(&u16::from(entry.is_text).to_le_bytes());
        row.extend_from_slice(&entry.attributes.to_le_bytes());
        row.extend_from_slice(&low(entry.offset).to_le_bytes());
        row.extend_from_slice(path);
        row.extend_from_slice(&extra);
        self.directory.extend_from_slice(&row);
        self.entries = self.entries.saturating_add(1);
    }

    /// Appends what the local header and the central directory both have of an entry.
    fn common(&self, entry: &Entry, out: &mut Vec<u8>) {
        let version: u16 = if is_large(entry) || entry.offset > 0xffff_ffff { 45 } else { 10 };
        let (time, date) = dos_time(self.mtime);
        for number in [version, entry.flags, entry.method, time, date] {
            out.extend_from_slice(&number.to_le_bytes());
        }
        out.extend_from_slice(&entry.crc.to_le_bytes());
        let sizes = [entry.deflated, entry.size];
        for number in sizes {
            let number = if is_large(entry) { u32::MAX } else { number as u32 };
            out.extend_from_slice(&number.to_le_bytes());
        }
    }

    /// Returns the extra fields: the date in seconds, and numbers that do not fit in 4 bytes.
    fn extra(&self, entry: &Entry, is_central: bool) -> Vec<u8> {
        let mut extra = b"UT\x05\0\x01".to_vec();
        extra.extend_from_slice(&(self.mtime as u32).to_le_bytes());
        let mut numbers = Vec::new();
        if is_large(entry) {
            numbers.extend([entry.size, entry.deflated]);
        }
        if is_central && entry.offset > 0xffff_ffff {
            numbers.push(entry.offset);
        }
        if !numbers.is_empty() {
            let length = (numbers.len() as u16).saturating_mul(8);
            extra.extend_from_slice(b"\x01\0");
            extra.extend_from_slice(&length.to_le_bytes());
            numbers.iter().for_each(|number| extra.extend_from_slice(&number.to_le_bytes()));
        }
        extra
    }
}

fn is_large(entry: &Entry) -> bool {
    entry.size > 0xffff_fffe || entry.deflated > 0xffff_fffe
}

fn low(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// Returns the time of day and the day of a date as MS-DOS has them, in UTC.
fn dos_time(seconds: u64) -> (u16, u16) {
    let (year, month, day) = super::substitute::civil_day(seconds / 86_400);
    let clock = seconds % 86_400;
    let (hours, minutes, seconds) = (clock / 3600, clock / 60 % 60, clock % 60);
    let time = (hours << 11) | (minutes << 5) | (seconds / 2);
    // Years before 1980 wrap around, as in git.
    let date = year.wrapping_sub(1980).wrapping_shl(9) | (month << 5) | day;
    (time as u16, date as u16)
}
