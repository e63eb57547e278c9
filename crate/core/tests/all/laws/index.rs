//! Indexes of packs: look-ups agree with a scan of the table.

use super::base::{self, assert_typed};
use super::input::{whole_and_in_parts, Input};
use packlens::{
    ErrorKind, HashKind, ObjectId, OpenFile, Output, PackIndex, Prefix, Result, ShowIndex,
};
use std::ops::Range;

/// The rows of an index, and the results of look-ups.
#[derive(Debug, PartialEq)]
struct Read {
    ids: Vec<ObjectId>,
    offsets: Vec<Result<u64>>,
    crcs: Vec<Result<Option<u32>>>,
    found: Vec<Result<Option<u32>>>,
    prefixed: Vec<Result<Range<u32>>>,
}

fn read(
    source: &OpenFile<'_>,
    hash: HashKind,
    asked: &[ObjectId],
    prefixes: &[Prefix],
) -> Result<Read> {
    let index = PackIndex::decode(source, hash)?;
    let places = || 0..index.count().min(400);
    Ok(Read {
        ids: places().map(|at| index.id_at(source, at)).collect::<Result<_>>()?,
        offsets: places().map(|at| index.offset_at(source, at)).collect(),
        crcs: places().map(|at| index.crc_at(source, at)).collect(),
        found: asked.iter().map(|id| index.find(source, id)).collect(),
        prefixed: prefixes.iter().map(|prefix| index.find_prefix(source, prefix)).collect(),
    })
}

/// Checks that look-ups agree with a scan of the table, as they must if the rows match the
/// fanout.
fn check(read: &Read, asked: &[ObjectId], prefixes: &[Prefix]) {
    for (id, found) in asked.iter().zip(&read.found) {
        let row = read.ids.iter().position(|other| other == id).map(|row| row as u32);
        assert_eq!(*found, Ok(row), "{id:?}");
    }
    for (prefix, found) in prefixes.iter().zip(&read.prefixed) {
        let found = found.clone().unwrap();
        let fits: Vec<u32> = (0..read.ids.len() as u32)
            .filter(|row| prefix.matches(&read.ids[*row as usize]))
            .collect();
        assert_eq!(found.collect::<Vec<u32>>(), fits);
    }
}

/// Reads any bytes as an index: look-ups find rows that exist, and all rows if these are in
/// order.
pub fn index(data: &[u8]) {
    let mut input = Input(data);
    let (hash, part) = (input.hash(), input.one_of(&[1, 7, 64, 512]));
    match input.flag() {
        true => made(input, hash, part),
        false => raw(input.0, hash, part),
    }
}

fn raw(bytes: &[u8], hash: HashKind, part: u64) {
    // Ids of the index, and others.
    let ends = bytes.rchunks_exact(hash.len()).take(20);
    let asked: Vec<_> = ends.filter_map(|bytes| ObjectId::from_bytes(hash, bytes)).collect();
    let ask = |source: &OpenFile<'_>| read(source, hash, &asked, &[]);
    match whole_and_in_parts(bytes, part, ask) {
        Err(error) => {
            assert_typed(&error);
            assert_eq!(shown(bytes, hash, part), (Vec::new(), Some(error.kind())));
        }
        Ok(read) => {
            check_shown(bytes, hash, part, &read);
            for (id, found) in asked.iter().zip(&read.found) {
                if let Ok(Some(row)) = found {
                    assert!(read.ids.get(*row as usize).is_none_or(|other| other == id));
                }
            }
        }
    }
}

fn made(mut input: Input<'_>, hash: HashKind, part: u64) {
    let version = 1 + input.below(2);
    // Ids with common prefixes: only four bytes of each differ.
    let mut rows: Vec<(ObjectId, u64)> = Vec::new();
    let mut asked = Vec::new();
    let mut prefixes = Vec::new();
    while input.0.len() > 6 {
        let choice = input.byte();
        let mut bytes = [choice & 0x40; 32];
        bytes[..4].copy_from_slice(input.take(4));
        let id = ObjectId::from_bytes(hash, &bytes).unwrap();
        asked.push(id);
        let digits = 4 + usize::from(choice >> 2) % 8;
        prefixes.push(Prefix::from_hex(hash, &id.to_hex().as_bytes()[..digits]).unwrap());
        let long = version == 2 && choice % 8 == 7;
        let offset = u64::from(input.byte()) << if long { 32 } else { 0 };
        if choice & 3 > 0 {
            rows.push((id, offset));
        }
    }
    rows.sort_unstable();
    rows.dedup_by_key(|(id, _)| *id);
    // git writes no more long ones than this.
    if rows.iter().filter(|(_, offset)| *offset >> 31 > 0).count() >= rows.len().max(1) {
        return;
    }
    let bytes =
        if version == 1 { version_1(hash, &rows) } else { crate::packs::index(hash, &rows) };
    let read = whole_and_in_parts(&bytes, part, |source| read(source, hash, &asked, &prefixes));
    let read = read.unwrap();
    let written: Vec<(ObjectId, Result<u64>)> =
        read.ids.iter().copied().zip(read.offsets.iter().cloned()).collect();
    assert!(written.into_iter().eq(rows.into_iter().map(|(id, offset)| (id, Ok(offset)))));
    check(&read, &asked, &prefixes);
    check_shown(&bytes, hash, part, &read);
}

/// The shown fields of a row: the offset of the entry, its CRC-32 if any, and the id.
type Shown = (u64, Option<u32>, ObjectId);

/// Returns the rows that are shown, and why they end if not all are.
fn shown(bytes: &[u8], hash: HashKind, part: u64) -> (Vec<Shown>, Option<ErrorKind>) {
    let mut host = base::host(&[("idx", bytes)], hash, part);
    let mut show = ShowIndex::new(b"idx");
    let mut rows = Vec::new();
    loop {
        let mut out = Output::default();
        let done = host.ask(|repository| show.fill(repository, 200, &mut out));
        for row in out.as_slice().chunks(16 + hash.len()) {
            let number = |at: usize| u32::from_le_bytes(row[at..at + 4].try_into().unwrap());
            let offset = u64::from(number(0)) | u64::from(number(4)) << 32;
            let crc = Some(number(8)).filter(|_| number(12) == 1);
            rows.push((offset, crc, ObjectId::from_bytes(hash, &row[16..]).unwrap()));
        }
        match done {
            Ok(true) => return (rows, None),
            Ok(false) => {}
            Err(error) => return (rows, Some(error.kind())),
        }
    }
}

/// `ShowIndex` returns the rows that single reads return, up to the first damaged one.
fn check_shown(bytes: &[u8], hash: HashKind, part: u64, read: &Read) {
    let (rows, ended) = shown(bytes, hash, part);
    let all = read.ids.iter().zip(&read.offsets).zip(&read.crcs);
    let good = all
        .map_while(|((id, offset), crc)| Some((*offset.as_ref().ok()?, *crc.as_ref().ok()?, *id)));
    let right: Vec<Shown> = good.collect();
    assert!(rows.starts_with(&right));
    let is_whole = right.len() == read.ids.len();
    assert!(is_whole || (ended.is_some() && rows.len() == right.len()));
}

fn version_1(hash: HashKind, rows: &[(ObjectId, u64)]) -> Vec<u8> {
    let mut out = Vec::new();
    for byte in 0..=255u8 {
        let count = rows.iter().filter(|(id, _)| id.first_byte() <= byte).count() as u32;
        out.extend(count.to_be_bytes());
    }
    for (id, offset) in rows {
        out.extend((*offset as u32).to_be_bytes());
        out.extend(id.as_bytes());
    }
    out.extend(vec![0; 2 * hash.len()]);
    out
}
