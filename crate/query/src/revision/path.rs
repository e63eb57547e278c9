//! Looks up paths below a tree, and keeps the trees of recent paths.

use crate::repository::Repository;
use packlens_base::error::Result;
use packlens_base::oid::ObjectId;
use packlens_format::object::{Mode, ObjectType, Tree};

/// The most trees that are kept, and the share of the memory ceiling that they may take.
const MOST_TREES: usize = 16;
const MEMORY_SHARE: u64 = 64;

const TREE: Mode = Mode(0o040_000);

/// The trees of recent paths, most recently used first. A caller often asks for several paths
/// in one directory, and retries a path when bytes were missing.
#[derive(Default)]
pub(crate) struct PathTrees {
    kept: Vec<(ObjectId, Vec<u8>)>,
}

impl PathTrees {
    /// Returns a kept tree and marks it as the most recently used.
    fn find(&mut self, id: &ObjectId) -> Option<&[u8]> {
        let at = self.kept.iter().position(|(kept, _)| kept == id)?;
        self.kept.get_mut(..=at)?.rotate_right(1);
        self.kept.first().map(|(_, content)| content.as_slice())
    }

    /// Keeps a tree; evicts the least recently used ones if all take more than `most` bytes.
    fn keep(&mut self, id: ObjectId, content: Vec<u8>, most: u64) {
        if content.capacity() as u64 > most {
            return;
        }
        self.kept.truncate(MOST_TREES.saturating_sub(1));
        self.kept.insert(0, (id, content));
        while self.memory() > most {
            self.kept.pop();
        }
    }

    /// Returns how many bytes of memory the trees take.
    pub fn memory(&self) -> u64 {
        self.kept.iter().fold(0, |sum, (_, content)| sum.saturating_add(content.capacity() as u64))
    }

    /// Drops all trees.
    pub(crate) fn clear(&mut self) {
        self.kept.clear();
    }
}

impl Repository {
    /// Returns the object at a path below a tree, and its mode; `None` if there is none.
    pub(crate) fn find_path(
        &mut self,
        tree: &ObjectId,
        path: &[u8],
    ) -> Result<Option<(ObjectId, Mode)>> {
        let mut found = (*tree, TREE);
        let mut rest = path;
        while !rest.is_empty() {
            let end = rest.iter().position(|byte| *byte == b'/');
            let (name, after) =
                rest.split_at_checked(end.unwrap_or(rest.len())).unwrap_or_default();
            match self.find_entry(&found.0, name)? {
                // A name followed by a slash must be a tree.
                Some(entry) if end.is_none() || entry.1.is_tree() => found = entry,
                _ => return Ok(None),
            }
            rest = after.get(1..).unwrap_or_default();
        }
        Ok(Some(found))
    }

    /// Returns the id of a tree's entry by its name, and its mode.
    fn find_entry(&mut self, tree: &ObjectId, name: &[u8]) -> Result<Option<(ObjectId, Mode)>> {
        let hash = self.hash();
        let find = |content: &[u8]| {
            let entry = Tree::new(hash, content).find_entry(name)?;
            Ok(entry.map(|entry| (entry.oid, entry.mode)))
        };
        if let Some(content) = self.kept.path_trees.find(tree) {
            return find(content);
        }
        let content = self.read_of_type(tree, ObjectType::Tree)?;
        let found = find(&content)?;
        let most = self.memory() / MEMORY_SHARE;
        self.kept.path_trees.keep(*tree, content, most);
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use packlens_base::oid::HashKind;

    fn id(number: u8) -> ObjectId {
        ObjectId::from_hex(HashKind::Sha1, format!("{number:040x}").as_bytes()).unwrap()
    }

    #[test]
    fn the_most_recently_used_stay() {
        let mut trees = PathTrees::default();
        for number in 0..100 {
            trees.keep(id(number), vec![number; 10], 1000);
            assert!(trees.find(&id(0)).is_some(), "{number}");
        }
        assert_eq!(trees.find(&id(99)), Some(&[99; 10][..]));
        let held = (0..100).filter(|number| trees.find(&id(*number)).is_some()).count();
        assert_eq!(held, MOST_TREES);
    }

    #[test]
    fn path_trees_obey_their_memory_limit() {
        let mut trees = PathTrees::default();
        for number in 0..10 {
            trees.keep(id(number), vec![number; 300], 1000);
            assert!(trees.memory() <= 1000);
        }
        assert!(trees.find(&id(7)).is_some() && trees.find(&id(6)).is_none());
        trees.keep(id(10), vec![0; 1001], 1000);
        assert!(trees.find(&id(10)).is_none() && trees.find(&id(9)).is_some());
        trees.clear();
        assert_eq!(trees.memory(), 0);
    }
}
