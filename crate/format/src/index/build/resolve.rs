//! Resolves the deltas of a pack, bases first.

use super::contents::Content;
use super::hashing::Unhashed;
use super::rows::NONE;
use super::Build;
use crate::pack::{apply, Delta, Entry};
use packlens_base::block::{over_ceiling, BlockSource};
use packlens_base::error::{Error, Result};
use packlens_base::inflate::Inflater;
use packlens_base::limits::Limits;
use packlens_base::oid::ObjectId;

/// An entry with deltas on it that are not resolved yet.
pub(super) struct Base {
    entry: u32,
    /// The content of the entry, unless it was evicted.
    content: Option<Content>,
    /// The next delta on it.
    next: u32,
}

impl Build {
    /// Resolves the next delta.
    ///
    /// # Errors
    ///
    /// [`Build::unresolved`] if there is nothing left to resolve.
    pub(super) fn resolve_next<S: BlockSource>(
        &mut self,
        pack: &S,
        inflater: &mut Inflater,
        limits: &Limits,
    ) -> Result<()> {
        // While its delta is applied, the base is not in the list: `make_room` may evict the
        // content of every base there.
        let Some(mut base) = self.bases.pop() else {
            return match (self.roots.is_empty(), self.hashing.keys().is_empty()) {
                (false, _) => {
                    self.next_root();
                    Ok(())
                }
                (true, false) => self.hash_all(pack),
                (true, true) => Err(self.unresolved(pack)),
            };
        };
        let made = self.make_child(&mut base, pack, inflater, limits);
        match base.next {
            NONE => base.content.into_iter().for_each(|content| self.contents.release(content)),
            _ => self.bases.push(base),
        }
        if let Some(child) = made? {
            self.push_base(child.entry, Some(child.content));
            self.await_hash(child);
            self.hash_if_full(pack)?;
        }
        Ok(())
    }

    /// Makes the object of the next delta on a base. If bytes are missing, at most the content
    /// of the base has changed.
    fn make_child<S: BlockSource>(
        &mut self,
        base: &mut Base,
        pack: &S,
        inflater: &mut Inflater,
        limits: &Limits,
    ) -> Result<Option<Unhashed>> {
        let content = match base.content {
            Some(content) => content,
            None => self.make_again(base.entry, pack, inflater, limits)?,
        };
        base.content = Some(content);
        let entry = base.next;
        let (content, length) = self.applied(entry, content, pack, inflater, limits)?;
        base.next = self.rows.get(entry).map_or(NONE, |row| row.sibling);
        self.count_work(length as u64);
        let made = self.rows.object_type(base.entry).map(|object_type| {
            self.rows.set_type(entry, object_type);
            Unhashed { entry, object_type, content, length }
        });
        Ok(made)
    }

    /// Adds an entry to the bases, if there are deltas on it.
    pub(super) fn push_base(&mut self, entry: u32, content: Option<Content>) {
        let next = self.rows.take_children(entry);
        if next != NONE {
            content.into_iter().for_each(|content| self.contents.share(content));
            self.bases.push(Base { entry, content, next });
        }
    }

    /// Begins with the next entry that is no delta and has deltas on it.
    fn next_root(&mut self) {
        let end = self.roots.end.min(self.rows.len());
        while self.roots.start < end {
            let root = self.roots.start;
            self.roots.start = root.saturating_add(1);
            let is_delta = self.rows.get(root).is_some_and(|row| row.base != NONE);
            if !is_delta && self.rows.object_type(root).is_some() {
                self.adopt_by_id(root);
                self.push_base(root, None);
            }
            if !self.bases.is_empty() {
                return;
            }
        }
        self.roots.start = self.roots.end;
    }

    /// Links the deltas that name an entry's id to that entry; returns whether there are any.
    pub(super) fn adopt_by_id(&mut self, entry: u32) -> bool {
        if self.by_id.is_empty() {
            return false;
        }
        let Some(id) = ObjectId::from_bytes(self.hash, self.rows.id(entry)) else {
            return false;
        };
        let mut any = false;
        let first = self.by_id.partition_point(|(base, _)| *base < id);
        for (base, child) in self.by_id.get(first..).unwrap_or_default() {
            if *base != id {
                break;
            }
            // A pack may have an object twice; the first copy has these deltas already.
            if self.rows.get(*child).is_some_and(|row| row.base == NONE) {
                self.rows.adopt(entry, *child);
                any = true;
            }
        }
        any
    }

    /// Applies a delta to the content of its base; returns the content and length of the
    /// object.
    fn applied<S: BlockSource>(
        &mut self,
        child: u32,
        base: Content,
        pack: &S,
        inflater: &mut Inflater,
        limits: &Limits,
    ) -> Result<(Content, usize)> {
        let offset = self.rows.get(child).map_or(0, |row| row.offset);
        let entry = Entry::decode(pack, self.hash, offset)?;
        let size = limits.check_size(entry.size)?;
        self.make_room(size.saturating_sub(self.scratch.len()) as u64, pack, limits)?;
        if size > self.scratch.len() {
            self.scratch.try_reserve_exact(size).map_err(|_| over_ceiling())?;
            self.scratch.resize(size, 0);
        }
        let delta = self.scratch.get_mut(..size).unwrap_or_default();
        inflater.inflate(pack, entry.data_offset, delta)?;
        let place = |error: Error| error.at(pack.file(), offset);
        let delta = Delta::decode(self.scratch.get(..size).unwrap_or_default()).map_err(place)?;
        let (base_size, result_size) = (delta.base_size, delta.result_size);
        if base_size != self.contents.get(base).len() as u64 {
            let what = "a delta expects a base of another size";
            return Err(pack.corrupt(what, offset));
        }
        let length = limits.check_size(result_size)?;
        let result = self.take_content(length, pack, limits)?;
        let mut out = self.contents.lend(result);
        let delta = Delta::decode(self.scratch.get(..size).unwrap_or_default()).map_err(place)?;
        let into = out.get_mut(..length).unwrap_or_default();
        let applied = apply(self.contents.get(base), &delta, into).map_err(place);
        self.contents.give_back(result, out);
        if let Err(error) = applied {
            self.contents.release(result);
            return Err(error);
        }
        self.deltas_applied = self.deltas_applied.saturating_add(1);
        Ok((result, length))
    }

    /// Makes the content of an entry whose bases are all known: for the first time, or again
    /// after it was evicted.
    pub(super) fn make_again<S: BlockSource>(
        &mut self,
        entry: u32,
        pack: &S,
        inflater: &mut Inflater,
        limits: &Limits,
    ) -> Result<Content> {
        let mut chain = Vec::new();
        let mut root = entry;
        while let Some(row) = self.rows.get(root).filter(|row| row.base != NONE) {
            chain.push(root);
            root = row.base;
        }
        let mut content = match self.outside_content(root) {
            Some(content) => content,
            None => self.inflated(root, pack, inflater, limits)?,
        };
        for entry in chain.into_iter().rev() {
            let made = self.applied(entry, content, pack, inflater, limits);
            self.contents.release(content);
            let (next, length) = made?;
            self.count_work(length as u64);
            content = next;
        }
        Ok(content)
    }

    /// Inflates an entry that is no delta.
    fn inflated<S: BlockSource>(
        &mut self,
        entry: u32,
        pack: &S,
        inflater: &mut Inflater,
        limits: &Limits,
    ) -> Result<Content> {
        let offset = self.rows.get(entry).map_or(0, |row| row.offset);
        let head = Entry::decode(pack, self.hash, offset)?;
        let content = self.take_content(limits.check_size(head.size)?, pack, limits)?;
        let out = self.contents.get_mut(content);
        let inflated = inflater.inflate(pack, head.data_offset, out);
        inflated.inspect_err(|_| self.contents.release(content))?;
        self.count_work(head.size);
        Ok(content)
    }

    /// Takes a buffer. Contents that can be made again are evicted for it if needed.
    pub(super) fn take_content<S: BlockSource>(
        &mut self,
        length: usize,
        pack: &S,
        limits: &Limits,
    ) -> Result<Content> {
        self.make_room(length as u64, pack, limits)?;
        self.contents.take(length)
    }

    /// Makes room for `more` bytes of content. Contents of bases are evicted, in the order that
    /// begins with the base that is needed last.
    fn make_room<S: BlockSource>(&mut self, more: u64, pack: &S, limits: &Limits) -> Result<()> {
        // Half of the memory is left to cached ranges of files; an eighth if a single object
        // needs more.
        let fixed = self.memory().saturating_sub(self.contents.held()).saturating_add(more);
        let most = (limits.memory / 2).saturating_sub(fixed);
        if self.contents.held() <= most {
            return Ok(());
        }
        self.contents.shrink_to(most);
        if self.contents.held() > most && !self.hashing.keys().is_empty() {
            self.hash_all(pack)?;
            self.contents.shrink_to(most);
        }
        for at in 0..self.bases.len() {
            if self.contents.held() <= most {
                return Ok(());
            }
            if let Some(content) = self.bases.get_mut(at).and_then(|base| base.content.take()) {
                self.contents.release(content);
                self.contents.shrink_to(most);
            }
        }
        let ceiling = (limits.memory / 8).saturating_mul(7).saturating_sub(fixed);
        match self.contents.held() <= ceiling {
            true => Ok(()),
            false => Err(over_ceiling()),
        }
    }

    /// Returns the error for deltas whose bases are missing.
    pub fn unresolved<S: BlockSource>(&self, pack: &S) -> Error {
        let unknown = (0..self.rows.len()).find(|at| self.rows.object_type(*at).is_none());
        let row = unknown.and_then(|at| self.rows.get(at));
        let offset = row.map_or(0, |row| row.offset);
        pack.corrupt("the base of a delta is not in the pack", offset)
    }
}

/// Returns the error for content that takes part in a collision attack, in git's words.
pub(super) fn colliding_at<S: BlockSource>(pack: &S, offset: u64) -> Error {
    pack.corrupt("SHA-1 appears to be part of a collision attack", offset)
}
