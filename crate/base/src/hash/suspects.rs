//! Verifies blocks that may be part of an attack on SHA-1: computes the block that would
//! collide with each, four at a time.

use super::attacks::possible;
use super::sha1_blocks::{choice, majority, parity, words, Kept, BLOCK, CONSTANTS, LANES};
use super::x4::X4;
use crate::oid::ObjectId;

/// The words of the difference for step 52 in the first family, and for step 56 in the second.
/// The other differences of a family have the same words from a later index on.
const FAMILIES: [[u32; 16]; 2] = [
    [
        0x0400_0010,
        0xe800_0000,
        0x0800_000c,
        0x1800_0000,
        0xb800_000a,
        0xc800_0010,
        0x2c00_0010,
        0xf400_0014,
        0xb400_0008,
        0x0800_0000,
        0x9800_000c,
        0xd800_0010,
        0x0800_0010,
        0xb800_0010,
        0x9800_0000,
        0x6000_0000,
    ],
    [
        0x2600_001a,
        0x0000_0010,
        0x0400_001c,
        0xcc00_0014,
        0x0c00_0002,
        0xc000_0010,
        0xb400_001c,
        0x3c00_0004,
        0xbc00_001a,
        0x2000_0010,
        0x2400_001c,
        0xec00_0014,
        0x0c00_0002,
        0xc000_0010,
        0xb400_001c,
        0x2c00_0004,
    ],
];

/// The words of a family: the 80 of a schedule, and 16 for later starts.
const FAMILY_WORDS: usize = 96;

/// The words of each family; then the same words rotated by two bits.
type Families = [[u32; FAMILY_WORDS]; LANES];

/// The step before which both messages have the same state.
#[derive(Clone, Copy)]
enum Same {
    At58,
    At65,
}
use Same::{At58, At65};

/// A known difference: its family, the index of its first word there, whether it is rotated by
/// two bits, and the step of the shared state.
type Difference = (usize, usize, bool, Same);

/// The differences in the order of their bits in a mask.
const DIFFERENCES: [Difference; 32] = [
    (0, 9, false, At58),
    (0, 8, false, At58),
    (0, 7, false, At58),
    (0, 6, false, At58),
    (0, 6, true, At58),
    (0, 5, false, At58),
    (0, 5, true, At58),
    (0, 4, false, At58),
    (0, 4, true, At58),
    (0, 3, false, At58),
    (0, 3, true, At58),
    (0, 2, false, At65),
    (0, 2, true, At65),
    (0, 1, false, At65),
    (0, 1, true, At65),
    (0, 0, false, At65),
    (1, 11, false, At58),
    (1, 10, false, At58),
    (1, 10, true, At58),
    (1, 9, false, At58),
    (1, 8, false, At58),
    (1, 7, false, At58),
    (1, 7, true, At58),
    (1, 6, false, At65),
    (1, 6, true, At65),
    (1, 5, false, At65),
    (1, 5, true, At65),
    (1, 4, false, At65),
    (1, 3, false, At65),
    (1, 2, false, At65),
    (1, 1, false, At65),
    (1, 0, false, At65),
];

/// A block, and the difference to the block that would collide with it.
struct Suspect {
    key: usize,
    block: [u8; BLOCK],
    /// The state that both messages share in the middle, and the state after this block.
    shared: [u32; 5],
    after: [u32; 5],
    difference: Difference,
}

/// The blocks to be verified, and the data of the blocks that were hashed last.
pub(super) struct Suspects {
    kept: Kept,
    at_58: Vec<Suspect>,
    at_65: Vec<Suspect>,
    families: Option<Box<Families>>,
    attacked: Vec<usize>,
}

impl Suspects {
    pub(super) fn new() -> Suspects {
        let (at_58, at_65, attacked) = (Vec::new(), Vec::new(), Vec::new());
        Suspects { kept: Kept::new(), at_58, at_65, families: None, attacked }
    }

    /// Returns the data that [`Suspects::look`] examines.
    #[inline(always)]
    pub(super) fn kept(&mut self) -> &mut Kept {
        &mut self.kept
    }

    /// Examines the blocks that were hashed last. `keys` are the numbers of their messages,
    /// and `after` are the states after the blocks.
    #[inline(always)]
    pub(super) fn look(
        &mut self,
        blocks: [&[u8; BLOCK]; LANES],
        keys: [Option<usize>; LANES],
        after: &[X4; 5],
    ) {
        let masks = possible(&self.kept.words);
        if masks != [0; LANES] {
            self.add(blocks, keys, after, masks);
        }
    }

    /// Adds a suspect for each lane and possible difference.
    #[cold]
    fn add(
        &mut self,
        blocks: [&[u8; BLOCK]; LANES],
        keys: [Option<usize>; LANES],
        after: &[X4; 5],
        masks: [u32; LANES],
    ) {
        for (lane, ((block, key), mask)) in blocks.into_iter().zip(keys).zip(masks).enumerate() {
            let Some(key) = key.filter(|_| mask != 0) else { continue };
            let of = |state: &[X4; 5]| state.map(|word| word.lane(lane));
            let mut left = mask;
            while let Some(difference) = DIFFERENCES.get(left.trailing_zeros() as usize) {
                left &= left.wrapping_sub(1);
                let (waiting, shared) = match difference.3 {
                    At58 => (&mut self.at_58, of(&self.kept.before_58)),
                    At65 => (&mut self.at_65, of(&self.kept.before_65)),
                };
                let (block, after, difference) = (*block, of(after), *difference);
                waiting.push(Suspect { key, block, shared, after, difference });
            }
        }
        self.try_each(LANES);
    }

    /// Verifies the remaining suspects, then reports all hashed messages to `done`, without an
    /// id for those that are part of an attack.
    pub(super) fn report(
        &mut self,
        hashed: Vec<(usize, Option<ObjectId>)>,
        done: &mut dyn FnMut(usize, Option<ObjectId>),
    ) {
        self.try_each(1);
        for (key, id) in hashed {
            done(key, id.filter(|_| !self.attacked.contains(&key)));
        }
    }

    /// Verifies suspects as long as at least `least` of them share a step. Few objects are suspect,
    /// and the code that verifies them is large: where none is, it is not compiled.
    #[inline(always)]
    fn try_each(&mut self, least: usize) {
        if self.at_58.len().max(self.at_65.len()) >= least {
            self.verify_each(least);
        }
    }

    #[inline(never)]
    fn verify_each(&mut self, least: usize) {
        let families = self.families.get_or_insert_with(|| Box::new(families()));
        while self.at_58.len() >= least {
            let from = self.at_58.len().saturating_sub(LANES);
            self.attacked.extend(try_four::<58>(self.at_58.drain(from..), families));
        }
        while self.at_65.len() >= least {
            let from = self.at_65.len().saturating_sub(LANES);
            self.attacked.extend(try_four::<65>(self.at_65.drain(from..), families));
        }
    }
}

/// Returns the messages, of up to four, that are part of an attack. Both messages of each
/// collision have the same state before step `SAME`.
fn try_four<const SAME: usize>(
    suspects: impl Iterator<Item = Suspect>,
    families: &Families,
) -> impl Iterator<Item = usize> {
    let mut four: [Option<Suspect>; LANES] = [const { None }; LANES];
    four.iter_mut().zip(suspects).for_each(|(place, suspect)| *place = Some(suspect));
    let ends = collided::<SAME>(four.each_ref().map(Option::as_ref), families);
    four.into_iter().zip(ends).filter_map(|(suspect, end)| {
        let Suspect { key, after, .. } = suspect?;
        (end == after).then_some(key)
    })
}

/// Returns the state after the block that has the suspect's difference, if it shares the state
/// in the middle.
fn collided<const SAME: usize>(
    suspects: [Option<&Suspect>; LANES],
    families: &Families,
) -> [[u32; 5]; LANES] {
    let blocks = suspects.map(|suspect| suspect.map_or(&[0; BLOCK], |suspect| &suspect.block));
    let mut w = [X4::splat(0); 80];
    w.iter_mut().zip(words(blocks)).for_each(|(to, word)| *to = word);
    expand(&mut w);
    let [a, b, c, d] = suspects.map(|suspect| {
        suspect.and_then(|suspect| words_of(suspect.difference, families)).unwrap_or(&[0; 80])
    });
    let differences = a.iter().zip(b).zip(c.iter().zip(d));
    for (to, ((a, b), (c, d))) in w.iter_mut().zip(differences) {
        *to = to.xor(X4::from([*a, *b, *c, *d]));
    }
    let shared = suspects.map(|suspect| suspect.map_or([0; 5], |suspect| suspect.shared));
    let shared = X4::together(shared);
    let [k, l, m, n] = CONSTANTS.map(X4::splat);
    let between = |from: usize, to: usize| w.get(from..to).unwrap_or_default();
    let (early, late) = (SAME.min(60), SAME.max(60));
    let state = back(shared, between(60, SAME), n, parity);
    let state = back(state, between(40, early), m, majority);
    let state = back(state, between(20, 40), l, parity);
    let [a, b, c, d, e] = back(state, between(0, 20), k, choice);
    let state = on(shared, between(SAME, 60), m, majority);
    let [f, g, h, i, j] = on(state, between(late, 80), n, parity);
    let sum = [a.plus(f), b.plus(g), c.plus(h), d.plus(i), e.plus(j)];
    std::array::from_fn(|lane| sum.map(|word| word.lane(lane)))
}

fn words_of((family, later, turned, _): Difference, families: &Families) -> Option<&[u32; 80]> {
    let words = families.get(family.saturating_add(if turned { 2 } else { 0 }))?;
    words.get(later..)?.first_chunk()
}

/// Advances states over steps.
fn on(mut state: [X4; 5], words: &[X4], constant: X4, mix: impl Fn(X4, X4, X4) -> X4) -> [X4; 5] {
    for word in words {
        let [a, b, c, d, e] = state;
        let next = e.plus(word.plus(constant)).plus(mix(b, c, d)).plus(a.turned(5));
        state = [next, a, b.turned(30), c, d];
    }
    state
}

/// Reverses states over steps.
fn back(mut state: [X4; 5], words: &[X4], constant: X4, mix: impl Fn(X4, X4, X4) -> X4) -> [X4; 5] {
    for word in words.iter().rev() {
        let [next, a, c, d, e] = state;
        let b = c.turned(2);
        let rest = word.plus(constant).plus(mix(b, d, e)).plus(a.turned(5));
        state = [a, b, d, e, next.minus(rest)];
    }
    state
}

/// Computes the rest of a schedule from its first 16 words.
fn expand(words: &mut [X4]) {
    for t in 16..words.len() {
        let near = |back: usize| words.get(t.wrapping_sub(back)).copied().unwrap_or(X4::splat(0));
        let word = near(3).xor(near(8)).xor(near(14).xor(near(16))).turned(1);
        words.get_mut(t).into_iter().for_each(|place| *place = word);
    }
}

fn families() -> Families {
    let [first, second] = FAMILIES;
    let mut words = [X4::splat(0); FAMILY_WORDS];
    for (to, (first, second)) in words.iter_mut().zip(first.iter().zip(second)) {
        *to = X4::from([*first, second, first.rotate_left(2), second.rotate_left(2)]);
    }
    expand(&mut words);
    std::array::from_fn(|family| words.map(|word| word.lane(family)))
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::hash::sha1_blocks::{compress, INITIAL};
    use crate::oid::HashKind;

    fn mixed(t: usize, b: u32, c: u32, d: u32) -> u32 {
        let mix = match t / 20 {
            0 => (b & c) | (!b & d),
            2 => (b & c) | (b & d) | (c & d),
            _ => b ^ c ^ d,
        };
        mix.wrapping_add(CONSTANTS[t / 20])
    }

    fn forward(t: usize, [a, b, c, d, e]: [u32; 5], word: u32) -> [u32; 5] {
        let next = a.rotate_left(5).wrapping_add(mixed(t, b, c, d)).wrapping_add(e);
        [next.wrapping_add(word), a, b.rotate_left(30), c, d]
    }

    fn backward(t: usize, [next, a, c, d, e]: [u32; 5], word: u32) -> [u32; 5] {
        let b = c.rotate_right(30);
        let rest = a.rotate_left(5).wrapping_add(mixed(t, b, d, e)).wrapping_add(word);
        [a, b, d, e, next.wrapping_sub(rest)]
    }

    fn schedule(first: &[u32]) -> Vec<u32> {
        let mut words = first.to_vec();
        for t in 16..80 {
            let word = words[t - 3] ^ words[t - 8] ^ words[t - 14] ^ words[t - 16];
            words.push(word.rotate_left(1));
        }
        words
    }

    /// The names of the differences: family, step and bit.
    pub(in crate::hash) const NAMES: [(usize, usize, u32); 32] = [
        (1, 43, 0),
        (1, 44, 0),
        (1, 45, 0),
        (1, 46, 0),
        (1, 46, 2),
        (1, 47, 0),
        (1, 47, 2),
        (1, 48, 0),
        (1, 48, 2),
        (1, 49, 0),
        (1, 49, 2),
        (1, 50, 0),
        (1, 50, 2),
        (1, 51, 0),
        (1, 51, 2),
        (1, 52, 0),
        (2, 45, 0),
        (2, 46, 0),
        (2, 46, 2),
        (2, 47, 0),
        (2, 48, 0),
        (2, 49, 0),
        (2, 49, 2),
        (2, 50, 0),
        (2, 50, 2),
        (2, 51, 0),
        (2, 51, 2),
        (2, 52, 0),
        (2, 53, 0),
        (2, 54, 0),
        (2, 55, 0),
        (2, 56, 0),
    ];

    /// Computes the disturbances of a difference, from five steps before the first: 16 are
    /// given, and the others follow by the rule for words of a schedule.
    fn disturbances((family, step, bit): (usize, usize, u32)) -> [u32; 85] {
        let mut disturbances = [0u32; 85];
        let at = |step: usize| step + 5;
        disturbances[at(step + 15)] = 1 << bit;
        if family == 2 {
            disturbances[at(step + 1)] = (1u32 << 31).rotate_left(bit);
            disturbances[at(step + 3)] = (1u32 << 31).rotate_left(bit);
        }
        for t in at(step + 16)..85 {
            let word = [3, 8, 14, 16].iter().fold(0, |word, back| word ^ disturbances[t - back]);
            disturbances[t] = word.rotate_left(1);
        }
        for t in (0..at(step)).rev() {
            let word = disturbances[t + 16].rotate_right(1);
            disturbances[t] = [2, 8, 13].iter().fold(word, |word, on| word ^ disturbances[t + on]);
        }
        disturbances
    }

    /// Computes the words of a difference: each disturbance is corrected in the five steps
    /// after it.
    pub(in crate::hash) fn named(name: (usize, usize, u32)) -> Vec<u32> {
        let disturbances = disturbances(name);
        (5..85)
            .map(|t| {
                let [a, b, c, d, e, f] = std::array::from_fn(|back| disturbances[t - back]);
                let turned = |word: u32| word.rotate_left(30);
                a ^ b.rotate_left(5) ^ c ^ turned(d) ^ turned(e) ^ turned(f)
            })
            .collect()
    }

    #[test]
    fn differences_are_those_of_the_disturbances_they_are_named_by() {
        let families = families();
        for (difference, name) in DIFFERENCES.into_iter().zip(NAMES) {
            let words = words_of(difference, &families).unwrap();
            assert_eq!(words[..], named(name), "{name:?}");
            let until = match difference.3 {
                At58 => 58,
                At65 => 65,
            };
            // All earlier disturbances are corrected.
            assert_eq!(disturbances(name)[until..until + 5], [0; 5], "{name:?}");
        }
    }

    #[test]
    fn a_block_that_would_collide_is_noticed() {
        let mut number = 1u32;
        let mut next = || {
            number = number.wrapping_mul(1664525).wrapping_add(1013904223);
            number ^ (number >> 13)
        };
        let mut suspects = Suspects::new();
        let (mut reported, mut expected) = (Vec::new(), Vec::new());
        for key in 0..7 * 32 {
            let (bit, lane) = (key / 7, key % LANES);
            let block: [u32; 16] = std::array::from_fn(|_| next());
            let bytes: [u8; BLOCK] = block.map(u32::to_be_bytes).concat().try_into().unwrap();
            let mut blocks = [&[0; BLOCK]; LANES];
            blocks[lane] = &bytes;
            compress::<true>(&mut INITIAL.map(X4::splat), blocks, &mut suspects.kept);
            // The colliding message reaches the same state in the middle from its own start.
            let words = schedule(&block);
            let other: Vec<u32> =
                words.iter().zip(named(NAMES[bit])).map(|(word, differs)| word ^ differs).collect();
            let until = match DIFFERENCES[bit].3 {
                At58 => 58,
                At65 => 65,
            };
            let shared = (0..until).fold(INITIAL, |state, t| forward(t, state, words[t]));
            let began = (0..until).rev().fold(shared, |state, t| backward(t, state, other[t]));
            let ended = (until..80).fold(shared, |state, t| forward(t, state, other[t]));
            let mut after: [u32; 5] = std::array::from_fn(|at| began[at].wrapping_add(ended[at]));
            if key % 3 == 1 {
                after[key % 5] ^= 1 << bit;
            }
            let (mut keys, mut masks) = ([None; LANES], [0; LANES]);
            (keys[lane], masks[lane]) = (Some(key), 1 << bit);
            suspects.add(blocks, keys, &after.map(X4::splat), masks);
            assert!(suspects.at_58.len().max(suspects.at_65.len()) < LANES);
            reported.push((key, ObjectId::from_bytes(HashKind::Sha1, &[7; 20])));
            expected.push((key, reported[key].1.filter(|_| key % 3 == 1)));
        }
        let mut heard = Vec::new();
        suspects.report(reported, &mut |key, id| heard.push((key, id)));
        assert_eq!(heard, expected);
    }

    #[test]
    fn the_states_that_are_kept_are_those_before_two_of_the_steps() {
        let block: [u8; BLOCK] = std::array::from_fn(|at| (at * at + 5 * at) as u8);
        let mut kept = Kept::new();
        compress::<true>(&mut INITIAL.map(X4::splat), [&block; LANES], &mut kept);
        let first: Vec<u32> =
            block.chunks(4).map(|word| u32::from_be_bytes(word.try_into().unwrap())).collect();
        let words = schedule(&first);
        let before = |step| (0..step).fold(INITIAL, |state, t| forward(t, state, words[t]));
        assert_eq!(kept.before_58.map(|word| word.lane(2)), before(58));
        assert_eq!(kept.before_65.map(|word| word.lane(3)), before(65));
    }
}
