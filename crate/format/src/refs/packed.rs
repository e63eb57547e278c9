//! The file `packed-refs`, with one line per ref and, after a tag's line, the object it peels
//! to; and the file `info/refs`, its counterpart on dumb HTTP servers:
//! <https://git-scm.com/docs/git-update-server-info>.

use super::{RefRecord, RefValue};
use packlens_base::block::BlockSource;
use packlens_base::error::{Error, Result};
use packlens_base::oid::{HashKind, ObjectId};

/// The traits that the header line of a file can claim.
const SORTED: &[u8] = b" sorted ";
const FULLY_PEELED: &[u8] = b" fully-peeled ";
const PEELED: &[u8] = b" peeled ";

/// The longest line of a ref, in bytes: paths have at most 4096 bytes.
const MAX_LINE: usize = 8192;

/// How far into a large file the search begins, in bytes. Every source loads at least this
/// much at a time, so the first probe costs no further read.
const FIRST_LOOK: u64 = 28 << 10;

/// How many bytes are read at a time when a search goes back to the start of a line.
const LOOK_BACK: u64 = 64;

/// The suffix of a line in `info/refs` that has the peeled object of the ref before.
const PEELED_NAME: &[u8] = b"^{}";

/// The properties of a file, from its first line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Traits {
    /// The offset of the first ref.
    pub(super) start: u64,
    /// Whether the file claims to be sorted by name.
    pub(super) sorted: bool,
    fully_peeled: bool,
    peeled: bool,
    /// The byte between id and name: a tab in `info/refs`, else a space.
    separator: u8,
}

/// A `packed-refs` file or an `info/refs` file; the first line shows which.
pub struct PackedRefs<'a, S> {
    source: &'a S,
    hash: HashKind,
    traits: Traits,
}

/// The line of a ref.
struct RefLine<'b> {
    /// As many bytes as an id has digits.
    hex: &'b [u8],
    name: &'b [u8],
    /// The offset of the next line.
    next: u64,
}

impl<'a, S: BlockSource> PackedRefs<'a, S> {
    /// Reads the header line, if there is one.
    ///
    /// # Errors
    ///
    /// Missing bytes; [`Corrupt`](packlens_base::ErrorKind::Corrupt) if the line is too long.
    pub fn open(source: &'a S, hash: HashKind) -> Result<PackedRefs<'a, S>> {
        let mut traits =
            Traits { start: 0, sorted: false, fully_peeled: false, peeled: false, separator: b' ' };
        let after_id = hash.hex_len() as u64;
        if source.size() > after_id && source.array_at(after_id)? == *b"\t" {
            traits.separator = b'\t';
            traits.fully_peeled = true;
        } else if source.size() > 0 && source.array_at(0)? == *b"#" {
            let mut scratch = Vec::new();
            let (line, next) = line_at(source, 0, &mut scratch)?;
            let line = [line, b" "].concat();
            let has =
                |trait_name: &[u8]| line.windows(trait_name.len()).any(|found| found == trait_name);
            traits.sorted = has(SORTED);
            traits.fully_peeled = has(FULLY_PEELED);
            traits.peeled = has(PEELED);
            traits.start = next;
        }
        Ok(PackedRefs { source, hash, traits })
    }

    /// Like [`PackedRefs::open`], with the properties of a file that was opened before.
    pub(super) fn reopen(source: &'a S, hash: HashKind, traits: Traits) -> PackedRefs<'a, S> {
        PackedRefs { source, hash, traits }
    }

    /// Returns the properties that the first line shows.
    pub(super) fn traits(&self) -> Traits {
        self.traits
    }

    /// Returns the offset of the first ref, if the file claims to be sorted.
    pub fn sorted_from(&self) -> Option<u64> {
        self.traits.sorted.then_some(self.traits.start)
    }

    /// Returns the size of the file.
    pub fn size(&self) -> u64 {
        self.source.size()
    }

    /// Finds a ref: by binary search if the file is sorted, else line by line.
    ///
    /// # Errors
    ///
    /// Missing bytes; [`Corrupt`](packlens_base::ErrorKind::Corrupt) for damaged lines.
    pub fn find(&self, name: &[u8]) -> Result<Option<RefRecord>> {
        let Traits { sorted, separator, .. } = self.traits;
        // git writes a sorted `info/refs`, but the format does not promise it.
        if sorted || separator == b'\t' {
            let at = self.lower_bound(name, self.traits.start)?;
            if at < self.size() {
                let mut record = RefRecord::default();
                self.record_at(at, &mut record)?;
                if record.name == name {
                    return Ok(Some(record));
                }
            }
            if sorted {
                return Ok(None);
            }
        }
        self.find_unsorted(name)
    }

    /// Finds a ref line by line, whether the file claims to be sorted or not.
    ///
    /// # Errors
    ///
    /// As [`PackedRefs::find`].
    pub(super) fn find_unsorted(&self, name: &[u8]) -> Result<Option<RefRecord>> {
        let mut at = self.traits.start;
        let mut record = RefRecord::default();
        while at < self.size() {
            at = self.record_at(at, &mut record)?;
            if record.name == name {
                return Ok(Some(record));
            }
        }
        Ok(None)
    }

    /// Returns the offset of the first ref at or after `name`, by binary search in a sorted
    /// file from the ref at offset `from`; the size of the file if there is none. Ids are not
    /// read: a damaged one costs its own ref only.
    ///
    /// # Errors
    ///
    /// As [`PackedRefs::find`].
    pub(super) fn lower_bound(&self, name: &[u8], from: u64) -> Result<u64> {
        let (mut at, mut end) = (from, self.size());
        let mut scratch = Vec::new();
        // The start of the file may be enough, because branches come before tags.
        let mut middle = at.midpoint(end).min(at.saturating_add(FIRST_LOOK));
        while at < end {
            let offset = self.line_start(at, middle)?;
            scratch.clear();
            let line = self.line_at(offset, &mut scratch)?;
            match line.name.cmp(name) {
                std::cmp::Ordering::Less => at = self.after_peeled(line.next, line.name)?,
                std::cmp::Ordering::Equal => return Ok(offset),
                std::cmp::Ordering::Greater => end = offset,
            }
            middle = at.midpoint(end);
        }
        Ok(at)
    }

    /// Returns all refs in file order.
    ///
    /// # Errors
    ///
    /// As [`PackedRefs::find`].
    pub fn list(&self) -> Result<Vec<RefRecord>> {
        let mut at = self.traits.start;
        let mut records = Vec::new();
        while at < self.size() {
            let mut record = RefRecord::default();
            at = self.record_at(at, &mut record)?;
            records.push(record);
        }
        Ok(records)
    }

    /// Reads the ref at the line at `offset`, and the object it peels to, into `record`.
    /// Returns the offset of the next ref.
    ///
    /// # Errors
    ///
    /// As [`PackedRefs::find`].
    pub fn record_at(&self, offset: u64, record: &mut RefRecord) -> Result<u64> {
        let Traits { fully_peeled, peeled, .. } = self.traits;
        let damaged = || self.damaged(offset);
        let mut scratch = Vec::new();
        let RefLine { hex, name, mut next } = self.line_at(offset, &mut scratch)?;
        let id = ObjectId::from_hex(self.hash, hex).ok_or_else(damaged)?;
        let mut target = None;
        if let Some((hex, after)) = self.peeled_line_at(next, name)? {
            target = Some(ObjectId::from_hex(self.hash, &hex).ok_or_else(damaged)?);
            next = after;
        }
        let tags_peeled = fully_peeled || (peeled && name.starts_with(b"refs/tags/"));
        let known = target.is_some() || tags_peeled;
        record.name.clear();
        record.name.extend_from_slice(name);
        record.value = RefValue::Id(id);
        record.peeled = known.then_some(target);
        Ok(next)
    }

    /// Splits the line of the ref at `offset`.
    fn line_at<'b>(&'b self, offset: u64, scratch: &'b mut Vec<u8>) -> Result<RefLine<'b>> {
        let (line, next) = line_at(self.source, offset, scratch)?;
        let (hex, rest) =
            line.split_at_checked(self.hash.hex_len()).ok_or_else(|| self.damaged(offset))?;
        let name = rest.strip_prefix(&[self.traits.separator]).filter(|name| !name.is_empty());
        Ok(RefLine { hex, name: name.ok_or_else(|| self.damaged(offset))?, next })
    }

    #[cold]
    fn damaged(&self, offset: u64) -> Error {
        self.source.corrupt("a line of packed-refs is damaged", offset)
    }

    /// Returns the offset after the peeled object of the ref `name`, if its line is at `offset`.
    fn after_peeled(&self, offset: u64, name: &[u8]) -> Result<u64> {
        Ok(self.peeled_line_at(offset, name)?.map_or(offset, |(_, next)| next))
    }

    /// Returns the hex id of the object that the ref `name` peels to, and the offset of the
    /// next line, if the line at `offset` has that id.
    fn peeled_line_at(&self, offset: u64, name: &[u8]) -> Result<Option<(Vec<u8>, u64)>> {
        if offset >= self.source.size() {
            return Ok(None);
        }
        let is_info = self.traits.separator == b'\t';
        if !is_info && self.source.array_at(offset)? != *b"^" {
            return Ok(None);
        }
        let mut scratch = Vec::new();
        let (line, next) = line_at(self.source, offset, &mut scratch)?;
        if !is_info {
            return Ok(Some((line.get(1..).unwrap_or_default().to_vec(), next)));
        }
        let digits = self.hash.hex_len();
        let of_name =
            line.get(digits.saturating_add(1)..).and_then(|rest| rest.strip_suffix(PEELED_NAME));
        if of_name != Some(name) {
            return Ok(None);
        }
        Ok(Some((line.get(..digits).unwrap_or_default().to_vec(), next)))
    }

    /// Returns the offset of the ref line that contains `middle`; `start` is the offset of an
    /// earlier ref line.
    fn line_start(&self, start: u64, middle: u64) -> Result<u64> {
        let mut at = middle;
        loop {
            at = self.after_line_feed(start, at)?;
            if at <= start || !self.belongs_to_line_before(at)? {
                return Ok(at.max(start));
            }
            at = at.saturating_sub(1);
        }
    }

    /// Returns the offset after the last line feed in `start..end`; `start` if there is none.
    fn after_line_feed(&self, start: u64, end: u64) -> Result<u64> {
        let mut at = end;
        while at > start {
            let begin = start.max(at.saturating_sub(LOOK_BACK));
            let length = at.saturating_sub(begin) as usize;
            match self.source.run_at(begin).ok().and_then(|run| run.get(..length)) {
                Some(piece) => match piece.iter().rposition(|byte| *byte == b'\n') {
                    Some(found) => return Ok(begin.saturating_add(found as u64).saturating_add(1)),
                    None => at = begin,
                },
                // The bytes are in two runs, and the first may not be needed.
                None if self.source.array_at(at.saturating_sub(1))? == *b"\n" => return Ok(at),
                None => at = at.saturating_sub(1),
            }
        }
        Ok(start)
    }

    /// Returns whether the line at `offset` has the peeled object of the ref before.
    fn belongs_to_line_before(&self, offset: u64) -> Result<bool> {
        if self.traits.separator == b'\t' {
            return Ok(line_at(self.source, offset, &mut Vec::new())?.0.ends_with(PEELED_NAME));
        }
        Ok(self.source.array_at(offset)? == *b"^")
    }
}

/// Returns the line at `offset` without its line feed, and the offset of the next line. A line
/// that spans several runs is joined in `scratch`.
fn line_at<'b, S: BlockSource>(
    source: &'b S,
    offset: u64,
    scratch: &'b mut Vec<u8>,
) -> Result<(&'b [u8], u64)> {
    let mut at = offset;
    while at < source.size() {
        let run = source.run_at(at)?;
        let length = run.iter().position(|byte| *byte == b'\n');
        let piece = run.get(..length.unwrap_or(run.len())).unwrap_or(run);
        if scratch.len().saturating_add(piece.len()) > MAX_LINE {
            return Err(too_long(source, offset));
        }
        let next = at.saturating_add(piece.len() as u64);
        if length.is_some() && at == offset {
            return Ok((piece, next.saturating_add(1)));
        }
        scratch.extend_from_slice(piece);
        if length.is_some() {
            return Ok((scratch, next.saturating_add(1)));
        }
        at = next;
    }
    Ok((scratch, at))
}

#[cold]
fn too_long<S: BlockSource>(source: &S, offset: u64) -> Error {
    source.corrupt("a line is too long for a ref", offset)
}

#[cfg(test)]
mod tests {
    use super::*;
    use packlens_base::error::ErrorKind;

    fn text(header: &str, count: usize) -> String {
        let mut text = header.to_string();
        for at in 0..count {
            text.push_str(&format!("{at:040x} refs/heads/b{at:03}\n"));
            if at % 3 == 0 {
                text.push_str(&format!("^{:040x}\n", at + 1000));
            }
        }
        text
    }

    /// Returns the same refs as the text of an `info/refs` file.
    fn info(text: &str) -> String {
        let mut info = String::new();
        let mut last = "";
        for line in text.lines() {
            match line.strip_prefix('^') {
                Some(peeled) => info.push_str(&format!("{peeled}\t{last}^{{}}\n")),
                None => {
                    last = &line[41..];
                    info.push_str(&format!("{}\t{last}\n", &line[..40]));
                }
            }
        }
        info
    }

    #[test]
    fn info_refs_say_the_same() {
        for count in [1, 2, 3, 50] {
            let packed = text("# pack-refs with: peeled fully-peeled sorted \n", count);
            let packed_source = packed.as_bytes();
            let packed = PackedRefs::open(&packed_source, HashKind::Sha1).unwrap();
            let sorted = info(&text("", count));
            for text in [sorted.clone(), reversed(&sorted)] {
                let source = text.as_bytes();
                let refs = PackedRefs::open(&source, HashKind::Sha1).unwrap();
                let mut list = refs.list().unwrap();
                list.sort_by(|one, other| one.name.cmp(&other.name));
                assert_eq!(list, packed.list().unwrap());
                for record in list {
                    assert_eq!(refs.find(&record.name).unwrap().as_ref(), Some(&record));
                    let peeled = [&record.name[..], PEELED_NAME].concat();
                    assert_eq!(refs.find(&peeled).unwrap(), None);
                }
                assert_eq!(refs.find(b"refs/heads/c").unwrap(), None);
            }
        }
    }

    /// Reverses the order of the refs; each peeled line stays after its ref.
    fn reversed(info: &str) -> String {
        let mut refs: Vec<String> = Vec::new();
        for line in info.split_inclusive('\n') {
            match refs.last_mut().filter(|_| line.ends_with("^{}\n")) {
                Some(last) => last.push_str(line),
                None => refs.push(line.to_string()),
            }
        }
        refs.reverse();
        refs.concat()
    }

    /// A name in a cached range at the start of the file needs no other range.
    #[test]
    fn a_name_in_the_first_part_needs_no_other() {
        let text = text("# pack-refs with: peeled fully-peeled sorted \n", 3000);
        let mut files = packlens_base::block::Files::new(1 << 20);
        let file = files.found(b"packed-refs", text.len() as u64, 0);
        files.add(file, 0, text.as_bytes()[..32 << 10].to_vec()).unwrap();
        let source = files.source(file);
        let refs = PackedRefs::open(&source, HashKind::Sha1).unwrap();
        for at in 0..300 {
            let name = format!("refs/heads/b{at:03}");
            assert_eq!(refs.find(name.as_bytes()).unwrap().unwrap().name, name.as_bytes());
        }
        assert!(refs.find(b"refs/heads/b900").unwrap_err().is_missing());
    }

    #[test]
    fn every_ref_is_found_sorted_or_not() {
        for header in ["# pack-refs with: peeled fully-peeled sorted \n", "# pack-refs\n", ""] {
            for count in [0, 1, 2, 3, 7, 50] {
                let text = text(header, count);
                let source = text.as_bytes();
                let refs = PackedRefs::open(&source, HashKind::Sha1).unwrap();
                for (at, record) in refs.list().unwrap().into_iter().enumerate() {
                    assert_eq!(record.name, format!("refs/heads/b{at:03}").as_bytes());
                    assert_eq!(refs.find(&record.name).unwrap(), Some(record));
                }
                for name in ["refs/heads/a", "refs/heads/b0005", "refs/heads/c", ""] {
                    assert_eq!(refs.find(name.as_bytes()).unwrap(), None);
                }
            }
        }
    }

    #[test]
    fn a_missing_line_feed_at_the_end_loses_nothing() {
        let text = text("# pack-refs with: peeled fully-peeled sorted \n", 5);
        let source = text.trim_end().as_bytes();
        let refs = PackedRefs::open(&source, HashKind::Sha1).unwrap();
        assert!(refs.find(b"refs/heads/b004").unwrap().is_some());
        assert_eq!(refs.list().unwrap().len(), 5);
    }

    /// git compares only names during the search too.
    #[test]
    fn a_damaged_id_costs_its_own_ref_only() {
        let text = text("# pack-refs with: peeled fully-peeled sorted \n", 50);
        let damaged = text.replace(&format!("{:040x} ", 25), &format!("{:>40} ", "x"));
        let source = damaged.as_bytes();
        let refs = PackedRefs::open(&source, HashKind::Sha1).unwrap();
        for at in 0..50 {
            let found = refs.find(format!("refs/heads/b{at:03}").as_bytes());
            match at {
                25 => assert_eq!(found.unwrap_err().kind(), ErrorKind::Corrupt),
                _ => assert!(found.unwrap().is_some(), "{at}"),
            }
        }
    }

    #[test]
    fn damaged_lines_are_errors() {
        for text in ["x\n", "0123 refs/heads/a\n", &format!("{:040x}\n", 1), "^\n", "\n"] {
            let source = text.as_bytes();
            let refs = PackedRefs::open(&source, HashKind::Sha1).unwrap();
            assert_eq!(refs.list().unwrap_err().kind(), ErrorKind::Corrupt, "{text:?}");
            assert_eq!(refs.find(b"a").unwrap_err().kind(), ErrorKind::Corrupt);
        }
    }
}
