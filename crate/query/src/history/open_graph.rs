//! Opening the commit-graph: <https://git-scm.com/docs/git-commit-graph>.
//!
//! A graph only repeats what commits say. So a damaged graph is ignored, and so are the layers
//! of a chain above a damaged one.

use crate::odb::Verify;
use crate::repository::Repository;
use packlens_base::block::{BlockSource, FileId};
use packlens_base::error::Result;
use packlens_base::module::{FullOnly, IS_FULL};
use packlens_base::oid::ObjectId;
use packlens_format::checksum::Checksums;
use packlens_format::chunk_file::layers_in;
use packlens_format::commit_graph::{CommitGraph, GraphFile};
use packlens_format::refs::text_of;

/// The share of the memory ceiling that a graph may take for its generation numbers to be
/// checked.
const ORDER_SHARE: u64 = 8;

/// The share of the memory ceiling that a high-latency graph may take to be read whole.
const REMOTE_SHARE: u64 = 4;

/// What was found of the files of commit-graphs.
#[derive(Default)]
pub(crate) struct GraphChecks {
    /// Which files have the checksum that they end with.
    whole: Checksums,
    /// The newest file of each graph, and whether its generation numbers are consistent.
    consistent: Vec<(FileId, bool)>,
}

impl Repository {
    /// Opens the commit-graph; `None` if there is no good one. With `ordered` the caller relies
    /// on its generation numbers, so they are checked.
    ///
    /// # Errors
    ///
    /// Missing files and bytes.
    pub(super) fn open_graph(&mut self, ordered: bool) -> Result<Option<FullOnly<CommitGraph>>> {
        // The reader lists the newest commits, which have to be read anyway.
        if !IS_FULL {
            return Ok(None);
        }
        // A graph ignores replacements and grafts, so git does not use it either where there
        // are any.
        if !self.uses_graphs() || !self.look_at_grafts()?.is_empty() || self.odb.replaces() {
            return Ok(None);
        }
        let mut at = 0;
        while let Some(directory) = self.odb.directory(&self.files, at)? {
            if let Some(graph) = self.graph_in(&directory)? {
                if !ordered || self.is_consistent(&graph)? {
                    return FullOnly::new(|| graph).map(Some);
                }
            }
            at = at.saturating_add(1);
        }
        Ok(None)
    }

    /// Returns whether the generation numbers of a graph are consistent. A large graph is not
    /// checked, nor one without generation numbers.
    fn is_consistent(&mut self, graph: &CommitGraph) -> Result<bool> {
        let files = || graph.layers().iter().map(|layer| layer.file);
        let sizes = files().map(|file| self.files.source(file).size());
        let size = sizes.fold(0, u64::saturating_add);
        let Some(top) = files().next_back().filter(|_| size <= self.memory() / ORDER_SHARE) else {
            return Ok(true);
        };
        if self.verify == Verify::None || !graph.has_generations(&self.files)? {
            return Ok(true);
        }
        if let Some((_, good)) = self.kept.graphs.consistent.iter().find(|(known, _)| *known == top)
        {
            return Ok(*good);
        }
        let good = match graph.is_consistent(&self.files) {
            Err(error) if error.is_missing() => return Err(error),
            good => good.unwrap_or(false),
        };
        self.kept.graphs.consistent.push((top, good));
        Ok(good)
    }

    fn graph_in(&mut self, directory: &[u8]) -> Result<Option<CommitGraph>> {
        let mut graph = CommitGraph::default();
        let path = [directory, b"/info/commit-graph"].concat();
        if let Some(file) = self.files.find_fresh(&path)? {
            if let Some(layer) = self.good_layer(file, &graph, &[])? {
                if graph.push(file, layer) {
                    return Ok(Some(graph));
                }
            }
        }
        let folder = [directory, b"/info/commit-graphs/"].concat();
        let path = [&folder, &b"commit-graph-chain"[..]].concat();
        let Some(file) = self.files.find_fresh(&path)? else {
            return Ok(None);
        };
        let names = match text_of(&self.files, file, &self.limits()) {
            Ok(text) => layers_in(self.hash(), &text),
            Err(error) if error.is_missing() => return Err(error),
            Err(_) => return Ok(None),
        };
        for (at, name) in names.iter().enumerate() {
            let below = names.get(..at).unwrap_or_default();
            let Some((file, layer)) = self.layer_called(name, &graph, below)? else {
                break;
            };
            if !graph.push(file, layer) {
                break;
            }
        }
        Ok((!graph.layers().is_empty()).then_some(graph))
    }

    /// Finds a layer by its name, in any object directory.
    fn layer_called(
        &mut self,
        name: &ObjectId,
        graph: &CommitGraph,
        below: &[ObjectId],
    ) -> Result<Option<(FileId, GraphFile)>> {
        let mut at = 0;
        while let Some(directory) = self.odb.directory(&self.files, at)? {
            let path = format!("/info/commit-graphs/graph-{}.graph", name.to_hex());
            if let Some(file) = self.files.find(&[&directory, path.as_bytes()].concat())? {
                if let Some(layer) = self.good_layer(file, graph, below)? {
                    return Ok(Some((file, layer)));
                }
            }
            at = at.saturating_add(1);
        }
        Ok(None)
    }

    /// Decodes a layer; `None` if it is damaged, or does not rest on the layers below.
    fn good_layer(
        &mut self,
        file: FileId,
        graph: &CommitGraph,
        below: &[ObjectId],
    ) -> Result<Option<GraphFile>> {
        // A walk reads all over the tables. Where each read is a round trip, one read of the
        // whole file is best, unless the file is too large.
        let size = self.files.source(file).size();
        let checks = match self.files.is_high_latency(file) {
            true => size <= self.memory() / REMOTE_SHARE,
            false => self.verify != Verify::None,
        };
        if checks && !self.kept.graphs.whole.is_whole(&self.files, file, self.hash())? {
            return Ok(None);
        }
        match self.decode_layer(file, graph, below) {
            Ok(layer) => Ok(Some(layer)),
            Err(error) if error.is_missing() => Err(error),
            Err(_) => Ok(None),
        }
    }

    /// Decodes a layer that rests on the layers below.
    ///
    /// # Errors
    ///
    /// Missing bytes; errors of decoding; [`Corrupt`](packlens_base::ErrorKind::Corrupt) if it rests on
    /// other layers.
    pub fn decode_layer(
        &self,
        file: FileId,
        graph: &CommitGraph,
        below: &[ObjectId],
    ) -> Result<GraphFile> {
        let source = self.files.source(file);
        let layer = GraphFile::decode(&source, self.hash())?;
        let mut rests = layer.base_count() == graph.layers().len() as u64;
        for (at, (name, other)) in below.iter().zip(graph.layers()).enumerate() {
            let own = other.graph.name(&self.files.source(other.file))?;
            rests = rests && own == *name && layer.base_at(&source, at as u64)? == *name;
        }
        match rests {
            true => Ok(layer),
            false => Err(source.corrupt("a commit-graph file needs a base graph", 0)),
        }
    }
}
