//! The SHA-1 ids of several objects at once, one in each lane of a vector.

use super::attacks::{is_attack, possible};
use super::checked::Collisions;
use super::object_head::ObjectHead;
use super::sha1_blocks::{compress, BLOCK, INITIAL, LANES};
use super::x4::X4;
use crate::object::ObjectType;
use crate::oid::{HashKind, ObjectId};
use crate::sort;

/// How many blocks are hashed by one call, for the same reason as
/// [`STEP`](super::STEP).
const MOST_BLOCKS: usize = 256;

/// An object to be hashed.
pub(crate) struct Message<'a> {
    pub(crate) object_type: ObjectType,
    pub(crate) content: &'a [u8],
}

/// A message that is being hashed: a block that begins with the head, blocks of
/// content alone, and one or two that end with the length.
struct Lane<'a> {
    key: usize,
    first: [u8; BLOCK],
    middle: &'a [u8],
    last: [u8; 2 * BLOCK],
    last_len: usize,
    /// What of it is being hashed, and how far that came.
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
            Some((begin, behind)) => {
                put(&mut lane.first, 0, head);
                put(&mut lane.first, head.len(), begin);
                let rest = behind.chunks_exact(BLOCK).remainder();
                let whole = behind.len().saturating_sub(rest.len());
                lane.middle = behind.get(..whole).unwrap_or_default();
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
        // The length takes 8 bytes behind that one.
        if ending.saturating_add(9) > BLOCK {
            lane.last_len = 2 * BLOCK;
        }
        let bits = (length as u64).wrapping_mul(8).to_be_bytes();
        put(&mut lane.last, lane.last_len.saturating_sub(bits.len()), &bits);
        lane
    }

    /// Returns the blocks that come next; none at the end of the message.
    fn blocks(&self) -> &[u8] {
        let part = match self.part {
            Part::First => &self.first,
            Part::Middle => self.middle,
            Part::Last => self.last.get(..self.last_len).unwrap_or_default(),
        };
        part.get(self.done..).unwrap_or_default()
    }

    /// Goes on by so many of those bytes; tells whether there are more.
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

/// Hashes `count` messages, `LANES` at a time; a lane that is through with one takes the
/// next. `done` gets the number of each and its id, in no order; `None` for content that
/// takes part in an attack, if that is to be detected.
#[inline(never)]
pub(crate) fn sha1_ids<'a>(
    count: usize,
    message: &dyn Fn(usize) -> Message<'a>,
    collisions: Collisions,
    done: &mut dyn FnMut(usize, Option<ObjectId>),
) {
    // The longest first: at the end lanes run empty.
    let shortness = |at| u32::MAX.saturating_sub(message(at).content.len() as u32);
    let mut order = sort::places_by((0..count).map(shortness));
    let mut words = [X4::splat(0); 80];
    let mut attacked = [false; LANES];
    let mut lanes: [Option<Lane<'a>>; LANES] = std::array::from_fn(|_| None);
    let mut states = [INITIAL; LANES];
    loop {
        for ((lane, state), attacked) in lanes.iter_mut().zip(&mut states).zip(&mut attacked) {
            if lane.is_none() {
                *attacked = false;
                *lane = order.next().map(|key| Lane::new(key, &message(key)));
                *state = INITIAL;
            }
        }
        let busy = lanes.iter().flatten().count();
        let Some(any) = lanes.iter().flatten().next() else {
            return;
        };
        let blocks = lanes.each_ref().map(|lane| lane.as_ref().unwrap_or(any).blocks());
        let taken = match (collisions, busy) {
            (Collisions::Trust, 1) => one_lane(any.blocks(), &mut states, &lanes),
            (Collisions::Trust, _) => {
                all_lanes::<false>(blocks, &mut states, &mut words, &mut attacked)
            }
            (Collisions::Detect, _) => {
                all_lanes::<true>(blocks, &mut states, &mut words, &mut attacked)
            }
        };
        for ((place, state), attacked) in lanes.iter_mut().zip(&states).zip(&attacked) {
            let Some(lane) = place else { continue };
            if !lane.advance(taken) {
                let mut bytes = [0; 20];
                for (to, word) in bytes.chunks_exact_mut(4).zip(state) {
                    to.copy_from_slice(&word.to_be_bytes());
                }
                let id = ObjectId::from_bytes(HashKind::Sha1, &bytes);
                done(lane.key, id.filter(|_| !attacked));
                *place = None;
            }
        }
    }
}

/// Hashes as many blocks as all lanes have; returns how many bytes of each.
#[inline(never)]
fn all_lanes<const DETECT: bool>(
    blocks: [&[u8]; LANES],
    states: &mut [[u32; 5]; LANES],
    words: &mut [X4; 80],
    attacked: &mut [bool; LANES],
) -> usize {
    let shortest = blocks.iter().map(|blocks| blocks.len()).min().unwrap_or(0);
    let taken = shortest.min(MOST_BLOCKS.saturating_mul(BLOCK));
    let [a, b, c, d] = blocks.map(|blocks| blocks.get(..taken).unwrap_or_default());
    let [p, q, r, s] = *states;
    let word = |at: usize| X4::from([p, q, r, s].map(|state| state.get(at).copied().unwrap_or(0)));
    let mut state = [word(0), word(1), word(2), word(3), word(4)];
    let rows = a.chunks_exact(BLOCK).zip(b.chunks_exact(BLOCK));
    let rows = rows.zip(c.chunks_exact(BLOCK).zip(d.chunks_exact(BLOCK)));
    for ((a, b), (c, d)) in rows {
        if let (Some(a), Some(b), Some(c), Some(d)) =
            (a.first_chunk(), b.first_chunk(), c.first_chunk(), d.first_chunk())
        {
            let before = state;
            compress::<DETECT>(&mut state, [a, b, c, d], words);
            if DETECT {
                let masks = possible(words);
                if masks != [0; LANES] {
                    look_closer([a, b, c, d], &before, &state, masks, attacked);
                }
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

/// Tells of each lane whether the block, which may be part of an attack, is.
#[cold]
fn look_closer(
    blocks: [&[u8; BLOCK]; LANES],
    before: &[X4; 5],
    after: &[X4; 5],
    masks: [u32; LANES],
    attacked: &mut [bool; LANES],
) {
    let (before, after) = (before.map(<[u32; LANES]>::from), after.map(<[u32; LANES]>::from));
    for (lane, ((block, mask), attacked)) in blocks.iter().zip(masks).zip(attacked).enumerate() {
        let of =
            |state: &[[u32; LANES]; 5]| state.map(|words| words.get(lane).copied().unwrap_or(0));
        if mask != 0 && is_attack(block, of(&before), of(&after), mask) {
            *attacked = true;
        }
    }
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

/// Copies bytes to a place in a buffer that has room for them.
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

    /// Hashes the contents, and makes sure that each has the id it has alone.
    fn check(contents: &[Vec<u8>]) {
        check_with(contents, Collisions::Trust);
        check_with(contents, Collisions::Detect);
    }

    fn check_with(contents: &[Vec<u8>], collisions: Collisions) {
        const TYPES: [ObjectType; 4] =
            [ObjectType::Commit, ObjectType::Tree, ObjectType::Blob, ObjectType::Tag];
        let mut ids = vec![None; contents.len()];
        let message = |key: usize| Message { object_type: TYPES[key % 4], content: &contents[key] };
        sha1_ids(contents.len(), &message, collisions, &mut |key, id| {
            assert_eq!(ids[key].replace(id.unwrap()), None, "told once");
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

    /// What is hashed as an object begins with its type, and nobody has published an
    /// attack that does: so these are blocks alone.
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
            let mut attacked = [false; LANES];
            let mut words = [X4::splat(0); 80];
            all_lanes::<true>(blocks, &mut states, &mut words, &mut attacked);
            let expected: [bool; LANES] = std::array::from_fn(|at| at == lane);
            assert_eq!(attacked, expected);
        }
    }

    /// More would cost time, fewer would mean that some attack is overlooked.
    #[test]
    fn one_block_in_twenty_is_looked_at_closer() {
        let blocks = contents(std::iter::repeat_n(64, 20_000));
        let mut words = [X4::splat(0); 80];
        let mut closer = 0;
        for four in blocks.chunks(4) {
            let mut state = INITIAL.map(X4::splat);
            let four: [&[u8; BLOCK]; LANES] =
                std::array::from_fn(|at| four[at].first_chunk().unwrap());
            compress::<true>(&mut state, four, &mut words);
            closer += possible(&words).iter().filter(|mask| **mask != 0).count();
        }
        assert!((800..1100).contains(&closer), "{closer}");
    }
}
