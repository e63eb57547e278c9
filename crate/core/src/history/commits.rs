//! The commits that a walk came to, each with a number of its own.

use super::ids::Ids;
use crate::appender::Output;
use crate::commit_graph::CommitGraph;
use crate::error::{Error, ErrorKind, Result};
use crate::object::{Commit, CommitLinks, ObjectType};
use crate::odb::Verify;
use crate::oid::ObjectId;
use crate::repository::Repository;
use std::ops::Range;

/// The number of a commit in a walk.
pub(super) type Number = u32;

/// What a walk notes of a commit.
pub(super) type Flags = u16;

/// Its parents and its date are known.
const PARSED: Flags = 1 << 15;

/// A generation number that is greater than all others: that of a commit which
/// is in no graph.
pub(super) const NO_GENERATION: u64 = u64::MAX;

/// A name with this bit is a place among the ids, others are positions.
const BY_ID: u32 = 1 << 31;

#[derive(Clone, Copy)]
struct Node {
    date: u64,
    generation: u64,
    /// Its position in the graph, or where its id is kept.
    name: u32,
    parents: u32,
    parent_count: u16,
    flags: Flags,
}

/// Commits, their parents and what was noted of them.
///
/// One of the graph goes by its position, another by its id: there is one look-up
/// for each edge at most, and no memory taken for a commit but its place here.
#[derive(Default)]
pub(super) struct Commits {
    nodes: Vec<Node>,
    /// The parents of all, each range that of a node.
    edges: Vec<Number>,
    graph: Option<CommitGraph>,
    /// Whether the graph tells generation numbers.
    has_generations: bool,
    /// For each position of the graph one more than the number, 0 if it has none.
    by_position: Vec<u32>,
    ids: Ids,
    /// The trees of commits by where their ids are kept, if these are wanted.
    trees: Option<Vec<Option<ObjectId>>>,
    content: Output,
    /// Ids or positions of parents, while they are read.
    parent_ids: Vec<ObjectId>,
    parent_positions: Vec<u32>,
    /// The most bytes that this may take.
    most_memory: u64,
}

impl Commits {
    pub(super) fn new(repository: &Repository, graph: Option<CommitGraph>) -> Result<Commits> {
        let has_generations = match &graph {
            Some(graph) => graph.has_generations(&repository.files)?,
            None => false,
        };
        let positions = graph.as_ref().map_or(0, CommitGraph::count);
        let mut by_position = Vec::new();
        by_position.try_reserve_exact(positions as usize).map_err(|_| too_many())?;
        by_position.resize(positions as usize, 0);
        let most_memory = repository.memory() / 2;
        Ok(Commits { graph, has_generations, by_position, most_memory, ..Commits::default() })
    }

    /// Keeps the tree of each commit that is read.
    pub(super) fn keep_trees(&mut self) {
        self.trees.get_or_insert_default();
    }

    /// Returns the graph that commits are taken from.
    pub(super) fn graph(&self) -> Option<&CommitGraph> {
        self.graph.as_ref()
    }

    /// Tells whether the graph tells generation numbers.
    pub(super) fn has_generations(&self) -> bool {
        self.has_generations
    }

    /// Tells whether these are corrected dates.
    pub(super) fn has_dates(&self) -> bool {
        self.has_generations && self.graph.as_ref().is_some_and(CommitGraph::has_dates)
    }

    /// Tells whether the graph has an object, which is then a commit.
    pub(super) fn is_in_graph(&self, repository: &Repository, id: &ObjectId) -> Result<bool> {
        match &self.graph {
            Some(graph) => Ok(graph.find(&repository.files, id)?.is_some()),
            None => Ok(false),
        }
    }

    /// Returns the number of a commit, which may be none: nothing is read.
    pub(super) fn number_of(&mut self, repository: &Repository, id: &ObjectId) -> Result<Number> {
        if let Some(graph) = &self.graph {
            if let Some(position) = graph.find(&repository.files, id)? {
                return self.at_position(position);
            }
        }
        let place = self.ids.number_of(id, self.nodes.len() as u32);
        if place as usize == self.nodes.len() {
            let name = self.ids.last() | BY_ID;
            self.add(name)?;
        }
        Ok(place)
    }

    /// Tells whether an object is a commit that was come to.
    pub(super) fn is_known(&self, repository: &Repository, id: &ObjectId) -> Result<bool> {
        Ok(self.ids.has(id) || self.is_in_graph(repository, id)?)
    }

    /// Returns the tree of a commit.
    ///
    /// # Errors
    ///
    /// Missing files and bytes; those of reading.
    pub(super) fn tree(&self, repository: &mut Repository, number: Number) -> Result<ObjectId> {
        let name = self.nodes.get(number as usize).map_or(BY_ID, |node| node.name);
        if let (Some(graph), 0) = (&self.graph, name & BY_ID) {
            return graph.tree_at(&repository.files, name);
        }
        let kept = self.trees.as_ref().and_then(|trees| *trees.get((name & !BY_ID) as usize)?);
        if let Some(tree) = kept {
            return Ok(tree);
        }
        let id = self.id(repository, number)?;
        let content = repository.read_of_type(&id, ObjectType::Commit)?;
        Ok(*Commit::decode(repository.hash(), &content)?.tree())
    }

    fn at_position(&mut self, position: u32) -> Result<Number> {
        let next = self.nodes.len() as u32;
        match self.by_position.get_mut(position as usize) {
            Some(number) if *number > 0 => Ok(number.saturating_sub(1)),
            Some(number) => {
                *number = next.saturating_add(1);
                self.add(position)
            }
            None => Err(Error::new(ErrorKind::BadInput, "a position outside of the graph")),
        }
    }

    fn add(&mut self, name: u32) -> Result<Number> {
        let number = self.nodes.len();
        if number >= BY_ID as usize {
            return Err(too_many());
        }
        self.nodes.try_reserve(1).map_err(|_| too_many())?;
        self.nodes.push(Node {
            date: 0,
            generation: NO_GENERATION,
            name,
            parents: 0,
            parent_count: 0,
            flags: 0,
        });
        Ok(number as u32)
    }

    /// Makes sure that parents and date of a commit are known.
    ///
    /// # Errors
    ///
    /// Missing files and bytes: nothing has changed then. [`ErrorKind::NotFound`],
    /// [`ErrorKind::WrongType`], those of reading.
    pub(super) fn parse(&mut self, repository: &mut Repository, number: Number) -> Result<()> {
        let Some(node) = self.nodes.get(number as usize).copied() else {
            return Ok(());
        };
        if node.flags & PARSED != 0 {
            return Ok(());
        }
        if self.memory() > self.most_memory {
            return Err(too_many());
        }
        let edges = self.edges.len();
        let (date, generation) = match node.name & BY_ID == 0 {
            true => self.parse_in_graph(repository, node.name)?,
            false => (self.parse_object(repository, node.name & !BY_ID)?, NO_GENERATION),
        };
        let count = self.edges.len().saturating_sub(edges);
        if let Some(node) = self.nodes.get_mut(number as usize) {
            node.date = date;
            node.generation = generation;
            node.parents = u32::try_from(edges).map_err(|_| too_many())?;
            node.parent_count = u16::try_from(count).map_err(|_| too_many())?;
            node.flags |= PARSED;
        }
        repository.commits_walked = repository.commits_walked.saturating_add(1);
        Ok(())
    }

    fn parse_in_graph(&mut self, repository: &Repository, position: u32) -> Result<(u64, u64)> {
        let mut positions = std::mem::take(&mut self.parent_positions);
        positions.clear();
        let read = match &self.graph {
            Some(graph) => graph.read(&repository.files, position, &mut positions),
            None => Err(too_many()),
        };
        let parents = read.and_then(|commit| {
            for parent in &positions {
                let number = self.at_position(*parent)?;
                self.edges.push(number);
            }
            let generation = commit.generation.filter(|_| self.has_generations);
            Ok((commit.date, generation.unwrap_or(NO_GENERATION)))
        });
        self.parent_positions = positions;
        parents
    }

    fn parse_object(&mut self, repository: &mut Repository, place: u32) -> Result<u64> {
        let Some(id) = self.ids.get(place) else {
            return Ok(0);
        };
        let mut parents = std::mem::take(&mut self.parent_ids);
        parents.clear();
        let links = read_links(repository, &id, &mut self.content, &mut parents);
        if let Some(grafted) = repository.grafted_parents(&id) {
            parents.clear();
            parents.extend_from_slice(grafted);
        }
        let edges = self.edges.len();
        let tree = links.as_ref().ok().map(|links| links.tree);
        let date = links.and_then(|links| {
            for parent in &parents {
                let number = self.number_of(repository, parent)?;
                self.edges.push(number);
            }
            Ok(links.date.unwrap_or(0))
        });
        if date.is_err() {
            self.edges.truncate(edges);
        }
        if let (Some(trees), Some(tree)) = (&mut self.trees, tree) {
            let place = place as usize;
            trees.resize(trees.len().max(place.saturating_add(1)), None);
            if let Some(kept) = trees.get_mut(place) {
                *kept = Some(tree);
            }
        }
        self.parent_ids = parents;
        date
    }

    /// Tells whether parents and date of a commit are known.
    pub(super) fn is_parsed(&self, number: Number) -> bool {
        self.has(number, PARSED)
    }

    /// Returns the parents of a commit that was parsed, as places of [`Commits::edge`].
    pub(super) fn parents(&self, number: Number) -> Range<usize> {
        let Some(node) = self.nodes.get(number as usize) else {
            return 0..0;
        };
        let start = node.parents as usize;
        start..start.saturating_add(node.parent_count.into())
    }

    /// Returns a parent.
    pub(super) fn edge(&self, place: usize) -> Number {
        self.edges.get(place).copied().unwrap_or(Number::MAX)
    }

    pub(super) fn date(&self, number: Number) -> u64 {
        self.nodes.get(number as usize).map_or(0, |node| node.date)
    }

    pub(super) fn generation(&self, number: Number) -> u64 {
        self.nodes.get(number as usize).map_or(NO_GENERATION, |node| node.generation)
    }

    /// Tells whether any of `flags` is set.
    pub(super) fn has(&self, number: Number, flags: Flags) -> bool {
        self.flags(number) & flags != 0
    }

    pub(super) fn flags(&self, number: Number) -> Flags {
        self.nodes.get(number as usize).map_or(0, |node| node.flags)
    }

    pub(super) fn set(&mut self, number: Number, flags: Flags) {
        if let Some(node) = self.nodes.get_mut(number as usize) {
            node.flags |= flags;
        }
    }

    pub(super) fn unset(&mut self, number: Number, flags: Flags) {
        if let Some(node) = self.nodes.get_mut(number as usize) {
            node.flags &= !flags;
        }
    }

    /// Takes flags off all commits.
    pub(super) fn unset_all(&mut self, flags: Flags) {
        self.nodes.iter_mut().for_each(|node| node.flags &= !flags);
    }

    /// Returns how many commits have a number.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Returns the id of a commit.
    ///
    /// # Errors
    ///
    /// Missing bytes of the graph.
    pub(super) fn id(&self, repository: &Repository, number: Number) -> Result<ObjectId> {
        let name = self.nodes.get(number as usize).map_or(BY_ID, |node| node.name);
        let found = match (&self.graph, name & BY_ID) {
            (Some(graph), 0) => return graph.id_at(&repository.files, name),
            _ => self.ids.get(name & !BY_ID),
        };
        found.ok_or_else(|| Error::new(ErrorKind::BadInput, "no such commit in this walk"))
    }

    /// Returns the id of a commit that is in no graph and was not read yet.
    pub(super) fn unread(&self, number: Number) -> Option<ObjectId> {
        let node = self.nodes.get(number as usize)?;
        match node.flags & PARSED == 0 && node.name & BY_ID != 0 {
            true => self.ids.get(node.name & !BY_ID),
            false => None,
        }
    }

    /// Returns how many bytes of memory this takes.
    pub(super) fn memory(&self) -> u64 {
        let nodes = self.nodes.capacity().saturating_mul(size_of::<Node>());
        let numbers = self.edges.capacity().saturating_add(self.by_position.capacity());
        let trees = self.trees.as_ref().map_or(0, Vec::capacity);
        let trees = trees.saturating_mul(size_of::<Option<ObjectId>>());
        (nodes.saturating_add(trees) as u64)
            .saturating_add((numbers as u64).saturating_mul(4))
            .saturating_add(self.ids.memory())
            .saturating_add(self.content.capacity() as u64)
    }
}

/// Reads a commit, of which only what a walk needs is looked at.
fn read_links(
    repository: &mut Repository,
    id: &ObjectId,
    content: &mut Output,
    parents: &mut Vec<ObjectId>,
) -> Result<CommitLinks> {
    let (hash, verify) = (repository.hash(), repository.verify);
    if verify == Verify::None {
        if let Some(links) = read_beginning(repository, id, parents)? {
            return Ok(links);
        }
        parents.clear();
    }
    let mut out = content.appender();
    let read =
        repository.odb.read_into(&mut repository.files, id, &mut |_, _| Ok(()), verify, &mut out);
    let links = read.and_then(|info| match info.object_type {
        ObjectType::Commit => {
            CommitLinks::decode(hash, out.since(0), |parent| parents.push(parent))
                .map_err(|error| error.about(id.to_hex()))
        }
        _ => {
            let what = "the object is of another type";
            Err(Error::new(ErrorKind::WrongType, what).about(id.to_hex()))
        }
    });
    out.discard();
    links
}

/// How much of a commit is inflated first where all of it need not be: what stands
/// before the message of most.
const BEGINNING: usize = 384;

/// As [`read_links`], from the beginning of a commit; `None` if that is not enough.
fn read_beginning(
    repository: &mut Repository,
    id: &ObjectId,
    parents: &mut Vec<ObjectId>,
) -> Result<Option<CommitLinks>> {
    let mut beginning = [0; BEGINNING];
    let read = repository.odb.read_beginning(&mut repository.files, id, &mut beginning)?;
    let Some((ObjectType::Commit, filled)) = read else {
        return Ok(None);
    };
    let content = beginning.get(..filled).unwrap_or_default();
    let links = CommitLinks::decode(repository.hash(), content, |parent| parents.push(parent));
    // Without a date it may have been cut off before.
    Ok(links.ok().filter(|links| links.date.is_some()))
}

#[cold]
pub(super) fn too_many() -> Error {
    let what = "so many commits take more memory than allowed: raise `memory`";
    Error::new(ErrorKind::Limit, what)
}
