//! Builds the indexes that packs lack.

use super::{Index, Pack, PackNumber, Packs};
use packlens_base::block::{FileId, Files};
use packlens_base::error::Result;
use packlens_base::inflate::Inflater;
use packlens_base::limits::Limits;
use packlens_base::module::{require_full, FullOnly};
use packlens_format::index::{Build, PackIndex, Progress, Thin};

/// An unfinished index that was taken out: its pack, the pack's file, and the index.
pub(in crate::odb) type LentIndex = (PackNumber, FileId, FullOnly<Box<Build>>);

impl Packs {
    /// Builds missing indexes, one step per call; `None` once all are built except those of
    /// thin packs that lack bases.
    pub(in crate::odb) fn build(
        &mut self,
        files: &mut Files,
        inflater: &mut Inflater,
        limits: &Limits,
    ) -> Result<Option<Progress>> {
        while let Some(pack) = self.list.get(self.indexed) {
            files.step()?;
            let number = self.indexed;
            let has_index = match pack {
                // A listing may be out of date: it may show an index that was deleted, or lack
                // a new one. In a set the listing counts as well.
                Pack { index: Index::NotOpen, in_set, has_index, stem, .. } => {
                    *in_set && *has_index || files.find(&[stem, &b".idx"[..]].concat())?.is_some()
                }
                Pack { index: Index::Building(_), .. } => false,
                _ => true,
            };
            if !has_index {
                self.memory.set(None);
                if let Some(progress) = self.build_one(number, files, inflater, limits)? {
                    return Ok(Some(progress));
                }
            }
            self.indexed = self.indexed.saturating_add(1);
        }
        Ok(None)
    }

    /// Continues building the index of a pack, unless that needs bases or the pack was
    /// deleted.
    #[inline(never)]
    fn build_one(
        &mut self,
        number: usize,
        files: &mut Files,
        inflater: &mut Inflater,
        limits: &Limits,
    ) -> Result<Option<Progress>> {
        let hash = self.hash;
        let Some(pack) = self.list.get_mut(number) else {
            return Ok(None);
        };
        let Some(file) = files.find(&[&pack.stem, &b".pack"[..]].concat())? else {
            return Ok(None);
        };
        if let Index::NotOpen = pack.index {
            require_full()?;
            let build = Build::new(&files.source(file), hash)?.with_thin(Thin::Borrow);
            pack.index = Index::Building(FullOnly::new(|| Box::new(build))?);
        }
        let Index::Building(build) = &mut pack.index else {
            return Ok(None);
        };
        if build.is_stuck() {
            return Ok(None);
        }
        let progress = build.step(&files.source(file), inflater, limits)?;
        if progress.is_complete() {
            if let Index::Building(build) = std::mem::replace(&mut pack.index, Index::NotOpen) {
                let bytes = build.into_inner().finish()?.index()?;
                let layout = PackIndex::decode(&bytes.as_slice(), hash)?;
                pack.index = Index::Built(bytes, layout);
                self.has_more = true;
            }
        }
        Ok(Some(progress))
    }

    /// Takes out the unfinished index of a thin pack: the first one with a base that was not
    /// tried yet, or else the first one. After another index was built, all bases are tried
    /// once more.
    pub(in crate::odb) fn lend_stuck(
        &mut self,
        files: &Files,
        limits: &Limits,
    ) -> Result<Option<LentIndex>> {
        let retries = std::mem::take(&mut self.has_more);
        let (mut first, mut chosen) = (None, None);
        for (number, pack) in self.list.iter_mut().enumerate() {
            let Index::Building(build) = &mut pack.index else { continue };
            first.get_or_insert(number);
            if retries {
                build.retry_bases();
            }
            if chosen.is_none() && build.needed_base(limits)?.is_some() {
                chosen = Some(number);
            }
        }
        let Some(pack) = chosen.or(first).and_then(|number| self.list.get_mut(number)) else {
            self.has_all_indexes = true;
            return Ok(None);
        };
        let file = files.find(&[&pack.stem, &b".pack"[..]].concat())?.unwrap_or(FileId::NONE);
        let number = PackNumber(chosen.or(first).unwrap_or_default());
        self.memory.set(None);
        match std::mem::replace(&mut pack.index, Index::Lent) {
            Index::Building(build) => Ok(Some((number, file, build))),
            other => {
                pack.index = other;
                Ok(None)
            }
        }
    }

    /// Puts back an index that [`Packs::lend_stuck`] took out.
    pub(in crate::odb) fn take_back(&mut self, number: PackNumber, build: FullOnly<Box<Build>>) {
        if let Some(pack) = self.list.get_mut(number.0) {
            pack.index = Index::Building(build);
        }
        self.indexed = self.indexed.min(number.0);
        self.memory.set(None);
    }
}
