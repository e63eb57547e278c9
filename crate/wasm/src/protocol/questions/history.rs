//! Questions about commits and their history.

use super::groups::TextFields;
use super::{questions, task, Bytes, Names};
use crate::protocol::choices::{commit_patterns, history, Lines, Matching, Simplify};
use crate::protocol::field::{FullNames, MaybeNames};
use packlens::require_full;
use packlens::{
    AheadBehind, Blame, BlameOptions, Copies, Describe, DescribeOptions, HistoryOptions,
    LastModified, LastModifiedOptions, LinkRows, MergeBase, MergeBaseKind, NameRev, NameRevOptions,
    ObjectFilterOptions, RevList, RevListOptions, RevOrder,
};

questions! { session;
    /// Lists the commits that revisions reach, or their objects, or counts them.
    reader pages RevList = 0 {
        /// Revisions, with `^` before uninteresting ones, `--all` and the like.
        specs: Names,
        order: RevOrder,
        reverse: bool,
        first_parent: bool,
        /// Returns the number alone.
        count: bool,
        /// Lists trees, blobs and tags too.
        objects: bool,
        /// Uses the reachability bitmaps of packs, where there are any.
        use_bitmaps: bool,
        skip: u64,
        limit: Option<u64>,
        min_parents: u32,
        max_parents: Option<u32>,
        /// Seconds since 1970.
        since: Option<u64>,
        until: Option<u64>,
        /// Lists only commits that changed what these elements of a pathspec select.
        paths: MaybeNames,
        simplify: Simplify,
        lines: Lines,
        /// The commits that `ancestry-path` is limited to.
        ancestry_path_of: FullNames,
        /// As `since`, but the walk continues after an older commit.
        listed_since: Option<u64>,
        /// Patterns of commits, each after a letter: `a` for the author, `c` for the committer,
        /// `g` for a line of the message; after `m` a row of `CommitPatterns::people`.
        patterns: FullNames,
        matching: Matching,
        /// Follows the one file of `paths` through its renames: how similar it must be, in parts
        /// of 60000.
        follow: Option<u32>,
        /// Ends lines with a tab and the tip that the walk came from.
        source: bool,
        /// git's options about objects, without dashes, such as `filter=blob:none`, and two for
        /// which a field would take bytes of the first page: `remove-empty`, and
        /// `decorated=<id>` of each object that chosen refs decorate, or `decorated=` for none.
        filtered: MaybeNames,
    } => {
        let options = RevListOptions {
            order, reverse, first_parent, count, objects, use_bitmaps, skip, limit, min_parents,
            max_parents, since, until,
        };
        let depth = session.limits.tree_depth;
        let list = RevList::new(specs, options);
        let mut list = match follow {
            Some(score) => list.following(&paths.0, score, depth)?,
            None => list.limited_to(&paths.0, depth)?,
        };
        let (mut filtered, mut remove_empty) = (filtered.0, false);
        let mut decorated: Vec<Vec<u8>> = Vec::new();
        if !filtered.is_empty() {
            require_full()?;
            let given = filtered.len();
            filtered.retain(|option| option != b"remove-empty");
            remove_empty = filtered.len() < given;
            filtered.retain(|option| match option.strip_prefix(b"decorated=") {
                Some(id) => {
                    decorated.push(id.to_vec());
                    false
                }
                None => true,
            });
        }
        if simplify.0 | lines.0 != 0 || source || remove_empty {
            require_full()?;
            let options = HistoryOptions { source, remove_empty, ..history(simplify, lines) };
            list = list.simplified(options, ancestry_path_of.into_names())?;
            if options.cherry_pick || options.cherry_mark {
                list = list.comparing_patches(&paths.0, depth)?;
            }
        }
        if !decorated.is_empty() {
            list = list.decorated_by(decorated)?;
        }
        if listed_since.is_some() || !patterns.is_empty() {
            require_full()?;
            let mut patterns = commit_patterns(patterns.into_names(), matching);
            patterns.since = listed_since;
            list = list.matching(&patterns)?;
        }
        if !filtered.is_empty() {
            require_full()?;
            list = list.filtered(ObjectFilterOptions::parse(filtered)?)?;
        }
        task(list)
    };

    /// Finds merge bases, or another answer of `git merge-base`.
    full pages MergeBase = 1 { specs: Names, of: MergeBaseKind, } => task(MergeBase::new(specs, of)?);

    /// Lists what the commits in packs link to, a work unit at a time.
    full pages LinkRows = 2 {} => task(LinkRows::new(&session.repository));

    /// Finds the commit that last changed each entry of a directory.
    rest pages LastModified = 18 {
        spec: Bytes,
        path: Bytes,
        /// Only these entries of the directory.
        names: MaybeNames,
        /// How many levels of trees below the directory are entered.
        depth: u32,
        /// Answers for trees that are entered, too.
        trees: bool,
        /// Revisions at which the search ends.
        excluded: MaybeNames,
    } => {
        let options =
            LastModifiedOptions { names: names.0, depth, trees, excluded: excluded.0 };
        task(LastModified::new(&spec, &path, options))
    };

    /// Finds the commit that last changed each line of a file.
    rest pages Blame = 31 {
        spec: Bytes,
        path: Bytes,
        text: TextFields,
        first_parent: bool,
        /// Revisions that end history, and the seconds since 1970 before which it ends.
        excluded: MaybeNames,
        since: Option<u64>,
        /// Follows lines from the start of the range to its end.
        reverse: bool,
        /// Revisions whose changes are not taken for an answer.
        ignored: MaybeNames,
        /// The lines that are asked for: pairs of numbers of 4 bytes, the first line, from 0, and
        /// the end. Empty for all.
        ranges: Bytes,
        /// Lines with more letters and digits are sought where they were in the file before; none
        /// to seek no lines.
        move_score: Option<u32>,
        /// Which files are searched for lines that were copied.
        copies: Copies,
        copy_score: u32,
    } => {
        let (pairs, _) = ranges.as_chunks::<8>();
        let ranges = pairs.iter().map(|[a, b, c, d, rest @ ..]| {
            u32::from_le_bytes([*a, *b, *c, *d])..u32::from_le_bytes(*rest)
        });
        let options = BlameOptions {
            text: text.options(),
            first_parent,
            excluded: excluded.0,
            since, reverse,
            ignored: ignored.0,
            ranges: ranges.collect(),
            move_score, copies, copy_score,
        };
        task(Blame::new(&spec, &path, options))
    };

    /// Names a commit after the most recent tag that it reaches.
    rest pages Describe = 33 {
        spec: Bytes,
        tags: bool,
        all: bool,
        long: bool,
        abbrev: Option<u32>,
        /// Globs of names.
        matching: MaybeNames,
        exclude: MaybeNames,
        candidates: u32,
        first_parent: bool,
        always: bool,
    } => {
        let options = DescribeOptions {
            tags, all, long, abbrev, matching: matching.0, exclude: exclude.0, candidates,
            first_parent, always,
        };
        task(Describe::new(&spec, options))
    };

    /// Names commits after refs that reach them.
    rest pages NameRev = 35 {
        specs: Names,
        /// Only tags count.
        tags: bool,
        /// Globs of refs.
        refs: MaybeNames,
        exclude: MaybeNames,
        /// Names commits that are older than all that are asked for, too.
        whole: bool,
    } => {
        let options = NameRevOptions { tags, refs: refs.0, exclude: exclude.0, whole };
        task(NameRev::new(specs, options))
    };

    /// Counts the commits that only one of two commits reaches, for many pairs.
    full pages AheadBehind = 37 {
        /// The two revisions of the first pair, of the second one, and so on.
        specs: Names,
    } => task(AheadBehind::new(specs)?);
}
