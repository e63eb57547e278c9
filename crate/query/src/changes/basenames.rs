//! Files that were moved to another directory: only one old and one new path end in the same
//! name.

use super::pairs::{basename, Pairs};
use packlens_base::sort;

/// An old or a new path.
#[derive(Clone, Copy)]
enum Place {
    Source(usize),
    Target(usize),
}

/// Returns the sources and targets that only share their names with each other, in the order of
/// the sources.
pub(super) fn unique_basenames(pairs: &Pairs) -> Vec<(usize, usize)> {
    let sources = pairs.sources.iter().enumerate().filter(|(_, source)| source.uses == 0);
    let targets = pairs.targets.iter().enumerate().filter(|(_, target)| target.found.is_none());
    let mut places: Vec<(&[u8], Place)> = sources
        .map(|(at, source)| (basename(pairs.path(source.pair)), Place::Source(at)))
        .chain(targets.map(|(at, target)| (basename(pairs.path(target.pair)), Place::Target(at))))
        .collect();
    sort::by_keys(&mut places, |(name, _)| sort::begin(name), |one, other| one.0.cmp(other.0));
    let mut found: Vec<u64> = Vec::new();
    for same in places.chunk_by(|(one, _), (other, _)| one == other) {
        if let [(_, Place::Source(source)), (_, Place::Target(target))] = same {
            found.push(sort::keyed(*source as u32, *target as u32));
        }
    }
    sort::numbers(&mut found);
    found.into_iter().map(|key| ((key >> 32) as usize, sort::place(key))).collect()
}
