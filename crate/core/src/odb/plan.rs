//! The order in which many objects are best read.

use super::{Location, Odb, PackNumber};
use crate::block::Files;
use crate::error::Result;
use crate::oid::ObjectId;
use crate::sort;
use std::collections::BinaryHeap;
use std::ops::Range;

/// No entry.
const NONE: u32 = u32::MAX;

/// The share of the ceiling that the entries of a plan may take.
const ENTRIES_SHARE: u64 = 8;

/// An object that is wanted: which one, and where it lies.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Planned {
    /// Its number among those asked for.
    pub(crate) index: u32,
    /// Its id, `None` if it is still to be looked for.
    pub(crate) id: Option<ObjectId>,
    pub(crate) place: Option<(PackNumber, u64)>,
    /// It comes behind what it is made of.
    pub(crate) bases_first: bool,
}

/// An order that comes to bases before what builds on them, so that each entry is
/// inflated once.
///
/// Of each pack only those entries count that the wanted objects are made of. What
/// several of them are made of is kept until the last is done.
#[derive(Default)]
pub struct Plan {
    /// The objects found so far; all of them, sorted by place, once that is known.
    wanted: Vec<Planned>,
    /// The ones of the pack that is planned now, and what they are made of.
    planning: Option<(Range<usize>, Entries)>,
    /// How many of the objects were planned.
    planned: usize,
    steps: Vec<Planned>,
    /// Of each step, which entries are kept: a range of `kept`.
    kept_of: Vec<Range<u32>>,
    /// The offset of an entry, and how often it is wanted again.
    kept: Vec<(u64, u32)>,
}

/// The entries that objects of a pack are made of, as far as they are known.
#[derive(Default)]
struct Entries {
    /// Entries whose heads are still to be read.
    heap: BinaryHeap<u64>,
    /// Those that were read, the last of the pack first.
    nodes: Vec<Node>,
}

/// An entry that a wanted object is made of.
struct Node {
    offset: u64,
    base: Option<u64>,
    first: u32,
    next: u32,
    /// How many others build on it, and how often it is wanted itself but once.
    uses: u32,
    /// The first of the wanted objects that are here, and how many there are.
    wanted: u32,
    count: u32,
}

impl Plan {
    /// Returns the object at a place in the order: its number, and its id if that
    /// is known.
    pub fn at(&self, at: usize) -> Option<(u32, Option<ObjectId>)> {
        self.steps.get(at).map(|step| (step.index, step.id))
    }

    /// Tells that the object at a place in the order is read next.
    pub(crate) fn expect(&self, at: usize, odb: &mut Odb) {
        let Some((step, kept)) = self.steps.get(at).zip(self.kept_of.get(at)) else {
            return;
        };
        let kept = self.kept.get(kept.start as usize..kept.end as usize).unwrap_or_default();
        if let (Some(id), Some((pack, offset))) = (step.id, step.place) {
            let place = Location::Packed { pack, offset };
            match step.bases_first {
                true => odb.expect_planned(id, place, kept.iter().copied()),
                false => odb.expect(id, place),
            }
        }
    }

    /// Returns how many bytes of memory this takes.
    pub fn memory(&self) -> u64 {
        let steps = self.steps.capacity().saturating_mul(size_of::<Planned>());
        let ranges = self.kept_of.capacity().saturating_mul(size_of::<Range<u32>>());
        let kept = self.kept.capacity().saturating_mul(size_of::<(u64, u32)>());
        let wanted = self.wanted.capacity().saturating_mul(size_of::<Planned>());
        steps.saturating_add(ranges).saturating_add(kept).saturating_add(wanted) as u64
    }

    /// Takes those that lie in the next pack.
    fn next_pack(&self) -> (Range<usize>, Entries) {
        let rest = self.wanted.get(self.planned..).unwrap_or_default();
        let pack = |one: &Planned| one.place.map(|(pack, _)| pack);
        let first = rest.first().and_then(pack);
        let count = rest.partition_point(|one| pack(one) <= first);
        let end = self.planned.saturating_add(count.max(1));
        let heap = rest.iter().take(count).filter_map(|one| Some(one.place?.1)).collect();
        (self.planned..end, Entries { heap, nodes: Vec::new() })
    }

    /// Returns how many objects were found so far.
    pub(crate) fn found(&self) -> usize {
        self.wanted.len().max(self.steps.len())
    }

    /// Adds the next object.
    pub(crate) fn add(&mut self, found: Planned) {
        self.wanted.push(found);
    }

    fn push(&mut self, step: Planned, kept: &mut Vec<(u64, u32)>) {
        let start = self.kept.len() as u32;
        self.kept.append(kept);
        self.steps.push(step);
        self.kept_of.push(start..self.kept.len() as u32);
    }

    /// Goes through the entries that objects of a pack are made of.
    #[inline(never)]
    fn order(&mut self, wanted: &[Planned], mut nodes: Vec<Node>) {
        let roots = link(&mut nodes);
        let mut kept = Vec::new();
        let mut path = Vec::new();
        for root in roots {
            path.push(root);
            while let Some(at) = path.pop() {
                let Some(node) = nodes.get(at as usize) else {
                    continue;
                };
                // What is made in passing is used by that once already.
                let passing = u32::from(node.count == 0);
                match node.uses.saturating_sub(passing) {
                    0 => {}
                    uses => kept.push((node.offset, uses)),
                }
                let first = node.wanted as usize;
                let here = first..first.saturating_add(node.count as usize);
                for step in wanted.get(here).unwrap_or_default() {
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
    /// Goes on with a plan in which all objects were found, to be read with
    /// `contents` or without. Those that are in no pack come first.
    ///
    /// # Errors
    ///
    /// Missing bytes: provide them and go on.
    #[inline(never)]
    pub(crate) fn plan(
        &mut self,
        files: &mut Files,
        plan: &mut Plan,
        contents: bool,
    ) -> Result<()> {
        while plan.planned < plan.wanted.len() {
            let (range, mut entries) = match plan.planning.take() {
                Some(planning) => planning,
                None => {
                    if plan.planned == 0 {
                        sort::by(&mut plan.wanted, |one, other| {
                            (one.place, one.index).cmp(&(other.place, other.index))
                        });
                        self.make_room(files, 0, self.limits.memory / ENTRIES_SHARE)?;
                    }
                    plan.next_pack()
                }
            };
            let wanted = plan.wanted.get(range.clone()).unwrap_or_default();
            let pack = wanted.first().and_then(|one| one.place).map(|(pack, _)| pack);
            let complete = match pack {
                Some(pack) if contents => self.read_entries(files, pack, wanted, &mut entries),
                _ => Ok(false),
            };
            let wanted = match complete {
                Err(error) => {
                    plan.planning = Some((range, entries));
                    return Err(error);
                }
                Ok(_) => wanted.to_vec(),
            };
            match complete? {
                true => plan.order(&wanted, entries.nodes),
                // In the order they lie there.
                false => wanted.iter().for_each(|step| plan.push(*step, &mut Vec::new())),
            }
            plan.planned = range.end;
        }
        plan.wanted = Vec::new();
        plan.planned = 0;
        Ok(())
    }

    /// Goes on to read the heads of all entries that objects of a pack are made of;
    /// `false` if there is too little memory for them, or each would be a way to go.
    #[inline(never)]
    fn read_entries(
        &self,
        files: &Files,
        pack: PackNumber,
        wanted: &[Planned],
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
            let base = self.base_before(files, pack, offset)?;
            heap.pop();
            heap.extend(base);
            nodes.push(node_at((pack, offset), base, wanted));
        }
        Ok(true)
    }
}

/// Returns the entry at a place. Called for each: compiled for speed while the entries
/// are gone over.
#[inline(never)]
fn node_at(place: (PackNumber, u64), base: Option<u64>, wanted: &[Planned]) -> Node {
    let below = wanted.partition_point(|one| one.place < Some(place));
    let upto = wanted.partition_point(|one| one.place <= Some(place));
    let count = upto.saturating_sub(below) as u32;
    let uses = count.saturating_sub(1);
    let (first, next) = (NONE, NONE);
    Node { offset: place.1, base, first, next, uses, wanted: below as u32, count }
}

/// Hangs entries, the last of which comes first, below their bases, those that
/// build on the same one with the last first; returns those that have no base, in
/// the order of the pack.
fn link(nodes: &mut [Node]) -> Vec<u32> {
    let mut roots = Vec::new();
    for at in (0..nodes.len()).rev() {
        let Some(base) = nodes.get(at).map(|node| node.base) else {
            continue;
        };
        // Bases lie before what builds on them, so they come later here.
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
