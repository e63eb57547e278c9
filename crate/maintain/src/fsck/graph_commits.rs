//! Compares the commits of a commit-graph with the commit objects.

use super::graph_files::{GraphPlace, Looked};
use super::numbers::Number;
use super::shared::{unless_damaged, Shared};
use packlens_base::appender::Output;
use packlens_base::error::Result;
use packlens_base::oid::ObjectId;
use packlens_format::commit_graph::{Numbers, MOST_LEVEL};
use packlens_format::object::{CommitLinks, ObjectType};
use packlens_query::repository::Repository;

/// The state of the comparison, which visits commits by ascending id.
#[derive(Default)]
pub(super) struct Compared {
    at: u32,
    is_wrong: bool,
    /// The last commits without and with a generation number.
    zero: Option<ObjectId>,
    non_zero: Option<ObjectId>,
    positions: Vec<u32>,
    content: Output,
}

/// A row of the graph.
struct Row {
    id: ObjectId,
    tree: ObjectId,
    numbers: Numbers,
    parents: Vec<(ObjectId, Numbers)>,
}

impl Compared {
    /// Compares up to `most` commits.
    ///
    /// # Errors
    ///
    /// Missing files and bytes: provide them and call again.
    pub(super) fn look(
        &mut self,
        shared: &mut Shared,
        repository: &mut Repository,
        place: GraphPlace<'_>,
        most: u32,
    ) -> Result<Looked> {
        let count = place.layer.graph.count();
        let end = count.min(self.at.saturating_add(most));
        while self.at < end {
            // The numbers of parents in lower layers may be unreadable.
            let Some(row) = unless_damaged(self.row(repository, place))? else {
                shared.report(place.broken("commit-graph overflow generation data is too small"));
                return Ok(Looked::Broken);
            };
            let commit = self.read(shared, repository, &row.id)?;
            self.compare(shared, place, &row, commit);
            self.at = self.at.saturating_add(1);
        }
        if self.at < count {
            return Ok(Looked::Some);
        }
        if let (Some(zero), Some(non_zero)) = (self.zero, self.non_zero) {
            let (zero, one) = (zero.to_hex(), non_zero.to_hex());
            let what = "commit-graph has both zero and non-zero generations";
            let what = format!("{what} (e.g., commits '{zero}' and '{one}')");
            self.report(shared, place, &non_zero, &what);
        }
        Ok(Looked::All { is_wrong: self.is_wrong })
    }

    fn row(&mut self, repository: &Repository, place: GraphPlace<'_>) -> Result<Row> {
        let (graph, files) = (place.graph, &repository.files);
        let position = place.layer.first.saturating_add(self.at);
        self.positions.clear();
        graph.parents_at(files, position, &mut self.positions)?;
        let parents = self.positions.iter();
        let parents =
            parents.map(|at| Ok((graph.id_at(files, *at)?, graph.numbers_at(files, *at)?)));
        Ok(Row {
            id: graph.id_at(files, position)?,
            tree: graph.tree_at(files, position)?,
            numbers: graph.numbers_at(files, position)?,
            parents: parents.collect::<Result<_>>()?,
        })
    }

    /// Reads a commit; `None` if it is missing or damaged.
    fn read(
        &mut self,
        shared: &mut Shared,
        repository: &mut Repository,
        id: &ObjectId,
    ) -> Result<Option<(CommitLinks, Vec<ObjectId>)>> {
        let Number::Is(number) = shared.find(repository, id)? else {
            return Ok(None);
        };
        let Some((_, place)) = shared.place_of(repository, number)? else {
            return Ok(None);
        };
        let hash = repository.hash();
        self.content.truncate(0);
        let read = repository.odb.read_at(&mut repository.files, id, place, &mut self.content);
        let mut parents = Vec::new();
        let links = match unless_damaged(read)? {
            Some((ObjectType::Commit, range)) => {
                let content = self.content.as_slice().get(range).unwrap_or_default();
                CommitLinks::decode(hash, content, |parent| parents.push(parent)).ok()
            }
            _ => None,
        };
        if let Some(grafted) = repository.grafted_parents(id) {
            parents = grafted.to_vec();
        }
        Ok(links.map(|links| (links, parents)))
    }

    fn compare(
        &mut self,
        shared: &mut Shared,
        place: GraphPlace<'_>,
        row: &Row,
        commit: Option<(CommitLinks, Vec<ObjectId>)>,
    ) {
        let (id, hex) = (&row.id, row.id.to_hex());
        let Some((links, parents)) = commit else {
            let what =
                format!("failed to parse commit {hex} from object database for commit-graph");
            return self.report(shared, place, id, &what);
        };
        if row.tree != links.tree {
            let (found, own) = (row.tree.to_hex(), links.tree.to_hex());
            let what =
                format!("root tree OID for commit {hex} in commit-graph is {found} != {own}");
            self.report(shared, place, id, &what);
        }
        let mut highest = 0;
        for (at, (parent, numbers)) in row.parents.iter().enumerate() {
            let Some(own) = parents.get(at) else {
                let what = format!("commit-graph parent list for commit {hex} is too long");
                self.report(shared, place, id, &what);
                break;
            };
            if parent != own {
                let (found, own) = (parent.to_hex(), own.to_hex());
                let what = format!("commit-graph parent for {hex} is {found} != {own}");
                self.report(shared, place, id, &what);
            }
            highest = highest.max(numbers.generation());
        }
        if parents.len() > row.parents.len() {
            let what = format!("commit-graph parent list for commit {hex} terminates early");
            self.report(shared, place, id, &what);
        }
        let generation = row.numbers.generation();
        *(if generation > 0 { &mut self.non_zero } else { &mut self.zero }) = Some(*id);
        if self.zero.is_none() {
            self.compare_numbers(shared, place, row, (highest, links.date.unwrap_or(0)));
        }
    }

    fn compare_numbers(
        &mut self,
        shared: &mut Shared,
        place: GraphPlace<'_>,
        row: &Row,
        (mut highest, date): (u64, u64),
    ) {
        let (id, hex, numbers) = (&row.id, row.id.to_hex(), &row.numbers);
        // Parents may have the highest level there is: git accepts the same level for their
        // children.
        if numbers.corrected.is_none() && highest == u64::from(MOST_LEVEL) {
            highest = highest.saturating_sub(1);
        }
        let (found, least) = (numbers.generation(), highest.saturating_add(1));
        if found < least {
            let what = format!("commit-graph generation for commit {hex} is {found} < {least}");
            self.report(shared, place, id, &what);
        } else if !numbers.follow(row.parents.iter().map(|(_, numbers)| *numbers)) {
            shared.report(place.inexact(id));
        }
        if numbers.date != date {
            let found = numbers.date;
            let what = format!("commit date for commit {hex} in commit-graph is {found} != {date}");
            self.report(shared, place, id, &what);
        }
    }

    fn report(&mut self, shared: &mut Shared, place: GraphPlace<'_>, id: &ObjectId, what: &str) {
        shared.report(place.wrong(id, what));
        self.is_wrong = true;
    }
}
