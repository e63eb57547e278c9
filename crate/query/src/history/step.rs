//! A step of a list of commits, and what the stages of the list share.

use super::commits::{Commits, Number};
use super::marks::{ahead, parse_parents, UNINTERESTING};
use super::modes::Modes;
use super::objects::StartObject;
use super::queue::Queue;
use super::rev_list::RevListOptions;
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
    /// All commits were counted.
    Counted(u64),
    Working,
    Over,
}

/// The modes of the history, if it is not plain.
pub(super) type MaybeModes = Option<FullOnly<Box<Modes>>>;

/// Returns how many commits of a stage are skipped, and how many are taken from it: a list with
/// a boundary has skipped and limited them itself.
pub(super) fn selected(options: &RevListOptions, modes: &MaybeModes) -> (u64, Option<u64>) {
    match modes.as_ref().is_some_and(|modes| modes.options.boundary) {
        true => (0, None),
        false => {
            let skip = options.skip;
            (skip, options.limit.map(|limit| limit.saturating_add(skip)))
        }
    }
}

/// Returns how many parents of an excluded commit are excluded.
pub(super) fn most_excluded(modes: &MaybeModes) -> usize {
    let first = |modes: &FullOnly<Box<Modes>>| modes.options.exclude_first_parent_only;
    if modes.as_ref().is_some_and(first) {
        1
    } else {
        usize::MAX
    }
}

pub(super) fn most_parents(options: &RevListOptions) -> usize {
    if options.first_parent {
        1
    } else {
        usize::MAX
    }
}

/// Simplifies the first `most` parents of a commit, and parses those that are left.
pub(super) fn simplify_and_parse(
    queue: &Queue,
    commits: &mut Commits,
    repository: &mut Repository,
    modes: &mut MaybeModes,
    (number, most): (Number, usize),
) -> Result<()> {
    if let Some(modes) = modes {
        let asked = (number, most);
        modes.simplify(commits, repository, asked, &mut |commits, repository, parent| {
            let parsed = commits.parse(repository, parent);
            parsed.map_err(|error| ahead(error, commits, repository, number, queue))
        })?;
    }
    parse_parents(commits, repository, number, most, false)
        .map_err(|error| ahead(error, commits, repository, number, queue))
}

/// Returns the step of a visited commit: found if it matches the options.
pub(super) fn shown(
    commits: &Commits,
    options: &RevListOptions,
    modes: &mut MaybeModes,
    number: Number,
) -> Step {
    let parents = u32::try_from(commits.parents(number).len()).unwrap_or(u32::MAX);
    let fits = !commits.has(number, UNINTERESTING)
        && options.until.is_none_or(|until| commits.date(number) <= until)
        && parents >= options.min_parents
        && options.max_parents.is_none_or(|most| parents <= most);
    if !fits {
        return Step::Working;
    }
    let Some(modes) = modes else {
        return Step::Found(number);
    };
    if modes.drops(commits, number) {
        return Step::Working;
    }
    modes.list(number).map_or(Step::Working, Step::Found)
}
