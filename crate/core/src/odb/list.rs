//! Listing all objects.

use super::Odb;
use crate::block::Files;
use crate::error::Result;
use crate::loose;
use crate::oid::ObjectId;
use std::collections::BTreeSet;

/// The order in which objects are listed.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Order {
    /// By their ids.
    Sorted,
    /// As they are stored: loose ones, then pack by pack.
    Stored,
}

impl Odb {
    /// Returns the ids of all objects, each once.
    ///
    /// # Errors
    ///
    /// Missing files and bytes; damaged indexes.
    pub fn list(&mut self, files: &mut Files, order: Order) -> Result<Vec<ObjectId>> {
        self.packs.list(files)?;
        let mut ids = Vec::new();
        for byte in 0..=u8::MAX {
            ids.extend(self.loose_ids(files, byte)?);
        }
        for pack in self.packs.in_order() {
            if self.packs.open(files, pack)?.is_none() {
                continue;
            }
            match order {
                Order::Sorted => {
                    for position in 0..self.packs.count(pack) {
                        ids.push(self.packs.id_at(files, pack, position)?);
                    }
                }
                Order::Stored => {
                    let entries = self.packs.extents(files, pack)?.entries().to_vec();
                    for (_, position) in entries {
                        ids.push(self.packs.id_at(files, pack, position)?);
                    }
                }
            }
        }
        match order {
            Order::Sorted => {
                ids.sort_unstable();
                ids.dedup();
            }
            Order::Stored => {
                let mut seen = BTreeSet::new();
                ids.retain(|id| seen.insert(*id));
            }
        }
        Ok(ids)
    }

    /// Returns how many objects the packs have; one in several counts for each.
    ///
    /// # Errors
    ///
    /// Missing files and bytes; damaged indexes.
    pub(crate) fn count_packed(&mut self, files: &Files) -> Result<u64> {
        self.packs.list(files)?;
        let mut count = 0u64;
        for pack in self.packs.in_order() {
            if self.packs.open(files, pack)?.is_some() {
                count = count.saturating_add(u64::from(self.packs.count(pack)));
            }
        }
        Ok(count)
    }

    /// Returns the ids of the loose objects that begin with `byte`.
    pub(super) fn loose_ids(&self, files: &Files, byte: u8) -> Result<Vec<ObjectId>> {
        let mut directory = b"objects/".to_vec();
        directory.extend(crate::oid::hex_digits(byte));
        let names = files.list_fresh(&directory)?;
        Ok(names.iter().filter_map(|name| loose::id_of_name(self.hash, byte, name)).collect())
    }
}
