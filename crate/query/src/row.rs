//! The rows in which objects are handed over: a header, then the content.
//!
//! `js/src/objects/frame.ts` decodes them. Numbers have their low bytes first.
//!
//! | offset | size | field                                                     |
//! | ------ | ---- | --------------------------------------------------------- |
//! | 0      | 1    | what the row is: [`RowKind`]                              |
//! | 1      | 1    | length of the object id, 0 if there is none               |
//! | 2      | 1    | flags: 1 storage is known, 2 more content in the next row |
//! | 3      | 1    | 0                                                         |
//! | 4      | 4    | which of the specs this answers                           |
//! | 8      | 8    | size of the whole content                                 |
//! | 16     | 8    | where in it this row's content begins                     |
//! | 24     | 8    | how many bytes of content are in this row                 |
//! | 32     | 8    | bytes the object takes where it is stored                 |
//! | 40     | 8    | where in the pack its entry begins                        |
//! | 48     | 4    | number of the pack's file, all ones if it is loose        |
//! | 52     | 4    | how many deltas make it                                   |
//! | 56     | 32   | object id, then zeros                                     |
//! | 88     | 32   | id of its delta base, 0 if there is none                  |
//!
//! Content is followed by 0 to 7 bytes so that the next row begins at a
//! multiple of 8.

use crate::odb::{ObjectInfo, Stored};
use packlens_base::appender::{Append, Appender};
use packlens_base::error::Result;
use packlens_base::oid::{ObjectId, MAX_OID_LEN};
use packlens_format::object::ObjectType;

/// The length of a row's header.
pub const ROW_HEADER_LEN: usize = 120;

const STORAGE_KNOWN: u8 = 1;
const MORE_FOLLOWS: u8 = 2;

/// The flags of a row: the word and the bit of each.
pub const ROW_FLAGS: [(&str, u8); 2] =
    [("storageKnown", STORAGE_KNOWN), ("moreFollows", MORE_FOLLOWS)];

/// The content of a row.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum RowKind {
    /// The object was not found.
    Missing,
    /// An object.
    Object(ObjectType),
    /// A shortened id of several objects; the content is their ids.
    Ambiguous,
    /// The object cannot be read; the content is the record of the error.
    Failed,
}

impl RowKind {
    /// The words of the kinds, indexed by number.
    pub const WORDS: &'static [&'static str] =
        &["missing", "commit", "tree", "blob", "tag", "ambiguous", "failed"];

    fn number(self) -> u8 {
        match self {
            RowKind::Missing => 0,
            RowKind::Object(object_type) => object_type as u8,
            RowKind::Ambiguous => 5,
            RowKind::Failed => 6,
        }
    }
}

/// The header of a row.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The content of the row.
    pub kind: RowKind,
    /// The index of the spec that the row answers.
    pub index: u32,
    /// The size of the whole content in bytes.
    pub size: u64,
    /// The offset of this row's content in the whole content.
    pub from: u64,
    /// The number of content bytes in this row.
    pub length: u64,
    /// The metadata of the object.
    pub info: Option<ObjectInfo>,
}

impl Row {
    /// Creates the row of an object with all of its content.
    pub fn of_object(index: u32, info: ObjectInfo) -> Row {
        let kind = RowKind::Object(info.object_type);
        Row { kind, index, size: info.size, from: 0, length: info.size, info: Some(info) }
    }

    /// Creates a row of another kind.
    pub fn other(kind: RowKind, index: u32, length: u64) -> Row {
        Row { kind, index, size: length, from: 0, length, info: None }
    }

    /// Writes the header.
    ///
    /// # Errors
    ///
    /// [`Limit`](packlens_base::ErrorKind::Limit) if there is no room in `out`.
    pub fn write(&self, out: &mut impl Append) -> Result<()> {
        let info = self.info.as_ref();
        let more = self.from.saturating_add(self.length) < self.size && self.length > 0;
        let disk_size = info.and_then(|info| info.disk_size);
        let flags = if disk_size.is_some() { STORAGE_KNOWN } else { 0 }
            | if more { MORE_FOLLOWS } else { 0 };
        let (pack, offset) = match info.map(|info| info.stored) {
            Some(Stored::Packed { pack, offset }) => (pack.number(), offset),
            _ => (u32::MAX, 0),
        };
        out.u8(self.kind.number())?;
        out.u8(info.map_or(0, |info| info.id.as_bytes().len() as u8))?;
        out.u8(flags)?;
        out.u8(0)?;
        out.u32(self.index)?;
        out.u64(self.size)?;
        out.u64(self.from)?;
        out.u64(self.length)?;
        out.u64(disk_size.unwrap_or(0))?;
        out.u64(offset)?;
        out.u32(pack)?;
        out.u32(info.map_or(0, |info| info.delta_depth))?;
        padded_id(out, info.map(|info| &info.id))?;
        padded_id(out, info.and_then(|info| info.delta_base.as_ref()))
    }
}

fn padded_id(out: &mut impl Append, id: Option<&ObjectId>) -> Result<()> {
    let bytes = id.map_or(&[][..], |id| id.as_bytes());
    out.bytes(bytes)?;
    out.bytes([0; MAX_OID_LEN].get(bytes.len()..).unwrap_or_default())
}

/// Appends padding so that the length of a row is a multiple of 8.
///
/// # Errors
///
/// [`Limit`](packlens_base::ErrorKind::Limit) if there is no memory for it.
pub fn pad(out: &mut Appender<'_>, content_len: u64) -> Result<()> {
    out.bytes([0; 8].get(..padding(content_len)).unwrap_or_default())
}

/// Returns the length of the padding after content of this length.
pub fn padding(content_len: u64) -> usize {
    (8u64.saturating_sub(content_len % 8) % 8) as usize
}
