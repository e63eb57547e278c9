//! Keeps stacks open: `tables.list` is read again only if it is a new file, and then only the
//! new tables are opened.

use super::stack::ReftableStack;
use super::table::{Reftable, TableProperties};
use crate::refs::text_of;
use packlens_base::block::{FileId, Files, OpenFile};
use packlens_base::error::{Error, Result};
use packlens_base::limits::Limits;
use packlens_base::oid::HashKind;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// The stacks of a repository, by directory. Clones share what is open.
#[derive(Clone)]
pub(crate) struct Stacks {
    hash: HashKind,
    limits: Limits,
    opened: Rc<RefCell<Opened>>,
}

#[derive(Default)]
struct Opened {
    /// The `tables.list` file of each directory, and the tables that it names.
    stacks: BTreeMap<Vec<u8>, (FileId, Vec<FileId>)>,
    /// The cached properties of those tables.
    tables: BTreeMap<FileId, Rc<TableProperties>>,
    count: u64,
}

impl Stacks {
    pub fn new(hash: HashKind, limits: Limits) -> Stacks {
        Stacks { hash, limits, opened: Rc::default() }
    }

    pub(crate) fn hash(&self) -> HashKind {
        self.hash
    }

    pub(crate) fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Opens the stack in a directory; `None` if there is none.
    ///
    /// # Errors
    ///
    /// Missing files and bytes. If a listed table is gone, `tables.list` is read again, since
    /// the stack may have been compacted; [`Corrupt`](packlens_base::ErrorKind::Corrupt) if the table
    /// is still listed. The errors of [`Reftable::open`].
    pub(crate) fn open<'f>(
        &self,
        files: &'f Files,
        directory: &[u8],
    ) -> Result<Option<ReftableStack<OpenFile<'f>>>> {
        let list = [directory, b"/tables.list"].concat();
        let Some(file) = files.find_fresh(&list)? else {
            return Ok(None);
        };
        let mut opened = self.opened.borrow_mut();
        let is_there = |table: &FileId| files.path(*table).is_some();
        let ids = match opened.stacks.get(directory) {
            Some((known, ids)) if *known == file && ids.iter().all(is_there) => ids.clone(),
            _ => tables_in(files, directory, file, &list, &self.limits)?,
        };
        let mut tables = Vec::with_capacity(ids.len());
        for id in &ids {
            let source = files.source(*id);
            let table = match opened.tables.get(id) {
                Some(known) => Reftable::known(source, Rc::clone(known), &self.limits),
                None => {
                    let table = Reftable::open(source, self.hash, &self.limits)?;
                    opened.tables.insert(*id, Rc::clone(&table.known));
                    opened.count = opened.count.saturating_add(1);
                    table
                }
            };
            tables.push(table);
        }
        opened.stacks.insert(directory.to_vec(), (file, ids));
        opened.drop_others();
        Ok(Some(ReftableStack::of(tables)))
    }

    /// Records whether objects are tags: see [`ReftableStack::unsure`].
    pub(crate) fn settle(&self, are_tags: &[bool]) {
        for known in self.opened.borrow().tables.values() {
            let unindexed = &mut *known.unindexed.borrow_mut();
            if !unindexed.unsure().is_empty() {
                return unindexed.settle(are_tags);
            }
        }
    }

    /// Returns how many tables were opened.
    pub fn count(&self) -> u64 {
        self.opened.borrow().count
    }
}

impl Opened {
    /// Drops the tables that no list names any more.
    fn drop_others(&mut self) {
        let Opened { stacks, tables, .. } = self;
        let listed = stacks.values().fold(0, |sum: usize, (_, ids)| sum.saturating_add(ids.len()));
        if tables.len() > listed {
            tables.retain(|id, _| stacks.values().any(|(_, ids)| ids.contains(id)));
        }
    }
}

/// Returns the tables that a list names, the oldest first.
fn tables_in(
    files: &Files,
    directory: &[u8],
    file: FileId,
    list: &[u8],
    limits: &Limits,
) -> Result<Vec<FileId>> {
    let text = text_of(files, file, limits)?;
    let mut tables = Vec::new();
    for name in text.split(|byte| *byte == b'\n').filter(|name| !name.is_empty()) {
        if name.starts_with(b".") || name.contains(&b'/') || name.contains(&0) {
            let error = Error::corrupt("no name of a reftable", file, 0);
            return Err(error.about(name));
        }
        let path = [directory, b"/", name].concat();
        let Some(table) = files.find(&path)? else {
            files.look_again(list, &path)?;
            let error = Error::corrupt("a reftable that is listed but not there", file, 0);
            return Err(error.about(name));
        };
        tables.push(table);
    }
    Ok(tables)
}
