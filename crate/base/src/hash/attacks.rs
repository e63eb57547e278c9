//! Finds blocks that may be part of a known attack on SHA-1: Stevens and Shumow, "Speeding up
//! detection of SHA-1 collision attacks using unavoidable attack conditions", 2017.
//!
//! An attack adds one of 32 known differences to the words of a block. Each difference works
//! only if certain bits of the words are equal, or differ; so a check of these bits clears 95
//! of 100 blocks.

use super::sha1_blocks::LANES;
use super::x4::X4;

/// Passes all conditions to a macro. Bit `b` of word `i` and bit `c` of word `j` must be equal
/// (0) or differ (1), or the differences in the mask are impossible. The conditions that
/// exclude most come first; after each group, nothing may be left to check.
macro_rules! conditions {
    ($each:ident) => {
        $each! {
            [
                (44 29 45 29 0 0x0283a080)
                (43 4 46 29 0 0x08080225)
                (47 29 48 29 0 0x30302002)
                (46 4 49 29 0 0x40808888)
                (47 4 50 29 0 0x82012220)
                (39 1 40 6 1 0x00401010)
                (40 1 41 6 1 0x01004040)
                (41 1 42 6 1 0x04040100)
                (46 29 47 29 0 0x18180801)
                (48 29 49 29 0 0x60a08004)
                (40 29 41 29 0 0x800a00a2)
                (45 6 47 6 0 0x00004440)
                (49 29 50 29 0 0xc2810008)
                (44 6 46 6 0 0x00001110)
                (44 4 47 29 0 0x1010088a)
                (45 4 48 29 0 0x20202224)
                (45 29 46 29 0 0x0a0a8200)
                (36 1 37 6 1 0x00041040)
                (35 1 36 6 1 0x00000410)
                (40 1 42 1 1 0x01004000)
                (41 1 43 1 1 0x04040000)
                (39 4 42 29 0 0x40100205)
                (44 1 45 6 1 0x00404000)
                (40 4 43 29 0 0x8020080a)
                (41 4 44 29 0 0x00812025)
                (50 4 53 29 0 0x20128800)
                (43 6 45 6 0 0x00000440)
                (51 29 52 29 0 0x18080080)
                (44 6 48 6 0 0x00001100)
                (46 6 47 1 0 0x01000010)
                (39 1 41 1 1 0x00401000)
                (47 6 48 1 0 0x04000040)
                (37 4 40 29 0 0x50020021)
                (42 4 45 29 0 0x0202808a)
                (43 29 44 29 0 0x00a12820)
                (42 6 44 6 0 0x00000110)
                (38 4 41 29 0 0xa0080082)
                (45 6 49 6 0 0x00004400)
                (36 0 37 5 1 0x00400000)
                (52 29 53 29 0 0x30110200)
                (37 0 38 5 1 0x01000000)
                (50 29 51 29 0 0x8a020020)
                (48 6 50 6 0 0x00041000)
                (52 1 55 6 1 0x04000000)
                (42 29 43 29 0 0x00300a08)
                (37 1 38 6 1 0x00004100)
                (61 2 62 7 1 0x00040010)
                (50 1 53 6 1 0x00400000)
                (54 29 55 29 0 0xc0882000)
                (42 1 43 6 1 0x00000400)
                (51 1 55 1 1 0x01000000)
                (38 0 39 5 1 0x04000000)
                (48 4 51 29 0 0x08028880)
                (53 29 54 29 0 0x60220800)
                (41 29 42 29 0 0x00180284)
                (37 4 39 4 1 0x50000001)
                (48 6 51 1 0 0x00041000)
                (40 4 42 4 1 0x8000000a)
                (38 1 39 6 1 0x00000400)
                (63 2 64 7 1 0x00000100)
            ]
            [
                (51 1 52 6 1 0x01000000)
                (50 1 51 6 1 0x00400000)
                (36 4 40 29 0 0x00110208)
                (56 29 59 29 1 0x0a000000)
                (62 2 63 7 1 0x00000040)
                (46 1 47 6 1 0x04000000)
                (41 4 43 4 1 0x00000025)
                (55 29 56 29 0 0x82108000)
                (49 4 52 29 0 0x10092200)
                (38 4 40 4 1 0xa0000002)
                (47 1 48 6 1 0x00040000)
                (39 4 41 4 1 0x40000005)
                (54 4 57 29 0 0x08800000)
                (45 1 46 6 1 0x01000000)
                (44 1 51 6 1 0x00004000)
            ]
            [
                (36 0 41 30 1 0x00400000)
                (39 1 42 6 1 0x00000010)
                (42 4 44 4 1 0x0000008a)
                (42 1 50 1 1 0x00000400)
                (52 1 56 1 1 0x04000000)
                (51 4 54 29 0 0x40282000)
                (55 29 58 29 1 0x02800000)
                (48 4 50 4 1 0x00028800)
                (60 0 61 5 1 0x00010004)
                (41 1 49 1 1 0x00000100)
                (44 1 46 1 1 0x00400000)
                (40 1 43 6 1 0x00000040)
                (51 1 54 6 1 0x01000000)
                (36 4 38 4 1 0x28000000)
                (53 29 56 29 1 0x00308000)
                (37 1 37 6 0 0x00004000)
                (57 29 58 29 0 0x10800000)
                (52 1 53 6 1 0x04000000)
                (38 1 40 1 1 0x00000400)
                (43 1 44 6 1 0x00001000)
            ]
            [
                (44 4 46 4 1 0x00000888)
                (59 0 64 30 1 0x00000002)
                (45 4 47 4 1 0x00002220)
                (53 4 56 29 0 0x02200000)
                (52 4 55 29 0 0x80908000)
                (56 4 59 29 0 0x28000000)
                (63 1 64 6 1 0x00010004)
                (58 0 63 30 1 0x00000001)
                (37 0 42 30 1 0x01000000)
                (38 0 43 30 1 0x04000000)
                (55 4 58 29 0 0x12000000)
                (44 1 52 1 1 0x00004000)
                (50 1 54 1 1 0x00400000)
                (35 4 39 29 0 0x00080084)
                (56 29 57 29 0 0x08200000)
                (61 0 62 5 1 0x00020008)
                (47 4 49 4 1 0x00012200)
                (43 4 45 4 1 0x00000224)
                (61 1 62 6 1 0x00000001)
                (41 4 45 29 0 0x10812000)
                (42 4 46 29 0 0x22028000)
                (59 4 63 29 0 0x40000000)
                (35 5 39 30 0 0x00004000)
                (52 29 55 29 1 0x00182000)
                (62 1 63 6 1 0x00000002)
                (58 0 59 5 1 0x00000001)
                (37 4 41 29 0 0x00220820)
                (62 0 63 5 1 0x00080020)
                (63 0 64 5 1 0x00100080)
                (38 4 42 29 0 0x00882080)
                (39 30 44 28 1 0x08000000)
                (39 4 43 29 0 0x02108200)
                (59 0 60 5 1 0x00000002)
                (44 3 48 28 0 0x80000000)
                (42 3 46 28 0 0x20000000)
                (55 4 57 4 1 0x10000000)
                (37 4 42 29 1 0x40002001)
                (38 4 43 29 1 0x80008002)
                (40 4 44 29 0 0x08200800)
                (37 30 42 28 1 0x00800000)
                (43 4 47 29 0 0x48080001)
                (44 4 48 29 0 0x90100002)
                (35 30 40 28 1 0x00100000)
                (38 30 43 28 1 0x02000000)
                (46 4 48 4 1 0x00008880)
                (36 4 41 29 1 0x20000800)
                (35 3 39 28 0 0x00082000)
                (36 30 37 3 1 0x00200000)
                (58 29 59 29 0 0x22000000)
                (41 3 45 28 0 0x10000000)
                (55 4 61 29 1 0x10000000)
                (43 3 47 28 0 0x40000000)
                (54 29 57 29 1 0x00a00000)
                (35 30 36 3 1 0x00100000)
                (36 30 41 28 1 0x00200000)
                (37 30 38 3 1 0x00800000)
                (38 30 39 3 1 0x02000000)
                (39 30 40 3 1 0x08000000)
                (54 4 60 29 1 0x08000000)
                (58 4 62 29 0 0x20000000)
                (57 4 59 29 0 0x40000000)
                (60 4 64 29 0 0x80000000)
            ]
        }
    };
}

/// Returns the possible differences of each lane. `words` is the whole schedule, of which
/// words 35 to 64 are used.
#[inline(never)]
pub(super) fn possible(words: &[X4; 80]) -> [u32; LANES] {
    let mut left = X4::splat(u32::MAX);
    macro_rules! look {
        ($([$(($i:literal $b:literal $j:literal $c:literal $v:literal $mask:literal))*])*) => {$(
            $(
                let differ = words[$i].left(31 - $b).xor(words[$j].left(31 - $c)).signs();
                let mask = X4::splat($mask);
                left = left.and_not(match $v {
                    0 => mask.and(differ),
                    _ => mask.and_not(differ),
                });
            )*
            if !left.any() {
                return [0; LANES];
            }
        )*};
    }
    conditions!(look);
    <[u32; LANES]>::from(left)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hash::sha1_blocks::{compress, Kept, BLOCK, INITIAL};
    use crate::hash::suspects::tests::{named, NAMES};

    #[test]
    fn the_words_looked_at_are_those_of_the_schedule() {
        let blocks: [[u8; BLOCK]; LANES] =
            std::array::from_fn(|lane| std::array::from_fn(|at| (at * at * (lane + 3) + at) as u8));
        let mut kept = Kept::new();
        compress::<true>(&mut INITIAL.map(X4::splat), blocks.each_ref(), &mut kept);
        for (lane, block) in blocks.iter().enumerate() {
            let first = block.chunks(4).map(|word| u32::from_be_bytes(word.try_into().unwrap()));
            let mut words: Vec<u32> = first.collect();
            for t in 16..80 {
                let word = words[t - 3] ^ words[t - 8] ^ words[t - 14] ^ words[t - 16];
                words.push(word.rotate_left(1));
            }
            let kept: Vec<u32> = kept.words.iter().map(|word| word.lane(lane)).collect();
            assert_eq!(kept[35..65], words[35..65], "lane {lane}");
        }
    }

    /// A higher rate would cost time; a lower one would mean that an attack is missed.
    #[test]
    fn one_block_in_twenty_is_looked_at_closer() {
        let mut seed = 1u32;
        let mut byte = || {
            seed = seed.wrapping_mul(1664525).wrapping_add(1013904223);
            (seed >> 24) as u8
        };
        let (mut kept, mut closer) = (Kept::new(), 0);
        for _ in 0..5000 {
            let four: [[u8; BLOCK]; LANES] =
                std::array::from_fn(|_| std::array::from_fn(|_| byte()));
            compress::<true>(&mut INITIAL.map(X4::splat), four.each_ref(), &mut kept);
            closer += possible(&kept.words).iter().filter(|mask| **mask != 0).count();
        }
        assert!((800..1100).contains(&closer), "{closer}");
    }

    macro_rules! list {
        ($([$(($i:literal $b:literal $j:literal $c:literal $v:literal $mask:literal))*])*) => {
            [$($(($i, $b, $j, $c, $v, $mask)),*),*]
        };
    }
    const ALL: [(usize, u32, usize, u32, u32, u32); 157] = conditions!(list);

    #[test]
    fn conditions_are_about_bits_that_differ() {
        for (bit, name) in NAMES.into_iter().enumerate() {
            let words = named(name);
            let own = ALL.iter().filter(|condition| condition.5 >> bit & 1 != 0);
            for (i, b, j, c, ..) in own {
                let differ = [words[*i] >> b & 1, words[*j] >> c & 1];
                assert_eq!(differ, [1, 1], "{name:?}: {i} {b}, {j} {c}");
            }
        }
    }

    /// Each condition on its own: the possible differences are those whose conditions all
    /// hold.
    #[test]
    fn the_order_of_the_conditions_does_not_matter() {
        let mut seed = 5u32;
        for _ in 0..3000 {
            let words: [X4; 80] = std::array::from_fn(|_| {
                X4::from(std::array::from_fn(|_| {
                    seed = seed.wrapping_mul(1664525).wrapping_add(1013904223);
                    seed ^ (seed >> 15)
                }))
            });
            let expected: [u32; LANES] = std::array::from_fn(|lane| {
                let bit = |word: usize, bit: u32| words[word].lane(lane) >> bit & 1;
                ALL.iter().fold(u32::MAX, |left, (i, b, j, c, v, mask)| {
                    if bit(*i, *b) ^ bit(*j, *c) == *v {
                        left
                    } else {
                        left & !mask
                    }
                })
            });
            assert_eq!(possible(&words), expected);
        }
    }
}
