//! The links of commits, for walks through history: decoded without memory allocation.

use super::signature::skip_space;
use packlens_base::error::{Error, ErrorKind, Result};
use packlens_base::oid::{HashKind, ObjectId};

/// The tree and the date of a commit.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct CommitLinks {
    /// The id of the commit's tree.
    pub tree: ObjectId,
    /// The committer date in seconds since 1970; `None` if there is none, which git treats as
    /// 0.
    pub date: Option<u64>,
}

impl CommitLinks {
    /// Decodes a commit's content as git does for a walk, and calls `parent` with each of its
    /// parents, in order.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Corrupt`] if there is no tree, or a parent is not an object id.
    pub fn decode(
        hash: HashKind,
        content: &[u8],
        mut parent: impl FnMut(ObjectId),
    ) -> Result<CommitLinks> {
        let Some((tree, mut rest)) = link(hash, content, b"tree ") else {
            return Err(Error::new(ErrorKind::Corrupt, "a commit must begin with its tree"));
        };
        while rest.starts_with(b"parent ") {
            let Some((id, after)) = link(hash, rest, b"parent ") else {
                return Err(Error::new(
                    ErrorKind::Corrupt,
                    "a parent line of a commit has no object id",
                ));
            };
            parent(id);
            rest = after;
        }
        Ok(CommitLinks { tree, date: date(rest) })
    }
}

/// Splits off a line that consists of a key and an object id.
fn link<'a>(hash: HashKind, content: &'a [u8], key: &[u8]) -> Option<(ObjectId, &'a [u8])> {
    let (hex, rest) = content.strip_prefix(key)?.split_at_checked(hash.hex_len())?;
    Some((ObjectId::from_hex(hash, hex)?, rest.strip_prefix(b"\n")?))
}

/// Decodes the date in the lines after the tree and the parents.
fn date(rest: &[u8]) -> Option<u64> {
    let rest = rest.strip_prefix(b"author")?;
    let end = rest.iter().position(|byte| *byte == b'\n')?;
    let rest = rest.get(end..)?.strip_prefix(b"\ncommitter")?;
    // For git, a last line without a line feed has no date.
    let end = rest.iter().position(|byte| *byte == b'\n')?;
    date_of(rest.get(..end)?)
}

/// Decodes the seconds after the last `>` of a line, with or without a zone; `None` if the
/// line has no `>`.
pub(crate) fn date_of(line: &[u8]) -> Option<u64> {
    let email_end = line.iter().rposition(|byte| *byte == b'>')?;
    let text = skip_space(line.get(email_end..)?.get(1..)?);
    let (negative, digits) = match text.strip_prefix(b"-") {
        Some(digits) => (true, digits),
        None => (false, text),
    };
    let mut digits = digits.iter().take_while(|byte| byte.is_ascii_digit());
    let number = digits.try_fold(0u64, |sum, digit| {
        sum.checked_mul(10)?.checked_add(u64::from(digit.saturating_sub(b'0')))
    });
    // A negative number wraps around, as in C's conversions to unsigned numbers.
    Some(match number {
        Some(number) if negative => number.wrapping_neg(),
        number => number.unwrap_or(u64::MAX),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391";

    fn decode(content: &str) -> Result<(usize, u64)> {
        let mut parents = 0;
        let links = CommitLinks::decode(HashKind::Sha1, content.as_bytes(), |_| parents += 1)?;
        Ok((parents, links.date.unwrap_or(0)))
    }

    #[test]
    fn parents_and_date() {
        let tree = format!("tree {ID}\n");
        let parent = format!("parent {ID}\n");
        let by = |committer: &str| format!("author A <a> 7 +0100\ncommitter {committer}\n\n");
        for (content, parents, date) in [
            (format!("{tree}{}", by("C <c> 12 +0000")), 0, 12),
            (format!("{tree}{parent}{parent}{}\nparent x\n", by("C <c> 12 +0000")), 2, 12),
            (format!("{tree}{}", by("C <c>> 12")), 0, 12),
            (format!("{tree}{}", by("C <c> x")), 0, 0),
            (format!("{tree}{}", by("C")), 0, 0),
            (format!("{tree}{}", by("C <c> -5 +0000")), 0, u64::MAX - 4),
            (format!("{tree}{}", by("C <c> 99999999999999999999999 +0000")), 0, u64::MAX),
            (format!("{tree}committer C <c> 12 +0000\n"), 0, 0),
            (format!("{tree}author A <a> 7\ncommitter C <c> 12"), 0, 0),
            (format!("{tree}author A <a> 7\ncommitter C <c> 12\n"), 0, 12),
            (format!("{tree}{}", by("C <c>\x0c5 +0000")), 0, 0),
            (format!("{tree}{}", by("C <c> -18446744073709551615 +0000")), 0, 1),
            (format!("{tree}{}", by("C <c> -18446744073709551616 +0000")), 0, u64::MAX),
            (format!("{tree}author\ncommitter>1\n"), 0, 1),
            (format!("{tree}author\ncommitter>\n12\n"), 0, 0),
            (tree.clone(), 0, 0),
        ] {
            assert_eq!(decode(&content).unwrap(), (parents, date), "{content}");
        }
    }

    #[test]
    fn a_commit_needs_a_tree_and_valid_parents() {
        for content in ["", "tree", "parent x", &format!("tree {ID}")] {
            assert_eq!(decode(content).unwrap_err().kind(), ErrorKind::Corrupt, "{content}");
        }
        for parent in [&ID[1..], "", "x"] {
            assert!(decode(&format!("tree {ID}\nparent {parent}\n")).is_err());
        }
    }
}
