//! A walk over the entries of an index file. Those of a split index are merged: a file of few
//! entries changes the many of a shared one.

use super::entries::{check_order, Entry, EntryCursor};
use super::file::{IndexFile, IndexPart};
use super::split::{bad_link, Link};
use super::Damage;
use std::cmp::Ordering;

/// A position among the entries of one [`IndexFile`].
pub struct IndexWalk {
    own: EntryCursor,
    /// Of a split index, the other entries.
    split: Option<SplitWalk>,
}

struct SplitWalk {
    /// The next own entry that replaces none; its path is that of the cursor.
    next_own: Option<Entry>,
    replacements: EntryCursor,
    shared: EntryCursor,
    /// The number of the next entry of the shared file.
    position: u32,
    next_shared: Option<Entry>,
    /// The path and the stage of the last entry of the walk.
    last: Option<(Vec<u8>, u16)>,
    /// Which entry was returned last, and is not passed yet.
    returned: Returned,
}

#[derive(Clone, Copy, Eq, PartialEq)]
enum Returned {
    None,
    Own,
    Shared,
}

impl IndexWalk {
    pub(super) fn new(index: &IndexFile) -> Result<IndexWalk, Damage> {
        let mut own = index.own.entries();
        let parts = index.link.as_ref().and_then(|link| Some((link, link.shared()?)));
        let Some((link, shared)) = parts else {
            return Ok(IndexWalk { own, split: None });
        };
        for _ in 0..link.replacements() {
            if index.own.next(&mut own)?.is_none() || !own.name.is_empty() {
                return Err(bad_link("it replaces more entries than the index has for that"));
            }
        }
        let mut split = SplitWalk {
            next_own: None,
            replacements: index.own.entries(),
            shared: shared.entries(),
            position: 0,
            next_shared: None,
            last: None,
            returned: Returned::None,
        };
        split.pass_own(&index.own, &mut own)?;
        split.pass_shared(&index.own, (link, shared))?;
        Ok(IndexWalk { own, split: Some(split) })
    }

    /// Returns the next entry and its path; `None` after the last one.
    ///
    /// # Errors
    ///
    /// The damage of the file, which is known by then.
    pub fn next<'a>(&'a mut self, index: &IndexFile) -> Result<Option<(Entry, &'a [u8])>, Damage> {
        let parts = index.link.as_ref().and_then(|link| Some((link, link.shared()?)));
        match (&mut self.split, parts) {
            (Some(split), Some((link, shared))) => {
                split.next(&index.own, &mut self.own, (link, shared))
            }
            _ => Ok(index.own.next(&mut self.own)?.map(|entry| (entry, self.own.name.as_slice()))),
        }
    }
}

impl SplitWalk {
    fn next<'a>(
        &'a mut self,
        own_part: &IndexPart,
        own: &'a mut EntryCursor,
        shared: (&Link, &IndexPart),
    ) -> Result<Option<(Entry, &'a [u8])>, Damage> {
        match self.returned {
            Returned::Own => self.pass_own(own_part, own)?,
            Returned::Shared => self.pass_shared(own_part, shared)?,
            Returned::None => {}
        }
        let (entry, is_own) = loop {
            match (self.next_own, self.next_shared) {
                (None, None) => return Ok(None),
                (Some(entry), None) => break (entry, true),
                (None, Some(entry)) => break (entry, false),
                (Some(one), Some(other)) => {
                    let names = own.name.cmp(&self.shared.name);
                    // An entry of stage 0 ends the conflict of its path.
                    let replaces = one.stage == other.stage || one.stage == 0;
                    match names.then(one.stage.cmp(&other.stage)) {
                        _ if names == Ordering::Equal && replaces => {
                            self.pass_shared(own_part, shared)?;
                        }
                        Ordering::Less => break (one, true),
                        _ => break (other, false),
                    }
                }
            }
        };
        let name = if is_own { &own.name } else { &self.shared.name };
        if let Some((last, stage)) = &self.last {
            check_order(last.cmp(name), last, (*stage, entry.stage))
                .map_err(|what| Damage::Entries(what, 0))?;
        }
        let (last, stage) = self.last.get_or_insert_default();
        last.clone_from(name);
        *stage = entry.stage;
        self.returned = if is_own { Returned::Own } else { Returned::Shared };
        Ok(Some((entry, name)))
    }

    fn pass_own(&mut self, part: &IndexPart, own: &mut EntryCursor) -> Result<(), Damage> {
        self.next_own = part.next(own)?;
        match self.next_own.is_some() && own.name.is_empty() {
            true => Err(bad_link("an entry without a path replaces none")),
            false => Ok(()),
        }
    }

    fn pass_shared(
        &mut self,
        own: &IndexPart,
        (link, part): (&Link, &IndexPart),
    ) -> Result<(), Damage> {
        loop {
            self.next_shared = part.next(&mut self.shared)?;
            let position = self.position;
            self.position = position.saturating_add(1);
            if self.next_shared.is_none() || !link.is_deleted(position) {
                if self.next_shared.is_some() && link.is_replaced(position) {
                    self.next_shared = own.next(&mut self.replacements)?;
                }
                return Ok(());
            }
        }
    }
}
