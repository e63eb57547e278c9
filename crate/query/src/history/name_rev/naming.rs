//! Gives each commit the best of the names that refs lead to.

use super::tips::Tips;
use crate::history::commits::{too_many, Commits, Number};
use crate::history::marks::parse_parents;
use crate::history::tips::commit_of;
use crate::repository::Repository;
use packlens_base::error::{Error, ErrorKind, Result};
use packlens_base::sort;
use packlens_format::object::ObjectType;

/// What the step to another parent than the first weighs, and a name that has steps at its end.
const MERGE_WEIGHT: u32 = 65_535;

/// How many seconds a commit may be older than all that are asked for and be named all the same.
const SLOP: u64 = 86_400;

/// A name: that of a node, and as many first parents on as it says.
#[derive(Clone, Copy)]
pub(super) struct Name {
    /// The number of a tip, or of a [`Step`] after all of those.
    node: u32,
    pub(super) tip: u32,
    steps: u32,
    distance: u32,
}

/// The way from a name to another parent than the first.
#[derive(Clone, Copy)]
struct Step {
    from: u32,
    steps: u32,
    parent: u32,
}

/// A tip that leads to a commit.
#[derive(Clone, Copy)]
struct Start {
    tip: u32,
    commit: Number,
}

/// The names that are known so far.
#[derive(Default)]
pub(super) struct Naming {
    /// The commits of tips that were looked at, and then all in the order in which they count.
    starts: Vec<Start>,
    looked_at: u32,
    is_sorted: bool,
    /// How many starts were taken.
    taken: usize,
    names: Vec<Option<Name>>,
    steps: Vec<Step>,
    /// The dates of all tips, and whether they are tags.
    ages: Vec<(bool, u64)>,
    pending: Vec<Number>,
}

/// The commits that are too old to lead to one that is asked for.
#[derive(Clone, Copy)]
pub(super) struct Cutoff {
    date: u64,
    generation: Option<u64>,
}

impl Cutoff {
    /// Returns the cut-off of parsed commits; with `none`, nothing is too old.
    pub(super) fn of(commits: &Commits, asked: impl Iterator<Item = Number>, none: bool) -> Cutoff {
        let mut cutoff = Cutoff { date: u64::MAX, generation: None };
        if none {
            return Cutoff { date: 0, generation: None };
        }
        for number in asked {
            cutoff.date = cutoff.date.min(commits.date(number));
            if commits.has_generations() && commits.in_graph(number).1.is_some() {
                let own = commits.generation(number);
                cutoff.generation = Some(cutoff.generation.map_or(own, |least| least.min(own)));
            }
        }
        Cutoff { date: cutoff.date.saturating_sub(SLOP), ..cutoff }
    }

    fn is_before(&self, commits: &Commits, number: Number) -> bool {
        match self.generation {
            Some(least) => commits.generation(number) < least,
            None => commits.date(number) < self.date,
        }
    }
}

impl Naming {
    /// Names all commits that the tips reach, as far as the cut-off allows.
    ///
    /// # Errors
    ///
    /// Missing files and bytes: call again. [`ErrorKind::Limit`]; errors of reading.
    pub(super) fn run(
        &mut self,
        commits: &mut Commits,
        repository: &mut Repository,
        tips: &Tips,
        cutoff: &Cutoff,
    ) -> Result<()> {
        self.look_at(commits, repository, tips)?;
        loop {
            repository.files.step()?;
            let Some(number) = self.pending.last().copied() else {
                let Some(start) = self.starts.get(self.taken).copied() else {
                    return Ok(());
                };
                self.taken = self.taken.saturating_add(1);
                let name = Name { node: start.tip, tip: start.tip, steps: 0, distance: 0 };
                if !cutoff.is_before(commits, start.commit) && self.improve(start.commit, name) {
                    self.pending.push(start.commit);
                }
                continue;
            };
            parse_parents(commits, repository, number, usize::MAX, false)
                .map_err(|error| self.ahead(error, commits, repository))?;
            self.pending.pop();
            self.pass_on(commits, tips.len(), (number, cutoff))?;
            if self.memory() > repository.memory() / 4 {
                let what = "the names of commits take more memory than allowed: raise `memory`";
                return Err(Error::new(ErrorKind::Limit, what));
            }
        }
    }

    /// Finds the commits of the tips: tags come first, and older ones before others.
    fn look_at(
        &mut self,
        commits: &mut Commits,
        repository: &mut Repository,
        tips: &Tips,
    ) -> Result<()> {
        while let Some(tip) = tips.get(self.looked_at) {
            repository.files.step()?;
            let found = match commit_of(commits, repository, &tip.peeled) {
                Err(error) if error.kind() == ErrorKind::NotFound => None,
                found => found?,
            };
            let date = found.map_or(0, |commit| commits.date(commit));
            self.ages.push((tip.is_tag, tip.tagged.unwrap_or(date)));
            self.starts.extend(found.map(|commit| Start { tip: self.looked_at, commit }));
            self.looked_at = self.looked_at.saturating_add(1);
        }
        if !self.is_sorted {
            let ages = &self.ages;
            let key = |start: &Start| {
                let (is_tag, date) = ages.get(start.tip as usize).copied().unwrap_or_default();
                (!is_tag, date, start.tip)
            };
            sort::by(&mut self.starts, |one, other| key(one).cmp(&key(other)));
            self.is_sorted = true;
        }
        Ok(())
    }

    /// Names the parents of a named commit, which are parsed.
    fn pass_on(
        &mut self,
        commits: &Commits,
        tips: u32,
        (number, cutoff): (Number, &Cutoff),
    ) -> Result<()> {
        let Some(name) = self.get(number) else {
            return Ok(());
        };
        let first = self.pending.len();
        for (at, place) in (1u32..).zip(commits.parents(number)) {
            let parent = commits.edge(place);
            if cutoff.is_before(commits, parent) {
                continue;
            }
            let own = if at == 1 {
                let (steps, distance) = (name.steps.saturating_add(1), name.distance);
                Name { steps, distance: distance.saturating_add(1), ..name }
            } else {
                let next = u32::try_from(self.steps.len()).ok();
                let node = next.and_then(|next| tips.checked_add(next)).ok_or_else(too_many)?;
                let distance = name.distance.saturating_add(MERGE_WEIGHT);
                Name { node, steps: 0, distance, ..name }
            };
            if self.improve(parent, own) {
                self.pending.push(parent);
                if at > 1 {
                    self.steps.push(Step { from: name.node, steps: name.steps, parent: at });
                }
            }
        }
        // The first parent is next.
        self.pending.get_mut(first..).unwrap_or_default().reverse();
        Ok(())
    }

    /// Gives a commit a name, unless its own is as good; returns whether it did.
    fn improve(&mut self, number: Number, name: Name) -> bool {
        let at = number as usize;
        if at >= self.names.len() {
            self.names.resize(at.saturating_add(1), None);
        }
        let known = self.names.get(at).copied().flatten();
        let is_better = known.is_none_or(|known| self.is_better(known, name));
        if let Some(own) = self.names.get_mut(at).filter(|_| is_better) {
            *own = Some(name);
        }
        is_better
    }

    /// Returns whether a name is better than the known one: any tag is better than another ref,
    /// and then the nearer one, and the older one. Before git 2.40 an older tag was better,
    /// however far.
    fn is_better(&self, known: Name, new: Name) -> bool {
        let age = |name: Name| self.ages.get(name.tip as usize).copied().unwrap_or_default();
        let ((known_tag, known_date), (new_tag, new_date)) = (age(known), age(new));
        let far = |name: Name| {
            name.distance.saturating_add(if name.steps > 0 { MERGE_WEIGHT } else { 0 })
        };
        if known_tag != new_tag {
            return new_tag;
        }
        (far(new), new_date) < (far(known), known_date)
    }

    /// Returns the name of a commit.
    pub(super) fn get(&self, number: Number) -> Option<Name> {
        self.names.get(number as usize).copied().flatten()
    }

    /// Returns what follows the name of the tip: `^0` for the object of a tag.
    pub(super) fn suffix(&self, tips: &Tips, name: Name) -> Vec<u8> {
        let is_tagged = tips.get(name.tip).is_some_and(|tip| tip.tagged.is_some());
        if name.node < tips.len() && name.steps == 0 {
            return if is_tagged { b"^0".to_vec() } else { Vec::new() };
        }
        let mut ways = Vec::new();
        let mut node = name.node;
        while let Some(step) =
            node.checked_sub(tips.len()).and_then(|at| self.steps.get(at as usize))
        {
            ways.push(*step);
            node = step.from;
        }
        let mut text = Vec::new();
        let mut add = |sign: char, count: u32| {
            if count > 0 {
                text.extend_from_slice(format!("{sign}{count}").as_bytes());
            }
        };
        for step in ways.iter().rev() {
            add('~', step.steps);
            add('^', step.parent);
        }
        add('~', name.steps);
        text
    }

    /// Adds to a need the commits that are read next.
    #[cold]
    fn ahead(&self, error: Error, commits: &Commits, repository: &mut Repository) -> Error {
        if !error.is_missing() {
            return error;
        }
        let places = self.pending.iter().rev().flat_map(|number| commits.parents(*number));
        let unread = places.filter_map(|place| commits.unread(commits.edge(place)));
        let unread: Vec<_> = unread.take(MOST_AHEAD).collect();
        repository
            .looking_ahead(error, Some(ObjectType::Commit), |at| unread.get(at as usize).copied())
    }

    pub(super) fn memory(&self) -> u64 {
        let names = self.names.capacity().saturating_mul(size_of::<Option<Name>>());
        let steps = self.steps.capacity().saturating_mul(size_of::<Step>());
        let starts = self.starts.capacity().saturating_mul(size_of::<Start>());
        let ages = self.ages.capacity().saturating_mul(size_of::<(bool, u64)>());
        let pending = self.pending.capacity().saturating_mul(size_of::<Number>());
        let all = [names, steps, starts, ages, pending];
        all.iter().fold(0usize, |sum, each| sum.saturating_add(*each)) as u64
    }
}

/// How many commits one need looks ahead.
const MOST_AHEAD: usize = 1024;
