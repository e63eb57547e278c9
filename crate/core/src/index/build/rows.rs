//! What is known of each entry of a pack, in the order they lie there.

use crate::block::over_ceiling;
use crate::error::Result;
use crate::object::ObjectType;
use crate::oid::{HashKind, ObjectId};

/// Stands for no entry.
pub(super) const NONE: u32 = u32::MAX;

/// An entry. Entries that build on the same base are a list: `child` of the base
/// is the first, `sibling` the next.
#[derive(Clone, Copy)]
pub(super) struct Row {
    pub(super) offset: u64,
    pub(super) crc: u32,
    /// The entry it builds on, once that is known.
    pub(super) base: u32,
    pub(super) child: u32,
    pub(super) sibling: u32,
}

/// A row for each entry. Types and ids lie apart: rows of all lengths of ids are
/// alike, and none has a gap.
pub(super) struct Rows {
    hash: HashKind,
    rows: Vec<Row>,
    types: Vec<Option<ObjectType>>,
    ids: Vec<u8>,
}

impl Rows {
    pub(super) fn new(hash: HashKind) -> Rows {
        Rows { hash, rows: Vec::new(), types: Vec::new(), ids: Vec::new() }
    }

    /// Takes the memory for `count` rows: grown by and by they would take twice
    /// as much at times.
    pub(super) fn reserve(&mut self, count: usize, most: u64) -> Result<()> {
        let each = size_of::<Row>().saturating_add(size_of::<Option<ObjectType>>());
        let each = each.saturating_add(self.hash.len());
        if count.saturating_mul(each) as u64 > most {
            return Err(over_ceiling());
        }
        self.rows.try_reserve_exact(count).map_err(|_| over_ceiling())?;
        self.types.try_reserve_exact(count).map_err(|_| over_ceiling())?;
        let ids = count.saturating_mul(self.hash.len());
        self.ids.try_reserve_exact(ids).map_err(|_| over_ceiling())
    }

    pub(super) fn push(&mut self, row: Row, object_type: Option<ObjectType>) {
        self.rows.push(row);
        self.types.push(object_type);
        self.ids.resize(self.ids.len().saturating_add(self.hash.len()), 0);
    }

    /// Forgets all but the first `count` rows.
    pub(super) fn truncate(&mut self, count: u32) {
        self.rows.truncate(count as usize);
        self.types.truncate(count as usize);
        self.ids.truncate((count as usize).saturating_mul(self.hash.len()));
    }

    pub(super) fn len(&self) -> u32 {
        self.rows.len() as u32
    }

    pub(super) fn iter(&self) -> impl ExactSizeIterator<Item = &Row> {
        self.rows.iter()
    }

    pub(super) fn get(&self, at: u32) -> Option<&Row> {
        self.rows.get(at as usize)
    }

    /// Returns the entry that begins at `offset`.
    pub(super) fn at_offset(&self, offset: u64) -> Option<u32> {
        self.rows.binary_search_by_key(&offset, |row| row.offset).ok().map(|at| at as u32)
    }

    /// Tells that an entry builds on another.
    pub(super) fn adopt(&mut self, base: u32, child: u32) {
        let Some(place) = self.rows.get_mut(base as usize) else {
            return;
        };
        let sibling = std::mem::replace(&mut place.child, child);
        if let Some(row) = self.rows.get_mut(child as usize) {
            (row.base, row.sibling) = (base, sibling);
        }
    }

    /// Returns the first entry that builds on another, and forgets that those do:
    /// a walk goes on from one to the next.
    pub(super) fn take_children(&mut self, base: u32) -> u32 {
        self.rows.get_mut(base as usize).map_or(NONE, |row| std::mem::replace(&mut row.child, NONE))
    }

    /// Returns the type of what an entry stands for, once that is known.
    pub(super) fn object_type(&self, at: u32) -> Option<ObjectType> {
        self.types.get(at as usize).copied().flatten()
    }

    pub(super) fn set_type(&mut self, at: u32, object_type: ObjectType) {
        if let Some(place) = self.types.get_mut(at as usize) {
            *place = Some(object_type);
        }
    }

    /// Returns the bytes of an entry's id; zeros before it is known.
    pub(super) fn id(&self, at: u32) -> &[u8] {
        let start = (at as usize).saturating_mul(self.hash.len());
        let behind = self.ids.get(start..).unwrap_or_default();
        behind.get(..self.hash.len()).unwrap_or_default()
    }

    /// Tells whether the id of an entry is known.
    pub(super) fn has_id(&self, at: u32) -> bool {
        self.id(at).iter().any(|byte| *byte != 0)
    }

    pub(super) fn set_id(&mut self, at: u32, id: &ObjectId) {
        let start = (at as usize).saturating_mul(self.hash.len());
        for (to, from) in self.ids.iter_mut().skip(start).zip(id.as_bytes()) {
            *to = *from;
        }
    }

    /// Returns how many bytes of memory this takes.
    pub(super) fn memory(&self) -> u64 {
        let rows = self.rows.capacity().saturating_mul(size_of::<Row>());
        let types = self.types.capacity().saturating_mul(size_of::<Option<ObjectType>>());
        rows.saturating_add(types).saturating_add(self.ids.capacity()) as u64
    }
}
