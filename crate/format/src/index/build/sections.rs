//! Sections of a pack: ranges of its bytes that are read without the bytes before them. A
//! section begins at the first place that looks like an entry and inflates. That may be a
//! mistake, because content can look like entries. So the leader uses a section only if it
//! begins where the entry before it ends, and reads all other entries itself.

use super::Build;
use crate::pack::{entries_end, Entry, HEADER_LEN, OFS_DELTA, REF_DELTA};
use packlens_base::block::BlockSource;
use packlens_base::error::Result;
use packlens_base::inflate::Inflater;
use packlens_base::limits::Limits;
use packlens_base::oid::{HashKind, MAX_OID_LEN};

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
pub(super) enum Section {
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

impl Build {
    /// Returns how many sections the pack is split into.
    pub(super) fn sections<S: BlockSource>(&self, pack: &S) -> u32 {
        self.most_entries(pack).div_ceil(self.work_unit_entries)
    }

    fn begin_section<S: BlockSource>(&mut self, pack: &S, number: u32) {
        let end = entries_end(pack, self.hash);
        let each = end.div_ceil(self.sections(pack).max(1).into());
        let from = each.saturating_mul(number.into()).clamp(HEADER_LEN, end.max(HEADER_LEN));
        let end = from.saturating_add(each).min(end);
        self.forget_entries();
        self.section = match number {
            0 => self.section_at(HEADER_LEN, each.min(end)),
            _ => Section::Sought { from, end },
        };
    }

    pub(super) fn has_section(&self) -> bool {
        !matches!(self.section, Section::None | Section::Done { .. })
    }

    /// Continues the claimed section. It ends early at an entry that cannot be read: the leader
    /// reads that entry itself, and reports the error.
    pub(super) fn scan_section<S: BlockSource>(
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
        if self.next_offset < end && self.rows.len() < self.count {
            match self.scan(pack, inflater, limits) {
                Err(error) if !error.is_missing() => self.scanning = None,
                scanned => return scanned,
            }
        }
        if self.hash_all(pack).is_err() {
            self.forget_entries();
        }
        self.section = Section::Done { first };
        Ok(())
    }

    fn section_at(&mut self, first: u64, end: u64) -> Section {
        (self.next_offset, self.summed) = (first, first);
        Section::Read { first, end }
    }

    pub(super) fn forget_entries(&mut self) {
        self.rows.truncate(0);
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
        let after = until.saturating_add(LOOK_AHEAD).min(entries_end(pack, self.hash));
        let mut window = vec![0; after.saturating_sub(from) as usize];
        pack.read_at(from, &mut window)?;
        let hash = self.hash;
        let begins = |at: &usize| may_begin(window.get(*at..).unwrap_or_default(), hash);
        let length = until.saturating_sub(from) as usize;
        for at in (0..length).filter(begins).take(TRIED) {
            let offset = from.saturating_add(at as u64);
            if self.is_entry(pack, offset, inflater, limits)? {
                self.section = self.section_at(offset, end);
                return Ok(());
            }
        }
        self.count_work(until.saturating_sub(from));
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
        let read = Entry::decode(pack, self.hash, offset).and_then(|entry| {
            let size = limits.check_size(entry.size.min(ENOUGH))?;
            self.scratch.resize(self.scratch.len().max(size), 0);
            let out = self.scratch.get_mut(..size).unwrap_or_default();
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
