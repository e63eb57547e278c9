//! Going through the records of one section of a table.
//!
//! An index only makes it faster: what a look-up finds is what going through all
//! records finds, or there is an error. A key that is found is there. Before one
//! is said to be nowhere, the block where it would be is checked as a whole, and if
//! it would come first there, the end of the block before as well.

use super::block::{Block, BlockKind, Place};
use super::layout::Section;
use super::record::Value;
use super::table::Reftable;
use crate::block::BlockSource;
use crate::error::Result;
use crate::inflate::Inflater;

/// A place among the records of one kind in a table.
pub(super) struct Cursor<'t, S> {
    table: &'t Reftable<S>,
    section: Option<Section>,
    block: Option<Block<'t>>,
    place: Place,
    /// The record at `place` was not handed out yet.
    held: bool,
    /// There is no record behind this place.
    ended: bool,
    inflater: Option<Inflater>,
}

impl<'t, S: BlockSource> Cursor<'t, S> {
    /// Starts before the first record.
    pub(super) fn new(table: &'t Reftable<S>, kind: BlockKind) -> Cursor<'t, S> {
        let section = table.layout().section(kind);
        Cursor {
            table,
            section,
            block: None,
            place: Place::default(),
            held: false,
            ended: section.is_none(),
            inflater: None,
        }
    }

    /// Returns the key of the record.
    pub(super) fn key(&self) -> &[u8] {
        &self.place.key
    }

    /// Returns the value of the record, `None` if this is at none.
    pub(super) fn value(&self) -> Option<&Value> {
        self.place.value.as_ref()
    }

    /// Returns bytes of the value.
    pub(super) fn bytes(&self, range: &std::ops::Range<usize>) -> &[u8] {
        self.block.as_ref().map_or(&[], |block| block.bytes(range))
    }

    /// Moves on to the next record; `false` behind the last.
    ///
    /// # Errors
    ///
    /// Missing bytes: seek again. [`Corrupt`](crate::ErrorKind::Corrupt) for a
    /// damaged block, records that are out of order, and blocks that end before
    /// their section does.
    pub(super) fn step(&mut self) -> Result<bool> {
        if std::mem::take(&mut self.held) {
            return Ok(true);
        }
        let Some(section) = self.section.filter(|_| !self.ended) else {
            return Ok(false);
        };
        loop {
            let next = match &self.block {
                Some(block) if block.step(&mut self.place)? => return Ok(true),
                Some(block) => block.next,
                None => {
                    self.place.key.clear();
                    section.start
                }
            };
            if !self.enter(&section, next)? {
                self.ended = true;
                return Ok(false);
            }
        }
    }

    /// Goes to the first record whose key is `key` or behind it: that is what
    /// [`Cursor::step`] moves to. Tells whether it is the very key.
    ///
    /// # Errors
    ///
    /// As [`Cursor::step`].
    pub(super) fn seek(&mut self, key: &[u8]) -> Result<bool> {
        (self.block, self.held, self.ended) = (None, false, true);
        self.place.value = None;
        let Some(section) = self.section else {
            return Ok(false);
        };
        match section.index {
            Some(index) => self.seek_by_index(&section, index, key)?,
            None => self.seek_by_blocks(&section, key)?,
        }
        self.held = self.place.value.is_some();
        self.ended = !self.held;
        Ok(self.held && self.place.key == key)
    }

    /// Goes from block to block until one ends at `key` or behind it.
    fn seek_by_blocks(&mut self, section: &Section, key: &[u8]) -> Result<()> {
        for is_checked in [false, true] {
            let mut at = section.start;
            self.block = None;
            self.place.key.clear();
            while self.enter(section, at)? {
                let Some(block) = &self.block else { break };
                if is_checked {
                    let before = std::mem::take(&mut self.place.key);
                    if block.check(&mut self.place)? <= before {
                        return Err(block.corrupt("keys of a reftable that are out of order"));
                    }
                }
                at = block.next;
                if !is_checked || self.place.key.as_slice() >= key {
                    let (found, _) = block.seek(&mut self.place, key)?;
                    match found && (is_checked || self.place.key == key) {
                        true => return Ok(()),
                        false if found => break,
                        false => {}
                    }
                }
            }
        }
        self.place.value = None;
        Ok(())
    }

    fn seek_by_index(&mut self, section: &Section, index: u64, key: &[u8]) -> Result<()> {
        let (leaf, before) = self.descend(section, index, key)?;
        let Some(block) = leaf else {
            self.place.value = None;
            return self.check_gap(section, before, None, key);
        };
        let (found, _) = block.seek(&mut self.place, key)?;
        if !found || self.place.key != key {
            let first = block.check(&mut self.place)?;
            if self.place.key.as_slice() < key {
                return Err(block.corrupt("a block that ends before its index says"));
            }
            if first.as_slice() > key {
                self.check_gap(section, before, Some(block.position), key)?;
            }
            block.seek(&mut self.place, key)?;
        }
        self.block = Some(block);
        Ok(())
    }

    /// Goes down the index to the block where `key` is, if it is anywhere; `None`
    /// if it comes behind all blocks. Returns with it the block, maybe of the index,
    /// whose records come before.
    fn descend(
        &mut self,
        section: &Section,
        index: u64,
        key: &[u8],
    ) -> Result<(Option<Block<'t>>, Option<u64>)> {
        let mut before = None;
        let mut block = self.read(index)?;
        let mut place = Place::default();
        let mut is_root = true;
        while block.kind == BlockKind::Index {
            let (found, last) = block.seek(&mut place, key)?;
            before = last.or(before);
            if found {
                is_root = false;
                block = self.below(section, &block, &place)?;
            } else if !is_root {
                return Err(block.corrupt("an index that ends before the one above says"));
            } else if block.next < section.end {
                // The root may have several blocks.
                block = self.read(block.next)?;
            } else {
                return Ok((None, before));
            }
        }
        if block.kind != section.kind || is_root {
            return Err(block.corrupt("an index that leads to other records"));
        }
        Ok((Some(block), before))
    }

    /// Reads the block that an index record tells of. It lies before its index, so
    /// there is an end to it.
    fn below(&mut self, section: &Section, block: &Block<'t>, place: &Place) -> Result<Block<'t>> {
        let position = place.block().filter(|at| (section.start..block.position).contains(at));
        match position {
            Some(position) => self.read(position),
            None => Err(block.corrupt("an index that leads out of its section")),
        }
    }

    /// Makes sure that `key` comes behind all records up to `next`, the block that
    /// follows; `before` is the block before, or the index of it.
    fn check_gap(
        &mut self,
        section: &Section,
        before: Option<u64>,
        next: Option<u64>,
        key: &[u8],
    ) -> Result<()> {
        let wrong = || self.table.source.corrupt("an index that leaves out a block", section.end);
        let Some(before) = before else {
            return if next == Some(section.start) { Ok(()) } else { Err(wrong()) };
        };
        let block = self.read(before)?;
        let mut place = Place::default();
        let last = self.last_below(section, block, &mut place)?;
        last.check(&mut place)?;
        let follows = match next {
            Some(next) => last.next == next,
            None => self.ends_behind(section, &last)?,
        };
        if !follows || place.key.as_slice() >= key {
            return Err(wrong());
        }
        Ok(())
    }

    /// Goes down the index to the last block below `block`.
    fn last_below(
        &mut self,
        section: &Section,
        mut block: Block<'t>,
        place: &mut Place,
    ) -> Result<Block<'t>> {
        while block.kind == BlockKind::Index {
            block.seek_last(place)?;
            block = self.below(section, &block, place)?;
        }
        match block.kind == section.kind {
            true => Ok(block),
            false => Err(block.corrupt("an index that leads to other records")),
        }
    }

    /// Goes to the block at `position`; `false` if that is where the blocks end. The
    /// block before, if there is one, is the one this cursor is at.
    fn enter(&mut self, section: &Section, position: u64) -> Result<bool> {
        if position < section.index.unwrap_or(section.end) {
            let block = self.read(position)?;
            if block.kind == section.kind {
                block.begin(&mut self.place);
                self.block = Some(block);
                return Ok(true);
            }
            if block.kind != BlockKind::Index || section.index.is_none() {
                return Err(block.corrupt("a block of another kind than its section"));
            }
        }
        // The index tells whether this was the last block, or one was left out.
        let position = self.block.as_ref().map(|last| last.position);
        match section.index {
            Some(index) if Some(self.last_block(section, index)?.position) != position => {
                Err(self.table.source.corrupt("an index that leaves out a block", index))
            }
            _ => Ok(false),
        }
    }

    /// Tells whether the blocks of a section end behind `last`.
    fn ends_behind(&mut self, section: &Section, last: &Block<'t>) -> Result<bool> {
        match last.next >= section.index.unwrap_or(section.end) {
            true => Ok(true),
            false => Ok(self.read(last.next)?.kind == BlockKind::Index),
        }
    }

    /// Returns the last block, as the index has it.
    fn last_block(&mut self, section: &Section, index: u64) -> Result<Block<'t>> {
        let mut root = self.read(index)?;
        while root.kind == BlockKind::Index && root.next < section.end {
            root = self.read(root.next)?;
        }
        self.last_below(section, root, &mut Place::default())
    }

    fn read(&mut self, position: u64) -> Result<Block<'t>> {
        let Reftable { source, limits, .. } = self.table;
        Block::read(source, self.table.layout(), position, &mut self.inflater, limits)
    }
}
