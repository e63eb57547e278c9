//! The trees on the way to a path, looked for before they are compared: what they need is requested
//! together with what other trees need.

use crate::odb::Verify;
use crate::repository::Repository;
use packlens_base::error::Need;
use packlens_base::oid::ObjectId;
use packlens_base::sorted_map::SortedMap;
use packlens_format::object::Tree;

/// How many subtrees are known before all are forgotten.
const MOST: usize = 4096;

/// The subtrees that trees have at a level of a path; `None` if they have none.
#[derive(Default)]
pub(super) struct TreesBelow {
    known: SortedMap<(ObjectId, usize), Option<ObjectId>>,
}

impl TreesBelow {
    /// Notes what is needed to read the trees on the way to a path, as far as these are known by
    /// now. Nothing relies on what this reads, so it is not hashed.
    #[cold]
    pub(super) fn look_at(
        &mut self,
        repository: &mut Repository,
        tree: &ObjectId,
        names: &[Vec<u8>],
        needs: &mut Vec<Need>,
    ) {
        let mut tree = *tree;
        for (level, name) in names.iter().enumerate() {
            let is_last = level.saturating_add(1) == names.len();
            let known = self.known.get(&(tree, level)).filter(|_| !is_last).copied();
            let below = match known {
                Some(below) => below,
                None => {
                    let before = needs.len();
                    repository.odb.needs_of_tree(&mut repository.files, &tree, needs);
                    if is_last || needs.len() > before {
                        return;
                    }
                    let below = subtree(repository, &tree, name);
                    if self.known.len() >= MOST {
                        self.known = SortedMap::default();
                    }
                    self.known.insert((tree, level), below);
                    below
                }
            };
            match below {
                Some(below) => tree = below,
                None => return,
            }
        }
    }

    /// Returns how many bytes of memory this takes.
    pub(super) fn memory(&self) -> u64 {
        (self.known.len() as u64).saturating_mul(128)
    }
}

fn subtree(repository: &mut Repository, tree: &ObjectId, name: &[u8]) -> Option<ObjectId> {
    let content = repository.read_tree(tree, Verify::None).ok()?;
    let entry = Tree::new(repository.hash(), &content).find_entry(name).ok()??;
    entry.mode.canonical().is_tree().then_some(entry.oid)
}
