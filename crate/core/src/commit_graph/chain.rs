//! A commit-graph of one file or of several, each based on those below.

use super::{ChangedPath, GraphFile};
use crate::block::{FileId, Files};
use crate::error::Result;
use crate::oid::ObjectId;

/// A commit-graph. Positions go on from one layer to the next.
#[derive(Default)]
pub struct CommitGraph {
    /// The lowest first.
    layers: Vec<Layer>,
    count: u32,
}

struct Layer {
    file: FileId,
    graph: GraphFile,
    /// The position of its first commit.
    first: u32,
}

/// A commit of a graph.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct GraphCommit {
    /// The id of its tree.
    pub tree: ObjectId,
    /// Seconds since 1970.
    pub date: u64,
    /// Its generation number: greater than those of its parents. `None` if the
    /// graph has none.
    pub generation: Option<u64>,
}

impl CommitGraph {
    /// Puts a file on top of the others; tells whether it may be there, which is
    /// when there are not too many commits.
    pub fn push(&mut self, file: FileId, graph: GraphFile) -> bool {
        let Some(count) = self.count.checked_add(graph.count()).filter(|count| *count < NO_MORE)
        else {
            return false;
        };
        self.layers.push(Layer { file, graph, first: self.count });
        self.count = count;
        true
    }

    /// Returns how many commits there are.
    pub fn count(&self) -> u32 {
        self.count
    }

    /// Returns how many layers there are.
    pub fn layer_count(&self) -> usize {
        self.layers.len()
    }

    /// Returns the file of each layer.
    pub fn files(&self) -> impl Iterator<Item = FileId> + '_ {
        self.layers.iter().map(|layer| layer.file)
    }

    /// Tells whether all commits have corrected dates, which are then their
    /// generation numbers.
    pub fn has_dates(&self) -> bool {
        !self.layers.is_empty() && self.layers.iter().all(|layer| layer.graph.has_dates())
    }

    /// Tells whether commits have generation numbers: those of git before 2.19 do not.
    ///
    /// # Errors
    ///
    /// Missing bytes.
    pub fn has_generations(&self, files: &Files) -> Result<bool> {
        match self.layers.last() {
            Some(top) if top.graph.count() > 0 => {
                Ok(top.graph.row_at(&files.source(top.file), 0)?.level > 0)
            }
            _ => Ok(false),
        }
    }

    /// Returns the position of a commit.
    ///
    /// # Errors
    ///
    /// Missing bytes.
    pub fn find(&self, files: &Files, id: &ObjectId) -> Result<Option<u32>> {
        for layer in self.layers.iter().rev() {
            if let Some(position) = layer.graph.find(&files.source(layer.file), id)? {
                return Ok(Some(layer.first.saturating_add(position)));
            }
        }
        Ok(None)
    }

    /// Returns the id of the commit at a position.
    ///
    /// # Errors
    ///
    /// Missing bytes; [`Corrupt`](crate::ErrorKind::Corrupt) if there is none.
    pub fn id_at(&self, files: &Files, position: u32) -> Result<ObjectId> {
        let (layer, own) = self.layer_of(position)?;
        layer.graph.id_at(&files.source(layer.file), own)
    }

    /// Returns the id of the tree of the commit at a position.
    ///
    /// # Errors
    ///
    /// Missing bytes; [`Corrupt`](crate::ErrorKind::Corrupt) if there is no such commit.
    pub fn tree_at(&self, files: &Files, position: u32) -> Result<ObjectId> {
        let (layer, own) = self.layer_of(position)?;
        Ok(layer.graph.row_at(&files.source(layer.file), own)?.tree)
    }

    /// Tells whether the commit at a position may have changed a path.
    ///
    /// # Errors
    ///
    /// Missing bytes; [`Corrupt`](crate::ErrorKind::Corrupt) if there is no such commit.
    pub fn may_have_changed(
        &self,
        files: &Files,
        position: u32,
        path: &ChangedPath,
    ) -> Result<bool> {
        let (layer, own) = self.layer_of(position)?;
        layer.graph.may_have_changed(&files.source(layer.file), own, path)
    }

    /// Reads the commit at a position, and appends the positions of its parents.
    ///
    /// # Errors
    ///
    /// Missing bytes; [`Corrupt`](crate::ErrorKind::Corrupt) if a parent is no
    /// commit of the graph.
    pub fn read(
        &self,
        files: &Files,
        position: u32,
        parents: &mut Vec<u32>,
    ) -> Result<GraphCommit> {
        let (layer, own) = self.layer_of(position)?;
        let source = files.source(layer.file);
        let row = layer.graph.row_at(&source, own)?;
        let generation = match self.has_dates() {
            true => layer.graph.corrected_date(&source, own, row.date)?,
            false => Some(u64::from(row.level)).filter(|level| *level > 0),
        };
        let before = parents.len();
        layer.graph.parents_of(&source, &row, parents)?;
        let end = layer.first.saturating_add(layer.graph.count());
        if parents.iter().skip(before).any(|parent| *parent >= end) {
            parents.truncate(before);
            return Err(no_such_commit(layer.file));
        }
        Ok(GraphCommit { tree: row.tree, date: row.date, generation })
    }

    /// Tells whether the generation number of each commit is greater than those of its
    /// parents: only then they tell what a commit cannot lead to.
    ///
    /// # Errors
    ///
    /// Missing bytes; those of [`CommitGraph::read`].
    pub fn goes_up(&self, files: &Files) -> Result<bool> {
        // Levels go no further than this.
        const MOST_LEVEL: u64 = (1 << 30) - 1;
        let most = if self.has_dates() { u64::MAX } else { MOST_LEVEL };
        let count = self.count() as usize;
        let (mut generations, mut edges) = (Vec::with_capacity(count), Vec::new());
        let mut parents = Vec::new();
        for position in 0..self.count() {
            let generation = self.read(files, position, &mut parents)?.generation;
            generations.push(generation.unwrap_or(u64::MAX));
            edges.extend(parents.drain(..).map(|parent| (position, parent)));
        }
        let of = |position: &u32| generations.get(*position as usize).copied().unwrap_or(0);
        Ok(edges.iter().all(|(child, parent)| of(child) > of(parent) || of(child) == most))
    }

    fn layer_of(&self, position: u32) -> Result<(&Layer, u32)> {
        let found = self.layers.iter().rev().find(|layer| layer.first <= position);
        found
            .and_then(|layer| Some((layer, position.checked_sub(layer.first)?)))
            .filter(|(layer, own)| *own < layer.graph.count())
            .ok_or_else(|| no_such_commit(FileId::NONE))
    }
}

/// Positions from here on mean other things.
const NO_MORE: u32 = 0x7000_0000;

#[cold]
fn no_such_commit(file: FileId) -> crate::error::Error {
    crate::error::Error::corrupt("a commit-graph that names a commit it does not have", file, 0)
}
