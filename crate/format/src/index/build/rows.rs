//! The entries of a pack, in pack order.

use crate::object::ObjectType;
use packlens_base::block::over_ceiling;
use packlens_base::error::Result;
use packlens_base::oid::{HashKind, ObjectId};

/// The row number that stands for no entry.
pub(super) const NONE: u32 = u32::MAX;

/// An entry of the pack. The deltas on a base form a list: its `child` is the first delta,
/// whose `sibling` is the next.
#[derive(Clone, Copy)]
pub(super) struct Row {
    pub(super) offset: u64,
    pub(super) crc: u32,
    /// The base of the entry, once it is known.
    pub(super) base: u32,
    pub(super) child: u32,
    pub(super) sibling: u32,
}

/// A row for each entry. Types and ids have tables of their own, so that rows are the same for
/// both hashes and need no padding.
pub(super) struct Rows {
    hash: HashKind,
    rows: Vec<Row>,
    types: Vec<Option<ObjectType>>,
    ids: Vec<u8>,
}

impl Rows {
    pub fn new(hash: HashKind) -> Rows {
        Rows { hash, rows: Vec::new(), types: Vec::new(), ids: Vec::new() }
    }

    /// Reserves memory for `count` rows: growing them step by step would take twice as much at
    /// times.
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

    /// Drops all but the first `count` rows.
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

    pub fn get(&self, at: u32) -> Option<&Row> {
        self.rows.get(at as usize)
    }

    /// Returns the entry that begins at `offset`.
    pub(super) fn at_offset(&self, offset: u64) -> Option<u32> {
        self.rows.binary_search_by_key(&offset, |row| row.offset).ok().map(|at| at as u32)
    }

    /// Makes an entry a delta on a base.
    pub(super) fn adopt(&mut self, base: u32, child: u32) {
        let Some(place) = self.rows.get_mut(base as usize) else {
            return;
        };
        let sibling = std::mem::replace(&mut place.child, child);
        if let Some(row) = self.rows.get_mut(child as usize) {
            (row.base, row.sibling) = (base, sibling);
        }
    }

    /// Returns the first delta on a base, and detaches the list: its `sibling`s lead to the
    /// others.
    pub(super) fn take_children(&mut self, base: u32) -> u32 {
        self.rows.get_mut(base as usize).map_or(NONE, |row| std::mem::replace(&mut row.child, NONE))
    }

    /// Returns the object type of an entry, once it is known.
    pub(super) fn object_type(&self, at: u32) -> Option<ObjectType> {
        self.types.get(at as usize).copied().flatten()
    }

    pub(super) fn set_type(&mut self, at: u32, object_type: ObjectType) {
        if let Some(place) = self.types.get_mut(at as usize) {
            *place = Some(object_type);
        }
    }

    /// Returns the bytes of an entry's id; all zero until it is known.
    pub(super) fn id(&self, at: u32) -> &[u8] {
        let start = (at as usize).saturating_mul(self.hash.len());
        let after = self.ids.get(start..).unwrap_or_default();
        after.get(..self.hash.len()).unwrap_or_default()
    }

    /// Returns whether the id of an entry is known.
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
    pub fn memory(&self) -> u64 {
        let rows = self.rows.capacity().saturating_mul(size_of::<Row>());
        let types = self.types.capacity().saturating_mul(size_of::<Option<ObjectType>>());
        rows.saturating_add(types).saturating_add(self.ids.capacity()) as u64
    }
}
