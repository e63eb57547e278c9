//! Values of fields that are one of a few words.

use super::field::{choices, malformed, Field, Reader, Shape};
use packlens::{
    Algorithm, ArchiveFormat, Collisions, CommitPatterns, ConfigFiles, Copies, FsckRole,
    GrepAnswer, GrepBinary, HashKind, HistoryOptions, IgnoredFiles, IgnoredSubmodules, IndexRole,
    MergeBaseKind, PickaxeKind, RenameKind, Result, RevOrder, Strict, Syntax, Thin, UntrackedFiles,
    Verify, Whitespace, WordMarks,
};

/// The hash of ids, if it is known.
#[derive(Clone, Copy)]
pub(super) struct Hash(pub(super) Option<HashKind>);

/// How a history is simplified.
#[derive(Clone, Copy)]
pub(super) struct Simplify(pub(super) u8);

/// What a history has of each commit, and which side of `a...b`.
#[derive(Clone, Copy)]
pub(super) struct Lines(pub(super) u8);

macro_rules! set {
    ($type:ident, $words:expr) => {
        impl Field for $type {
            const SHAPE: Shape = Shape::MaybeSet(&$words);

            fn read(from: &mut Reader<'_>) -> Result<$type> {
                from.set(Self::SHAPE).map($type)
            }
        }
    };
}

set!(
    Simplify,
    [
        "fullHistory",
        "sparse",
        "simplifyMerges",
        "simplifyByDecoration",
        "showPulls",
        "ancestryPath",
        "excludeFirstParentOnly",
        "cherryPick",
    ]
);
set!(
    Lines,
    [
        "parents",
        "children",
        "boundary",
        "leftRight",
        "leftOnly",
        "rightOnly",
        "spaced",
        "cherryMark"
    ]
);

/// How patterns match commits.
#[derive(Clone, Copy)]
pub(super) struct Matching(u8);

set!(Matching, ["allMatch", "invertGrep", "ignoreCase", "extended", "fixed"]);

/// Returns the patterns of a question: each after a letter for the author, the committer or a
/// line of the message.
pub(super) fn commit_patterns(all: Vec<Vec<u8>>, Matching(matching): Matching) -> CommitPatterns {
    let has = |at: u32| matching >> at & 1 == 1;
    let syntax = match (has(3), has(4)) {
        (_, true) => Syntax::Fixed,
        (true, false) => Syntax::Extended,
        (false, false) => Syntax::Basic,
    };
    let of = |letter: u8| {
        let own = all.iter().filter_map(|pattern| pattern.strip_prefix(&[letter]));
        own.map(<[u8]>::to_vec).collect()
    };
    CommitPatterns {
        author: of(b'a'),
        committer: of(b'c'),
        grep: of(b'g'),
        people: of(b'm'),
        all_match: has(0),
        invert_grep: has(1),
        ignore_case: has(2),
        syntax,
        since: None,
    }
}

/// Returns the options of a history.
pub(super) fn history(Simplify(simplify): Simplify, Lines(lines): Lines) -> HistoryOptions {
    let has = |bits: u8, at: u32| bits >> at & 1 == 1;
    HistoryOptions {
        full_history: has(simplify, 0),
        sparse: has(simplify, 1),
        simplify_merges: has(simplify, 2),
        simplify_by_decoration: has(simplify, 3),
        show_pulls: has(simplify, 4),
        ancestry_path: has(simplify, 5),
        exclude_first_parent_only: has(simplify, 6),
        parents: has(lines, 0),
        children: has(lines, 1),
        boundary: has(lines, 2),
        left_right: has(lines, 3),
        left_only: has(lines, 4),
        right_only: has(lines, 5),
        spaced: has(lines, 6),
        cherry_pick: has(simplify, 7),
        cherry_mark: has(lines, 7),
        ..HistoryOptions::default()
    }
}

choices! {
    Hash {
        "any" => Hash(None),
        "sha1" => Hash(Some(HashKind::Sha1)),
        "sha256" => Hash(Some(HashKind::Sha256)),
    }
    Verify { "oid" => Verify::Oid, "crc" => Verify::Crc, "none" => Verify::None }
    RevOrder {
        "default" => RevOrder::Default,
        "date" => RevOrder::Date,
        "topo" => RevOrder::Topo,
        "author-date" => RevOrder::AuthorDate,
        "tips" => RevOrder::Tips,
        "given" => RevOrder::Given,
    }
    MergeBaseKind {
        "common" => MergeBaseKind::Common,
        "octopus" => MergeBaseKind::Octopus,
        "independent" => MergeBaseKind::Independent,
        "ancestor" => MergeBaseKind::Ancestor,
    }
    ConfigFiles {
        "both" => ConfigFiles::Both,
        "local" => ConfigFiles::Local,
        "worktree" => ConfigFiles::Worktree,
    }
    Collisions { "detect" => Collisions::Detect, "trust" => Collisions::Trust }
    Thin { "refuse" => Thin::Refuse, "fix" => Thin::Fix, "borrow" => Thin::Borrow }
    IndexRole {
        "alone" => IndexRole::Alone,
        "leader" => IndexRole::Leader,
        "scanner" => IndexRole::Scanner,
        "helper" => IndexRole::Helper,
    }
    FsckRole {
        "alone" => FsckRole::Alone,
        "leader" => FsckRole::Leader,
        "helper" => FsckRole::Helper,
    }
    Algorithm {
        "myers" => Algorithm::Myers,
        "minimal" => Algorithm::Minimal,
        "patience" => Algorithm::Patience,
        "histogram" => Algorithm::Histogram,
    }
    Whitespace {
        "exact" => Whitespace::Exact,
        "cr-at-eol" => Whitespace::CrAtEol,
        "at-eol" => Whitespace::AtEol,
        "amount" => Whitespace::Amount,
        "all" => Whitespace::All,
    }
    Option<WordMarks> {
        "none" => None,
        "porcelain" => Some(WordMarks::Porcelain),
        "plain" => Some(WordMarks::Plain),
        "unmarked" => Some(WordMarks::None),
    }
    ArchiveFormat {
        "tar" => ArchiveFormat::Tar,
        "zip" => ArchiveFormat::Zip,
        "tar.gz" => ArchiveFormat::TarGz,
        "list" => ArchiveFormat::List,
    }
    GrepAnswer {
        "lines" => GrepAnswer::Lines,
        "counts" => GrepAnswer::Counts,
        "files" => GrepAnswer::Files,
        "files-without" => GrepAnswer::FilesWithout,
    }
    GrepBinary {
        "mention" => GrepBinary::Mention,
        "text" => GrepBinary::Text,
        "skip" => GrepBinary::Skip,
    }
    Syntax {
        "basic" => Syntax::Basic,
        "extended" => Syntax::Extended,
        "fixed" => Syntax::Fixed,
    }
    Copies {
        "no" => Copies::No,
        "changed" => Copies::OfChanged,
        "created" => Copies::OfAnyToNew,
        "any" => Copies::OfAny,
    }
    PickaxeKind {
        "none" => PickaxeKind::Nothing,
        "text" => PickaxeKind::Text,
        "regex" => PickaxeKind::Regex,
        "lines" => PickaxeKind::Lines,
    }
    Option<UntrackedFiles> {
        "configured" => None,
        "normal" => Some(UntrackedFiles::Normal),
        "all" => Some(UntrackedFiles::All),
        "no" => Some(UntrackedFiles::No),
    }
    Option<IgnoredSubmodules> {
        "configured" => None,
        "none" => Some(IgnoredSubmodules::None),
        "untracked" => Some(IgnoredSubmodules::Untracked),
        "dirty" => Some(IgnoredSubmodules::Dirty),
        "all" => Some(IgnoredSubmodules::All),
    }
    IgnoredFiles {
        "no" => IgnoredFiles::No,
        "traditional" => IgnoredFiles::Traditional,
        "matching" => IgnoredFiles::Matching,
    }
    Option<RenameKind> {
        "configured" => None,
        "none" => Some(RenameKind::Nothing),
        "renames" => Some(RenameKind::Renames),
        "copies" => Some(RenameKind::Copies),
    }
    RenameKind {
        "none" => RenameKind::Nothing,
        "renames" => RenameKind::Renames,
        "copies" => RenameKind::Copies,
        "copies-of-any" => RenameKind::CopiesOfAny,
    }
    Strict { "no" => Strict::No, "objects" => Strict::Objects, "links" => Strict::Links }
}
