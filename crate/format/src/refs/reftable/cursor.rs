//! A cursor over the records of one section of a table.
//!
//! The index is never trusted: a look-up finds what a walk over all records would find, or
//! fails. A key that is found exists. Before a key is reported as missing, the block where it
//! would be is checked whole; if it would be the first key there, the end of the block before
//! is checked as well.

use super::block::{Block, BlockKind, RecordPosition};
use super::layout::Section;
use super::record::Value;
use super::table::Reftable;
use packlens_base::block::BlockSource;
use packlens_base::error::Result;
use packlens_base::inflate::Inflater;

/// A cursor over the records of one type in a table.
pub(super) struct Cursor<'t, S> {
    table: &'t Reftable<S>,
    section: Option<Section>,
    block: Option<Block<'t>>,
    place: RecordPosition,
    /// Whether the record at `place` was not returned yet.
    held: bool,
    /// Whether there are no more records.
    ended: bool,
    inflater: Option<Inflater>,
}

impl<'t, S: BlockSource> Cursor<'t, S> {
    /// Starts before the first record.
    pub fn new(table: &'t Reftable<S>, kind: BlockKind) -> Cursor<'t, S> {
        let section = table.layout().section(kind);
        Cursor {
            table,
            section,
            block: None,
            place: RecordPosition::default(),
            held: false,
            ended: section.is_none(),
            inflater: None,
        }
    }

    /// Returns the key of the current record.
    pub(super) fn key(&self) -> &[u8] {
        &self.place.key
    }

    /// Returns the value of the current record; `None` if there is none.
    pub(super) fn value(&self) -> Option<&Value> {
        self.place.value.as_ref()
    }

    /// Returns the bytes of a part of the value.
    pub(super) fn bytes(&self, range: &std::ops::Range<usize>) -> &[u8] {
        self.block.as_ref().map_or(&[], |block| block.bytes(range))
    }

    /// Moves to the next record; returns `false` after the last.
    ///
    /// # Errors
    ///
    /// Missing bytes: seek again. [`Corrupt`](packlens_base::ErrorKind::Corrupt) for a damaged block,
    /// records out of order, or blocks that end before their section does.
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

    /// Moves before the first record with a key at or after `key`, so that [`Cursor::step`]
    /// returns it next. Returns whether that record has exactly this key.
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

    /// Walks all blocks until one has a key at or after `key`. Looks for the key itself first,
    /// then walks again with checks to prove that it is missing.
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
                        return Err(block.corrupt("the keys of a reftable are out of order"));
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
                return Err(block.corrupt("a block ends before its index says"));
            }
            if first.as_slice() > key {
                self.check_gap(section, before, Some(block.position), key)?;
            }
            block.seek(&mut self.place, key)?;
        }
        self.block = Some(block);
        Ok(())
    }

    /// Descends the index to the block where `key` would be; `None` if it is after all blocks.
    /// The second value is the position of the block before that one, or of an index block
    /// over it.
    fn descend(
        &mut self,
        section: &Section,
        index: u64,
        key: &[u8],
    ) -> Result<(Option<Block<'t>>, Option<u64>)> {
        let mut before = None;
        let mut block = self.read(index)?;
        let mut place = RecordPosition::default();
        let mut is_root = true;
        while block.kind == BlockKind::Index {
            let (found, last) = block.seek(&mut place, key)?;
            before = last.or(before);
            if found {
                is_root = false;
                block = self.below(section, &block, &place)?;
            } else if !is_root {
                return Err(block.corrupt("an index ends before the one above says"));
            } else if block.next < section.end {
                // The root index may have several blocks.
                block = self.read(block.next)?;
            } else {
                return Ok((None, before));
            }
        }
        if block.kind != section.kind || is_root {
            return Err(block.corrupt("an index points at other records"));
        }
        Ok((Some(block), before))
    }

    /// Reads the block that an index record points to. It must be before the index block, so
    /// the descent ends.
    fn below(
        &mut self,
        section: &Section,
        block: &Block<'t>,
        place: &RecordPosition,
    ) -> Result<Block<'t>> {
        let position = place.block().filter(|at| (section.start..block.position).contains(at));
        match position {
            Some(position) => self.read(position),
            None => Err(block.corrupt("an index points out of its section")),
        }
    }

    /// Checks that `key` is after all records before the block at `next`, or in the whole
    /// section. `before` is the position of the block before, or of an index block over it.
    fn check_gap(
        &mut self,
        section: &Section,
        before: Option<u64>,
        next: Option<u64>,
        key: &[u8],
    ) -> Result<()> {
        let wrong = || self.table.source.corrupt("an index lacks a block", section.end);
        let Some(before) = before else {
            return if next == Some(section.start) { Ok(()) } else { Err(wrong()) };
        };
        let block = self.read(before)?;
        let mut place = RecordPosition::default();
        let last = self.last_below(section, block, &mut place)?;
        last.check(&mut place)?;
        let follows = match next {
            Some(next) => last.next == next,
            None => self.is_last_of(section, &last)?,
        };
        if !follows || place.key.as_slice() >= key {
            return Err(wrong());
        }
        Ok(())
    }

    /// Descends the index to the last block below `block`.
    fn last_below(
        &mut self,
        section: &Section,
        mut block: Block<'t>,
        place: &mut RecordPosition,
    ) -> Result<Block<'t>> {
        while block.kind == BlockKind::Index {
            block.seek_last(place)?;
            block = self.below(section, &block, place)?;
        }
        match block.kind == section.kind {
            true => Ok(block),
            false => Err(block.corrupt("an index points at other records")),
        }
    }

    /// Moves to the block at `position`; returns `false` at the end of the blocks. The cursor
    /// must be in the block before, if there is one.
    fn enter(&mut self, section: &Section, position: u64) -> Result<bool> {
        if position < section.index.unwrap_or(section.end) {
            let block = self.read(position)?;
            if block.kind == section.kind {
                block.begin(&mut self.place);
                self.block = Some(block);
                return Ok(true);
            }
            if block.kind != BlockKind::Index || section.index.is_none() {
                return Err(block.corrupt("a block has another type than its section"));
            }
        }
        // The index shows whether the block before was the last one, or whether one is
        // missing.
        let position = self.block.as_ref().map(|last| last.position);
        match section.index {
            Some(index) if Some(self.last_block(section, index)?.position) != position => {
                Err(self.table.source.corrupt("an index lacks a block", index))
            }
            _ => Ok(false),
        }
    }

    /// Returns whether the blocks of a section end with `last`.
    fn is_last_of(&mut self, section: &Section, last: &Block<'t>) -> Result<bool> {
        match last.next >= section.index.unwrap_or(section.end) {
            true => Ok(true),
            false => Ok(self.read(last.next)?.kind == BlockKind::Index),
        }
    }

    /// Returns the last block according to the index.
    fn last_block(&mut self, section: &Section, index: u64) -> Result<Block<'t>> {
        let mut root = self.read(index)?;
        while root.kind == BlockKind::Index && root.next < section.end {
            root = self.read(root.next)?;
        }
        self.last_below(section, root, &mut RecordPosition::default())
    }

    fn read(&mut self, position: u64) -> Result<Block<'t>> {
        let Reftable { source, limits, .. } = self.table;
        Block::read(source, self.table.layout(), position, &mut self.inflater, limits)
    }
}
