//! Looks for rewrites, renames and copies among all changes, step by step.

use super::basenames::unique_basenames;
use super::candidates::{offer, take_best, Candidate, Row};
use super::change::{TreeChange, MAX_SCORE};
use super::exact::find_exact;
use super::notice::RenameNotice;
use super::pairs::{Pair, Pairs};
use super::rewrites::split_score;
use super::similarity::Similarity;
use super::{RenameKind, RenameOptions};
use crate::repository::Repository;
use packlens_base::error::{Error, ErrorKind, Result};
use packlens_base::hash::object_id;
use packlens_format::object::ObjectType;
use std::collections::VecDeque;

/// The listed changes may take one part in this many of the memory ceiling.
const LIST_SHARE: u64 = 4;

/// The changes while renames are looked for, and then those that result.
pub(crate) struct Renames {
    options: RenameOptions,
    /// The only new file whose origin is looked for.
    only: Option<Vec<u8>>,
    pairs: Pairs,
    similarity: Similarity,
    step: Step,
    listed: u64,
    notice: Option<RenameNotice>,
    changes: VecDeque<TreeChange>,
}

/// What is done next. The positions are those of a retry.
enum Step {
    /// Splits rewritten files.
    Split { next: usize },
    /// Compares files whose names are unique.
    Basenames { unique: Vec<(usize, usize)>, next: usize },
    /// Compares all sources that are left with all targets that are left.
    Compare(Comparison),
    /// The changes are complete.
    Done,
}

/// The comparison of sources and targets, one pair at a time.
struct Comparison {
    sources: Vec<usize>,
    targets: Vec<usize>,
    /// The next target and source.
    at: [usize; 2],
    row: Row,
    found: Vec<Candidate>,
}

impl Renames {
    pub(crate) fn new(options: RenameOptions, only: Option<Vec<u8>>) -> Renames {
        Renames {
            options,
            only,
            pairs: Pairs::default(),
            similarity: Similarity::default(),
            step: Step::Split { next: 0 },
            listed: 0,
            notice: None,
            changes: VecDeque::new(),
        }
    }

    /// Adds a change of the trees.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Limit`] for more changes than fit in a part of `memory`.
    pub(crate) fn add(&mut self, change: TreeChange, memory: u64) -> Result<()> {
        self.listed = self.listed.saturating_add(change.memory());
        if self.listed > memory / LIST_SHARE {
            let what = "too many changes to look for renames: set a larger memory limit";
            return Err(Error::new(ErrorKind::Limit, what).about(change.path));
        }
        self.pairs.list.push(Pair { change, split: None });
        Ok(())
    }

    /// Returns the next change that results; `None` after the last.
    ///
    /// # Errors
    ///
    /// Missing files and bytes: provide them and call again. The errors of reading.
    pub(crate) fn next(&mut self, repository: &mut Repository) -> Result<Option<TreeChange>> {
        while !matches!(self.step, Step::Done) {
            self.advance(repository)?;
        }
        Ok(self.changes.pop_front())
    }

    pub(crate) fn take_notice(&mut self) -> Option<RenameNotice> {
        self.notice.take()
    }

    pub(crate) fn memory(&self) -> u64 {
        let changes = self.changes.iter().map(TreeChange::memory).fold(0, u64::saturating_add);
        let pairs = self.pairs.memory().saturating_add(self.similarity.memory());
        pairs.saturating_add(changes)
    }

    // `next` is called for every change, and this until renames are found.
    #[inline(never)]
    fn advance(&mut self, repository: &mut Repository) -> Result<()> {
        match &mut self.step {
            Step::Split { next } => {
                if let Some(scores) = self.options.rewrites {
                    while let Some(pair) = self.pairs.list.get_mut(*next) {
                        repository.files.step()?;
                        if let [Some(old), Some(new)] = pair.change.sides {
                            pair.split = split_score([old, new], scores, repository)?;
                        }
                        *next = next.saturating_add(1);
                    }
                    self.split();
                }
                let empty = object_id(repository.hash(), ObjectType::Blob, b"");
                self.pairs.register(&self.options, empty.as_bytes(), self.only.as_deref());
                self.begin();
            }
            Step::Basenames { unique, next } => {
                let least = self.options.score;
                let least = least.saturating_add(MAX_SCORE.saturating_sub(least) / 2);
                while let Some((source, target)) = unique.get(*next).copied() {
                    repository.files.step()?;
                    let score = score_of(
                        &self.pairs,
                        &mut self.similarity,
                        (source, target),
                        least,
                        repository,
                    )?;
                    if score >= least {
                        self.pairs.record(target, source, score);
                    }
                    *next = next.saturating_add(1);
                }
                self.begin_comparison();
            }
            Step::Compare(comparison) => {
                let least = self.options.score;
                comparison.run(&self.pairs, &mut self.similarity, least, repository)?;
                let found = std::mem::take(&mut comparison.found);
                take_best(&mut self.pairs, found, least, self.options.kind);
                self.finish();
            }
            Step::Done => {}
        }
        Ok(())
    }

    /// Makes two pairs of each file that is split.
    fn split(&mut self) {
        let list = std::mem::take(&mut self.pairs.list);
        for pair in list {
            if pair.split.is_none() {
                self.pairs.list.push(pair);
                continue;
            }
            let Pair { change: TreeChange { sides: [old, new], path, .. }, split } = pair;
            for sides in [[old, None], [None, new]] {
                let change = TreeChange { sides, path: path.clone(), origin: None };
                self.pairs.list.push(Pair { change, split });
            }
        }
    }

    /// Finds exact renames, and prepares the comparison of the other files.
    fn begin(&mut self) {
        let RenameOptions { kind, score, .. } = self.options;
        if kind == RenameKind::Nothing || self.pairs.sources.is_empty() {
            return self.finish();
        }
        find_exact(&mut self.pairs, kind);
        if score >= MAX_SCORE {
            return self.finish();
        }
        if kind.is_copies() || self.is_split() {
            return self.begin_comparison();
        }
        self.step = Step::Basenames { unique: unique_basenames(&self.pairs), next: 0 };
    }

    fn is_split(&self) -> bool {
        self.pairs.list.iter().any(|pair| pair.split.is_some())
    }

    fn begin_comparison(&mut self) {
        let keeps_used = self.options.kind.is_copies() || self.is_split();
        let sources = self.pairs.sources.iter().enumerate();
        let mut sources: Vec<usize> = sources
            .filter(|(_, source)| keeps_used || source.uses == 0)
            .map(|(at, _)| at)
            .collect();
        let targets = self.pairs.targets.iter().enumerate();
        let targets: Vec<usize> =
            targets.filter(|(_, target)| target.found.is_none()).map(|(at, _)| at).collect();
        if sources.is_empty() || targets.is_empty() {
            return self.finish();
        }
        if self.is_too_much(sources.len(), targets.len()) {
            let needed = sources.len().max(targets.len()) as u32;
            let is_changed = |at: &usize| {
                let pair = self.pairs.sources.get(*at).map(|source| source.pair);
                let pair = pair.and_then(|pair| self.pairs.list.get(pair));
                pair.is_some_and(|pair| !pair.is_unchanged())
            };
            sources.retain(is_changed);
            let is_partial = self.options.kind == RenameKind::CopiesOfAny
                && !self.is_too_much(sources.len(), targets.len());
            self.notice = Some(RenameNotice { needed, is_partial });
            if !is_partial {
                return self.finish();
            }
        }
        let (row, found) = (Row::default(), Vec::new());
        self.step = Step::Compare(Comparison { sources, targets, at: [0; 2], row, found });
    }

    fn is_too_much(&self, sources: usize, targets: usize) -> bool {
        let limit = u64::from(self.options.limit);
        let pairs = (sources as u64).saturating_mul(targets as u64);
        limit > 0 && pairs > limit.saturating_mul(limit)
    }

    fn finish(&mut self) {
        self.changes = std::mem::take(&mut self.pairs).into_changes().into();
        self.similarity = Similarity::default();
        self.step = Step::Done;
    }
}

impl Comparison {
    /// Compares until all are compared.
    fn run(
        &mut self,
        pairs: &Pairs,
        similarity: &mut Similarity,
        least: u32,
        repository: &mut Repository,
    ) -> Result<()> {
        while let Some(target) = self.targets.get(self.at[0]).copied() {
            while let Some(source) = self.sources.get(self.at[1]).copied() {
                repository.files.step()?;
                let score = score_of(pairs, similarity, (source, target), least, repository);
                let score = score.map_err(|error| self.ahead(error, pairs, repository))?;
                let same_basename = same_basename(pairs, source, target);
                offer(&mut self.row, Candidate { target, source, score, same_basename });
                self.at[1] = self.at[1].saturating_add(1);
            }
            self.found.extend(std::mem::take(&mut self.row).into_iter().flatten());
            self.at = [self.at[0].saturating_add(1), 0];
        }
        Ok(())
    }

    /// Adds the needs of the files that are compared next.
    fn ahead(&self, error: Error, pairs: &Pairs, repository: &mut Repository) -> Error {
        let sources = self.sources.iter().skip(self.at[1]).copied();
        let sources = sources.filter_map(|at| pairs.sources.get(at).map(|source| source.entry));
        let targets = self.targets.iter().skip(self.at[0]).copied();
        let targets = targets.filter_map(|at| pairs.targets.get(at).map(|target| target.entry));
        let entries =
            sources.chain(targets).filter(|(mode, _)| mode.object_type() == ObjectType::Blob);
        let ids: Vec<_> = entries.map(|(_, id)| id).collect();
        repository.looking_ahead(error, None, |at| ids.get(at as usize).copied())
    }
}

fn same_basename(pairs: &Pairs, source: usize, target: usize) -> bool {
    match (pairs.sources.get(source), pairs.targets.get(target)) {
        (Some(source), Some(target)) => pairs.same_basename(source, target),
        _ => false,
    }
}

fn score_of(
    pairs: &Pairs,
    similarity: &mut Similarity,
    (source, target): (usize, usize),
    least: u32,
    repository: &mut Repository,
) -> Result<u32> {
    match (pairs.sources.get(source), pairs.targets.get(target)) {
        (Some(from), Some(to)) => {
            similarity.score((source, from.entry), (target, to.entry), least, repository)
        }
        _ => Ok(0),
    }
}
