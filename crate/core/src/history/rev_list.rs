//! Listing commits: <https://git-scm.com/docs/git-rev-list>.

use super::commits::{Commits, Number};
use super::limited::Limited;
use super::marks::{ahead, parse_parents, SEEN, UNINTERESTING};
use super::objects::{Objects, Wanted};
use super::open_graph::is_about;
use super::queue::Queue;
use super::reached::{Asked, Reached};
use super::tips::{Begun, Tips};
use super::topological::sort;
use crate::appender::{Append, Output};
use crate::error::{Error, Result};
use crate::repository::Repository;

/// In which order commits are listed.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum RevOrder {
    /// As they are come to, the newest first.
    #[default]
    Default,
    /// No commit before its children, else the newest first: `--date-order`.
    Date,
    /// No commit before its children, lines of history together: `--topo-order`.
    Topo,
}

/// Which commits are listed, and how.
#[derive(Clone, Copy, Debug, Default)]
pub struct RevListOptions {
    /// In which order.
    pub order: RevOrder,
    /// The order is turned round, once it is known which are listed.
    pub reverse: bool,
    /// Of each commit only the first parent is gone on to.
    pub first_parent: bool,
    /// Only their number is told.
    pub count: bool,
    /// Behind the commits come the tags, trees and blobs that they lead to.
    pub objects: bool,
    /// They are counted or listed by bitmaps if there are any. Of objects these are fewer
    /// where a walk does not look at all of what it leaves out; they are listed in
    /// the order of bitmaps then, without names.
    pub use_bitmaps: bool,
    /// How many are passed over.
    pub skip: u64,
    /// How many are listed at most.
    pub limit: Option<u64>,
    /// The fewest parents that a commit must have.
    pub min_parents: u32,
    /// The most parents that a commit may have.
    pub max_parents: Option<u32>,
    /// Seconds since 1970: those made before are not listed.
    pub since: Option<u64>,
    /// Seconds since 1970: those made after are not listed.
    pub until: Option<u64>,
}

impl RevListOptions {
    /// Tells whether a bitmap knows which commits are asked for.
    fn may_use_bitmaps(&self) -> bool {
        let all = (self.skip, self.limit) == (0, None) && !self.first_parent;
        let any = (self.min_parents, self.max_parents) == (0, None);
        let ever = self.since.is_none() && self.until.is_none();
        self.use_bitmaps && all && any && ever
    }
}

/// How many commits are taken before the caller may look whether to go on.
pub(crate) const MOST_STEPS: u32 = 1 << 14;

/// A list of commits that stops when it likes and goes on later.
pub struct RevList {
    options: RevListOptions,
    specs: Vec<Vec<u8>>,
    commits: Option<Commits>,
    stage: Stage,
    without_graph: bool,
    /// How many commits were passed over or listed.
    taken: u64,
    /// The next one, until it is listed.
    found: Option<Number>,
    /// How many of them were taken before the graph was left aside.
    known: u64,
    listed: u64,
    /// What was asked for beside commits.
    given: Vec<Wanted>,
    /// The trees of commits that were listed.
    trees: Vec<Wanted>,
    /// Commits that were left out, what is in whose trees is not listed.
    edges: Vec<Number>,
    /// What comes behind the commits, once all of them were listed.
    objects: Option<Objects>,
    /// What the walk begins with, until it was looked for bitmaps.
    tips: Option<Vec<Number>>,
    /// What is counted or listed by bitmaps.
    reached: Option<Reached>,
}

enum Stage {
    Tips(Box<Tips>),
    Limited(Box<Limited>, Vec<Number>),
    /// Going over commits as they are come to.
    Walk(Queue),
    /// All that is left to look at, the next one last.
    List(Vec<Number>),
    /// What the stage finds is listed the other way round.
    Reverse(Box<Stage>, Vec<Number>),
    /// All that is left to list, the next one last.
    Reversed(Vec<Number>),
    Over,
}

impl RevList {
    /// Begins a list of what `specs` stand for: revisions, `^` before those to be
    /// left out, `a..b`, `a...b`, `--not`, `--all`, `--branches`, `--tags`,
    /// `--remotes`.
    pub fn new(specs: Vec<Vec<u8>>, options: RevListOptions) -> RevList {
        let stage = Stage::first(&specs, &options);
        RevList {
            options,
            specs,
            commits: None,
            stage,
            without_graph: false,
            taken: 0,
            found: None,
            known: 0,
            listed: 0,
            given: Vec::new(),
            trees: Vec::new(),
            edges: Vec::new(),
            objects: None,
            tips: None,
            reached: None,
        }
    }

    /// Appends the ids of commits, as hex digits and each on a line, until `out` is
    /// about `capacity` bytes long or many were looked at; tells whether that was
    /// the last. If only their number was asked for, that is the only line.
    ///
    /// # Errors
    ///
    /// Missing files and bytes: provide them and go on. Those of resolving and of
    /// reading.
    pub fn fill(
        &mut self,
        repository: &mut Repository,
        capacity: usize,
        out: &mut Output,
    ) -> Result<bool> {
        loop {
            let filled = self.fill_some(repository, capacity, out);
            match &filled {
                Err(error) if error.is_missing() => return filled,
                Err(error) if self.is_about_graph(error) => {
                    self.restart_without_graph();
                    continue;
                }
                _ => {}
            }
            let lines = (!self.options.count).then_some(&mut *out);
            let objects = self.objects.as_mut();
            if objects.is_none_or(|objects| objects.check(repository, lines)) {
                return filled;
            }
        }
    }

    /// Returns how many bytes of memory this takes.
    pub fn memory(&self) -> u64 {
        let commits = self.commits.as_ref().map_or(0, Commits::memory);
        commits.saturating_add(self.stage.memory()).saturating_add(self.objects_memory())
    }

    fn objects_memory(&self) -> u64 {
        let trees = self.trees.capacity().saturating_mul(size_of::<Wanted>()) as u64;
        trees
            .saturating_add(self.objects.as_ref().map_or(0, Objects::memory))
            .saturating_add(self.reached.as_ref().map_or(0, Reached::memory))
    }

    fn is_about_graph(&self, error: &Error) -> bool {
        let graph = self.commits.as_ref().and_then(Commits::graph);
        graph.is_some_and(|graph| !error.is_missing() && is_about(error, graph))
    }

    /// Tells whether generation numbers may decide what is listed.
    fn goes_by_generations(&self) -> bool {
        let symmetric = |spec: &Vec<u8>| spec.windows(3).any(|dots| dots == b"...");
        self.options.order != RevOrder::Default || self.specs.iter().any(symmetric)
    }

    /// Begins anew without the graph. What was listed is not listed again.
    fn restart_without_graph(&mut self) {
        self.commits = None;
        self.stage = Stage::first(&self.specs, &self.options);
        self.edges.clear();
        self.found = None;
        self.without_graph = true;
        self.known = self.known.max(self.taken);
        self.taken = 0;
    }

    fn fill_some(
        &mut self,
        repository: &mut Repository,
        capacity: usize,
        out: &mut Output,
    ) -> Result<bool> {
        if self.commits.is_none() {
            let graph = match self.without_graph {
                true => None,
                false => repository.open_graph(self.goes_by_generations())?,
            };
            let mut commits = Commits::new(repository, graph)?;
            if self.options.objects {
                commits.keep_trees();
            }
            self.commits = Some(commits);
        }
        let Some(mut commits) = self.commits.take() else {
            return Ok(true);
        };
        let filled = self.fill_from(&mut commits, repository, capacity, out);
        self.commits = Some(commits);
        filled
    }

    fn fill_from(
        &mut self,
        commits: &mut Commits,
        repository: &mut Repository,
        capacity: usize,
        out: &mut Output,
    ) -> Result<bool> {
        let mut steps = 0u32;
        while out.len() < capacity {
            if steps == MOST_STEPS {
                return Ok(false);
            }
            steps = steps.saturating_add(1);
            if self.tips.is_some() {
                self.open_bitmaps(commits, repository)?;
            }
            if let Some(reached) = &mut self.reached {
                if reached.is_listed() {
                    return reached.list(repository, capacity, out);
                }
                match reached_step(reached, commits, repository, self.options.count, out) {
                    Ok(true) => return Ok(true),
                    Ok(false) => {}
                    Err(error) if error.is_missing() => return Err(error),
                    // The walk will tell what is wrong, if it is not the bitmaps.
                    Err(_) => self.reached = None,
                }
                continue;
            }
            if self.found.is_none() {
                match self.stage.step(commits, repository, &self.options)? {
                    Step::Found(number) => self.found = Some(number),
                    Step::Working => continue,
                    Step::Begun(given, tips) => {
                        self.given = given;
                        self.tips = self.options.may_use_bitmaps().then_some(tips);
                        continue;
                    }
                    Step::Limited(edges) => {
                        self.edges = edges;
                        continue;
                    }
                    Step::Over
                        if self.options.objects
                            && !self.objects_step(commits, repository, out)? =>
                    {
                        continue;
                    }
                    Step::Over if self.options.count => {
                        let objects = self.objects.as_ref().map_or(0, Objects::listed);
                        let count = self.listed.saturating_add(objects);
                        out.appender().bytes(format!("{count}\n").as_bytes())?;
                        return Ok(true);
                    }
                    Step::Over => return Ok(true),
                }
            }
            let Some(number) = self.found else {
                continue;
            };
            // A list that is turned round was cut before.
            let (skip, limit) = match self.options.reverse {
                true => (0, None),
                false => (self.options.skip, self.options.limit),
            };
            if self.taken >= skip && self.taken >= self.known {
                if self.options.objects {
                    let id = commits.tree(repository, number)?;
                    self.trees.push(Wanted::tree(id, false));
                }
                if !self.options.count {
                    let id = commits.id(repository, number)?;
                    id.write_line(&mut out.appender())?;
                }
                self.listed = self.listed.saturating_add(1);
            }
            self.found = None;
            self.taken = self.taken.saturating_add(1);
            if limit.is_some_and(|limit| self.taken >= skip.saturating_add(limit)) {
                self.stage = Stage::Over;
            }
        }
        Ok(false)
    }
}

impl RevList {
    /// Looks for bitmaps to go by.
    fn open_bitmaps(&mut self, commits: &mut Commits, repository: &mut Repository) -> Result<()> {
        if let Some(bitmaps) = repository.odb.open_bitmaps(&mut repository.files)? {
            let asked = Asked {
                tips: self.tips.as_deref().unwrap_or_default(),
                given: &self.given,
                only_commits: !self.options.objects,
                reverse: self.options.reverse,
            };
            self.reached = Reached::new(bitmaps, commits, repository, &asked)?;
        }
        self.tips = None;
        Ok(())
    }

    /// Goes on behind the commits; tells whether that was the last.
    fn objects_step(
        &mut self,
        commits: &Commits,
        repository: &mut Repository,
        out: &mut Output,
    ) -> Result<bool> {
        if let Some(objects) = &mut self.objects {
            return objects.step(repository, (!self.options.count).then_some(out));
        }
        while let Some(number) = self.edges.last() {
            let id = commits.tree(repository, *number)?;
            self.given.push(Wanted::tree(id, true));
            self.edges.pop();
        }
        let all = self.given.drain(..).chain(self.trees.drain(..));
        self.objects = Some(Objects::new(all));
        Ok(false)
    }
}

/// Goes on with what is found by bitmaps; tells whether its number was told.
fn reached_step(
    reached: &mut Reached,
    commits: &mut Commits,
    repository: &mut Repository,
    count: bool,
    out: &mut Output,
) -> Result<bool> {
    if !reached.step(commits, repository)? {
        return Ok(false);
    }
    if !count {
        return reached.begin_list(repository).map(|()| false);
    }
    let count = reached.count(repository)?;
    out.appender().bytes(format!("{count}\n").as_bytes())?;
    Ok(true)
}

enum Step {
    /// The next commit.
    Found(Number),
    /// It is known where the walk begins, and what was asked for beside commits.
    Begun(Vec<Wanted>, Vec<Number>),
    /// It is known which commits are left out that others build on.
    Limited(Vec<Number>),
    Working,
    Over,
}

impl Stage {
    fn first(specs: &[Vec<u8>], options: &RevListOptions) -> Stage {
        Stage::Tips(Box::new(Tips::new(specs.to_vec(), options.objects)))
    }

    /// Goes on a step. Where bytes are missing the same step is taken again.
    fn step(
        &mut self,
        commits: &mut Commits,
        repository: &mut Repository,
        options: &RevListOptions,
    ) -> Result<Step> {
        match self {
            Stage::Tips(tips) => {
                let mut begun = tips.run(commits, repository)?;
                let objects = std::mem::take(&mut begun.objects);
                let tips = begun.tips.clone();
                *self = Stage::begun(commits, begun, options);
                Ok(Step::Begun(objects, tips))
            }
            Stage::Limited(limited, tips) => {
                if limited.step(commits, repository, options)? {
                    let kept = limited.take_kept();
                    let edges = match options.objects {
                        true => limited.edges(commits, &kept),
                        false => Vec::new(),
                    };
                    let mut list = match options.order {
                        RevOrder::Default => kept,
                        order => {
                            // As git does, which counts children in two ways.
                            let (by_date, exact) = (order == RevOrder::Date, limited.is_exact());
                            let first_parent = options.first_parent && exact;
                            let tips = if exact { tips.as_slice() } else { &kept };
                            sort(commits, &kept, tips, by_date, first_parent)
                        }
                    };
                    list.reverse();
                    *self = Stage::List(list);
                    return Ok(Step::Limited(edges));
                }
                Ok(Step::Working)
            }
            Stage::Walk(queue) => {
                let Some(number) = queue.peek() else {
                    return Ok(Step::Over);
                };
                if options.since.is_some_and(|since| commits.date(number) < since) {
                    queue.pass();
                    return Ok(Step::Working);
                }
                let most = if options.first_parent { 1 } else { usize::MAX };
                parse_parents(commits, repository, number, most, false)
                    .map_err(|error| ahead(error, commits, repository, number, queue))?;
                queue.pass();
                for place in commits.parents(number).take(most) {
                    let parent = commits.edge(place);
                    if !commits.has(parent, SEEN) {
                        commits.set(parent, SEEN);
                        queue.add(commits, parent);
                    }
                }
                Ok(shown(commits, options, number))
            }
            Stage::List(list) => {
                Ok(list.pop().map_or(Step::Over, |number| shown(commits, options, number)))
            }
            Stage::Reverse(stage, list) => {
                let most = options.limit.map(|limit| limit.saturating_add(options.skip));
                if most.is_none_or(|most| (list.len() as u64) < most) {
                    match stage.step(commits, repository, options)? {
                        Step::Found(number) => {
                            list.push(number);
                            return Ok(Step::Working);
                        }
                        Step::Over => {}
                        step => return Ok(step),
                    }
                }
                let skip = usize::try_from(options.skip).unwrap_or(usize::MAX).min(list.len());
                *self = Stage::Reversed(list.split_off(skip));
                Ok(Step::Working)
            }
            Stage::Reversed(list) => Ok(list.pop().map_or(Step::Over, Step::Found)),
            Stage::Over => Ok(Step::Over),
        }
    }

    /// Returns what comes once it is known where the walk begins.
    fn begun(commits: &mut Commits, begun: Begun, options: &RevListOptions) -> Stage {
        let sorted = options.order != RevOrder::Default;
        let next = if options.limit == Some(0) {
            Stage::Over
        } else if begun.leaves_out || sorted {
            let exact = sorted && commits.has_generations();
            let limited = Limited::new(commits, &begun.tips, exact);
            Stage::Limited(Box::new(limited), begun.tips)
        } else {
            let mut queue = Queue::by_date();
            begun.tips.iter().for_each(|tip| queue.add(commits, *tip));
            Stage::Walk(queue)
        };
        match options.reverse {
            true => Stage::Reverse(Box::new(next), Vec::new()),
            false => next,
        }
    }

    fn memory(&self) -> u64 {
        let numbers = |list: &Vec<Number>| (list.capacity() as u64).saturating_mul(4);
        match self {
            Stage::Tips(tips) => tips.memory(),
            Stage::Limited(limited, tips) => limited.memory().saturating_add(numbers(tips)),
            Stage::Walk(queue) => queue.memory(),
            Stage::List(list) | Stage::Reversed(list) => numbers(list),
            Stage::Reverse(stage, list) => stage.memory().saturating_add(numbers(list)),
            Stage::Over => 0,
        }
    }
}

/// Tells whether a commit that was come to is one of those asked for.
fn shown(commits: &Commits, options: &RevListOptions, number: Number) -> Step {
    let parents = u32::try_from(commits.parents(number).len()).unwrap_or(u32::MAX);
    let fits = !commits.has(number, UNINTERESTING)
        && options.until.is_none_or(|until| commits.date(number) <= until)
        && parents >= options.min_parents
        && options.max_parents.is_none_or(|most| parents <= most);
    if fits {
        Step::Found(number)
    } else {
        Step::Working
    }
}
