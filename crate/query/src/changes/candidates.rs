//! The best sources of each target, and which of them are taken.

use super::pairs::Pairs;
use super::RenameKind;
use packlens_base::sort;

/// How many sources are kept for a target.
const MOST_SOURCES: usize = 4;

/// A source that a target may come from.
#[derive(Clone, Copy)]
pub(super) struct Candidate {
    pub(super) target: usize,
    pub(super) source: usize,
    pub(super) score: u32,
    pub(super) same_basename: bool,
}

/// The candidates of one target.
pub(super) type Row = [Option<Candidate>; MOST_SOURCES];

/// Puts a candidate in the place of the first of the worst ones, if it is better.
pub(super) fn offer(row: &mut Row, candidate: Candidate) {
    let mut worst: Option<&mut Option<Candidate>> = None;
    for place in row {
        if worst.as_deref().is_none_or(|worst| rank(place) < rank(worst)) {
            worst = Some(place);
        }
    }
    let candidate = Some(candidate);
    if let Some(worst) = worst.filter(|worst| rank(worst) < rank(&candidate)) {
        *worst = candidate;
    }
}

/// Takes the best candidates: first sources that are not used, then any if copies are wanted.
pub(super) fn take_best(
    pairs: &mut Pairs,
    mut candidates: Vec<Candidate>,
    least: u32,
    kind: RenameKind,
) {
    sort::by(&mut candidates, |one, other| rank(&Some(*other)).cmp(&rank(&Some(*one))));
    let rounds = if kind.is_copies() { 2 } else { 1 };
    for round in 0..rounds {
        for candidate in candidates.iter().take_while(|candidate| candidate.score >= least) {
            let Candidate { target, source, score, .. } = *candidate;
            let is_found = pairs.targets.get(target).is_none_or(|target| target.found.is_some());
            let is_used = pairs.sources.get(source).is_none_or(|source| source.uses > 0);
            let is_free = round > 0 || !is_used;
            if !is_found && is_free {
                pairs.record(target, source, score);
            }
        }
    }
}

/// Returns what is larger for a better candidate: its score, then whether it has the name; an
/// empty place is worse than any.
fn rank(place: &Option<Candidate>) -> Option<(u32, bool)> {
    place.map(|candidate| (candidate.score, candidate.same_basename))
}
