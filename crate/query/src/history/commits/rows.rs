//! Visits all commits of a graph that some of them reach, in no order.

use super::{inconsistent, Commits, Number, BY_ID, PARSED};
use crate::repository::Repository;
use packlens_base::block::Files;
use packlens_base::error::Result;
use packlens_format::commit_graph::{CommitGraph, GraphRow};

/// In [`Commits::by_position`]: the row was visited.
const VISITED: u32 = u32::MAX;

/// How many rows are a unit of work, as a power of two.
const ROWS_PER_UNIT: u32 = 4;

/// The rows of a graph that are to be visited. No commit gets a number, so it takes no memory
/// but its place here.
#[derive(Default)]
pub(in crate::history) struct GraphRows {
    roots: Vec<u32>,
    rows: Vec<(u32, GraphRow)>,
    positions: Vec<u32>,
    parents: Vec<(u32, GraphRow)>,
    visited: u64,
}

impl GraphRows {
    /// Adds the row of a commit; returns `false`, and adds nothing, if the commit is in no graph.
    pub(in crate::history) fn add(&mut self, commits: &Commits, number: Number) -> bool {
        let name = commits.nodes.get(number as usize).map_or(BY_ID, |node| node.name);
        let is_row = name & BY_ID == 0;
        if is_row {
            self.roots.push(name);
        }
        is_row
    }

    /// Returns how many rows were visited.
    pub(in crate::history) fn visited(&self) -> u64 {
        self.visited
    }

    /// Visits up to `most` rows; returns whether any are left. After the first call the commits
    /// can no longer be asked for the number of one.
    ///
    /// # Errors
    ///
    /// Missing bytes: the next call goes on. [`Corrupt`](packlens_base::ErrorKind::Corrupt) for a row
    /// that cannot be right.
    #[inline(never)]
    pub(in crate::history) fn visit(
        &mut self,
        commits: &mut Commits,
        repository: &mut Repository,
        most: u32,
    ) -> Result<bool> {
        let Commits { graph: Some(graph), by_position, nodes, has_generations, .. } = commits
        else {
            return Ok(false);
        };
        for step in 0..most {
            let Some((position, row)) = self.next(graph, &repository.files, by_position)? else {
                return Ok(false);
            };
            self.read_parents(graph, &repository.files, position, &row)?;
            let parents = self.parents.iter().map(|(_, parent)| parent.numbers);
            if *has_generations && !row.numbers.follow(parents) {
                return Err(inconsistent(graph, position));
            }
            if let Some(number) = by_position.get_mut(position as usize) {
                let node = number.checked_sub(1).and_then(|at| nodes.get(at as usize));
                if node.is_none_or(|node| node.flags & PARSED == 0) {
                    let walked = &mut repository.counts.commits_walked;
                    *walked = walked.saturating_add(1);
                }
                *number = VISITED;
            }
            self.visited = self.visited.saturating_add(1);
            self.rows.pop();
            let is_new = |parent: &&(u32, _)| by_position.get(parent.0 as usize) != Some(&VISITED);
            self.rows.extend(self.parents.iter().filter(is_new));
            repository.files.advance();
            if step.trailing_zeros() >= ROWS_PER_UNIT {
                repository.files.count_look();
            }
        }
        Ok(true)
    }

    /// Returns the next row that was not visited.
    fn next(
        &mut self,
        graph: &CommitGraph,
        files: &Files,
        by_position: &[u32],
    ) -> Result<Option<(u32, GraphRow)>> {
        loop {
            while let Some(row) = self.rows.last() {
                if by_position.get(row.0 as usize) != Some(&VISITED) {
                    return Ok(Some(*row));
                }
                self.rows.pop();
            }
            let Some(root) = self.roots.last() else {
                return Ok(None);
            };
            self.rows.push((*root, graph.row_at(files, *root)?));
            self.roots.pop();
        }
    }

    /// Reads the rows of the parents: they are compared with their child's, and visited later.
    fn read_parents(
        &mut self,
        graph: &CommitGraph,
        files: &Files,
        position: u32,
        row: &GraphRow,
    ) -> Result<()> {
        self.positions.clear();
        self.parents.clear();
        graph.parents_of(files, position, row, &mut self.positions)?;
        for parent in &self.positions {
            self.parents.push((*parent, graph.row_at(files, *parent)?));
        }
        Ok(())
    }

    pub(in crate::history) fn memory(&self) -> u64 {
        let rows = self.rows.capacity().saturating_add(self.parents.capacity());
        let positions = self.roots.capacity().saturating_add(self.positions.capacity());
        let rows = rows.saturating_mul(size_of::<(u32, GraphRow)>()) as u64;
        rows.saturating_add((positions as u64).saturating_mul(4))
    }
}
