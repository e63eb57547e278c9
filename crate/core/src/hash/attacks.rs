//! Which blocks may be part of a known attack on SHA-1, and whether they are:
//! Stevens and Shumow, "Speeding up detection of SHA-1 collision attacks using
//! unavoidable attack conditions", 2017.
//!
//! An attack adds one of 32 known differences to the words of a block. Each of
//! those works only if certain bits of the words are equal, or are not; so one look
//! at these bits clears 95 of 100 blocks. For the others the block that would
//! collide with this one is tried.

use super::sha1_blocks::{BLOCK, LANES};
use super::x4::X4;

/// Hands all conditions to a macro: bit `b` of word `i` and bit `c` of word `j`
/// must be equal (0) or not (1), for the differences of the mask to be possible.
macro_rules! conditions {
    ($each:ident) => {
        $each! {
            (44 29 45 29 0 0x0283a080)
            (41 4 44 29 0 0x00812025)
            (43 4 46 29 0 0x08080225)
            (46 29 47 29 0 0x18180801)
            (40 29 41 29 0 0x800a00a2)
            (42 4 45 29 0 0x0202808a)
            (44 4 47 29 0 0x1010088a)
            (47 29 48 29 0 0x30302002)
            (45 4 48 29 0 0x20202224)
            (48 29 49 29 0 0x60a08004)
            (46 4 49 29 0 0x40808888)
            (49 29 50 29 0 0xc2810008)
            (43 29 44 29 0 0x00a12820)
            (47 4 50 29 0 0x82012220)
            (45 29 46 29 0 0x0a0a8200)
            (37 4 40 29 0 0x50020021)
            (39 4 42 29 0 0x40100205)
            (38 4 41 29 0 0xa0080082)
            (40 4 43 29 0 0x8020080a)
            (41 29 42 29 0 0x00180284)
            (42 29 43 29 0 0x00300a08)
            (50 29 51 29 0 0x8a020020)
            (48 4 51 29 0 0x08028880)
            (49 4 52 29 0 0x10092200)
            (52 29 53 29 0 0x30110200)
            (50 4 53 29 0 0x20128800)
            (53 29 54 29 0 0x60220800)
            (54 29 55 29 0 0xc0882000)
            (36 4 40 29 0 0x00110208)
            (51 29 52 29 0 0x18080080)
            (51 4 54 29 0 0x40282000)
            (52 4 55 29 0 0x80908000)
            (55 29 56 29 0 0x82108000)
            (37 4 39 4 1 0x50000001)
            (39 4 41 4 1 0x40000005)
            (41 4 43 4 1 0x00000025)
            (38 4 40 4 1 0xa0000002)
            (40 4 42 4 1 0x8000000a)
            (42 4 44 4 1 0x0000008a)
            (35 4 39 29 0 0x00080084)
            (43 4 45 4 1 0x00000224)
            (44 4 46 4 1 0x00000888)
            (39 1 40 6 1 0x00401010)
            (44 6 46 6 0 0x00001110)
            (45 4 47 4 1 0x00002220)
            (36 1 37 6 1 0x00041040)
            (40 1 41 6 1 0x01004040)
            (45 6 47 6 0 0x00004440)
            (46 4 48 4 1 0x00008880)
            (41 1 42 6 1 0x04040100)
            (47 4 49 4 1 0x00012200)
            (48 4 50 4 1 0x00028800)
            (52 29 55 29 1 0x00182000)
            (60 0 61 5 1 0x00010004)
            (63 1 64 6 1 0x00010004)
            (61 0 62 5 1 0x00020008)
            (35 1 36 6 1 0x00000410)
            (42 6 44 6 0 0x00000110)
            (46 6 47 1 0 0x01000010)
            (61 2 62 7 1 0x00040010)
            (37 4 41 29 0 0x00220820)
            (62 0 63 5 1 0x00080020)
            (43 6 45 6 0 0x00000440)
            (47 6 48 1 0 0x04000040)
            (38 4 42 29 0 0x00882080)
            (63 0 64 5 1 0x00100080)
            (37 1 38 6 1 0x00004100)
            (44 6 48 6 0 0x00001100)
            (39 4 43 29 0 0x02108200)
            (45 6 49 6 0 0x00004400)
            (36 4 41 29 1 0x20000800)
            (39 1 41 1 1 0x00401000)
            (48 6 50 6 0 0x00041000)
            (48 6 51 1 0 0x00041000)
            (35 3 39 28 0 0x00082000)
            (40 1 42 1 1 0x01004000)
            (44 1 45 6 1 0x00404000)
            (53 29 56 29 1 0x00308000)
            (41 1 43 1 1 0x04040000)
            (53 4 56 29 0 0x02200000)
            (54 29 57 29 1 0x00a00000)
            (54 4 57 29 0 0x08800000)
            (55 29 58 29 1 0x02800000)
            (55 4 58 29 0 0x12000000)
            (56 29 59 29 1 0x0a000000)
            (56 4 59 29 0 0x28000000)
            (37 4 42 29 1 0x40002001)
            (43 4 47 29 0 0x48080001)
            (58 0 59 5 1 0x00000001)
            (58 0 63 30 1 0x00000001)
            (61 1 62 6 1 0x00000001)
            (38 4 43 29 1 0x80008002)
            (44 4 48 29 0 0x90100002)
            (59 0 60 5 1 0x00000002)
            (59 0 64 30 1 0x00000002)
            (62 1 63 6 1 0x00000002)
            (39 1 42 6 1 0x00000010)
            (40 1 43 6 1 0x00000040)
            (62 2 63 7 1 0x00000040)
            (41 1 49 1 1 0x00000100)
            (63 2 64 7 1 0x00000100)
            (38 1 39 6 1 0x00000400)
            (38 1 40 1 1 0x00000400)
            (42 1 43 6 1 0x00000400)
            (42 1 50 1 1 0x00000400)
            (40 4 44 29 0 0x08200800)
            (43 1 44 6 1 0x00001000)
            (41 4 45 29 0 0x10812000)
            (35 5 39 30 0 0x00004000)
            (37 1 37 6 0 0x00004000)
            (44 1 51 6 1 0x00004000)
            (44 1 52 1 1 0x00004000)
            (42 4 46 29 0 0x22028000)
            (47 1 48 6 1 0x00040000)
            (35 30 36 3 1 0x00100000)
            (35 30 40 28 1 0x00100000)
            (36 30 37 3 1 0x00200000)
            (36 30 41 28 1 0x00200000)
            (56 29 57 29 0 0x08200000)
            (36 0 37 5 1 0x00400000)
            (36 0 41 30 1 0x00400000)
            (44 1 46 1 1 0x00400000)
            (50 1 51 6 1 0x00400000)
            (50 1 53 6 1 0x00400000)
            (50 1 54 1 1 0x00400000)
            (37 30 38 3 1 0x00800000)
            (37 30 42 28 1 0x00800000)
            (57 29 58 29 0 0x10800000)
            (37 0 38 5 1 0x01000000)
            (37 0 42 30 1 0x01000000)
            (45 1 46 6 1 0x01000000)
            (51 1 52 6 1 0x01000000)
            (51 1 54 6 1 0x01000000)
            (51 1 55 1 1 0x01000000)
            (38 30 39 3 1 0x02000000)
            (38 30 43 28 1 0x02000000)
            (58 29 59 29 0 0x22000000)
            (38 0 39 5 1 0x04000000)
            (38 0 43 30 1 0x04000000)
            (46 1 47 6 1 0x04000000)
            (52 1 53 6 1 0x04000000)
            (52 1 55 6 1 0x04000000)
            (52 1 56 1 1 0x04000000)
            (36 4 38 4 1 0x28000000)
            (39 30 40 3 1 0x08000000)
            (39 30 44 28 1 0x08000000)
            (54 4 60 29 1 0x08000000)
            (41 3 45 28 0 0x10000000)
            (55 4 57 4 1 0x10000000)
            (55 4 61 29 1 0x10000000)
            (42 3 46 28 0 0x20000000)
            (58 4 62 29 0 0x20000000)
            (43 3 47 28 0 0x40000000)
            (57 4 59 29 0 0x40000000)
            (59 4 63 29 0 0x40000000)
            (44 3 48 28 0 0x80000000)
            (60 4 64 29 0 0x80000000)
        }
    };
}

/// Returns for each lane which differences are possible. `words` are those of the
/// whole schedule, of which 35 to 64 are looked at.
pub(super) fn possible(words: &[X4; 80]) -> [u32; LANES] {
    let mut ruled_out = X4::splat(0);
    macro_rules! look {
        ($(($i:literal $b:literal $j:literal $c:literal $v:literal $mask:literal))*) => {$(
            let differ = words[$i].left(31 - $b).xor(words[$j].left(31 - $c)).signs();
            let mask = X4::splat($mask);
            ruled_out = ruled_out.or(match $v {
                0 => mask.and(differ),
                _ => mask.and_not(differ),
            });
        )*};
    }
    conditions!(look);
    <[u32; LANES]>::from(ruled_out).map(|ruled_out| !ruled_out)
}

/// The words of the difference that is worked with at step 52 in the first family,
/// and at step 56 in the second; others of a family are the same, begun later.
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

/// A difference: its family, how much later it begins than that, the bit it is
/// turned by, and the step before which the states of both messages are the same.
type Difference = (usize, usize, u32, usize);

/// In the order of their bits in a mask.
const DIFFERENCES: [Difference; 32] = [
    (0, 9, 0, 58),
    (0, 8, 0, 58),
    (0, 7, 0, 58),
    (0, 6, 0, 58),
    (0, 6, 2, 58),
    (0, 5, 0, 58),
    (0, 5, 2, 58),
    (0, 4, 0, 58),
    (0, 4, 2, 58),
    (0, 3, 0, 58),
    (0, 3, 2, 58),
    (0, 2, 0, 65),
    (0, 2, 2, 65),
    (0, 1, 0, 65),
    (0, 1, 2, 65),
    (0, 0, 0, 65),
    (1, 11, 0, 58),
    (1, 10, 0, 58),
    (1, 10, 2, 58),
    (1, 9, 0, 58),
    (1, 8, 0, 58),
    (1, 7, 0, 58),
    (1, 7, 2, 58),
    (1, 6, 0, 65),
    (1, 6, 2, 65),
    (1, 5, 0, 65),
    (1, 5, 2, 65),
    (1, 4, 0, 65),
    (1, 3, 0, 65),
    (1, 2, 0, 65),
    (1, 1, 0, 65),
    (1, 0, 0, 65),
];

/// Makes the rest of a schedule of its first 16 words.
fn expand<const N: usize>(first: impl Iterator<Item = u32>) -> [u32; N] {
    let mut words = [0u32; N];
    words.iter_mut().zip(first).for_each(|(to, from)| *to = from);
    for t in 16..N {
        let near = |back: usize| words.get(t.wrapping_sub(back)).copied().unwrap_or(0);
        let word = (near(3) ^ near(8) ^ near(14) ^ near(16)).rotate_left(1);
        if let Some(place) = words.get_mut(t) {
            *place = word;
        }
    }
    words
}

fn words_of((family, later, bit, _): Difference) -> [u32; 80] {
    let seed = FAMILIES.get(family).copied().unwrap_or_default();
    let all: [u32; 96] = expand(seed.into_iter());
    let mut words = [0; 80];
    for (to, from) in words.iter_mut().zip(all.iter().skip(later)) {
        *to = from.rotate_left(bit);
    }
    words
}

fn mixed(t: usize, b: u32, c: u32, d: u32) -> u32 {
    match t / 20 {
        0 => (d ^ (b & (c ^ d))).wrapping_add(0x5a82_7999),
        1 => (b ^ c ^ d).wrapping_add(0x6ed9_eba1),
        2 => ((b & c) | (d & (b | c))).wrapping_add(0x8f1b_bcdc),
        _ => (b ^ c ^ d).wrapping_add(0xca62_c1d6),
    }
}

/// Takes a state over a step.
fn forward(t: usize, [a, b, c, d, e]: [u32; 5], word: u32) -> [u32; 5] {
    let next = a.rotate_left(5).wrapping_add(mixed(t, b, c, d)).wrapping_add(e).wrapping_add(word);
    [next, a, b.rotate_left(30), c, d]
}

/// Takes a state back to before a step.
fn backward(t: usize, [next, a, c, d, e]: [u32; 5], word: u32) -> [u32; 5] {
    let b = c.rotate_right(30);
    let rest = a.rotate_left(5).wrapping_add(mixed(t, b, d, e)).wrapping_add(word);
    [a, b, d, e, next.wrapping_sub(rest)]
}

fn plus(one: [u32; 5], other: [u32; 5]) -> [u32; 5] {
    let mut sum = one;
    sum.iter_mut().zip(other).for_each(|(to, more)| *to = to.wrapping_add(more));
    sum
}

/// Tells whether a block is part of an attack with one of the differences of the
/// mask. `before` and `after` are the states around it.
#[cold]
pub(super) fn is_attack(
    block: &[u8; BLOCK],
    before: [u32; 5],
    after: [u32; 5],
    possible: u32,
) -> bool {
    let chunks = block.chunks_exact(4).filter_map(|word| word.first_chunk());
    let words: [u32; 80] = expand(chunks.map(|word| u32::from_be_bytes(*word)));
    DIFFERENCES.iter().enumerate().any(|(bit, difference)| {
        if possible & 1u32.wrapping_shl(bit as u32) == 0 {
            return false;
        }
        let same = difference.3;
        let steps = || words.iter().enumerate();
        let shared = steps().take(same).fold(before, |state, (t, word)| forward(t, state, *word));
        let mut other = words_of(*difference);
        other.iter_mut().zip(&words).for_each(|(to, word)| *to ^= word);
        let steps = || other.iter().enumerate();
        let began =
            steps().take(same).rev().fold(shared, |state, (t, word)| backward(t, state, *word));
        let ended = steps().skip(same).fold(shared, |state, (t, word)| forward(t, state, *word));
        plus(began, ended) == after
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hash::sha1_blocks::{compress, INITIAL};

    #[test]
    fn the_words_looked_at_are_those_of_the_schedule() {
        let blocks: [[u8; BLOCK]; LANES] =
            std::array::from_fn(|lane| std::array::from_fn(|at| (at * at * (lane + 3) + at) as u8));
        let mut kept = [X4::splat(0); 80];
        compress::<true>(&mut INITIAL.map(X4::splat), blocks.each_ref(), &mut kept);
        for (lane, block) in blocks.iter().enumerate() {
            let first = block.chunks(4).map(|word| u32::from_be_bytes(word.try_into().unwrap()));
            let words: [u32; 80] = expand(first);
            for t in 35..65 {
                assert_eq!(<[u32; LANES]>::from(kept[t])[lane], words[t], "lane {lane}, word {t}");
            }
        }
    }

    #[test]
    fn a_step_back_undoes_a_step() {
        for t in [0, 19, 20, 39, 40, 59, 60, 79] {
            assert_eq!(backward(t, forward(t, INITIAL, 0x1234_5678), 0x1234_5678), INITIAL);
        }
    }
}
