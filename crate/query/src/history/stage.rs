//! The stages of a list of commits, from resolving revisions to the last commit that is listed.

use super::author_dates::AuthorDates;
use super::commits::{Commits, Number};
use super::counting::Counting;
use super::limited::{edges, Limited};
use super::marks::{SEEN, UNINTERESTING};
use super::modes::{Cherry, Merges, Rewritten, ADDED};
use super::queue::Queue;
use super::rev_list::{RevListOptions, RevOrder};
use super::step::{
    most_excluded, most_parents, selected, shown, simplify_and_parse, MaybeModes, Step,
};
use super::tips::{Begun, Tips};
use super::topo_walk::TopoWalk;
use super::topological::sort;
use crate::repository::Repository;
use packlens_base::error::Result;
use packlens_base::module::FullOnly;

/// The stage that a list has reached.
pub(super) enum Stage {
    Tips(Box<Tips>),
    Limited(FullOnly<Box<Limited>>),
    /// Compares the patches of the commits.
    Cherry(FullOnly<Box<Cherry>>),
    /// Reads when the commits were written, by which they are sorted.
    Authors(FullOnly<Box<AuthorDates>>),
    /// Visits commits, and lists each once its children are listed.
    Topo(FullOnly<Box<TopoWalk>>),
    /// Visits commits, and lists each at once.
    Walk(Queue),
    /// Counts commits.
    Counting(FullOnly<Counting>),
    /// Drops merges from the list of commits.
    Merges(FullOnly<Box<Merges>>),
    /// The commits that are left to filter; the next one is the last element.
    List(Vec<Number>),
    /// Collects the commits of the stage, to list them in reverse.
    Reverse(FullOnly<Box<Stage>>, Vec<Number>),
    /// The commits that are left to list; the next one is the last element.
    Reversed(Vec<Number>),
    /// Lists the commits of the stage, and then those where the list ends.
    Bounded(FullOnly<Box<Bounded>>),
    Over,
}

/// A list that ends with its boundary.
pub(super) struct Bounded {
    stage: Stage,
    taken: u64,
    boundary: Option<Vec<Number>>,
}

impl Stage {
    pub(super) fn first(specs: &[Vec<u8>], options: &RevListOptions) -> Stage {
        Stage::Tips(Box::new(Tips::new(specs.to_vec(), options.objects)))
    }

    /// Takes a step. If bytes are missing, the next call repeats the same step.
    pub(super) fn step(
        &mut self,
        commits: &mut Commits,
        repository: &mut Repository,
        options: &RevListOptions,
        modes: &mut MaybeModes,
    ) -> Result<Step> {
        // WebAssembly engines compile a function again as a whole once it was called often.
        match self {
            Stage::Walk(queue) => walk(queue, commits, repository, options, modes),
            Stage::Counting(counting) => counting.step(commits, repository),
            _ => self.other_step(commits, repository, options, modes),
        }
    }

    /// Only counts what the plain walk would visit.
    ///
    /// # Errors
    ///
    /// In the reader a need for the full module.
    pub(super) fn only_count(&mut self, commits: &Commits) -> Result<()> {
        if let Stage::Walk(queue) = self {
            *self = Stage::Counting(FullOnly::new(|| Counting::new(commits, queue))?);
        }
        Ok(())
    }

    /// As [`Stage::step`], for other stages than the plain walk.
    #[inline(never)]
    fn other_step(
        &mut self,
        commits: &mut Commits,
        repository: &mut Repository,
        options: &RevListOptions,
        modes: &mut MaybeModes,
    ) -> Result<Step> {
        match self {
            Stage::Tips(tips) => {
                if let Some(modes) = modes {
                    modes.resolve(commits, repository)?;
                }
                let keeps_order = options.order == RevOrder::Given;
                let begun = tips.run(commits, repository, most_excluded(modes), keeps_order)?;
                if let Some(modes) = modes {
                    modes.set_tips(commits, &begun.tips, &begun.lefts)?;
                }
                let (next, step) = Stage::begun(commits, begun, options, modes)?;
                *self = next;
                Ok(step)
            }
            Stage::Limited(limited) => {
                if !limited.step(commits, repository, options, modes)? {
                    return Ok(Step::Working);
                }
                let kept = limited.take_kept();
                let (next, step) = match modes {
                    Some(modes) if modes.options.compares_patches() => {
                        let cherry = FullOnly::new(|| Box::new(Cherry::new(kept, commits, modes)))?;
                        (Stage::Cherry(cherry), Step::Working)
                    }
                    modes => after_limited(kept, commits, options, modes)?,
                };
                *self = next;
                Ok(step)
            }
            Stage::Cherry(cherry) => {
                let kept = match modes {
                    Some(modes) => cherry.step(modes, commits, repository)?,
                    None => None,
                };
                let Some(kept) = kept else {
                    return Ok(Step::Working);
                };
                let (next, step) = after_limited(kept, commits, options, modes)?;
                *self = next;
                Ok(step)
            }
            Stage::Authors(dates) => {
                if let Some(list) = dates.step(commits, repository)? {
                    *self = after_sorted(list, commits, modes)?;
                }
                Ok(Step::Working)
            }
            Stage::Topo(walk) => {
                if let Some(step) = rewrite_in_topo_walk(walk, commits, repository, options, modes)?
                {
                    return Ok(step);
                }
                Ok(match walk.step(commits, repository, options, modes)? {
                    Step::Found(number) => shown(commits, options, modes, number),
                    step => step,
                })
            }
            Stage::Merges(merges) => {
                let Some(modes) = modes else {
                    return Ok(Step::Working);
                };
                if let Some(mut list) = merges.step(modes, commits, repository)? {
                    modes.find_children(commits, &list);
                    list.reverse();
                    *self = Stage::List(list);
                }
                Ok(Step::Working)
            }
            Stage::List(list) => match listing_step(commits, repository, modes)? {
                Some(step) => Ok(step),
                None => Ok(list
                    .pop()
                    .map_or(Step::Over, |number| shown(commits, options, modes, number))),
            },
            Stage::Reverse(stage, list) => {
                let (skip, most) = selected(options, modes);
                if most.is_none_or(|most| (list.len() as u64) < most) {
                    match stage.step(commits, repository, options, modes)? {
                        Step::Found(number) => {
                            list.push(number);
                            return Ok(Step::Working);
                        }
                        Step::Over => {}
                        step => return Ok(step),
                    }
                }
                let skip = usize::try_from(skip).unwrap_or(usize::MAX).min(list.len());
                *self = Stage::Reversed(list.split_off(skip));
                Ok(Step::Working)
            }
            Stage::Reversed(list) => Ok(list.pop().map_or(Step::Over, Step::Found)),
            Stage::Bounded(bounded) => bounded.step(commits, repository, options, modes),
            Stage::Walk(_) | Stage::Counting(_) | Stage::Over => Ok(Step::Over),
        }
    }

    /// Returns the stage that follows the tips.
    #[cold]
    #[inline(never)]
    fn begun(
        commits: &mut Commits,
        mut begun: Begun,
        options: &RevListOptions,
        modes: &MaybeModes,
    ) -> Result<(Stage, Step)> {
        let objects = std::mem::take(&mut begun.objects);
        let step = Step::Begun(objects, begun.tips.clone());
        let sorted = options.order != RevOrder::Default;
        // A commit-graph has no author dates: all commits are read before the first is listed.
        let by_author = options.order == RevOrder::AuthorDate;
        let is_limited = modes.as_ref().is_some_and(|modes| modes.is_limited());
        let next = if options.limit == Some(0) {
            Stage::Over
        } else if !options.order.walks() {
            let keeps_order = options.order == RevOrder::Given;
            let mut queue = if keeps_order { Queue::in_order() } else { Queue::by_date() };
            let listed = begun.tips.iter().filter(|tip| !commits.has(**tip, UNINTERESTING));
            listed.for_each(|tip| queue.add(commits, *tip));
            Stage::Walk(queue)
        } else if sorted && !is_limited && !by_author && commits.has_generations() {
            let order = options.order;
            let walk = FullOnly::new(|| Box::new(TopoWalk::new(commits, &begun.tips, order)))?;
            Stage::Topo(walk)
        } else if begun.leaves_out || sorted || is_limited {
            let limited = FullOnly::new(|| Box::new(Limited::new(commits, &begun.tips)))?;
            Stage::Limited(limited)
        } else {
            let mut queue = Queue::by_date();
            begun.tips.iter().for_each(|tip| queue.add(commits, *tip));
            Stage::Walk(queue)
        };
        let next = match modes.as_ref().is_some_and(|modes| modes.options.boundary) {
            true => Stage::Bounded(FullOnly::new(|| {
                Box::new(Bounded { stage: next, taken: 0, boundary: None })
            })?),
            false => next,
        };
        Ok(match options.reverse {
            true => (Stage::Reverse(FullOnly::new(|| Box::new(next))?, Vec::new()), step),
            false => (next, step),
        })
    }

    pub fn memory(&self) -> u64 {
        let numbers = |list: &Vec<Number>| (list.capacity() as u64).saturating_mul(4);
        match self {
            Stage::Tips(tips) => tips.memory(),
            Stage::Limited(limited) => limited.memory(),
            Stage::Cherry(cherry) => cherry.memory(),
            Stage::Authors(dates) => dates.memory(),
            Stage::Topo(walk) => walk.memory(),
            Stage::Merges(merges) => merges.memory(),
            Stage::Walk(queue) => queue.memory(),
            Stage::Counting(counting) => counting.memory(),
            Stage::List(list) | Stage::Reversed(list) => numbers(list),
            Stage::Reverse(stage, list) => stage.memory().saturating_add(numbers(list)),
            Stage::Bounded(bounded) => bounded.stage.memory(),
            Stage::Over => 0,
        }
    }
}

impl Bounded {
    fn step(
        &mut self,
        commits: &mut Commits,
        repository: &mut Repository,
        options: &RevListOptions,
        modes: &mut MaybeModes,
    ) -> Result<Step> {
        if let Some(list) = &mut self.boundary {
            return Ok(list.pop().map_or(Step::Over, Step::Found));
        }
        let most = options.limit.map(|limit| limit.saturating_add(options.skip));
        let step = match most.is_some_and(|most| self.taken >= most) {
            true => Step::Over,
            false => self.stage.step(commits, repository, options, modes)?,
        };
        let Some(modes) = modes else {
            return Ok(step);
        };
        match step {
            Step::Found(number) => {
                self.taken = self.taken.saturating_add(1);
                if self.taken <= options.skip {
                    return Ok(Step::Working);
                }
                modes.show(commits, number);
                Ok(Step::Found(number))
            }
            Step::Over => {
                self.boundary = Some(modes.take_boundary(commits, options.order));
                Ok(Step::Working)
            }
            step => Ok(step),
        }
    }
}

/// Visits the next commit, and queues its parents.
fn walk(
    queue: &mut Queue,
    commits: &mut Commits,
    repository: &mut Repository,
    options: &RevListOptions,
    modes: &mut MaybeModes,
) -> Result<Step> {
    if let Some(step) = rewrite_in_walk(queue, commits, repository, options, modes)? {
        return Ok(step);
    }
    let Some(number) = queue.peek() else {
        return Ok(Step::Over);
    };
    if options.since.is_some_and(|since| commits.date(number) < since) {
        queue.pass();
        return Ok(Step::Working);
    }
    if modes.as_ref().is_some_and(|modes| modes.has(number, ADDED)) {
        queue.pass();
        return Ok(shown(commits, options, modes, number));
    }
    // What is not walked is not read, and may be missing.
    if modes.is_some() || options.order.walks() {
        visit(queue, commits, repository, options, modes, number)?;
    }
    queue.pass();
    add_parents(queue, commits, options, modes, number);
    Ok(shown(commits, options, modes, number))
}

/// Reads all that is needed to add the parents of a commit to the queue.
#[inline]
fn visit(
    queue: &Queue,
    commits: &mut Commits,
    repository: &mut Repository,
    options: &RevListOptions,
    modes: &mut MaybeModes,
    number: Number,
) -> Result<()> {
    simplify_and_parse(queue, commits, repository, modes, (number, most_parents(options)))
}

#[inline]
fn add_parents(
    queue: &mut Queue,
    commits: &mut Commits,
    options: &RevListOptions,
    modes: &mut MaybeModes,
    number: Number,
) {
    if let Some(modes) = modes {
        modes.set(number, ADDED);
    }
    if !options.order.walks() {
        return;
    }
    for place in commits.parents(number).take(most_parents(options)) {
        let parent = commits.edge(place);
        if let Some(modes) = modes {
            modes.inherit(number, parent);
        }
        if !commits.has(parent, SEEN) {
            commits.set(parent, SEEN);
            queue.add(commits, parent);
        }
    }
}

/// Takes a step to rewrite the parents of a commit, if one waits for that. Parents that the walk
/// has not reached are visited first, as git does.
fn rewrite_in_walk(
    queue: &mut Queue,
    commits: &mut Commits,
    repository: &mut Repository,
    options: &RevListOptions,
    modes: &mut MaybeModes,
) -> Result<Option<Step>> {
    let parent = modes.as_ref().and_then(|modes| modes.rewritten_parent(commits));
    if let Some(parent) = parent {
        if modes.as_ref().is_some_and(|modes| !modes.has(parent, ADDED)) {
            // Where only first parents are followed, git does not read the others, and so does
            // not find out that they changed nothing.
            if commits.is_parsed(parent) {
                visit(queue, commits, repository, options, modes, parent)?;
            }
            add_parents(queue, commits, options, modes, parent);
        }
    }
    listing_step(commits, repository, modes)
}

/// As [`rewrite_in_walk`]. The walk visits parents later.
fn rewrite_in_topo_walk(
    walk: &TopoWalk,
    commits: &mut Commits,
    repository: &mut Repository,
    options: &RevListOptions,
    modes: &mut MaybeModes,
) -> Result<Option<Step>> {
    let parent = modes.as_ref().and_then(|modes| modes.rewritten_parent(commits));
    if let Some(parent) = parent {
        walk.process(commits, repository, modes, (parent, most_parents(options)))?;
    }
    listing_step(commits, repository, modes)
}

/// Reads a commit that waits to be filtered, or rewrites a parent of one that is listed next;
/// `None` if there is neither.
fn listing_step(
    commits: &mut Commits,
    repository: &mut Repository,
    modes: &mut MaybeModes,
) -> Result<Option<Step>> {
    let Some(modes) = modes else {
        return Ok(None);
    };
    if let Some(listed) = modes.filter_step(commits, repository)? {
        return Ok(Some(listed.map_or(Step::Working, Step::Found)));
    }
    Ok(modes.rewrite_step(commits).map(|rewritten| match rewritten {
        Rewritten::Ready(number) => Step::Found(number),
        Rewritten::Working => Step::Working,
    }))
}

/// Returns the stage that follows the limited walk.
#[cold]
#[inline(never)]
fn after_limited(
    kept: Vec<Number>,
    commits: &mut Commits,
    options: &RevListOptions,
    modes: &mut MaybeModes,
) -> Result<(Stage, Step)> {
    if let Some(modes) = modes {
        modes.finish_walk(commits, &kept);
    }
    let edges = match options.objects {
        true => edges(commits, &kept),
        false => Vec::new(),
    };
    let next = match options.order {
        RevOrder::Default => after_sorted(kept, commits, modes)?,
        RevOrder::AuthorDate => Stage::Authors(FullOnly::new(|| Box::new(AuthorDates::new(kept)))?),
        order => after_sorted(sort(commits, &kept, order.sorts_by()), commits, modes)?,
    };
    Ok((next, Step::Limited(edges)))
}

/// Returns the stage that follows once the list is in its order.
fn after_sorted(
    mut list: Vec<Number>,
    commits: &mut Commits,
    modes: &mut MaybeModes,
) -> Result<Stage> {
    if modes.as_ref().is_some_and(|modes| modes.simplifies_merges()) {
        return Ok(Stage::Merges(FullOnly::new(|| Box::new(Merges::new(commits, list)))?));
    }
    if let Some(modes) = modes {
        modes.find_children(commits, &list);
    }
    list.reverse();
    Ok(Stage::List(list))
}
