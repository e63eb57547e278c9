//! The lines after all objects: those that filters omitted, and those that are missing.

use super::MissingObjects;
use crate::history::write_id;
use packlens_base::appender::{Append, Output};
use packlens_base::error::Result;
use packlens_base::oid::ObjectId;
use packlens_base::quote::{in_quotes, quoted};
use packlens_format::id_table::Ids;
use packlens_format::object::ObjectType;

/// An object that is missing, and what its links say of it.
pub(in crate::history) struct Absent {
    pub(in crate::history) id: ObjectId,
    pub(in crate::history) object_type: Option<ObjectType>,
    pub(in crate::history) path: Option<Vec<u8>>,
}

#[derive(Default)]
pub(super) struct Tail {
    omitted: Vec<(usize, ObjectId)>,
    missing: Vec<Absent>,
    /// Their ids: several links may lead to one.
    missing_ids: Ids,
    /// How many bytes the paths of these take.
    path_bytes: u64,
    /// How many of both were written, or left out.
    written: (usize, usize),
    says_more: bool,
}

impl Tail {
    pub(super) fn add_omitted(&mut self, number: usize, id: &ObjectId) {
        self.omitted.push((number, *id));
    }

    pub(super) fn add_missing(&mut self, absent: Absent, rule: MissingObjects) {
        if !matches!(rule, MissingObjects::Print | MissingObjects::PrintInfo) {
            return;
        }
        let count = self.missing.len() as u32;
        if self.missing_ids.number_of(&absent.id, count) != count {
            return;
        }
        self.says_more = rule == MissingObjects::PrintInfo;
        let bytes = absent.path.as_ref().map_or(0, Vec::capacity) as u64;
        self.path_bytes = self.path_bytes.saturating_add(bytes);
        self.missing.push(absent);
    }

    pub(super) fn memory(&self) -> u64 {
        let omitted = self.omitted.capacity().saturating_mul(size_of::<(usize, ObjectId)>());
        let missing = self.missing.capacity().saturating_mul(size_of::<Absent>());
        (omitted.saturating_add(missing) as u64)
            .saturating_add(self.path_bytes)
            .saturating_add(self.missing_ids.memory())
    }

    /// Appends the next line; returns whether there was none left.
    pub(super) fn write_next(
        &mut self,
        is_still_omitted: &mut dyn FnMut(usize) -> bool,
        out: &mut Output,
    ) -> Result<bool> {
        match self.omitted.is_empty() && self.missing.is_empty() {
            true => Ok(true),
            false => in_rest(self, is_still_omitted, out),
        }
    }

    fn next_line(
        &mut self,
        is_still_omitted: &mut dyn FnMut(usize) -> bool,
        out: &mut Output,
    ) -> Result<bool> {
        let (omitted, missing) = &mut self.written;
        while let Some((number, id)) = self.omitted.get(*omitted) {
            *omitted = omitted.saturating_add(1);
            if is_still_omitted(*number) {
                let mut out = out.appender();
                out.bytes(b"~")?;
                return write_id(id, &mut out).map(|()| false);
            }
        }
        let Some(absent) = self.missing.get(*missing) else {
            return Ok(true);
        };
        let mut line = [b"?", absent.id.to_hex().as_bytes()].concat();
        if self.says_more {
            append_facts(absent, &mut line);
        }
        line.push(b'\n');
        out.appender().bytes(&line)?;
        *missing = missing.saturating_add(1);
        Ok(false)
    }
}

/// See [`require_rest`](packlens_base::module::require_rest), which a list calls that has a tail.
#[inline(never)]
fn in_rest(
    tail: &mut Tail,
    is_still_omitted: &mut dyn FnMut(usize) -> bool,
    out: &mut Output,
) -> Result<bool> {
    tail.next_line(is_still_omitted, out)
}

fn append_facts(Absent { object_type, path, .. }: &Absent, line: &mut Vec<u8>) {
    if let Some(path) = path.as_ref().filter(|path| !path.is_empty()) {
        line.extend_from_slice(b" path=");
        let quote = if path.contains(&b' ') { in_quotes } else { quoted };
        line.extend_from_slice(&quote(b"", path));
    }
    if let Some(object_type) = object_type {
        line.extend_from_slice(b" type=");
        line.extend_from_slice(object_type.name().as_bytes());
    }
}
