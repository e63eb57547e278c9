//! The best order to read many objects in.

use super::heads_ahead::heads_ahead;
use super::{Odb, PackNumber, ReadHint, ReadOrder};
use packlens_base::block::Files;
use packlens_base::error::Result;
use packlens_base::oid::ObjectId;
use packlens_base::sort;
use std::collections::BinaryHeap;
use std::ops::Range;

/// Marks the absence of an entry.
const NONE: u32 = u32::MAX;

/// The entries of a plan may take one part in this many of the memory ceiling.
const ENTRIES_SHARE: u64 = 8;

/// A requested object and its location.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Planned {
    /// The index of the object in the request.
    pub(crate) index: u32,
    /// The object id; `None` if the object still has to be looked up.
    pub(crate) id: Option<ObjectId>,
    pub(crate) place: Option<(PackNumber, u64)>,
    /// Whether the object comes after the bases in its chain.
    pub(crate) bases_first: bool,
}

/// A read order with bases before the deltas on them, so that each entry is inflated once.
///
/// Only the entries in the chains of requested objects take part. A base that several of them
/// share is kept until its last use.
#[derive(Default)]
pub struct Plan {
    /// The objects found so far; sorted by location once all are found.
    requested: Vec<Planned>,
    /// The objects of the pack that is being planned, and the entries in their chains.
    planning: Option<(Range<usize>, Entries)>,
    /// How many of the objects were planned.
    planned: usize,
    steps: Vec<Planned>,
    /// For each step, the range of `kept` that lists the entries to keep.
    kept_of: Vec<Range<u32>>,
    /// The offset of an entry, and how often it will be needed again.
    kept: Vec<(u64, u32)>,
}

/// The entries in the chains of a pack's objects, as far as they are known.
#[derive(Default)]
struct Entries {
    /// Offsets of entries whose heads were not read yet.
    heap: BinaryHeap<u64>,
    /// The entries that were read, in descending order of their offsets.
    nodes: Vec<Node>,
}

/// An entry in the chain of a requested object.
struct Node {
    offset: u64,
    base: Option<u64>,
    first: u32,
    next: u32,
    /// How many other entries use this one as base, plus the number of requests for its own
    /// object beyond the first.
    uses: u32,
    /// The index of the first requested object at this entry, and the number of such objects.
    requested: u32,
    count: u32,
}

impl Plan {
    /// Returns the object at a position in the order: its index in the request, and its id if
    /// that is known.
    pub fn at(&self, at: usize) -> Option<(u32, Option<ObjectId>)> {
        self.steps.get(at).map(|step| (step.index, step.id))
    }

    /// Returns how the object at a position in the order is read.
    pub(crate) fn hint(&self, at: usize) -> ReadHint<'_> {
        let Some((step, kept)) = self.steps.get(at).zip(self.kept_of.get(at)) else {
            return ReadHint::default();
        };
        let kept = self.kept.get(kept.start as usize..kept.end as usize).unwrap_or_default();
        let order = if step.bases_first { ReadOrder::Planned(kept) } else { ReadOrder::Any };
        ReadHint { place: step.place, order, ..ReadHint::default() }
    }

    /// Returns how many bytes of memory the plan takes.
    pub fn memory(&self) -> u64 {
        let steps = self.steps.capacity().saturating_mul(size_of::<Planned>());
        let ranges = self.kept_of.capacity().saturating_mul(size_of::<Range<u32>>());
        let kept = self.kept.capacity().saturating_mul(size_of::<(u64, u32)>());
        let requested = self.requested.capacity().saturating_mul(size_of::<Planned>());
        steps.saturating_add(ranges).saturating_add(kept).saturating_add(requested) as u64
    }

    /// Takes the objects in the next pack.
    fn next_pack(&self) -> (Range<usize>, Entries) {
        let rest = self.requested.get(self.planned..).unwrap_or_default();
        let pack = |one: &Planned| one.place.map(|(pack, _)| pack);
        let first = rest.first().and_then(pack);
        let count = rest.partition_point(|one| pack(one) <= first);
        let end = self.planned.saturating_add(count.max(1));
        let heap = rest.iter().take(count).filter_map(|one| Some(one.place?.1)).collect();
        (self.planned..end, Entries { heap, nodes: Vec::new() })
    }

    /// Returns how many objects were found so far.
    pub(crate) fn found(&self) -> usize {
        self.requested.len().max(self.steps.len())
    }

    /// Adds the next object.
    pub(crate) fn add(&mut self, found: Planned) {
        self.requested.push(found);
    }

    fn push(&mut self, step: Planned, kept: &mut Vec<(u64, u32)>) {
        let start = self.kept.len() as u32;
        self.kept.append(kept);
        self.steps.push(step);
        self.kept_of.push(start..self.kept.len() as u32);
    }

    /// Orders the objects of a pack by a walk over the trees of their entries.
    #[inline(never)]
    fn order(&mut self, requested: &[Planned], mut nodes: Vec<Node>) {
        let roots = link(&mut nodes);
        let mut kept = Vec::new();
        let mut path = Vec::new();
        for root in roots {
            path.push(root);
            while let Some(at) = path.pop() {
                let Some(node) = nodes.get(at as usize) else {
                    continue;
                };
                // An object that is not requested is used once when it is made on the way to
                // another.
                let passing = u32::from(node.count == 0);
                match node.uses.saturating_sub(passing) {
                    0 => {}
                    uses => kept.push((node.offset, uses)),
                }
                let first = node.requested as usize;
                let here = first..first.saturating_add(node.count as usize);
                for step in requested.get(here).unwrap_or_default() {
                    self.push(Planned { bases_first: true, ..*step }, &mut kept);
                }
                let mut child = node.first;
                while let Some(next) = nodes.get(child as usize) {
                    path.push(child);
                    child = next.next;
                }
            }
        }
    }
}

impl Odb {
    /// Continues a plan in which all objects were found. `contents` says whether the contents
    /// will be read, or only the metadata. Objects that are not in a pack come first.
    ///
    /// # Errors
    ///
    /// Missing bytes: provide them and call again.
    #[inline(never)]
    pub(crate) fn plan(
        &mut self,
        files: &mut Files,
        plan: &mut Plan,
        contents: bool,
    ) -> Result<()> {
        while plan.planned < plan.requested.len() {
            let (range, mut entries) = match plan.planning.take() {
                Some(planning) => planning,
                None => {
                    if plan.planned == 0 {
                        sort::by(&mut plan.requested, |one, other| {
                            (one.place, one.index).cmp(&(other.place, other.index))
                        });
                        self.make_room(files, 0, self.limits.memory / ENTRIES_SHARE)?;
                    }
                    plan.next_pack()
                }
            };
            let requested = plan.requested.get(range.clone()).unwrap_or_default();
            let pack = requested.first().and_then(|one| one.place).map(|(pack, _)| pack);
            let complete = match pack {
                Some(pack) if contents => self.read_entries(files, pack, requested, &mut entries),
                _ => Ok(false),
            };
            let requested = match complete {
                Err(error) => {
                    plan.planning = Some((range, entries));
                    return Err(error);
                }
                Ok(_) => requested.to_vec(),
            };
            match complete? {
                true => plan.order(&requested, entries.nodes),
                // In pack order.
                false => requested.iter().for_each(|step| plan.push(*step, &mut Vec::new())),
            }
            plan.planned = range.end;
        }
        plan.requested = Vec::new();
        plan.planned = 0;
        Ok(())
    }

    /// Reads the heads of all entries in the chains of a pack's objects; `false` if there is
    /// not enough memory for them, or if the pack has high latency, where each head would take
    /// a round trip.
    #[inline(never)]
    fn read_entries(
        &self,
        files: &Files,
        pack: PackNumber,
        requested: &[Planned],
        Entries { heap, nodes }: &mut Entries,
    ) -> Result<bool> {
        let file = self.packs.file(pack)?;
        let size = ENTRIES_SHARE.saturating_mul(size_of::<Node>() as u64);
        let most = self.limits.memory.checked_div(size).unwrap_or(0);
        while let Some(offset) = heap.peek().copied() {
            if nodes.last().is_some_and(|node| node.offset == offset) {
                heap.pop();
                continue;
            }
            if files.is_high_latency(file) || nodes.len() as u64 >= most {
                return Ok(false);
            }
            let base = match self.base_before(files, pack, offset) {
                Err(error) if error.is_missing() => {
                    let offsets = heap.iter().copied();
                    return Err(heads_ahead(files, file, error, offsets, self.limits.memory));
                }
                base => base?,
            };
            heap.pop();
            heap.extend(base);
            nodes.push(node_at((pack, offset), base, requested));
            files.advance();
        }
        Ok(true)
    }
}

/// Returns the node of an entry. Not inlined: engines that compile by use make a function fast
/// once it was called often, here while the loop over all entries still runs.
#[inline(never)]
fn node_at(place: (PackNumber, u64), base: Option<u64>, requested: &[Planned]) -> Node {
    let below = requested.partition_point(|one| one.place < Some(place));
    let upto = requested.partition_point(|one| one.place <= Some(place));
    let count = upto.saturating_sub(below) as u32;
    let uses = count.saturating_sub(1);
    let (first, next) = (NONE, NONE);
    Node { offset: place.1, base, first, next, uses, requested: below as u32, count }
}

/// Links entries, given in descending order of their offsets, to their bases. Siblings are
/// linked with the last one first. Returns the entries without a base in pack order.
fn link(nodes: &mut [Node]) -> Vec<u32> {
    let mut roots = Vec::new();
    for at in (0..nodes.len()).rev() {
        let Some(base) = nodes.get(at).map(|node| node.base) else {
            continue;
        };
        // A base comes before its deltas in the pack, so after them in `nodes`.
        let below = nodes.partition_point(|node| Some(node.offset) > base);
        match nodes.get_mut(below).filter(|node| Some(node.offset) == base) {
            Some(node) => {
                let next = std::mem::replace(&mut node.first, at as u32);
                node.uses = node.uses.saturating_add(1);
                if let Some(node) = nodes.get_mut(at) {
                    node.next = next;
                }
            }
            None => roots.push(at as u32),
        }
    }
    roots
}
