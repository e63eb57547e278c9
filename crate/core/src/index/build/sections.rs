//! Sections of a pack: what lies between two places of it, found without having read
//! what lies before. Each begins with an entry whose stream is whole, which may be
//! a mistake: content can look like entries. Who leads takes a section only where the
//! one before it ends, and reads what is left over itself.

use super::Build;
use crate::block::BlockSource;
use crate::error::Result;
use crate::inflate::Inflater;
use crate::limits::Limits;
use crate::oid::{HashKind, MAX_OID_LEN};
use crate::pack::{entries_end, Entry, HEADER_LEN, OFS_DELTA, REF_DELTA};

/// How many bytes are looked through at a time for an entry.
const WINDOW: u64 = 16 << 10;

/// What may lie between where an entry begins and the bytes it is told by: a size or a
/// distance, each in 10 bytes at most, an id, and what begins a zlib stream.
const LOOK_AHEAD: u64 = 10 + 10 + MAX_OID_LEN as u64 + 2;

/// How many places of a window are tried: some 13 of bytes that are as good as random
/// look like an entry, and what was made to look so may not take much longer.
const TRIED: usize = 64;

/// An entry that inflates to more than this is taken for one by its first so many bytes.
const ENOUGH: u64 = 4 << 10;

/// Where a section stands that is being read.
#[derive(Clone, Copy)]
pub(super) enum Section {
    None,
    Claimed(u32),
    /// No entry begins before `from`.
    Sought {
        from: u64,
        end: u64,
    },
    /// Its entries begin before `end`.
    Read {
        first: u64,
        end: u64,
    },
    /// What was found is still to be told.
    Done {
        first: u64,
    },
}

impl Build {
    /// Returns how many sections there are.
    pub(super) fn sections<S: BlockSource>(&self, pack: &S) -> u32 {
        self.most_entries(pack).div_ceil(self.stretch)
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

    /// Goes on with the section that was claimed. It ends early where no entry can be
    /// read: what is wrong there is for who leads to say.
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

    /// Looks for the first entry of a section.
    fn seek_entry<S: BlockSource>(
        &mut self,
        pack: &S,
        from: u64,
        end: u64,
        inflater: &mut Inflater,
        limits: &Limits,
    ) -> Result<()> {
        let until = from.saturating_add(WINDOW).min(end);
        let behind = until.saturating_add(LOOK_AHEAD).min(entries_end(pack, self.hash));
        let mut window = vec![0; behind.saturating_sub(from) as usize];
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

    /// Tells whether what an entry would hold there can be inflated.
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

/// Tells whether bytes are such as an entry may begin with: a head, and the two bytes
/// that begin a zlib stream ([RFC 1950](https://www.rfc-editor.org/rfc/rfc1950)).
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
