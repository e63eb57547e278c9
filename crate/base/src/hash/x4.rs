//! Vectors of four 32-bit words.

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod words {
    use core::arch::wasm32::{
        i32x4_shr, i32x4_shuffle, i64x2_shuffle, i8x16_shuffle, u32x4, u32x4_add,
        u32x4_extract_lane, u32x4_shl, u32x4_shr, u32x4_sub, u64x2, v128, v128_and, v128_andnot,
        v128_any_true, v128_or, v128_xor,
    };

    /// One word per lane.
    #[derive(Clone, Copy)]
    pub(crate) struct X4(v128);

    impl From<[u32; 4]> for X4 {
        #[inline(always)]
        fn from([a, b, c, d]: [u32; 4]) -> X4 {
            X4(u32x4(a, b, c, d))
        }
    }

    impl From<X4> for [u32; 4] {
        #[inline(always)]
        fn from(X4(v): X4) -> [u32; 4] {
            [
                u32x4_extract_lane::<0>(v),
                u32x4_extract_lane::<1>(v),
                u32x4_extract_lane::<2>(v),
                u32x4_extract_lane::<3>(v),
            ]
        }
    }

    impl X4 {
        #[inline(always)]
        pub(crate) fn plus(self, other: X4) -> X4 {
            X4(u32x4_add(self.0, other.0))
        }

        #[inline(always)]
        pub(crate) fn minus(self, other: X4) -> X4 {
            X4(u32x4_sub(self.0, other.0))
        }

        #[inline(always)]
        pub(crate) fn and(self, other: X4) -> X4 {
            X4(v128_and(self.0, other.0))
        }

        #[inline(always)]
        pub(crate) fn or(self, other: X4) -> X4 {
            X4(v128_or(self.0, other.0))
        }

        #[inline(always)]
        pub(crate) fn xor(self, other: X4) -> X4 {
            X4(v128_xor(self.0, other.0))
        }

        /// Returns the bits that are not set in `other`.
        #[inline(always)]
        pub(crate) fn and_not(self, other: X4) -> X4 {
            X4(v128_andnot(self.0, other.0))
        }

        /// Returns whether any bit is set.
        #[inline(always)]
        pub(crate) fn any(self) -> bool {
            v128_any_true(self.0)
        }

        /// Copies the highest bit of each word to all its bits.
        #[inline(always)]
        pub(crate) fn signs(self) -> X4 {
            X4(i32x4_shr(self.0, 31))
        }

        /// Shifts to the left; zeros fill the low bits.
        #[inline(always)]
        pub(crate) fn left(self, bits: u32) -> X4 {
            X4(u32x4_shl(self.0, bits))
        }

        /// Shifts to the right; zeros fill the high bits.
        #[inline(always)]
        pub(crate) fn right(self, bits: u32) -> X4 {
            X4(u32x4_shr(self.0, bits))
        }

        /// Reads four big-endian words per lane.
        #[inline(always)]
        pub(crate) fn read([a, b, c, d]: [&[u8; 16]; 4]) -> [X4; 4] {
            let (a, b, c, d) = (words(a), words(b), words(c), words(d));
            let (ab, cd) = (i32x4_shuffle::<0, 4, 1, 5>(a, b), i32x4_shuffle::<0, 4, 1, 5>(c, d));
            let (ef, gh) = (i32x4_shuffle::<2, 6, 3, 7>(a, b), i32x4_shuffle::<2, 6, 3, 7>(c, d));
            [
                X4(i64x2_shuffle::<0, 2>(ab, cd)),
                X4(i64x2_shuffle::<1, 3>(ab, cd)),
                X4(i64x2_shuffle::<0, 2>(ef, gh)),
                X4(i64x2_shuffle::<1, 3>(ef, gh)),
            ]
        }
    }

    #[inline(always)]
    fn words(bytes: &[u8; 16]) -> v128 {
        let [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p] = *bytes;
        // The compiler merges this into one load.
        let v = u64x2(
            u64::from_le_bytes([a, b, c, d, e, f, g, h]),
            u64::from_le_bytes([i, j, k, l, m, n, o, p]),
        );
        i8x16_shuffle::<3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12>(v, v)
    }
}

#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
mod words {
    use std::array::from_fn;

    /// One word per lane.
    #[derive(Clone, Copy)]
    pub(crate) struct X4([u32; 4]);

    impl From<[u32; 4]> for X4 {
        #[inline(always)]
        fn from(words: [u32; 4]) -> X4 {
            X4(words)
        }
    }

    impl From<X4> for [u32; 4] {
        #[inline(always)]
        fn from(X4(words): X4) -> [u32; 4] {
            words
        }
    }

    impl X4 {
        #[inline(always)]
        fn with(self, other: X4, of: impl Fn(u32, u32) -> u32) -> X4 {
            let (X4([a, b, c, d]), X4([e, f, g, h])) = (self, other);
            X4([of(a, e), of(b, f), of(c, g), of(d, h)])
        }

        #[inline(always)]
        pub(crate) fn plus(self, other: X4) -> X4 {
            self.with(other, u32::wrapping_add)
        }

        #[inline(always)]
        pub(crate) fn minus(self, other: X4) -> X4 {
            self.with(other, u32::wrapping_sub)
        }

        #[inline(always)]
        pub(crate) fn and(self, other: X4) -> X4 {
            self.with(other, |a, b| a & b)
        }

        #[inline(always)]
        pub(crate) fn or(self, other: X4) -> X4 {
            self.with(other, |a, b| a | b)
        }

        #[inline(always)]
        pub(crate) fn xor(self, other: X4) -> X4 {
            self.with(other, |a, b| a ^ b)
        }

        /// Returns the bits that are not set in `other`.
        #[inline(always)]
        pub(crate) fn and_not(self, other: X4) -> X4 {
            self.with(other, |a, b| a & !b)
        }

        /// Returns whether any bit is set.
        #[inline(always)]
        pub(crate) fn any(self) -> bool {
            self.0 != [0; 4]
        }

        /// Copies the highest bit of each word to all its bits.
        #[inline(always)]
        pub(crate) fn signs(self) -> X4 {
            self.with(self, |a, _| (a >> 31).wrapping_neg())
        }

        /// Shifts to the left; zeros fill the low bits.
        #[inline(always)]
        pub(crate) fn left(self, bits: u32) -> X4 {
            self.with(self, |a, _| a << bits)
        }

        /// Shifts to the right; zeros fill the high bits.
        #[inline(always)]
        pub(crate) fn right(self, bits: u32) -> X4 {
            self.with(self, |a, _| a >> bits)
        }

        /// Reads four big-endian words per lane.
        #[inline(always)]
        pub(crate) fn read(lanes: [&[u8; 16]; 4]) -> [X4; 4] {
            from_fn(|word| {
                X4(lanes.map(|bytes| {
                    let bytes = bytes.get(word.saturating_mul(4)..).and_then(<[u8]>::first_chunk);
                    bytes.map_or(0, |word| u32::from_be_bytes(*word))
                }))
            })
        }
    }
}

pub(crate) use words::X4;

impl X4 {
    /// Returns a vector with the same word in each lane.
    #[inline(always)]
    pub(crate) fn splat(word: u32) -> X4 {
        X4::from([word; 4])
    }

    /// Transposes five words per lane into five vectors.
    #[inline(always)]
    pub(crate) fn together([p, q, r, s]: [[u32; 5]; 4]) -> [X4; 5] {
        let word = |at: usize| X4::from([p, q, r, s].map(|of| of.get(at).copied().unwrap_or(0)));
        [word(0), word(1), word(2), word(3), word(4)]
    }

    /// Returns the word of a lane; 0 if there is no such lane.
    pub(crate) fn lane(self, lane: usize) -> u32 {
        <[u32; 4]>::from(self).get(lane).copied().unwrap_or(0)
    }

    /// Rotates each word to the left, by 1 to 31 bits.
    #[inline(always)]
    pub(crate) fn turned(self, bits: u32) -> X4 {
        self.left(bits).or(self.right(32u32.wrapping_sub(bits)))
    }
}
