//! Decides by what the file system says whether a file may have changed since git looked at it:
//! <https://git-scm.com/docs/racy-git>.
//!
//! As git is built by default, parts of a second do not count: some file systems report others once
//! they have read an inode again, and every file would be read. A change within the second in which
//! the index was written makes an entry racy.

use super::settings::Settings;
use crate::worktree::{FileKind, Listed};
use packlens_format::index_file::{Entry, StatData};
use packlens_format::object::Mode;

const FILE: u32 = 0o100_644;
const EXECUTABLE: u32 = 0o100_755;
const LINK: u32 = 0o120_000;

/// What is known of a file without its content.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Guess {
    Unchanged,
    Changed,
    /// Its content decides.
    Unknown,
}

/// Returns the mode that a file would be added with; the entry's own says what the file system
/// does not. `None` if git adds no such file.
pub(super) fn mode_of(listed: &Listed, entry: Option<&Entry>, settings: &Settings) -> Option<Mode> {
    let old = entry.map(|entry| Mode(entry.mode));
    match listed.kind {
        FileKind::Link => Some(Mode(LINK)),
        FileKind::File if !settings.has_links && old.is_some_and(|old| old.0 == LINK) => {
            Some(Mode(LINK))
        }
        FileKind::File => match listed.is_executable.filter(|_| settings.trusts_mode) {
            Some(true) => Some(Mode(EXECUTABLE)),
            Some(false) => Some(Mode(FILE)),
            None => old.filter(|old| old.is_file()).or(Some(Mode(FILE))),
        },
        _ => None,
    }
}

/// Compares what the file system says now with what the index says, given when the index was
/// written.
pub(super) fn compare(
    entry: &Entry,
    listed: &Listed,
    settings: &Settings,
    index_time: Option<u32>,
) -> Guess {
    let StatData { ctime: [ctime, _], mtime: [mtime, _], ino, uid, gid, size, .. } = entry.stat;
    if size != listed.size as u32 {
        // Of an entry with the size 0, git did not know the file, or did not trust its times.
        return if size == 0 { Guess::Unknown } else { Guess::Changed };
    }
    let is_all = !settings.is_minimal;
    let same = [
        !is_racy(mtime, index_time),
        size != 0 || entry.is_empty_blob(),
        listed.mtime.is_none_or(|known| known == mtime),
        !settings.trusts_ctime || !is_all || listed.ctime.is_none_or(|known| known == ctime),
        !is_all || listed.ino.is_none_or(|known| known == ino),
        !is_all
            || listed
                .owners
                .iter()
                .zip([uid, gid])
                .all(|(known, old)| known.is_none_or(|known| known == old)),
    ];
    match same.contains(&false) {
        true => Guess::Unknown,
        false => Guess::Unchanged,
    }
}

/// Returns whether the file may have changed after git looked at it within the same second, so that
/// its times do not show it. What the attributes say of such a file may have changed, too.
fn is_racy(seconds: u32, index_time: Option<u32>) -> bool {
    index_time.is_none_or(|written| written <= seconds)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repository::{Options, Repository};
    use packlens_base::hash::object_id;
    use packlens_base::oid::HashKind;
    use packlens_format::object::ObjectType;

    fn settings(config: &str) -> Settings {
        let mut repository = Repository::new(Options::default());
        let file = repository.files.found(b"config", config.len() as u64, 1);
        repository.files.add(file, 0, config.into()).unwrap();
        Settings::read(&repository).unwrap()
    }

    fn entry(content: &[u8], size: u32) -> Entry {
        Entry {
            id: object_id(HashKind::Sha1, ObjectType::Blob, content),
            mode: FILE,
            stage: 0,
            stat: StatData { ctime: [10, 1], mtime: [20, 2], dev: 3, ino: 4, uid: 5, gid: 6, size },
            assume_valid: false,
            skip_worktree: false,
            intent_to_add: false,
        }
    }

    fn listed() -> Listed {
        Listed {
            name: b"a".to_vec(),
            kind: FileKind::File,
            is_executable: Some(false),
            size: 7,
            mtime: Some(20),
            ctime: Some(10),
            ino: Some(4),
            owners: [Some(5), Some(6)],
        }
    }

    const LATER: Option<u32> = Some(21);

    fn guess(change: impl Fn(&mut Listed), config: &str) -> Guess {
        let mut listed = listed();
        change(&mut listed);
        compare(&entry(b"content", 7), &listed, &settings(config), LATER)
    }

    #[test]
    fn every_field_counts() {
        assert_eq!(guess(|_| {}, ""), Guess::Unchanged);
        assert_eq!(guess(|file| file.size = 8, ""), Guess::Changed);
        assert_eq!(guess(|file| file.mtime = Some(21), ""), Guess::Unknown);
        assert_eq!(guess(|file| file.ctime = Some(11), ""), Guess::Unknown);
        assert_eq!(guess(|file| file.ino = Some(5), ""), Guess::Unknown);
        assert_eq!(guess(|file| file.owners[0] = Some(0), ""), Guess::Unknown);
        assert_eq!(guess(|file| file.owners[1] = Some(0), ""), Guess::Unknown);
    }

    #[test]
    fn what_is_not_known_or_not_trusted_does_not_count() {
        let change = |file: &mut Listed| {
            file.ctime = None;
            file.ino = None;
            file.owners = [None, None];
        };
        assert_eq!(guess(change, ""), Guess::Unchanged);
        let ctime = |file: &mut Listed| file.ctime = Some(11);
        assert_eq!(guess(ctime, "[core] trustCtime = false"), Guess::Unchanged);
        let most = |file: &mut Listed| {
            ctime(file);
            file.ino = Some(1);
        };
        assert_eq!(guess(most, "[core] checkStat = minimal"), Guess::Unchanged);
        let seconds = |file: &mut Listed| file.mtime = Some(21);
        assert_eq!(guess(seconds, "[core] checkStat = minimal"), Guess::Unknown);
    }

    #[test]
    fn racy_entries_are_not_trusted() {
        let at = |time| compare(&entry(b"content", 7), &listed(), &settings(""), time);
        assert_eq!(at(Some(21)), Guess::Unchanged);
        for time in [None, Some(20), Some(19)] {
            assert_eq!(at(time), Guess::Unknown, "{time:?}");
        }
        let mut empty = listed();
        empty.size = 0;
        let with_size =
            |content: &[u8], file: &Listed| compare(&entry(content, 0), file, &settings(""), LATER);
        assert_eq!(with_size(b"content", &listed()), Guess::Unknown);
        assert_eq!(with_size(b"content", &empty), Guess::Unknown);
        assert_eq!(with_size(b"", &empty), Guess::Unchanged);
    }

    #[test]
    fn modes_are_those_of_files_unless_they_are_not_trusted() {
        let mut file = listed();
        file.is_executable = Some(true);
        let mode = |file: &Listed, old: u32, config: &str| {
            let entry = Entry { mode: old, ..entry(b"", 0) };
            mode_of(file, Some(&entry), &settings(config)).map(|mode| mode.0)
        };
        assert_eq!(mode(&file, FILE, ""), Some(EXECUTABLE));
        assert_eq!(mode(&file, FILE, "[core] fileMode = false"), Some(FILE));
        assert_eq!(mode(&file, LINK, "[core] symlinks = false"), Some(LINK));
        assert_eq!(mode(&file, LINK, "[core] fileMode = false"), Some(FILE));
        file.is_executable = None;
        assert_eq!(mode(&file, EXECUTABLE, ""), Some(EXECUTABLE));
        file.kind = FileKind::Other;
        assert_eq!(mode(&file, FILE, ""), None);
    }
}
