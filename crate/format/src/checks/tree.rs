//! Checks trees.

use super::dot_names::{self, is_dotgit, is_dotgit_on_ntfs};
use super::order::{Candidates, Disorder};
use super::{Checks, MessageId, SpecialFile};
use crate::object::Mode;
use packlens_base::oid::{HashKind, ObjectId};

/// An entry as git parses it: any mode, and any name that is not empty.
struct RawEntry<'a> {
    mode: Mode,
    is_padded: bool,
    name: &'a [u8],
    id: &'a [u8],
    rest: &'a [u8],
}

/// The faults of a tree; each is reported once, after the last entry.
#[derive(Default)]
struct TreeFaults {
    null_id: bool,
    full_path: bool,
    dot: bool,
    dotdot: bool,
    dotgit: bool,
    zero_padded: bool,
    bad_mode: bool,
    duplicate: bool,
    unsorted: bool,
    long_name: bool,
}

impl Checks<'_> {
    pub(super) fn tree(&mut self, content: &[u8]) {
        if content.is_empty() {
            return;
        }
        let Some(mut entry) = split_entry(self.hash, content) else {
            self.report(MessageId::BadTree);
            return;
        };
        let mut faults = TreeFaults::default();
        let mut candidates = Candidates::default();
        let mut last: Option<(Mode, &[u8])> = None;
        loop {
            let RawEntry { mode, name, rest, .. } = entry;
            self.name(&entry, &mut faults);
            let next = split_entry(self.hash, rest);
            if next.is_none() && !rest.is_empty() {
                self.report(MessageId::BadTree);
                break;
            }
            faults.bad_mode |= match mode.0 {
                0o100_755 | 0o100_644 | 0o120_000 | 0o040_000 | 0o160_000 => false,
                // git once wrote this mode.
                0o100_664 => self.severities.is_strict(),
                _ => true,
            };
            if let Some(last) = last {
                match candidates.look(last, (mode, name)) {
                    Some(Disorder::Unsorted) => faults.unsorted = true,
                    Some(Disorder::Duplicate) => faults.duplicate = true,
                    None => {}
                }
            }
            last = Some((mode, name));
            match next {
                Some(next) => entry = next,
                None => break,
            }
        }
        self.report_faults(&faults);
    }

    fn name(&mut self, entry: &RawEntry<'_>, faults: &mut TreeFaults) {
        let name = entry.name;
        faults.null_id |= entry.id.iter().all(|byte| *byte == 0);
        faults.zero_padded |= entry.is_padded;
        faults.full_path |= name.contains(&b'/');
        faults.dot |= name == b".";
        faults.dotdot |= name == b"..";
        faults.dotgit |= is_dotgit(name);
        faults.long_name |= name.len() as u64 > self.severities.most_name_len();
        if dot_names::GITMODULES.is(name) {
            self.special_entry(entry, SpecialFile::Modules, MessageId::GitmodulesSymlink);
        }
        if dot_names::GITATTRIBUTES.is(name) {
            self.special_entry(entry, SpecialFile::Attributes, MessageId::GitattributesSymlink);
        }
        if is_symlink(entry.mode) {
            if dot_names::GITIGNORE.is(name) {
                self.report(MessageId::GitignoreSymlink);
            }
            if dot_names::MAILMAP.is(name) {
                self.report(MessageId::MailmapSymlink);
            }
        }
        // On Windows the text after a backslash is a name of its own.
        for (at, _) in name.iter().enumerate().filter(|(_, byte)| **byte == b'\\') {
            let after = name.get(at.saturating_add(1)..).unwrap_or_default();
            faults.dotgit |= is_dotgit_on_ntfs(after);
            if dot_names::GITMODULES.is_on_ntfs(after) {
                self.special_entry(entry, SpecialFile::Modules, MessageId::GitmodulesSymlink);
            }
        }
    }

    fn special_entry(&mut self, entry: &RawEntry<'_>, file: SpecialFile, symlink: MessageId) {
        match ObjectId::from_bytes(self.hash, entry.id) {
            Some(id) if !is_symlink(entry.mode) => self.findings.special(file, &id),
            _ => {
                self.report(symlink);
            }
        }
    }

    fn report_faults(&mut self, faults: &TreeFaults) {
        for (is_so, id) in [
            (faults.null_id, MessageId::NullSha1),
            (faults.full_path, MessageId::FullPathname),
            (faults.dot, MessageId::HasDot),
            (faults.dotdot, MessageId::HasDotdot),
            (faults.dotgit, MessageId::HasDotgit),
            (faults.zero_padded, MessageId::ZeroPaddedFilemode),
            (faults.bad_mode, MessageId::BadFilemode),
            (faults.duplicate, MessageId::DuplicateEntries),
            (faults.unsorted, MessageId::TreeNotSorted),
            (faults.long_name, MessageId::LargePathname),
        ] {
            if is_so {
                self.report(id);
            }
        }
    }
}

/// Returns whether a tree is empty, or git can parse its first entry. git reads nothing of
/// other trees.
pub fn begins_as_tree(hash: HashKind, content: &[u8]) -> bool {
    content.is_empty() || split_entry(hash, content).is_some()
}

fn is_symlink(mode: Mode) -> bool {
    mode.0 & 0o170_000 == 0o120_000
}

fn split_entry(hash: HashKind, content: &[u8]) -> Option<RawEntry<'_>> {
    let before_id = content.len().checked_sub(hash.len().saturating_add(1))?;
    // The last entry must end where the tree does.
    if before_id < 2 || content.get(before_id) != Some(&0) {
        return None;
    }
    let space = content.iter().position(|byte| !matches!(byte, b'0'..=b'7'))?;
    let (digits, rest) = content.split_at_checked(space)?;
    let rest = rest.strip_prefix(b" ").filter(|_| !digits.is_empty())?;
    // As in git the mode has 16 bits; higher ones are lost.
    let mode = digits.iter().fold(0u16, |mode, digit| mode << 3 | u16::from(digit & 7));
    let end = rest.iter().position(|byte| *byte == 0).filter(|length| *length > 0)?;
    let (name, rest) = rest.split_at_checked(end)?;
    let (id, rest) = rest.get(1..)?.split_at_checked(hash.len())?;
    let is_padded = digits.first() == Some(&b'0');
    Some(RawEntry { mode: Mode(mode.into()), is_padded, name, id, rest })
}
