//! Which objects a walk through trees needs next, where missing objects are fetched by the
//! caller: one call fetches all that are known to be missing.

use crate::odb::Verify;
use crate::repository::Repository;
use packlens_base::error::{Error, Need};
use packlens_base::oid::ObjectId;
use packlens_format::object::{ObjectType, Tree};
use std::collections::{BTreeSet, VecDeque};

/// How many trees are read to look ahead, and how many objects one need names, at most.
const MOST_TREES: usize = 1 << 12;
const MOST_OBJECTS: usize = 1 << 16;

/// Adds to a need for an object the missing objects that are reachable from `next`, as far as
/// the trees at hand show: in the order in which the walk reaches them. With `only_trees` the
/// walk does not need blobs.
pub(super) fn needing_frontier(
    error: Error,
    repository: &mut Repository,
    next: impl Iterator<Item = (ObjectId, ObjectType)>,
    only_trees: bool,
    is_known: impl Fn(&ObjectId) -> bool,
) -> Error {
    if !matches!(error.need(), Some(Need::Objects(_))) {
        return error;
    }
    let is_candidate = |object_type| !only_trees || object_type == ObjectType::Tree;
    let mut known = BTreeSet::new();
    let mut pending: VecDeque<_> =
        next.filter(|(id, _)| !is_known(id)).take(MOST_OBJECTS).collect();
    let (mut ahead, mut trees) = (Vec::new(), 0usize);
    while let Some((id, object_type)) = pending.pop_front() {
        if ahead.len() >= MOST_OBJECTS || !is_candidate(object_type) || !known.insert(id) {
            continue;
        }
        if object_type != ObjectType::Tree || trees >= MOST_TREES {
            ahead.push(id);
            continue;
        }
        trees = trees.saturating_add(1);
        match repository.read_tree(&id, Verify::None) {
            Ok(content) => {
                let entries = Tree::new(repository.hash(), &content).map_while(Result::ok);
                let entries = entries.filter(|entry| !entry.mode.is_gitlink());
                let entries = entries.map(|entry| (entry.oid, entry.mode.object_type()));
                pending.extend(entries.filter(|(id, _)| !is_known(id)));
            }
            Err(other) if matches!(other.need(), Some(Need::Objects(_))) => ahead.push(id),
            Err(other) if other.is_missing() => return other,
            // A damaged tree is reported when the walk reaches it.
            Err(_) => {}
        }
    }
    repository.looking_ahead(error, None, |at| ahead.get(at as usize).copied())
}
