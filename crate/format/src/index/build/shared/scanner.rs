//! Sections of a pack: ranges of its bytes that are read without the bytes before them. A
//! section begins at the first place that looks like an entry and inflates. That may be a
//! mistake, because content can look like entries. So the leader uses a section only if it
//! begins where the entry before it ends, and reads all other entries itself.

use super::super::{step, Build};
use super::section;
use crate::pack::{entries_end, Entry, EntryKind, HEADER_LEN, OFS_DELTA, REF_DELTA};
use packlens_base::block::BlockSource;
use packlens_base::error::Result;
use packlens_base::inflate::Inflater;
use packlens_base::limits::Limits;
use packlens_base::oid::{HashKind, MAX_OID_LEN};
use packlens_base::work_units::WorkUnits;

/// How many bytes are searched for an entry at a time.
const WINDOW: u64 = 16 << 10;

/// The most bytes from the start of an entry to the bytes that it is recognised by: a size and
/// a distance of at most 10 bytes each, an id, and a zlib header.
const LOOK_AHEAD: u64 = 10 + 10 + MAX_OID_LEN as u64 + 2;

/// How many places of a window are tried. In random bytes about 13 places look like an entry;
/// crafted bytes must not take much longer.
const TRIED: usize = 64;

/// An entry that inflates to more than this counts as one if its first bytes inflate.
const ENOUGH: u64 = 4 << 10;

/// The state of the section that is read.
#[derive(Clone, Copy)]
enum Section {
    None,
    Claimed(u32),
    /// The first entry is searched, from `from` on.
    Sought {
        from: u64,
        end: u64,
    },
    /// The entries that begin before `end` are read.
    Read {
        first: u64,
        end: u64,
    },
    /// The entries are read, and are to be reported.
    Done {
        first: u64,
    },
}

/// Reads the entries of some sections of the pack for the leader.
pub struct SectionScanner {
    /// The entries of the section.
    build: Build,
    /// The kinds of these entries.
    kinds: Vec<EntryKind>,
    section: Section,
    work_unit_entries: u32,
}

impl SectionScanner {
    /// Shares a build that has made no step. The pack is split into a section for each
    /// `work_unit_entries` entries.
    pub fn new(mut build: Build, work_unit_entries: u32) -> SectionScanner {
        // The leader hashes the pack.
        build.checksum.end = u64::MAX;
        let work_unit_entries = work_unit_entries.max(1);
        SectionScanner { build, kinds: Vec::new(), section: Section::None, work_unit_entries }
    }

    /// Returns how many sections there are.
    ///
    /// # Errors
    ///
    /// Missing bytes of the pack: provide them and call again.
    pub fn work_units<S: BlockSource>(&self, pack: &S) -> Result<WorkUnits> {
        self.build.work_units_of(self.build.sections(pack, self.work_unit_entries), pack)
    }

    /// Claims a section, after the one before is complete.
    pub fn claim(&mut self, section: u32) {
        self.section = Section::Claimed(section);
    }

    /// Returns whether there is nothing to do until the next claim.
    pub fn is_idle(&self) -> bool {
        matches!(self.section, Section::None | Section::Done { .. })
    }

    /// Works on a bounded number of bytes.
    ///
    /// # Errors
    ///
    /// Missing bytes of the pack: provide them and call again.
    pub fn step<S: BlockSource>(
        &mut self,
        pack: &S,
        inflater: &mut Inflater,
        limits: &Limits,
    ) -> Result<()> {
        let advance = |scanner: &mut SectionScanner| scanner.advance(pack, inflater, limits);
        step(self, |scanner| &scanner.build, SectionScanner::is_idle, advance)?;
        Ok(())
    }

    /// Returns the section once it is complete; `None` if it has no entries. First the offset
    /// of its first entry (8 bytes), then for each entry its length (8 bytes), its CRC-32
    /// checksum (4 bytes), its kind as in its head (1 byte), and the distance to its base (8
    /// bytes), the id of its base, or its own id.
    pub fn take_section(&mut self) -> Option<Vec<u8>> {
        let Section::Done { first } = self.section else {
            return None;
        };
        self.section = Section::None;
        let mut out = first.to_le_bytes().to_vec();
        let rows = &self.build.rows;
        for (at, kind) in (0u32..).zip(&self.kinds) {
            let row = rows.get(at)?;
            // The content takes part in a collision attack: the leader reports the error.
            if matches!(kind, EntryKind::Whole(_)) && !rows.has_id(at) {
                break;
            }
            let next = rows.get(at.saturating_add(1));
            let end = next.map_or(self.build.next_offset, |next| next.offset);
            section::append_entry(
                row,
                end.saturating_sub(row.offset),
                *kind,
                rows.id(at),
                &mut out,
            );
        }
        self.forget_entries();
        Some(out)
    }

    /// Returns the build.
    pub fn build(&self) -> &Build {
        &self.build
    }

    /// Returns how many bytes of memory this takes.
    pub fn memory(&self) -> u64 {
        let kinds = self.kinds.capacity().saturating_mul(size_of::<EntryKind>());
        self.build.memory().saturating_add(kinds as u64)
    }

    fn begin_section<S: BlockSource>(&mut self, pack: &S, number: u32) {
        let end = entries_end(pack, self.build.hash);
        let sections = self.build.sections(pack, self.work_unit_entries);
        let each = end.div_ceil(sections.max(1).into());
        let from = each.saturating_mul(number.into()).clamp(HEADER_LEN, end.max(HEADER_LEN));
        let end = from.saturating_add(each).min(end);
        self.forget_entries();
        self.section = match number {
            0 => self.section_at(HEADER_LEN, each.min(end)),
            _ => Section::Sought { from, end },
        };
    }

    /// Continues the claimed section. It ends early at an entry that cannot be read: the leader
    /// reads that entry itself, and reports the error.
    fn advance<S: BlockSource>(
        &mut self,
        pack: &S,
        inflater: &mut Inflater,
        limits: &Limits,
    ) -> Result<()> {
        let (first, end) = match self.section {
            Section::None | Section::Done { .. } => return Ok(()),
            Section::Claimed(number) => {
                self.begin_section(pack, number);
                return Ok(());
            }
            Section::Sought { from, end } => {
                return self.seek_entry(pack, from, end, inflater, limits)
            }
            Section::Read { first, end } => (first, end),
        };
        let build = &mut self.build;
        if build.next_offset < end && build.rows.len() < build.count {
            match build.scan(pack, inflater, limits) {
                Ok((_, kind)) => {
                    self.kinds.push(kind);
                    return Ok(());
                }
                Err(error) if error.is_missing() => return Err(error),
                Err(_) => build.scanning = None,
            }
        }
        if build.hash_all(pack).is_err() {
            self.forget_entries();
        }
        self.section = Section::Done { first };
        Ok(())
    }

    fn section_at(&mut self, first: u64, end: u64) -> Section {
        (self.build.next_offset, self.build.summed) = (first, first);
        Section::Read { first, end }
    }

    fn forget_entries(&mut self) {
        self.build.rows.truncate(0);
        self.kinds.clear();
    }

    /// Searches a window for the first entry of the section.
    fn seek_entry<S: BlockSource>(
        &mut self,
        pack: &S,
        from: u64,
        end: u64,
        inflater: &mut Inflater,
        limits: &Limits,
    ) -> Result<()> {
        let until = from.saturating_add(WINDOW).min(end);
        let hash = self.build.hash;
        let after = until.saturating_add(LOOK_AHEAD).min(entries_end(pack, hash));
        let mut window = vec![0; after.saturating_sub(from) as usize];
        pack.read_at(from, &mut window)?;
        let begins = |at: &usize| may_begin(window.get(*at..).unwrap_or_default(), hash);
        let length = until.saturating_sub(from) as usize;
        for at in (0..length).filter(begins).take(TRIED) {
            let offset = from.saturating_add(at as u64);
            if self.is_entry(pack, offset, inflater, limits)? {
                self.section = self.section_at(offset, end);
                return Ok(());
            }
        }
        self.build.count_work(until.saturating_sub(from));
        self.section = match until < end {
            true => Section::Sought { from: until, end },
            false => Section::None,
        };
        Ok(())
    }

    /// Returns whether an entry at `offset` has content that inflates.
    fn is_entry<S: BlockSource>(
        &mut self,
        pack: &S,
        offset: u64,
        inflater: &mut Inflater,
        limits: &Limits,
    ) -> Result<bool> {
        let read = Entry::decode(pack, self.build.hash, offset).and_then(|entry| {
            let size = limits.check_size(entry.size.min(ENOUGH))?;
            let scratch = &mut self.build.scratch;
            scratch.resize(scratch.len().max(size), 0);
            let out = scratch.get_mut(..size).unwrap_or_default();
            match entry.size {
                0..=ENOUGH => inflater.inflate(pack, entry.data_offset, out).map(|_| true),
                _ => inflater.beginning(pack, entry.data_offset, out).map(|made| made == size),
            }
        });
        match read {
            Err(error) if !error.is_missing() => Ok(false),
            read => read,
        }
    }
}

/// Returns whether an entry may begin with these bytes: a head, and a zlib header ([RFC
/// 1950](https://www.rfc-editor.org/rfc/rfc1950)).
fn may_begin(bytes: &[u8], hash: HashKind) -> bool {
    let number_end = |from: usize| {
        let rest = bytes.get(from..)?;
        let last = rest.iter().position(|byte| byte & 0x80 == 0)?;
        from.checked_add(last)?.checked_add(1)
    };
    let data = number_end(0).and_then(|end| match (*bytes.first()? >> 4) & 7 {
        1..=4 => Some(end),
        OFS_DELTA => number_end(end),
        REF_DELTA => end.checked_add(hash.len()),
        _ => None,
    });
    let rest = data.and_then(|at| bytes.get(at..)).unwrap_or_default();
    rest.first_chunk().is_some_and(|begin: &[u8; 2]| {
        let [method, _] = begin;
        method & 0xf == 8 && u16::from_be_bytes(*begin).is_multiple_of(31)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::object::ObjectType;
    use packlens_base::deflate::deflate;
    use packlens_base::hash::Hasher;
    use packlens_base::oid::ObjectId;

    /// No blob is known whose content takes part in a collision attack, so the test removes the
    /// id of one, as such a blob has none.
    #[test]
    fn a_section_ends_before_content_without_an_id() {
        let mut pack = b"PACK\0\0\0\x02\0\0\0\x03".to_vec();
        for content in [b"one", b"two", b"six"] {
            pack.push(((ObjectType::Blob as u8) << 4) | 3);
            deflate(content, &mut pack).unwrap();
        }
        let mut hasher = Hasher::new(HashKind::Sha1);
        hasher.update(&pack);
        pack.extend(hasher.finish().as_bytes());
        let section_without = |at: Option<u32>| {
            let build = Build::new(&pack.as_slice(), HashKind::Sha1).unwrap();
            let mut scanner = SectionScanner::new(build, 3);
            scanner.claim(0);
            while !scanner.is_idle() {
                let mut inflater = Inflater::default();
                scanner.step(&pack.as_slice(), &mut inflater, &Limits::default()).unwrap();
            }
            let none = ObjectId::from_bytes(HashKind::Sha1, &[0; 20]).unwrap();
            at.into_iter().for_each(|at| scanner.build.rows.set_id(at, &none));
            scanner.take_section().unwrap()
        };
        let whole = section_without(None);
        let each = (whole.len() - 8) / 3;
        assert_eq!(section_without(Some(1)), &whole[..8 + each]);
    }
}
