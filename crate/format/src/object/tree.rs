//! Trees.

use super::ObjectType;
use packlens_base::error::{Error, ErrorKind, Result};
use packlens_base::oid::{HashKind, ObjectId};
use std::cmp::Ordering;

/// The mode of a tree entry, unchanged; git has written other modes than the usual five, such
/// as 100664.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Mode(pub u32);

impl Mode {
    const FORMAT: u32 = 0o170_000;

    /// Returns the bits that say what the entry is: a file, a symbolic link, a tree or a gitlink.
    pub fn format(self) -> u32 {
        self.canonical().0 & Self::FORMAT
    }

    /// Returns whether the entry is a file.
    pub fn is_file(self) -> bool {
        self.format() == 0o100_000
    }

    /// Returns whether the entry is a tree.
    pub fn is_tree(self) -> bool {
        self.0 & Self::FORMAT == 0o040_000
    }

    /// Returns whether the entry is a gitlink: a submodule's commit, stored in another
    /// repository.
    pub fn is_gitlink(self) -> bool {
        self.0 & Self::FORMAT == 0o160_000
    }

    /// Returns the mode that git shows: one of the five current ones.
    pub fn canonical(self) -> Mode {
        Mode(match self.0 & Self::FORMAT {
            0o040_000 => 0o040_000,
            0o120_000 => 0o120_000,
            0o100_000 if self.0 & 0o100 != 0 => 0o100_755,
            0o100_000 => 0o100_644,
            _ => 0o160_000,
        })
    }

    /// Returns the type of the entry's object.
    pub fn object_type(self) -> ObjectType {
        if self.is_tree() {
            ObjectType::Tree
        } else if self.is_gitlink() {
            ObjectType::Commit
        } else {
            ObjectType::Blob
        }
    }
}

/// Returns the byte of an entry's name at a position, as the order of trees compares it: a
/// slash follows the name of a tree, NUL any other.
pub fn byte_in_order(mode: Mode, name: &[u8], at: usize) -> u8 {
    match name.get(at) {
        Some(byte) => *byte,
        None if mode.is_tree() => b'/',
        None => 0,
    }
}

/// Compares names in the order of trees: as if that of a tree ended with a slash. A tree and
/// another entry of the same name are not equal.
pub fn tree_order(old: &TreeEntry<'_>, new: &TreeEntry<'_>) -> Ordering {
    let length = old.name.len().min(new.name.len());
    let next = |entry: &TreeEntry<'_>| byte_in_order(entry.mode, entry.name, length);
    let common = old.name.get(..length).cmp(&new.name.get(..length));
    common.then_with(|| next(old).cmp(&next(new))).then_with(|| old.name.cmp(new.name))
}

/// One entry of a tree.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct TreeEntry<'a> {
    /// The mode.
    pub mode: Mode,
    /// The name: any bytes but NUL.
    pub name: &'a [u8],
    /// The object.
    pub oid: ObjectId,
}

/// A view of a tree's content: an iterator over its entries, in their order.
///
/// The iterator ends after an error.
#[derive(Clone, Debug)]
pub struct Tree<'a> {
    hash: HashKind,
    rest: &'a [u8],
}

impl<'a> Tree<'a> {
    /// Starts at the first entry.
    pub fn new(hash: HashKind, content: &'a [u8]) -> Tree<'a> {
        Tree { hash, rest: content }
    }

    /// Returns the bytes of the remaining entries.
    pub fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// Returns the entry with a name; `None` if there is none.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Corrupt`] if the tree is damaged before that entry.
    pub fn find_entry(mut self, name: &[u8]) -> Result<Option<TreeEntry<'a>>> {
        while let Some(head) = self.head() {
            if head.name == name {
                return self.next().transpose();
            }
            let Some(rest) = head.rest.get(self.hash.len()..) else { break };
            self.rest = rest;
        }
        // At the end there is none; elsewhere the next entry is damaged.
        self.next().transpose()
    }

    /// Passes over the entries that end within the next `length` bytes.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Corrupt`] if one of them is damaged.
    pub fn pass_over(&mut self, length: usize) -> Result<()> {
        let end = self.rest.len().saturating_sub(length);
        while self.rest.len() > end {
            let Some(rest) = self.head().and_then(|head| head.rest.get(self.hash.len()..)) else {
                return self.next().transpose().map(|_| ());
            };
            if rest.len() < end {
                break;
            }
            self.rest = rest;
        }
        Ok(())
    }

    /// Parses the next entry up to its id.
    #[inline]
    fn head(&self) -> Option<Head<'a>> {
        let (mode, rest) = match self.rest {
            [b'1', b'0', b'0', b'6', b'4', b'4', b' ', rest @ ..] => (0o100_644, rest),
            [b'4', b'0', b'0', b'0', b'0', b' ', rest @ ..] => (0o40_000, rest),
            [b'1', b'0', b'0', b'7', b'5', b'5', b' ', rest @ ..] => (0o100_755, rest),
            other => {
                let space = other.iter().take(12).position(|byte| *byte == b' ')?;
                let (digits, rest) = other.split_at_checked(space)?;
                (octal(digits)?, rest.get(1..)?)
            }
        };
        let nul = first_nul(rest).filter(|length| *length > 0)?;
        let (name, rest) = rest.split_at_checked(nul)?;
        Some(Head { mode, name, rest: rest.get(1..)? })
    }

    fn split_entry(&self) -> Option<(TreeEntry<'a>, &'a [u8])> {
        let Head { mode, name, rest } = self.head()?;
        let (id, rest) = rest.split_at_checked(self.hash.len())?;
        let oid = ObjectId::from_bytes(self.hash, id)?;
        Some((TreeEntry { mode: Mode(mode), name, oid }, rest))
    }
}

/// An entry up to its id.
struct Head<'a> {
    mode: u32,
    name: &'a [u8],
    /// The id and what is after it.
    rest: &'a [u8],
}

/// Returns where the first NUL is, looking at eight bytes at a time.
#[inline]
fn first_nul(bytes: &[u8]) -> Option<usize> {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const TOPS: u64 = ONES << 7;
    let (words, rest) = bytes.as_chunks::<8>();
    for (at, word) in words.iter().enumerate() {
        let word = u64::from_le_bytes(*word);
        // The lowest of the marked bytes is NUL, whatever others are marked.
        let marks = word.wrapping_sub(ONES) & !word & TOPS;
        if marks != 0 {
            return Some(at.saturating_mul(8).saturating_add(marks.trailing_zeros() as usize / 8));
        }
    }
    let at = rest.iter().position(|byte| *byte == 0)?;
    Some(bytes.len().saturating_sub(rest.len()).saturating_add(at))
}

impl<'a> Iterator for Tree<'a> {
    type Item = Result<TreeEntry<'a>>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.rest.is_empty() {
            return None;
        }
        let Some((entry, rest)) = self.split_entry() else {
            self.rest = b"";
            return Some(Err(Error::new(ErrorKind::Corrupt, "a tree entry is damaged")));
        };
        self.rest = rest;
        Some(Ok(entry))
    }
}

fn octal(digits: &[u8]) -> Option<u32> {
    if digits.is_empty() {
        return None;
    }
    digits.iter().try_fold(0u32, |mode, digit| {
        let value = char::from(*digit).to_digit(8)?;
        mode.checked_mul(8)?.checked_add(value)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree() -> Vec<u8> {
        let mut content = b"100664 caf\xe9\0".to_vec();
        content.extend([1; 20]);
        content.extend(b"40000 dir\0");
        content.extend([2; 20]);
        content.extend(b"160000 sub\0");
        content.extend([3; 20]);
        content
    }

    #[test]
    fn modes_and_names_are_kept() {
        let content = tree();
        let entries: Vec<_> =
            Tree::new(HashKind::Sha1, &content).map(|entry| entry.unwrap()).collect();
        let modes: Vec<_> = entries.iter().map(|entry| entry.mode.0).collect();
        assert_eq!(modes, [0o100664, 0o40000, 0o160000]);
        assert_eq!(entries[0].name, b"caf\xe9");
        let types: Vec<_> = entries.iter().map(|entry| entry.mode.object_type()).collect();
        assert_eq!(types, [ObjectType::Blob, ObjectType::Tree, ObjectType::Commit]);
        let found = Tree::new(HashKind::Sha1, &content).find_entry(b"dir").unwrap();
        assert_eq!(found, Some(entries[1]));
        assert_eq!(Tree::new(HashKind::Sha1, &content).find_entry(b"di").unwrap(), None);
    }

    #[test]
    fn entries_are_passed_over_as_a_whole() {
        let content = tree();
        let ends = [0, 32, 62, 93];
        for length in 0..=content.len() {
            let mut tree = Tree::new(HashKind::Sha1, &content);
            tree.pass_over(length).unwrap();
            let passed = content.len() - tree.rest().len();
            assert_eq!(passed, ends.into_iter().rfind(|end| *end <= length).unwrap());
        }
        let mut damaged = Tree::new(HashKind::Sha1, &content[..70]);
        assert!(damaged.pass_over(70).is_err());
        let found = Tree::new(HashKind::Sha1, &content[..70]).find_entry(b"sub");
        assert!(found.is_err());
    }

    #[test]
    fn the_first_nul_is_found_at_any_place() {
        for length in 0..20 {
            for after in [&b""[..], b"\0", b"\x01\0\0", b"\xff\x80\0\x01\x01\x01\x01\x01\x01"] {
                let bytes = [&vec![0x81; length], &b"\0"[..], after].concat();
                assert_eq!(first_nul(&bytes), Some(length));
            }
            assert_eq!(first_nul(&vec![1; length]), None);
        }
    }

    #[test]
    fn a_cut_tree_is_an_error_and_then_ends() {
        let content = tree();
        let whole = [0, 32, 62, 93];
        for length in 0..content.len() {
            let entries: Vec<_> = Tree::new(HashKind::Sha1, &content[..length]).collect();
            let damaged = entries.iter().filter(|entry| entry.is_err()).count();
            assert_eq!(damaged, usize::from(!whole.contains(&length)), "cut to {length}");
        }
    }

    #[test]
    fn entries_without_mode_or_name_are_damage() {
        for head in [&b" a\0"[..], b"100644 \0", b"9 a\0", b"77777777777 a\0"] {
            let content = [head, &[7; 20]].concat();
            assert!(Tree::new(HashKind::Sha1, &content).next().unwrap().is_err());
        }
    }
}
