//! Writes an index, version 2, and a reverse index, version 1:
//! <https://git-scm.com/docs/gitformat-pack>.

use super::super::{LONG_OFFSET, SIGNATURE};
use super::rows::Rows;
use packlens_base::block::over_ceiling;
use packlens_base::error::Result;
use packlens_base::hash::Hasher;
use packlens_base::oid::{HashKind, ObjectId};
use packlens_base::sort;

/// Returns the entries sorted by id; entries with the same id keep their pack order.
pub(super) fn sorted(rows: &Rows) -> Result<Vec<u32>> {
    let mut keys = Vec::new();
    keys.try_reserve_exact(rows.len() as usize).map_err(|_| over_ceiling())?;
    keys.extend((0..rows.len()).map(|at| sort::keyed(sort::begin(rows.id(at)), at)));
    sort::finish(&mut keys, &|one, other| rows.id(one as u32).cmp(rows.id(other as u32)));
    let mut order = Vec::new();
    order.try_reserve_exact(keys.len()).map_err(|_| over_ceiling())?;
    order.extend(keys.iter().map(|key| sort::place(*key) as u32));
    Ok(order)
}

/// Returns an index of the entries in the order given.
pub(super) fn index(
    rows: &Rows,
    order: &[u32],
    hash: HashKind,
    pack: &ObjectId,
) -> Result<Vec<u8>> {
    let long = rows.iter().filter(|row| row.offset >= LONG_OFFSET.into()).count();
    let each = hash.len().saturating_add(8);
    let length = order
        .len()
        .saturating_mul(each)
        .saturating_add(long.saturating_mul(8))
        .saturating_add(1032)
        .saturating_add(hash.len().saturating_mul(2));
    let mut out = Vec::new();
    out.try_reserve_exact(length).map_err(|_| over_ceiling())?;
    out.extend(SIGNATURE);
    out.extend(2u32.to_be_bytes());
    let first = |at: &u32| rows.id(*at).first().copied().unwrap_or(0);
    for byte in 0..=u8::MAX {
        let upto = order.partition_point(|at| first(at) <= byte);
        out.extend((upto as u32).to_be_bytes());
    }
    order.iter().for_each(|at| out.extend(rows.id(*at)));
    let row = |at: &u32| rows.get(*at);
    order.iter().filter_map(row).for_each(|row| out.extend(row.crc.to_be_bytes()));
    let mut next_long = 0u32;
    for row in order.iter().filter_map(row) {
        let short = u32::try_from(row.offset).ok().filter(|offset| *offset < LONG_OFFSET);
        let stored = short.unwrap_or_else(|| {
            let place = next_long;
            next_long = next_long.saturating_add(1);
            place | LONG_OFFSET
        });
        out.extend(stored.to_be_bytes());
    }
    let is_long = |row: &&super::rows::Row| row.offset >= LONG_OFFSET.into();
    let longs = order.iter().filter_map(row).filter(is_long);
    longs.for_each(|row| out.extend(row.offset.to_be_bytes()));
    out.extend(pack.as_bytes());
    Ok(with_checksum(out, hash))
}

/// Returns a reverse index: the index position of each entry, in pack order.
pub(super) fn reverse_index(order: &[u32], hash: HashKind, pack: &ObjectId) -> Result<Vec<u8>> {
    let mut places = Vec::new();
    places.try_reserve_exact(order.len()).map_err(|_| over_ceiling())?;
    places.resize(order.len(), 0u32);
    for (place, at) in (0u32..).zip(order) {
        if let Some(to) = places.get_mut(*at as usize) {
            *to = place;
        }
    }
    let mut out = Vec::new();
    let length = order.len().saturating_mul(4).saturating_add(12 + 2 * 32);
    out.try_reserve_exact(length).map_err(|_| over_ceiling())?;
    out.extend(b"RIDX");
    out.extend(1u32.to_be_bytes());
    let number: u32 = match hash {
        HashKind::Sha1 => 1,
        HashKind::Sha256 => 2,
    };
    out.extend(number.to_be_bytes());
    places.iter().for_each(|place| out.extend(place.to_be_bytes()));
    out.extend(pack.as_bytes());
    Ok(with_checksum(out, hash))
}

/// Appends the hash of the bytes.
fn with_checksum(mut out: Vec<u8>, hash: HashKind) -> Vec<u8> {
    let mut checksum = Hasher::new(hash);
    checksum.update(&out);
    out.extend(checksum.finish().as_bytes());
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::build::rows::{Row, NONE};
    use crate::index::PackIndex;

    #[test]
    fn offsets_over_31_bits_have_a_table_of_their_own() {
        for hash in [HashKind::Sha1, HashKind::Sha256] {
            let offsets = [12, (1 << 31) - 1, 1 << 31, u64::from(u32::MAX), (1 << 40) + 5];
            let mut rows = Rows::new(hash);
            for (at, offset) in (0u8..).zip(offsets) {
                let row = Row { offset, crc: at.into(), base: NONE, child: NONE, sibling: NONE };
                rows.push(row, None);
                // The last entries have the first ids.
                let id = ObjectId::from_bytes(hash, &[200 - 50 * at; 32]).unwrap();
                rows.set_id(at.into(), &id);
            }
            let order = sorted(&rows).unwrap();
            assert_eq!(order, [4, 3, 2, 1, 0]);
            let pack = ObjectId::from_bytes(hash, &[7; 32]).unwrap();
            let index = index(&rows, &order, hash, &pack).unwrap();
            let layout = PackIndex::decode(&index.as_slice(), hash).unwrap();
            for (position, at) in (0u32..).zip(&order) {
                let source = &index.as_slice();
                assert_eq!(layout.offset_at(source, position).unwrap(), offsets[*at as usize]);
                assert_eq!(layout.crc_at(source, position).unwrap(), Some(*at));
                assert_eq!(layout.id_at(source, position).unwrap().as_bytes(), rows.id(*at));
            }
            // Three offsets need 64 bits.
            let row = hash.len() + 8;
            assert_eq!(index.len(), 1032 + 5 * row + 3 * 8 + 2 * hash.len());
            let reverse = reverse_index(&order, hash, &pack).unwrap();
            let places: Vec<u8> = reverse[12..32].chunks(4).map(|place| place[3]).collect();
            assert_eq!(places, [4, 3, 2, 1, 0]);
        }
    }
}
