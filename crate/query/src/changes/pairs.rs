//! The changes while renames are looked for: pairs of an old and a new file.

use super::change::{Entry, Origin, OriginKind, TreeChange};
use super::{RenameKind, RenameOptions};

/// An old and a new file.
pub(super) struct Pair {
    pub(super) change: TreeChange,
    /// One half of a file that was split as rewritten, and how much of it counts as gone.
    pub(super) split: Option<u32>,
}

/// A file that others may come from.
pub(super) struct Source {
    /// The place of its pair.
    pub(super) pair: usize,
    pub(super) entry: Entry,
    /// How many changes it is the old file of, itself included if it stays.
    pub(super) uses: u32,
}

/// A new file.
pub(super) struct Target {
    pub(super) pair: usize,
    pub(super) entry: Entry,
    /// The place of its source, and the score.
    pub(super) found: Option<(usize, u32)>,
}

/// All pairs, and which of them are sources and targets.
#[derive(Default)]
pub(super) struct Pairs {
    pub(super) list: Vec<Pair>,
    pub(super) sources: Vec<Source>,
    pub(super) targets: Vec<Target>,
}

impl Pair {
    pub(super) fn is_unchanged(&self) -> bool {
        let [old, new] =
            self.change.sides.map(|side| side.map(|(mode, id)| (mode.canonical(), id)));
        old == new
    }
}

impl Pairs {
    /// Finds the sources and targets; only one target if `only` is its path.
    pub(super) fn register(
        &mut self,
        options: &RenameOptions,
        empty_blob: &[u8],
        only: Option<&[u8]>,
    ) {
        let Pairs { list, sources, targets } = self;
        let is_empty = |entry: Entry| options.skips_empty && entry.1.as_bytes() == empty_blob;
        for (at, pair) in list.iter().enumerate() {
            match pair.change.sides {
                [None, Some(entry)] if !is_empty(entry) => {
                    if only.is_some_and(|only| only != pair.change.path) {
                        continue;
                    }
                    targets.push(Target { pair: at, entry, found: None });
                }
                [Some(entry), None] if !is_empty(entry) => {
                    // A half that is joined again unless both are used counts as a file that stays.
                    let uses = u32::from(pair.split == Some(0));
                    sources.push(Source { pair: at, entry, uses });
                }
                [Some(entry), Some(_)] if options.kind.is_copies() && !is_empty(entry) => {
                    sources.push(Source { pair: at, entry, uses: 1 });
                }
                _ => {}
            }
        }
    }

    /// Returns the path of a pair.
    pub(super) fn path(&self, pair: usize) -> &[u8] {
        self.list.get(pair).map_or(&[], |pair| &pair.change.path)
    }

    /// Returns whether the paths of a source and a target end in the same name.
    pub(super) fn same_basename(&self, source: &Source, target: &Target) -> bool {
        basename(self.path(source.pair)) == basename(self.path(target.pair))
    }

    /// Records that a target comes from a source.
    pub(super) fn record(&mut self, target: usize, source: usize, score: u32) {
        let (Some(from), Some(to)) = (self.sources.get_mut(source), self.targets.get_mut(target))
        else {
            return;
        };
        from.uses = from.uses.saturating_add(1);
        to.found = Some((source, score));
    }

    /// Returns the changes that result.
    pub(super) fn into_changes(mut self) -> Vec<TreeChange> {
        self.count_joined();
        let mut changes = Vec::new();
        let mut sources = self.sources.iter().peekable();
        let mut targets = self.targets.iter().peekable();
        let mut uses: Vec<u32> = self.sources.iter().map(|source| source.uses).collect();
        let mut joined = None;
        for (at, pair) in self.list.iter().enumerate() {
            let source = sources.next_if(|source| source.pair == at);
            let found = targets.next_if(|target| target.pair == at).and_then(|target| target.found);
            let mut change = pair.change.clone();
            if let Some((source, score)) = found {
                self.connect(&mut change, source, score, &mut uses);
            } else if let Some(score) = pair.split {
                // The old half waits for the new one; it is left out if that is a rename.
                match change.sides {
                    [Some(old), None] => {
                        joined = Some(old);
                        continue;
                    }
                    _ => {
                        change.sides[0] = joined.take();
                        change.origin = rewritten(score);
                    }
                }
            } else if pair.is_unchanged() || is_moved(pair, source) {
                continue;
            }
            changes.push(change);
        }
        changes
    }

    /// Counts a use of each source that was split, and is joined again.
    fn count_joined(&mut self) {
        let mut targets = self.targets.iter().peekable();
        for source in &mut self.sources {
            let new_half = source.pair.saturating_add(1);
            if self.list.get(source.pair).is_none_or(|pair| pair.split.is_none()) {
                continue;
            }
            while targets.next_if(|target| target.pair < new_half).is_some() {}
            let new = targets.next_if(|target| target.pair == new_half);
            if new.is_none_or(|target| target.found.is_none()) {
                source.uses = source.uses.saturating_add(1);
            }
        }
    }

    /// Makes a change of a new file that of a source, too.
    fn connect(&self, change: &mut TreeChange, at: usize, score: u32, uses: &mut [u32]) {
        let (Some(source), Some(uses)) = (self.sources.get(at), uses.get_mut(at)) else {
            return;
        };
        change.sides[0] = Some(source.entry);
        let path = self.path(source.pair);
        if path == change.path {
            // The halves of a file are joined again.
            let split = self.list.get(source.pair).and_then(|pair| pair.split);
            change.origin = split.and_then(rewritten);
            return;
        }
        *uses = uses.saturating_sub(1);
        let kind = if *uses > 0 { OriginKind::Copied } else { OriginKind::Renamed };
        change.origin = Some(Origin { kind, score, path: path.to_vec() });
    }

    pub(super) fn memory(&self) -> u64 {
        let list = self.list.iter().map(|pair| pair.change.memory()).fold(0, u64::saturating_add);
        let sources = self.sources.capacity().saturating_mul(size_of::<Source>());
        let targets = self.targets.capacity().saturating_mul(size_of::<Target>());
        list.saturating_add(sources.saturating_add(targets) as u64)
    }
}

/// Returns whether a pair is that of a deleted file which is the source of a rename.
fn is_moved(pair: &Pair, source: Option<&Source>) -> bool {
    pair.change.sides[1].is_none() && source.is_some_and(|source| source.uses > 0)
}

fn rewritten(score: u32) -> Option<Origin> {
    let kind = OriginKind::Rewritten;
    (score > 0).then(|| Origin { kind, score, path: Vec::new() })
}

/// Returns the last name of a path.
pub(super) fn basename(path: &[u8]) -> &[u8] {
    path.rsplit(|byte| *byte == b'/').next().unwrap_or(path)
}

impl RenameKind {
    /// Returns whether a source may be used that is used already.
    pub(super) fn may_reuse(self, source: &Source) -> bool {
        source.uses == 0 || self.is_copies()
    }
}
