//! The trees of the commits that a walk visited.

use super::{Commits, Number, BY_ID};
use crate::odb::Verify;
use crate::repository::Repository;
use packlens_base::error::Result;
use packlens_base::oid::ObjectId;
use packlens_format::object::CommitLinks;

impl Commits {
    /// Returns the tree of a parsed commit, to compare it with that of another. What a graph
    /// says is trusted, as it is for parents: a comparison reads less than the commit takes.
    ///
    /// # Errors
    ///
    /// As [`Commits::tree`].
    pub(in crate::history) fn compared_tree(
        &mut self,
        repository: &mut Repository,
        number: Number,
    ) -> Result<ObjectId> {
        match self.in_graph(number) {
            (Some(graph), Some(position)) => graph.tree_at(&repository.files, position),
            _ => self.tree(repository, number),
        }
    }

    /// Returns the tree of a parsed commit, to list it. A commit of the graph is read as well, to
    /// compare the two: reading what the tree holds takes ten times as long anyway.
    ///
    /// # Errors
    ///
    /// Missing files and bytes; errors of reading; [`Corrupt`](packlens_base::ErrorKind::Corrupt) if
    /// the graph disagrees with the commit.
    pub(in crate::history) fn tree(
        &mut self,
        repository: &mut Repository,
        number: Number,
    ) -> Result<ObjectId> {
        let name = self.nodes.get(number as usize).map_or(BY_ID, |node| node.name);
        let kept = self.trees.as_ref().and_then(|trees| *trees.get((name & !BY_ID) as usize)?);
        if let (Some(tree), true) = (kept, name & BY_ID != 0) {
            return Ok(tree);
        }
        let id = self.id(repository, number)?;
        let mut parents = std::mem::take(&mut self.parent_ids);
        parents.clear();
        // A commit that is only compared with the graph needs no hash: a damaged one would
        // differ.
        let verify = if name & BY_ID == 0 { Verify::None } else { repository.verify };
        let links = match repository.shared_commits(&id, &mut parents) {
            Some(links) => Ok(links),
            None => self.unchecked.read_alone(repository, &id, verify, &mut parents),
        };
        let same = match (&links, &self.graph) {
            (Ok(links), Some(_)) if name & BY_ID == 0 => {
                self.matches_graph(repository, number, links, &parents)
            }
            _ => Ok(true),
        };
        self.parent_ids = parents;
        match (same?, &self.graph) {
            (false, Some(graph)) => {
                let what = "a commit-graph contradicts a commit";
                Err(graph.corrupt_at(what, name))
            }
            _ => Ok(links?.tree),
        }
    }

    /// Returns whether a commit and the graph agree on its date, tree and parents. A walk may
    /// follow fewer parents than the graph has.
    fn matches_graph(
        &self,
        repository: &Repository,
        number: Number,
        links: &CommitLinks,
        parents: &[ObjectId],
    ) -> Result<bool> {
        let (Some(graph), Some(node)) = (&self.graph, self.nodes.get(number as usize)) else {
            return Ok(true);
        };
        let files = &repository.files;
        let mut positions = Vec::new();
        graph.parents_at(files, node.name, &mut positions)?;
        let same = node.date == links.date.unwrap_or(0)
            && positions.len() == parents.len()
            && graph.tree_at(files, node.name)? == links.tree;
        for (position, parent) in positions.into_iter().zip(parents) {
            if !same || graph.id_at(files, position)? != *parent {
                return Ok(false);
            }
        }
        Ok(same)
    }
}
