//! Walks `packed-refs` in the order of names, whether the file is sorted or not.

use super::packed::{PackedRefs, Traits};
use super::packed_order::PackedOrder;
use super::range::RefRange;
use super::{RefRecord, PACKED_REFS};
use packlens_base::block::{BlockSource, FileId, Files};
use packlens_base::error::{Error, ErrorKind, Result};
use packlens_base::limits::Limits;
use packlens_base::oid::HashKind;
use packlens_base::sort;

/// The names of an unsorted file may take one part in this many of the memory ceiling.
const NAMES_SHARE: u64 = 4;

/// A cursor over `packed-refs`. The file is looked up afresh at the start. If git replaces the
/// file and that is noticed, the cursor continues in the new file.
pub(super) struct PackedNames {
    hash: HashKind,
    limits: Limits,
    known: PackedOrder,
    /// Whether the file was looked up since the start.
    looked: bool,
    /// The file that the cursor is in.
    open: Option<Open>,
    /// The name that was searched for last, or the least one after the last ref: the current
    /// ref is the first one from there.
    searched: Vec<u8>,
    head: RefRecord,
    scratch: RefRecord,
}

struct Open {
    file: FileId,
    traits: Traits,
    order: Order,
    /// The position; `None` if it has to be searched for.
    place: Option<RefPosition>,
    /// The offset of the ref at which the search begins.
    search_from: u64,
}

/// The position of the next ref.
#[derive(Clone, Copy)]
struct RefPosition {
    /// An offset in the file or, in sorted order, an index.
    at: u64,
    /// The position of the ref after this one, once this one was read.
    next: Option<u64>,
}

/// The order of the refs in the file.
enum Order {
    /// Not checked yet.
    Unknown,
    /// Sorted by name.
    InFile,
    /// Unsorted; the names before offset `at` were gathered.
    Gathered { at: u64, found: GatheredNames },
    /// Unsorted; all names were gathered and sorted.
    Sorted(GatheredNames),
}

/// The names of refs, concatenated, and for each its range and its offset in the file.
#[derive(Default)]
struct GatheredNames {
    names: Vec<u8>,
    refs: Vec<(usize, usize, u64)>,
}

impl GatheredNames {
    fn name(&self, entry: &(usize, usize, u64)) -> &[u8] {
        self.names.get(entry.0..entry.1).unwrap_or_default()
    }

    fn memory(&self) -> u64 {
        let refs = self.refs.capacity().saturating_mul(size_of::<(usize, usize, u64)>());
        refs.saturating_add(self.names.capacity()) as u64
    }

    fn add(&mut self, name: &[u8], offset: u64, limits: &Limits) -> Result<()> {
        if self.memory() > limits.memory / NAMES_SHARE {
            let what = "packed-refs is not sorted, and sorting it takes more memory than allowed: \
                        raise `memory`, or run `git pack-refs`";
            return Err(Error::new(ErrorKind::Limit, what));
        }
        let start = self.names.len();
        self.names.extend_from_slice(name);
        self.refs.push((start, self.names.len(), offset));
        Ok(())
    }

    /// Sorts the refs by name; of refs with the same name the first one stays.
    fn sort(&mut self) {
        let mut refs = std::mem::take(&mut self.refs);
        sort::by(&mut refs, |one, other| self.name(one).cmp(self.name(other)));
        refs.dedup_by(|later, first| self.name(later) == self.name(first));
        self.refs = refs;
    }
}

impl PackedNames {
    pub fn new(hash: HashKind, limits: Limits, known: PackedOrder) -> PackedNames {
        let (head, scratch) = (RefRecord::default(), RefRecord::default());
        let searched = Vec::new();
        PackedNames { hash, limits, known, looked: false, open: None, searched, head, scratch }
    }

    /// Moves to the first ref at or after `name`, which the next call searches for: from the
    /// current ref on if the name is after it.
    pub(super) fn seek(&mut self, name: &[u8]) {
        let Some(open) = &mut self.open else { return };
        if name < self.searched.as_slice() {
            open.search_from = open.traits.start;
        } else if let Some(place) = open.place {
            if place.next.is_some() && name <= self.head.name.as_slice() {
                return;
            }
            open.search_from = place.at;
        }
        open.place = None;
    }

    /// Looks up the file again: a loose ref may have been packed.
    pub(super) fn look_again(&mut self) {
        self.looked = false;
    }

    /// Returns the current ref; `None` if the rest is not in the range.
    ///
    /// # Errors
    ///
    /// Missing files and bytes: the cursor is unchanged. [`ErrorKind::Corrupt`] for a damaged
    /// file, or a large one that claims to be sorted and is not; [`ErrorKind::Limit`] for an
    /// unsorted file that is too large to be sorted.
    pub fn peek(&mut self, files: &Files, range: &RefRange) -> Result<Option<&RefRecord>> {
        let file = match (self.looked, &self.open) {
            (false, _) => files.find_fresh(PACKED_REFS)?,
            (true, Some(_)) => files.find(PACKED_REFS)?,
            (true, None) => None,
        };
        let Some(file) = file else {
            self.looked = true;
            self.open = None;
            return Ok(None);
        };
        let source = files.source(file);
        let open = match &mut self.open {
            Some(open) if open.file == file => open,
            open => open.insert(Open::new(file, PackedRefs::open(&source, self.hash)?.traits())),
        };
        self.looked = true;
        let refs = PackedRefs::reopen(&source, self.hash, open.traits);
        if matches!(open.order, Order::Unknown) {
            open.order = match self.known.is_in_order(files, file, &refs)? {
                true => Order::InFile,
                false => Order::Gathered { at: open.traits.start, found: GatheredNames::default() },
            };
        }
        open.gather(&refs, &mut self.scratch, &self.limits)?;
        let place = match &mut open.place {
            Some(place) => place,
            none => {
                let at = open.order.place_of(&refs, range.from(), open.search_from)?;
                self.searched.clear();
                self.searched.extend_from_slice(range.from());
                none.insert(RefPosition { at, next: None })
            }
        };
        if place.next.is_none() {
            let Some(offset) = open.order.offset(place.at, &refs) else {
                return Ok(None);
            };
            let next_offset = refs.record_at(offset, &mut self.head)?;
            if self.head.name.as_slice() < range.from() {
                return Err(source.corrupt("packed-refs is not sorted as its header says", offset));
            }
            place.next = Some(match open.order {
                Order::Sorted(_) => place.at.saturating_add(1),
                _ => next_offset,
            });
        }
        Ok(Some(&self.head).filter(|head| range.may_hold(&head.name)))
    }

    /// Returns the current ref as [`PackedNames::peek`] read it last.
    pub(super) fn head(&self) -> &RefRecord {
        &self.head
    }

    /// Moves to the next ref.
    pub fn advance(&mut self) {
        if let Some(place) = self.open.as_mut().and_then(|open| open.place.as_mut()) {
            if let Some(next) = place.next.take() {
                place.at = next;
                self.searched.clone_from(&self.head.name);
                self.searched.push(0);
            }
        }
    }

    /// Returns how many bytes of memory the cursor takes.
    pub fn memory(&self) -> u64 {
        match self.open.as_ref().map(|open| &open.order) {
            Some(Order::Gathered { found, .. } | Order::Sorted(found)) => found.memory(),
            _ => 0,
        }
    }
}

impl Open {
    fn new(file: FileId, traits: Traits) -> Open {
        Open { file, traits, order: Order::Unknown, place: None, search_from: traits.start }
    }

    /// Gathers and sorts the names of an unsorted file.
    fn gather<S: BlockSource>(
        &mut self,
        refs: &PackedRefs<'_, S>,
        record: &mut RefRecord,
        limits: &Limits,
    ) -> Result<()> {
        if let Order::Gathered { at, found } = &mut self.order {
            while *at < refs.size() {
                let next = refs.record_at(*at, record)?;
                found.add(&record.name, *at, limits)?;
                *at = next;
            }
            found.sort();
            self.order = Order::Sorted(std::mem::take(found));
        }
        Ok(())
    }
}

impl Order {
    /// Returns the position of the first ref at or after `from`.
    fn place_of<S: BlockSource>(
        &self,
        refs: &PackedRefs<'_, S>,
        from: &[u8],
        search_from: u64,
    ) -> Result<u64> {
        match self {
            Order::Sorted(found) => {
                let at = found.refs.partition_point(|entry| found.name(entry) < from);
                Ok(at as u64)
            }
            _ => refs.lower_bound(from, search_from),
        }
    }

    /// Returns the offset of the ref at a position; `None` after the last.
    fn offset<S: BlockSource>(&self, at: u64, refs: &PackedRefs<'_, S>) -> Option<u64> {
        match self {
            Order::Sorted(found) => Some(found.refs.get(usize::try_from(at).ok()?)?.2),
            _ => Some(at).filter(|at| *at < refs.size()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Refs of even numbers.
    fn packed(count: usize) -> Vec<u8> {
        let mut text = b"# pack-refs with: peeled fully-peeled sorted \n".to_vec();
        for at in (0..2 * count).step_by(2) {
            text.extend(format!("{at:040x} refs/heads/b{at:05}\n").bytes());
            if at % 3 == 0 {
                text.extend(format!("^{at:040x}\n").bytes());
            }
        }
        text
    }

    /// A seek may begin its search at the current ref; the result must not depend on that.
    #[test]
    fn seeks_in_any_order_find_the_first_ref_from_there() {
        for count in [1, 2, 50, 8000] {
            let text = packed(count);
            let mut files = Files::new(4 << 20);
            let file = files.found(PACKED_REFS, text.len() as u64, 0);
            files.add(file, 0, text).unwrap();
            let known = PackedOrder::default();
            let mut names = PackedNames::new(HashKind::Sha1, Limits::default(), known);
            let mut at = 1usize;
            for step in 0..400usize {
                let from = format!("refs/heads/b{at:05}").into_bytes();
                names.seek(&from);
                // Two seeks in a row, of which the first is not answered.
                if step % 5 == 0 {
                    names.seek(b"refs/heads/b99999");
                    names.seek(&from);
                }
                let range = RefRange::new(&from, b"refs/heads/");
                for ahead in 0..step % 4 {
                    let expected = at.next_multiple_of(2) + 2 * ahead;
                    let expected =
                        (expected < 2 * count).then(|| format!("refs/heads/b{expected:05}"));
                    let head = names.peek(&files, &range).unwrap();
                    let found = head.map(|head| String::from_utf8(head.name.clone()).unwrap());
                    assert_eq!(found, expected, "from {at} of {count}, {ahead} ahead");
                    names.advance();
                }
                at = (at * 31 + step * step) % (2 * count + 2);
                if step % 3 == 0 {
                    at = (at + 1).min(2 * count);
                }
            }
        }
    }
}
