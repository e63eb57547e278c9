//! The compression function of SHA-1 on four states at once: FIPS 180-4, 6.1.2.

use super::x4::X4;

/// How many messages are hashed at once.
pub(crate) const LANES: usize = 4;

/// How many bytes of each message one call takes.
pub(super) const BLOCK: usize = 64;

/// The state of a message before its first block.
pub(super) const INITIAL: [u32; 5] =
    [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476, 0xc3d2_e1f0];

pub(super) const CONSTANTS: [u32; 4] = [0x5a82_7999, 0x6ed9_eba1, 0x8f1b_bcdc, 0xca62_c1d6];

#[inline(always)]
pub(super) fn choice(b: X4, c: X4, d: X4) -> X4 {
    d.xor(b.and(c.xor(d)))
}

#[inline(always)]
pub(super) fn parity(b: X4, c: X4, d: X4) -> X4 {
    b.xor(c).xor(d)
}

#[inline(always)]
pub(super) fn majority(b: X4, c: X4, d: X4) -> X4 {
    b.and(c).or(d.and(b.or(c)))
}

/// Reads the 16 words of each lane's block.
#[inline(always)]
pub(super) fn words(blocks: [&[u8; BLOCK]; LANES]) -> [X4; 16] {
    let part = |at: usize| {
        let of = |block: &[u8; BLOCK]| {
            *block.get(at..).and_then(<[u8]>::first_chunk).unwrap_or(&[0; 16])
        };
        let [a, b, c, d] = blocks.map(of);
        X4::read([&a, &b, &c, &d])
    };
    let ([a, b, c, d], [e, f, g, h]) = (part(0), part(16));
    let ([i, j, k, l], [m, n, o, p]) = (part(32), part(48));
    [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p]
}

/// The data for attack detection: words 35 to 64 of the schedule, and the states before two of
/// the steps.
pub(super) struct Kept {
    pub(super) words: [X4; 80],
    pub(super) before_58: [X4; 5],
    pub(super) before_65: [X4; 5],
}

impl Kept {
    pub(super) fn new() -> Kept {
        let none = X4::splat(0);
        Kept { words: [none; 80], before_58: [none; 5], before_65: [none; 5] }
    }
}

/// Advances each state by one block.
///
/// All 80 rounds are unrolled, so the last 16 words of the schedule stay in registers, if
/// there are enough. With the schedule in memory this takes half as long again.
///
/// `KEEP` records the data for attack detection.
pub(super) fn compress<const KEEP: bool>(
    state: &mut [X4; 5],
    blocks: [&[u8; BLOCK]; LANES],
    kept: &mut Kept,
) {
    let mut w = words(blocks);
    let [mut a, mut b, mut c, mut d, mut e] = *state;
    macro_rules! word {
        ($t:expr) => {
            if $t < 16 {
                w[$t & 15]
            } else {
                let near = w[($t + 13) & 15].xor(w[($t + 8) & 15]);
                w[$t & 15] = near.xor(w[($t + 2) & 15].xor(w[$t & 15])).turned(1);
                if KEEP && $t >= 35 && $t < 65 {
                    kept.words[$t] = w[$t & 15];
                }
                w[$t & 15]
            }
        };
    }
    macro_rules! round {
        ($a:ident $b:ident $c:ident $d:ident $e:ident, $t:expr, $mix:ident, $k:ident) => {
            if KEEP && $t == 58 {
                kept.before_58 = [$a, $b, $c, $d, $e];
            }
            if KEEP && $t == 65 {
                kept.before_65 = [$a, $b, $c, $d, $e];
            }
            // The term that depends on the round before is added last.
            $e = $e.plus(word!($t).plus($k)).plus($mix($b, $c, $d)).plus($a.turned(5));
            $b = $b.turned(30);
        };
    }
    macro_rules! five {
        ($t:expr, $mix:ident, $k:ident) => {
            round!(a b c d e, $t, $mix, $k);
            round!(e a b c d, $t + 1, $mix, $k);
            round!(d e a b c, $t + 2, $mix, $k);
            round!(c d e a b, $t + 3, $mix, $k);
            round!(b c d e a, $t + 4, $mix, $k);
        };
    }
    macro_rules! twenty {
        ($t:expr, $mix:ident, $k:ident) => {
            five!($t, $mix, $k);
            five!($t + 5, $mix, $k);
            five!($t + 10, $mix, $k);
            five!($t + 15, $mix, $k);
        };
    }
    let [k, l, m, n] = CONSTANTS.map(X4::splat);
    twenty!(0, choice, k);
    twenty!(20, parity, l);
    twenty!(40, majority, m);
    twenty!(60, parity, n);
    let [f, g, h, i, j] = *state;
    *state = [f.plus(a), g.plus(b), h.plus(c), i.plus(d), j.plus(e)];
}
