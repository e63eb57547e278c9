//! The values of reftable records.

use super::block::BlockKind;
use packlens_base::cursor::varint;
use packlens_base::oid::{HashKind, ObjectId};
use std::ops::Range;

/// The value of a record. Texts are ranges in the block.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) enum Value {
    Ref {
        /// The update index of the last change, relative to the table's first.
        update: u64,
        target: Target,
    },
    /// The offset of the block that ends with this key.
    Index(u64),
    /// The number of blocks with refs to the object, and the encoded offsets: the first from
    /// the start of the file, each other relative to the one before. A count of 0 means that
    /// there are too many blocks to list.
    Object { count: u64, positions: Range<usize> },
    /// A log record; `None` hides the record of an older table.
    Log(Option<LogValue>),
}

/// The target of a ref in a table.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) enum Target {
    /// The ref was deleted; hides the ref of older tables.
    Deleted,
    Id(ObjectId),
    Tag {
        id: ObjectId,
        peeled: ObjectId,
    },
    Symbolic(Range<usize>),
}

/// The content of a log record.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct LogValue {
    pub(super) old: ObjectId,
    pub(super) new: ObjectId,
    pub(super) name: Range<usize>,
    pub(super) email: Range<usize>,
    pub(super) seconds: u64,
    /// The time zone in its stored form: see [`LogRecord`](super::LogRecord).
    pub(super) zone: i16,
    pub(super) message: Range<usize>,
}

impl Value {
    /// Reads the value of a record; `extra` is the 3 bits after the length of its key. Returns
    /// `None` if the value is malformed.
    #[inline]
    pub fn read(
        fields: &mut Fields<'_>,
        kind: BlockKind,
        extra: u8,
        hash: HashKind,
    ) -> Option<Value> {
        Some(match kind {
            BlockKind::Refs => {
                let update = fields.varint()?;
                let target = match extra {
                    0 => Target::Deleted,
                    1 => Target::Id(fields.id(hash)?),
                    2 => Target::Tag { id: fields.id(hash)?, peeled: fields.id(hash)? },
                    3 => Target::Symbolic(fields.text()?),
                    _ => return None,
                };
                Value::Ref { update, target }
            }
            BlockKind::Index if extra == 0 => Value::Index(fields.varint()?),
            BlockKind::Objects => {
                let count = if extra == 0 { fields.varint()? } else { extra.into() };
                let start = fields.at;
                for _ in 0..count {
                    fields.varint()?;
                }
                Value::Object { count, positions: start..fields.at }
            }
            BlockKind::Logs if extra == 0 => Value::Log(None),
            BlockKind::Logs if extra == 1 => Value::Log(Some(LogValue {
                old: fields.id(hash)?,
                new: fields.id(hash)?,
                name: fields.text()?,
                email: fields.text()?,
                seconds: fields.varint()?,
                zone: i16::from_be_bytes(*fields.bytes.get(fields.take(2)?)?.first_chunk()?),
                message: fields.text()?,
            })),
            BlockKind::Index | BlockKind::Logs => return None,
        })
    }
}

/// A reader of consecutive fields in a block.
pub(super) struct Fields<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Fields<'a> {
    /// Starts at an offset in `bytes`; no field reaches beyond their end.
    pub fn new(bytes: &'a [u8], at: usize) -> Fields<'a> {
        Fields { bytes, at }
    }

    /// Returns the offset of the next field.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    #[inline]
    pub(super) fn varint(&mut self) -> Option<u64> {
        let bytes = self.bytes;
        let at = &mut self.at;
        let next = || {
            let byte = *bytes.get(*at).ok_or(())?;
            *at = at.saturating_add(1);
            Ok::<u8, ()>(byte)
        };
        varint(next).ok().flatten()
    }

    /// Takes the range of the next `length` bytes; `None` if there are fewer.
    pub(super) fn take(&mut self, length: u64) -> Option<Range<usize>> {
        let start = self.at;
        let end = start.checked_add(usize::try_from(length).ok()?)?;
        self.at = end;
        (end <= self.bytes.len()).then_some(start..end)
    }

    fn id(&mut self, hash: HashKind) -> Option<ObjectId> {
        let range = self.take(hash.len() as u64)?;
        ObjectId::from_bytes(hash, self.bytes.get(range)?)
    }

    fn text(&mut self) -> Option<Range<usize>> {
        let length = self.varint()?;
        self.take(length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_field_reaches_past_the_records() {
        let bytes = b"\x03abc\x01";
        let mut fields = Fields::new(bytes, 0);
        assert_eq!(fields.text(), Some(1..4));
        // The byte after the length exists, but it is not part of the records.
        assert_eq!(fields.text(), None);
        for (length, taken) in [(4, Some(1..5)), (5, None), (u64::MAX, None)] {
            assert_eq!(Fields::new(bytes, 1).take(length), taken, "{length}");
        }
        assert!(Fields::new(bytes, 0).id(HashKind::Sha1).is_none());
    }

    #[test]
    fn the_target_of_a_symbolic_ref_is_inside_the_records() {
        let read = |bytes: &[u8]| {
            Value::read(&mut Fields::new(bytes, 0), BlockKind::Refs, 3, HashKind::Sha1).is_some()
        };
        assert!(read(b"\0\x02ab"));
        assert!(!read(b"\0\x03ab"));
    }
}
