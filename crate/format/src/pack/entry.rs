//! The head of a pack entry.

use crate::object::ObjectType;
use crate::pack::HEADER_LEN;
use packlens_base::block::BlockSource;
use packlens_base::cursor::{varint, Cursor};
use packlens_base::error::Result;
use packlens_base::oid::{HashKind, ObjectId, MAX_OID_LEN};

/// The most bytes that a head takes: a size and an id, or a size and an offset. A size in an
/// unusually long encoding takes more.
const MOST_HEAD_LEN: usize = 10 + MAX_OID_LEN;

/// The type number of a delta whose base is given by its offset.
pub(crate) const OFS_DELTA: u8 = 6;

/// The type number of a delta whose base is given by its id.
pub(crate) const REF_DELTA: u8 = 7;

/// The content of a pack entry.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum EntryKind {
    /// An object.
    Whole(ObjectType),
    /// A delta against the entry at this offset.
    OfsDelta {
        /// The offset of the base, which is before the delta.
        base_offset: u64,
    },
    /// A delta against the object with this id.
    RefDelta {
        /// The id of the base.
        base: ObjectId,
    },
}

/// The head of an entry: all bytes before the deflated ones.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Entry {
    /// The content of the entry.
    pub kind: EntryKind,
    /// The inflated size in bytes, of the object or of the delta.
    pub size: u64,
    /// The offset of the deflated bytes.
    pub data_offset: u64,
}

impl Entry {
    /// Decodes the head of the entry at `offset` of a pack.
    ///
    /// # Errors
    ///
    /// [`Corrupt`](packlens_base::ErrorKind::Corrupt) if the head is malformed.
    pub fn decode<S: BlockSource>(pack: &S, hash: HashKind, offset: u64) -> Result<Entry> {
        let run = pack.run_at(offset)?;
        // Most heads are in one run, which is looked up once and not for each byte.
        if let Some(head) = run.get(..MOST_HEAD_LEN) {
            if let Ok(entry) = Entry::read(Cursor::new(&head, 0), hash, offset) {
                return Ok(Entry {
                    data_offset: offset.saturating_add(entry.data_offset),
                    ..entry
                });
            }
        }
        Entry::read(Cursor::new(pack, offset), hash, offset)
    }

    fn read<S: BlockSource>(
        mut cursor: Cursor<'_, S>,
        hash: HashKind,
        offset: u64,
    ) -> Result<Entry> {
        let (type_bits, size) = type_and_size(&mut cursor)?;
        let kind = match type_bits {
            1 => EntryKind::Whole(ObjectType::Commit),
            2 => EntryKind::Whole(ObjectType::Tree),
            3 => EntryKind::Whole(ObjectType::Blob),
            4 => EntryKind::Whole(ObjectType::Tag),
            OFS_DELTA => {
                let back = varint(|| cursor.u8())?.ok_or_else(|| {
                    cursor.corrupt("the distance of a delta to its base exceeds 64 bits")
                })?;
                // An offset of 0 would make the entry its own base.
                let base_offset = offset
                    .checked_sub(back)
                    .filter(|base| back > 0 && *base >= HEADER_LEN)
                    .ok_or_else(|| cursor.corrupt("the base of a delta is not before it"))?;
                EntryKind::OfsDelta { base_offset }
            }
            REF_DELTA => EntryKind::RefDelta { base: object_id(&mut cursor, hash)? },
            _ => return Err(cursor.corrupt("a pack entry has an unknown type")),
        };
        Ok(Entry { kind, size, data_offset: cursor.offset() })
    }
}

/// Reads the type (3 bits) and the size (4 bits, then 7 per byte, low bits first).
///
/// git writes sizes in the fewest bytes, but accepts longer forms.
fn type_and_size<S: BlockSource>(cursor: &mut Cursor<'_, S>) -> Result<(u8, u64)> {
    let mut byte = cursor.u8()?;
    let type_bits = (byte >> 4) & 0b111;
    let mut size = u64::from(byte & 0b1111);
    let mut shift = 4u32;
    while byte & 0x80 != 0 {
        byte = cursor.u8()?;
        size |= shifted(u64::from(byte & 0x7f), shift)
            .ok_or_else(|| cursor.corrupt("the size of an entry exceeds 64 bits"))?;
        shift = shift.saturating_add(7);
    }
    Ok((type_bits, size))
}

/// Shifts left; `None` if bits would be lost, which a plain shift drops silently.
pub(super) fn shifted(bits: u64, shift: u32) -> Option<u64> {
    bits.checked_shl(shift).filter(|value| value >> shift == bits)
}

fn object_id<S: BlockSource>(cursor: &mut Cursor<'_, S>, hash: HashKind) -> Result<ObjectId> {
    let mut bytes = [0; MAX_OID_LEN];
    if let Some(bytes) = bytes.get_mut(..hash.len()) {
        cursor.read(bytes)?;
    }
    ObjectId::from_bytes(hash, &bytes).ok_or_else(|| cursor.corrupt("no object id"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use packlens_base::block::Files;
    use packlens_base::error::ErrorKind;
    use packlens_base::FileId;

    /// An entry at offset 400: an ofs-delta of 300 inflated bytes, base at 100.
    const OFS_DELTA: &[u8] = &[0b1110_1100, 18, 0x81, 0x2c];

    fn decode(offset: u64, bytes: &[u8], part: usize) -> Result<Entry> {
        let mut files = Files::new(1 << 20);
        let id = files.found(b"pack", 1000, 0);
        for (at, part_bytes) in bytes.chunks(part).enumerate() {
            files.add(id, offset + (at * part) as u64, part_bytes.to_vec()).unwrap();
        }
        Entry::decode(&files.source(FileId::from_number(0)), HashKind::Sha1, offset)
    }

    #[test]
    fn ofs_delta_names_its_base_by_offset() {
        let entry = decode(400, OFS_DELTA, 9).unwrap();
        assert_eq!(entry.kind, EntryKind::OfsDelta { base_offset: 100 });
        assert_eq!((entry.size, entry.data_offset), (300, 404));
    }

    #[test]
    fn where_a_part_ends_changes_nothing() {
        for part in 1..OFS_DELTA.len() {
            assert_eq!(decode(400, OFS_DELTA, part), decode(400, OFS_DELTA, 9), "parts of {part}");
        }
    }

    #[test]
    fn a_missing_byte_is_named() {
        for have in 0..OFS_DELTA.len() {
            let error = decode(400, &OFS_DELTA[..have], 9).unwrap_err();
            let (file, offset) = (FileId::from_number(0), 400 + have as u64);
            assert_eq!(error.need(), Some(&packlens_base::Need::Bytes { file, offset, length: 1 }));
        }
    }

    #[test]
    fn a_base_is_before_its_delta_and_after_the_header() {
        // Distances of 0, 389 and 388.
        for distance in [&[0][..], &[0x82, 5]] {
            let error = decode(400, &[&[0b0110_0001], distance].concat(), 9).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Corrupt, "{distance:?}");
        }
        let lowest = decode(400, &[0b0110_0001, 0x82, 4], 9).unwrap();
        assert_eq!(lowest.kind, EntryKind::OfsDelta { base_offset: 12 });
    }

    #[test]
    fn numbers_over_64_bits_are_refused() {
        let mut size = vec![0b1011_1111];
        size.extend([0xff; 9]);
        size.push(0x01);
        let mut far = vec![0b0110_0001];
        far.extend([0xff; 10]);
        far.push(0x7f);
        for bytes in [size, far] {
            assert_eq!(decode(0, &bytes, 99).unwrap_err().kind(), ErrorKind::Corrupt);
        }
    }

    #[test]
    fn all_64_bits_of_a_size_are_read_and_not_one_more() {
        let size = |last: u8| {
            let bytes = [&[0b1011_1111][..], &[0xff; 8], &[last]].concat();
            decode(400, &bytes, 99).map(|entry| entry.size)
        };
        assert_eq!(size(0x0f).unwrap(), u64::MAX);
        for last in [0x10, 0x1f, 0x40, 0x7f] {
            assert_eq!(
                size(last).unwrap_err().what(),
                "the size of an entry exceeds 64 bits",
                "{last:x}"
            );
        }
    }

    #[test]
    fn sizes_longer_than_they_need_be_are_read() {
        let entry = decode(400, &[0b1011_0001, 0x80, 0x80, 0x00], 9).unwrap();
        assert_eq!((entry.size, entry.data_offset), (1, 404));
    }
}
