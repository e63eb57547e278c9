//! Ids of several objects at once; SHA-1 ids one in each lane of a vector.

use super::checked::Collisions;
use super::object_head::ObjectHead;
use super::object_id;
use super::sha1_blocks::{compress, BLOCK, INITIAL, LANES};
use super::suspects::Suspects;
use super::x4::X4;
use crate::module::IS_FULL;
use crate::object_type::ObjectType;
use crate::oid::{HashKind, ObjectId};
use crate::sort;

/// How many blocks one call hashes; limited for the same reason as [`STEP`](super::STEP).
const MOST_BLOCKS: usize = 256;

/// An object to be hashed.
pub struct Message<'a> {
    /// The type that its head names.
    pub object_type: ObjectType,
    /// The bytes that are hashed after the head.
    pub content: &'a [u8],
}

/// A message that is being hashed: a block that begins with the object header, blocks of
/// content only, and one or two blocks that end with the length.
struct Lane<'a> {
    key: usize,
    first: [u8; BLOCK],
    middle: &'a [u8],
    last: [u8; 2 * BLOCK],
    last_len: usize,
    /// The part that is being hashed, and how many of its bytes are done.
    part: Part,
    done: usize,
}

#[derive(Clone, Copy, Eq, PartialEq)]
enum Part {
    First,
    Middle,
    Last,
}

impl<'a> Lane<'a> {
    fn new(key: usize, message: &Message<'a>) -> Lane<'a> {
        let content = message.content;
        let head = ObjectHead::new(message.object_type, content.len() as u64);
        let head = head.as_bytes();
        let length = head.len().saturating_add(content.len());
        let mut lane = Lane {
            key,
            first: [0; BLOCK],
            middle: &[],
            last: [0; 2 * BLOCK],
            last_len: BLOCK,
            part: Part::Last,
            done: 0,
        };
        let mut ending = 0;
        match content.split_at_checked(BLOCK.saturating_sub(head.len())) {
            Some((begin, after)) => {
                put(&mut lane.first, 0, head);
                put(&mut lane.first, head.len(), begin);
                let rest = after.chunks_exact(BLOCK).remainder();
                let whole = after.len().saturating_sub(rest.len());
                lane.middle = after.get(..whole).unwrap_or_default();
                lane.part = Part::First;
                put(&mut lane.last, 0, rest);
                ending = ending.max(rest.len());
            }
            None => {
                put(&mut lane.last, 0, head);
                put(&mut lane.last, head.len(), content);
                ending = length;
            }
        }
        put(&mut lane.last, ending, &[0x80]);
        // The length takes 8 bytes after the 0x80 byte.
        if ending.saturating_add(9) > BLOCK {
            lane.last_len = 2 * BLOCK;
        }
        let bits = (length as u64).wrapping_mul(8).to_be_bytes();
        put(&mut lane.last, lane.last_len.saturating_sub(bits.len()), &bits);
        lane
    }

    /// Returns the remaining blocks of the current part; empty at the end of the message.
    fn blocks(&self) -> &[u8] {
        let part = match self.part {
            Part::First => &self.first,
            Part::Middle => self.middle,
            Part::Last => self.last.get(..self.last_len).unwrap_or_default(),
        };
        part.get(self.done..).unwrap_or_default()
    }

    /// Moves past this many bytes; returns whether there are more.
    fn advance(&mut self, bytes: usize) -> bool {
        self.done = self.done.saturating_add(bytes);
        while self.blocks().is_empty() {
            self.part = match self.part {
                Part::First => Part::Middle,
                Part::Middle => Part::Last,
                Part::Last => return false,
            };
            self.done = 0;
        }
        true
    }
}

/// Hashes `count` messages, for SHA-1 `LANES` at a time: a lane that has finished one takes
/// the next. `done` gets the number and the id of each message, in any order; the id is `None` if
/// attacks are to be detected and the content is part of one.
#[inline(never)]
pub(super) fn object_ids<'a>(
    hash: HashKind,
    count: usize,
    message: &dyn Fn(usize) -> Message<'a>,
    collisions: Collisions,
    done: &mut dyn FnMut(usize, Option<ObjectId>),
) {
    if !IS_FULL || hash == HashKind::Sha256 {
        return one_by_one(hash, count, message, collisions, done);
    }
    // Longest first, because lanes are empty at the end.
    let shortness = |at| u32::MAX.saturating_sub(message(at).content.len() as u32);
    let mut order = sort::places_by((0..count).map(shortness));
    let mut suspects = Suspects::new();
    let mut finished = Vec::new();
    let mut lanes: [Option<Lane<'a>>; LANES] = std::array::from_fn(|_| None);
    let mut states = [INITIAL; LANES];
    loop {
        for (lane, state) in lanes.iter_mut().zip(&mut states) {
            if lane.is_none() {
                *lane = order.next().map(|key| Lane::new(key, &message(key)));
                *state = INITIAL;
            }
        }
        let busy = lanes.iter().flatten().count();
        let Some(any) = lanes.iter().flatten().next() else {
            break;
        };
        let blocks = lanes.each_ref().map(|lane| lane.as_ref().unwrap_or(any).blocks());
        let keys = lanes.each_ref().map(|lane| lane.as_ref().map(|lane| lane.key));
        let taken = match (collisions, busy) {
            (Collisions::Trust, 1) => one_lane(any.blocks(), &mut states, &lanes),
            (Collisions::Trust, _) => all_lanes::<false>(blocks, &mut states, keys, &mut suspects),
            (Collisions::Detect, _) => all_lanes::<true>(blocks, &mut states, keys, &mut suspects),
        };
        for (place, state) in lanes.iter_mut().zip(&states) {
            let Some(lane) = place else { continue };
            if !lane.advance(taken) {
                let mut bytes = [0; 20];
                for (to, word) in bytes.chunks_exact_mut(4).zip(state) {
                    to.copy_from_slice(&word.to_be_bytes());
                }
                let id = ObjectId::from_bytes(HashKind::Sha1, &bytes);
                match collisions {
                    Collisions::Trust => done(lane.key, id),
                    Collisions::Detect => finished.push((lane.key, id)),
                }
                *place = None;
            }
        }
    }
    suspects.report(finished, done);
}

/// Hashes messages without lanes: for SHA-256, and in the reader, which does not have their
/// code. The reader cannot detect attacks either: what asks for that gets no ids.
fn one_by_one<'a>(
    hash: HashKind,
    count: usize,
    message: &dyn Fn(usize) -> Message<'a>,
    collisions: Collisions,
    done: &mut dyn FnMut(usize, Option<ObjectId>),
) {
    for key in 0..count {
        let Message { object_type, content } = message(key);
        done(
            key,
            match (hash, collisions) {
                (HashKind::Sha1, Collisions::Detect) => None,
                _ => Some(object_id(hash, object_type, content)),
            },
        );
    }
}

/// Hashes as many blocks as every lane has; returns how many bytes of each were hashed.
#[inline(never)]
fn all_lanes<const DETECT: bool>(
    blocks: [&[u8]; LANES],
    states: &mut [[u32; 5]; LANES],
    keys: [Option<usize>; LANES],
    suspects: &mut Suspects,
) -> usize {
    let shortest = blocks.iter().map(|blocks| blocks.len()).min().unwrap_or(0);
    let taken = shortest.min(MOST_BLOCKS.saturating_mul(BLOCK));
    let [a, b, c, d] = blocks.map(|blocks| blocks.get(..taken).unwrap_or_default());
    let mut state = X4::together(*states);
    let rows = a.chunks_exact(BLOCK).zip(b.chunks_exact(BLOCK));
    let rows = rows.zip(c.chunks_exact(BLOCK).zip(d.chunks_exact(BLOCK)));
    for ((a, b), (c, d)) in rows {
        if let (Some(a), Some(b), Some(c), Some(d)) =
            (a.first_chunk(), b.first_chunk(), c.first_chunk(), d.first_chunk())
        {
            compress::<DETECT>(&mut state, [a, b, c, d], suspects.kept());
            if DETECT {
                suspects.look([a, b, c, d], keys, &state);
            }
        }
    }
    for (at, words) in state.map(<[u32; LANES]>::from).iter().enumerate() {
        for (state, word) in states.iter_mut().zip(words) {
            if let Some(to) = state.get_mut(at) {
                *to = *word;
            }
        }
    }
    taken
}

fn one_lane(
    blocks: &[u8],
    states: &mut [[u32; 5]; LANES],
    lanes: &[Option<Lane<'_>>; LANES],
) -> usize {
    let taken = blocks.len().min(MOST_BLOCKS.saturating_mul(BLOCK));
    for (state, _) in states.iter_mut().zip(lanes).filter(|(_, lane)| lane.is_some()) {
        for block in blocks.get(..taken).unwrap_or_default().chunks_exact(BLOCK) {
            if let Some(block) = block.first_chunk() {
                sha1::block_api::compress(state, std::slice::from_ref(block));
            }
        }
    }
    taken
}

/// Copies bytes to an offset in a buffer that has room for them.
fn put(buffer: &mut [u8], at: usize, bytes: &[u8]) {
    for (to, from) in buffer.iter_mut().skip(at).zip(bytes) {
        *to = *from;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hash::object_id;

    fn contents(lengths: impl Iterator<Item = usize>) -> Vec<Vec<u8>> {
        let mut seed = 1u32;
        let mut byte = || {
            seed = seed.wrapping_mul(1664525).wrapping_add(1013904223);
            (seed >> 24) as u8
        };
        lengths.map(|length| (0..length).map(|_| byte()).collect()).collect()
    }

    /// Hashes the contents, and checks that each gets the id that it gets alone.
    fn check(contents: &[Vec<u8>]) {
        check_with(contents, Collisions::Trust);
        check_with(contents, Collisions::Detect);
    }

    fn check_with(contents: &[Vec<u8>], collisions: Collisions) {
        const TYPES: [ObjectType; 4] =
            [ObjectType::Commit, ObjectType::Tree, ObjectType::Blob, ObjectType::Tag];
        let mut ids = vec![None; contents.len()];
        let message = |key: usize| Message { object_type: TYPES[key % 4], content: &contents[key] };
        object_ids(HashKind::Sha1, contents.len(), &message, collisions, &mut |key, id| {
            assert_eq!(ids[key].replace(id.unwrap()), None, "reported once");
        });
        for (key, content) in contents.iter().enumerate() {
            let alone = object_id(HashKind::Sha1, TYPES[key % 4], content);
            assert_eq!(ids[key], Some(alone), "{} bytes", content.len());
        }
    }

    #[test]
    fn every_length_has_the_id_that_it_has_alone() {
        check(&contents(0..=300));
        check(&contents((0..=300).rev()));
    }

    #[test]
    fn lanes_that_end_at_different_times_are_not_mixed_up() {
        let mut seed = 7usize;
        let lengths = (0..400).map(|at| {
            seed = seed.wrapping_mul(1103515245).wrapping_add(12345) & 0x7fff_ffff;
            seed % [70, 300, 5000, 40_000][at % 4]
        });
        check(&contents(lengths));
    }

    #[test]
    fn few_and_large_ones() {
        for count in 0..=5 {
            check(&contents((0..count).map(|at| 300_000 * at + 17)));
        }
        check(&contents([10, 5_000_000, 30, 64].into_iter()));
    }

    fn attacked(mut suspects: Suspects) -> Vec<usize> {
        let id = ObjectId::from_bytes(HashKind::Sha1, &[7; 20]);
        let mut attacked = Vec::new();
        let all = (0..14).map(|key| (key, id)).collect();
        suspects.report(all, &mut |key, id| attacked.extend(id.is_none().then_some(key)));
        attacked
    }

    /// Hashed objects begin with their type, and no published attack does, so this test hashes
    /// plain blocks.
    #[test]
    fn an_attack_is_noticed_in_the_lane_where_it_is() {
        let attack = crate::hash::checked::tests::message();
        let mut other = attack.clone();
        other[200] ^= 1;
        let [zeros, random] = [vec![0; 320], contents([320].into_iter()).remove(0)];
        for lane in 0..LANES {
            let mut blocks = [&zeros[..], &other, &random, &zeros];
            blocks[lane] = &attack;
            let mut states = [INITIAL; LANES];
            let mut suspects = Suspects::new();
            let keys = [Some(10), Some(11), Some(12), Some(13)];
            all_lanes::<true>(blocks, &mut states, keys, &mut suspects);
            assert_eq!(attacked(suspects), [10 + lane]);
            let mut suspects = Suspects::new();
            all_lanes::<true>(blocks, &mut [INITIAL; LANES], [None; LANES], &mut suspects);
            assert_eq!(attacked(suspects), [], "lanes that have nothing to do");
        }
    }
}
