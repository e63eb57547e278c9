//! The file `packed-refs`: a line a ref, and behind a tag's line what it peels to.

use super::{RefRecord, RefValue};
use crate::block::BlockSource;
use crate::error::{Error, Result};
use crate::oid::{split_hex, HashKind, ObjectId};

/// What git can rely on in a file that says so in its first line.
const SORTED: &[u8] = b" sorted ";
const FULLY_PEELED: &[u8] = b" fully-peeled ";
const PEELED: &[u8] = b" peeled ";

/// Longer lines are no refs: paths have at most 4096 bytes.
const MAX_LINE: usize = 8192;

/// A `packed-refs` file.
pub struct PackedRefs<'a, S> {
    source: &'a S,
    hash: HashKind,
    start: u64,
    sorted: bool,
    fully_peeled: bool,
    peeled: bool,
}

impl<'a, S: BlockSource> PackedRefs<'a, S> {
    /// Reads the header line, if there is one.
    ///
    /// # Errors
    ///
    /// Missing bytes; [`Corrupt`](crate::ErrorKind::Corrupt) if it is too long.
    pub fn open(source: &'a S, hash: HashKind) -> Result<PackedRefs<'a, S>> {
        let mut refs = PackedRefs {
            source,
            hash,
            start: 0,
            sorted: false,
            fully_peeled: false,
            peeled: false,
        };
        if source.size() > 0 && source.array_at(0)? == *b"#" {
            let (mut line, next) = refs.line_at(0)?;
            line.push(b' ');
            let has =
                |trait_name: &[u8]| line.windows(trait_name.len()).any(|found| found == trait_name);
            refs.sorted = has(SORTED);
            refs.fully_peeled = has(FULLY_PEELED);
            refs.peeled = has(PEELED);
            refs.start = next;
        }
        Ok(refs)
    }

    /// Finds a ref: by halving if the file is sorted, else line by line.
    ///
    /// # Errors
    ///
    /// Missing bytes; [`Corrupt`](crate::ErrorKind::Corrupt) for damaged lines.
    pub fn find(&self, name: &[u8]) -> Result<Option<RefRecord>> {
        let mut at = self.start;
        if self.sorted {
            let mut end = self.source.size();
            while at < end {
                let line = self.line_start(at, at.midpoint(end))?;
                let (record, next) = self.record_at(line)?;
                match record.name.as_slice().cmp(name) {
                    std::cmp::Ordering::Less => at = next,
                    std::cmp::Ordering::Equal => return Ok(Some(record)),
                    std::cmp::Ordering::Greater => end = line,
                }
            }
            return Ok(None);
        }
        while at < self.source.size() {
            let (record, next) = self.record_at(at)?;
            if record.name == name {
                return Ok(Some(record));
            }
            at = next;
        }
        Ok(None)
    }

    /// Returns all refs, in the order of the file.
    ///
    /// # Errors
    ///
    /// As [`PackedRefs::find`].
    pub fn list(&self) -> Result<Vec<RefRecord>> {
        let mut at = self.start;
        let mut records = Vec::new();
        while at < self.source.size() {
            let (record, next) = self.record_at(at)?;
            records.push(record);
            at = next;
        }
        Ok(records)
    }

    /// Reads the ref whose line begins at `offset`, and what it peels to.
    /// Returns where the next one begins.
    fn record_at(&self, offset: u64) -> Result<(RefRecord, u64)> {
        let damaged = || self.source.corrupt("a damaged line of packed-refs", offset);
        let (line, mut next) = self.line_at(offset)?;
        let (id, rest) = split_hex(self.hash, &line).map_err(|_| damaged())?;
        let name = rest.strip_prefix(b" ").filter(|name| !name.is_empty()).ok_or_else(damaged)?;
        let mut peeled = None;
        if next < self.source.size() && self.source.array_at(next)? == *b"^" {
            let (line, behind) = self.line_at(next)?;
            let hex = line.get(1..).unwrap_or_default();
            peeled = Some(ObjectId::from_hex(self.hash, hex).ok_or_else(damaged)?);
            next = behind;
        }
        let tags_peeled = self.fully_peeled || (self.peeled && name.starts_with(b"refs/tags/"));
        let known = peeled.is_some() || tags_peeled;
        let record = RefRecord {
            name: name.to_vec(),
            value: RefValue::Id(id),
            peeled: known.then_some(peeled),
        };
        Ok((record, next))
    }

    /// Returns where the ref's line begins that `middle` lies in; `start` is the
    /// beginning of some such line.
    fn line_start(&self, start: u64, middle: u64) -> Result<u64> {
        let mut at = middle;
        loop {
            while at > start && self.source.array_at(at.saturating_sub(1))? != *b"\n" {
                at = at.saturating_sub(1);
            }
            if at <= start || self.source.array_at(at)? != *b"^" {
                return Ok(at.max(start));
            }
            at = at.saturating_sub(1);
        }
    }

    /// Returns the line at `offset` without its line feed, and where the next
    /// one begins.
    fn line_at(&self, offset: u64) -> Result<(Vec<u8>, u64)> {
        line_at(self.source, offset)
    }
}

fn line_at<S: BlockSource>(source: &S, offset: u64) -> Result<(Vec<u8>, u64)> {
    let mut line = Vec::new();
    let mut at = offset;
    while at < source.size() {
        let run = source.run_at(at)?;
        let length = run.iter().position(|byte| *byte == b'\n');
        line.extend_from_slice(run.get(..length.unwrap_or(run.len())).unwrap_or(run));
        if line.len() > MAX_LINE {
            return Err(too_long(source, offset));
        }
        if let Some(length) = length {
            return Ok((line, at.saturating_add(length as u64).saturating_add(1)));
        }
        at = at.saturating_add(run.len() as u64);
    }
    Ok((line, at))
}

#[cold]
fn too_long<S: BlockSource>(source: &S, offset: u64) -> Error {
    source.corrupt("a line that is too long for a ref", offset)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorKind;

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
