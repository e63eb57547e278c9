//! Checks commit-graphs against commits, as `git commit-graph verify` does:
//! <https://git-scm.com/docs/git-commit-graph>.

use super::finding::{exit, Finding, FindingLevel};
use super::graph_commits::Compared;
use super::graph_rows::Rows;
use super::shared::Shared;
use packlens_base::error::{Error, Result};
use packlens_base::oid::ObjectId;
use packlens_format::checksum::Checksums;
use packlens_format::chunk_file::layers_in;
use packlens_format::commit_graph::{CommitGraph, Layer};
use packlens_format::object::ObjectType;
use packlens_format::refs::text_of;
use packlens_query::repository::Repository;

/// How many rows are checked in a step.
const STEP: u32 = 1 << 12;

/// The graphs of all object directories, one after the other.
#[derive(Default)]
pub(super) struct GraphFiles {
    directory: usize,
    check: Option<Box<GraphCheck>>,
}

impl GraphFiles {
    /// Takes a step; returns whether all graphs are checked.
    ///
    /// # Errors
    ///
    /// Missing files and bytes: provide them and call again.
    pub(super) fn step(
        &mut self,
        shared: &mut Shared,
        checksums: &mut Checksums,
        repository: &mut Repository,
    ) -> Result<bool> {
        if !repository.uses_graphs() {
            return Ok(true);
        }
        let Some(directory) = repository.odb.directory(&repository.files, self.directory)? else {
            return Ok(true);
        };
        let check = match &mut self.check {
            Some(check) => check,
            None => {
                let check = GraphCheck::open(repository, &directory)?;
                self.check.insert(Box::new(check))
            }
        };
        if check.step(shared, checksums, repository)? {
            (self.directory, self.check) = (self.directory.saturating_add(1), None);
        }
        Ok(false)
    }
}

/// The check of a graph, from the top layer down.
struct GraphCheck {
    graph: CommitGraph,
    /// The paths of the layers, the lowest first.
    paths: Vec<Vec<u8>>,
    /// How many layers are not checked yet.
    left: usize,
    stage: LayerStage,
    /// The error that makes the graph, or some of its layers, unusable; reported last.
    unusable: Option<Finding>,
    /// A finding other than a wrong checksum was reported: git compares no more commits then, in
    /// this layer or in lower ones.
    is_wrong: bool,
}

enum LayerStage {
    Hash,
    Rows(Rows),
    Commits(Compared),
}

/// The layer that is checked.
#[derive(Clone, Copy)]
pub(super) struct GraphPlace<'a> {
    pub(super) graph: &'a CommitGraph,
    pub(super) layer: &'a Layer,
    /// The number of layers up to this one.
    pub(super) depth: usize,
    pub(super) path: &'a [u8],
}

impl GraphPlace<'_> {
    /// Returns a finding about a layer's file.
    pub(super) fn wrong_file(&self, message: &str) -> Finding {
        Finding::error("badCommitGraph", exit::COMMIT_GRAPH, message).at(self.path)
    }

    /// Returns a finding about a commit.
    pub(super) fn wrong(&self, id: &ObjectId, message: &str) -> Finding {
        self.wrong_file(message).of(id, Some(ObjectType::Commit))
    }

    /// Returns a finding after which git stops checking the graph.
    pub(super) fn broken(&self, message: &str) -> Finding {
        Finding::error("brokenCommitGraph", exit::COMMIT_GRAPH, message).at(self.path)
    }

    /// Returns a finding about generation numbers that git accepts.
    pub(super) fn inexact(&self, id: &ObjectId) -> Finding {
        let what = "generation numbers are not one more than the highest of the parents";
        let finding = Finding::error("inexactGeneration", 0, what);
        Finding { severity: FindingLevel::Warn, ..finding }
            .of(id, Some(ObjectType::Commit))
            .at(self.path)
    }
}

/// The result of checking some rows.
pub(super) enum Looked {
    /// There are more rows.
    Some,
    /// All rows are checked; `is_wrong` if a finding was reported that makes git stop early.
    All { is_wrong: bool },
    /// The rest of the graph cannot be checked.
    Broken,
}

impl GraphCheck {
    /// Opens the graph of an object directory: a single file, otherwise a chain.
    fn open(repository: &mut Repository, directory: &[u8]) -> Result<GraphCheck> {
        let (mut graph, mut paths, mut unusable) = (CommitGraph::default(), Vec::new(), None);
        let path = [directory, b"/info/commit-graph"].concat();
        if repository.files.find_fresh(&path)?.is_some() {
            match push(repository, &mut graph, &path, &[]) {
                Err(error) if error.is_missing() => return Err(error),
                Err(error) => unusable = Some(not_read(error.what(), &path)),
                Ok(_) => paths.push(path),
            }
        } else {
            let folder = [directory, b"/info/commit-graphs/"].concat();
            let path = [&folder, &b"commit-graph-chain"[..]].concat();
            let names = match repository.files.find_fresh(&path)? {
                Some(file) => text_of(&repository.files, file, &repository.limits())?,
                None => Vec::new(),
            };
            let lines = names.iter().filter(|byte| **byte == b'\n').count();
            let names = layers_in(repository.hash(), &names);
            for (at, name) in names.iter().enumerate() {
                let below = names.get(..at).unwrap_or_default();
                match push_called(repository, &mut graph, name, below)? {
                    Some(path) => paths.push(path),
                    None => break,
                }
            }
            if paths.len() < lines {
                let what = "one or more commit-graph chain files could not be loaded";
                unusable = Some(not_read(what, &path));
            }
        }
        let left = paths.len();
        Ok(GraphCheck { graph, paths, left, stage: LayerStage::Hash, unusable, is_wrong: false })
    }

    /// Takes a step; returns whether the graph is checked.
    fn step(
        &mut self,
        shared: &mut Shared,
        checksums: &mut Checksums,
        repository: &mut Repository,
    ) -> Result<bool> {
        let top = self.left.checked_sub(1);
        let found = top.and_then(|top| Some((self.graph.layers().get(top)?, self.paths.get(top)?)));
        let Some((layer, path)) = found else {
            self.unusable.take().into_iter().for_each(|finding| shared.report(finding));
            return Ok(true);
        };
        let place = GraphPlace { graph: &self.graph, layer, depth: self.left, path };
        let next = match &mut self.stage {
            LayerStage::Hash => {
                if !checksums.check(&repository.files, layer.file, repository.hash())? {
                    let what = "the commit-graph file has incorrect checksum and is likely corrupt";
                    shared.report(place.wrong_file(what));
                }
                Some(LayerStage::Rows(Rows::default()))
            }
            LayerStage::Rows(rows) => match rows.look(shared, repository, place, STEP)? {
                Looked::Some => None,
                Looked::Broken => return Ok(true),
                Looked::All { is_wrong } => {
                    self.is_wrong |= is_wrong;
                    Some(LayerStage::Commits(Compared::default()))
                        .filter(|_| !self.is_wrong)
                        .or_else(|| {
                            self.left = self.left.saturating_sub(1);
                            Some(LayerStage::Hash)
                        })
                }
            },
            LayerStage::Commits(compared) => {
                match compared.look(shared, repository, place, STEP)? {
                    Looked::All { is_wrong } => {
                        self.is_wrong |= is_wrong;
                        self.left = self.left.saturating_sub(1);
                        Some(LayerStage::Hash)
                    }
                    Looked::Some => None,
                    Looked::Broken => return Ok(true),
                }
            }
        };
        if let Some(next) = next {
            self.stage = next;
        }
        Ok(false)
    }
}

fn not_read(what: &str, path: &[u8]) -> Finding {
    Finding::error("unusableCommitGraph", exit::COMMIT_GRAPH, what).at(path)
}

fn push(
    repository: &Repository,
    graph: &mut CommitGraph,
    path: &[u8],
    below: &[ObjectId],
) -> Result<bool> {
    let Some(file) = repository.files.find(path)? else {
        return Ok(false);
    };
    let layer = repository.decode_layer(file, graph, below)?;
    match graph.push(file, layer) {
        true => Ok(true),
        false => Err(Error::corrupt("the commit-graph has too many commits", file, 0)),
    }
}

/// Adds the layer of this name on top; returns its path, or `None` if no usable file has it.
fn push_called(
    repository: &mut Repository,
    graph: &mut CommitGraph,
    name: &ObjectId,
    below: &[ObjectId],
) -> Result<Option<Vec<u8>>> {
    let mut at = 0;
    while let Some(directory) = repository.odb.directory(&repository.files, at)? {
        let path = format!("/info/commit-graphs/graph-{}.graph", name.to_hex());
        let path = [&directory, path.as_bytes()].concat();
        match push(repository, graph, &path, below) {
            Err(error) if error.is_missing() => return Err(error),
            Err(_) => return Ok(None),
            Ok(true) => return Ok(Some(path)),
            Ok(false) => at = at.saturating_add(1),
        }
    }
    Ok(None)
}
