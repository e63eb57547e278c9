//! The work units of a check, which several instances share.

use super::numbers::Numbers;
use packlens_base::error::Result;
use packlens_base::hash::Hasher;
use packlens_base::oid::HashKind;
use packlens_query::odb::PackEntries;
use packlens_query::repository::Repository;
use std::ops::Range;

/// How many times the entries of a work unit of a listing are worth sharing: a worker takes as long
/// to start as some thousand objects take to be read.
const LEAST: u32 = 8;

/// How many work units of a survey share the entries of one of a listing: some hold the trees of a
/// whole history, and no instance may wait long for the last one.
const PARTS: usize = 4;

/// A part of the survey. Packs are named by their indices in the list of numbered packs.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) enum Unit {
    /// The bytes of a pack and of its index.
    Files(usize),
    /// A range of the loose objects.
    Loose(Range<usize>),
    /// The delta trees of a pack with roots in a range of its entries.
    Packed(usize, Range<usize>),
}

/// Returns the work units of one instance that makes them all.
pub(super) fn whole(numbers: &Numbers) -> Vec<Unit> {
    let packs = numbers.packs().len();
    let files = (0..packs).map(Unit::Files);
    let packed = (0..packs).map(|pack| Unit::Packed(pack, 0..usize::MAX));
    files.chain([Unit::Loose(0..usize::MAX)]).chain(packed).collect()
}

/// Returns work units that can be shared; `None` if there are too few objects or too little memory
/// for that.
///
/// # Errors
///
/// Missing files and bytes.
pub(super) fn parts(numbers: &Numbers, repository: &Repository) -> Result<Option<Vec<Unit>>> {
    if numbers.count() < repository.odb.work_unit_entries().saturating_mul(LEAST) {
        return Ok(None);
    }
    let length = (repository.odb.work_unit_entries() as usize / PARTS).max(1);
    let ranges = |count: usize| {
        let starts = (0..count).step_by(length);
        starts.map(move |start| start..start.saturating_add(length).min(count))
    };
    let mut units: Vec<_> = (0..numbers.packs().len()).map(Unit::Files).collect();
    units.extend(ranges(numbers.loose().len()).map(Unit::Loose));
    for (at, (pack, _)) in numbers.packs().iter().enumerate() {
        if !PackEntries::has_parts(&repository.odb, &repository.files, *pack)? {
            return Ok(None);
        }
        let count = repository.odb.count_in(*pack) as usize;
        units.extend(ranges(count).map(|roots| Unit::Packed(at, roots)));
    }
    Ok(Some(units))
}

/// Returns a fingerprint of the objects and their numbers.
pub(super) fn fingerprint(numbers: &Numbers, repository: &Repository) -> Vec<u8> {
    let mut state = Hasher::new(HashKind::Sha1);
    numbers.loose().iter().for_each(|id| state.update(id.as_bytes()));
    for (pack, first) in numbers.packs() {
        state.update(&first.to_le_bytes());
        state.update(repository.odb.stem_of(*pack));
    }
    state.update(&numbers.count().to_le_bytes());
    state.finish().as_bytes().to_vec()
}
