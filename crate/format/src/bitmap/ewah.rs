//! Bitmaps in EWAH compression: runs of words that are all zeros or all ones, and literal
//! words.
//! <https://git-scm.com/docs/bitmap-format#_appendix_a_serialization_format_for_an_ewah_bitmap>.

use packlens_base::block::BlockSource;
use packlens_base::error::Result;

/// The bytes before the words, and after them.
const HEAD_LEN: u64 = 8;
const TAIL_LEN: u64 = 4;

/// Returns the offset of the first byte after a compressed bitmap.
///
/// # Errors
///
/// Missing bytes.
pub(crate) fn end_of<S: BlockSource>(source: &S, offset: u64) -> Result<u64> {
    let words = u32::from_be_bytes(source.array_at(offset.saturating_add(4))?);
    let length = u64::from(words).saturating_mul(8);
    Ok(offset.saturating_add(HEAD_LEN).saturating_add(length).saturating_add(TAIL_LEN))
}

/// Flips the bits of `words` that a compressed bitmap has set.
///
/// # Errors
///
/// Missing bytes; [`Corrupt`](packlens_base::ErrorKind::Corrupt) if the bitmap has more words than
/// `words`.
pub(crate) fn xor_into<S: BlockSource>(source: &S, offset: u64, words: &mut [u64]) -> Result<()> {
    let end = end_of(source, offset)?.saturating_sub(TAIL_LEN);
    let mut at = offset.saturating_add(HEAD_LEN);
    let mut rest = words;
    let corrupt = || source.corrupt("a bitmap has more bits than there are objects", offset);
    while at < end {
        let head = read_word(source, at, end)?;
        at = at.saturating_add(8);
        let run = usize::try_from((head >> 1) & u64::from(u32::MAX)).unwrap_or(usize::MAX);
        let literals = usize::try_from(head >> 33).unwrap_or(usize::MAX);
        let (same, after) = rest.split_at_mut_checked(run).ok_or_else(corrupt)?;
        if head & 1 == 1 {
            same.iter_mut().for_each(|word| *word = !*word);
        }
        let (different, after) = after.split_at_mut_checked(literals).ok_or_else(corrupt)?;
        for word in different {
            *word ^= read_word(source, at, end)?;
            at = at.saturating_add(8);
        }
        rest = after;
    }
    Ok(())
}

fn read_word<S: BlockSource>(source: &S, at: u64, end: u64) -> Result<u64> {
    if at >= end {
        return Err(source.corrupt("a bitmap ends within a run", at));
    }
    let left = end.saturating_sub(at);
    Ok(u64::from_be_bytes(source.array_at(at).map_err(|error| error.widened(left))?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bitmap(words: &[u64]) -> Vec<u8> {
        let mut bytes = vec![0, 0, 1, 0];
        bytes.extend((words.len() as u32).to_be_bytes());
        words.iter().for_each(|word| bytes.extend(word.to_be_bytes()));
        bytes.extend([0; 4]);
        bytes
    }

    fn head(ones: bool, run: u64, literals: u64) -> u64 {
        u64::from(ones) | run << 1 | literals << 33
    }

    #[test]
    fn runs_and_words_alternate() {
        let bytes = bitmap(&[head(true, 2, 1), 0b101, head(false, 1, 2), 7, 8]);
        let mut words = [0, 1, 0, 9, 0, 0, 5];
        xor_into(&bytes.as_slice(), 0, &mut words).unwrap();
        assert_eq!(words, [u64::MAX, u64::MAX - 1, 0b101, 9, 7, 8, 5]);
        assert_eq!(end_of(&bytes.as_slice(), 0).unwrap(), bytes.len() as u64);
        assert!(xor_into(&bytes.as_slice(), 0, &mut [0; 5]).is_err());
    }

    /// Another bitmap follows, whose bytes must not be read.
    #[test]
    fn one_that_ends_within_its_words_is_an_error() {
        for words in [&[head(false, 0, 3), 1, 2][..], &[head(true, 2, 1)]] {
            let bytes = [bitmap(words), bitmap(&[head(false, 1, 1), 7])].concat();
            assert!(xor_into(&bytes.as_slice(), 0, &mut [0; 8]).is_err());
        }
    }

    #[test]
    fn one_that_fills_all_its_words_is_read_and_one_more_is_an_error() {
        for (run, literals) in [(8, 0), (6, 2), (0, 8)] {
            let mut words = vec![head(true, run, literals)];
            words.extend(vec![5; literals as usize]);
            let bytes = bitmap(&words);
            let mut filled = [0; 8];
            xor_into(&bytes.as_slice(), 0, &mut filled).unwrap();
            assert!(filled.iter().all(|word| *word != 0), "{run} {literals}");
            assert!(xor_into(&bytes.as_slice(), 0, &mut [0; 7]).is_err(), "{run} {literals}");
        }
    }

    #[test]
    fn one_that_says_too_much_is_an_error() {
        for words in [&[head(true, u64::from(u32::MAX), 0)][..], &[head(false, 0, 3), 1, 2]] {
            let bytes = bitmap(words);
            assert!(xor_into(&bytes.as_slice(), 0, &mut [0; 8]).is_err());
        }
    }
}
