//! Checks the rows of a commit-graph on their own: the order of ids, the fanout, and whether
//! the commits are found.

use super::graph_files::{GraphPlace, Looked};
use super::shared::Shared;
use packlens_base::error::Result;
use packlens_base::oid::ObjectId;
use packlens_query::repository::Repository;

/// The state of the check, which begins with the first row.
#[derive(Default)]
pub(super) struct Rows {
    at: u32,
    /// How many rows of the fanout were compared.
    fanout: u16,
    last: Option<ObjectId>,
    is_wrong: bool,
    /// A bit for each commit that is a parent of one checked before: git does not look it up
    /// then.
    named: Vec<u64>,
    parents: Vec<u32>,
}

impl Rows {
    /// Checks up to `most` rows.
    ///
    /// # Errors
    ///
    /// Missing bytes.
    pub(super) fn look(
        &mut self,
        shared: &mut Shared,
        repository: &Repository,
        place: GraphPlace<'_>,
        most: u32,
    ) -> Result<Looked> {
        let count = place.layer.graph.count();
        if self.named.is_empty() {
            let end = place.layer.first.saturating_add(count);
            self.named = vec![0; (end as usize).div_ceil(64)];
        }
        let end = count.min(self.at.saturating_add(most));
        while self.at < end {
            if !self.look_at_row(shared, repository, place)? {
                return Ok(Looked::Broken);
            }
            self.at = self.at.saturating_add(1);
        }
        if self.at < count {
            return Ok(Looked::Some);
        }
        self.compare_fanout(shared, place, 256);
        Ok(Looked::All { is_wrong: self.is_wrong })
    }

    /// Checks a row; returns `false` where git stops.
    fn look_at_row(
        &mut self,
        shared: &mut Shared,
        repository: &Repository,
        place: GraphPlace<'_>,
    ) -> Result<bool> {
        let source = repository.files.source(place.layer.file);
        let id = place.layer.graph.id_at(&source, self.at)?;
        let position = place.layer.first.saturating_add(self.at);
        let is_found = self.is_named(position) || is_found(repository, place, &id)?;
        let numbers = place.graph.numbers_at(&repository.files, position);
        self.parents.clear();
        let parents = place.layer.graph.parents_at(&source, self.at, &mut self.parents);
        for error in [numbers.as_ref().err(), parents.as_ref().err()].into_iter().flatten() {
            if error.is_missing() {
                return Err(error.clone());
            }
        }
        // From here on no bytes are missing, so that each finding is reported once.
        if let Some(last) = self.last.replace(id).filter(|last| *last >= id) {
            let (last, id_text) = (last.to_hex(), id.to_hex());
            let what = format!("commit-graph has incorrect OID order: {last} then {id_text}");
            shared.report(place.wrong(&id, &what));
            self.is_wrong = true;
        }
        let first = id.as_bytes().first().copied().unwrap_or(0);
        self.compare_fanout(shared, place, first.into());
        if !is_found {
            self.cannot_parse(shared, place, &id);
            return Ok(true);
        }
        if numbers.is_err() {
            let what = match place.layer.graph.has_long_dates() {
                true => "commit-graph overflow generation data is too small",
                false => "commit-graph requires overflow generation data but has none",
            };
            shared.report(place.broken(what));
            return Ok(false);
        }
        let end = place.layer.first.saturating_add(place.layer.graph.count());
        for parent in std::mem::take(&mut self.parents) {
            if parent >= end {
                shared.report(place.broken(&format!("invalid parent position {parent}")));
                return Ok(false);
            }
            if let Some(word) = self.named.get_mut((parent / 64) as usize) {
                *word |= 1 << (parent % 64);
            }
        }
        if parents.is_err() {
            self.cannot_parse(shared, place, &id);
        }
        Ok(true)
    }

    fn cannot_parse(&mut self, shared: &mut Shared, place: GraphPlace<'_>, id: &ObjectId) {
        let what = format!("failed to parse commit {} from commit-graph", id.to_hex());
        shared.report(place.wrong(id, &what));
        self.is_wrong = true;
    }

    fn is_named(&self, position: u32) -> bool {
        let word = self.named.get((position / 64) as usize).copied().unwrap_or(0);
        word >> (position % 64) & 1 == 1
    }

    /// Compares the fanout rows up to `end` with the number of ids so far.
    fn compare_fanout(&mut self, shared: &mut Shared, place: GraphPlace<'_>, end: u16) {
        while self.fanout < end {
            let row = u8::try_from(self.fanout).unwrap_or(u8::MAX);
            let (found, own) = (place.layer.graph.range(row).end, self.at);
            if found != own {
                let what = format!(
                    "commit-graph has incorrect fanout value: fanout[{row}] = {found} != {own}"
                );
                shared.report(place.wrong_file(&what));
                self.is_wrong = true;
            }
            self.fanout = self.fanout.saturating_add(1);
        }
    }
}

/// Looks a commit up in this layer and in those below, by bisection as git does.
fn is_found(repository: &Repository, place: GraphPlace<'_>, id: &ObjectId) -> Result<bool> {
    for layer in place.graph.layers().iter().take(place.depth).rev() {
        if layer.graph.find_by_halves(&repository.files.source(layer.file), id)?.is_some() {
            return Ok(true);
        }
    }
    Ok(false)
}
