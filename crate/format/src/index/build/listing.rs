//! Lists the entries of a pack, as git's `verify-pack -v` does.

use super::rows::{Rows, NONE};
use crate::pack::Entry;
use packlens_base::block::{over_ceiling, BlockSource};
use packlens_base::error::Result;
use packlens_base::oid::{HashKind, ObjectId};
use packlens_base::sort;
use std::io::Write;

/// The state of a listing: a line for each entry, then the number of delta chains by length.
pub struct Listing {
    next: u32,
    /// The delta depth of each entry: 0 for entries that are no deltas.
    depths: Vec<u32>,
    end: u64,
}

impl Listing {
    pub(super) fn new(rows: &Rows, end: u64) -> Result<Listing> {
        let mut depths = Vec::new();
        depths.try_reserve_exact(rows.len() as usize).map_err(|_| over_ceiling())?;
        depths.resize(rows.len() as usize, NONE);
        let mut chain = Vec::new();
        for entry in 0..rows.len() {
            // A base that is named by its id may come after the delta.
            let mut at = entry;
            let known = loop {
                let depth = depths.get(at as usize).copied().unwrap_or(0);
                if depth != NONE {
                    break Some(depth);
                }
                chain.push(at);
                at = rows.get(at).map_or(NONE, |row| row.base);
                if at == NONE {
                    break None;
                }
            };
            let mut depth = known.map_or(0, |depth| depth.saturating_add(1));
            while let Some(at) = chain.pop() {
                if let Some(place) = depths.get_mut(at as usize) {
                    *place = depth;
                }
                depth = depth.saturating_add(1);
            }
        }
        Ok(Listing { next: 0, depths, end })
    }

    /// Returns how many bytes of memory this takes.
    pub fn memory(&self) -> u64 {
        (self.depths.capacity() as u64).saturating_mul(4)
    }

    /// Appends the line of the next entry; returns `false` after the last.
    pub(super) fn line<S: BlockSource>(
        &mut self,
        rows: &Rows,
        hash: HashKind,
        pack: &S,
        out: &mut Vec<u8>,
    ) -> Result<bool> {
        let Some((row, object_type)) = rows.get(self.next).zip(rows.object_type(self.next)) else {
            return Ok(false);
        };
        let entry = Entry::decode(pack, hash, row.offset)?;
        let after = self.next.saturating_add(1);
        let end = rows.get(after).map_or(self.end, |next| next.offset);
        let (size, extent) = (entry.size, end.saturating_sub(row.offset));
        hex(rows.id(self.next), hash, out);
        // Writing into a `Vec` cannot fail.
        let _ = write!(out, " {:<6} {size} {extent} {}", object_type.name(), row.offset);
        if row.base != NONE {
            let depth = self.depths.get(self.next as usize).copied().unwrap_or(0);
            let _ = write!(out, " {depth} ");
            hex(rows.id(row.base), hash, out);
        }
        out.push(b'\n');
        self.next = after;
        Ok(true)
    }

    /// Returns how many entries have each delta depth, in git's words.
    pub fn summary(&self) -> Vec<u8> {
        let mut depths: Vec<u64> = self.depths.iter().copied().map(u64::from).collect();
        sort::numbers(&mut depths);
        let mut out = Vec::new();
        let mut rest = depths.as_slice();
        while let Some(depth) = rest.first() {
            let count = rest.partition_point(|other| other == depth);
            let objects = if count == 1 { "object" } else { "objects" };
            let _ = match depth {
                0 => writeln!(out, "non delta: {count} {objects}"),
                _ => writeln!(out, "chain length = {depth}: {count} {objects}"),
            };
            rest = rest.get(count..).unwrap_or_default();
        }
        out
    }
}

fn hex(id: &[u8], hash: HashKind, out: &mut Vec<u8>) {
    if let Some(id) = ObjectId::from_bytes(hash, id) {
        out.extend(id.to_hex().as_bytes());
    }
}
