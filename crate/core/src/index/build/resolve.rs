//! Resolving the deltas of a pack, bases first.

use super::{Build, Scanned, Waiting};
use crate::block::BlockSource;
use crate::error::{Error, Result};
use crate::hash::object_id;
use crate::inflate::Inflater;
use crate::limits::Limits;
use crate::oid::ObjectId;
use crate::pack::{apply, Delta, EntryKind};
use std::collections::BTreeMap;

/// The entries that build on another one, by what they call it.
pub(super) struct Bases {
    by_offset: BTreeMap<u64, Vec<usize>>,
    by_id: BTreeMap<ObjectId, Vec<usize>>,
}

impl Build {
    pub(super) fn bases(&self) -> Bases {
        let mut bases = Bases { by_offset: BTreeMap::new(), by_id: BTreeMap::new() };
        for (at, entry) in self.entries.iter().enumerate() {
            match entry.kind {
                EntryKind::OfsDelta { base_offset } => {
                    bases.by_offset.entry(base_offset).or_default().push(at);
                }
                EntryKind::RefDelta { base } => bases.by_id.entry(base).or_default().push(at),
                EntryKind::Whole(_) => {}
            }
        }
        bases
    }

    pub(super) fn resolve_next<S: BlockSource>(
        &mut self,
        mut next: Waiting,
        pack: &S,
        inflater: &mut Inflater,
        limits: &Limits,
    ) -> Result<()> {
        let kept = next.content.as_ref().map_or(0, |content| content.len() as u64);
        self.kept = self.kept.saturating_sub(kept);
        self.resolve_on(&mut next, pack, inflater, limits).inspect_err(|error| {
            if error.is_missing() {
                self.keep(next, u64::MAX);
            }
        })
    }

    /// Puts an entry among those that wait, without its content if there is
    /// more than `most` bytes of that already.
    fn keep(&mut self, mut waiting: Waiting, most: u64) {
        let size = waiting.content.as_ref().map_or(0, |content| content.len() as u64);
        match self.kept.saturating_add(size) {
            kept if kept <= most => self.kept = kept,
            _ => waiting.content = None,
        }
        self.waiting.push(waiting);
    }

    /// Resolves the deltas that build directly on an entry, whose id is known.
    fn resolve_on<S: BlockSource>(
        &mut self,
        next: &mut Waiting,
        pack: &S,
        inflater: &mut Inflater,
        limits: &Limits,
    ) -> Result<()> {
        let base = next.entry;
        let children = self.children(base);
        let known = self.entries.get(base).and_then(|base| base.id);
        let Some((_, object_type)) = known.filter(|_| !children.is_empty()) else {
            return Ok(());
        };
        if next.content.is_none() {
            next.content = Some(self.content(base, pack, inflater, limits)?);
        }
        let content = next.content.as_deref().unwrap_or_default();
        for child in children {
            let Some(entry) = self.entries.get(child) else {
                continue;
            };
            let result = apply_entry(pack, entry, content, inflater, limits)?;
            let id = object_id(self.hash, object_type, &result);
            if let Some(entry) = self.entries.get_mut(child) {
                (entry.id, entry.base) = (Some((id, object_type)), Some(base));
            }
            self.resolved = self.resolved.saturating_add(1);
            if !self.children(child).is_empty() {
                let waiting = Waiting { entry: child, content: Some(result) };
                self.keep(waiting, limits.base_cache);
            }
        }
        Ok(())
    }

    /// Returns the entries that build on `base` and have no id yet.
    fn children(&self, base: usize) -> Vec<usize> {
        let Some((bases, entry)) = self.deltas_by_base.as_ref().zip(self.entries.get(base)) else {
            return Vec::new();
        };
        let by_offset = bases.by_offset.get(&entry.offset).into_iter().flatten();
        let by_id = entry.id.and_then(|(id, _)| bases.by_id.get(&id)).into_iter().flatten();
        let unresolved =
            |at: &&usize| self.entries.get(**at).is_some_and(|entry| entry.id.is_none());
        by_offset.chain(by_id).filter(unresolved).copied().collect()
    }

    /// Makes the content of an entry whose bases are all resolved.
    fn content<S: BlockSource>(
        &self,
        at: usize,
        pack: &S,
        inflater: &mut Inflater,
        limits: &Limits,
    ) -> Result<Vec<u8>> {
        let mut chain = Vec::new();
        let mut next = Some(at);
        while let Some(entry) = next.and_then(|at| self.entries.get(at)) {
            chain.push(entry);
            next = entry.base;
        }
        let mut content = Vec::new();
        for entry in chain.into_iter().rev() {
            content = match entry.kind {
                EntryKind::Whole(_) => inflate_entry(pack, entry, inflater, limits)?,
                _ => apply_entry(pack, entry, &content, inflater, limits)?,
            };
        }
        Ok(content)
    }

    /// Returns the error for deltas whose bases are nowhere.
    pub(super) fn unresolved<S: BlockSource>(&self, pack: &S) -> Error {
        let first = self.entries.iter().find(|entry| entry.id.is_none());
        let offset = first.map_or(0, |entry| entry.offset);
        pack.corrupt("a delta whose base is not in the pack", offset)
    }
}

fn inflate_entry<S: BlockSource>(
    pack: &S,
    entry: &Scanned,
    inflater: &mut Inflater,
    limits: &Limits,
) -> Result<Vec<u8>> {
    let mut bytes = limits.buffer(entry.size)?;
    inflater.inflate(pack, entry.data_offset, &mut bytes)?;
    Ok(bytes)
}

fn apply_entry<S: BlockSource>(
    pack: &S,
    entry: &Scanned,
    base: &[u8],
    inflater: &mut Inflater,
    limits: &Limits,
) -> Result<Vec<u8>> {
    let bytes = inflate_entry(pack, entry, inflater, limits)?;
    let place = |error: Error| error.at(pack.file(), entry.offset);
    let delta = Delta::decode(&bytes).map_err(place)?;
    let mut out = limits.buffer(delta.result_size)?;
    apply(base, &delta, &mut out).map_err(place)?;
    Ok(out)
}
