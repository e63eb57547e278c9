//! A commit-graph of one file or of a chain of files, each based on those below.

use super::{GraphFile, GraphRow, Numbers, PathFilter};
use packlens_base::block::{FileId, Files};
use packlens_base::error::{Error, Result};
use packlens_base::oid::ObjectId;

/// A commit-graph. The positions of a layer continue those of the layers below.
#[derive(Default)]
pub struct CommitGraph {
    /// The layers, the lowest first.
    layers: Vec<Layer>,
    count: u32,
    /// All layers have corrected commit dates.
    has_dates: bool,
}

/// A file of a commit-graph.
pub struct Layer {
    /// The file.
    pub file: FileId,
    /// The layout of the file.
    pub graph: GraphFile,
    /// The position of the layer's first commit in the graph.
    pub first: u32,
}

impl CommitGraph {
    /// Adds a file on top of the others; returns `false`, and adds nothing, if the graph would
    /// have too many commits.
    pub fn push(&mut self, file: FileId, graph: GraphFile) -> bool {
        let Some(count) = self.count.checked_add(graph.count()).filter(|count| *count < NO_MORE)
        else {
            return false;
        };
        self.has_dates = graph.has_dates() && (self.has_dates || self.layers.is_empty());
        self.layers.push(Layer { file, graph, first: self.count });
        self.count = count;
        true
    }

    /// Returns how many commits there are.
    pub fn count(&self) -> u32 {
        self.count
    }

    /// Returns the layers, the lowest first.
    pub fn layers(&self) -> &[Layer] {
        &self.layers
    }

    /// Returns whether all layers have corrected commit dates, which are the generation numbers
    /// then.
    pub fn has_dates(&self) -> bool {
        self.has_dates
    }

    /// Returns whether commits have generation numbers. Graphs by git before 2.19 have none,
    /// nor do chains on top of such a graph.
    ///
    /// # Errors
    ///
    /// Missing bytes.
    pub fn has_generations(&self, files: &Files) -> Result<bool> {
        let mut found = false;
        for layer in self.layers.iter().filter(|layer| layer.graph.count() > 0) {
            let row = layer.graph.row_at(&files.source(layer.file), 0)?;
            found = row.numbers.level > 0;
            if !found {
                break;
            }
        }
        Ok(found)
    }

    /// Returns the position of a commit; `None` if the graph does not have it.
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
    /// Missing bytes; [`Corrupt`](packlens_base::ErrorKind::Corrupt) if there is no such commit.
    pub fn id_at(&self, files: &Files, position: u32) -> Result<ObjectId> {
        let (layer, own) = self.layer_of(position)?;
        layer.graph.id_at(&files.source(layer.file), own)
    }

    /// Returns the id of the tree of the commit at a position.
    ///
    /// # Errors
    ///
    /// Missing bytes; [`Corrupt`](packlens_base::ErrorKind::Corrupt) if there is no such commit.
    pub fn tree_at(&self, files: &Files, position: u32) -> Result<ObjectId> {
        let (layer, own) = self.layer_of(position)?;
        layer.graph.tree_at(&files.source(layer.file), own)
    }

    /// Returns the filter of the paths that the commit at a position may have changed; `None` if
    /// it has none.
    ///
    /// # Errors
    ///
    /// Missing bytes; [`Corrupt`](packlens_base::ErrorKind::Corrupt) if there is no such commit.
    pub fn path_filter(&self, files: &Files, position: u32) -> Result<Option<PathFilter>> {
        let (layer, own) = self.layer_of(position)?;
        layer.graph.path_filter(&files.source(layer.file), own)
    }

    /// Returns the date and the generation numbers of the commit at a position.
    ///
    /// # Errors
    ///
    /// Missing bytes; [`Corrupt`](packlens_base::ErrorKind::Corrupt) if there is no such commit.
    pub fn numbers_at(&self, files: &Files, position: u32) -> Result<Numbers> {
        Ok(self.row_at(files, position)?.numbers)
    }

    /// Returns the row of the commit at a position.
    ///
    /// # Errors
    ///
    /// Missing bytes; [`Corrupt`](packlens_base::ErrorKind::Corrupt) if there is no such commit.
    pub fn row_at(&self, files: &Files, position: u32) -> Result<GraphRow> {
        let (layer, own) = self.layer_of(position)?;
        let source = files.source(layer.file);
        let mut row = layer.graph.row_at(&source, own)?;
        if self.has_dates {
            let date = row.numbers.date;
            row.numbers.corrected = layer.graph.corrected_date(&source, own, date)?;
        }
        Ok(row)
    }

    /// Appends the positions of the parents of the commit at a position.
    ///
    /// # Errors
    ///
    /// As [`CommitGraph::parents_of`].
    pub fn parents_at(&self, files: &Files, position: u32, parents: &mut Vec<u32>) -> Result<()> {
        let (layer, own) = self.layer_of(position)?;
        let row = layer.graph.row_at(&files.source(layer.file), own)?;
        self.parents_of(files, position, &row, parents)
    }

    /// Appends the positions of the parents of the commit at a position, of which this is the row.
    ///
    /// # Errors
    ///
    /// Missing bytes; [`Corrupt`](packlens_base::ErrorKind::Corrupt) if a parent is no
    /// commit of the graph.
    pub fn parents_of(
        &self,
        files: &Files,
        position: u32,
        row: &GraphRow,
        parents: &mut Vec<u32>,
    ) -> Result<()> {
        let (layer, _) = self.layer_of(position)?;
        let before = parents.len();
        layer.graph.parents_of(&files.source(layer.file), row, parents)?;
        let end = layer.first.saturating_add(layer.graph.count());
        if parents.iter().skip(before).any(|parent| *parent >= end) {
            parents.truncate(before);
            return Err(no_such_commit(layer.file));
        }
        Ok(())
    }

    /// Returns an error about the row of the commit at a position.
    #[cold]
    pub fn corrupt_at(&self, what: &'static str, position: u32) -> Error {
        let found = self.layer_of(position);
        let (file, offset) = found
            .map_or((FileId::NONE, 0), |(layer, own)| (layer.file, layer.graph.offset_of(own)));
        Error::corrupt(what, file, offset)
    }

    /// Returns whether the generation numbers of all commits follow from those of their
    /// parents. Only then do they show which commits another one cannot reach.
    ///
    /// # Errors
    ///
    /// Missing bytes; errors of [`CommitGraph::parents_at`].
    pub fn is_consistent(&self, files: &Files) -> Result<bool> {
        let mut numbers = Vec::with_capacity(self.count as usize);
        for position in 0..self.count {
            numbers.push(self.numbers_at(files, position)?);
        }
        let (mut parents, mut rows) = (Vec::new(), numbers.iter());
        for layer in &self.layers {
            let source = files.source(layer.file);
            for own in 0..layer.graph.count() {
                parents.clear();
                layer.graph.parents_at(&source, own, &mut parents)?;
                let of = |position: &u32| numbers.get(*position as usize).copied();
                let known = parents.iter().filter_map(of);
                let end = layer.first.saturating_add(layer.graph.count());
                let good = parents.iter().all(|parent| *parent < end)
                    && rows.next().is_some_and(|row| row.follow(known));
                if !good {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    fn layer_of(&self, position: u32) -> Result<(&Layer, u32)> {
        let found = self.layers.iter().rev().find(|layer| layer.first <= position);
        found
            .and_then(|layer| Some((layer, position.checked_sub(layer.first)?)))
            .filter(|(layer, own)| *own < layer.graph.count())
            .ok_or_else(|| no_such_commit(FileId::NONE))
    }
}

/// Positions from here on are reserved: this one means that there is no parent.
const NO_MORE: u32 = 0x7000_0000;

#[cold]
fn no_such_commit(file: FileId) -> Error {
    Error::corrupt("a commit-graph names a commit it does not have", file, 0)
}
