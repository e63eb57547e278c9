//! The stages of a list of commits, from resolving revisions to the last commit that is listed.

use super::commits::{Commits, Number};
use super::limited::Limited;
use super::marks::{ahead, parse_parents, SAME, SEEN, UNINTERESTING};
use super::objects::StartObject;
use super::path_limit::PathLimit;
use super::queue::Queue;
use super::rev_list::{RevListOptions, RevOrder};
use super::tips::{Begun, Tips};
use super::topological::sort;
use crate::repository::Repository;
use packlens_base::error::Result;
use packlens_base::module::FullOnly;

/// The result of a step.
pub(super) enum Step {
    /// The next commit to list.
    Found(Number),
    /// The revisions are resolved: the requested objects that are not commits, and the tips.
    Begun(Vec<StartObject>, Vec<Number>),
    /// The uninteresting commits are known: those at the edge.
    Limited(Vec<Number>),
    Working,
    Over,
}

/// The paths that limit a walk, if any do.
pub(super) type Paths = Option<FullOnly<PathLimit>>;

/// The stage that a list has reached.
pub(super) enum Stage {
    Tips(Box<Tips>),
    Limited(FullOnly<Box<Limited>>, Vec<Number>),
    /// Visits commits, and lists each at once.
    Walk(Queue),
    /// The commits that are left to filter; the next one is the last element.
    List(Vec<Number>),
    /// Collects the commits of the stage, to list them in reverse.
    Reverse(FullOnly<Box<Stage>>, Vec<Number>),
    /// The commits that are left to list; the next one is the last element.
    Reversed(Vec<Number>),
    Over,
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
        paths: &mut Paths,
    ) -> Result<Step> {
        match self {
            Stage::Tips(tips) => {
                let begun = tips.run(commits, repository)?;
                let (next, step) = Stage::begun(commits, begun, options)?;
                *self = next;
                Ok(step)
            }
            Stage::Limited(limited, tips) => {
                if limited.step(commits, repository, options, paths)? {
                    let (next, step) = after_limited(limited, tips, commits, options);
                    *self = next;
                    return Ok(step);
                }
                Ok(Step::Working)
            }
            Stage::Walk(queue) => walk(queue, commits, repository, options, paths),
            Stage::List(list) => {
                Ok(list.pop().map_or(Step::Over, |number| shown(commits, options, number)))
            }
            Stage::Reverse(stage, list) => {
                let most = options.limit.map(|limit| limit.saturating_add(options.skip));
                if most.is_none_or(|most| (list.len() as u64) < most) {
                    match stage.step(commits, repository, options, paths)? {
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

    /// Returns the stage that follows the tips.
    #[cold]
    #[inline(never)]
    fn begun(
        commits: &mut Commits,
        mut begun: Begun,
        options: &RevListOptions,
    ) -> Result<(Stage, Step)> {
        let objects = std::mem::take(&mut begun.objects);
        let step = Step::Begun(objects, begun.tips.clone());
        let sorted = options.order != RevOrder::Default;
        let next = if options.limit == Some(0) {
            Stage::Over
        } else if begun.leaves_out || sorted {
            let exact = sorted && commits.has_generations();
            let limited = FullOnly::new(|| Box::new(Limited::new(commits, &begun.tips, exact)))?;
            Stage::Limited(limited, begun.tips)
        } else {
            let mut queue = Queue::by_date();
            begun.tips.iter().for_each(|tip| queue.add(commits, *tip));
            Stage::Walk(queue)
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
            Stage::Limited(limited, tips) => limited.memory().saturating_add(numbers(tips)),
            Stage::Walk(queue) => queue.memory(),
            Stage::List(list) | Stage::Reversed(list) => numbers(list),
            Stage::Reverse(stage, list) => stage.memory().saturating_add(numbers(list)),
            Stage::Over => 0,
        }
    }
}

/// Visits the next commit, and queues its parents.
fn walk(
    queue: &mut Queue,
    commits: &mut Commits,
    repository: &mut Repository,
    options: &RevListOptions,
    paths: &mut Paths,
) -> Result<Step> {
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
    if let Some(paths) = paths {
        paths.simplify(commits, repository, number, most)?;
    }
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

/// Returns the stage that follows the limited walk.
#[cold]
#[inline(never)]
fn after_limited(
    limited: &mut Limited,
    tips: &[Number],
    commits: &mut Commits,
    options: &RevListOptions,
) -> (Stage, Step) {
    let kept = limited.take_kept();
    let edges = match options.objects {
        true => limited.edges(commits, &kept),
        false => Vec::new(),
    };
    let mut list = match options.order {
        RevOrder::Default => kept,
        order => {
            // git counts children in two ways: with generation numbers differently than
            // without.
            let (by_date, exact) = (order == RevOrder::Date, limited.is_exact());
            let first_parent = options.first_parent && exact;
            let tips = if exact { tips } else { &kept };
            sort(commits, &kept, tips, by_date, first_parent)
        }
    };
    list.reverse();
    (Stage::List(list), Step::Limited(edges))
}

/// Returns the step of a visited commit: found if it matches the options.
fn shown(commits: &Commits, options: &RevListOptions, number: Number) -> Step {
    let parents = u32::try_from(commits.parents(number).len()).unwrap_or(u32::MAX);
    let fits = !commits.has(number, UNINTERESTING | SAME)
        && options.until.is_none_or(|until| commits.date(number) <= until)
        && parents >= options.min_parents
        && options.max_parents.is_none_or(|most| parents <= most);
    if fits {
        Step::Found(number)
    } else {
        Step::Working
    }
}
