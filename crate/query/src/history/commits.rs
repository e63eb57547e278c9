//! The commits that a walk visited, each with a number of its own.

mod links;
mod rewrite;
mod rows;
mod trees;
mod unchecked;

use super::absent::AbsentCommits;
use super::answer::Trust;
use crate::repository::Repository;
pub(super) use links::read_links;
pub(crate) use links::BeginningLength;
use packlens_base::error::{Error, ErrorKind, Result};
use packlens_base::module::FullOnly;
use packlens_base::oid::ObjectId;
use packlens_format::commit_graph::{CommitGraph, Numbers};
use packlens_format::id_table::Ids;
pub(super) use rows::GraphRows;
use std::ops::Range;
use unchecked::Unchecked;

/// The number of a commit in one walk.
pub(super) type Number = u32;

/// The marks of a commit in a walk, as bits.
pub(super) type Flags = u16;

/// The parents and the date of the commit are known.
const PARSED: Flags = 1 << 15;

/// The generation number of a commit that is in no graph: greater than all others.
pub(super) const NO_GENERATION: u64 = u64::MAX;

/// A [`Node::name`] with this bit is an index into the ids; without it, a graph position.
const BY_ID: u32 = 1 << 31;

#[derive(Clone, Copy)]
struct Node {
    date: u64,
    generation: u64,
    /// The commit's position in the graph, or the index of its id: see [`BY_ID`].
    name: u32,
    /// The topological level of a commit of the graph.
    level: u32,
    parents: u32,
    parent_count: u16,
    flags: Flags,
}

/// The commits of a walk, their parents and their marks.
///
/// A commit of the graph is found by its position, any other by its id. So each edge costs one
/// look-up at most, and a commit takes no memory but its entries in these tables.
#[derive(Default)]
pub(super) struct Commits {
    nodes: Vec<Node>,
    /// The parents of all commits; those of one node are a range.
    edges: Vec<Number>,
    graph: Option<FullOnly<CommitGraph>>,
    /// Whether the graph has generation numbers.
    has_generations: bool,
    /// Whether the generation numbers are corrected commit dates.
    has_dates: bool,
    /// For each graph position the commit's number plus one; 0 if it has none.
    by_position: Vec<u32>,
    ids: Ids,
    /// The trees of commits by the index of their ids, if the caller keeps trees.
    trees: Option<FullOnly<Vec<Option<ObjectId>>>>,
    /// The commits that are missing, if they may be.
    pub(super) absent: Option<FullOnly<Box<AbsentCommits>>>,
    unchecked: Unchecked,
    trust: Trust,
    /// Buffers for the ids and the positions of parents while a commit is parsed.
    parent_ids: Vec<ObjectId>,
    parent_positions: Vec<u32>,
    /// The most bytes that this table may take.
    most_memory: u64,
}

impl Commits {
    /// Creates an empty table. With `whole_graph`, generation numbers may decide what the walk
    /// finds, so a graph whose numbers are not consistent is not used.
    ///
    /// # Errors
    ///
    /// Missing files and bytes; [`ErrorKind::Limit`].
    pub fn new(repository: &mut Repository, trust: Trust, whole_graph: bool) -> Result<Commits> {
        let graph = match trust.graph {
            true => repository.open_graph(whole_graph)?,
            false => None,
        };
        let has_generations = match &graph {
            Some(graph) => graph.has_generations(&repository.files)?,
            None => false,
        };
        let has_dates = has_generations && graph.as_ref().is_some_and(|graph| graph.has_dates());
        let positions = graph.as_ref().map_or(0, |graph| graph.count());
        let mut by_position = Vec::new();
        by_position.try_reserve_exact(positions as usize).map_err(|_| too_many())?;
        by_position.resize(positions as usize, 0);
        let most_memory = repository.memory() / 2;
        Ok(Commits {
            graph,
            has_generations,
            has_dates,
            by_position,
            unchecked: Unchecked::new(!trust.commits),
            trust,
            most_memory,
            ..Commits::default()
        })
    }

    /// Keeps the tree of each commit that is parsed from now on.
    pub(super) fn keep_trees(&mut self) -> Result<()> {
        self.trees = Some(FullOnly::new(Vec::new)?);
        Ok(())
    }

    /// Returns the things that the walk relies on.
    pub(super) fn trust(&self) -> Trust {
        self.trust
    }

    /// Hashes all commits that were read; returns whether they match their ids.
    pub(super) fn check(&mut self, repository: &mut Repository) -> bool {
        self.unchecked.check(repository)
    }

    /// As [`Commits::check`], before the walk turns from commits to the objects they link to.
    ///
    /// # Errors
    ///
    /// An error that no caller sees: the walk restarts.
    pub(super) fn must_be_good(&mut self, repository: &mut Repository) -> Result<()> {
        match self.check(repository) {
            true => Ok(()),
            false => Err(unchecked::damaged()),
        }
    }

    /// Returns whether the walk may succeed without the graph after this error: a wrong graph
    /// can name objects that do not exist.
    pub(super) fn may_do_without_graph(&self, error: &Error) -> bool {
        self.graph.is_some() && !matches!(error.kind(), ErrorKind::Missing | ErrorKind::Limit)
    }

    /// Returns whether the graph has generation numbers.
    pub(super) fn has_generations(&self) -> bool {
        self.has_generations
    }

    /// Returns whether the generation numbers are corrected commit dates.
    pub(super) fn has_dates(&self) -> bool {
        self.has_dates
    }

    /// Returns whether the graph has this object, which is a commit then.
    pub(super) fn is_in_graph(&self, repository: &Repository, id: &ObjectId) -> Result<bool> {
        match &self.graph {
            Some(graph) => Ok(graph.find(&repository.files, id)?.is_some()),
            None => Ok(false),
        }
    }

    /// Returns the number of a commit. The object is not read, so it may be no commit.
    pub(super) fn number_of(&mut self, repository: &Repository, id: &ObjectId) -> Result<Number> {
        if let Some(graph) = &self.graph {
            if let Some(position) = graph.find(&repository.files, id)? {
                return self.at_position(repository, position);
            }
        }
        let place = self.ids.number_of(id, self.nodes.len() as u32);
        if place as usize == self.nodes.len() {
            let name = self.ids.last() | BY_ID;
            self.add(name)?;
        }
        Ok(place)
    }

    /// Returns whether an object is known as a commit: by this walk or by the graph.
    pub(super) fn is_known(&self, repository: &Repository, id: &ObjectId) -> Result<bool> {
        Ok(self.ids.has(id) || self.is_in_graph(repository, id)?)
    }

    /// Returns the number of the commit at a graph position, after its date, level and
    /// generation were copied from the graph.
    fn at_position(&mut self, repository: &Repository, position: u32) -> Result<Number> {
        let next = self.nodes.len() as u32;
        let (Some(number), Some(graph)) =
            (self.by_position.get_mut(position as usize), &self.graph)
        else {
            return Err(Error::new(
                ErrorKind::BadInput,
                "a position is outside of the commit-graph",
            ));
        };
        if *number > 0 {
            return Ok(number.saturating_sub(1));
        }
        let numbers = graph.numbers_at(&repository.files, position)?;
        *number = next.saturating_add(1);
        self.add(position)?;
        if let Some(node) = self.nodes.last_mut() {
            (node.date, node.level) = (numbers.date, numbers.level);
            if self.has_generations {
                node.generation = numbers.generation();
            }
        }
        Ok(next)
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
            level: 0,
            parents: 0,
            parent_count: 0,
            flags: 0,
        });
        Ok(number as u32)
    }

    /// Reads the parents and the date of a commit, unless they are known.
    ///
    /// # Errors
    ///
    /// Missing files and bytes: nothing has changed then. [`ErrorKind::NotFound`],
    /// [`ErrorKind::WrongType`], errors of reading.
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
        let date = match node.name & BY_ID == 0 {
            true => self.parse_in_graph(repository, &node).map(|()| node.date),
            false => self.parse_object(repository, node.name & !BY_ID),
        };
        if date.is_err() {
            self.edges.truncate(edges);
        }
        let date = date?;
        let count = self.edges.len().saturating_sub(edges);
        if let Some(node) = self.nodes.get_mut(number as usize) {
            node.date = date;
            node.parents = u32::try_from(edges).map_err(|_| too_many())?;
            node.parent_count = u16::try_from(count).map_err(|_| too_many())?;
            node.flags |= PARSED;
        }
        let walked = &mut repository.counts.commits_walked;
        *walked = walked.saturating_add(1);
        Ok(())
    }

    fn parse_in_graph(&mut self, repository: &Repository, node: &Node) -> Result<()> {
        let mut positions = std::mem::take(&mut self.parent_positions);
        positions.clear();
        let read = match &self.graph {
            Some(graph) => graph.parents_at(&repository.files, node.name, &mut positions),
            None => Err(too_many()),
        };
        let edges = self.edges.len();
        let parents = read.and_then(|()| {
            for position in &positions {
                let number = self.at_position(repository, *position)?;
                self.edges.push(number);
            }
            Ok(())
        });
        self.parent_positions = positions;
        parents?;
        let parents = self.edges.get(edges..).unwrap_or_default();
        let parents = parents.iter().filter_map(|parent| self.nodes.get(*parent as usize));
        match &self.graph {
            Some(graph)
                if self.has_generations
                    && !self.numbers(node).follow(parents.map(|parent| self.numbers(parent))) =>
            {
                Err(inconsistent(graph, node.name))
            }
            _ => Ok(()),
        }
    }

    /// Returns the date, level and generation of a commit of the graph.
    fn numbers(&self, node: &Node) -> Numbers {
        let corrected = self.has_dates.then_some(node.generation);
        Numbers { date: node.date, level: node.level, corrected }
    }

    fn parse_object(&mut self, repository: &mut Repository, place: u32) -> Result<u64> {
        let Some(id) = self.ids.get(place) else {
            return Ok(0);
        };
        let mut parents = std::mem::take(&mut self.parent_ids);
        parents.clear();
        let links = match repository.shared_commits(&id, &mut parents) {
            Some(links) => Ok(links),
            None => self.unchecked.read(repository, &id, &mut parents),
        };
        if let Some(grafted) = repository.grafted_parents(&id) {
            parents.clear();
            parents.extend_from_slice(grafted);
        }
        let tree = links.as_ref().ok().map(|links| links.tree);
        let date = links.and_then(|links| {
            for parent in &parents {
                let number = self.number_of(repository, parent)?;
                self.edges.push(number);
            }
            Ok(links.date.unwrap_or(0))
        });
        if let (Some(trees), Some(tree)) = (&mut self.trees, tree) {
            let place = place as usize;
            let count = trees.len().max(place.saturating_add(1));
            trees.resize(count, None);
            if let Some(kept) = trees.get_mut(place) {
                *kept = Some(tree);
            }
        }
        self.parent_ids = parents;
        date
    }

    /// Returns whether the parents and the date of a commit are known.
    pub(super) fn is_parsed(&self, number: Number) -> bool {
        self.has(number, PARSED)
    }

    /// Returns the parents of a parsed commit, as indexes for [`Commits::edge`].
    pub(super) fn parents(&self, number: Number) -> Range<usize> {
        let Some(node) = self.nodes.get(number as usize) else {
            return 0..0;
        };
        let start = node.parents as usize;
        start..start.saturating_add(node.parent_count.into())
    }

    /// Returns the parent at an index of [`Commits::parents`].
    pub(super) fn edge(&self, place: usize) -> Number {
        self.edges.get(place).copied().unwrap_or(Number::MAX)
    }

    pub(super) fn date(&self, number: Number) -> u64 {
        self.nodes.get(number as usize).map_or(0, |node| node.date)
    }

    pub(super) fn generation(&self, number: Number) -> u64 {
        self.nodes.get(number as usize).map_or(NO_GENERATION, |node| node.generation)
    }

    /// Returns whether any of `flags` is set.
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

    /// Returns the graph, and the position of a commit in it.
    pub(super) fn in_graph(&self, number: Number) -> (Option<&CommitGraph>, Option<u32>) {
        let name = self.nodes.get(number as usize).map(|node| node.name);
        (self.graph.as_deref(), name.filter(|name| name & BY_ID == 0))
    }

    /// Returns the id of a commit that is in no graph and was not parsed yet.
    pub(super) fn unread(&self, number: Number) -> Option<ObjectId> {
        let node = self.nodes.get(number as usize)?;
        match node.flags & PARSED == 0 && node.name & BY_ID != 0 {
            true => self.ids.get(node.name & !BY_ID),
            false => None,
        }
    }

    /// Returns how many bytes of memory this takes.
    pub fn memory(&self) -> u64 {
        let nodes = self.nodes.capacity().saturating_mul(size_of::<Node>());
        let numbers = self.edges.capacity().saturating_add(self.by_position.capacity());
        let trees = self.trees.as_ref().map_or(0, |trees| trees.capacity());
        let trees = trees.saturating_mul(size_of::<Option<ObjectId>>());
        (nodes.saturating_add(trees) as u64)
            .saturating_add((numbers as u64).saturating_mul(4))
            .saturating_add(self.ids.memory())
            .saturating_add(self.unchecked.memory())
            .saturating_add(self.absent.as_ref().map_or(0, |absent| absent.memory()))
    }
}

#[cold]
fn inconsistent(graph: &CommitGraph, position: u32) -> Error {
    let what = "the generation numbers of a commit-graph are inconsistent";
    graph.corrupt_at(what, position)
}

#[cold]
pub(super) fn too_many() -> Error {
    let what = "the commits take more memory than allowed: raise `memory`";
    Error::new(ErrorKind::Limit, what)
}
