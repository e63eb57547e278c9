//! Decides by what the file system says whether a file may have changed since git looked at it:
//! <https://git-scm.com/docs/racy-git>.

use super::settings::Settings;
use crate::worktree::{FileKind, FileTime, Listed};
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
    index_time: Option<FileTime>,
) -> Guess {
    let StatData { ctime, mtime, ino, uid, gid, size, .. } = entry.stat;
    if size != listed.size as u32 {
        // Of an entry with the size 0, git did not know the file, or did not trust its times.
        return if size == 0 { Guess::Unknown } else { Guess::Changed };
    }
    let is_all = !settings.is_minimal;
    let same = [
        !is_racy(mtime, index_time),
        size != 0 || entry.is_empty_blob(),
        is_same_time(listed.mtime, mtime, is_all),
        !settings.trusts_ctime || !is_all || is_same_time(listed.ctime, ctime, is_all),
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

/// Returns whether a time is that of an entry. Some programs write no nanoseconds.
fn is_same_time(now: Option<FileTime>, [seconds, nanoseconds]: [u32; 2], is_all: bool) -> bool {
    now.is_none_or(|(now, part)| {
        let same_part = part.is_none_or(|part| part == nanoseconds);
        now == seconds && (!is_all || nanoseconds == 0 || same_part)
    })
}

/// Returns whether the file may have changed after git looked at it within the same second, so that
/// its times do not show it. As git is built by default, nanoseconds do not count here: what the
/// attributes say of such a file may have changed, too.
fn is_racy([seconds, _]: [u32; 2], index_time: Option<FileTime>) -> bool {
    index_time.is_none_or(|(written, _)| written <= seconds)
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
            mtime: Some((20, Some(2))),
            ctime: Some((10, Some(1))),
            ino: Some(4),
            owners: [Some(5), Some(6)],
        }
    }

    const LATER: Option<FileTime> = Some((21, Some(0)));

    fn guess(change: impl Fn(&mut Listed), config: &str) -> Guess {
        let mut listed = listed();
        change(&mut listed);
        compare(&entry(b"content", 7), &listed, &settings(config), LATER)
    }

    #[test]
    fn every_field_counts() {
        assert_eq!(guess(|_| {}, ""), Guess::Unchanged);
        assert_eq!(guess(|file| file.size = 8, ""), Guess::Changed);
        assert_eq!(guess(|file| file.mtime = Some((21, Some(2))), ""), Guess::Unknown);
        assert_eq!(guess(|file| file.mtime = Some((20, Some(3))), ""), Guess::Unknown);
        assert_eq!(guess(|file| file.ctime = Some((10, Some(2))), ""), Guess::Unknown);
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
            file.mtime = Some((20, None));
        };
        assert_eq!(guess(change, ""), Guess::Unchanged);
        let ctime = |file: &mut Listed| file.ctime = Some((11, Some(1)));
        assert_eq!(guess(ctime, "[core] trustCtime = false"), Guess::Unchanged);
        let most = |file: &mut Listed| {
            ctime(file);
            file.ino = Some(1);
            file.mtime = Some((20, Some(9)));
        };
        assert_eq!(guess(most, "[core] checkStat = minimal"), Guess::Unchanged);
        let seconds = |file: &mut Listed| file.mtime = Some((21, Some(2)));
        assert_eq!(guess(seconds, "[core] checkStat = minimal"), Guess::Unknown);
    }

    #[test]
    fn racy_entries_are_not_trusted() {
        let at = |time| compare(&entry(b"content", 7), &listed(), &settings(""), time);
        assert_eq!(at(Some((21, Some(0)))), Guess::Unchanged);
        for time in [None, Some((20, Some(3))), Some((20, None)), Some((19, Some(9)))] {
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
