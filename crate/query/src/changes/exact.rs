//! Files that were renamed or copied without a change.

use super::change::MAX_SCORE;
use super::pairs::{Pairs, Source, Target};
use super::RenameKind;
use packlens_base::sort;

/// Of more sources with the same content, the best of the first ones is taken.
const MOST_ALIKE: usize = 100;

/// Connects each target to a source of the same content.
#[inline(never)]
pub(super) fn find_exact(pairs: &mut Pairs, kind: RenameKind) {
    let ids = pairs.sources.iter().map(|source| source.entry.1);
    let mut ids: Vec<_> = ids.zip(0..).collect();
    if is_turned_around(ids.len()) {
        ids.reverse();
    }
    sort::by_id(&mut ids, |(id, _)| id);
    for at in 0..pairs.targets.len() {
        let Some(target) = pairs.targets.get(at) else {
            break;
        };
        let start = ids.partition_point(|(id, _)| *id < target.entry.1);
        let alike = ids.get(start..).unwrap_or_default().iter();
        let alike = alike.take_while(|(id, _)| *id == target.entry.1).map(|(_, source)| *source);
        if let Some(source) = best(pairs, target, alike, kind) {
            pairs.record(at, source, MAX_SCORE);
        }
    }
}

/// Returns whether git examines sources of the same content from the last to the first: where the
/// last one that it adds makes its hash table grow, which happens with 205, 3277, … sources.
fn is_turned_around(sources: usize) -> bool {
    let mut size: usize = 64;
    while size < sources.saturating_mul(100) / 80 {
        size = size.saturating_mul(4);
    }
    sources > size.saturating_mul(80) / 100
}

/// Returns the first source that is not used yet and has the name of the target; if there is
/// none, the first that is one of the two; any else.
fn best(
    pairs: &Pairs,
    target: &Target,
    alike: impl Iterator<Item = usize>,
    kind: RenameKind,
) -> Option<usize> {
    let usable = alike.filter_map(|at| Some((at, pairs.sources.get(at)?)));
    let usable = usable
        .filter(|(_, source)| may_match(source, target) && kind.may_reuse(source))
        .take(MOST_ALIKE);
    let mut best = None;
    for (at, source) in usable {
        let fits = [source.uses == 0, pairs.same_basename(source, target)];
        let score = fits.into_iter().filter(|fits| *fits).count();
        if best.is_none_or(|(best, _)| score > best) {
            best = Some((score, at));
        }
        if score == fits.len() {
            break;
        }
    }
    best.map(|(_, at)| at)
}

/// Links and trees keep their modes; files may change theirs.
fn may_match(source: &Source, target: &Target) -> bool {
    let (old, new) = (source.entry.0.canonical(), target.entry.0.canonical());
    old.is_file() && new.is_file() || old == new
}

#[cfg(test)]
mod tests {
    use super::super::pairs::Pair;
    use super::super::{RenameOptions, TreeChange};
    use super::*;
    use packlens_base::hash::object_id;
    use packlens_base::oid::HashKind;
    use packlens_format::object::{Mode, ObjectType};

    /// Returns the source of a new file among files of the same content that stay.
    fn copied_from(sources: usize) -> Option<usize> {
        let id = object_id(HashKind::Sha1, ObjectType::Blob, b"same\n");
        let entry = Some((Mode(0o100_644), id));
        let all = (0..sources).map(|at| ([entry, entry], format!("e{at:05}")));
        let mut pairs = Pairs::default();
        for (sides, path) in all.chain([([None, entry], "new".to_string())]) {
            let change = TreeChange { sides, path: path.into_bytes(), origin: None };
            pairs.list.push(Pair { change, split: None });
        }
        let options = RenameOptions { kind: RenameKind::CopiesOfAny, ..RenameOptions::default() };
        pairs.register(&options, b"", None);
        find_exact(&mut pairs, options.kind);
        pairs.targets[0].found.map(|(source, _)| source)
    }

    #[test]
    fn of_files_of_the_same_content_git_takes_the_first_or_the_last() {
        // As git 2.55 prints it for as many files, with `diff-tree -C -C`.
        for (sources, from) in [(8, 0), (52, 0), (204, 0), (205, 204), (206, 0), (820, 0)] {
            assert_eq!(copied_from(sources), Some(from), "{sources} sources");
        }
        assert_eq!(copied_from(3277), Some(3276));
    }
}
