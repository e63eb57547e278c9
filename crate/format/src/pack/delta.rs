//! Deltas: instructions to make an object from another.

use super::entry::shifted;
use packlens_base::appender::copy_first;
use packlens_base::error::{Error, ErrorKind, Result};

/// A delta whose two sizes were decoded.
#[derive(Clone, Copy, Debug)]
pub struct Delta<'a> {
    /// The size of the base in bytes.
    pub base_size: u64,
    /// The size of the result in bytes.
    pub result_size: u64,
    instructions: &'a [u8],
}

/// The most bytes that the two sizes take.
pub const MAX_SIZES_LEN: usize = 20;

impl<'a> Delta<'a> {
    /// Decodes the two sizes at the start of a delta.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Corrupt`] if a size is truncated or does not fit in 64 bits.
    pub fn decode(bytes: &'a [u8]) -> Result<Delta<'a>> {
        let (base_size, rest) = size(bytes)?;
        let (result_size, instructions) = size(rest)?;
        Ok(Delta { base_size, result_size, instructions })
    }
}

/// Applies a delta to `base`; the result fills `out` exactly.
///
/// # Errors
///
/// [`ErrorKind::Corrupt`] unless the sizes of base and result are those that the delta
/// announces, and the instructions produce exactly the result.
pub fn apply(base: &[u8], delta: &Delta<'_>, out: &mut [u8]) -> Result<()> {
    if delta.base_size != base.len() as u64 {
        return Err(bad("a delta expects a base of another size"));
    }
    if delta.result_size != out.len() as u64 {
        return Err(bad("a delta makes an object of another size"));
    }
    let mut rest = out;
    let mut instructions = delta.instructions;
    while let Some((code, after)) = instructions.split_first() {
        let (from, length) = match *code {
            0 => return Err(bad("a delta has a reserved instruction")),
            copy if copy & 0x80 != 0 => {
                let (offset, length, after) = copy_operands(copy, after)?;
                instructions = after;
                (base.get(offset..), length)
            }
            length => {
                let length = usize::from(length);
                instructions =
                    after.get(length..).ok_or_else(|| bad("a delta ends within an instruction"))?;
                (Some(after), length)
            }
        };
        let from = from
            .filter(|from| from.len() >= length)
            .ok_or_else(|| bad("a delta copies from outside its base"))?;
        rest = copy_first(from, length, rest)
            .ok_or_else(|| bad("a delta makes more bytes than it announces"))?;
    }
    match rest.is_empty() {
        true => Ok(()),
        false => Err(bad("a delta makes fewer bytes than it announces")),
    }
}

#[cold]
fn bad(what: &'static str) -> Error {
    Error::new(ErrorKind::Corrupt, what)
}

/// Reads the offset and length of a copy instruction. Bits 0 to 3 of the code say which bytes
/// of the offset follow, bits 4 to 6 which bytes of the length.
#[inline]
fn copy_operands(code: u8, rest: &[u8]) -> Result<(usize, usize, &[u8])> {
    let (offset_bits, length_bits) = (code & 0x0f, (code >> 4) & 0x07);
    // A zero byte below a nonzero one is rare in these numbers, and only such a byte makes a
    // gap. Without gaps all operands are read at once: a branch for each byte would be
    // unpredictable for the processor.
    let gaps =
        (offset_bits & offset_bits.wrapping_add(1)) | (length_bits & length_bits.wrapping_add(1));
    let Some(bytes) = rest.first_chunk().filter(|_| gaps == 0) else {
        return any_operands(offset_bits, length_bits, rest);
    };
    let (offset_len, length_len) = (offset_bits.count_ones(), length_bits.count_ones());
    let bytes = u64::from_le_bytes(*bytes);
    let low = |bytes: u64, count: u32| (bytes & !(u64::MAX << count.wrapping_mul(8))) as usize;
    let offset = low(bytes, offset_len);
    let length = length_of(low(bytes >> offset_len.wrapping_mul(8), length_len));
    let after = rest.get(offset_len.wrapping_add(length_len) as usize..);
    Ok((offset, length, after.unwrap_or_default()))
}

/// Returns the length of a copy.
fn length_of(operand: usize) -> usize {
    match operand {
        0 => 0x10000,
        length => length,
    }
}

#[inline(never)]
fn any_operands(
    offset_bits: u8,
    length_bits: u8,
    mut rest: &[u8],
) -> Result<(usize, usize, &[u8])> {
    let mut operand = |bits: u8, count: u32| {
        let mut value = 0usize;
        for byte in 0..count {
            if bits & (1 << byte) != 0 {
                let (first, after) =
                    rest.split_first().ok_or_else(|| bad("a delta ends within an instruction"))?;
                value |= usize::from(*first) << byte.saturating_mul(8);
                rest = after;
            }
        }
        Ok(value)
    };
    let offset = operand(offset_bits, 4)?;
    let length = length_of(operand(length_bits, 3)?);
    Ok((offset, length, rest))
}

fn size(bytes: &[u8]) -> Result<(u64, &[u8])> {
    let mut value = 0u64;
    let mut shift = 0u32;
    for (at, byte) in bytes.iter().enumerate() {
        value |= shifted(u64::from(byte & 0x7f), shift)
            .ok_or_else(|| bad("a size in a delta exceeds 64 bits"))?;
        shift = shift.saturating_add(7);
        if byte & 0x80 == 0 {
            return Ok((value, bytes.get(at.saturating_add(1)..).unwrap_or_default()));
        }
    }
    Err(bad("a delta ends within its sizes"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const BASE: &[u8] = b"0123456789";

    fn run(delta: &[u8], size: usize) -> Result<Vec<u8>> {
        let mut out = vec![b'?'; size];
        apply(BASE, &Delta::decode(delta)?, &mut out)?;
        Ok(out)
    }

    #[test]
    fn copies_and_literals() {
        let delta = [10, 7, 0x91, 2, 3, 2, b'a', b'b', 0x90, 2];
        assert_eq!(run(&delta, 7).unwrap(), b"234ab01");
    }

    #[test]
    fn every_cut_and_every_changed_byte_is_an_error_or_fills_the_result() {
        let delta = [10, 7, 0x91, 2, 3, 2, b'a', b'b', 0x90, 2];
        for length in 0..delta.len() {
            assert_eq!(run(&delta[..length], 7).unwrap_err().kind(), ErrorKind::Corrupt);
        }
        for (at, value) in (0..delta.len()).flat_map(|at| (0..=255).map(move |v| (at, v))) {
            let mut changed = delta;
            changed[at] = value;
            if let Ok(out) = run(&changed, 7) {
                assert!(out.iter().all(|byte| *byte != b'?' || value == b'?'));
            }
        }
    }

    #[test]
    fn operands_are_the_same_read_at_once_and_byte_by_byte() {
        let bytes = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
        for code in 0x80..=0xff_u8 {
            for rest in (0..=bytes.len()).map(|length| &bytes[..length]) {
                let slowly = any_operands(code & 0xf, code >> 4 & 7, rest);
                let found = copy_operands(code, rest);
                assert_eq!(found.ok(), slowly.ok(), "{code:#x} of {}", rest.len());
            }
        }
        assert_eq!(copy_operands(0xff, &bytes).unwrap(), (0x0403_0201, 0x07_0605, &bytes[7..]));
        assert_eq!(copy_operands(0x80, &bytes).unwrap(), (0, 0x10000, &bytes[..]));
    }

    #[test]
    fn errors_name_the_reason() {
        for (delta, what) in [
            (&[9, 1, 1, b'a'][..], "a delta expects a base of another size"),
            (&[10, 2, 2, b'a', b'b'], "a delta makes an object of another size"),
            (&[10, 1, 0], "a delta has a reserved instruction"),
            (&[10, 1, 0x91, 9, 2], "a delta copies from outside its base"),
            (&[10, 1, 0x9f, 255, 255, 255, 255, 1], "a delta copies from outside its base"),
            (&[10, 1, 0x80], "a delta copies from outside its base"),
            (&[10, 1, 2, b'a', b'b'], "a delta makes more bytes than it announces"),
            (&[10, 1], "a delta makes fewer bytes than it announces"),
            (&[0x80], "a delta ends within its sizes"),
        ] {
            assert_eq!(run(delta, 1).unwrap_err().what(), what, "{delta:?}");
        }
        assert!(Delta::decode(&[0xff; 20]).is_err());
    }

    #[test]
    fn a_length_of_zero_is_64_kib() {
        let base = vec![7; 0x10000];
        let delta = Delta::decode(&[0x80, 0x80, 4, 0x80, 0x80, 4, 0x80]).unwrap();
        let mut out = vec![0; 0x10000];
        apply(&base, &delta, &mut out).unwrap();
        assert_eq!(out, base);
    }
}
