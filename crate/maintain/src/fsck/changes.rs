//! What an instance surveyed, for the instance that reports: the flags that changed, missing
//! objects and special files. Numbers are little-endian.

use super::numbers::{flag, type_in};
use super::shared::{tree_of, Shared};
use packlens_base::appender::{Append, Output};
use packlens_base::error::{Error, ErrorKind, Result};
use packlens_base::oid::{HashKind, ObjectId};
use packlens_format::checks::SpecialFile;

/// The kinds of records: each is followed by a number (u32), flags (1 byte), and those of ids by an
/// id, that of a special file first by the place of its tree (u64).
mod kind {
    /// How many objects were read.
    pub(super) const READ: u8 = 0;
    /// How many bytes of packs were hashed.
    pub(super) const HASHED: u8 = 1;
    /// All objects have to be checked again, in their order.
    pub(super) const CONFLICTS: u8 = 2;
    /// The number of a pack whose files are faulty.
    pub(super) const FAULTY: u8 = 3;
    /// The number of an object, and its flags.
    pub(super) const CHANGED: u8 = 4;
    /// A missing object, and its flags.
    pub(super) const MISSING: u8 = 5;
    /// A special file, and which one.
    pub(super) const SPECIAL: u8 = 6;
}

/// Appends what changed since the last call, after the number of objects that were read and of
/// bytes that were hashed.
pub(super) fn append(
    shared: &mut Shared,
    (read, hashed): (u32, u32),
    out: &mut Output,
) -> Result<()> {
    append_one(out, (kind::READ, read, 0), &[])?;
    append_one(out, (kind::HASHED, hashed, 0), &[])?;
    if shared.conflicts || shared.has_wrong_types {
        append_one(out, (kind::CONFLICTS, 0, 0), &[])?;
    }
    for pack in std::mem::take(&mut shared.faulty) {
        append_one(out, (kind::FAULTY, pack, 0), &[])?;
    }
    let (changed, missing) = shared.numbers.take_changed();
    for number in changed {
        append_one(out, (kind::CHANGED, number, shared.numbers.flags(number)), &[])?;
    }
    for id in missing {
        let flags = shared.numbers.missing().get(&id).copied().unwrap_or(0);
        append_one(out, (kind::MISSING, 0, flags), id.as_bytes())?;
    }
    for (file, id, special) in shared.specials() {
        let which = u8::from(file == SpecialFile::Attributes);
        let place = tree_of(*special).to_le_bytes();
        append_one(out, (kind::SPECIAL, 0, which), &[&place, id.as_bytes()].concat())?;
    }
    shared.forget_specials();
    Ok(())
}

#[inline(never)]
fn append_one(out: &mut Output, (kind, number, flags): (u8, u32, u8), rest: &[u8]) -> Result<()> {
    let [a, b, c, d] = number.to_le_bytes();
    let mut out = out.appender();
    out.bytes(&[kind, a, b, c, d, flags])?;
    out.bytes(rest)
}

/// Adds what another instance surveyed; returns how many objects it has read and how many bytes
/// hashed.
///
/// # Errors
///
/// [`ErrorKind::Limit`] if that takes too much memory; [`ErrorKind::BadInput`] for other bytes.
pub(super) fn add(
    shared: &mut Shared,
    (hash, memory): (HashKind, u64),
    bytes: &[u8],
) -> Result<(u32, u32)> {
    let mut from = Reader { bytes, hash };
    let (mut read, mut hashed) = (0u32, 0u32);
    while !from.bytes.is_empty() {
        let [kind, a, b, c, d, flags] = from.array()?;
        let number = u32::from_le_bytes([a, b, c, d]);
        let object_type = type_in(flags);
        let differs =
            |known| type_in(known).zip(object_type).is_some_and(|(one, other)| one != other);
        match kind {
            kind::READ => read = read.saturating_add(number),
            kind::HASHED => hashed = hashed.saturating_add(number),
            kind::CONFLICTS => shared.conflicts = true,
            kind::FAULTY => shared.faulty.push(number),
            kind::CHANGED => {
                // All types are found again then.
                let conflicts = differs(shared.numbers.flags(number));
                shared.conflicts |= conflicts;
                let flags = if conflicts { flags & !flag::TYPE } else { flags };
                shared.numbers.set(number, flags);
            }
            kind::MISSING => {
                let (id, more) = (from.id()?, flags & !flag::TYPE);
                let known = shared.numbers.set_missing(&id, object_type, more, memory)?;
                shared.conflicts |= differs(known);
            }
            kind::SPECIAL => {
                let file = match flags {
                    0 => SpecialFile::Modules,
                    _ => SpecialFile::Attributes,
                };
                let tree = u64::from_le_bytes(from.array()?);
                let id = from.id()?;
                shared.note_special((file, id), tree, memory)?;
            }
            _ => return Err(unknown()),
        }
    }
    Ok((read, hashed))
}

struct Reader<'b> {
    bytes: &'b [u8],
    hash: HashKind,
}

impl Reader<'_> {
    fn array<const N: usize>(&mut self) -> Result<[u8; N]> {
        let (array, rest) = self.bytes.split_first_chunk().ok_or_else(unknown)?;
        self.bytes = rest;
        Ok(*array)
    }

    fn id(&mut self) -> Result<ObjectId> {
        let (id, rest) = self.bytes.split_at_checked(self.hash.len()).ok_or_else(unknown)?;
        self.bytes = rest;
        ObjectId::from_bytes(self.hash, id).ok_or_else(unknown)
    }
}

fn unknown() -> Error {
    Error::new(ErrorKind::BadInput, "no survey has such bytes")
}
