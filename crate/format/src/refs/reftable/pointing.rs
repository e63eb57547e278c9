//! Finds the refs that point at an object, by the object blocks if there are any.

use super::block::{Block, BlockKind, RecordPosition};
use super::record::{Fields, Target, Value};
use super::table::Reftable;
use packlens_base::block::BlockSource;
use packlens_base::error::Result;
use packlens_base::oid::ObjectId;

/// Calls `found` with the name of each ref in a table that points at `id`, or at a tag that
/// peels to it. Returns `false` if that would take a scan of more than `most` bytes of refs.
///
/// # Errors
///
/// Missing bytes; [`Corrupt`](packlens_base::ErrorKind::Corrupt) for a damaged table.
pub(super) fn refs_pointing_at<S: BlockSource>(
    table: &Reftable<S>,
    id: &ObjectId,
    most: u64,
    mut found: impl FnMut(&[u8]),
) -> Result<bool> {
    if let Some(blocks) = blocks_about(table, id)? {
        for position in blocks {
            let Reftable { source, limits, .. } = table;
            let block = Block::read(source, table.layout(), position, &mut None, limits)?;
            if block.kind != BlockKind::Refs {
                return Err(block.corrupt("an object of a reftable that leads to no refs"));
            }
            let mut place = RecordPosition::default();
            block.begin(&mut place);
            while block.step(&mut place)? {
                if points_at(place.value.as_ref(), id) {
                    found(&place.key);
                }
            }
        }
        return Ok(true);
    }
    let section = table.layout().section(BlockKind::Refs);
    if section.is_some_and(|refs| refs.end.saturating_sub(refs.start) > most) {
        return Ok(false);
    }
    let mut cursor = table.cursor(BlockKind::Refs);
    while cursor.step()? {
        if points_at(cursor.value(), id) {
            found(cursor.key());
        }
    }
    Ok(true)
}

fn points_at(value: Option<&Value>, target: &ObjectId) -> bool {
    match value {
        Some(Value::Ref { target: Target::Id(id), .. }) => id == target,
        Some(Value::Ref { target: Target::Tag { id, peeled }, .. }) => {
            id == target || peeled == target
        }
        _ => false,
    }
}

/// Returns the offsets of the ref blocks with refs to `id`; `None` if the table has no such
/// list.
fn blocks_about<S: BlockSource>(table: &Reftable<S>, id: &ObjectId) -> Result<Option<Vec<u64>>> {
    if table.layout().section(BlockKind::Objects).is_none() {
        return Ok(None);
    }
    let key = id.as_bytes().get(..table.layout().object_key_len).unwrap_or(id.as_bytes());
    let mut objects = table.cursor(BlockKind::Objects);
    if !objects.seek(key)? {
        return Ok(Some(Vec::new()));
    }
    let Some(Value::Object { count, positions }) = objects.value() else {
        return Ok(None);
    };
    if *count == 0 {
        return Ok(None);
    }
    let deltas = objects.bytes(positions);
    let mut fields = Fields::new(deltas, 0);
    let mut blocks = Vec::new();
    let mut position = 0u64;
    while fields.at() < deltas.len() {
        // An overflow is clamped, which names no block.
        position = position.saturating_add(fields.varint().unwrap_or(u64::MAX));
        blocks.push(position);
    }
    Ok(Some(blocks))
}
